// The boxes of rigid bodies for the broad phase.
#pragma once

#include <vector>

#include "model/pairs.h"
#include "model/rigid.h"

namespace pliant {

struct BodyBoxes {
  std::vector<BoxAabb> boxes;  // beside the bodies; empty ones for half-spaces
  std::vector<BoxPlane> planes;
  std::vector<std::uint8_t> moves;
};

// Around each body at its base, grown by its reach and half the margin, rounded outward.
void box_bodies(const RigidBodies& bodies, Real margin, BodyBoxes& boxes);
BoxList box_list(const RigidBodies& bodies, const BodyBoxes& boxes);

}  // namespace pliant
