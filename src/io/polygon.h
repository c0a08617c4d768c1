// Polygons of files into triangles, and equal points of triangle soups into one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// Appends the triangles of one polygon, concave ones by cutting ears. Corners that repeat their
// neighbour are dropped; where fewer than three are left one degenerate triangle stands for the
// polygon, so that it is found as a defect.
void append_polygon(std::span<const std::int32_t> corners, TriMesh& mesh);

// Corners at the same place (bit for bit, -0 as 0) become one vertex, numbered on first use.
TriMesh weld_soup(std::span<const Vec3> corners);

}  // namespace pliant
