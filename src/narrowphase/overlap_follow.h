// Contacts of overlaps while the solids move a little on: which points are inside what, which face
// is in their way and where it leads stay as they were found, and only the depth follows.
//
//   depth(x) = depth_found - n . (s(x) - s(x_found)),  s(x) = sum_a w x - sum_b w x
//
//   w are the weights of the two sides, n the direction found. A pair is looked for anew when one
//   of its solids has moved too far since that solid was last looked around; what others do,
//   somewhere else, changes nothing. Where a side turns by an angle t while a point slides over it
//   by d, the error is about t d. Points that are outside, but over a face and so near that they
//   may get in meanwhile, wait: contacts with a depth below 0. Without these, what rests would sink
//   in between two searches and be thrown out by the next one.
#pragma once

#include <span>
#include <vector>

#include "model/overlap.h"
#include "narrowphase/overlap_solid.h"

namespace pliant {

inline constexpr double k_followed = 0.05;  // of a cell, along each axis
// Of a cell: from how far out a point waits. Two solids come nearer by 2 sqrt(3) k_followed at
// most.
inline constexpr double k_waits = 0.175;

// Whether no point of a solid has moved further than it may since `then`; places in m, of its range
// and of all particles.
bool is_followed(const OverlapSolid& solid, std::span<const Vec3> then, std::span<const Vec3> now);
// Notes where the sides of contacts are, and their order.
void note_sides(std::span<OverlapContact> contacts, std::span<const Vec3> x);
// Whether a contact leads out of a side that the point's own surface looks at; those of edges do.
bool is_facing(const OverlapSolid& own, const OverlapContact& contact);
// Appends the contacts of points of `own` that wait over `solid`, both with their faces as they are
// at `x`. `has` says of each particle whether it has a contact already.
void find_waiting(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                  std::span<const std::uint8_t> has, std::vector<OverlapContact>& contacts);
// Appends those that still overlap, with their depths now.
void follow_contacts(std::span<const OverlapContact> contacts, std::span<const Vec3> x,
                     std::vector<OverlapContact>& out);

}  // namespace pliant
