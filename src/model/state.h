// Everything that changes: what a snapshot holds and a hash reads. Constant data of bodies
// (constraints, surfaces, shapes) lives beside it in the same structs and is left out by both.
#pragma once

#include <pliant/defs.h>
#include <cstdint>
#include <vector>

#include "model/anchor.h"
#include "model/contact.h"
#include "model/deformable.h"
#include "model/joint.h"
#include "model/manifold.h"
#include "model/particles.h"
#include "model/rigid.h"
#include "model/seam.h"

namespace pliant {

// Two bodies in loaded contact at the end of a step.
struct Touch {
  std::uint64_t key = 0;  // lower key << 32 | higher key
  Vec3 force;             // N, on the body with the higher key, mean over the last step
};

// Two solids that are in each other, and for how many steps they have hardly been so.
struct PartingPair {
  std::uint64_t key = 0;  // lower key << 32 | higher key
  std::uint64_t near = 0;
  friend bool operator<(const PartingPair& a, const PartingPair& b) { return a.key < b.key; }
};

struct State {
  double time = 0;  // s
  std::uint64_t steps = 0;
  Vec3 gravity, wind;
  Vec3 air;  // m/s, wind and gust of the present substep; follows from the time
  Particles particles;
  std::vector<Deformable> deformables;
  RigidBodies rigid;
  ManifoldList manifolds;  // of the last step: impulses and axes that the next one starts from
  ContactSlots slots;      // of the last step
  std::vector<RememberedSide> sides;  // sorted
  // Pairs of solids whose boxes meet, under contact by position: those that it keeps apart (lower
  // key << 32 | higher key), and those that are in each other. Sorted.
  std::vector<std::uint64_t> met;
  std::vector<PartingPair> parting;
  std::vector<Anchor> anchors;
  std::vector<Joint> joints;
  std::vector<Seam> seams;
  std::vector<Touch> touching;        // sorted by key; sleeping pairs stay, with their last force
  std::vector<std::uint64_t> sensed;  // sensor's key << 32 | key of what overlaps it; sorted
};

}  // namespace pliant
