// What a block of strain rows needs, whatever element it belongs to: see constraints/fem.h.
#pragma once

#include "constraints/fem_energy.h"
#include "constraints/guards.h"

namespace pliant {

// The greatest change of the deformation gradient in one step, of an element that is not larger
// than at rest: derivatives hold near F only.
inline constexpr Real k_greatest_step = Real(0.5);

// T of a block in the frame of the rotation; `b` are the diagonal weights, `scale` is V h^2.
[[gnu::always_inline]] inline Sym3W solve_block(const FemStress& stress, const Vec3W& b,
                                                RealW scale, const Sym3W& r) {
  const RealW one = splat(1), half = splat(Real(0.5));
  const RealW xi = scale * stress.plain, eta = scale * stress.along;
  const Sym3W m{b.x, half * (b.x + b.y), half * (b.x + b.z), b.y, half * (b.y + b.z), b.z};
  const Sym3W n{one / (one + xi * m.xx), one / (one + xi * m.xy), one / (one + xi * m.xz),
                one / (one + xi * m.yy), one / (one + xi * m.yz), one / (one + xi * m.zz)};
  const Sym3W gn = entrywise(stress.g, n);
  const Sym3W gnm = entrywise(gn, m);
  const RealW s = eta * dot(r, gnm) / (one + eta * dot(stress.g, gnm));
  return gn * s - entrywise(r, n);
}

// Takes out of dL the part that would turn the element as a whole.
[[gnu::always_inline]] inline Mat3W without_torque(const Mat3W& dl, const Mat3W& f) {
  const Vec3W t = cross(f.c[0], dl.c[0]) + cross(f.c[1], dl.c[1]) + cross(f.c[2], dl.c[2]);
  const Vec3W x{f.c[0].x, f.c[1].x, f.c[2].x}, y{f.c[0].y, f.c[1].y, f.c[2].y},
      z{f.c[0].z, f.c[1].z, f.c[2].z};
  const RealW xx = dot(x, x), yy = dot(y, y), zz = dot(z, z);
  const RealW floor = Real(1e-4) * (xx + yy + zz) + k_tiny;
  const Sym3W inertia{yy + zz, -dot(x, y), -dot(x, z), xx + zz, -dot(y, z), xx + yy};
  const Vec3W w = inverse(inertia, floor) * t;
  return {{dl.c[0] - cross(w, f.c[0]), dl.c[1] - cross(w, f.c[1]), dl.c[2] - cross(w, f.c[2])}};
}

[[gnu::always_inline]] inline RealW share_of_step(const Mat3W& df, RealW f_sq) {
  const RealW limit_sq = k_greatest_step * k_greatest_step * max(splat(1), f_sq * Real(1.0 / 3));
  const RealW sq = dot(df, df);
  const MaskW far = sq > limit_sq;
  if (!any(far)) return splat(1);
  return select(far, sqrt(limit_sq / max(sq, splat(k_tiny))), splat(1));
}

// dL of a block, added to the multipliers where they are kept.
[[gnu::always_inline]] inline Mat3W block_step(const FemStress& stress, const Vec3W& weights,
                                               RealW scale, const Mat3W& f, const Mat3W& rotation,
                                               Mat3W* multiplier) {
  Sym3W r = stress.p * scale;
  if (multiplier != nullptr) r = r + symmetric_product(rotation, *multiplier);
  Mat3W dl = without_torque(rotation * solve_block(stress, weights, scale, r), f);
  const Mat3W df{{dl.c[0] * weights.x, dl.c[1] * weights.y, dl.c[2] * weights.z}};
  dl = dl * share_of_step(df, dot(f, f));
  if (multiplier != nullptr) *multiplier = *multiplier + dl;
  return dl;
}

}  // namespace pliant
