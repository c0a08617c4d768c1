// The search for contacts that touch a particle: once per step, candidates within reach of the
// step's motion plus a margin, into batches and slots that live for the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/pool.h"
#include "model/contact.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

// Closed; w is not used. Padding is twice the spacing of the numbers, so that rounding loses
// nothing.
struct SweptBox {
  Vec4 low{}, high{};
};
bool meet(const SweptBox& a, const SweptBox& b);

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
  std::vector<SweptBox> vertex, triangle;
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

// The vertices, and where the shape turns within them the triangles, of a body that are in reach of
// a rigid shape: appends one pair where there are any, features rising.
void search_rigid(const Particles& particles, std::span<const Deformable> bodies, std::int32_t body,
                  SweptSurface& swept, const RigidBodies& rigid, std::int32_t rigid_index,
                  const SearchContext& context, ContactSlots& slots);
// Vertices of `body` against triangles of `other`; at least one of the two is a solid.
void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, SweptSurface& swept, std::int32_t other,
                       SweptSurface& swept_other, const SearchContext& context,
                       ContactSlots& slots);

}  // namespace pliant
