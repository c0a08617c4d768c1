// Puts manifolds into colours, in which no moving body appears twice, and into batches of eight
// with the same number of points; and says which batches run side by side.
//
// Where there are few, the phases of a sweep are the colours. Where there are many, bodies are cut
// into slabs by their place. In the first phase each slab runs the contacts inside of it, colour by
// colour; then come those between the slabs 0-1, 2-3, ..., then those between 1-2, 3-4, ... Groups
// of a phase share no moving body: there are four waits in a sweep instead of one for each colour,
// and a thread has the bodies of its slab in its own cache.
//
// Fixed and kinematic bodies never conflict. Contacts with them come after the others: what cannot
// give way has the last word.
#pragma once

#include <array>

#include "constraints/contact_rigid.h"
#include "core/pool.h"
#include "model/body_order.h"

namespace pliant {

struct BatchRange {
  std::int32_t begin = 0, end = 0;
};

// How many manifolds a group has of each colour and number of points, then where the next one goes.
struct GroupCounts {
  static constexpr int k_colours = 64;
  std::array<std::array<std::int32_t, 5>, k_colours> count;
  int colours = 0;
};

struct ContactColours {
  static constexpr std::size_t k_kinds = 4;  // of groups
  std::vector<BatchRange> ranges;            // each runs its batches in their order
  std::vector<std::int32_t> phase_end;       // of each phase, in ranges
  BatchRange tail;                           // one manifold in each batch: run one after the other
  std::int32_t points = 0;
  std::int32_t most = 0;  // colours of a group
  // Scratch that keeps its capacity.
  std::vector<std::array<std::uint64_t, k_kinds>> used;  // colours of each body in each kind
  std::vector<std::uint8_t> group, chosen;  // of each manifold, and its colour in the group
  std::vector<std::int32_t> next;           // of each block of manifolds and group
  std::vector<std::int32_t> by_group;       // manifolds
  std::vector<std::int32_t> group_begin;    // in by_group
  std::vector<GroupCounts> counts;          // of each group
  std::vector<BatchRange> groups;
  std::vector<std::int32_t> first_point;  // of each group
};

// Greedy in the order of the list, which is that of the keys: which colour a manifold gets depends
// on its bodies' earlier manifolds of the group alone. Manifolds without points or without a moving
// body that is awake are left out. Sets source, first_point and points of the batches.
void colour_contacts(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                     TaskPool* pool, ContactColours& colours, ContactBatches& contacts);
// Adds the manifold at `source` to the end of the tail: for a search in the middle of a step, which
// leaves all other batches as they are.
void append_to_tail(const ManifoldList& list, std::int32_t source, ContactColours& colours,
                    ContactBatches& contacts);

// Runs a stage of all contacts, run(begin, end) for ranges of batches.
template <class Run>
void each_phase(const ContactColours& colours, TaskPool* pool, const Run& run) {
  std::int32_t first = 0;
  for (const std::int32_t last : colours.phase_end) {
    parallel_for(pool, last - first, 1, [&](int begin, int end) {
      for (std::size_t r = std::size_t(first + begin); r < std::size_t(first + end); ++r)
        run(colours.ranges[r].begin, colours.ranges[r].end);
    });
    first = last;
  }
  if (colours.tail.end > colours.tail.begin) run(colours.tail.begin, colours.tail.end);
}

}  // namespace pliant
