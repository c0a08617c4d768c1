// A particle, or a point of a triangle, that two rigid bodies press from opposite sides.
//
//   C = gap_a + gap_b >= 0: the bodies keep the thickness of the cloth between them
//   dlam = -C / (N_a W_a + N_b W_b), lam >= 0, W = 1/m + (r x n) . I^-1 (r x n) of each body
//   friction of each side at most mu times (its own load + lam), as in
//   constraints/contact_particle.h
//
// By itself a contact with a light particle can only stop what the particle's mass stops in a
// substep, and friction only sees that load. Here the load goes from body to body, friction on both
// sides sees it, and what is left of it also acts between the bodies; N is the number of such
// points that a body has. Between two bodies that are fixed or led by the user the load has no
// limit: what is there goes with them.
#pragma once

#include <span>

#include "constraints/contact_particle.h"

namespace pliant {

struct PinchSide {
  ParticleContact contact;
  std::int32_t body = -1;  // dynamic or not
  Vec3R gained;            // kg m, the reaction on the body so far
};
struct Pinch {
  PinchSide a, b;       // with facing normals
  Real target = 0;      // m, of gap_a + gap_b
  Real push = 0;        // m; how much of the restoring removes an old overlap
  Real push_most = 0;   // m, of any overlap
  Real multiplier = 0;  // kg m
  Real load = 0;        // kg m; of which removes no old overlap: what friction sees
  Vec3R rubbed;         // kg m, friction of the two bodies through the cloth, on that of a
};

// From what the substep began with; `push_most` in m.
Pinch make_pinch(const PinchSide& a, const PinchSide& b, Real push_most);
// Keeps the bodies apart. Normals come before all friction: what they turn a body by would slide
// it.
void press_pinch(Pinch& pinch, const Particles& particles, std::span<const BodyMotion> rigid,
                 std::span<RigidPush> pushes);
// `begin` is where particles were (their d) when the substep began.
void rub_pinch(Pinch& pinch, Particles& particles, std::span<const Vec4> begin,
               std::span<const BodyMotion> rigid, std::span<RigidPush> pushes);

}  // namespace pliant
