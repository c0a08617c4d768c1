#include "solver/sleep.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// How far the farthest point of a body has gone from its resting pose, as a bound.
double rigid_travel(const RigidBodies& rigid, std::size_t i) {
  const BodyRest& rest = rigid.rest[i];
  const Quat turn = rigid.rotation[i] * conjugate(rest.pose.rotation);
  const double sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  const ShapeNumbers<Real>& s = rigid.shape[i];
  const double radius = double(length(s.half)) + double(s.radius);
  return length(rigid.position[i] - rest.pose.position) + 2 * sine * radius;
}

void advance_rigid(RigidBodies& rigid, double dt, double distance) {
  for (const std::int32_t n : rigid.movable) {
    const std::size_t i = std::size_t(n);
    if (!rigid.dynamic(n) || !rigid.awake[i]) continue;
    BodyRest& rest = rigid.rest[i];
    if (rigid_travel(rigid, i) > distance) {
      rest.pose = {rigid.position[i], rigid.rotation[i]};
      rest.still = 0;
    } else {
      rest.still += dt;
    }
  }
}

void advance_deformable(Particles& particles, Deformable& body, double dt, double distance) {
  const double limit = distance * distance;
  const auto begin = std::size_t(body.begin), end = begin + std::size_t(body.count);
  bool left = false;
  for (std::size_t p = begin; p < end && !left; ++p) {
    const Vec3 moved{
        double(particles.base[p].x) - double(particles.settled[p].x) + double(particles.d[p].x),
        double(particles.base[p].y) - double(particles.settled[p].y) + double(particles.d[p].y),
        double(particles.base[p].z) - double(particles.settled[p].z) + double(particles.d[p].z)};
    left = length_sq(moved) > limit;
  }
  if (!left) {
    body.still += dt;
    return;
  }
  body.still = 0;
  for (std::size_t p = begin; p < end; ++p)
    particles.settled[p] = {particles.base[p].x + particles.d[p].x,
                            particles.base[p].y + particles.d[p].y,
                            particles.base[p].z + particles.d[p].z, 0};
}

std::int32_t root(std::vector<std::int32_t>& parent, std::int32_t n) {
  while (parent[std::size_t(n)] != n) {
    parent[std::size_t(n)] = parent[std::size_t(parent[std::size_t(n)])];
    n = parent[std::size_t(n)];
  }
  return n;
}

// Static, kinematic and frozen bodies do not join islands; a moving kinematic one keeps its
// neighbours awake.
bool joins(const State& state, std::int32_t node) {
  const std::int32_t rigid_count = state.rigid.size();
  return node >= rigid_count ? !state.deformables[std::size_t(node - rigid_count)].frozen
                             : state.rigid.dynamic(node);
}
bool drives(const State& state, std::int32_t node) {
  if (node >= state.rigid.size() || state.rigid.kind[std::size_t(node)] != Motion::kinematic)
    return false;
  const BodyMotion& m = state.rigid.motion[std::size_t(node)];
  return xyz(m.velocity) != Vec3R{} || xyz(m.spin) != Vec3R{};
}

// All that may join an island, rising.
template <class Visit>
void each_node(const State& state, const Visit& visit) {
  for (const std::int32_t n : state.rigid.movable) visit(n);
  for (std::size_t n = 0; n < state.deformables.size(); ++n)
    visit(state.rigid.size() + std::int32_t(n));
}

void build_islands(State& state, IslandScratch& scratch) {
  const std::size_t nodes = std::size_t(state.rigid.size()) + state.deformables.size();
  scratch.parent.resize(nodes);
  scratch.restless.resize(nodes);
  each_node(state, [&](std::int32_t n) {
    scratch.parent[std::size_t(n)] = n;
    scratch.restless[std::size_t(n)] = 0;
  });
  for (const IslandEdge& e : scratch.edges) {
    if (!joins(state, e.a) || !joins(state, e.b)) continue;
    const std::int32_t a = root(scratch.parent, e.a), b = root(scratch.parent, e.b);
    scratch.parent[std::size_t(std::max(a, b))] = std::min(a, b);
  }
  for (const IslandEdge& e : scratch.edges) {
    if (drives(state, e.a) && joins(state, e.b))
      scratch.restless[std::size_t(root(scratch.parent, e.b))] = 1;
    if (drives(state, e.b) && joins(state, e.a))
      scratch.restless[std::size_t(root(scratch.parent, e.a))] = 1;
  }
}

bool has_moving_pin(const Deformable& body) {
  for (const Pin& pin : body.pin_paths)
    if (pin.path.size() > 1) return true;
  return false;
}

