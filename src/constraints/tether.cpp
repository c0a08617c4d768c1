#include "constraints/tether.h"

#include "constraints/guards.h"
#include "math/wide.h"

namespace pliant {

namespace {

// Rows of two particles: lanes k and k + 4, as they lie in memory.
using TwoRows = std::array<RealW, 4>;

[[gnu::always_inline]] inline TwoRows load_rows(const Vec4* first, const TetherBatch& b) {
  TwoRows rows;
  for (std::size_t k = 0; k < rows.size(); ++k)
    rows[k] = join4(load4(first + b.beyond[k]), load4(first + b.beyond[k + 4]));
  return rows;
}
[[gnu::always_inline]] inline void store_rows(Vec4* first, const TetherBatch& b,
                                              const TwoRows& rows) {
  const bool all = b.used == 0xff;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (all || (b.used >> k & 1)) store4(first + b.beyond[k], low4(rows[k]));
    if (all || (b.used >> (k + 4) & 1)) store4(first + b.beyond[k + 4], high4(rows[k]));
  }
}
RealW twice(Real4V v) { return join4(v, v); }

}  // namespace

// Differences are taken and shifts are added row by row: only x and the shift are transposed, not
// bases and displacements.
void project(std::span<const TetherBatch> batches, const Vec4* base, Vec4* d) {
  for (const TetherBatch& b : batches) {
    TwoRows moved = load_rows(d + b.first, b);
    const TwoRows from = load_rows(base + b.first, b);
    const RealW pin_base = twice(load4(base + b.pin)), pin_d = twice(load4(d + b.pin));
    Vec4W x{(from[0] - pin_base) + (moved[0] - pin_d), (from[1] - pin_base) + (moved[1] - pin_d),
            (from[2] - pin_base) + (moved[2] - pin_d), (from[3] - pin_base) + (moved[3] - pin_d)};
    transpose4(x.x, x.y, x.z, x.w);
    const RealW length_sq = dot(x.xyz(), x.xyz()), limit = load_wide(b.limit.data());
    const MaskW taut = length_sq > limit * limit;
    if (!any(taut)) continue;
    const RealW s = select(taut, limit / max(sqrt(length_sq), splat(k_tiny)) - 1, splat(0));
    Vec4W shift{s * x.x, s * x.y, s * x.z, splat(0)};
    transpose4(shift.x, shift.y, shift.z, shift.w);
    moved = {moved[0] + shift.x, moved[1] + shift.y, moved[2] + shift.z, moved[3] + shift.w};
    store_rows(d + b.first, b, moved);
  }
}

}  // namespace pliant
