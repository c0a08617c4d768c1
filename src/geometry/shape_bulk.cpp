#include "geometry/shape_bulk.h"

#include "geometry/hull.h"
#include "geometry/mass_properties.h"

namespace pliant {

namespace {

Mat3 zero() { return {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}; }

Bulk of_mesh(const TriMesh& mesh, double density) {
  const MassProperties m = mass_properties(mesh);
  Bulk b{m.volume * density, m.centre, m.inertia};
  for (Vec3& row : b.inertia.row) row = row * density;
  return b;
}

// Of a point mass at d: m (d.d 1 - d d^T).
void add_point(Mat3& inertia, double mass, const Vec3& d) {
  for (int i = 0; i < 3; ++i) {
    inertia.row[i] -= d * (mass * d[i]);
    inertia.row[i][i] += mass * dot(d, d);
  }
}

// The parallel-axis theorem, for each part.
Bulk of_compound(const Compound& compound, double density) {
  std::vector<Bulk> parts;
  Bulk whole;
  for (const CompoundPart& p : compound.parts) {
    Bulk b = shape_bulk(p.shape, p.density > 0 ? p.density : density);
    const Mat3 turn = to_matrix(normalized(p.rotation));
    b.centre = p.position + turn * b.centre;
    b.inertia = turn * b.inertia * transposed(turn);
    whole.mass += b.mass;
    whole.centre += b.centre * b.mass;
    parts.push_back(b);
  }
  if (!(whole.mass > 0)) return {};
  whole.centre = whole.centre / whole.mass;
  for (const Bulk& b : parts) {
    for (int i = 0; i < 3; ++i) whole.inertia.row[i] += b.inertia.row[i];
    add_point(whole.inertia, b.mass, b.centre - whole.centre);
  }
  return whole;
}

void turn_out(Mat3& m, Mat3& r, int p, int q) {
  const double off = m.row[p][q];
  if (off == 0) return;
  const double theta = (m.row[q][q] - m.row[p][p]) / (2 * off);
  const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), s = t * c;
  Mat3 g;
  g.row[p][p] = g.row[q][q] = c;
  g.row[p][q] = s;
  g.row[q][p] = -s;
  m = transposed(g) * m * g;
  m.row[p][q] = m.row[q][p] = 0;
  r = r * g;
}

Quat to_quat(const Mat3& m) {
  const double x = m.row[0].x, y = m.row[1].y, z = m.row[2].z;
  const auto a = [&](int i, int j) { return m.row[i][j]; };
  if (x + y + z > 0)
    return normalized(Quat{a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1), 1 + x + y + z});
  if (x >= y && x >= z)
    return normalized(Quat{1 + x - y - z, a(0, 1) + a(1, 0), a(0, 2) + a(2, 0), a(2, 1) - a(1, 2)});
  if (y >= z)
    return normalized(Quat{a(0, 1) + a(1, 0), 1 + y - x - z, a(1, 2) + a(2, 1), a(0, 2) - a(2, 0)});
  return normalized(Quat{a(0, 2) + a(2, 0), a(1, 2) + a(2, 1), 1 + z - x - y, a(1, 0) - a(0, 1)});
}

}  // namespace

Bulk shape_bulk(const Shape& shape, double density) {
  if (const auto* compound = std::get_if<Compound>(&shape)) return of_compound(*compound, density);
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return of_mesh(mesh->mesh, density);
  if (const auto* hull = std::get_if<Hull>(&shape))
    return of_mesh(hull_mesh(make_hull(hull->points).value()), density);
  if (const auto* user = std::get_if<UserShape>(&shape)) return of_mesh(user_mesh(*user), density);
  if (std::holds_alternative<HeightField>(shape)) return {};
  const ConvexShape simple = make_convex(shape);
  Bulk b{density * shape_volume(simple), {}, zero()};
  const Vec3 moments = shape_inertia(simple, b.mass);
  for (int i = 0; i < 3; ++i) b.inertia.row[i][i] = moments[i];
  return b;
}

// Jacobi's turns: each makes one pair of entries zero.
Principal find_principal(const Mat3& inertia) {
  Mat3 m = inertia, r;
  const double size = std::fabs(m.row[0].x) + std::fabs(m.row[1].y) + std::fabs(m.row[2].z);
  for (int sweep = 0; sweep < 32; ++sweep) {
    const double off = std::fabs(m.row[0].y) + std::fabs(m.row[0].z) + std::fabs(m.row[1].z);
    if (off <= 1e-14 * size) break;
    turn_out(m, r, 0, 1);
    turn_out(m, r, 0, 2);
    turn_out(m, r, 1, 2);
  }
  return {{m.row[0].x, m.row[1].y, m.row[2].z}, to_quat(r)};
}

std::string no_bulk_reason(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape)) return "a half_space";
  if (std::holds_alternative<Rectangle>(shape)) return "a rectangle";
  if (std::holds_alternative<HeightField>(shape)) return "a height_field";
  if (const auto* mesh = std::get_if<Mesh>(&shape))
    return is_closed(mesh->mesh) ? ""
                                 : "a mesh that is not closed (every edge needs two triangles of "
                                   "opposite direction, normals outward) and so has no inside";
  if (const auto* compound = std::get_if<Compound>(&shape))
    for (const CompoundPart& part : compound->parts)
      if (std::string reason = no_bulk_reason(part.shape); !reason.empty())
        return "a compound with " + reason;
  return "";
}

Vec3 centre_of_mass(const Shape& shape) {
  return no_bulk_reason(shape).empty() ? shape_bulk(shape, 1).centre : Vec3{};
}

}  // namespace pliant
