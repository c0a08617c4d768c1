#include "bench/kernels/edge_sweep.h"

#include <algorithm>
#include <cmath>

#include "constraints/distance.h"
#include "constraints/guards.h"
#include "model/rigid.h"

namespace pliant::bench {
namespace {

constexpr int k_colours = 3;
constexpr Real k_compliance = Real(1e-4);  // m/N
constexpr Real k_inv_h_sq = Real(240.0 * 240.0);

// The edges 01, 12, 20 of a triangle, as in a lane of DistanceTriangleBatch.
struct EdgesOfTriangle {
  std::int32_t i[3];
  Vec3R base[2];  // base_1 - base_0, base_2 - base_1
  Real rest[3], compliance[3];
};

// Each edge of the grid once: those of the lower half of every cell. Halves of one colour share no
// vertex, because x + 2 y differs by 1 or 2 modulo 3 between those that do.
std::vector<EdgesOfTriangle> list_colour(const std::vector<Vec3>& rest, std::int32_t n,
                                         int colour) {
  std::vector<EdgesOfTriangle> out;
  const auto from_to = [&](std::int32_t i, std::int32_t j) {
    return rest[std::size_t(j)] - rest[std::size_t(i)];
  };
  for (std::int32_t y = 0; y + 1 < n; ++y)
    for (std::int32_t x = 0; x + 1 < n; ++x) {
      if ((x + 2 * y) % k_colours != colour) continue;
      EdgesOfTriangle t;
      t.i[0] = y * n + x, t.i[1] = y * n + x + 1, t.i[2] = (y + 1) * n + x;
      for (std::size_t e = 0; e < 3; ++e) {
        const Vec3 edge = from_to(t.i[e], t.i[(e + 1) % 3]);
        if (e < 2) t.base[e] = cast<Real>(edge);
        t.rest[e] = Real(length(edge));
        t.compliance[e] = k_compliance;
      }
      out.push_back(t);
    }
  return out;
}

// Unused lanes point at the particle `spare`, which does not move.
std::vector<DistanceTriangleBatch> pack(const std::vector<EdgesOfTriangle>& triangles,
                                        std::int32_t spare) {
  std::vector<DistanceTriangleBatch> out((triangles.size() + k_lanes - 1) / k_lanes);
  for (std::size_t n = 0; n < out.size() * k_lanes; ++n) {
    DistanceTriangleBatch& b = out[n / k_lanes];
    const std::size_t lane = n % k_lanes;
    const int k = int(lane);
    const bool used = n < triangles.size();
    const EdgesOfTriangle& t = triangles[used ? n : 0];
    for (std::size_t e = 0; e < 3; ++e) {
      b.at[e][lane] = (used ? t.i[e] : spare) * std::int32_t(sizeof(Vec4));
      b.rest[e][k] = t.rest[e];
      b.compliance[e][k] = t.compliance[e];
    }
    for (std::size_t e = 0; e < 2; ++e) {
      b.base[e].x[k] = t.base[e].x;
      b.base[e].y[k] = t.base[e].y;
      b.base[e].z[k] = t.base[e].z;
    }
  }
  return out;
}

// constraints/distance.cpp, for one edge: x = x_j - x_i.
void project_one(Vec4& di, Vec4& dj, const Vec3R& base, Real rest, Real compliance) {
  const Vec3R x{base.x + (dj.x - di.x), base.y + (dj.y - di.y), base.z + (dj.z - di.z)};
  const Real length = std::sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
  const Real a = compliance * k_inv_h_sq;
  const Real c = length - rest;
  const Real s = -c / std::max((di.w + dj.w + a) * length, k_tiny);
  const Real si = s * di.w, sj = s * dj.w;
  di.x -= si * x.x, di.y -= si * x.y, di.z -= si * x.z;
  dj.x += sj * x.x, dj.y += sj * x.y, dj.z += sj * x.z;
}

void project_triangle(const EdgesOfTriangle& t, Vec4* d) {
  Vec4 x0 = d[t.i[0]], x1 = d[t.i[1]], x2 = d[t.i[2]];
  project_one(x0, x1, t.base[0], t.rest[0], t.compliance[0]);
  project_one(x1, x2, t.base[1], t.rest[1], t.compliance[1]);
  const Vec3R sum = t.base[0] + t.base[1];
  project_one(x2, x0, -sum, t.rest[2], t.compliance[2]);
  d[t.i[0]] = x0, d[t.i[1]] = x1, d[t.i[2]] = x2;
}

}  // namespace

struct EdgeSweep::Impl {
  std::vector<Vec3> rest;
  std::vector<Vec4> d;  // the last stays at zero and has no inverse mass
  std::vector<DistanceTriangleBatch> batches[k_colours];
  std::vector<EdgesOfTriangle> triangles[k_colours];
};

EdgeSweep::EdgeSweep(const std::vector<Vec3>& rest, double vertex_mass)
    : impl_(std::make_unique<Impl>()) {
  const std::int32_t n = std::int32_t(std::lround(std::sqrt(double(rest.size()))));
  const double off = 0.1 * length(rest[1] - rest[0]);
  impl_->rest = rest;
  std::uint32_t seed = 1;
  const auto random = [&] {  // -1 .. 1
    seed = seed * 1664525u + 1013904223u;
    return double(seed >> 8) / double(1 << 23) - 1;
  };
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double x = off * random(), y = off * random(), z = off * random();
    impl_->d.push_back({Real(x), Real(y), Real(z), Real(1 / vertex_mass)});
  }
  impl_->d.push_back({0, 0, 0, 0});
  for (int c = 0; c < k_colours; ++c) {
    impl_->triangles[c] = list_colour(rest, n, c);
    impl_->batches[c] = pack(impl_->triangles[c], std::int32_t(rest.size()));
  }
}

EdgeSweep::~EdgeSweep() = default;

int EdgeSweep::edges() const {
  std::size_t count = 0;
  for (const auto& colour : impl_->triangles) count += 3 * colour.size();
  return int(count);
}

void EdgeSweep::run_wide() {
  for (const auto& colour : impl_->batches) project(colour, nullptr, impl_->d.data(), k_inv_h_sq);
}

void EdgeSweep::run_one_by_one() {
  Vec4* d = impl_->d.data();
  for (const auto& colour : impl_->triangles)
    for (const EdgesOfTriangle& t : colour) project_triangle(t, d);
}

void EdgeSweep::positions(std::vector<Vec3>& out) const {
  out.clear();
  for (std::size_t i = 0; i < impl_->rest.size(); ++i) {
    const Vec4& d = impl_->d[i];
    out.push_back(impl_->rest[i] + Vec3{double(d.x), double(d.y), double(d.z)});
  }
}

}  // namespace pliant::bench
