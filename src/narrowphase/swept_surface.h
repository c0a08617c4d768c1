// The surfaces of deformables as the search for their contacts sees them: boxes around where they
// go during the step.
#pragma once

#include <vector>

#include "core/pool.h"
#include "math/wide.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

// Closed; w is not used. Padding is twice the spacing of the numbers, so that rounding loses
// nothing.
struct SweptBox {
  Vec4 low{}, high{};
};

struct SearchContext {
  double dt = 0;      // s, what is left of the step
  double margin = 0;  // m, WorldDef::contact_margin
  Vec3 gravity;
};

// How near a vertex is to a rigid shape; scratch.
struct VertexProbe {
  Vec3R local, gradient;  // in the shape's frame
  Real distance = 0;      // m
  Real reach = 0;         // m, how far apart the two may be and still meet during the step
};

// A deformable's surface swept by the step; scratch that keeps its memory.
struct SweptSurface {
  SweptBox all;
  std::vector<SweptBox> clusters;  // of the particles alone, without slack
  double slack = 0;                // m, by which the boxes are grown, besides half the thickness
  std::vector<SweptBox> bounds;    // of each particle's d; beyond them the search does not hold
  bool detailed = false;           // the boxes below are those of this step
  std::vector<SweptBox> vertex, triangle, sharp;
  std::vector<VertexProbe> probes;
  std::vector<std::uint8_t> near;  // of each vertex: its triangles may be in reach
  Real longest = 0;                // m, edge of a triangle; 0 = not measured yet
};

// The box around everything. The others are made by the first search that needs them.
void sweep_surface(const Particles& particles, const Deformable& body, const SearchContext& context,
                   TaskPool* pool, SweptSurface& swept);

// Whether some particle is further than it was swept: then the body has to be searched again.
bool left_sweep(const Particles& particles, const Deformable& body, const SweptSurface& swept,
                TaskPool* pool);
// Makes the boxes of vertices, from their places to where their velocities take them, of triangles
// and of sharp edges, if it has not been done in this step.
void detail_surface(const Particles& particles, const Deformable& body,
                    const SearchContext& context, SweptSurface& swept);

inline Real4V low_of(const SweptBox& b) { return load4(&b.low); }
inline Real4V high_of(const SweptBox& b) { return load4(&b.high); }
inline bool meet(const SweptBox& a, const SweptBox& b) {
  const auto apart = (low_of(a) > high_of(b)) | (low_of(b) > high_of(a));
#if defined(__SSE__) && !defined(PLIANT_DOUBLE)
  return (__builtin_ia32_movmskps((Real4V)apart) & 7) == 0;
#else
  return (apart[0] | apart[1] | apart[2]) == 0;
#endif
}
inline Real4V min4(Real4V a, Real4V b) { return a < b ? a : b; }
inline Real4V max4(Real4V a, Real4V b) { return a > b ? a : b; }
inline SweptBox around(const SweptBox& a, const SweptBox& b) {
  SweptBox box;
  store4(&box.low, min4(low_of(a), low_of(b)));
  store4(&box.high, max4(high_of(a), high_of(b)));
  return box;
}
// Of an edge between two vertices.
inline SweptBox edge_box(const SweptSurface& swept, const std::array<std::int32_t, 2>& ends) {
  return around(swept.vertex[std::size_t(ends[0])], swept.vertex[std::size_t(ends[1])]);
}

}  // namespace pliant
