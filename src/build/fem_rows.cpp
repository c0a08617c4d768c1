#include "build/fem_rows.h"

#include "geometry/topology.h"
#include "math/principal_axes.h"

namespace pliant {
namespace {

// Gradients of shape functions, turned to the axes in which sum w b b^T is diagonal: the material
// is the same in all directions, so each point of each element may have its own axes at rest.
void turn_to_axes(std::span<Vec3> gradients, std::span<const double> weights) {
  Mat3 sum{{{}, {}, {}}};
  for (std::size_t n = 0; n < gradients.size(); ++n)
    for (int r = 0; r < 3; ++r) sum.row[r] += gradients[n] * (gradients[n][r] * weights[n]);
  const Mat3 axes = principal_axes(sum);
  for (Vec3& gradient : gradients) gradient = axes * gradient;
}

FemRow tetrahedron_row(const SolidDef& def, const TetMesh& mesh, const Tetrahedron& t,
                       const std::vector<std::int32_t>& order,
                       std::span<const double> inverse_mass) {
  const auto x = [&](std::size_t n) { return mesh.vertices[std::size_t(t[n])]; };
  FemRow row{{}, {}, signed_volume(mesh, t)};
  std::array<double, 4> weights;
  for (std::size_t n = 0; n < 4; ++n) {
    row.particle[n] = order[std::size_t(t[n])];
    weights[n] = inverse_mass[std::size_t(row.particle[n])];
  }
  // The rows of the matrix are the edges; the columns of its inverse are the gradients.
  const Mat3 b = transposed(inverse(Mat3{{x(1) - x(0), x(2) - x(0), x(3) - x(0)}}));
  std::array<Vec3, 4> gradients = {-(b.row[0] + b.row[1] + b.row[2]), b.row[0], b.row[1], b.row[2]};
  if (def.energy == Energy::cauchy)  // a turn is strain: the axes of the world, where it is placed
    for (Vec3& gradient : gradients) gradient = rotate(def.rotation, gradient);
  else
    turn_to_axes(gradients, weights);
  for (std::size_t n = 0; n < 3; ++n) row.inverse[n] = gradients[n + 1];
  return row;
}

// Where the corners of a Cube are in its own coordinates, which go from -1 to 1: the middle
// tetrahedron, then its opposites.
constexpr std::array<Vec3, 8> k_corners = {{{-1, -1, -1},
                                            {1, 1, -1},
                                            {-1, 1, 1},
                                            {1, -1, 1},
                                            {1, 1, 1},
                                            {-1, -1, 1},
                                            {1, -1, -1},
                                            {-1, 1, -1}}};

struct PointGradients {
  std::array<Vec3, 8> b;  // 1/m
  double jacobian = 0;    // m3, of the unit of the cube's own coordinates
};
PointGradients gradients_at(const Vec3& q, const std::array<Vec3, 8>& x) {
  PointGradients g;
  Mat3 edges{{{}, {}, {}}};  // rows: dx by the cube's coordinates
  for (std::size_t n = 0; n < 8; ++n) {
    const Vec3& s = k_corners[n];
    const Vec3 one{1 + s.x * q.x, 1 + s.y * q.y, 1 + s.z * q.z};
    g.b[n] = {s.x * one.y * one.z / 8, s.y * one.x * one.z / 8, s.z * one.x * one.y / 8};
    for (int r = 0; r < 3; ++r) edges.row[r] += x[n] * g.b[n][r];
  }
  g.jacobian = determinant(edges);
  if (!(g.jacobian > 0)) return g;
  const Mat3 inverted = inverse(edges);
  for (Vec3& b : g.b) b = inverted * b;
  return g;
}

std::array<Vec3, 8> places_of(const TetMesh& mesh, const Cube& cube) {
  std::array<Vec3, 8> x;
  for (std::size_t n = 0; n < 8; ++n) x[n] = mesh.vertices[std::size_t(cube.corners[n])];
  return x;
}

// The four points of integration, then the centre.
std::array<Vec3, 5> points_of_cube() {
  std::array<Vec3, 5> points{};
  for (std::size_t q = 0; q < 4; ++q) points[q] = k_corners[q] * (1 / std::sqrt(3.0));
  return points;
}

// Whether a point of the cube is inside out already at rest.
bool is_crooked(const TetMesh& mesh, const Cube& cube) {
  for (const Vec3& q : points_of_cube())
    if (!(gradients_at(q, places_of(mesh, cube)).jacobian > 0)) return true;
  return false;
}

HexRow hexahedron_row(const TetMesh& mesh, const Cube& cube, const std::vector<std::int32_t>& order,
                      std::span<const double> inverse_mass) {
  HexRow row;
  const std::array<Vec3, 8> x = places_of(mesh, cube);
  std::array<double, 8> weights;
  for (std::size_t n = 0; n < 8; ++n) {
    row.particle[n] = order[std::size_t(cube.corners[n])];
    weights[n] = inverse_mass[std::size_t(row.particle[n])];
  }
  const auto put = [](const PointGradients& g, double share, HexRow::Point& point) {
    for (std::size_t n = 0; n < 7; ++n) point.gradient[n] = g.b[n + 1];
    point.volume = g.jacobian * share;
  };
  const std::array<Vec3, 5> points = points_of_cube();
  for (std::size_t q = 0; q < 4; ++q) {
    PointGradients g = gradients_at(points[q], x);
    turn_to_axes(g.b, weights);
    put(g, 2, row.point[q]);
  }
  put(gradients_at(points[4], x), 8, row.centre);
  return row;
}

}  // namespace

FemMaterial fem_material(const SolidDef& def) {
  const double e = def.youngs_modulus, nu = def.poisson_ratio;
  FemMaterial m;
  m.energy = def.energy;
  m.mu = Real(e / (2 * (1 + nu)));
  m.lambda = Real(e * nu / ((1 + nu) * (1 - 2 * nu)));
  m.damping = Real(def.damping);
  m.explicit_forces = def.model == SolidModel::explicit_fem;
  return m;
}

LatticeParts fem_parts(const SolidDef& def, const TetMesh& mesh) {
  if (def.model != SolidModel::fem || def.element != Element::hexahedra)
    return {{}, mesh.tetrahedra};
  LatticeParts parts = find_cubes(mesh);
  std::erase_if(parts.cubes, [&](const Cube& cube) {
    if (!is_crooked(mesh, cube)) return false;
    for (std::size_t n = 0; n < 5; ++n) parts.tetrahedra.push_back(mesh.tetrahedra[cube.first + n]);
    return true;
  });
  return parts;
}

void add_fem(const SolidDef& def, const TetMesh& mesh, const std::vector<std::int32_t>& order,
             std::span<const double> inverse_mass, ConstraintRows& rows) {
  const LatticeParts parts = fem_parts(def, mesh);
  for (const Tetrahedron& t : parts.tetrahedra)
    rows.fem.push_back(tetrahedron_row(def, mesh, t, order, inverse_mass));
  for (const Cube& cube : parts.cubes)
    rows.hex.push_back(hexahedron_row(mesh, cube, order, inverse_mass));
}

}  // namespace pliant
