// Points tied to the tetrahedra that contain them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// A point carried by a tetrahedron: the sum of weights[k] times its vertex k.
struct EmbeddedVertex {
  std::int32_t tetrahedron = 0;
  std::array<double, 4> weights{};
};

// The barycentric coordinates of a point, which add up to 1; none is negative inside.
std::array<double, 4> barycentric(const TetMesh& mesh, const Tetrahedron& t, const Vec3& p);

// Of the tetrahedra that contain a point the one that does so best, of equals the first; a point
// outside goes to that of the nearest boundary face, with negative weights.
std::vector<EmbeddedVertex> embed_points(const std::vector<Vec3>& points, const TetMesh& mesh);

Vec3 carried_position(const EmbeddedVertex& vertex, const TetMesh& mesh);

}  // namespace pliant
