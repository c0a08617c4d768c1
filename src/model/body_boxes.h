// The boxes of rigid bodies for the broad phase.
#pragma once

#include <vector>

#include "core/pool.h"
#include "model/pairs.h"
#include "model/rigid.h"

namespace pliant {

struct BodyBoxes {
  std::vector<BoxAabb> boxes;  // beside the bodies; empty ones for half-spaces
  std::vector<BoxPlane> planes;
  std::vector<std::uint8_t> moves;
  std::vector<std::int32_t> live, fixed;  // see BoxList
  std::uint32_t fixed_version = 0;        // of the bodies, that `fixed` and its boxes are of
  std::size_t fixed_planes = 0;           // the first so many of `planes`
  std::vector<std::uint32_t> rebased;     // of each body, that its box is of; 0 = it moves
};

// Around each body at its base, grown by its reach and half the margin, rounded outward. Boxes of
// what stands are kept; the margin is always the same.
void box_bodies(const RigidBodies& bodies, Real margin, TaskPool* pool, BodyBoxes& boxes);
// The frames beside them, of all bodies.
void frame_bodies(const RigidBodies& bodies, Real margin, std::vector<BoxFrame>& frames);
BoxList box_list(const RigidBodies& bodies, const BodyBoxes& boxes);

}  // namespace pliant
