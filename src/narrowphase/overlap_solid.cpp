#include "narrowphase/overlap_solid.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// Begins of lists whose lengths are in `begin`, one place further.
void sum_up(std::vector<std::int32_t>& begin) {
  for (std::size_t n = 1; n < begin.size(); ++n) begin[n] += begin[n - 1];
}

void list_neighbours(SolidTopology& t, std::size_t count) {
  const std::vector<VertexPair> edges = unique_edges(t.tets);
  t.neighbour_begin.assign(count + 1, 0);
  for (const auto& [a, b] : edges)
    ++t.neighbour_begin[std::size_t(a) + 1], ++t.neighbour_begin[std::size_t(b) + 1];
  sum_up(t.neighbour_begin);
  t.neighbour.resize(2 * edges.size());
  std::vector<std::int32_t> next(t.neighbour_begin.begin(), t.neighbour_begin.end() - 1);
  for (const auto& [a, b] : edges) {
    t.neighbour[std::size_t(next[std::size_t(a)]++)] = b;
    t.neighbour[std::size_t(next[std::size_t(b)]++)] = a;
  }
  for (std::size_t p = 0; p < count; ++p)
    if (t.neighbour_begin[p + 1] > t.neighbour_begin[p]) t.points.push_back(std::int32_t(p));
}

void list_rings(SolidTopology& t, std::size_t count) {
  t.ring_begin.assign(count + 1, 0);
  for (const Triangle& f : t.faces)
    for (const std::int32_t p : f) ++t.ring_begin[std::size_t(p) + 1];
  sum_up(t.ring_begin);
  t.ring.resize(3 * t.faces.size());
  std::vector<std::int32_t> next(t.ring_begin.begin(), t.ring_begin.end() - 1);
  for (std::size_t f = 0; f < t.faces.size(); ++f)
    for (const std::int32_t p : t.faces[f])
      t.ring[std::size_t(next[std::size_t(p)]++)] = std::int32_t(f);
}

template <std::size_t N>
TreeBox box_of(const std::array<std::int32_t, N>& corners, const Vec3* x) {
  TreeBox box;
  for (const std::int32_t p : corners) box.add(x[p]);
  return box;
}

template <class Cell, class Tree>
void refit(const std::vector<Cell>& cells, const Vec3* x, std::vector<TreeBox>& boxes, Tree& tree) {
  boxes.resize(cells.size());
  for (std::size_t n = 0; n < cells.size(); ++n) boxes[n] = box_of(cells[n], x);
  if (tree.empty())
    tree.build(boxes);
  else
    tree.refit(boxes);
}

// Looks around anew where a point has gone too far.
void keep_up(OverlapSolid& solid, const Vec3* own, std::size_t count) {
  const double reach = solid.reach();
  bool near = solid.kept.size() == count;
  for (std::size_t n = 0; near && n < solid.topology.points.size(); ++n) {
    const std::size_t p = std::size_t(solid.topology.points[n]);
    const Vec3 way = own[p] - solid.kept[p];
    near = way.x >= -reach && way.x <= reach && way.y >= -reach && way.y <= reach &&
           way.z >= -reach && way.z <= reach;
  }
  if (near) return;
  solid.kept.assign(own, own + count);
  ++solid.looked;
}

void place_roughly(OverlapSolid& solid, std::span<const Vec3> x) {
  solid.rough_all = k_no_box;
  solid.rough.resize(solid.topology.ring_begin.size() - 1, k_no_box);
  for (const std::int32_t p : solid.topology.points) {
    RoughBox& rough = solid.rough[std::size_t(p)];
    rough = rough_box(x[std::size_t(solid.begin + p)]);
    solid.rough_all = min(solid.rough_all, rough);
  }
}

bool has(const Triangle& f, std::int32_t p) { return f[0] == p || f[1] == p || f[2] == p; }

RoughBox box_of_face(const OverlapSolid& solid, const Triangle& f) {
  const auto at = [&](std::size_t k) { return solid.rough[std::size_t(f[k])]; };
  return min(min(at(0), at(1)), at(2));
}

constexpr double k_slack = 1e-9;  // of a weight: lines do not slip between two faces

