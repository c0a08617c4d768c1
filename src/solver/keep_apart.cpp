#include "solver/keep_apart.h"

#include <algorithm>
#include <limits>

#include "math/wide.h"
#include "narrowphase/deformable_refresh.h"
#include "narrowphase/surface_points.h"

namespace pliant {
namespace {

constexpr Real k_lost = Real(1.8);     // of the greatest depth
constexpr Real k_allowed = Real(0.9);  // of the way to the greatest depth
constexpr double k_lost_speed = 0.25;  // of the speed that a body could not realise, per substep
constexpr int k_rounds = 8;  // of shortening in proportion; then what is left stands still

Vec3R lane(const Vec3W& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

// How deep the mid-surface may come into a shape: halfway to where its distance would turn round.
// Less deep the contact pushes it out.
Real deepest_in(const ShapeNumbers<Real>& shape) {
  if (shape.kind == ShapeKind::half_space) return std::numeric_limits<Real>::max();
  return Real(std::min(deepest_inside(widen_numbers(shape)), 1e30));
}

// Of two deformables: a part of a cell, where one is open; what is closed knows its inside.
Real deepest_in(const Deformable& a, const Deformable& b) {
  if (a.surface.closed && b.surface.closed) return std::numeric_limits<Real>::max();
  return Real(0.25 * std::min(a.cell, b.cell));
}

Real deepest_of(const ContactPair& pair, std::span<const Deformable> bodies,
                const RigidBodies& rigid) {
  if (pair.rigid >= 0) return deepest_in(rigid.shape[std::size_t(pair.rigid)]);
  return deepest_in(bodies[std::size_t(pair.body)], bodies[std::size_t(pair.other)]);
}

// How much nearer the two sides may come.
Real may_approach(Real separation, Real deepest) {
  return std::max(Real(0), k_allowed * (separation + deepest));
}
// Not of what is nearly at the middle: there the normal says little.
bool is_guarded(Real separation, Real deepest) { return separation > -k_lost * deepest; }

// m, of a rigid body's fastest point in this substep: along, and twice the half angle of the turn.
Real rigid_way(const ApartContext& context, const RigidBodies& rigid, std::size_t r) {
  const BodyBase& from = context.rigid_before[r];
  const Quat &a = from.rotation, &b = rigid.rotation[r];
  const Quat turn = b * conjugate(a);
  const double angle = 2.5 * std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  const ShapeNumbers<Real>& s = rigid.shape[r];
  return Real(length(rigid.position[r] - from.position) +
              angle * double(length(s.half) + s.radius));
}

struct TriangleSide {
  const ContactSlot* slot = nullptr;
  const ParticleContact* contact = nullptr;
};

// A contact as the guard sees it; the approach is linear in the shares.
struct Guarded {
  const std::int32_t* particle = nullptr;
  const Real* weight = nullptr;
  int particles = 0;
  std::int32_t rigid = -1;  // where it is dynamic
  Vec3R normal, rigid_motion;
  Real separation = 0, allowed = 0;        // m
  const TriangleSide* triangle = nullptr;  // where side b is a triangle against a rigid shape
};

class Guard {
 public:
  Guard(const ApartContext& context, const ContactSlots& slots, Particles& particles,
        RigidBodies& rigid, std::span<const RigidPush> pushes, ApartScratch& scratch)
      : context_(context),
        slots_(slots),
        particles_(particles),
        rigid_(rigid),
        pushes_(pushes),
        scratch_(scratch) {
    scratch_.particle_share.resize(std::size_t(particles.size()), Real(1));
    scratch_.rigid_share.resize(std::size_t(rigid.size()), Real(1));
    scratch_.particle_next.resize(std::size_t(particles.size()), Real(1));
    scratch_.rigid_next.resize(std::size_t(rigid.size()), Real(1));
  }

  int run() {
    int held = 0;
    for (int round = 0; round < 2 * k_rounds; ++round) {
      const int more = shorten(round >= k_rounds);
      held = std::max(held, more);
      if (more == 0) break;
    }
    apply();
    give_way();
    return held;
  }

 private:
  template <class Visit>
  void each(const Visit& visit) const {
    const Real one = 1;
    for (const VertexBatch& b : slots_.batches) {
      if (!b.live) continue;
      const ContactPair& pair = slots_.pairs[std::size_t(b.pair)];
      const Real deepest = deepest_in(rigid_.shape[std::size_t(pair.rigid)]);
      for (int k = 0; k < b.lanes; ++k) {
        const Real s = b.gap[k] + pair.thickness;
        if (!is_guarded(s, deepest)) continue;
        visit(pair, Guarded{&b.particle[std::size_t(k)], &one, 1, pair.dynamic ? pair.rigid : -1,
                            lane(b.normal, k),
                            point_motion(pair, lane(b.rigid_motion, k), lane(b.arm, k)), s,
                            may_approach(s, deepest), nullptr});
      }
    }
    for (const std::int32_t n : slots_.coloured) {
      const ParticleContact& c = slots_.contacts[std::size_t(n)];
      const ContactPair& pair = slots_.pairs[std::size_t(c.pair)];
      const Real s = c.gap + pair.thickness;
      const Real deepest = deepest_of(pair, context_.bodies, rigid_);
      if (!is_guarded(s, deepest)) continue;
      const TriangleSide side{&slots_.slots[std::size_t(n)], &c};
      const bool is_triangle = side.slot->kind == ContactKind::triangle_rigid && c.turns;
      visit(pair, Guarded{c.particle.data(), c.weight.data(), c.particles, c.rigid, c.first_normal,
                          point_motion(pair, c.rigid_motion, c.arm), s, may_approach(s, deepest),
                          is_triangle ? &side : nullptr});
    }
  }

  Vec3R point_motion(const ContactPair& pair, const Vec3R& predicted, const Vec3R& arm) const {
    if (!pair.dynamic) return predicted;
    const RigidPush& push = pushes_[std::size_t(pair.rigid)];
    return predicted + push.moved + cross(push.turned, arm);
  }

  Transform before(std::int32_t i) const {
    const BodyBase& from = context_.rigid_before[std::size_t(i)];
    return {from.position, from.rotation};
  }

  Vec3 place_before(const Stencil& s) const {
    Vec3 sum;
    for (std::size_t n = 0; n < std::size_t(s.count); ++n) {
      const std::size_t p = std::size_t(s.particle[n]);
      sum += place(particles_.base[p], context_.begin[p]) * double(s.weight[n]);
    }
    return sum;
  }

  Vec3 place_now(const Stencil& s) const {
    Vec3 sum;
    for (std::size_t n = 0; n < std::size_t(s.count); ++n) {
      const std::size_t p = std::size_t(s.particle[n]);
      const double share = double(scratch_.particle_share[p]);
      const Vec3 from = place(particles_.base[p], context_.begin[p]);
      const Vec3 to = place(particles_.base[p], particles_.d[p]);
      sum += (from + share * (to - from)) * double(s.weight[n]);
    }
    return sum;
  }

  Transform pose_now(std::int32_t i) const {
    const std::size_t r = std::size_t(i);
    const BodyBase& from = context_.rigid_before[r];
    const double share = double(scratch_.rigid_share[r]);
    if (share == 1) return {rigid_.position[r], rigid_.rotation[r]};
    return {from.position + share * (rigid_.position[r] - from.position),
            part_way(from.rotation, rigid_.rotation[r], share)};
  }

  // A triangle that turns about its contact point may come nearer elsewhere, so its distance is
  // taken anew.
  Real triangle_approach(const ContactPair& pair, const Guarded& g) const {
    const Deformable& body = context_.bodies[std::size_t(pair.body)];
    const Triangle& t = body.surface.triangles[std::size_t(g.triangle->slot->feature)];
    std::array<Vec3, 3> corner, corner_before;
    for (std::size_t k = 0; k < 3; ++k) {
      const Stencil vertex = vertex_stencil(body, t[k]);
      corner[k] = place_now(vertex);
      corner_before[k] = place_before(vertex);
    }
    const Transform pose = pose_now(pair.rigid);
    TriangleMeeting now = meet_triangle(rigid_.shape[std::size_t(pair.rigid)], pose, corner,
                                        g.triangle->slot->weights);
    if (dot(now.normal, g.normal) < k_same_side)
      now = meet_plane(before(pair.rigid), pose, body.surface.closed, corner_before, corner,
                       *g.triangle->contact, double(g.separation));
    return g.separation - Real(now.distance);
  }

  // How much nearer the two sides come with the present shares.
  Real approach(const ContactPair& pair, const Guarded& g) const {
    return g.triangle != nullptr ? triangle_approach(pair, g) : point_approach(g);
  }
  Real point_approach(const Guarded& g) const {
    Real sum = rigid_approach(g);
    for (int n = 0; n < g.particles; ++n) sum += particle_approach(g, n);
    return sum;
  }
  Real rigid_approach(const Guarded& g) const {
    const Real share = g.rigid >= 0 ? scratch_.rigid_share[std::size_t(g.rigid)] : Real(1);
    return share * dot(g.normal, g.rigid_motion);
  }
  Real particle_approach(const Guarded& g, int n) const {
    const std::size_t p = std::size_t(g.particle[n]);
    const Vec3R moved = xyz(particles_.d[p]) - xyz(context_.begin[p]);
    return -scratch_.particle_share[p] * g.weight[n] * dot(g.normal, moved);
  }

  // One round: every contact that comes too near shortens the ways of those of its sides alike that
  // bring them nearer. What flees keeps its way: a ball that the cloth around it chases would else
  // hang in the air for ever. Returns how many such contacts there were.
  int shorten(bool stop) {
    int held = 0;
    each([&](const ContactPair& pair, const Guarded& g) {
      const Real nearer = approach(pair, g);
      if (nearer <= g.allowed) return;
      ++held;
      // All corners of a triangle count: any of them may turn it inwards.
      const auto nears = [&](int n) {
        return g.triangle != nullptr || particle_approach(g, n) > 0;
      };
      const bool rigid_nears = rigid_approach(g) > 0 || (stop && g.triangle != nullptr);
      Real away = rigid_nears ? Real(0) : -rigid_approach(g);
      for (int n = 0; n < g.particles; ++n)
        if (!nears(n)) away -= particle_approach(g, n);
      const Real factor = stop ? Real(0) : (g.allowed + away) / (nearer + away);
      for (int n = 0; n < g.particles; ++n) {
        if (!nears(n)) continue;
        const std::size_t p = std::size_t(g.particle[n]);
        if (scratch_.particle_next[p] == 1) scratch_.particles.push_back(g.particle[n]);
        scratch_.particle_next[p] =
            std::min(scratch_.particle_next[p], scratch_.particle_share[p] * factor);
      }
      if (g.rigid < 0 || !rigid_nears) return;
      const std::size_t r = std::size_t(g.rigid);
      if (scratch_.rigid_next[r] == 1) scratch_.bodies.push_back(g.rigid);
      scratch_.rigid_next[r] = std::min(scratch_.rigid_next[r], scratch_.rigid_share[r] * factor);
    });
    for (const std::int32_t p : scratch_.particles)
      scratch_.particle_share[std::size_t(p)] = scratch_.particle_next[std::size_t(p)];
    for (const std::int32_t r : scratch_.bodies)
      scratch_.rigid_share[std::size_t(r)] = scratch_.rigid_next[std::size_t(r)];
    return held;
  }

  void apply() {
    for (const std::int32_t p : scratch_.particles) {
      const std::size_t n = std::size_t(p);
      Vec4& d = particles_.d[n];
      if (d.w > 0) {
        const Real share = scratch_.particle_share[n];
        const Vec4& from = context_.begin[n];
        d = {from.x + share * (d.x - from.x), from.y + share * (d.y - from.y),
             from.z + share * (d.z - from.z), d.w};
      }
      scratch_.particle_share[n] = scratch_.particle_next[n] = 1;
    }
    for (const std::int32_t i : scratch_.bodies) {
      const std::size_t r = std::size_t(i);
      const double share = double(scratch_.rigid_share[r]);
      const BodyBase& from = context_.rigid_before[r];
      const Vec3 way = rigid_.position[r] - from.position;
      rigid_.position[r] = from.position + share * way;
      const Vec3 turn = turn_between(from.rotation, rigid_.rotation[r]);
      slow_down(rigid_.motion[r], (1 - share) * way, (1 - share) * turn);
      rigid_.rotation[r] = part_way(from.rotation, rigid_.rotation[r], share);
      refresh_body(rigid_, i);
      scratch_.rigid_share[r] = scratch_.rigid_next[r] = 1;
    }
    scratch_.particles.clear();
    scratch_.bodies.clear();
  }

  // A load that a cloth is too light to stop must not gather speed or spin while it is held.
  void slow_down(BodyMotion& m, const Vec3& lost, const Vec3& lost_turn) const {
    const Vec3R change = cast<Real>(lost * (k_lost_speed / context_.h));
    const Vec3R spin = cast<Real>(lost_turn * (k_lost_speed / context_.h));
    m.velocity = {m.velocity.x - change.x, m.velocity.y - change.y, m.velocity.z - change.z,
                  m.velocity.w};
    m.spin = {m.spin.x - spin.x, m.spin.y - spin.y, m.spin.z - spin.z, m.spin.w};
  }

  // The small turn from a to b, as a vector.
  static Vec3 turn_between(const Quat& a, const Quat& b) {
    const Quat q = b * conjugate(a);
    return Vec3{q.x, q.y, q.z} * (q.w < 0 ? -2.0 : 2.0);
  }

  // The turn of a substep is small: the chord is as good as the arc.
  static Quat part_way(const Quat& a, const Quat& b, double t) {
    const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
    const auto mix = [&](double p, double q) { return p + t * (sign * q - p); };
    return normalized(Quat{mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z), mix(a.w, b.w)});
  }

  // Before what is moved by the user particles cannot stand still: they are taken along.
  void give_way() {
    each([&](const ContactPair& pair, const Guarded& g) {
      if (!pair.moves || pair.dynamic) return;
      const Real missing = approach(pair, g) - g.allowed;
      Real weight = 0;
      for (int n = 0; n < g.particles; ++n)
        weight += particles_.d[std::size_t(g.particle[n])].w > 0 ? g.weight[n] * g.weight[n] : 0;
      if (missing <= 0 || weight <= 0) return;
      for (int n = 0; n < g.particles; ++n) {
        Vec4& d = particles_.d[std::size_t(g.particle[n])];
        if (!(d.w > 0)) continue;
        const Vec3R step = (missing * g.weight[n] / weight) * g.normal;
        d = {d.x + step.x, d.y + step.y, d.z + step.z, d.w};
      }
    });
  }

  const ApartContext& context_;
  const ContactSlots& slots_;
  Particles& particles_;
  RigidBodies& rigid_;
  std::span<const RigidPush> pushes_;
  ApartScratch& scratch_;
};

}  // namespace

bool comes_too_near(std::span<const Deformable> bodies, const ContactSlots& slots,
                    const Particles& particles, const RigidBodies& rigid,
                    std::span<const RigidPush> pushes, std::span<std::uint8_t> groups) {
  std::fill(groups.begin(), groups.end(), std::uint8_t(0));
  bool any_near = false;
  const auto note = [&](const ContactPair& pair) {
    groups[std::size_t(pair.group)] = 1;
    any_near = true;
  };
  for (const VertexBatch& b : slots.batches) {
    if (!b.live) continue;
    const ContactPair& pair = slots.pairs[std::size_t(b.pair)];
    RealW gap = b.offset + dot(b.normal, gather(particles.d.data(), b.particle.data()).xyz());
    if (pair.dynamic) {
      const RigidPush& push = pushes[std::size_t(pair.rigid)];
      const Vec3W moved{splat(push.moved.x), splat(push.moved.y), splat(push.moved.z)};
      const Vec3W turned{splat(push.turned.x), splat(push.turned.y), splat(push.turned.z)};
      gap -= dot(b.normal, moved + cross(turned, b.arm));
    }
    const Real deepest = deepest_in(rigid.shape[std::size_t(pair.rigid)]);
    const RealW s = b.gap + pair.thickness;
    const RealW allowed = max((s + deepest) * k_allowed, splat(0));
    const MaskW near = (b.gap - gap > allowed) & (s > -k_lost * deepest);
    if ((lane_bits(near) & ((1u << b.lanes) - 1)) != 0) note(pair);
  }
  for (const std::int32_t n : slots.coloured) {
    const ParticleContact& c = slots.contacts[std::size_t(n)];
    const ContactPair& pair = slots.pairs[std::size_t(c.pair)];
    const Real s = c.gap + pair.thickness;
    const Real deepest = deepest_of(pair, bodies, rigid);
    if (deepest == std::numeric_limits<Real>::max()) continue;  // may come as near as it likes
    if (is_guarded(s, deepest) && c.gap - gap_now(c, particles, pushes) > may_approach(s, deepest))
      note(pair);
  }
  return any_near;
}

bool turns_far(const ApartContext& context, const ContactSlots& slots, const Particles& particles,
               const RigidBodies& rigid) {
  return std::any_of(slots.coloured.begin(), slots.coloured.end(), [&](std::int32_t n) {
    const ParticleContact& c = slots.contacts[std::size_t(n)];
    if (!c.turns) return false;
    const ContactPair& pair = slots.pairs[std::size_t(c.pair)];
    // No point of a triangle goes further than its fastest corner.
    Real way = 0;
    for (int k = 0; k < c.particles; ++k) {
      const std::size_t p = std::size_t(c.particle[std::size_t(k)]);
      way = std::max(way, length_sq(xyz(particles.d[p]) - xyz(context.begin[p])));
    }
    const Real most = std::sqrt(way) + rigid_way(context, rigid, std::size_t(pair.rigid));
    const Real deepest = deepest_in(rigid.shape[std::size_t(pair.rigid)]);
    return most + pair.thickness > may_approach(c.gap + pair.thickness, deepest);
  });
}

int keep_apart(const ApartContext& context, const ContactSlots& slots, Particles& particles,
               RigidBodies& rigid, std::span<const RigidPush> pushes, ApartScratch& scratch) {
  return Guard(context, slots, particles, rigid, pushes, scratch).run();
}

}  // namespace pliant
