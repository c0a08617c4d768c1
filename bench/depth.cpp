#include "bench/depth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/topology.h"

namespace pliant::bench {
namespace {

struct PlacedBox {
  Vec3 centre;
  Vec3 axis[3];
  Vec3 half;
};

PlacedBox placed(const Box& box, const Transform& pose) {
  const Mat3 m = transposed(to_matrix(pose.rotation));
  return {pose.position, {m.row[0], m.row[1], m.row[2]}, box.half};
}

double reach(const PlacedBox& box, const Vec3& direction) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += box.half[i] * std::abs(dot(box.axis[i], direction));
  return sum;
}

// For two boxes the separating axes are the six face normals and the nine products of edges.
double depth_of(const PlacedBox& a, const PlacedBox& b) {
  constexpr double k_parallel = 1e-6;  // edges closer to parallel than this add no new axis
  const Vec3 offset = b.centre - a.centre;
  double least = std::numeric_limits<double>::max();
  const auto test = [&](const Vec3& n) {
    least = std::min(least, reach(a, n) + reach(b, n) - std::abs(dot(offset, n)));
    return least > 0;
  };
  for (int i = 0; i < 3; ++i)
    if (!test(a.axis[i]) || !test(b.axis[i])) return 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vec3 n = cross(a.axis[i], b.axis[j]);
      const double l = length(n);
      if (l > k_parallel && !test(n / l)) return 0;
    }
  }
  return least;
}

double depth_of(const Vec3& centre, double radius, const PlacedBox& box) {
  Vec3 outside;
  double to_face = std::numeric_limits<double>::max();
  for (int i = 0; i < 3; ++i) {
    const double along = std::abs(dot(centre - box.centre, box.axis[i]));
    outside[i] = std::max(0.0, along - box.half[i]);
    to_face = std::min(to_face, box.half[i] - along);
  }
  return to_face > 0 ? radius + to_face : std::max(0.0, radius - length(outside));
}

struct Segment {
  Vec3 a, b;
};
Segment axis_of(const Capsule& capsule, const Transform& pose) {
  const Vec3 along = rotate(pose.rotation, Vec3{0, capsule.half_height, 0});
  return {pose.position - along, pose.position + along};
}

// Ericson, Real-Time Collision Detection, 5.1.9; neither is a point.
double distance_between(const Segment& p, const Segment& q) {
  const Vec3 u = p.b - p.a, v = q.b - q.a, r = p.a - q.a;
  const double a = dot(u, u), e = dot(v, v), f = dot(v, r), c = dot(u, r), b = dot(u, v);
  const double denominator = a * e - b * b;
  double s = denominator > 1e-12 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0;
  double t = (b * s + f) / e;
  if (t < 0 || t > 1) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((b * t - c) / a, 0.0, 1.0);
  }
  return length(p.a + s * u - q.a - t * v);
}

double capsule_depth(const Capsule& capsule, const Transform& pose, const Shape& other,
                     const Transform& other_pose) {
  const Segment axis = axis_of(capsule, pose);
  if (const auto* c = std::get_if<Capsule>(&other))
    return std::max(0.0,
                    capsule.radius + c->radius - distance_between(axis, axis_of(*c, other_pose)));
  double deepest = 0;
  for (int n = 0; n <= 10; ++n) {
    const Vec3 p = axis.a + (axis.b - axis.a) * (n / 10.0);
    deepest =
        std::max(deepest, shape_depth(Sphere{capsule.radius}, {p, Quat{}}, other, other_pose));
  }
  return deepest;
}

double rectangle_depth(const Rectangle& r, const Transform& pose, const Vec3& centre,
                       double radius) {
  const Vec3 p = to_local(pose, centre);
  const Vec3 nearest{std::clamp(p.x, -r.half_x, r.half_x), 0, std::clamp(p.z, -r.half_z, r.half_z)};
  return std::max(0.0, radius - length(p - nearest));
}

double below(const Shape& shape, const Transform& pose, const Transform& plane) {
  const Vec3 n = rotate(plane.rotation, Vec3{0, 1, 0});
  const double height = dot(pose.position - plane.position, n);
  if (const auto* c = std::get_if<Capsule>(&shape)) {
    const Vec3 along = rotate(pose.rotation, Vec3{0, c->half_height, 0});
    return std::max(0.0, c->radius + std::abs(dot(along, n)) - height);
  }
  if (const auto* s = std::get_if<Sphere>(&shape)) return std::max(0.0, s->radius - height);
  if (const auto* b = std::get_if<Box>(&shape))
    return std::max(0.0, reach(placed(*b, pose), n) - height);
  return 0;
}

}  // namespace

bool has_depth(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<Capsule>(shape) ||
         std::holds_alternative<Rectangle>(shape) || std::holds_alternative<Hull>(shape) ||
         std::holds_alternative<Mesh>(shape);
}

