// A round sheet that prefers no direction: the number of folds of a draped cloth should be its own.
#pragma once

#include <pliant/mesh.h>
#include <cmath>

namespace pliant {

struct Ring {
  std::int32_t first, count;
  double begin;  // of a turn, angle of the first vertex
  std::int32_t at(std::int32_t i) const { return first + (i + 2 * count) % count; }
};

// Triangles between two rings: from vertices of nearly the same angle round, always on to the
// nearer of the two next ones.
inline void join_rings(const Ring& inner, const Ring& outer, TriMesh& mesh) {
  const std::int32_t start = std::int32_t(std::lround((inner.begin - outer.begin) * outer.count));
  const double shift = outer.begin + double(start) / outer.count - inner.begin;
  for (std::int32_t i = 0, j = 0; i < inner.count || j < outer.count;) {
    const std::int32_t a = inner.at(i), b = outer.at(start + j);
    const double next_inner = (i + 1.0) / inner.count, next_outer = shift + (j + 1.0) / outer.count;
    if (i < inner.count && (j == outer.count || next_inner < next_outer))
      mesh.triangles.push_back({b, a, inner.at(++i)});
    else
      mesh.triangles.push_back({b, a, outer.at(start + ++j)});
  }
}

inline std::int32_t ring_size(int ring) { return std::int32_t(6.283185307179586 * ring + 0.5); }

// In the xz plane; a vertex in the middle and ring_size(k) in ring k, from the inside out, each
// ring turned by the golden angle against the one before.
inline TriMesh make_disc(double radius, int rings) {
  TriMesh mesh;
  mesh.vertices.push_back({});
  Ring before{0, 1, 0};
  for (int k = 1; k <= rings; ++k) {
    Ring ring{std::int32_t(mesh.vertices.size()), ring_size(k), std::fmod(k * 0.381966, 1)};
    for (std::int32_t i = 0; i < ring.count; ++i) {
      const double angle = 6.283185307179586 * (ring.begin + double(i) / ring.count);
      const double r = radius * k / rings;
      mesh.vertices.push_back({r * std::cos(angle), 0, r * std::sin(angle)});
    }
    if (k == 1)
      for (std::int32_t i = 0; i < ring.count; ++i)
        mesh.triangles.push_back({0, ring.at(i + 1), ring.at(i)});
    else
      join_rings(before, ring, mesh);
    before = ring;
  }
  return mesh;
}

}  // namespace pliant
