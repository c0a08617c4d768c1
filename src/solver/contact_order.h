// In which order the slots of contacts are projected, so that many can be at once and the bits are
// the same for any number of threads.
//
// All contacts between two deformables are a unit that one thread runs through. Units of one phase
// share no body. What does not fit, because a rigid side has to hear of it or because there are so
// many contacts that threads had better share them, is coloured: two of a colour share no particle.
#pragma once

#include <vector>

#include "core/pool.h"
#include "model/contact.h"

namespace pliant {

inline constexpr int k_most_colours = 63;  // the last one takes the overflow and is swept serially

// Once per search: makes units of the pairs of deformables, but of those whose group is `pressed`,
// where rigid bodies stand behind a light sheet.
void list_units(const std::vector<std::uint8_t>& pressed, std::int32_t deformables,
                ContactSlots& slots);
// Calls run(unit) for all units, those of a phase side by side.
template <class Run>
void each_phase(ContactSlots& slots, TaskPool* pool, const Run& run) {
  const std::size_t count = slots.units.size();
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    while (last < count && slots.units[last].phase == slots.units[first].phase) ++last;
    parallel_for(pool, int(last - first), 1, [&](int begin, int end) {
      for (int n = begin; n < end; ++n) run(slots.units[first + std::size_t(n)]);
    });
  }
}
// In every substep: orders the live slots, first by units, and in a unit by colour, then the others
// by colour. `marks` is scratch, one entry a particle, zero before and after.
void order_live(ContactSlots& slots, std::vector<std::uint64_t>& marks, TaskPool* pool);

}  // namespace pliant
