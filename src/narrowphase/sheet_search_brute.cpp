// All pairs of features, in double, one by one.
#include <algorithm>
#include <cmath>

#include "geometry/closest_point.h"
#include "narrowphase/sheet_search.h"

namespace pliant {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

struct Four {
  std::array<Vec3, 4> x, m;
};

Four places(const SheetMotion& motion, const std::array<std::int32_t, 4>& particle) {
  Four four;
  for (std::size_t k = 0; k < 4; ++k) {
    four.x[k] = in_double(motion.place[std::size_t(particle[k])]);
    four.m[k] = in_double(motion.motion[std::size_t(particle[k])]);
  }
  return four;
}

constexpr int k_moments = 32;
constexpr double k_rounding = 1e-5;  // m

struct Nearest {
  double distance;  // m
  bool proper;      // inside the triangle or both edges, and not only by rounding
};

bool is_inside(double part) { return part > 1e-5 && part < 1 - 1e-5; }

Nearest nearest(const std::array<Vec3, 4>& x, SheetFeature feature) {
  if (feature == SheetFeature::edge_edge) {
    const SegmentPair at = closest_on_segments(x[0], x[1], x[2], x[3]);
    const Vec3 between = x[0] + (x[1] - x[0]) * at.s - (x[2] + (x[3] - x[2]) * at.t);
    // Of parallel edges many points are nearest.
    const Vec3 e = x[1] - x[0], f = x[3] - x[2];
    const bool crossed = length(cross(e, f)) > 1e-2 * length(e) * length(f);
    return {length(between), crossed && is_inside(at.s) && is_inside(at.t)};
  }
  const auto w = closest_on_triangle(x[0], x[1], x[2], x[3]);
  return {length(x[0] - (x[1] * w[0] + x[2] * w[1] + x[3] * w[2])),
          is_inside(w[0]) && is_inside(w[1]) && is_inside(w[2])};
}

// Over the motion, at some moments of it.
bool comes_within(const Four& f, SheetFeature feature, double reach) {
  const int moments = f.m == std::array<Vec3, 4>{} ? 0 : k_moments;
  for (int n = 0; n <= moments; ++n) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = f.x[k] + f.m[k] * (double(n) / k_moments);
    if (nearest(x, feature).distance <= reach) return true;
  }
  return false;
}

double rest_distance(const Deformable& body, const std::array<std::int32_t, 4>& particle,
                     SheetFeature feature) {
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k)
    x[k] = in_double(body.tree.rest[std::size_t(particle[k] - body.begin)]);
  return nearest(x, feature).distance;
}

// In no time can they come within reach: two balls, each around a side and its motion.
bool stay_apart(const Four& f, SheetFeature feature, double reach) {
  const std::size_t first = feature == SheetFeature::edge_edge ? 2 : 1;  // of the other side
  double radii = reach;
  for (std::size_t k = 0; k < 4; ++k)
    radii += length(f.x[k] - f.x[k < first ? 0 : first]) + length(f.m[k]);
  return length_sq(f.x[0] - f.x[first]) > radii * radii;
}

bool all_differ(std::array<std::int32_t, 4> p) {
  std::sort(p.begin(), p.end());
  return std::adjacent_find(p.begin(), p.end()) == p.end();
}

std::int32_t particle(const Deformable& body, std::int32_t vertex) {
  return body.begin + body.surface.vertices[std::size_t(vertex)].particle[0];
}

}  // namespace

std::vector<SheetTwin> search_sheets_brute(std::span<const Deformable> bodies,
                                           const SheetPair& pair, const SheetMotion& motion,
                                           double reach) {
  std::vector<SheetTwin> out;
  const Deformable &b = bodies[std::size_t(pair.b)], &a = bodies[std::size_t(pair.a)];
  const auto keep = [&](const std::array<std::int32_t, 4>& p, SheetFeature feature) {
    if (!all_differ(p)) return;
    const Four four = places(motion, p);
    if (stay_apart(four, feature, reach) || !comes_within(four, feature, reach)) return;
    const bool neighbours = pair.a == pair.b && rest_distance(b, p, feature) <= reach + k_rounding;
    const double near = double(k_waiting_reach * pair.thickness) - k_rounding;
    const bool sure = comes_within(four, feature, std::min(near, reach)) ||
                      (!neighbours && nearest(four.x, feature).proper);
    out.push_back({p, feature, sure});
  };
  const auto vertices = [&](const Deformable& body, const Deformable& other) {
    for (std::size_t v = 0; v < body.surface.vertices.size(); ++v)
      for (const Triangle& t : other.surface.triangles)
        keep({particle(body, std::int32_t(v)), particle(other, t[0]), particle(other, t[1]),
              particle(other, t[2])},
             SheetFeature::vertex_triangle);
  };
  vertices(b, a);
  if (pair.a != pair.b) vertices(a, b);
  for (std::size_t m = 0; m < b.surface.edges.size(); ++m)
    for (std::size_t n = pair.a == pair.b ? m + 1 : 0; n < a.surface.edges.size(); ++n) {
      const auto &e = b.surface.edges[m], &f = a.surface.edges[n];
      keep({particle(b, e[0]), particle(b, e[1]), particle(a, f[0]), particle(a, f[1])},
           SheetFeature::edge_edge);
    }
  return out;
}

}  // namespace pliant
