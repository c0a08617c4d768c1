// Anchor: two points stay together.
//
//   c(x) = x_b - x_a  (a 3-vector);  x = sum s_k x_k over particles, or a point of a rigid frame,
//   or fixed (W + a I) dlam = -(c + a lam),  a = alpha / h^2,  W = sum over both sides of
//     particles: sum w_k s_k^2 I          rigid: (1/m) I - [r]x I^-1 [r]x
//   dx_k = +-w_k s_k dlam on particles (+ on side b); a rigid side gets the same as an impulse at r
//
//   |lam| <= max_force h^2 where the anchor has a greatest force; of impulses |P| <= max_force h.
//   alpha compliance (m/N), r arm of the rigid point, h substep. The force on side b is lam / h^2.
//   Where a particle takes part the anchor is solved at position level, inside `project`; between
//   two rigid frames (or one and the world) at velocity level, inside `rigid` and `relax`: (W + a
//   I) dP = -(u + b c + a P), u relative velocity, P impulse, and
//     alpha = 0: a = 0, b = 0.2 / h while solving, 0 while relaxing; alpha > 0: a = alpha / h^2, b
//     = 1 / h.
//   Frame: world. Source: Macklin et al. 2016 (vector rows), Catto 2024 (soft step).
#pragma once

#include <span>

#include "constraints/contact_particle.h"
#include "model/anchor.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

bool touches_particle(const Anchor& anchor);

struct AnchorContext {
  double h = 0;
  std::span<const Deformable> bodies;
  Particles* particles = nullptr;
  RigidBodies* rigid = nullptr;
  std::span<RigidPush> pushes;
};
// The multiplier is reset by the caller at the beginning of a substep.
void project_anchor(const AnchorContext& context, Anchor& anchor);
// `multiplier` is the impulse, kept from substep to substep; warm start applies it first.
void warm_start_anchor(const AnchorContext& context, Anchor& anchor);
void solve_anchor(const AnchorContext& context, Anchor& anchor, bool relaxing);

// Where a side is now.
Vec3 anchor_place(const AnchorContext& context, const AnchorSide& side);

}  // namespace pliant
