// Impacts in the order of their times: the sets of bodies that may meet in a step, each of which
// cuts its substeps where two of its bodies hit each other.
#pragma once

#include <vector>

#include "constraints/contact_rigid.h"
#include "model/joint.h"
#include "model/manifold.h"
#include "solver/colour_contacts.h"
#include "solver/rigid_integrate.h"

namespace pliant {
inline namespace PLIANT_ABI {

// Two bodies of a set that may meet in this step.
struct OrderedPair {
  BoxPair pair;
  bool touching = false;
  bool met = false;                 // the last piece ended with their impact
  double gap = 0;                   // m, at least
  std::vector<Manifold> manifolds;  // of those that touch
  Vec3 impulse;                     // N s on b, over the step
  double speed = 0;                 // m/s, when they first met in this step
};

struct OrderedSet {
  std::vector<std::int32_t> bodies;   // dynamic, rising
  std::vector<std::int32_t> carried;  // kinematic, that they may meet
  std::size_t pair_begin = 0, pair_end = 0;
  std::vector<std::int32_t> joints;
};

struct BodyRecord {
  Vec3 position;
  Quat rotation;
  BodyMotion motion;
};
struct JointRecord {
  JointMemory memory;
  std::array<double, k_joint_axes> motor_total{};
  Vec3 impulse, angular_impulse;
};

// What a set can give to one of its bodies.
struct SetEnergy {
  double energy = 0;  // J, now
  double mass = 0;    // kg
  double force = 0;   // N, sum of what the user applies
};

struct Ordered {
  std::vector<OrderedSet> sets;
  std::size_t used = 0;            // sets
  std::vector<OrderedPair> pairs;  // by set, then by key
  std::size_t pairs_used = 0;
  std::vector<std::int32_t> set_of;  // of each body; -1 = none
  double substep = 0;                // s, of which pieces are cut
  std::int32_t running = -1;         // the set whose joints are solved; -1 = all that is in none
  std::vector<std::int32_t> parent;  // of each body: scratch of the search for sets
  std::vector<std::uint8_t> wanted;  // of each root
  std::vector<std::int32_t> size;    // of each root: bodies
  std::vector<SetEnergy> energies;   // of each root
  std::vector<std::uint8_t> paired;  // of each root: has a pair, so that it is a set
  // A piece of a substep.
  ManifoldList list;
  std::vector<std::size_t> source;  // of each manifold: its pair
  ContactColours colours;
  ContactBatches batches;
  std::vector<BodyRecord> bodies_before, carried_before;
  std::vector<JointRecord> joints_before;
  std::vector<OrderedPair> pairs_before;
  std::vector<std::size_t> met;      // pairs that touch when the piece ends
  std::vector<SpecialBody> special;  // bodies of the set
  std::vector<double> travel;        // m, of each body in the last piece, at most
};

inline Vec3 velocity_of(const RigidBodies& rigid, std::size_t i) {
  return cast<double>(xyz(rigid.motion[i].velocity));
}

// m/s, of the farthest points of a body against its centre.
inline double turning_speed(const RigidBodies& rigid, std::size_t i) {
  const ShapeNumbers<Real>& s = rigid.shape[i];
  const bool round = s.kind == ShapeKind::sphere || s.kind == ShapeKind::half_space;
  return round ? 0 : double(length(xyz(rigid.motion[i].spin))) * double(length(s.half));
}

// m/s; no point of the body is faster.
inline double top_speed(const RigidBodies& rigid, std::size_t i) {
  return length(velocity_of(rigid, i)) + turning_speed(rigid, i);
}

// m, half of it.
inline double thickness(const RigidBodies& rigid, std::size_t i) {
  return deepest_inside(widen_numbers(rigid.shape[i]));
}

}  // namespace PLIANT_ABI
}  // namespace pliant
