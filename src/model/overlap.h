// Overlaps of solids, under the contact responses `pressure` and `penalty`: which points are inside
// which tetrahedra, how deep they are, and what pushes them out.
//
// Points are the corners of tetrahedra. Of a solid made from a surface they are the nodes of its
// lattice: what meets is the lattice, as in the works that these methods come from.
#pragma once

#include <pliant/math.h>
#include <array>
#include <cstdint>

namespace pliant {

// A point is inside a tetrahedron, of another solid or of its own.
struct OverlapHit {
  std::int32_t body = 0;   // the deformable that the tetrahedron belongs to
  std::int32_t point = 0;  // particle, of all
  std::int32_t tet = 0;    // of the body

  bool operator==(const OverlapHit&) const = default;
  bool operator<(const OverlapHit& o) const {
    if (body != o.body) return body < o.body;
    return point != o.point ? point < o.point : tet < o.tet;
  }
};

// How deep a point is inside a body, and which way is out.
struct OverlapDepth {
  std::int32_t body = 0;   // deformable that it is in
  std::int32_t own = 0;    // deformable that it belongs to
  std::int32_t point = 0;  // particle, of all
  bool known = false;      // false: nothing is known of how it came in
  double depth = 0;        // m
  Vec3 out;                // unit
  // The same by the normals of the faces that its edges pass, which do not bend round edges of the
  // surface: what pushes.
  double push_depth = 0;
  Vec3 push;
};

// What a contact acts on in a body: a weighted sum of particles.
struct OverlapSide {
  std::array<std::int32_t, 4> particle{};  // of all
  std::array<double, 4> weight{};          // add up to 1; 0 = not used
  std::int32_t body = 0;                   // deformable
};

struct OverlapContact {
  OverlapSide a, b;
  Vec3 normal;             // unit: pushes a out of b
  double depth = 0;        // m
  double least = 0;        // m, a depth below it is none
  Vec3 found;              // m, side a less side b when the contact was found
  std::int32_t place = 0;  // among all that were found then
  // Its bodies are led apart as they are: its particles are not shifted for themselves.
  bool led = false;
};

}  // namespace pliant
