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

// Eight triangles between fetching and putting back.
template <Pass pass>
class TriangleLanes {
 public:
  [[gnu::always_inline]] TriangleLanes(const DistanceTriangleBatch& batch, const Vec4* d,
                                       std::array<RealW, 3>* multipliers)
      : b_(batch),
        multipliers_(multipliers),
        x_{gather_bytes(d, batch.at[0].data()), gather_bytes(d, batch.at[1].data()),
           gather_bytes(d, batch.at[2].data())} {}

  [[gnu::always_inline]] void project_01(Real factor) { edge(0, 1, b_.base[0], factor); }
  [[gnu::always_inline]] void project_12(Real factor) { edge(1, 2, b_.base[1], factor); }
  [[gnu::always_inline]] void project_20(Real factor) {
    edge(2, 0, -(b_.base[0] + b_.base[1]), factor);
  }
  [[gnu::always_inline]] void put_back(Vec4* d) const {
    for (std::size_t k = 0; k < 3; ++k) scatter_bytes(d, b_.at[k].data(), x_[k]);
  }

 private:
  [[gnu::always_inline]] void edge(std::size_t from, std::size_t to, const Vec3W& base,
                                   Real factor) {
    RealW* multiplier = pass == Pass::repeated ? &(*multipliers_)[from] : nullptr;
    project_edge<pass>(x_[from], x_[to], base, b_.rest[from], b_.compliance[from], factor,
                       multiplier);
  }

  const DistanceTriangleBatch& b_;
  std::array<RealW, 3>* multipliers_;
  Vec4W x_[3];
};

// Of bodies that fit in no cache the batches are most of what a substep reads, and the machine by
// itself looks too little ahead: a tenth of the time of such a sweep.
inline void fetch_ahead(const DistanceTriangleBatch* batch) {
  constexpr std::size_t k_line = 64, k_batches_ahead = 8;
  const char* from = reinterpret_cast<const char*>(batch) + k_batches_ahead * sizeof *batch;
  for (std::size_t at = 0; at < 2 * sizeof *batch; at += k_line) __builtin_prefetch(from + at);
}

// Two batches at once, which share no particle: each edge of a triangle waits for the one before,
// and what one batch waits for leaves the machine to the other. A fifth of the time of a sweep.
template <Pass pass>
void sweep(std::span<const DistanceTriangleBatch> batches, std::array<RealW, 3>* multipliers,
           Vec4* d, Real factor) {
  const auto kept = [&](std::size_t n) {
    return pass == Pass::repeated ? multipliers + n : nullptr;
  };
  std::size_t n = 0;
  for (; n + 1 < batches.size(); n += 2) {
    TriangleLanes<pass> a(batches[n], d, kept(n)), b(batches[n + 1], d, kept(n + 1));
    fetch_ahead(&batches[n]);
    a.project_01(factor);
    b.project_01(factor);
    a.project_12(factor);
    b.project_12(factor);
    a.project_20(factor);
    b.project_20(factor);
    a.put_back(d);
    b.put_back(d);
  }
  if (n == batches.size()) return;
  TriangleLanes<pass> last(batches[n], d, kept(n));
  last.project_01(factor);
  last.project_12(factor);
  last.project_20(factor);
  last.put_back(d);
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
    const Vec3W x0 = gather_bytes(d, b.at[0].data()).xyz(),
                x1 = gather_bytes(d, b.at[1].data()).xyz(),
                x2 = gather_bytes(d, b.at[2].data()).xyz();
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
    const Vec3W x1 = gather_bytes(base, b.at[1].data()).xyz();
    b.base = {x1 - gather_bytes(base, b.at[0].data()).xyz(),
              gather_bytes(base, b.at[2].data()).xyz() - x1};
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
