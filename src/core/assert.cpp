#include "core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace pliant {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "pliant: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace pliant
