// Smooth normals for the corners of triangles.
#pragma once

#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// Three for each triangle. Around a vertex the triangles whose normals have a cosine of at least
// `crease` with the corner's own are averaged, weighted by area; -1 averages all.
std::vector<Vec3f> corner_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles, float crease);

}  // namespace pliant
