#include "constraints/joint_sides.h"

#include "constraints/joint.h"
#include "constraints/triangle_frame.h"
#include "math/trig.h"
#include "model/rigid_locks.h"
#include "model/rigid_turn.h"

namespace pliant {
namespace {

std::size_t particle_index(const AnchorContext& context, const AnchorSide& side, std::size_t n) {
  return std::size_t(context.bodies[std::size_t(side.deformable)].begin + side.particle[n]);
}

TriangleFrame frame_of_triangle(const AnchorContext& context, const AnchorSide& side) {
  std::array<Vec3, 3> corner{};
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    const std::size_t p = particle_index(context, side, n);
    const Vec4 &base = context.particles->base[p], &d = context.particles->d[p];
    const Vec3 place{double(base.x) + double(d.x), double(base.y) + double(d.y),
                     double(base.z) + double(d.z)};
    for (std::size_t k = 0; k < 3; ++k) corner[k] += place * double(side.corner[n][int(k)]);
  }
  return triangle_frame(corner);
}

// B_k of the n-th particle.
Mat3 turn_of(const TriangleFrame& frame, const AnchorSide& side, std::size_t n) {
  Mat3 out{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  for (std::size_t k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) out.row[i] += frame.turn[k].row[i] * double(side.corner[n][int(k)]);
  return out;
}

SideYield yield_of_particles(const AnchorContext& context, const AnchorSide& side) {
  SideYield y;
  const TriangleFrame frame = side.triangle ? frame_of_triangle(context, side) : TriangleFrame{};
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    const double w = double(context.particles->d[particle_index(context, side, n)].w);
    const double s = double(side.weight[n]);
    if (w > 0) y.moves = true;
    y.inverse_mass += w * s * s;
    if (!side.triangle) continue;
    const Mat3 b = turn_of(frame, side, n);
    for (int i = 0; i < 3; ++i) {
      y.mixed.row[i] += b.row[i] * (w * s);
      for (int j = 0; j < 3; ++j) y.inverse_inertia.row[i][j] += w * dot(b.row[i], b.row[j]);
    }
  }
  y.mixes = side.triangle;
  return y;
}

void add_to(Vec4& out, const Vec3& v) {
  out.x = Real(double(out.x) + v.x);
  out.y = Real(double(out.y) + v.y);
  out.z = Real(double(out.z) + v.z);
}

void give_particles(const AnchorContext& context, const AnchorSide& side, const Vec3& impulse,
                    const Vec3& angular) {
  std::array<Vec3, 3> force{};  // T_n^T L
  if (side.triangle) {
    const TriangleFrame frame = frame_of_triangle(context, side);
    for (std::size_t k = 0; k < 3; ++k) force[k] = transposed(frame.turn[k]) * angular;
  }
  for (std::size_t n = 0; n < std::size_t(side.particles); ++n) {
    Vec4& d = context.particles->d[particle_index(context, side, n)];
    Vec3 all = double(side.weight[n]) * impulse;
    for (std::size_t k = 0; k < 3 && side.triangle; ++k)
      all += force[k] * double(side.corner[n][int(k)]);
    add_to(d, double(d.w) * context.h * all);
  }
}

void give_side(const JointContext& context, const AnchorSide& side, const Vec3& impulse,
               const Vec3& angular) {
  const AnchorContext& sides = context.sides;
  if (side.particles > 0) return give_particles(sides, side, impulse, angular);
  if (side.rigid < 0) return;
  const SideYield y = yield_of_side(sides, side);
  if (!y.moves) return;
  const Vec3 dv = moved_by(y, impulse, angular), dw = turned_by(y, impulse, angular);
  if (sides.pushes.empty()) return give_velocity(sides, side, dv, dw);
  RigidPush& push = sides.pushes[std::size_t(side.rigid)];
  const Vec3R moved = cast<Real>(sides.h * dv), turned = cast<Real>(sides.h * dw);
  push.moved += moved;
  push.gained += moved;
  push.turned += turned;
  push.gained_spin += turned;
}

JointSideFrame frame_of(const AnchorContext& context, const AnchorSide& side, const Quat& frame) {
  const Vec3 point = anchor_place(context, side);
  if (side.triangle) return {point, point, side_rotation(context, side) * frame};
  if (side.rigid < 0) return {point, point, frame};
  const std::size_t r = std::size_t(side.rigid);
  Vec3 centre = context.rigid->position[r];
  if (!context.pushes.empty()) centre += cast<double>(context.pushes[r].moved);
  return {point, centre, side_rotation(context, side) * frame};
}

const Transform& pose_of(const AnchorContext& context, std::int32_t body, PredictedPoses& poses) {
  for (std::size_t n = 0; n < PredictedPoses::k_count; ++n)
    if (poses.body[n] == body) return poses.pose[n];
  const std::size_t n = poses.next++ % PredictedPoses::k_count;
  poses.body[n] = body;
  poses.pose[n] = predicted_pose(*context.rigid, body, context.h);
  return poses.pose[n];
}

JointSideFrame predicted(const AnchorContext& context, const AnchorSide& side, const Quat& frame,
                         PredictedPoses& poses) {
  if (side.rigid < 0) return frame_of(context, side, frame);
  const Transform& pose = pose_of(context, side.rigid, poses);
  return {to_world(pose, side.point), pose.position, pose.rotation * frame};
}

JointFrames end_frames(const JointContext& context, const Joint& joint, PredictedPoses& poses) {
  if (!context.sides.pushes.empty()) return joint_frames(context.sides, joint);
  return {predicted(context.sides, joint.a, joint.frame_a, poses),
          predicted(context.sides, joint.b, joint.frame_b, poses)};
}

JointGradient sum_of(const Joint& joint, const AxisImpulses& impulse) {
  JointGradient sum;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    if (impulse[k] == 0) continue;
    sum.along += impulse[k] * joint.gradient[k].along;
    sum.about_a += impulse[k] * joint.gradient[k].about_a;
    sum.about_b += impulse[k] * joint.gradient[k].about_b;
  }
  return sum;
}

}  // namespace

