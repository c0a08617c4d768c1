// Cloths with an order: of two that are near each other the outer one belongs on the side to which
// the normals of the inner one point. Where it is not, the contact works the other way round: its
// normal points from the wrong side to the right one, and the distance along it is negative.
//
//   side = o m . (p_b - p_a),  o = 1 where b is the outer one, -1 where a is;  wrong where < 0
//
//   m the normal of the triangle, or the sum of those of the two edges; p_a, p_b the nearest
//   points. Only features that face the same way are put in order: the back of a coat is not
//   outside the front of the shirt, from which the wearer separates it.
//   No history is needed: that is why it repairs what has begun on the wrong side.
#pragma once

#include <span>
#include <vector>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"
#include "model/sheet.h"
#include "narrowphase/sheet_distance.h"

namespace pliant {

// Unit normals of a cloth's particles, weighed by area, at displacements `d`; in `normals`, which
// is of all particles, world-wide.
void find_sheet_normals(const Deformable& body, const Particles& particles, std::span<const Vec4> d,
                        TaskPool* pool, std::vector<Vec4>& normals);

// What says on which side of each other sheets belong, beyond where they are.
struct SheetSides {
  std::span<const Vec4> normals;  // of the particles of cloths that have an order
  std::span<const std::uint8_t>
      loose;  // of each particle: is where cloths are tangled; may be empty
};

// Turns round the lanes of a fresh batch that are on the wrong side. r1, r2, r3 as for the nearest
// points.
void turn_wrong_lanes(SheetBatch& batch, const SheetNearestW& near, const std::array<Vec3W, 3>& r,
                      std::span<const Vec4> normals);
// Where cloths are tangled, contacts are of no use: none has a normal there but those that are in
// order and along the normals of the cloths. Returns the lanes that are off.
MaskW let_go(SheetBatch& batch, const SheetNearestW& near, const std::array<Vec3W, 3>& r,
             const SheetSides& sides);

}  // namespace pliant
