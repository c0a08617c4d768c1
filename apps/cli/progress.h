// How far a long task is, on standard error: a bar on a terminal, a line every few seconds
// elsewhere.
#pragma once

#include <chrono>
#include <string>

namespace pliant::cli {

class Progress {
 public:
  Progress(std::string label, int total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(int done, const std::string& detail);

 private:
  using Clock = std::chrono::steady_clock;
  void show(int done, const std::string& detail);

  std::string label_;
  int total_;
  bool terminal_;
  bool bar_shown_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

}  // namespace pliant::cli
