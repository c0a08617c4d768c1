#include "bench/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/depth.h"

namespace pliant::bench {
namespace {

constexpr double k_flat = 1e-9;  // m

void add_plane(Polytope& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 across = cross(b - a, c - a);
  const double size = length(across);
  if (size < k_flat * k_flat) return;
  const Polytope::Plane plane{across / size, dot(across / size, a)};
  for (const Polytope::Plane& other : p.planes)
    if (length(other.normal - plane.normal) < 1e-6) return;
  p.planes.push_back(plane);
}

// Planes through three points that have no point outside.
void find_planes(Polytope& p) {
  const std::vector<Vec3>& x = p.corners;
  for (const Vec3& a : x)
    for (const Vec3& b : x)
      for (const Vec3& c : x) {
        const Vec3 n = cross(b - a, c - a);
        if (length(n) < k_flat) continue;
        const bool outer = std::all_of(
            x.begin(), x.end(), [&](const Vec3& q) { return dot(n, q - a) <= 1e-7 * length(n); });
        if (outer) add_plane(p, a, b, c);
      }
}

// Those in the plane, counterclockwise as seen from outside.
std::vector<std::int32_t> corners_of(const Polytope& p, const Polytope::Plane& plane) {
  std::vector<std::int32_t> face;
  Vec3 middle;
  const auto at = [&](std::int32_t n) { return p.corners[std::size_t(n)]; };
  for (std::size_t n = 0; n < p.corners.size(); ++n)
    if (std::abs(dot(plane.normal, p.corners[n]) - plane.offset) < 1e-7) {
      face.push_back(std::int32_t(n));
      middle += p.corners[n];
    }
  middle = middle / double(face.size());
  const Vec3 x = normalized(at(face[0]) - middle), y = cross(plane.normal, x);
  const auto angle = [&](std::int32_t n) {
    return std::atan2(dot(at(n) - middle, y), dot(at(n) - middle, x));
  };
  std::sort(face.begin(), face.end(),
            [&](std::int32_t a, std::int32_t b) { return angle(a) < angle(b); });
  return face;
}

// Corners of a in b.
double corners_in(const Polytope& a, const Transform& pose_a, const Polytope& b,
                  const Transform& pose_b) {
  double deepest = 0;
  for (const Vec3& corner : a.corners) {
    const Vec3 p = to_local(pose_b, to_world(pose_a, corner));
    double depth = std::numeric_limits<double>::max();
    for (const Polytope::Plane& plane : b.planes) {
      depth = std::min(depth, plane.offset - dot(plane.normal, p));
      if (depth <= deepest) break;
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// Of corners in a box or below a half-space.
double corners_in(const Polytope& a, const Transform& pose_a, const Shape& shape,
                  const Transform& pose) {
  double deepest = 0;
  for (const Vec3& corner : a.corners)
    deepest =
        std::max(deepest, shape_depth(shape, pose, Sphere{0}, {to_world(pose_a, corner), Quat{}}));
  return deepest;
}

const std::vector<Vec3>* points_of(const Shape& shape) {
  if (const auto* h = std::get_if<Hull>(&shape)) return &h->points;
  if (const auto* m = std::get_if<Mesh>(&shape)) return &m->mesh.vertices;
  return nullptr;
}

}  // namespace

Polytope make_polytope(const Shape& shape) {
  Polytope p;
  p.corners = *points_of(shape);
  if (const auto* m = std::get_if<Mesh>(&shape)) {
    for (const Triangle& t : m->mesh.triangles)
      add_plane(p, p.corners[std::size_t(t[0])], p.corners[std::size_t(t[1])],
                p.corners[std::size_t(t[2])]);
  } else {
    find_planes(p);
  }
  return p;
}

double polytope_volume(const Polytope& p) {
  const TriMesh mesh = polytope_mesh(p);
  double volume = 0;
  for (const Triangle& t : mesh.triangles)
    volume += dot(p.corners[std::size_t(t[0])],
                  cross(p.corners[std::size_t(t[1])], p.corners[std::size_t(t[2])])) /
              6;
  return volume;
}

TriMesh polytope_mesh(const Polytope& p) {
  TriMesh mesh{p.corners, {}};
  for (const Polytope::Plane& plane : p.planes) {
    const std::vector<std::int32_t> face = corners_of(p, plane);
    for (std::size_t n = 1; n + 1 < face.size(); ++n)
      mesh.triangles.push_back({face[0], face[n], face[n + 1]});
  }
  return mesh;
}

double polytope_depth(const Polytope& a, const Transform& pose_a, const Polytope& b,
                      const Transform& pose_b) {
  return std::max(corners_in(a, pose_a, b, pose_b), corners_in(b, pose_b, a, pose_a));
}

DepthMeter::DepthMeter(const std::vector<BodyDef>& bodies)
    : bodies_(bodies), polytopes_(bodies.size()) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::vector<Vec3>* points = points_of(bodies[i].shape);
    if (!points) continue;
    const bool alike = i > 0 && polytopes_[i - 1] && polytopes_[i - 1]->corners == *points;
    polytopes_[i] =
        alike ? polytopes_[i - 1] : std::make_shared<Polytope>(make_polytope(bodies[i].shape));
  }
}

double DepthMeter::depth(std::size_t a, const Transform& pose_a, std::size_t b,
                         const Transform& pose_b) const {
  const Polytope *p = polytopes_[a].get(), *q = polytopes_[b].get();
  if (p && q) return polytope_depth(*p, pose_a, *q, pose_b);
  if (p) return corners_in(*p, pose_a, bodies_[b].shape, pose_b);
  if (q) return corners_in(*q, pose_b, bodies_[a].shape, pose_a);
  return shape_depth(bodies_[a].shape, pose_a, bodies_[b].shape, pose_b);
}

}  // namespace pliant::bench
