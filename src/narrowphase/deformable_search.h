// The search for contacts that touch a particle: once per step, candidates within reach of the
// step's motion plus a margin, into slots that live for the step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/contact.h"
#include "model/deformable.h"
#include "model/manifold.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

struct BoundingBox {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
  void add(const Vec3& p) {
    low = min(low, p);
    high = max(high, p);
  }
  bool meets(const BoundingBox& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
           low.z <= b.high.z && b.low.z <= high.z;
  }
};

// Boxes of a deformable's surface swept by the step; scratch that keeps its memory.
struct SweptSurface {
  BoundingBox all;
  std::vector<BoundingBox> vertex;  // each vertex from its place to where its velocity takes it
  double slack = 0;                 // m, by which the boxes are grown
};

struct SearchContext {
  double dt = 0;      // s, the whole step
  double margin = 0;  // m, WorldDef::contact_margin
  Vec3 gravity;
};

void sweep_surface(const Particles& particles, const Deformable& body, const SearchContext& context,
                   SweptSurface& swept);
BoundingBox sweep_rigid(const RigidBodies& rigid, std::int32_t index, const SearchContext& context);

// Each appends the slots of one pair, in rising order of the features.
void search_rigid(const Particles& particles, std::span<const Deformable> bodies, std::int32_t body,
                  const SweptSurface& swept, const RigidBodies& rigid, std::int32_t rigid_index,
                  const SearchContext& context, ContactSlots& slots);
// Vertices of `body` against triangles of `other`; at least one of the two is a solid.
void search_deformable(const Particles& particles, std::span<const Deformable> bodies,
                       std::int32_t body, const SweptSurface& swept, std::int32_t other,
                       const SweptSurface& swept_other, ContactSlots& slots);

}  // namespace pliant
