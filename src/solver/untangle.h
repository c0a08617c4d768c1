// Drawing tangled cloths out of each other: where an edge passes through a triangle, the two are
// moved against each other such that the line along which the cloths cross gets shorter, until it
// has left them over a rim or has shrunk to a point.
//
//   E direction of the edge, N normal of the triangle, R_i direction of the line of crossing from
//   the edge into the i-th triangle beside it. A shift u of the edge against the triangle moves
//   their common point by u - E (N.u) / (N.E), and the line gets shorter by
//     G . u,  G = sum R_i - N (E.R_i) / (E.N)
//   u = u_most G / sqrt(G.G + g^2); along a straight line of crossing G is 0.
//
// The shift is shared by inverse mass and by the weights of the common point, so that momentum
// stays, and is no velocity. A line that runs across both cloths from rim to rim cannot be
// shortened in this way.
// Source: intersection contour minimisation (Volino and Magnenat-Thalmann 2006), derived anew.
#pragma once

#include <span>
#include <vector>

#include "model/deformable.h"
#include "model/particles.h"
#include "model/sheet.h"

namespace pliant {

// G of an edge (places 0 and 1, m) that passes through a triangle (2, 3, 4); `wings` are the third
// corners of the triangles beside the edge.
Vec3 contour_shortening(const std::array<Vec3, 5>& place, std::span<const Vec3> wings);

// Marks the particles around what is pierced: contacts between them are off meanwhile, because what
// is on the wrong side of another would be kept there. `loose` is of all particles, world-wide.
void mark_loose(std::span<const Deformable> bodies, std::span<const std::int32_t> members,
                std::span<const SheetPiercing> piercings, std::vector<std::uint8_t>& loose);
// `begin` is d of all particles when the substep began, `most` (m) the longest shift.
void untangle(std::span<const SheetPiercing> piercings, std::span<const Vec4> begin, double most,
              Particles& particles);

}  // namespace pliant
