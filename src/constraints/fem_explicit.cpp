#include "constraints/fem_explicit.h"

#include <algorithm>

#include "constraints/fem_energy.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

[[gnu::always_inline]] inline Sym3W less_one(const Sym3W& s) {
  return {s.xx - 1, s.xy, s.xz, s.yy - 1, s.yz, s.zz - 1};
}

[[gnu::always_inline]] inline Sym3W hooke(const FemMaterial& m, const Sym3W& e) {
  const RealW trace = m.lambda * (e.xx + e.yy + e.zz);
  Sym3W s = e * splat(2 * m.mu);
  s.xx += trace;
  s.yy += trace;
  s.zz += trace;
  return s;
}

[[gnu::always_inline]] inline Sym3W green_strain(const Mat3W& f) {
  const Sym3W c = gram(f);
  return less_one(c) * splat(Real(0.5));
}
[[gnu::always_inline]] inline Sym3W small_strain(const Mat3W& f) {
  return less_one(symmetric_product(identity3(), f));
}

Mat3W corotated_pull(const Mat3W& f, Real mu, Real lambda) {
  const Mat3W r = nearest_rotation(f);
  return r * corotated_stress(symmetric_product(r, f), mu, lambda).p;
}

// R (mu S + c cof S) = mu F + c cof F: only what is wrecked needs its rotation.
[[gnu::always_inline]] inline Mat3W neo_hookean_pull(const Mat3W& f, Real mu, Real lambda) {
  const Mat3W cof = cofactors(f);
  const RealW j = dot(f.c[0], cof.c[0]);
  const Mat3W p = f * splat(mu) + cof * ((lambda + mu) * (j - 1) - mu);
  const MaskW wrecked = is_wrecked(j, dot(f, f), least_volume(mu, lambda));
  if (!any(wrecked)) return p;
  return select(wrecked, corotated_pull(f, mu, std::min(lambda, k_wrecked_lambda * mu)), p);
}

[[gnu::always_inline]] inline Mat3W elastic_stress(const FemMaterial& m, Energy energy,
                                                   const Mat3W& f) {
  if (energy == Energy::green) return f * hooke(m, green_strain(f));
  if (energy == Energy::cauchy) return identity3() * hooke(m, small_strain(f));
  return energy == Energy::corotated ? corotated_pull(f, m.mu, m.lambda)
                                     : neo_hookean_pull(f, m.mu, m.lambda);
}

[[gnu::always_inline]] inline Mat3W viscous_stress(const FemMaterial& m, Energy energy,
                                                   const FemState& state) {
  const bool small = energy == Energy::cauchy;
  const Mat3W frame = small ? identity3() : state.f;
  return frame * hooke(m, symmetric_product(frame, state.rate)) * splat(m.damping);
}

[[gnu::always_inline]] inline Mat3W stress_of(const FemMaterial& m, Energy energy,
                                              const FemState& state) {
  const Mat3W p = elastic_stress(m, energy, state.f);
  return m.damping > 0 ? p + viscous_stress(m, energy, state) : p;
}

[[gnu::always_inline]] inline Mat3W sum_of(const FemBatch& batch, const Vec3W (&e)[3]) {
  Mat3W f{};
  for (std::size_t n = 0; n < 3; ++n) {
    const Vec3W& b = batch.inverse[n];
    const Mat3W part{{e[n] * b.x, e[n] * b.y, e[n] * b.z}};
    f = n == 0 ? part : f + part;
  }
  return f;
}

Mat3W gradient_of(const FemBatch& batch, const Vec4* d) {
  const Vec3W x0 = gather(d, batch.i[0].data()).xyz();
  Vec3W e[3];
  for (std::size_t n = 0; n < 3; ++n)
    e[n] = batch.base[n] + (gather(d, batch.i[n + 1].data()).xyz() - x0);
  return at_rest_where_unused(sum_of(batch, e), batch.volume);
}

}  // namespace

Mat3W explicit_stress(const FemMaterial& m, const FemState& state) {
  return stress_of(m, m.energy, state);
}

RealW explicit_density(const FemMaterial& m, const Mat3W& f) {
  if (m.energy != Energy::green && m.energy != Energy::cauchy)
    return fem_energy_density(m.energy, stretch_of(f), m.mu, m.lambda);
  const Sym3W e = m.energy == Energy::green ? green_strain(f) : small_strain(f);
  return Real(0.5) * dot(hooke(m, e), e);
}

namespace {

// `energy` is that of the material, known to the compiler.
template <Energy energy>
void push_all(std::span<const FemBatch> batches, const FemMaterial& material, const Vec4* d,
              Vec4* velocity, Real h) {
  for (const FemBatch& batch : batches) {
    Vec4W x[4], v[4];
    for (std::size_t n = 0; n < 4; ++n) {
      x[n] = gather(d, batch.i[n].data());
      v[n] = gather(velocity, batch.i[n].data());
    }
    Vec3W e[3], rate[3];
    for (std::size_t n = 0; n < 3; ++n) {
      e[n] = batch.base[n] + (x[n + 1].xyz() - x[0].xyz());
      rate[n] = v[n + 1].xyz() - v[0].xyz();
    }
    const Mat3W f = at_rest_where_unused(sum_of(batch, e), batch.volume);
    const Mat3W p = stress_of(material, energy, {f, sum_of(batch, rate)});
    const RealW scale = batch.volume * h;
    Vec3W sum{splat(0), splat(0), splat(0)};
    for (std::size_t n = 1; n < 4; ++n) {
      const Vec3W& b = batch.inverse[n - 1];
      const Vec3W impulse = (p.c[0] * b.x + p.c[1] * b.y + p.c[2] * b.z) * scale;
      sum = sum + impulse;
      shift(v[n], -x[n].w, impulse);
    }
    shift(v[0], x[0].w, sum);  // exactly, for momentum
    for (std::size_t n = 0; n < 4; ++n) scatter(velocity, batch.i[n].data(), v[n]);
  }
}

}  // namespace

void push(std::span<const FemBatch> batches, const FemMaterial& material, const Vec4* d,
          Vec4* velocity, Real h) {
  switch (material.energy) {
    case Energy::green:
      return push_all<Energy::green>(batches, material, d, velocity, h);
    case Energy::cauchy:
      return push_all<Energy::cauchy>(batches, material, d, velocity, h);
    case Energy::corotated:
      return push_all<Energy::corotated>(batches, material, d, velocity, h);
    case Energy::neo_hookean:
      return push_all<Energy::neo_hookean>(batches, material, d, velocity, h);
  }
}

double explicit_energy(std::span<const FemBatch> batches, const FemMaterial& material,
                       const Vec4* d) {
  double sum = 0;
  for (const FemBatch& b : batches) {
    const RealW psi = explicit_density(material, gradient_of(b, d));
    for (int k = 0; k < k_lanes; ++k) sum += double(psi[k]) * double(b.volume[k]);
  }
  return sum;
}

}  // namespace pliant
