#include "geometry/mass_properties.h"

namespace pliant {

namespace {

constexpr double k_pi = 3.14159265358979323846;

// Integrals over tetrahedra, relative to a point of the body, so that distance costs no digits.
struct Moments {
  double volume = 0;
  Vec3 first;                                      // of r
  Mat3 second{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};  // of r r^T

  void add(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const double v = dot(b - a, cross(c - a, d - a)) / 6;
    const Vec3 sum = a + b + c + d;
    volume += v;
    first += sum * (v / 4);
    for (int i = 0; i < 3; ++i) {
      for (const Vec3& p : {a, b, c, d, sum}) second.row[i] += p * (p[i] * v / 20);
    }
  }
};

MassProperties finish(const Moments& m, const Vec3& reference) {
  if (m.volume == 0) return {0, reference, {{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
  const Vec3 offset = m.first / m.volume;
  Mat3 covariance = m.second;
  for (int i = 0; i < 3; ++i) covariance.row[i] -= offset * (offset[i] * m.volume);
  const double trace = covariance.row[0].x + covariance.row[1].y + covariance.row[2].z;
  MassProperties result{m.volume, reference + offset, {}};
  for (int i = 0; i < 3; ++i) {
    result.inertia.row[i] = -covariance.row[i];
    result.inertia.row[i][i] += trace;
  }
  return result;
}

Mat3 diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

}  // namespace

MassProperties mass_properties(const TriMesh& mesh) {
  if (mesh.vertices.empty()) return finish({}, {});
  const std::vector<Vec3>& p = mesh.vertices;
  Moments moments;
  for (const auto& [a, b, c] : mesh.triangles) {
    moments.add({}, p[a] - p[0], p[b] - p[0], p[c] - p[0]);
  }
  return finish(moments, p[0]);
}

MassProperties mass_properties(const TetMesh& mesh) {
  if (mesh.vertices.empty()) return finish({}, {});
  const std::vector<Vec3>& p = mesh.vertices;
  Moments moments;
  for (const auto& [a, b, c, d] : mesh.tetrahedra) {
    moments.add(p[a] - p[0], p[b] - p[0], p[c] - p[0], p[d] - p[0]);
  }
  return finish(moments, p[0]);
}

MassProperties sphere_mass_properties(double radius) {
  const double v = 4.0 / 3.0 * k_pi * radius * radius * radius;
  const double i = 0.4 * v * radius * radius;
  return {v, {}, diagonal(i, i, i)};
}

MassProperties box_mass_properties(const Vec3& half) {
  const double v = 8 * half.x * half.y * half.z;
  const Vec3 sq = scaled(half, half);
  return {v, {}, diagonal(v / 3 * (sq.y + sq.z), v / 3 * (sq.x + sq.z), v / 3 * (sq.x + sq.y))};
}

MassProperties capsule_mass_properties(double radius, double half_height) {
  const double r2 = radius * radius, h = half_height;
  const double cylinder = 2 * k_pi * r2 * h;
  const double caps = 4.0 / 3.0 * k_pi * r2 * radius;
  const double along = cylinder * r2 / 2 + caps * 0.4 * r2;
  // A cap has 2/5 m r2 about the centre of its flat side, and its centre of mass is 3/8 r beyond
  // that; the parallel axis theorem, used twice, gives 2/5 r2 + h2 + 3/4 h r.
  const double across =
      cylinder * (r2 / 4 + h * h / 3) + caps * (0.4 * r2 + h * h + 0.75 * h * radius);
  return {cylinder + caps, {}, diagonal(across, along, across)};
}

}  // namespace pliant