// Which of four faces a way may meet; all that it meets are among them.
unsigned may_meet(const FourFaces& f, const Vec3& from, const Vec3& way) {
  using Four = FourFaces::Four;
  const auto cross_of = [](const std::array<Four, 3>& u, const std::array<Four, 3>& v) {
    return std::array<Four, 3>{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                               u[0] * v[1] - u[1] * v[0]};
  };
  const auto dot_of = [](const std::array<Four, 3>& u, const std::array<Four, 3>& v) {
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  };
  const Four zero{};
  const std::array<Four, 3> along{zero + way.x, zero + way.y, zero + way.z};
  const std::array<Four, 3> to{from.x - f.a[0], from.y - f.a[1], from.z - f.a[2]};
  const std::array<Four, 3> side = cross_of(along, f.ac), up = cross_of(to, f.ab);
  const Four det = dot_of(f.ab, side);
  const auto turn = [&](Four v) { return det < 0 ? -v : v; };
  const Four size = turn(det), u = turn(dot_of(to, side)), v = turn(dot_of(along, up)),
             at = turn(dot_of(f.ac, up)), slack = 4 * k_slack * size;
  const auto fits = (size > 0) & (u >= -slack) & (v >= -slack) & (u + v <= size + slack) &
                    (at >= -slack) & (at <= size + slack);
#if defined(__AVX__)
  return unsigned(__builtin_ia32_movmskpd256((Four)fits));
#else
  unsigned bits = 0;
  for (unsigned k = 0; k < 4; ++k) bits |= fits[k] != 0 ? 1u << k : 0;
  return bits;
#endif
}

// Of equals the one with the lowest number.
void keep_first(const FaceHit& hit, FaceHit& best) {
  if (hit.face < 0) return;
  if (best.face >= 0 && (hit.at > best.at || (hit.at == best.at && hit.face > best.face))) return;
  best = hit;
}

// m, by which boxes are grown for what `meet` lets pass beside a face.
Vec3 slack_of(const OverlapSolid& solid, double way) {
  const double slack = 1e-8 * (way + solid.cell);
  return {slack, slack, slack};
}

// `whole` is the length of the way of which a part is asked for.
TreeBox box_of_way(const OverlapSolid& solid, const Vec3& from, const Vec3& to, double whole) {
  const Vec3 grow = slack_of(solid, whole);
  return {min(from, to) - grow, max(from, to) + grow};
}

}  // namespace

SolidTopology make_topology(std::span<const Tetrahedron> tets, std::int32_t count) {
  SolidTopology t;
  t.tets.assign(tets.begin(), tets.end());
  BoundaryFaces boundary = boundary_faces(tets);
  t.faces = std::move(boundary.triangles);
  t.face_tet = std::move(boundary.tetrahedron);
  t.edges = unique_edges(t.faces);
  list_neighbours(t, std::size_t(count));
  list_rings(t, std::size_t(count));
  return t;
}

double mean_edge(const OverlapSolid& solid, std::span<const Vec3> x) {
  const SolidTopology& t = solid.topology;
  double sum = 0;
  for (const std::int32_t p : t.points)
    for (const std::int32_t q : t.neighbours(p))
      sum += length(x[std::size_t(solid.begin + p)] - x[std::size_t(solid.begin + q)]);
  return t.neighbour.empty() ? 0 : sum / double(t.neighbour.size());
}

void refresh_box(OverlapSolid& solid, std::span<const Vec3> x) {
  solid.box = {};
  for (const std::int32_t p : solid.topology.points) solid.box.add(x[std::size_t(solid.begin + p)]);
  place_roughly(solid, x);
  solid.has_faces = solid.has_face_tree = false;
  keep_up(solid, x.data() + solid.begin, solid.topology.ring_begin.size() - 1);
}

void refresh_tets(OverlapSolid& solid, std::span<const Vec3> x) {
  refit(solid.topology.tets, x.data() + solid.begin, solid.tet_boxes, solid.tet_tree);
}

void refresh_face_tree(OverlapSolid& solid, std::span<const Vec3> x) {
  if (solid.has_face_tree) return;
  solid.has_face_tree = true;
  refit(solid.topology.faces, x.data() + solid.begin, solid.face_boxes, solid.face_tree);
}

void refresh_faces(OverlapSolid& solid, std::span<const Vec3> x) {
  const SolidTopology& t = solid.topology;
  const Vec3* own = x.data() + solid.begin;
  const std::size_t count = t.ring_begin.size() - 1;
  if (solid.near_faces.empty()) refit(t.faces, own, solid.face_boxes, solid.near_faces);
  solid.near_faces.refit_by(
      [&](std::int32_t face) { return box_of_face(solid, t.faces[std::size_t(face)]); });
  solid.has_face_tree = false;
  solid.normals.assign(count, Vec3{});
  for (const Triangle& f : t.faces) {
    const Vec3 twice = cross(own[f[1]] - own[f[0]], own[f[2]] - own[f[0]]);
    for (const std::int32_t p : f) solid.normals[std::size_t(p)] += twice;
  }
  for (Vec3& normal : solid.normals) normal = normalized(normal);
  solid.has_faces = true;
}

