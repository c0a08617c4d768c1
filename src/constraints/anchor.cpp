#include "constraints/anchor.h"

#include "model/rigid_locks.h"

namespace pliant {
namespace {

// A body yields by this share along axes that are locked, so that there is something to solve.
constexpr Real k_locked_yield = Real(1e-3);

std::size_t particle_index(const AnchorContext& context, const AnchorSide& side, std::size_t n) {
  return std::size_t(context.bodies[std::size_t(side.deformable)].begin + side.particle[n]);
}

Vec3R arm_of(const AnchorContext& context, const AnchorSide& side) {
  return cast<Real>(rotate(context.rigid->rotation[std::size_t(side.rigid)], side.point));
}

bool moves(const AnchorContext& context, const AnchorSide& side) {
  return side.rigid >= 0 && context.rigid->motion[std::size_t(side.rigid)].velocity.w > 0;
}

// Adds the side's part of W: how it yields to a unit impulse along each axis.
void add_yield(const AnchorContext& context, const AnchorSide& side, Mat3R& sum) {
  Real plain = 0;
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n)
    plain +=
        context.particles->d[particle_index(context, side, n)].w * side.weight[n] * side.weight[n];
  Vec3R column[3]{}, diagonal{plain, plain, plain};
  if (moves(context, side)) {
    const BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
    for (int axis = 0; axis < 3; ++axis)
      diagonal[axis] += m.velocity.w * (free_axes(m)[axis] > 0 ? Real(1) : k_locked_yield);
    const Vec3R r = arm_of(context, side);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3R e;
      e[axis] = 1;
      column[axis] = cross(apply_inverse_inertia(m, cross(r, e)), r);
    }
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum.row[i][j] += column[j][i] + (i == j ? diagonal[i] : Real(0));
}

void push_side(const AnchorContext& context, const AnchorSide& side, const Vec3R& impulse) {
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    Vec4& d = context.particles->d[particle_index(context, side, n)];
    const Real s = d.w * side.weight[n];
    d.x += s * impulse.x;
    d.y += s * impulse.y;
    d.z += s * impulse.z;
  }
  if (!moves(context, side)) return;
  const BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  RigidPush& push = context.pushes[std::size_t(side.rigid)];
  const Vec3R moved = m.velocity.w * scaled(free_axes(m), impulse);
  const Vec3R turned = apply_inverse_inertia(m, cross(arm_of(context, side), impulse));
  push.moved += moved;
  push.gained += moved;
  push.turned += turned;
  push.gained_spin += turned;
}

void kick_side(const AnchorContext& context, const AnchorSide& side, const Vec3R& impulse) {
  if (!moves(context, side)) return;
  BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  const Vec3R dv = m.velocity.w * scaled(free_axes(m), impulse);
  const Vec3R dw = apply_inverse_inertia(m, cross(arm_of(context, side), impulse));
  m.velocity = {m.velocity.x + dv.x, m.velocity.y + dv.y, m.velocity.z + dv.z, m.velocity.w};
  m.spin = {m.spin.x + dw.x, m.spin.y + dw.y, m.spin.z + dw.z, m.spin.w};
}

Vec3R velocity_of(const AnchorContext& context, const AnchorSide& side) {
  if (side.rigid < 0) return {};
  const BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  return xyz(m.velocity) + cross(xyz(m.spin), arm_of(context, side));
}

Mat3R yield_of(const AnchorContext& context, const Anchor& anchor, Real softness) {
  Mat3R w{{{softness, 0, 0}, {0, softness, 0}, {0, 0, softness}}};
  add_yield(context, anchor.a, w);
  add_yield(context, anchor.b, w);
  return w;
}

// The change by which the multiplier gets as near to what the anchor asks for as its limit allows.
Vec3R limited(const Vec3R& multiplier, const Vec3R& change, double most) {
  const Vec3R asked = multiplier + change;
  const Real size = length(asked);
  if (!(most > 0) || !(size > Real(most))) return change;
  return asked * (Real(most) / size) - multiplier;
}

bool solvable(const Mat3R& w) { return w.row[0].x > 0 && determinant(w) > 0; }

}  // namespace

bool touches_particle(const Anchor& anchor) {
  return anchor.a.particles > 0 || anchor.b.particles > 0;
}

Vec3 anchor_place(const AnchorContext& context, const AnchorSide& side) {
  if (side.rigid >= 0) {
    const std::size_t r = std::size_t(side.rigid);
    Vec3 p = context.rigid->position[r] + rotate(context.rigid->rotation[r], side.point);
    if (!context.pushes.empty()) {
      const RigidPush& push = context.pushes[r];
      p += cast<double>(push.moved + cross(push.turned, arm_of(context, side)));
    }
    return p;
  }
  if (side.particles == 0) return side.point;
  Vec3 sum;
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    const std::size_t p = particle_index(context, side, n);
    const Vec4 &base = context.particles->base[p], &d = context.particles->d[p];
    sum += Vec3{double(base.x) + double(d.x), double(base.y) + double(d.y),
                double(base.z) + double(d.z)} *
           double(side.weight[n]);
  }
  return sum;
}

void project_anchor(const AnchorContext& context, Anchor& anchor) {
  const Real softness = Real(anchor.compliance / (context.h * context.h));
  const Mat3R w = yield_of(context, anchor, softness);
  if (!solvable(w)) return;
  const Vec3R c = cast<Real>(anchor_place(context, anchor.b) - anchor_place(context, anchor.a));
  const Vec3R change =
      limited(anchor.multiplier, inverse(w) * (-(c + softness * anchor.multiplier)),
              anchor.def.max_force * context.h * context.h);
  anchor.multiplier += change;
  push_side(context, anchor.b, change);
  push_side(context, anchor.a, -change);
}

void warm_start_anchor(const AnchorContext& context, Anchor& anchor) {
  kick_side(context, anchor.b, anchor.multiplier);
  kick_side(context, anchor.a, -anchor.multiplier);
}

void solve_anchor(const AnchorContext& context, Anchor& anchor, bool relaxing) {
  const bool soft = anchor.compliance > 0;
  const Real softness = Real(anchor.compliance / (context.h * context.h));
  const Mat3R w = yield_of(context, anchor, softness);
  if (!solvable(w)) return;
  constexpr double k_hard_share = 0.2;  // of the error, taken back in a substep
  const Real bias = Real(soft ? 1 / context.h : relaxing ? 0 : k_hard_share / context.h);
  const Vec3R c = cast<Real>(anchor_place(context, anchor.b) - anchor_place(context, anchor.a));
  const Vec3R u = velocity_of(context, anchor.b) - velocity_of(context, anchor.a);
  const Vec3R change =
      limited(anchor.multiplier, inverse(w) * (-(u + bias * c + softness * anchor.multiplier)),
              anchor.def.max_force * context.h);
  anchor.multiplier += change;
  kick_side(context, anchor.b, change);
  kick_side(context, anchor.a, -change);
}

}  // namespace pliant
