// Puts manifolds into colours, in which no moving body appears twice, and into batches of eight
// with the same number of points. Fixed and kinematic bodies never conflict. Contacts with them
// come in colours of their own after the others: what cannot give way has the last word.
#pragma once

#include "constraints/contact_rigid.h"
#include "core/pool.h"
#include "model/body_order.h"

namespace pliant {

struct ColourRange {
  std::int32_t begin = 0, end = 0;  // batches
};
struct ContactColours {
  std::vector<ColourRange> colours;
  ColourRange tail;  // one manifold in each batch: run one after the other
  std::int32_t points = 0;
  // Scratch that keeps its capacity.
  std::vector<std::uint64_t> used;    // colours of each body
  std::vector<std::uint8_t> count;    // points of each manifold
  std::vector<std::uint8_t> chosen;   // its colour
  std::vector<std::int32_t> by_zone;  // those that have one
};

// Greedy in the order of the list, which is that of the keys: which colour a manifold gets depends
// on its bodies' earlier manifolds alone. Manifolds without points or without a moving body that is
// awake are left out. Sets source, first_point and points of the batches.
// In a colour, batches with the same number of points come by the zones of their bodies.
void colour_contacts(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                     TaskPool* pool, ContactColours& colours, ContactBatches& contacts);
// Adds the manifold at `source` to the end of the tail: for a search in the middle of a step, which
// leaves all other batches as they are.
void append_to_tail(const ManifoldList& list, std::int32_t source, ContactColours& colours,
                    ContactBatches& contacts);

}  // namespace pliant
