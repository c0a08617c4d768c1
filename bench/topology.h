// Edges, boundaries and lumped masses of the meshes in a scene, the same for every engine.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>
#include <pliant/mesh.h>

namespace pliant::bench {

using Edge = std::array<std::int32_t, 2>;  // lower index first

std::vector<Edge> unique_edges(const std::vector<Triangle>& triangles);
std::vector<Edge> unique_edges(const std::vector<Tetrahedron>& tetrahedra);
// The faces that belong to one tetrahedron only, outward where its volume is positive.
std::vector<Triangle> boundary(const std::vector<Tetrahedron>& tetrahedra);

// A third of each triangle's and a quarter of each tetrahedron's mass to each corner (kg).
std::vector<double> lumped_masses(const ClothDef& cloth);
std::vector<double> lumped_masses(const SolidDef& solid);

// From the density and the shape where the definition gives no mass (kg).
double body_mass(const BodyDef& body);

// Where the vertices begin in the world (m).
std::vector<Vec3> placed_vertices(const ClothDef& cloth);
std::vector<Vec3> placed_vertices(const SolidDef& solid);

double signed_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace pliant::bench
