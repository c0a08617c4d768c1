// The built-in task pool and the loops that use it.
//
// A colour of constraints is often 5-50 microseconds of work, so workers spin for about 2000 turns
// before they yield and only sleep when the world is idle: waking a thread costs more than a
// colour. Each thread has its own run of consecutive blocks and takes from others' when it is done:
// what lies together in memory stays in one core's cache from job to job. Which thread runs a block
// never changes the result.
#pragma once

#include <pliant/world.h>
#include <algorithm>

namespace pliant {

// Calls body(begin, end) for consecutive ranges of [0, count) of at most `grain` items, on the pool
// or, where there is only one block or no pool, right here. The ranges do not depend on the pool.
template <class Body>
void parallel_for(TaskPool* pool, int count, int grain, const Body& body) {
  if (count <= 0) return;
  const int blocks = (count + grain - 1) / grain;
  if (pool == nullptr || blocks == 1 || pool->threads() == 1) {
    body(0, count);
    return;
  }
  struct Context {
    const Body* body;
    int count, grain;
  } context{&body, count, grain};
  pool->run(
      blocks,
      [](void* c, int block) {
        const Context& x = *static_cast<const Context*>(c);
        const int begin = block * x.grain;
        (*x.body)(begin, std::min(begin + x.grain, x.count));
      },
      &context);
}

}  // namespace pliant