double area_around(const OverlapSolid& solid, std::int32_t particle, std::span<const Vec3> x) {
  const Vec3* own = x.data() + solid.begin;
  double area = 0;
  for (const std::int32_t face : solid.topology.faces_at(particle)) {
    const Triangle& f = solid.topology.faces[std::size_t(face)];
    area += 0.5 * length(cross(own[f[1]] - own[f[0]], own[f[2]] - own[f[0]]));
  }
  return area;
}

FaceHit meet_face(const OverlapSolid& solid, std::int32_t face, std::span<const Vec3> x,
                  const Vec3& from, const Vec3& way, double reach) {
  const Triangle& f = solid.topology.faces[std::size_t(face)];
  const Vec3* own = x.data() + solid.begin;
  const Vec3 a = own[f[0]], ab = own[f[1]] - a, ac = own[f[2]] - a, to = from - a;
  const Vec3 side = cross(way, ac);
  const double det = dot(ab, side);
  if (det == 0) return {};
  // Most miss by far, which is told without a division.
  const double along = dot(to, side), across = det > 0 ? along : -along, size = std::abs(det);
  if (across < -2 * k_slack * size || across > (1 + 2 * k_slack) * size) return {};
  const double u = along / det;
  const Vec3 up = cross(to, ab);
  const double v = dot(way, up) / det, at = dot(ac, up) / det;
  if (!(u >= -k_slack && v >= -k_slack && u + v <= 1 + k_slack)) return {};
  if (!(at >= 0 && at <= reach)) return {};
  return {face, at, {1 - u - v, u, v}};
}

FaceHit first_face(const OverlapSolid& solid, std::span<const Vec3> x, const Vec3& from,
                   const Vec3& way, double reach, std::int32_t first_guess, std::int32_t skip,
                   std::int32_t skip_too) {
  FaceHit best;
  const auto look = [&](std::int32_t face) {
    const Triangle& f = solid.topology.faces[std::size_t(face)];
    if (has(f, skip) || has(f, skip_too)) return;
    keep_first(meet_face(solid, face, x, from, way, reach), best);
  };
  if (first_guess >= 0 && std::size_t(first_guess) < solid.topology.faces.size()) look(first_guess);
  const double left = best.face >= 0 ? best.at : reach;
  // Ways are short: their box is as good as the ray, and cheaper to compare.
  solid.near_faces.overlapping(box_of_way(solid, from, from + left * way, length(way)), look);
  return best;
}

void list_faces(const OverlapSolid& solid, std::span<const Vec3> x, const TreeBox& box,
                std::vector<FourFaces>& faces) {
  faces.clear();
  const Vec3 grow = slack_of(solid, length(box.high - box.low));
  std::size_t lane = 4;
  solid.near_faces.overlapping({box.low - grow, box.high + grow}, [&](std::int32_t face) {
    if (lane == 4) faces.emplace_back(), lane = 0;
    FourFaces& four = faces.back();
    const Triangle& f = solid.topology.faces[std::size_t(face)];
    const Vec3* own = x.data() + solid.begin;
    const Vec3 a = own[f[0]], ab = own[f[1]] - a, ac = own[f[2]] - a;
    for (std::size_t k = 0; k < 3; ++k) {
      four.a[k][lane] = a[int(k)];
      four.ab[k][lane] = ab[int(k)];
      four.ac[k][lane] = ac[int(k)];
    }
    four.face[lane++] = face;
  });
}

FaceHit first_face(const OverlapSolid& solid, std::span<const FourFaces> faces,
                   std::span<const Vec3> x, const Vec3& from, const Vec3& way, std::int32_t skip,
                   std::int32_t skip_too) {
  FaceHit best;
  for (const FourFaces& four : faces)
    for (unsigned bits = may_meet(four, from, way); bits != 0; bits &= bits - 1) {
      const std::int32_t face = four.face[std::size_t(__builtin_ctz(bits))];
      const Triangle& f = solid.topology.faces[std::size_t(face)];
      if (has(f, skip) || has(f, skip_too)) continue;
      keep_first(meet_face(solid, face, x, from, way, 1), best);
    }
  return best;
}

}  // namespace pliant