double shape_depth(const Shape& a, const Transform& pose_a, const Shape& b,
                   const Transform& pose_b) {
  if (std::holds_alternative<HalfSpace>(a)) return below(b, pose_b, pose_a);
  if (std::holds_alternative<HalfSpace>(b)) return below(a, pose_a, pose_b);
  const auto* sphere_a = std::get_if<Sphere>(&a);
  const auto* sphere_b = std::get_if<Sphere>(&b);
  const auto* box_a = std::get_if<Box>(&a);
  const auto* box_b = std::get_if<Box>(&b);
  if (sphere_a && sphere_b) {
    const double apart = length(pose_b.position - pose_a.position);
    return std::max(0.0, sphere_a->radius + sphere_b->radius - apart);
  }
  if (const auto* c = std::get_if<Capsule>(&a)) return capsule_depth(*c, pose_a, b, pose_b);
  if (const auto* c = std::get_if<Capsule>(&b)) return capsule_depth(*c, pose_b, a, pose_a);
  if (const auto* r = std::get_if<Rectangle>(&a); r && sphere_b)
    return rectangle_depth(*r, pose_a, pose_b.position, sphere_b->radius);
  if (const auto* r = std::get_if<Rectangle>(&b); r && sphere_a)
    return rectangle_depth(*r, pose_b, pose_a.position, sphere_a->radius);
  if (box_a && box_b) return depth_of(placed(*box_a, pose_a), placed(*box_b, pose_b));
  if (sphere_a && box_b) return depth_of(pose_a.position, sphere_a->radius, placed(*box_b, pose_b));
  if (box_a && sphere_b) return depth_of(pose_b.position, sphere_b->radius, placed(*box_a, pose_a));
  return 0;
}

// The triangle's plane is divided into the regions of its corners, edges and face (Ericson,
// Real-Time Collision Detection, 5.1.5).
double distance_to_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = dot(ab, p - a), d2 = dot(ac, p - a);
  if (d1 <= 0 && d2 <= 0) return length(p - a);
  const double d3 = dot(ab, p - b), d4 = dot(ac, p - b);
  if (d3 >= 0 && d4 <= d3) return length(p - b);
  const double d5 = dot(ab, p - c), d6 = dot(ac, p - c);
  if (d6 >= 0 && d5 <= d6) return length(p - c);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return length(p - (a + ab * (d1 / (d1 - d3))));
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return length(p - (a + ac * (d2 / (d2 - d6))));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6)
    return length(p - (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)))));
  const double scale = 1 / (va + vb + vc);
  return length(p - (a + ab * (vb * scale) + ac * (vc * scale)));
}

bool inside_tetrahedron(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // Points on a face count, so that none is lost between two neighbours. An inverted one holds
  // points too; a flat one does not.
  const double volume = signed_volume(a, b, c, d);
  const double sign = volume < 0 ? -1 : 1;
  return volume != 0 && sign * signed_volume(p, b, c, d) >= 0 &&
         sign * signed_volume(a, p, c, d) >= 0 && sign * signed_volume(a, b, p, d) >= 0 &&
         sign * signed_volume(a, b, c, p) >= 0;
}

SolidDepth::SolidDepth(const TetMesh& mesh)
    : tetrahedra_(mesh.tetrahedra), surface_(boundary(mesh.tetrahedra)) {
  cells_ = std::max(1, int(std::cbrt(double(tetrahedra_.size()) / 2)));
}

std::array<int, 3> SolidDepth::cell_of(const Vec3& p) const {
  std::array<int, 3> cell{};
  for (int i = 0; i < 3; ++i) {
    const double size = std::max((high_[i] - low_[i]) / cells_, 1e-12);
    cell[std::size_t(i)] = std::clamp(int((p[i] - low_[i]) / size), 0, cells_ - 1);
  }
  return cell;
}

// Two passes: count the tetrahedra of each cell, then put them in.
void SolidDepth::update(const std::vector<Vec3>& positions) {
  positions_ = positions;
  low_ = high_ = positions.front();
  for (const Vec3& p : positions) {
    low_ = min(low_, p);
    high_ = max(high_, p);
  }
  const auto for_cells = [&](auto&& visit) {
    for (std::size_t t = 0; t < tetrahedra_.size(); ++t) {
      Vec3 low = positions[std::size_t(tetrahedra_[t][0])], high = low;
      for (const std::int32_t v : tetrahedra_[t]) {
        low = min(low, positions[std::size_t(v)]);
        high = max(high, positions[std::size_t(v)]);
      }
      const auto from = cell_of(low), to = cell_of(high);
      for (int z = from[2]; z <= to[2]; ++z)
        for (int y = from[1]; y <= to[1]; ++y)
          for (int x = from[0]; x <= to[0]; ++x)
            visit(std::size_t((z * cells_ + y) * cells_ + x), std::int32_t(t));
    }
  };
  starts_.assign(std::size_t(cells_ * cells_ * cells_ + 1), 0);
  for_cells([&](std::size_t cell, std::int32_t) { ++starts_[cell + 1]; });
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
  items_.resize(std::size_t(starts_.back()));
  std::vector<std::int32_t> next = starts_;
  for_cells([&](std::size_t cell, std::int32_t t) { items_[std::size_t(next[cell]++)] = t; });
}

bool SolidDepth::near(const Vec3& p) const {
  for (int i = 0; i < 3; ++i)
    if (!(p[i] >= low_[i] && p[i] <= high_[i])) return false;
  return true;
}

bool SolidDepth::inside(const Vec3& p) const {
  const auto c = cell_of(p);
  const std::size_t cell = std::size_t((c[2] * cells_ + c[1]) * cells_ + c[0]);
  for (std::int32_t i = starts_[cell]; i < starts_[cell + 1]; ++i) {
    const Tetrahedron& t = tetrahedra_[std::size_t(items_[std::size_t(i)])];
    const auto at = [&](std::size_t k) { return positions_[std::size_t(t[k])]; };
    if (inside_tetrahedron(p, at(0), at(1), at(2), at(3))) return true;
  }
  return false;
}

double SolidDepth::depth(const Vec3& p) const {
  if (!near(p) || !inside(p)) return 0;
  double least = std::numeric_limits<double>::max();
  for (const Triangle& t : surface_) {
    least = std::min(
        least, distance_to_triangle(p, positions_[std::size_t(t[0])], positions_[std::size_t(t[1])],
                                    positions_[std::size_t(t[2])]));
  }
  return least;
}

}  // namespace pliant::bench