bool share_particles(const AnchorSide& a, const AnchorSide& b) {
  if (a.deformable < 0 || a.deformable != b.deformable) return false;
  for (std::size_t n = 0; n < std::size_t(a.particles); ++n)
    for (std::size_t m = 0; m < std::size_t(b.particles); ++m)
      if (a.particle[n] == b.particle[m]) return true;
  return false;
}

SideYield yield_of_side(const AnchorContext& context, const AnchorSide& side) {
  if (side.particles > 0) return yield_of_particles(context, side);
  SideYield y;
  if (side.rigid < 0 || !(context.rigid->motion[std::size_t(side.rigid)].velocity.w > 0)) return y;
  const BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  const Vec4 &p = m.inverse_first, &q = m.inverse_second;
  y.moves = true;
  y.inverse_mass = double(m.velocity.w);
  y.free = cast<double>(free_axes(m));
  y.inverse_inertia = {{{double(p.x), double(p.y), double(p.z)},
                        {double(p.y), double(p.w), double(q.x)},
                        {double(p.z), double(q.x), double(q.y)}}};
  return y;
}

Quat side_rotation(const AnchorContext& context, const AnchorSide& side) {
  if (side.triangle) return frame_of_triangle(context, side).axes;
  if (side.rigid < 0) return {};
  const Quat q = context.rigid->rotation[std::size_t(side.rigid)];
  if (context.pushes.empty()) return q;
  const RigidPush& push = context.pushes[std::size_t(side.rigid)];
  if (push.turned == Vec3R{}) return q;
  return normalized(exp_quat(0.5 * cast<double>(push.turned)) * q);
}

JointFrames joint_frames(const AnchorContext& context, const Joint& joint) {
  return {frame_of(context, joint.a, joint.frame_a), frame_of(context, joint.b, joint.frame_b)};
}

JointCoordinates end_coordinates(const JointContext& context, const Joint& joint,
                                 PredictedPoses& poses) {
  JointCoordinates out = joint_coordinates(joint, end_frames(context, joint, poses));
  out[3] = joint.begin[3] + wrapped(out[3] - joint.begin[3]);
  return out;
}

SideRates side_rates(const AnchorContext& context, const Joint& joint) {
  SideRates r;
  if (joint.a.rigid >= 0) {
    const BodyMotion& m = context.rigid->motion[std::size_t(joint.a.rigid)];
    r.v_a = cast<double>(xyz(m.velocity));
    r.w_a = cast<double>(xyz(m.spin));
  }
  if (joint.b.rigid >= 0) {
    const BodyMotion& m = context.rigid->motion[std::size_t(joint.b.rigid)];
    r.v_b = cast<double>(xyz(m.velocity));
    r.w_b = cast<double>(xyz(m.spin));
  }
  return r;
}

void give_velocity(const AnchorContext& context, const AnchorSide& side, const Vec3& dv,
                   const Vec3& dw) {
  BodyMotion& m = context.rigid->motion[std::size_t(side.rigid)];
  add_to(m.velocity, dv);
  add_to(m.spin, dw);
}

void give(const JointContext& context, const Joint& joint, const AxisImpulses& impulse) {
  const JointGradient sum = sum_of(joint, impulse);
  give_side(context, joint.b, sum.along, sum.about_b);
  give_side(context, joint.a, -sum.along, -sum.about_a);
}

}  // namespace pliant
