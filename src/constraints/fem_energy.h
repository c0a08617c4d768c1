// Elastic energies of finite elements, eight at once, by the stretch S of F = R S.
//
//   F the deformation gradient, R the rotation nearest to it (math/wide_mat3.h), J = det S, mu and
//   lam Lame's constants (Pa)
//   neo_hookean: Psi = mu/2 (S:S - 3) - mu (J - 1) + (lam + mu)/2 (J - 1)^2
//                dPsi/dS = mu S + c cof S,  c = (lam + mu)(J - 1) - mu
//   corotated:   Psi = mu |S - I|^2 + lam/2 (tr S - 3)^2
//                dPsi/dS = 2 mu (S - I) + lam (tr S - 3) I
//
// A point is a rest of neo_hookean, into which falls what is crushed below mu / (lam + 2 mu) of its
// size, and far from rest its force grows with the fifth power of the size. So elements beyond
// what a material bears (is_wrecked) follow corotated, which leads them back. Where volumes are
// stiff, neighbours that keep theirs lock knots of inverted elements into each other: a wrecked
// element therefore has at most the lam of a ratio of 1/3, and is one from a pressure of two mu.
//
// dPsi/dF = R dPsi/dS (Pa) vanishes at rest, stays finite where an element is flat or inside out (S
// then has a negative stretch) and turns it back. Both are Hooke's law at small strain: E = mu (3
// lam + 2 mu) / (lam + mu), nu = lam / (2 (lam + mu)). `plain` I + `along` g g^T is about the
// second derivative: exact for corotated and for both at rest, where it is 2 mu I + lam I I^T.
//
// Sources: Smith, de Goes, Kim 2018, Stable neo-Hookean flesh simulation, with its constants;
// Mueller, Gross 2004, Interactive virtual materials, in the invariant form of Stomakhin et al.
// 2012.
#pragma once

#include <algorithm>

#include "math/wide_mat3.h"
#include "model/batches.h"

namespace pliant {

struct FemStress {
  Sym3W p;             // Pa
  RealW plain, along;  // Pa
  Sym3W g;
};

[[gnu::always_inline]] inline FemStress corotated_stress(const Sym3W& s, Real mu, Real lambda) {
  const RealW one = splat(1), zero = splat(0);
  const RealW x = s.xx - one, y = s.yy - one, z = s.zz - one;
  const RealW trace = lambda * (x + y + z);
  const Real m = 2 * mu;
  return {{m * x + trace, m * s.xy, m * s.xz, m * y + trace, m * s.yz, m * z + trace},
          splat(m),
          splat(lambda),
          {one, zero, zero, one, zero, one}};
}

inline constexpr Real k_least_volume = Real(0.5);  // J, of one that is not wrecked
inline constexpr Real k_stiff_least = Real(0.8);   // the same where volumes are stiffest
inline constexpr Real k_wrecking_pressure = 2;     // of mu
inline constexpr Real k_wrecked_lambda = 2;        // of mu

[[gnu::always_inline]] inline Real least_volume(Real mu, Real lambda) {
  const Real least = 1 - k_wrecking_pressure * mu / (lambda + mu);
  return std::min(std::max(least, k_least_volume), k_stiff_least);
}
// Below its least volume or above the inverse of that, inside out, or drawn out more than five
// times.
[[gnu::always_inline]] inline MaskW is_wrecked(RealW j, RealW size_sq, Real least) {
  return (j < least) | (j > 1 / least) | (size_sq > Real(30));
}

[[gnu::always_inline]] inline FemStress neo_hookean_stress(const Sym3W& s, Real mu, Real lambda) {
  FemStress out;
  out.g = cofactors(s);
  const RealW j = s.xx * out.g.xx + s.xy * out.g.xy + s.xz * out.g.xz;
  const RealW c = (lambda + mu) * (j - 1) - mu, size_sq = dot(s, s);
  out.p = s * splat(mu) + out.g * c;
  // c d2J/dS2 has no eigenvalue beyond c times the greatest stretch but along g.
  out.plain = mu + abs(c) * sqrt(size_sq * Real(1.0 / 3));
  out.along = splat(lambda + mu);
  const MaskW wrecked = is_wrecked(j, size_sq, least_volume(mu, lambda));
  if (!any(wrecked)) return out;
  const FemStress back = corotated_stress(s, mu, std::min(lambda, k_wrecked_lambda * mu));
  return {select(wrecked, back.p, out.p), select(wrecked, back.plain, out.plain),
          select(wrecked, back.along, out.along), select(wrecked, back.g, out.g)};
}

template <Energy energy>
[[gnu::always_inline]] inline FemStress fem_stress(const Sym3W& s, Real mu, Real lambda) {
  if constexpr (energy == Energy::corotated)
    return corotated_stress(s, mu, lambda);
  else
    return neo_hookean_stress(s, mu, lambda);
}

// Unused lanes of a batch, which have no volume, as if they were at rest: of a matrix of zeros the
// nearest rotation takes many times as long, and all lanes would wait for it.
[[gnu::always_inline]] inline Mat3W at_rest_where_unused(Mat3W f, RealW volume) {
  const RealW one = select(volume > 0, splat(0), splat(1));
  f.c[0].x += one;
  f.c[1].y += one;
  f.c[2].z += one;
  return f;
}

inline Sym3W stretch_of(const Mat3W& f) { return symmetric_product(nearest_rotation(f), f); }

// Adds the stress of a stretch that was `before` a step ago; `rate` is the damping over the step.
[[gnu::always_inline]] inline void add_viscous(FemStress& stress, const Sym3W& stretch,
                                               const Sym3W& before, Real mu, Real lambda,
                                               Real rate) {
  const Sym3W change = stretch - before;
  const RealW trace = lambda * rate * (change.xx + change.yy + change.zz);
  stress.p = stress.p + change * splat(2 * mu * rate);
  stress.p.xx += trace;
  stress.p.yy += trace;
  stress.p.zz += trace;
  stress.plain += 2 * mu * rate;
  stress.along *= 1 + rate;
}

// Psi (Pa), from E = S - I, without differences of large numbers.
inline RealW fem_energy_density(Energy energy, const Sym3W& s, Real mu, Real lambda) {
  const RealW half = splat(Real(0.5));
  const Sym3W e{s.xx - 1, s.xy, s.xz, s.yy - 1, s.yz, s.zz - 1};
  const RealW trace = e.xx + e.yy + e.zz;
  if (energy == Energy::corotated) return mu * dot(e, e) + half * lambda * trace * trace;
  const Real wrecked_lambda = std::min(lambda, k_wrecked_lambda * mu);
  const RealW wrecked = mu * dot(e, e) + half * wrecked_lambda * trace * trace;
  const Sym3W cof = cofactors(e);
  const RealW second = cof.xx + cof.yy + cof.zz;
  const RealW det = e.xx * cof.xx + e.xy * cof.xy + e.xz * cof.xz;
  const RealW change = trace + second + det;  // J - 1
  const RealW neo_hookean =
      half * mu * (dot(e, e) - 2 * second - 2 * det) + half * (lambda + mu) * change * change;
  return select(is_wrecked(change + 1, dot(s, s), least_volume(mu, lambda)), wrecked, neo_hookean);
}

}  // namespace pliant
