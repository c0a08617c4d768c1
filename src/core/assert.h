// PLIANT_ASSERT: a caller's bug or a broken invariant. Always on: it is never in an inner loop.
#pragma once

namespace pliant {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace pliant

#define PLIANT_ASSERT(expression) \
  ((expression) ? (void)0 : ::pliant::assertion_failed(#expression, __FILE__, __LINE__))
