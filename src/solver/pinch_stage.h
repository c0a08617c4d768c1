// Cloth between two rigid bodies: finds the vertices and triangles that both press and lets the
// load go through (constraints/contact_pinch.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraints/contact_pinch.h"
#include "model/contact.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

struct PinchScratch {
  // A loaded contact: a lane of a batch, or a slot.
  struct Loaded {
    std::int32_t pair, lane;  // -1 = slot
    std::int32_t at;          // batch or slot
    std::int32_t feature;     // particle or triangle
  };
  std::vector<std::int32_t> meets;  // rigid bodies that press each deformable
  std::vector<Loaded> loaded;
  // Of each particle and of each triangle of the present body: 1 + its place in `loaded`; 0 before
  // and after.
  std::vector<std::int32_t> vertex_mark, triangle_mark;
  std::vector<Pinch> pinches;
};

// After the sweeps of a substep and sum_up_pairs; `push_most` in m, `begin` as in
// project_pinch.
void hold_pinched(const ContactSlots& slots, std::int32_t deformables, Real push_most,
                  Particles& particles, std::span<const Vec4> begin,
                  std::span<const BodyMotion> rigid, std::span<RigidPush> pushes,
                  PinchScratch& scratch);

}  // namespace pliant
