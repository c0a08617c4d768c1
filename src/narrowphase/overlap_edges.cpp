#include "narrowphase/overlap_edges.h"

#include <algorithm>

#include "geometry/topology.h"
#include "narrowphase/overlap_depth.h"

namespace pliant {
namespace {

using Corners = std::array<Vec3, 4>;

Corners corners_of(const OverlapSolid& s, std::int32_t tet, std::span<const Vec3> x) {
  Corners c;
  for (std::size_t k = 0; k < 4; ++k)
    c[k] = x[std::size_t(s.begin + s.topology.tets[std::size_t(tet)][k])];
  return c;
}

// Along both ends of the axis; keeps the better one.
void try_axis(const Corners& a, const Corners& b, const Vec3& n, TetOverlap& best) {
  const double size = length(n);
  if (size <= 0) return;
  const Vec3 axis = n / size;
  double low_a = 1e300, high_a = -1e300, low_b = 1e300, high_b = -1e300;
  for (std::size_t k = 0; k < 4; ++k) {
    const double at_a = dot(a[k] - b[0], axis), at_b = dot(b[k] - b[0], axis);
    low_a = std::min(low_a, at_a), high_a = std::max(high_a, at_a);
    low_b = std::min(low_b, at_b), high_b = std::max(high_b, at_b);
  }
  if (high_b - low_a < best.depth) best = {axis, high_b - low_a};
  if (high_a - low_b < best.depth) best = {-axis, high_a - low_b};
}

// Weights of p in a tetrahedron, none negative.
std::array<double, 4> weights_in(const Corners& c, const Vec3& p) {
  const Vec3 e1 = c[1] - c[0], e2 = c[2] - c[0], e3 = c[3] - c[0], q = p - c[0];
  const double det = dot(e1, cross(e2, e3));
  if (det == 0) return {0.25, 0.25, 0.25, 0.25};
  std::array<double, 4> w{0, dot(q, cross(e2, e3)) / det, dot(q, cross(e3, e1)) / det,
                          dot(q, cross(e1, e2)) / det};
  w[0] = 1 - w[1] - w[2] - w[3];
  double sum = 0;
  for (double& v : w) v = std::max(v, 0.0), sum += v;
  for (double& v : w) v /= sum;
  return w;
}

// The first and the last face that an edge passes.
struct Passage {
  double first = 2, last = -1;
  std::int32_t face = -1;  // the first
};
Passage pass_through(const OverlapSolid& solid, std::span<const Vec3> x, const Vec3& from,
                     const Vec3& to) {
  Passage passage;
  solid.near_faces.overlapping({min(from, to), max(from, to)}, [&](std::int32_t face) {
    const FaceHit hit = meet_face(solid, face, x, from, to - from, 1);
    if (hit.face < 0) return;
    if (hit.at < passage.first || (hit.at == passage.first && face < passage.face))
      passage.first = hit.at, passage.face = face;
    passage.last = std::max(passage.last, hit.at);
  });
  return passage;
}

bool is_near(const OverlapSolid& s, std::int32_t tet, std::span<const std::uint8_t> near) {
  for (const std::int32_t p : s.topology.tets[std::size_t(tet)])
    if (near[std::size_t(s.begin + p)]) return true;
  return false;
}

OverlapContact make_edge_contact(const OverlapSolid& own, const OverlapSolid& solid,
                                 std::span<const Vec3> x, const MeshEdge& edge,
                                 const Passage& passage) {
  const std::int32_t tet_a = own.topology.face_tet[std::size_t(edge.triangle[0])];
  const std::int32_t tet_b = solid.topology.face_tet[std::size_t(passage.face)];
  const Corners a = corners_of(own, tet_a, x), b = corners_of(solid, tet_b, x);
  // Always in the same order: where two axes are equally good, both ways choose the same.
  const bool swapped = solid.body < own.body;
  TetOverlap overlap = swapped ? least_overlap(b, a) : least_overlap(a, b);
  if (swapped) overlap.axis = -overlap.axis;
  OverlapContact c;
  c.normal = overlap.axis;
  c.depth = overlap.depth;
  c.least = k_overlap_guard * solid.cell;
  c.a.body = own.body, c.b.body = solid.body;
  const double at = 0.5 * (passage.first + passage.last);
  c.a.particle.fill(own.begin + edge.a);
  c.a.particle[1] = own.begin + edge.b;
  c.a.weight = {1 - at, at, 0, 0};
  const Vec3 middle =
      x[std::size_t(own.begin + edge.a)] * (1 - at) + x[std::size_t(own.begin + edge.b)] * at;
  c.b.weight = weights_in(b, middle);
  for (std::size_t k = 0; k < 4; ++k)
    c.b.particle[k] = solid.begin + solid.topology.tets[std::size_t(tet_b)][k];
  return c;
}

}  // namespace

TetOverlap least_overlap(const std::array<Vec3, 4>& a, const std::array<Vec3, 4>& b) {
  constexpr Tetrahedron k_numbers{0, 1, 2, 3};
  constexpr std::size_t k_ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  TetOverlap best{{0, 1, 0}, 1e300};
  for (const Corners* t : {&a, &b})
    for (const Triangle& f : faces_of(k_numbers)) {
      const auto at = [&](std::size_t k) { return (*t)[std::size_t(f[k])]; };
      try_axis(a, b, cross(at(1) - at(0), at(2) - at(0)), best);
    }
  for (const auto& e : k_ends)
    for (const auto& g : k_ends) {
      const Vec3 along_a = a[e[1]] - a[e[0]], along_b = b[g[1]] - b[g[0]];
      const Vec3 n = cross(along_a, along_b);
      // Nearly parallel edges have no direction of their own.
      if (length_sq(n) > 1e-12 * length_sq(along_a) * length_sq(along_b)) try_axis(a, b, n, best);
    }
  return best;
}

void find_edge_contacts(const OverlapSolid& own, const OverlapSolid& solid, std::span<const Vec3> x,
                        std::span<const std::uint8_t> near, std::vector<OverlapContact>& contacts) {
  const RoughBox region = turned(solid.rough_all);
  for (const MeshEdge& edge : own.topology.edges) {
    const std::size_t at = std::size_t(edge.a), to = std::size_t(edge.b);
    if (!meets(min(own.rough[at], own.rough[to]), region)) continue;
    const std::size_t a = std::size_t(own.begin + edge.a), b = std::size_t(own.begin + edge.b);
    const std::int32_t tet = own.topology.face_tet[std::size_t(edge.triangle[0])];
    if (is_near(own, tet, near)) continue;
    const Passage passage = pass_through(solid, x, x[a], x[b]);
    // One that only touches does not pass.
    if (passage.face < 0 || !(passage.last > passage.first)) continue;
    if (is_near(solid, solid.topology.face_tet[std::size_t(passage.face)], near)) continue;
    const OverlapContact c = make_edge_contact(own, solid, x, edge, passage);
    if (c.depth > c.least) contacts.push_back(c);
  }
}

}  // namespace pliant
