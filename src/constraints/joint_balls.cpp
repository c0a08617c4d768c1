#include "constraints/joint_balls.h"

#include <algorithm>

#include "constraints/joint_rows.h"
#include "model/rigid_locks.h"
#include "model/rigid_turn.h"

namespace pliant {
namespace {

struct Body {
  double inverse_mass = 0;  // 0: it does not yield
  Vec3 free{1, 1, 1};       // 0 along locked axes
  Mat3 inverse_inertia;
  Vec3 velocity, spin;
  Transform pose;  // at the beginning of the substep, or as predicted
};
struct Link {
  Vec3 r_a, r_b;  // m, from the centres to the point
  Mat3 axes;      // rows: along the offsets
  Vec3 begin;     // m, offsets when the substep began
  double softness = 0;
  Vec3 impulse;  // N s, on side b
  Vec3 x;        // right side, then solution
};
struct Block {
  bool used = false;
  Mat3 value;  // K, then L; D^-1 on the diagonal
};

// A group and the memory for its solution, one for each thread.
struct System {
  BallGroup* group = nullptr;
  std::vector<Body> bodies;
  std::vector<Link> links;
  std::vector<Block> blocks;
  std::vector<Mat3> row;  // L D of the row that is being eliminated

  std::size_t count() const { return group->links.size(); }
  const BallGroup::Link& known(std::size_t n) const { return group->links[n]; }
  Body& body(std::int32_t n) { return bodies[std::size_t(n)]; }
  std::size_t first(std::size_t row_number) const { return std::size_t(group->first[row_number]); }
  Block& block(std::size_t row_number, std::size_t column) {
    return blocks[std::size_t(group->start[row_number]) + column - first(row_number)];
  }
};
System& system_of(BallGroup& group) {
  thread_local System s;
  s.group = &group;
  s.bodies.resize(std::max(s.bodies.size(), group.bodies.size()));
  s.links.resize(std::max(s.links.size(), group.links.size()));
  s.blocks.resize(std::max(s.blocks.size(), std::size_t(group.blocks)));
  s.row.resize(s.links.size());
  return s;
}

Mat3 zero() { return {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}; }

// a b^T
Mat3 times_transposed(const Mat3& a, const Mat3& b) {
  Mat3 out;
  for (int i = 0; i < 3; ++i) out.row[i] = b * a.row[i];
  return out;
}
void subtract(Mat3& from, const Mat3& m) {
  for (int i = 0; i < 3; ++i) from.row[i] -= m.row[i];
}

// [r] J [s].
Mat3 lever(const Vec3& r, const Mat3& j, const Vec3& s) {
  // The rows of J [s], since J_i . (s x P) = (J_i x s) . P.
  const Vec3 p = cross(j.row[0], s), q = cross(j.row[1], s), t = cross(j.row[2], s);
  return {{t * r.y - q * r.z, p * r.z - t * r.x, q * r.x - p * r.y}};
}

// +- (w 1 - [r] J [s]), added.
void add_yield(const Body& body, const Vec3& r, const Vec3& s, double sign, Mat3& out) {
  const Mat3 turned = lever(r, body.inverse_inertia, s);
  for (int i = 0; i < 3; ++i) {
    out.row[i] -= sign * turned.row[i];
    out.row[i][i] += sign * body.inverse_mass * body.free[i];
  }
}

// --- bodies
// -------------------------------------------------------------------------------------------
void load_bodies(const JointContext& context, System& s) {
  const RigidBodies& rigid = *context.sides.rigid;
  for (std::size_t n = 0; n < s.group->bodies.size(); ++n) {
    Body& body = s.bodies[n];
    const std::size_t i = std::size_t(s.group->bodies[n]);
    const BodyMotion& m = rigid.motion[i];
    const Vec4 &p = m.inverse_first, &q = m.inverse_second;
    body.inverse_mass = std::max(double(m.velocity.w), 0.0);
    body.velocity = cast<double>(xyz(m.velocity));
    body.spin = cast<double>(xyz(m.spin));
    body.pose = {rigid.position[i], rigid.rotation[i]};
    body.free = cast<double>(free_axes(m));
    body.inverse_inertia = {{{double(p.x), double(p.y), double(p.z)},
                             {double(p.y), double(p.w), double(q.x)},
                             {double(p.z), double(q.x), double(q.y)}}};
  }
}

// The bodies have their velocities as Real, from which they are predicted.
void store_bodies(const JointContext& context, System& s) {
  for (std::size_t n = 0; n < s.group->bodies.size(); ++n) {
    Body& body = s.bodies[n];
    if (body.inverse_mass == 0) continue;
    BodyMotion& m = context.sides.rigid->motion[std::size_t(s.group->bodies[n])];
    const Vec3R v = cast<Real>(body.velocity), w = cast<Real>(body.spin);
    m.velocity = {v.x, v.y, v.z, m.velocity.w};
    m.spin = {w.x, w.y, w.z, m.spin.w};
    body.velocity = cast<double>(v);
    body.spin = cast<double>(w);
  }
}

void push(Body& body, const Vec3& r, const Vec3& impulse) {
  if (body.inverse_mass == 0) return;
  body.velocity += body.inverse_mass * scaled(body.free, impulse);
  body.spin += body.inverse_inertia * cross(r, impulse);
}

void give_impulse(System& s, std::size_t n, const Vec3& impulse) {
  const BallGroup::Link& known = s.known(n);
  if (known.b >= 0) push(s.body(known.b), s.links[n].r_b, impulse);
  if (known.a >= 0) push(s.body(known.a), s.links[n].r_a, -impulse);
}

// m/s, of the point of b against what a does to it.
Vec3 rate_of_link(System& s, std::size_t n) {
  const BallGroup::Link& known = s.known(n);
  Vec3 rate;
  if (known.b >= 0) {
    const Body& b = s.body(known.b);
    rate += b.velocity + cross(b.spin, s.links[n].r_b);
  }
  if (known.a >= 0) {
    const Body& a = s.body(known.a);
    rate -= a.velocity + cross(a.spin, s.links[n].r_a);
  }
  return rate;
}

// --- joints
// -------------------------------------------------------------------------------------------
struct LinkPlace {
  Vec3 point_a, point_b;
  Quat axes;
};
LinkPlace place_of(System& s, const BallGroup::Link& known) {
  LinkPlace p{known.point_a, known.point_b, known.frame};
  if (known.a >= 0) {
    const Transform& pose = s.body(known.a).pose;
    p.point_a = to_world(pose, known.point_a);
    p.axes = pose.rotation * known.frame;
  }
  if (known.b >= 0) p.point_b = to_world(s.body(known.b).pose, known.point_b);
  return p;
}

// Offsets, axes and arms as the bodies are.
void place_links(System& s) {
  for (std::size_t n = 0; n < s.count(); ++n) {
    const BallGroup::Link& known = s.known(n);
    Link& link = s.links[n];
    const LinkPlace p = place_of(s, known);
    link.axes = transposed(to_matrix(p.axes));
    link.begin = link.axes * (p.point_b - p.point_a);
    double yields = 0;
    if (known.a >= 0) {
      const Body& a = s.body(known.a);
      link.r_a = p.point_b - a.pose.position;
      yields += a.inverse_mass;
    }
    if (known.b >= 0) {
      const Body& b = s.body(known.b);
      link.r_b = p.point_b - b.pose.position;
      yields += b.inverse_mass;
    }
    link.softness = k_softness * yields;
  }
}

// What the joints do from the beginning.
void warm_start(System& s, Vec3 BallGroup::Link::*kept) {
  for (std::size_t n = 0; n < s.count(); ++n) {
    s.links[n].impulse = transposed(s.links[n].axes) * (s.known(n).*kept);
    give_impulse(s, n, s.links[n].impulse);
  }
}

void keep(System& s, Vec3 BallGroup::Link::*kept) {
  for (std::size_t n = 0; n < s.count(); ++n) {
    s.group->links[n].*kept = s.links[n].axes * s.links[n].impulse;
    s.group->links[n].given += s.links[n].impulse;
  }
}

// --- the system
// -------------------------------------------------------------------------------------------
// K between two joints.
Block yield_between(System& s, std::size_t m, std::size_t n) {
  const BallGroup::Link &p = s.known(m), &q = s.known(n);
  const Link &at = s.links[m], &to = s.links[n];
  Block out{m == n, zero()};
  const auto add = [&](std::int32_t body, std::int32_t other, const Vec3& r, const Vec3& t,
                       double sign) {
    if (body < 0 || body != other || s.body(body).inverse_mass == 0) return;
    out.used = true;
    add_yield(s.body(body), r, t, sign, out.value);
  };
  add(p.a, q.a, at.r_a, to.r_a, 1);
  add(p.b, q.b, at.r_b, to.r_b, 1);
  add(p.a, q.b, at.r_a, to.r_b, -1);
  add(p.b, q.a, at.r_b, to.r_a, -1);
  return out;
}

void assemble(System& s) {
  for (std::size_t m = 0; m < s.count(); ++m) {
    for (std::size_t n = s.first(m); n <= m; ++n) s.block(m, n) = yield_between(s, m, n);
    Block& own = s.block(m, m);
    for (int i = 0; i < 3; ++i) own.value.row[i][i] += s.links[m].softness;
  }
}

// S keeps the pivots well above zero, whatever holds things twice.
void factor(System& s) {
  for (std::size_t m = 0; m < s.count(); ++m) {
    const std::size_t begin = s.first(m);
    Block& own = s.block(m, m);
    for (std::size_t n = begin; n < m; ++n) {
      Block& b = s.block(m, n);
      for (std::size_t k = std::max(begin, s.first(n)); k < n; ++k) {
        if (!s.block(m, k).used || !s.block(n, k).used) continue;
        b.used = true;
        subtract(b.value, times_transposed(s.row[k], s.block(n, k).value));
      }
      if (b.used) s.row[n] = b.value;
    }
    for (std::size_t n = begin; n < m; ++n) {
      Block& b = s.block(m, n);
      if (!b.used) continue;
      b.value = times_transposed(s.row[n], s.block(n, n).value);  // D^-1 is symmetric
      subtract(own.value, times_transposed(b.value, s.row[n]));
    }
    own.value = inverse(own.value);
  }
}

// x holds the targets, then the solution.
void substitute(System& s) {
  const std::size_t count = s.count();
  for (std::size_t m = 0; m < count; ++m) {
    Vec3& x = s.links[m].x;
    x = -x;
    for (std::size_t n = s.first(m); n < m; ++n)
      if (s.block(m, n).used) x -= s.block(m, n).value * s.links[n].x;
  }
  for (std::size_t m = 0; m < count; ++m) s.links[m].x = s.block(m, m).value * s.links[m].x;
  for (std::size_t m = count; m-- > 0;)
    for (std::size_t n = s.first(m); n < m; ++n)
      if (s.block(m, n).used) s.links[n].x -= transposed(s.block(m, n).value) * s.links[m].x;
}

void solve_targets(System& s) {
  for (std::size_t n = 0; n < s.count(); ++n)
    s.links[n].x += s.links[n].softness * s.links[n].impulse;
  substitute(s);
  for (std::size_t n = 0; n < s.count(); ++n) {
    s.links[n].impulse += s.links[n].x;
    give_impulse(s, n, s.links[n].x);
  }
}

// m/s in world axes, to take back what is off already.
Vec3 taken_back(const JointContext& context, System& s, std::size_t n) {
  const Vec3 error = s.links[n].begin - s.known(n).at;
  Vec3 speed;
  for (int k = 0; k < 3; ++k)
    speed[k] = share_of_error(error[k], context.sides.h, context.push_speed);
  return transposed(s.links[n].axes) * speed;
}

// By the rates.
void aim(const JointContext& context, System& s) {
  for (std::size_t n = 0; n < s.count(); ++n)
    s.links[n].x = rate_of_link(s, n) + taken_back(context, s, n);
}

// By the poses that the velocities lead to.
void aim_exactly(const JointContext& context, System& s) {
  for (std::size_t n = 0; n < s.group->bodies.size(); ++n)
    s.bodies[n].pose = predicted_pose(*context.sides.rigid, s.group->bodies[n], context.sides.h);
  for (std::size_t n = 0; n < s.count(); ++n) {
    Link& link = s.links[n];
    const LinkPlace p = place_of(s, s.known(n));
    const Vec3 end = rotate_inverse(p.axes, p.point_b - p.point_a);
    link.x =
        transposed(link.axes) * ((end - link.begin) / context.sides.h) + taken_back(context, s, n);
  }
}

}  // namespace

bool is_ball_joint(const Joint& joint) {
  if (joint.distance || joint.turns || touches_particle(joint)) return false;
  for (std::size_t k = 0; k < k_joint_axes; ++k) {
    JointRule rule = joint.rule[k];
    if (k < 3) {
      if (rule.hold != JointRule::Hold::locked || rule.compliance > 0) return false;
      rule.hold = JointRule::Hold::none;
    }
    if (asks(rule)) return false;
  }
  return true;
}

void list_balls(JointPart part, BallGroup& group) {
  group.bodies.clear();
  group.links.clear();
  group.start.clear();
  group.first.assign(part.first.begin(), part.first.end());
  group.holds = false;
  const auto number = [&](const AnchorSide& side) {
    if (side.rigid < 0) return -1;
    const auto at = std::find(group.bodies.begin(), group.bodies.end(), side.rigid);
    if (at == group.bodies.end()) {
      group.bodies.push_back(side.rigid);
      return std::int32_t(group.bodies.size()) - 1;
    }
    return std::int32_t(at - group.bodies.begin());
  };
  group.blocks = 0;
  for (std::size_t n = 0; n < part.joints.size(); ++n) {
    const Joint& joint = part.of(n);
    BallGroup::Link& link = group.links.emplace_back();
    link.a = number(joint.a);
    link.b = number(joint.b);
    link.point_a = joint.a.point;
    link.point_b = joint.b.point;
    link.frame = joint.frame_a;
    link.at = {joint.rule[0].min, joint.rule[1].min, joint.rule[2].min};
    group.start.push_back(group.blocks);
    group.blocks += std::int32_t(n) + 1 - group.first[n];
  }
}

void take_impulses(JointPart part, BallGroup& group) {
  group.holds = true;
  for (std::size_t n = 0; n < group.links.size(); ++n) {
    BallGroup::Link& link = group.links[n];
    const JointMemory& m = part.of(n).memory;
    link.held = {m.held[0], m.held[1], m.held[2]};
    link.relaxed = {m.relaxed[0], m.relaxed[1], m.relaxed[2]};
    link.given = {};
  }
}

void return_impulses(JointPart part, BallGroup& group) {
  group.holds = false;
  for (std::size_t n = 0; n < group.links.size(); ++n) {
    const BallGroup::Link& link = group.links[n];
    Joint& joint = part.of(n);
    for (std::size_t k = 0; k < 3; ++k) {
      joint.memory.held[k] = link.held[int(k)];
      joint.memory.relaxed[k] = link.relaxed[int(k)];
    }
    joint.impulse -= link.given;
  }
}

void solve_balls(const JointContext& context, int sweeps, BallGroup& group) {
  System& s = system_of(group);
  load_bodies(context, s);
  place_links(s);
  warm_start(s, &BallGroup::Link::held);
  assemble(s);
  factor(s);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    aim(context, s);
    solve_targets(s);
    store_bodies(context, s);
    aim_exactly(context, s);
    solve_targets(s);
    store_bodies(context, s);
  }
  keep(s, &BallGroup::Link::held);
}

void relax_balls(const JointContext& context, int sweeps, BallGroup& group) {
  System& s = system_of(group);
  load_bodies(context, s);
  place_links(s);
  warm_start(s, &BallGroup::Link::relaxed);
  assemble(s);
  factor(s);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t n = 0; n < s.count(); ++n) s.links[n].x = rate_of_link(s, n);
    solve_targets(s);
  }
  store_bodies(context, s);
  keep(s, &BallGroup::Link::relaxed);
}

}  // namespace pliant
