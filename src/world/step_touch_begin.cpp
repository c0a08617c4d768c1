// Where, along which direction and how hard two things meet that begin to touch.
#include <algorithm>

#include "narrowphase/surface_points.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Places, or directions, with weights; without any weight that of the nearest.
struct MeetingPoint {
  Vec3 sum, nearest;
  double weight = 0, gap = 1e30;
  void add(const Vec3& place, double load, double separation) {
    if (load > 0) sum += load * place, weight += load;
    if (separation < gap) gap = separation, nearest = place;
  }
  Vec3 value() const { return weight > 0 ? sum / weight : nearest; }
};

template <class V>
Vec3 lane_of(const V& v, int k) {
  return {double(v.x[k]), double(v.y[k]), double(v.z[k])};
}

// A point of a manifold as it is now: on the surface of the heavier body, which the contact has
// moved less; between the two where they are alike. The arms lead to a point half way between the
// surfaces at the time of the search.
Vec3 place_now(const RigidBodies& rigid, const BoxPair& pair, const Manifold& m,
               const ManifoldPoint& p) {
  const auto material = [&](std::int32_t i, const Vec3R& arm) {
    const Vec4& q = rigid.shift[std::size_t(i)].turned;
    const Quat turned{double(q.x), double(q.y), double(q.z), double(q.w)};
    return rigid.position[std::size_t(i)] + rotate(turned, cast<double>(arm));
  };
  const Vec3 normal = cast<double>(m.normal);
  const Vec3 at_a = material(pair.a, p.arm_a), at_b = material(pair.b, p.arm_b);
  const double start = double(p.separation) - dot(normal, at_b - at_a);
  const Vec3 on_a = at_a - normal * (start / 2), on_b = at_b + normal * (start / 2);
  const double light_a = double(rigid.motion[std::size_t(pair.a)].velocity.w);
  const double light_b = double(rigid.motion[std::size_t(pair.b)].velocity.w);
  if (light_a == light_b) return (on_a + on_b) * 0.5;
  return light_a < light_b ? on_a : on_b;
}

}  // namespace

// Along `normal`, of any length; without one along the impulse.
TouchBegin touch_begin(std::uint64_t key, double speed, const Vec3& point, const Vec3& normal,
                       const Vec3& impulse) {
  const double size = length(normal), whole = length(impulse);
  const Vec3 out = size > 0 ? normal / size : whole > 0 ? impulse / whole : Vec3{0, 1, 0};
  return {key, speed, point, out, std::max(dot(impulse, out), 0.0)};
}

// Of a pair of rigid bodies, whose manifolds are [first, last).
TouchBegin World::Impl::begin_of_manifolds(std::size_t first, std::size_t last,
                                           double speed) const {
  const BoxPair& pair = state.manifolds.pairs[first];
  TouchBegin begin{pair.key, speed, {}, {}, 0};
  MeetingPoint point;
  for (std::size_t n = first; n < last; ++n) {
    const Manifold& m = state.manifolds.manifolds[n];
    const Vec3 normal = cast<double>(m.normal);
    const double along = dot(cast<double>(m.impulse), normal);
    begin.impulse += along;
    begin.normal += along * normal;
    for (int k = 0; k < m.count && m.impulse != Vec3R{}; ++k)
      point.add(place_now(state.rigid, pair, m, m.point[k]), double(m.point[k].normal_impulse),
                double(m.point[k].separation));
  }
  const double size = length(begin.normal);
  begin.normal =
      size > 0 ? begin.normal / size : cast<double>(state.manifolds.manifolds[first].normal);
  begin.point = point.value();
  return begin;
}

// Of a pair with a deformable, whose slots are those of the contact pairs [first, last); `impulse`
// acts on the body with the higher key. Its direction is not that of the contact: friction is in
// it, and what only pushes an old overlap out is not.
TouchBegin World::Impl::begin_of_slots(std::size_t first, std::size_t last, const Vec3& impulse,
                                       double speed) const {
  const ContactSlots& slots = state.slots;
  const Particles& particles = state.particles;
  MeetingPoint point, normal;
  for (std::size_t n = first; n < last; ++n) {
    const ContactPair& pair = slots.pairs[n];
    const bool higher = state.deformables[std::size_t(pair.body)].key == std::uint32_t(pair.key);
    const auto add = [&](const Vec3& at, const Vec3& out, double load, double gap) {
      point.add(at, load, gap), normal.add(higher ? out : -out, load, gap);
    };
    for (std::int32_t b = pair.batch_begin; b < pair.batch_end; ++b) {
      const VertexBatch& batch = slots.batches[std::size_t(b)];
      for (int k = 0; k < batch.lanes && batch.live; ++k) {
        const std::size_t p = std::size_t(batch.particle[std::size_t(k)]);
        add(place(particles.base[p], particles.d[p]), lane_of(batch.normal, k),
            double(batch.multiplier[k]), double(batch.gap[k]));
      }
    }
    for (std::size_t s = std::size_t(pair.slot_begin); s < std::size_t(pair.slot_end); ++s) {
      if (s >= slots.live.size() || !slots.live[s]) continue;
      const ParticleContact& c = slots.contacts[s];
      Vec3 at;
      for (std::size_t k = 0; k < std::size_t(c.particles); ++k) {
        const std::size_t p = std::size_t(c.particle[k]);
        if (c.weight[k] > 0) at += double(c.weight[k]) * place(particles.base[p], particles.d[p]);
      }
      add(at, cast<double>(c.normal), double(c.multiplier), double(c.gap));
    }
  }
  return touch_begin(slots.pairs[first].key, speed, point.value(), normal.value(), impulse);
}

}  // namespace PLIANT_ABI
}  // namespace pliant
