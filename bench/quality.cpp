#include "bench/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "bench/polytope.h"

namespace pliant::bench {
namespace {

bool all_finite(const std::vector<Vec3>& positions) {
  return std::all_of(positions.begin(), positions.end(), [](const Vec3& p) { return finite(p); });
}

double radius_around(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  if (const auto* b = std::get_if<Box>(&shape)) return length(b->half);
  if (const auto* c = std::get_if<Capsule>(&shape)) return c->radius + c->half_height;
  if (const auto* r = std::get_if<Rectangle>(&shape)) return std::hypot(r->half_x, r->half_z);
  double radius = 0;
  if (const auto* h = std::get_if<Hull>(&shape))
    for (const Vec3& p : h->points) radius = std::max(radius, length(p));
  if (const auto* m = std::get_if<Mesh>(&shape))
    for (const Vec3& p : m->mesh.vertices) radius = std::max(radius, length(p));
  if (radius > 0) return radius;
  return std::numeric_limits<double>::infinity();
}

double half_height(const Shape& shape) {
  if (const auto* b = std::get_if<Box>(&shape)) return b->half.y;
  return radius_around(shape);
}

void add(Overlaps& overlaps, double depth) {
  if (depth <= 0) return;
  overlaps.deepest = std::max(overlaps.deepest, depth);
  overlaps.sum += depth;
  ++overlaps.count;
}

double shortest_edge(const TetMesh& mesh) {
  double least = std::numeric_limits<double>::max();
  for (const Edge& e : unique_edges(mesh.tetrahedra)) {
    least = std::min(least,
                     length(mesh.vertices[std::size_t(e[1])] - mesh.vertices[std::size_t(e[0])]));
  }
  return least;
}

}  // namespace

RestEdges rest_edges(const ClothDef& cloth) {
  RestEdges rest{unique_edges(cloth.mesh.triangles), {}};
  for (const Edge& e : rest.edges) {
    rest.lengths.push_back(
        length(cloth.mesh.vertices[std::size_t(e[1])] - cloth.mesh.vertices[std::size_t(e[0])]));
  }
  return rest;
}

Stretch stretch_of(const RestEdges& rest, const std::vector<Vec3>& positions) {
  if (rest.edges.empty()) return {};
  double sum = 0, greatest = 0;
  for (std::size_t i = 0; i < rest.edges.size(); ++i) {
    const Edge& e = rest.edges[i];
    const double ratio =
        length(positions[std::size_t(e[1])] - positions[std::size_t(e[0])]) / rest.lengths[i];
    sum += ratio;
    greatest = std::max(greatest, ratio);
  }
  return {sum / double(rest.edges.size()), greatest};
}

double tet_volume(const TetMesh& mesh, const std::vector<Vec3>& positions) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedra) {
    sum += signed_volume(positions[std::size_t(t[0])], positions[std::size_t(t[1])],
                         positions[std::size_t(t[2])], positions[std::size_t(t[3])]);
  }
  return sum;
}

// Sweeps along x over the spheres around the bodies that move, and from each over those that do
// not; half-spaces and very large ones meet every dynamic body.
Overlaps overlaps_of(const std::vector<BodyDef>& bodies, const std::vector<Transform>& poses,
                     const std::set<std::pair<std::size_t, std::size_t>>& joined) {
  constexpr double k_large = 2;  // m
  Overlaps overlaps;
  const DepthMeter meter(bodies);
  std::vector<double> radius(bodies.size());
  std::vector<std::size_t> moving, fixed, large;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    radius[i] = radius_around(bodies[i].shape);
    if (bodies[i].motion == Motion::dynamic)
      moving.push_back(i);
    else
      (radius[i] > k_large ? large : fixed).push_back(i);
  }
  const auto low = [&](std::size_t i) { return poses[i].position.x - radius[i]; };
  const auto by_low = [&](std::size_t a, std::size_t b) {
    return low(a) != low(b) ? low(a) < low(b) : a < b;
  };
  std::sort(moving.begin(), moving.end(), by_low);
  std::sort(fixed.begin(), fixed.end(), by_low);
  const auto test = [&](std::size_t a, std::size_t b) {
    const double reach = radius[a] + radius[b];
    if (length_sq(poses[b].position - poses[a].position) > reach * reach) return;
    if (joined.count({std::min(a, b), std::max(a, b)}) == 0)
      add(overlaps, meter.depth(a, poses[a], b, poses[b]));
  };
  for (std::size_t s = 0; s < moving.size(); ++s) {
    const std::size_t a = moving[s];
    const double high = poses[a].position.x + radius[a];
    for (const std::size_t b : large) test(a, b);
    for (std::size_t t = s + 1; t < moving.size() && low(moving[t]) <= high; ++t)
      test(a, moving[t]);
    const double first = low(a) - 2 * k_large;
    const auto begin = std::lower_bound(fixed.begin(), fixed.end(), first,
                                        [&](std::size_t i, double x) { return low(i) < x; });
    for (auto b = begin; b != fixed.end() && low(*b) <= high; ++b) test(a, *b);
  }
  return overlaps;
}

namespace {

bool in_place(const std::vector<BodyDef>& bodies, const std::vector<Transform>& poses) {
  double top = 0, top_before = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].motion != Motion::dynamic) continue;
    const double moved = length(poses[i].position - bodies[i].position);
    if (!(moved <= half_height(bodies[i].shape))) return false;
    top = std::max(top, poses[i].position.y);
    top_before = std::max(top_before, bodies[i].position.y);
  }
  return top >= 0.97 * top_before;
}

