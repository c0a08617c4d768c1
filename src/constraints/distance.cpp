#include "constraints/distance.h"

#include <algorithm>

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

enum class Pass { only, repeated, pbd };  // repeated sweeps keep multipliers

// Projects one edge of eight lanes; x = x_j - x_i. Written once for single edges and for triangles,
// and always inlined: through memory it would cost twice the time. `factor` is 1 / h^2, or the
// stiffness of a position based pass.
template <Pass pass>
[[gnu::always_inline]] inline void project_edge(Vec4W& di, Vec4W& dj, const Vec3W& base, RealW rest,
                                                RealW compliance, Real factor, RealW* multiplier) {
  const Vec3W x = base + (dj.xyz() - di.xyz());
  const RealW length = sqrt(dot(x, x));
  const RealW a = pass == Pass::pbd ? splat(0) : compliance * factor;
  RealW c = length - rest;
  if constexpr (pass == Pass::pbd) c *= factor;
  if constexpr (pass == Pass::repeated) c += a * *multiplier;
  // dlam / |x|, so that one division serves both.
  const RealW s = -c / max((di.w + dj.w + a) * length, splat(k_tiny));
  if constexpr (pass == Pass::repeated) *multiplier += s * length;
  shift_apart(di, dj, s, x);
}

template <Pass pass>
void sweep(std::span<const DistanceBatch> batches, RealW* multipliers, Vec4* d, Real factor) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const DistanceBatch& b = batches[n];
    Vec4W di = gather(d, b.i.data()), dj = gather(d, b.j.data());
    project_edge<pass>(di, dj, b.base, b.rest, b.compliance, factor,
                       pass == Pass::repeated ? multipliers + n : nullptr);
    scatter(d, b.i.data(), di);
    scatter(d, b.j.data(), dj);
  }
}

template <Pass pass>
void sweep(std::span<const DistanceTriangleBatch> batches, std::array<RealW, 3>* multipliers,
           Vec4* d, Real factor) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const DistanceTriangleBatch& b = batches[n];
    Vec4W x0 = gather(d, b.i[0].data()), x1 = gather(d, b.i[1].data()),
          x2 = gather(d, b.i[2].data());
    const auto multiplier = [&](std::size_t e) {
      return pass == Pass::repeated ? &multipliers[n][e] : nullptr;
    };
    project_edge<pass>(x0, x1, b.base[0], b.rest[0], b.compliance[0], factor, multiplier(0));
    project_edge<pass>(x1, x2, b.base[1], b.rest[1], b.compliance[1], factor, multiplier(1));
    project_edge<pass>(x2, x0, -(b.base[0] + b.base[1]), b.rest[2], b.compliance[2], factor,
                       multiplier(2));
    scatter(d, b.i[0].data(), x0);
    scatter(d, b.i[1].data(), x1);
    scatter(d, b.i[2].data(), x2);
  }
}

// Calls visit(length, rest, compliance) of each edge's eight lanes.
template <class Visit>
void visit_edges(std::span<const DistanceBatch> batches, const Vec4* d, const Visit& visit) {
  for (const DistanceBatch& b : batches) {
    const Vec3W x = b.base + (gather(d, b.j.data()).xyz() - gather(d, b.i.data()).xyz());
    visit(sqrt(dot(x, x)), b.rest, b.compliance);
  }
}
template <class Visit>
void visit_edges(std::span<const DistanceTriangleBatch> batches, const Vec4* d,
                 const Visit& visit) {
  for (const DistanceTriangleBatch& b : batches) {
    const Vec3W x0 = gather(d, b.i[0].data()).xyz(), x1 = gather(d, b.i[1].data()).xyz(),
                x2 = gather(d, b.i[2].data()).xyz();
    const Vec3W e[3] = {b.base[0] + (x1 - x0), b.base[1] + (x2 - x1),
                        (x0 - x2) - (b.base[0] + b.base[1])};
    for (std::size_t k = 0; k < 3; ++k) visit(sqrt(dot(e[k], e[k])), b.rest[k], b.compliance[k]);
  }
}

template <class Batch>
double energy_of(std::span<const Batch> batches, const Vec4* d) {
  double sum = 0;
  visit_edges(batches, d, [&](RealW length, RealW rest, RealW compliance) {
    const RealW c = length - rest;
    for (int k = 0; k < k_lanes; ++k)
      if (compliance[k] > 0) sum += 0.5 * double(c[k]) * double(c[k]) / double(compliance[k]);
  });
  return sum;
}

template <class Batch>
void stretch_of(std::span<const Batch> batches, const Vec4* d, Stretch& stretch) {
  visit_edges(batches, d, [&](RealW length, RealW rest, RealW) {
    for (int k = 0; k < k_lanes; ++k)
      if (rest[k] > 0) stretch.add(double(length[k]) / double(rest[k]));
  });
}

}  // namespace

void Stretch::add(double ratio) {
  max = std::max(max, ratio);
  sum += ratio;
  ++count;
}

void refresh_bases(std::span<DistanceBatch> batches, const Vec4* base) {
  for (DistanceBatch& b : batches)
    b.base = gather(base, b.j.data()).xyz() - gather(base, b.i.data()).xyz();
}
void refresh_bases(std::span<DistanceTriangleBatch> batches, const Vec4* base) {
  for (DistanceTriangleBatch& b : batches) {
    const Vec3W x1 = gather(base, b.i[1].data()).xyz();
    b.base = {x1 - gather(base, b.i[0].data()).xyz(), gather(base, b.i[2].data()).xyz() - x1};
  }
}

void project(std::span<const DistanceBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  if (multipliers == nullptr)
    sweep<Pass::only>(batches, nullptr, d, inv_h_sq);
  else
    sweep<Pass::repeated>(batches, multipliers, d, inv_h_sq);
}
void project(std::span<const DistanceTriangleBatch> batches, std::array<RealW, 3>* multipliers,
             Vec4* d, Real inv_h_sq) {
  if (multipliers == nullptr)
    sweep<Pass::only>(batches, nullptr, d, inv_h_sq);
  else
    sweep<Pass::repeated>(batches, multipliers, d, inv_h_sq);
}

void project_pbd(std::span<const DistanceBatch> batches, Vec4* d, Real stiffness) {
  sweep<Pass::pbd>(batches, nullptr, d, stiffness);
}
void project_pbd(std::span<const DistanceTriangleBatch> batches, Vec4* d, Real stiffness) {
  sweep<Pass::pbd>(batches, nullptr, d, stiffness);
}

double energy(std::span<const DistanceBatch> batches, const Vec4* d) {
  return energy_of(batches, d);
}
double energy(std::span<const DistanceTriangleBatch> batches, const Vec4* d) {
  return energy_of(batches, d);
}
void measure_stretch(std::span<const DistanceBatch> batches, const Vec4* d, Stretch& stretch) {
  stretch_of(batches, d, stretch);
}
void measure_stretch(std::span<const DistanceTriangleBatch> batches, const Vec4* d,
                     Stretch& stretch) {
  stretch_of(batches, d, stretch);
}

}  // namespace pliant