bool is_folding(const Deformable& body, double time) {
  for (const Fold& fold : body.folds)
    if (time < fold.begin + fold.duration + k_time_to_sleep) return true;
  return false;
}

// Threads are still being drawn in.
bool is_closing(const State& state, std::int32_t deformable) {
  for (const Seam& seam : state.seams)
    for (const Stitch& s : seam.stitches)
      if (seam.deformable == deformable && s.state == Stitch::State::open && s.gap > 0) return true;
  return false;
}

bool may_sleep(const State& state, std::int32_t node) {
  const std::int32_t rigid_count = state.rigid.size();
  if (node < rigid_count)
    return state.rigid.can_sleep[std::size_t(node)] &&
           state.rigid.rest[std::size_t(node)].still >= k_time_to_sleep;
  const Deformable& body = state.deformables[std::size_t(node - rigid_count)];
  const bool in_wind = body.wind_drag > 0 && (state.wind != Vec3{} || state.air != Vec3{});
  return body.allow_sleep && !in_wind && !has_moving_pin(body) && !is_folding(body, state.time) &&
         body.still >= k_time_to_sleep && !is_closing(state, node - rigid_count);
}

bool is_awake(const State& state, std::int32_t node) {
  const std::int32_t rigid_count = state.rigid.size();
  return node < rigid_count ? state.rigid.awake[std::size_t(node)] != 0
                            : state.deformables[std::size_t(node - rigid_count)].awake;
}

void put_to_sleep(State& state, std::int32_t node, std::int32_t island, IslandScratch& scratch) {
  const std::int32_t rigid_count = state.rigid.size();
  scratch.changed.push_back(node);
  if (node < rigid_count) {
    const std::size_t i = std::size_t(node);
    state.rigid.awake[i] = 0;
    state.rigid.island[i] = island;
    BodyMotion& m = state.rigid.motion[i];
    m.velocity = {0, 0, 0, m.velocity.w};
    m.spin = {0, 0, 0, 0};
    return;
  }
  Deformable& body = state.deformables[std::size_t(node - rigid_count)];
  body.awake = false;
  body.island = island;
  for (std::int32_t p = body.begin; p < body.begin + body.count; ++p)
    state.particles.velocity[std::size_t(p)] = {};
}

}  // namespace

void update_sleep(State& state, double dt, double distance, bool enabled, IslandScratch& scratch) {
  scratch.changed.clear();
  if (!enabled) return;
  advance_rigid(state.rigid, dt, distance);
  for (Deformable& body : state.deformables)
    if (body.awake && !body.frozen) advance_deformable(state.particles, body, dt, distance);
  build_islands(state, scratch);
  each_node(state, [&](std::int32_t n) {
    if (joins(state, n) && is_awake(state, n) && !may_sleep(state, n))
      scratch.restless[std::size_t(root(scratch.parent, n))] = 1;
  });
  // The island's number is the key of its first body: creation order, so other islands do not
  // change it.
  each_node(state, [&](std::int32_t n) {
    if (!joins(state, n) || !is_awake(state, n)) return;
    const std::int32_t r = root(scratch.parent, n);
    if (scratch.restless[std::size_t(r)]) return;
    const std::uint32_t key = r < state.rigid.size()
                                  ? state.rigid.key[std::size_t(r)]
                                  : state.deformables[std::size_t(r - state.rigid.size())].key;
    put_to_sleep(state, n, std::int32_t(key), scratch);
  });
}

void wake(State& state, std::int32_t node, std::vector<std::int32_t>& woken) {
  if (is_awake(state, node)) return;
  const std::int32_t rigid_count = state.rigid.size();
  if (node < rigid_count && state.rigid.removed[std::size_t(node)]) return;
  const std::int32_t island = node < rigid_count
                                  ? state.rigid.island[std::size_t(node)]
                                  : state.deformables[std::size_t(node - rigid_count)].island;
  for (const std::int32_t i : state.rigid.movable) {
    const std::size_t n = std::size_t(i);
    if (state.rigid.awake[n] || state.rigid.island[n] != island) continue;
    state.rigid.awake[n] = 1;
    state.rigid.rest[n].still = 0;
    woken.push_back(i);
  }
  for (std::size_t n = 0; n < state.deformables.size(); ++n) {
    Deformable& body = state.deformables[n];
    if (body.awake || body.frozen || body.island != island) continue;
    body.awake = true;
    body.still = 0;
    woken.push_back(rigid_count + std::int32_t(n));
  }
}

}  // namespace pliant
