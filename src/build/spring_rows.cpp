// Which springs a solid has.
#include <algorithm>
#include <set>

#include "build/spring_net.h"

namespace pliant {
namespace {

constexpr int k_attempts = 20;  // for each spring that is asked for

// SplitMix64: the same numbers everywhere.
struct Random {
  std::uint64_t state;
  std::int32_t below(std::size_t count) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return std::int32_t((z ^ (z >> 31)) % count);
  }
};

VertexPair pair_of(std::int32_t a, std::int32_t b) { return {std::min(a, b), std::max(a, b)}; }

// The other end of a spring from `a`, or -1.
std::int32_t choose_end(const Springs& def, const TriMesh& mesh, const std::vector<Vec3>& normals,
                        std::int32_t a, Random& random, int& tests) {
  const bool any = def.placement == SpringPlacement::random;
  const int wanted = def.placement == SpringPlacement::nearest ? def.candidates : 1;
  std::int32_t best = -1;
  double nearest = 1e300;
  tests = 0;
  for (int found = 0; found < wanted && tests < def.limit; ++tests) {
    const std::int32_t c = random.below(mesh.vertices.size());
    if (c == a) continue;
    if (!any && !(dot(normals[std::size_t(a)], normals[std::size_t(c)]) < 0)) continue;
    ++found;
    const double distance =
        length_sq(mesh.vertices[std::size_t(c)] - mesh.vertices[std::size_t(a)]);
    if (distance < nearest) nearest = distance, best = c;
  }
  return best;
}

// A spring before its stiffness is known.
struct Pull {
  VertexPair vertices;
  bool surface;
};

void add_springs(const Springs& def, const std::vector<Vec3>& x, const std::vector<Pull>& pulls,
                 SpringRows& rows) {
  const auto rest_of = [&](const Pull& p) {
    return length(x[std::size_t(p.vertices[1])] - x[std::size_t(p.vertices[0])]);
  };
  double mean = 0;
  for (const Pull& p : pulls) mean += rest_of(p) / double(pulls.size());
  for (const Pull& p : pulls) {
    const double rest = rest_of(p);
    if (!(rest > 0)) continue;
    const double per = def.law == SpringLaw::energy   ? 1 / (rest * rest)
                       : def.law == SpringLaw::length ? 1 / (rest * mean)
                                                      : 1 / (mean * mean);
    const double factor = per * (p.surface ? def.surface_factor : 1);
    rows.springs.push_back({p.vertices, rest, def.distance * factor, def.damping * factor});
  }
}

void add_areas(const Springs& def, const std::vector<Vec3>& x,
               const std::vector<Triangle>& triangles, SpringRows& rows) {
  if (!(def.area > 0)) return;
  for (const Triangle& t : triangles) {
    const Vec3 a = x[std::size_t(t[0])];
    const double rest = length(cross(x[std::size_t(t[1])] - a, x[std::size_t(t[2])] - a)) / 2;
    if (rest > 0) rows.areas.push_back({t, rest, def.area / (rest * rest)});
  }
}

}  // namespace

SpringRows lattice_springs(const Springs& def, const TetMesh& mesh) {
  SpringRows rows;
  const std::vector<Triangle> boundary = boundary_faces(mesh.tetrahedra).triangles;
  std::vector<VertexPair> outer;
  for (const MeshEdge& e : unique_edges(boundary)) outer.push_back({e.a, e.b});
  std::vector<Pull> pulls;
  for (const VertexPair& e : unique_edges(mesh.tetrahedra))
    pulls.push_back({e, std::binary_search(outer.begin(), outer.end(), e)});
  add_springs(def, mesh.vertices, pulls, rows);
  add_areas(def, mesh.vertices, boundary, rows);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const double rest = signed_volume(mesh, t);
    const double stiffness = def.volume / (rest * rest) + def.bulk / rest;
    if (stiffness > 0) rows.volumes.push_back({t, rest, stiffness});
  }
  return rows;
}

InnerSprings place_inner(const Springs& def, const TriMesh& mesh) {
  InnerSprings inner;
  const std::vector<Vec3> normals = vertex_normals(mesh.vertices, mesh.triangles);
  std::set<VertexPair> taken;
  for (const MeshEdge& e : unique_edges(mesh.triangles)) taken.insert({e.a, e.b});
  Random random{std::uint64_t(def.seed)};
  const std::int64_t most = std::int64_t(def.inner) * k_attempts;
  for (std::int64_t n = 0; n < most && inner.springs.size() < std::size_t(def.inner); ++n) {
    const std::int32_t a = random.below(mesh.vertices.size());
    int tests = 0;
    const std::int32_t c = choose_end(def, mesh, normals, a, random, tests);
    inner.tests = std::max(inner.tests, tests);
    if (c < 0 || mesh.vertices[std::size_t(a)] == mesh.vertices[std::size_t(c)]) continue;
    if (taken.insert(pair_of(a, c)).second) inner.springs.push_back(pair_of(a, c));
  }
  inner.missing = def.inner - int(inner.springs.size());
  return inner;
}

SpringRows surface_springs(const Springs& def, const TriMesh& mesh) {
  SpringRows rows;
  std::vector<Pull> pulls;
  for (const MeshEdge& e : unique_edges(mesh.triangles)) pulls.push_back({{e.a, e.b}, true});
  const InnerSprings inner = place_inner(def, mesh);
  for (const VertexPair& e : inner.springs) pulls.push_back({e, false});
  rows.missing = inner.missing;
  add_springs(def, mesh.vertices, pulls, rows);
  add_areas(def, mesh.vertices, mesh.triangles, rows);
  return rows;
}

}  // namespace pliant
