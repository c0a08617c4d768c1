// Contacts that touch a particle: found once per step, alive for the step, refreshed in every
// substep. One set for cloth-rigid, solid-rigid, cloth-solid and solid-solid.
//
// Side a is the obstacle (a rigid body or a triangle), side b the vertex or triangle that meets it;
// the normal points from a to b. The contact point of each side is a weighted sum of particles or a
// point of a rigid frame. Vertices that are particles, against a rigid shape, come eight at a time
// (VertexBatch): they are by far the most, and those of one pair share no particle. All others are
// slots, of which only those that may be loaded in a substep get a record (ParticleContact).
#pragma once

#include <pliant/math.h>
#include <pliant/real.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "model/batches.h"

namespace pliant {

// What all contacts between a deformable (side b) and one other body have in common.
struct ContactPair {
  std::uint64_t key = 0;    // lower key << 32 | higher key
  std::int32_t body = 0;    // deformable of side b
  std::int32_t rigid = -1;  // side a: a rigid body ...
  std::int32_t other = -1;  // ... or a deformable
  std::int32_t batch_begin = 0, batch_end = 0;
  std::int32_t slot_begin = 0, slot_end = 0;
  std::int32_t rank = 0;  // how many pairs before it have batches of the same deformable
  Real thickness = 0;     // m, that the surfaces keep between them
  Real friction_static = 0, friction_kinetic = 0, restitution = 0;
  std::int32_t group = 0;        // of pairs that act on each other through a body: its first node
  std::int32_t sweeps = 1;       // of the group
  std::int32_t full_sweeps = 1;  // of which, from the first, concern this pair; and the last
  bool swept = true;             // takes part in the present sweep
  bool dynamic = false;          // the rigid side has a mass
  bool moves = false;            // it may have a velocity
  bool in_unit = false;          // its slots are in one of the units
  // Of the last substep.
  std::int32_t loaded = 0;  // contacts
  Real approach = 0;        // m/s, fastest of the loaded ones; < 0 closing
  Real deepest = 0;         // m, greatest overlap of the loaded ones
  Real depth_sum = 0;       // m
};

// What the last projection of a batch gave to the rigid side: sums over its lanes.
struct BatchReaction {
  Vec3T<Real> total, gained;                // kg m: all, and without pushing
  Vec3T<Real> total_moment, gained_moment;  // kg m2, of a dynamic side
};

// Eight vertices against a rigid shape; see constraints/contact_vertex.h.
struct alignas(64) VertexBatch {
  Lanes particle{};        // world-wide; unused lanes name the body's scratch particle
  std::int32_t pair = 0;   // index into pairs
  std::int32_t lanes = 0;  // how many are used
  bool live = false;       // some lane may be loaded in this substep; if not, the rest is old
  BatchReaction reaction{};
  Vec3W from{};          // m, base of the particle - base of the rigid body
  Vec3W normal{};        // unit
  Vec3W arm{};           // m, from the rigid body's centre; where that is dynamic
  Vec3W rigid_motion{};  // m, of the rigid point in this substep
  RealW offset{};        // m: gap = offset + normal . (d - shift of the rigid point)
  RealW target{};        // m; the gap that the projection restores: 0, or less while pushing out
  RealW push{};          // m; how much of the restoring removes an old overlap
  RealW gap{};           // m, at the beginning of the substep
  RealW approach{};      // m/s, of the velocities that forces have left
  RealW multiplier{};    // kg m, normal; impulse times h
  Vec3W rubbed{};        // kg m, friction so far in this substep
};

enum class ContactKind : std::uint8_t {
  vertex_rigid,     // a vertex of an embedded surface against a rigid shape
  triangle_rigid,   // the inside of a surface triangle against a rigid shape
  vertex_triangle,  // a surface vertex against the nearest of some triangles of another deformable
  edge_edge,        // an edge of a cloth or a sharp one of a solid against a sharp one of a solid
};

// Which features meet, and where to look for them again in every substep.
struct ContactSlot {
  ContactKind kind = ContactKind::vertex_rigid;
  std::int32_t pair = 0;
  std::int32_t feature = 0;  // surface vertex, triangle or edge (of a solid: sharp edge) of side b
  std::int32_t first = 0;    // candidate triangles of side a: [first, first + count)
  std::int32_t count = 0;
  std::int32_t nearest = -1;      // of the candidates, when last looked at; -1 = not yet
  std::array<Real, 3> weights{};  // triangle_rigid: where on the triangle, when last looked at
  Real clear = 0;  // m, triangle_rigid: from the shape at least, less the motion of both since the
                   // step began; of embedded surfaces not known, 0
  std::int32_t side = 0;    // of an open surface the vertex is on: 1 along its normals, -1; 0
                            // unknown; edge_edge: 1 where the edge was outside at first, -1 inside
  std::int32_t sharp = -1;  // edge_edge: sharp edge of side a
};

// On which side of an open surface a vertex was, from step to step: what has come through is
// brought back.
struct RememberedSide {
  std::uint64_t key = 0;       // of the pair
  std::uint32_t body_key = 0;  // whose vertex it is
  std::int32_t vertex = 0;
  std::int32_t side = 0;
  friend bool operator<(const RememberedSide& a, const RememberedSide& b) {
    return std::tie(a.key, a.body_key, a.vertex) < std::tie(b.key, b.body_key, b.vertex);
  }
};
// Of sorted ones; 0 where there is none.
inline std::int32_t find_side(std::span<const RememberedSide> sides, std::uint64_t key,
                              std::uint32_t body_key, std::int32_t vertex) {
  const RememberedSide wanted{key, body_key, vertex, 0};
  const auto found = std::lower_bound(sides.begin(), sides.end(), wanted);
  return found != sides.end() && !(wanted < *found) ? found->side : 0;
}

struct CandidateTriangle {
  std::int32_t triangle = 0;
  std::array<std::int32_t, 3> particle{};  // world-wide; only of surfaces made of particles
};

inline constexpr int k_contact_particles = 8;

// A slot that may be loaded in this substep.
struct ParticleContact {
  std::array<std::int32_t, k_contact_particles> particle{};  // world-wide
  std::array<Real, k_contact_particles> weight{};  // positive on side b, negative on side a
  std::int32_t particles = 0;                      // how many are used
  std::int32_t pair = 0;
  std::int32_t rigid = -1;   // where it is dynamic
  bool on_rigid = false;     // side a is a rigid body, of any kind
  std::int32_t behind = -1;  // rigid body that the last projection passed a part on to, at `arm`
  Vec3T<Real> normal;        // unit
  Vec3T<Real> first_normal;  // unit, when the substep began: tells the sides apart
  Vec3 first_point;          // m, point of the rigid surface, likewise
  Vec3T<Real> arm;           // m, from the rigid body's centre to the contact point
  Vec3T<Real> rigid_motion;  // m, of the rigid point in this substep
  Real offset = 0, target = 0, push = 0, gap = 0, approach = 0, multiplier = 0;  // as in batches
  Real friction_static = 0, friction_kinetic = 0;
  bool turns = false;  // a triangle that may have turned much in this substep
  Vec3T<Real> rubbed;
};

// What contacts have done to a rigid body in this substep.
struct RigidPush {
  Vec3T<Real> moved, turned;        // m, rad: the whole shift
  Vec3T<Real> gained, gained_spin;  // m, rad: the part that becomes velocity, times h
  Vec3T<Real> contact_impulse;      // kg m: what contacts alone have given, times h
  std::int32_t contacts = 0;  // that act in this sweep: the number of parts its mass is split into
};

// All contacts between two deformables, or of one with itself: see solver/contact_order.h.
struct ContactUnit {
  std::int32_t phase = 0;  // units of one phase share no body
  std::int32_t slot_begin = 0, slot_end = 0;
  std::int32_t begin = 0, end = 0;  // of `coloured`: the live ones, in this substep
};

struct ContactSlots {
  std::vector<ContactPair> pairs;
  std::vector<VertexBatch> batches;  // by pair
  std::vector<ContactSlot> slots;    // by pair
  std::vector<CandidateTriangle> candidates;
  // Batches by rank: [rank_begin[r], rank_begin[r + 1]) of `ranked`.
  std::vector<std::int32_t> ranked, rank_begin;
  std::vector<ContactUnit> units;  // by phase
  // Memory of the search for them: with the list, not with the thread, which may be another next
  // time and would take memory in a warm step.
  std::vector<std::int32_t> near, sorted;
  std::vector<std::uint8_t> bucket_of;

  // Of the present substep.
  std::vector<ParticleContact> contacts;   // beside slots; old where not live
  std::vector<std::uint8_t> live;          // beside slots
  std::vector<std::int32_t> coloured;      // the live ones: by unit, then the others by colour
  std::vector<std::int32_t> colour_begin;  // of the others, as `rank_begin`

  void clear() {
    pairs.clear();
    batches.clear();
    slots.clear();
    candidates.clear();
    ranked.clear();
    units.clear();
    coloured.clear();
    contacts.clear();
    live.clear();
    rank_begin.assign(1, 0);
    colour_begin.assign(1, 0);
  }
};

}  // namespace pliant
