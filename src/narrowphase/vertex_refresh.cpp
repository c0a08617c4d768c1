// The refresh of vertices against rigid shapes, eight at a time.
#include "narrowphase/deformable_refresh.h"
#include "narrowphase/shape_distance_wide.h"

namespace pliant {
namespace {

Vec3W splat3(const Vec3& v) { return {splat(Real(v.x)), splat(Real(v.y)), splat(Real(v.z))}; }

// The rigid points nearest to the vertices: their arms and how far they go in the substep.
void follow_rigid(const RefreshContext& context, std::size_t r, const FrameW& frame,
                  const Vec3W& touching, VertexBatch& b) {
  const FrameW frame_now = make_frame(context.rigid->rotation[r]);
  b.arm = to_world(frame_now, touching);
  b.rigid_motion = (b.arm - to_world(frame, touching)) +
                   splat3(context.rigid->position[r] - context.rigid_before[r].position);
}

void set_limits(const RefreshContext& context, const Vec3W& before, VertexBatch& b) {
  const RealW zero = splat(0);
  const RealW push = min(max(-b.gap, zero), splat(Real(context.push_speed * context.h)));
  b.push = push;
  b.target = min(b.gap, zero) + push;
  b.offset = b.gap - dot(b.normal, before + b.rigid_motion);
  b.multiplier = zero;
  b.rubbed = {zero, zero, zero};
}

// `frame` is that of the rigid body when the substep began.
void refresh_batch(const RefreshContext& context, const ContactPair& pair, const FrameW& frame,
                   VertexBatch& b) {
  const std::size_t r = std::size_t(pair.rigid);
  const RigidBodies& rigid = *context.rigid;
  const BodyBase& pose = context.rigid_before[r];
  const Vec3W before = gather(context.particles->d_before.data(), b.particle.data()).xyz();
  const Vec3W now = gather(context.particles->d.data(), b.particle.data()).xyz();
  Vec3W place = b.from + before;
  if (pair.moves) place = place - splat3(pose.position - rigid.base[r].position);
  const Vec3W local = to_local(frame, place);
  Vec3W gradient;
  const RealW distance = signed_distance(rigid.shape[r], local, gradient);
  b.normal = to_world(frame, gradient);
  b.gap = distance - pair.thickness;
  if (pair.moves)
    follow_rigid(context, r, frame, local - gradient * distance, b);
  else
    b.rigid_motion = {splat(0), splat(0), splat(0)};
  const Vec3W motion = now - before - b.rigid_motion;
  const RealW closing = dot(b.normal, motion);
  const RealW ahead = b.gap + closing;
  const unsigned used = (1u << b.lanes) - 1;
  const MaskW near = ahead < Real(context.margin) + sqrt(dot(motion, motion));
  b.live = (lane_bits(near) & used) != 0;
  if (!b.live) return;
  set_limits(context, before, b);
  const Vec3W velocity = gather(context.particles->velocity.data(), b.particle.data()).xyz();
  b.approach = dot(b.normal, velocity - b.rigid_motion * splat(Real(1 / context.h)));
}

}  // namespace

RealW lane_distances(const ShapeNumbers<Real>& shape, const Vec3W& p, Vec3W& gradient) {
  RealW distance{};
  for (int k = 0; k < k_lanes; ++k) {
    Vec3T<Real> g;
    distance[k] = signed_distance(shape, Vec3T<Real>{p.x[k], p.y[k], p.z[k]}, g);
    gradient.x[k] = g.x;
    gradient.y[k] = g.y;
    gradient.z[k] = g.z;
  }
  return distance;
}

void refresh_batches(const RefreshContext& context, std::span<const ContactPair> pairs,
                     std::span<VertexBatch> batches) {
  FrameW frame;
  std::int32_t framed = -1;
  for (VertexBatch& b : batches) {
    const ContactPair& pair = pairs[std::size_t(b.pair)];
    if (b.pair != framed)
      frame = make_frame(context.rigid_before[std::size_t(pair.rigid)].rotation);
    framed = b.pair;
    refresh_batch(context, pair, frame, b);
  }
}

}  // namespace pliant
