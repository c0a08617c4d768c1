// Contacts that touch a particle: slots that are found once per step, live for the step and are
// refreshed in every substep. One record for cloth-rigid, solid-rigid, cloth-solid and solid-solid.
//
// Side a is the obstacle (a rigid body or a triangle), side b the vertex or triangle that meets it;
// the normal points from a to b. The contact point of each side is a weighted sum of particles or a
// point of a rigid frame, so one kernel serves all (constraints/contact_particle.h).
#pragma once

#include <pliant/math.h>
#include <pliant/real.h>
#include <array>
#include <cstdint>
#include <vector>

namespace pliant {

enum class ContactKind : std::uint8_t {
  vertex_rigid,     // a surface vertex against a rigid shape
  triangle_rigid,   // the inside of a surface triangle against a rigid shape
  vertex_triangle,  // a surface vertex against the nearest of some triangles of another deformable
};

// Which features meet, and where to look for them again in every substep.
struct ContactFeature {
  ContactKind kind = ContactKind::vertex_rigid;
  std::int32_t body = 0;     // deformable of side b
  std::int32_t feature = 0;  // its surface vertex or triangle
  std::int32_t rigid = -1;   // side a: a rigid body ...
  std::int32_t other = -1;   // ... or a deformable
  std::int32_t first = 0;    // its candidate triangles: [first, first + count) of the slot list
  std::int32_t count = 0;
  std::array<Real, 3>
      weights{};  // triangle_rigid: where on the triangle, carried from substep to substep
};

inline constexpr int k_contact_particles = 8;

// What the projection needs; written by the refresh.
struct ParticleContact {
  std::array<std::int32_t, k_contact_particles> particle{};  // world-wide indices
  std::array<Real, k_contact_particles> weight{};  // positive on side b, negative on side a
  std::int32_t particles = 0;                      // how many are used
  std::int32_t rigid = -1;
  Vec3T<Real> normal;        // unit
  Vec3T<Real> arm;           // m, from the rigid body's centre to the contact point
  Vec3T<Real> rigid_motion;  // m, of the rigid point in this substep
  Real offset = 0;           // m: gap = offset + normal . sum weight d - rigid shift
  Real target = 0;  // m; the gap that the projection restores: 0, or less while pushing out
  Real push = 0;    // m; how much of the restoring removes an old overlap
  Real friction_static = 0, friction_kinetic = 0, restitution = 0;
  Real approach = 0;    // m/s, normal relative speed at the beginning of the substep; < 0 closing
  Real multiplier = 0;  // kg m, normal; impulse times h
  Real gap = 0;         // m, as last measured
  bool active = false;
};

struct ContactSlots {
  std::vector<ContactFeature> features;   // sorted by (pair, kind, feature)
  std::vector<std::uint64_t> pair_keys;   // beside features: lower key << 32 | higher key
  std::vector<ParticleContact> contacts;  // beside features
  std::vector<std::int32_t> triangles;    // candidates of vertex_triangle
  // Slots by colour: [colour_begin[c], colour_begin[c + 1]) of `coloured`. Rigid sides never
  // conflict.
  std::vector<std::int32_t> coloured;
  std::vector<std::int32_t> colour_begin;

  void clear() {
    features.clear();
    pair_keys.clear();
    contacts.clear();
    triangles.clear();
    coloured.clear();
    colour_begin.assign(1, 0);
  }
};

}  // namespace pliant
