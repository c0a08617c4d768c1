// Ctrl-C and a polite kill ask a long run to end; a second one ends the program at once.
#pragma once

namespace pliant::cli {

// While one of these lives, SIGINT and SIGTERM only set a flag.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

bool interrupted();

}  // namespace pliant::cli
