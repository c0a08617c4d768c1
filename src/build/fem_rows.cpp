#include "build/fem_rows.h"

#include "geometry/topology.h"
#include "math/principal_axes.h"

namespace pliant {
namespace {

void add_outer(Mat3& m, const Vec3& b, double weight) {
  for (int r = 0; r < 3; ++r) m.row[r] += b * (b[r] * weight);
}

}  // namespace

FemMaterial fem_material(const SolidDef& def) {
  const double e = def.youngs_modulus, nu = def.poisson_ratio;
  return {def.energy, Real(e / (2 * (1 + nu))), Real(e * nu / ((1 + nu) * (1 - 2 * nu)))};
}

// The material is the same in all directions, so each element may have its own axes at rest: those
// in which the weights of its rows are diagonal.
void add_fem(const TetMesh& mesh, const std::vector<std::int32_t>& order,
             std::span<const double> inverse_mass, ConstraintRows& rows) {
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const auto x = [&](std::size_t n) { return mesh.vertices[std::size_t(t[n])]; };
    FemRow row{{}, {}, signed_volume(mesh, t)};
    for (std::size_t n = 0; n < 4; ++n) row.particle[n] = order[std::size_t(t[n])];
    // The rows of the matrix are the edges; the columns of its inverse are the gradients.
    const Mat3 gradient = transposed(inverse(Mat3{{x(1) - x(0), x(2) - x(0), x(3) - x(0)}}));
    Mat3 weights{{{}, {}, {}}};
    const auto mass_of = [&](std::size_t n) { return inverse_mass[std::size_t(row.particle[n])]; };
    add_outer(weights, gradient.row[0] + gradient.row[1] + gradient.row[2], mass_of(0));
    for (int n = 0; n < 3; ++n) add_outer(weights, gradient.row[n], mass_of(std::size_t(n) + 1));
    const Mat3 axes = principal_axes(weights);
    for (int n = 0; n < 3; ++n) row.inverse[std::size_t(n)] = axes * gradient.row[n];
    rows.fem.push_back(row);
  }
}

}  // namespace pliant
