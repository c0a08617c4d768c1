// Contact of rigid bodies at velocity level: soft, sub-stepped, with a relaxation sweep; eight
// manifolds at once.
//
// For a point with unit normal n from a to b, arms r_a, r_b and separation s (m, < 0 overlap):
//   u_n = n . (v_b + w_b x r_b - v_a - w_a x r_a)                       approach < 0
//   K   = 1/m_a + 1/m_b + (r_a x n) . I_a^-1 (r_a x n) + (r_b x n) . I_b^-1 (r_b x n)
// A sweep changes the accumulated impulse L >= 0 of each point by
//   dL = -(c_m / K) (u_n + bias) - c_i L
//   s > 0: bias = s / h, c_m = 1, c_i = 0          the gap may close, not more (speculative)
//   s < 0: bias = max(c_b s, -push speed)          a spring of frequency w, damping ratio z:
//          a1 = 2 z + h w, a2 = h w a1, c_b = w / a1, c_m = a2 / (1 + a2), c_i = 1 / (1 + a2)
// `relax` uses s < 0: bias = 0, c_m = 1, c_i = 0: it takes back the speed that the spring gave, so
// that removing an overlap adds no energy. A load F sinks by F K / w^2 (w = 2 pi 0.125 / h).
// Friction: the impulse along two tangents is solved first and kept within the cone mu L, where mu
// is the static coefficient below a slip speed of 5 cm/s and the kinetic one above. (A test of the
// impulse alone would not do: the points of a manifold share a load, and the first one solved
// always asks for more than its share.) Restitution: a point that was loaded and met faster than a
// threshold leaves with e times the speed u_n that it had before the substep's impulses. The
// separation follows the bodies: s = s_0 + n . (shift of b's point - shift of a's point). After
// Catto, "Solver2D" and Box2D v3 (2024); Macklin et al., "Small Steps" (2019).
#pragma once

#include <cstdint>
#include <vector>

#include "math/wide.h"
#include "model/manifold.h"

namespace pliant {

struct ContactSettings {
  Real h = 0;                  // s, the substep
  Real push_speed = 1;         // m/s
  Real restitution_speed = 0;  // m/s
  Real frequency = 0.125;      // times 1 / h: Hz; at 0.25 tall walls sway for ever
  Real damping_ratio = 10;
};

struct ContactPointW {
  Vec3W arm_a, arm_b;  // m
  RealW start;         // m, separation at the search
  RealW separation;    // m, now
  RealW normal_mass;   // kg, 1 / K
  RealW tangent_mass[2];
  RealW normal_impulse;  // N s
  RealW tangent_impulse[2];
  RealW approach;  // m/s, before this substep's impulses; < 0
  RealW peak;      // N s, greatest normal impulse since `approach` was taken
};
struct ContactBatch {
  std::int32_t a[k_wide], b[k_wide];  // bodies
  std::int32_t source[k_wide];        // place in the manifold list, -1 = empty lane
  std::int32_t first_point = 0, points = 0;
  std::uint32_t writes_a = 0, writes_b = 0;  // lanes whose bodies move
  bool bounces = false;                      // some lane has restitution
  Vec3W normal, tangent;                     // the second tangent is normal x tangent
  RealW friction_static, friction_kinetic, restitution;
  Vec3W impulse;  // N s on b, sum over the substeps
};

// What few contacts have: resistance to rolling and spinning, as torques on the bodies that are at
// most N times a length, and surfaces that move against their bodies. Rolling is the turning of b
// against a about the tangents, spinning that about the normal.
struct ContactExtra {
  bool turns = false;         // some lane resists
  bool slides = false;        // some lane has a moving surface
  RealW rolling, spinning;    // m
  RealW turn_mass[3];         // kg m2, about the two tangents and the normal
  RealW turn_impulse[3];      // N m s, on b
  RealW surface_velocity[2];  // m/s, of a along the tangents
};

struct ContactBatches {
  std::vector<ContactBatch> batch;
  std::vector<ContactExtra> extra;  // beside batch, or empty
  std::vector<ContactPointW> point;
};

// Each works on batches [begin, end), which may run in parallel where they are of one colour;
// `prepare` and `finish` of any colours.
// Fills batches whose source, first_point and points are set, and their extras where there are any.
void prepare_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                      const RigidBodies& bodies, const ManifoldList& list);
// Of contacts that were found and prepared in the middle of a step: their separations are those of
// the present poses, not of the bases.
void start_from_now(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    const RigidBodies& bodies);
// Takes a lane out of its batch, its impulses into its manifold.
void release_lane(ContactBatches& contacts, std::int32_t batch, int lane, ManifoldList& list);
// Takes the approach speeds: after the forces and before any impulse of the substep.
void take_approach(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                   const RigidBodies& bodies);
void warm_start_contacts(const ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                         RigidBodies& bodies);
void solve_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    RigidBodies& bodies, const ContactSettings& settings);
// Takes the separations of the present poses, which the next substep's solve uses as well.
void relax_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                    RigidBodies& bodies, const ContactSettings& settings);
void restitute_contacts(ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                        RigidBodies& bodies, const ContactSettings& settings);
// Puts impulses back into the manifolds, for the next step and for reading.
void finish_contacts(const ContactBatches& contacts, std::int32_t begin, std::int32_t end,
                     ManifoldList& list);

}  // namespace pliant
