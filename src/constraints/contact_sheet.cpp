#include "constraints/contact_sheet.h"

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

const Vec3W k_nowhere{};

// What friction does beyond what it has done already in this substep.
Vec3W friction(SheetBatch& b, const std::array<Vec4W, 4>& d, const std::array<Vec4W, 4>& before,
               RealW weight, RealW loading) {
  Vec3W moved{};
  for (std::size_t k = 0; k < 4; ++k) moved = moved + (d[k].xyz() - before[k].xyz()) * b.weight[k];
  const Vec3W slip = moved - b.normal * dot(moved, b.normal);
  const Vec3W wanted = b.rubbed - slip * (splat(1) / max(weight, splat(k_tiny)));
  const RealW size = sqrt(dot(wanted, wanted));
  const MaskW sticks = size <= b.friction_static * loading;
  const RealW slides = b.friction_kinetic * loading / max(size, splat(k_tiny));
  const Vec3W now = wanted * select(sticks, splat(1), min(slides, splat(1)));
  const Vec3W change = select(loading > 0, now - b.rubbed, k_nowhere);
  b.rubbed = b.rubbed + change;
  return change;
}

}  // namespace

std::array<Vec4W, 4> gather_sheet(const SheetBatch& b, const std::vector<Vec4>& array) {
  return {gather(array.data(), b.particle[0].data()), gather(array.data(), b.particle[1].data()),
          gather(array.data(), b.particle[2].data()), gather(array.data(), b.particle[3].data())};
}

RealW distance_now(const SheetBatch& b, const std::array<Vec4W, 4>& d) {
  Vec3W sum = d[0].xyz() * b.weight[0];
  for (std::size_t k = 1; k < 4; ++k) sum = sum + (d[k].xyz() + b.from[k - 1]) * b.weight[k];
  return dot(b.normal, sum);
}

void project_sheet_batch(SheetBatch& b, Particles& particles) {
  std::array<Vec4W, 4> d = gather_sheet(b, particles.d);
  const RealW zero = splat(0), missing = b.target - distance_now(b, d);
  RealW weight = zero;
  for (std::size_t k = 0; k < 4; ++k) weight += d[k].w * b.weight[k] * b.weight[k];
  const MaskW acts = ((missing > 0) | (b.multiplier > 0)) & (weight > k_tiny);
  if (!any(acts)) return;
  const std::array<Vec4W, 4> before = gather_sheet(b, particles.d_before);
  const RealW change = select(acts, max(missing / max(weight, splat(k_tiny)), -b.multiplier), zero);
  b.multiplier += change;
  for (std::size_t k = 0; k < 4; ++k) {
    const RealW amount = change * d[k].w * b.weight[k];
    shift(d[k], amount, b.normal);
  }
  const RealW loading = select(acts, b.multiplier, zero);
  const Vec3W rubbed = friction(b, d, before, weight, loading);
  for (std::size_t k = 0; k < 4; ++k) {
    shift(d[k], d[k].w * b.weight[k], rubbed);
    const MaskW moves = acts & (d[k].w > 0) & (b.weight[k] != 0);
    scatter_lanes(particles.d.data(), b.particle[k].data(), d[k], lane_bits(moves));
  }
}

}  // namespace pliant