// The walls are the fixed boxes; a body has left when its centre is beyond all of them or below 0.
bool contained(const std::vector<BodyDef>& bodies, const std::vector<Transform>& poses) {
  Vec3 low{0, 0, 0}, high{0, 0, 0};
  for (const BodyDef& body : bodies) {
    if (body.motion != Motion::fixed || !std::holds_alternative<Box>(body.shape)) continue;
    low = min(low, body.position);
    high = max(high, body.position);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i].motion != Motion::dynamic) continue;
    const Vec3& p = poses[i].position;
    if (!(p.x > low.x && p.x < high.x && p.z > low.z && p.z < high.z && p.y > 0)) return false;
  }
  return true;
}

}  // namespace

bool standing(Standing rule, const std::vector<BodyDef>& bodies,
              const std::vector<Transform>& poses) {
  return rule == Standing::in_place ? in_place(bodies, poses) : contained(bodies, poses);
}

double sag_of(const SolidDef& solid, const std::vector<Vec3>& positions) {
  const std::vector<Vec3>& rest =
      solid.tets.vertices.empty() ? solid.mesh.vertices : solid.tets.vertices;
  double sum = 0;
  for (std::size_t i = 0; i < rest.size(); ++i)
    sum += solid.position.y + rotate(solid.rotation, rest[i]).y - positions[i].y;
  return sum / double(rest.size());
}

QualityMeter::QualityMeter(const Scene& scene, Standing rule) : scene_(scene), rule_(rule) {
  for (const BodyDef& body : scene.bodies) dynamic_bodies_ |= body.motion == Motion::dynamic;
  for (const ClothDef& cloth : scene.cloths) cloth_edges_.push_back(rest_edges(cloth));
  for (const SolidDef& solid : scene.solids) {
    rest_volumes_.push_back(tet_volume(solid.tets, solid.tets.vertices));
    cells_.push_back(shortest_edge(solid.tets));
    depths_.emplace_back(solid.tets);
  }
  solid_positions_.resize(scene.solids.size());
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) place[scene.bodies[i].name] = i;
  for (const SceneJoint& joint : scene.joints)
    if (place.count(joint.a.name) && place.count(joint.b.name))
      joined_.insert(std::minmax(place[joint.a.name], place[joint.b.name]));
}

void QualityMeter::sample(const BenchEngine& engine, bool measured) {
  if (!worst_.finite) return;
  engine.poses(poses_);
  if (!scene_.cloths.empty()) sample_cloths(engine, measured);
  if (!scene_.solids.empty()) sample_solids(engine, measured);
  if (dynamic_bodies_ && measured) sample_bodies();
}

void QualityMeter::sample_cloths(const BenchEngine& engine, bool measured) {
  for (std::size_t i = 0; i < cloth_edges_.size(); ++i) {
    engine.cloth_positions(i, positions_);
    worst_.finite &= all_finite(positions_);
    const Stretch s = stretch_of(cloth_edges_[i], positions_);
    worst_.stretch_mean_worst = std::max(worst_.stretch_mean_worst.value_or(0), s.mean);
    worst_.stretch_max_worst = std::max(worst_.stretch_max_worst.value_or(0), s.max);
    if (measured && !scene_.bodies.empty())
      worst_.cloth_deepest =
          std::max(worst_.cloth_deepest.value_or(0), deepest_in_bodies(positions_));
  }
}

void QualityMeter::sample_solids(const BenchEngine& engine, bool measured) {
  for (std::size_t i = 0; i < depths_.size(); ++i) {
    engine.solid_positions(i, solid_positions_[i]);
    worst_.finite &= all_finite(solid_positions_[i]);
    if (!worst_.finite) return;
    if (scene_.solids[i].tets.tetrahedra.empty()) return;  // springs alone have no inside
    const double ratio = tet_volume(scene_.solids[i].tets, solid_positions_[i]) / rest_volumes_[i];
    worst_.volume_min_all = std::min(worst_.volume_min_all.value_or(ratio), ratio);
    if (measured) worst_.volume_min = std::min(worst_.volume_min.value_or(ratio), ratio);
    depths_[i].update(solid_positions_[i]);
  }
  if (!measured) return;
  for (std::size_t i = 0; i < depths_.size(); ++i)
    worst_.deepest = std::max(worst_.deepest.value_or(0), deepest_vertex(i) / cells_[i]);
}

double QualityMeter::deepest_in_bodies(const std::vector<Vec3>& points) const {
  double deepest = 0;
  const Shape point = Sphere{0};
  for (const Vec3& p : points)
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
      deepest =
          std::max(deepest, shape_depth(scene_.bodies[i].shape, poses_[i], point, {p, Quat{}}));
  return deepest;
}

double QualityMeter::deepest_vertex(std::size_t solid) const {
  double deepest = deepest_in_bodies(solid_positions_[solid]);
  for (const Vec3& p : solid_positions_[solid])
    for (std::size_t other = 0; other < depths_.size(); ++other)
      if (other != solid) deepest = std::max(deepest, depths_[other].depth(p));
  return deepest;
}

void QualityMeter::sample_bodies() {
  for (const Transform& pose : poses_) worst_.finite &= finite(pose.position);
  if (!worst_.finite) return;
  const Overlaps now = overlaps_of(scene_.bodies, poses_, joined_);
  overlaps_.deepest = std::max(overlaps_.deepest, now.deepest);
  overlaps_.sum += now.sum;
  overlaps_.count += now.count;
}

Quality QualityMeter::result(const BenchEngine& engine) const {
  Quality out = worst_;
  if (!dynamic_bodies_) return out;
  std::vector<Transform> poses;
  engine.poses(poses);
  out.penetration_max = overlaps_.deepest;
  out.penetration_mean = overlaps_.count > 0 ? overlaps_.sum / double(overlaps_.count) : 0;
  out.standing = out.finite && standing(rule_, scene_.bodies, poses);
  return out;
}

}  // namespace pliant::bench
