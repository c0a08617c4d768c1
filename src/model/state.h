// Everything that changes: what a snapshot holds and a hash reads. Constant data of bodies
// (constraints, surfaces, shapes) lives beside it in the same structs and is left out by both.
#pragma once

#include <pliant/defs.h>
#include <cstdint>
#include <vector>

#include "model/anchor.h"
#include "model/contact.h"
#include "model/deformable.h"
#include "model/manifold.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

struct State {
  double time = 0;  // s
  std::uint64_t steps = 0;
  Vec3 gravity, wind;
  Particles particles;
  std::vector<Deformable> deformables;
  RigidBodies rigid;
  ManifoldList manifolds;  // of the last step: impulses and axes that the next one starts from
  ContactSlots slots;      // of the last step
  std::vector<Anchor> anchors;
  std::vector<std::uint64_t>
      touching;  // pairs in loaded contact at the end of the last step, sorted
};

}  // namespace pliant
