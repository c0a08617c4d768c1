#include "constraints/fem_hex.h"

#include "constraints/fem_block.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

// Edges from the first corner, where the particles were gathered from.
[[gnu::always_inline]] inline Vec3W edge(const HexBatch& batch, const Vec4W (&x)[8],
                                         std::size_t n) {
  return batch.base[n] + (x[n + 1].xyz() - x[0].xyz());
}

[[gnu::always_inline]] inline Mat3W gradient_of(const HexBatch& batch, const HexPoint& point,
                                                const Vec4W (&x)[8]) {
  Mat3W f{};
  for (std::size_t n = 0; n < 7; ++n) {
    const Vec3W e = edge(batch, x, n), &b = point.gradient[n];
    f = n == 0 ? Mat3W{{e * b.x, e * b.y, e * b.z}} : f + Mat3W{{e * b.x, e * b.y, e * b.z}};
  }
  return at_rest_where_unused(f, point.volume);
}

// dx_n = w_n L b_n
[[gnu::always_inline]] inline void move_all(const HexPoint& point, const Mat3W& l, Vec4W (&x)[8]) {
  Vec3W sum{splat(0), splat(0), splat(0)};
  for (std::size_t n = 0; n < 7; ++n) {
    const Vec3W& b = point.gradient[n];
    const Vec3W push = l.c[0] * b.x + l.c[1] * b.y + l.c[2] * b.z;
    sum = sum + push;
    shift(x[n + 1], x[n + 1].w, push);
  }
  shift(x[0], x[0].w, -sum);  // exactly, for momentum
}

Vec3W first_gradient(const HexPoint& point) {
  Vec3W sum = point.gradient[0];
  for (std::size_t n = 1; n < 7; ++n) sum = sum + point.gradient[n];
  return -sum;
}

// The diagonal of sum w b b^T.
Vec3W weights_of(const HexPoint& point, const Vec4W (&x)[8]) {
  const Vec3W b0 = first_gradient(point);
  Vec3W sum = entrywise(b0, b0) * x[0].w;
  for (std::size_t n = 0; n < 7; ++n)
    sum = sum + entrywise(point.gradient[n], point.gradient[n]) * x[n + 1].w;
  return sum;
}

struct Volume {
  RealW c;  // J - 1, or tr S - 3
  Mat3W g;  // dc/dF
};
template <Energy energy>
Volume volume_of(const Mat3W& f) {
  if constexpr (energy == Energy::corotated) {
    const Mat3W r = nearest_rotation(f);
    return {dot(r, f) - 3, r};
  } else {
    const Mat3W cof = cofactors(f);
    const RealW j = dot(f.c[0], cof.c[0]);
    const MaskW wrecked = is_wrecked(j, dot(f, f), k_least_volume);
    if (!any(wrecked)) return {j - 1, cof};
    const Volume back = volume_of<Energy::corotated>(f);
    return {select(wrecked, back.c, j - 1),
            {{select(wrecked, back.g.c[0], cof.c[0]), select(wrecked, back.g.c[1], cof.c[1]),
              select(wrecked, back.g.c[2], cof.c[2])}}};
  }
}

// `before`: where the particles were when the substep began.
template <Energy energy>
void project_volume(const HexBatch& batch, const FemMaterial& m, RealW* multiplier,
                    const FemStep& step, const Vec4W (&before)[8], Vec4W (&x)[8]) {
  const HexPoint& point = batch.centre;
  const Mat3W f = gradient_of(batch, point, x);
  const Volume v = volume_of<energy>(f);
  RealW stiffness = point.volume * (m.lambda * (step.h * step.h));
  RealW r = stiffness * v.c;
  if (m.damping > 0) {
    const Real rate = m.damping / step.h;
    r += stiffness * rate * (v.c - volume_of<energy>(gradient_of(batch, point, before)).c);
    stiffness *= 1 + rate;
  }
  if (multiplier != nullptr) r += *multiplier;
  RealW weight = splat(0);
  const auto add = [&](const Vec3W& b, RealW w) {
    const Vec3W g = v.g.c[0] * b.x + v.g.c[1] * b.y + v.g.c[2] * b.z;
    weight += w * dot(g, g);
  };
  add(first_gradient(point), x[0].w);
  for (std::size_t n = 0; n < 7; ++n) add(point.gradient[n], x[n + 1].w);
  RealW dl = -r / (1 + stiffness * weight);
  const Vec3W w = weights_of(point, x);
  dl *= share_of_step({{v.g.c[0] * (dl * w.x), v.g.c[1] * (dl * w.y), v.g.c[2] * (dl * w.z)}},
                      dot(f, f));
  if (multiplier != nullptr) *multiplier += dl;
  move_all(point, v.g * dl, x);
}

template <Energy energy>
void project_all(std::span<const HexBatch> batches, const FemMaterial& m,
                 HexMultipliers* multipliers, const FemStep& step) {
  const Real h_sq = step.h * step.h;
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const HexBatch& batch = batches[n];
    HexMultipliers* kept = multipliers != nullptr ? multipliers + n : nullptr;
    Vec4W x[8], before[8] = {};
    for (std::size_t k = 0; k < 8; ++k) x[k] = gather(step.d, batch.i[k].data());
    if (m.damping > 0)
      for (std::size_t k = 0; k < 8; ++k) before[k] = gather(step.d_before, batch.i[k].data());
    for (std::size_t q = 0; q < 4; ++q) {
      const HexPoint& point = batch.point[q];
      const Mat3W f = gradient_of(batch, point, x);
      const Mat3W rotation = nearest_rotation(f);
      const Sym3W stretch = symmetric_product(rotation, f);
      FemStress stress = fem_stress<energy>(stretch, m.mu, 0);
      if (m.damping > 0)
        add_viscous(stress, stretch, stretch_of(gradient_of(batch, point, before)), m.mu, 0,
                    m.damping / step.h);
      const Mat3W dl = block_step(stress, weights_of(point, x), point.volume * h_sq, f, rotation,
                                  kept != nullptr ? &kept->point[q] : nullptr);
      move_all(point, dl, x);
    }
    if (m.lambda > 0)
      project_volume<energy>(batch, m, kept != nullptr ? &kept->volume : nullptr, step, before, x);
    for (std::size_t k = 0; k < 8; ++k) scatter(step.d, batch.i[k].data(), x[k]);
  }
}

}  // namespace

void refresh_bases(std::span<HexBatch> batches, const Vec4* base) {
  for (HexBatch& b : batches) {
    const Vec3W x0 = gather(base, b.i[0].data()).xyz();
    for (std::size_t n = 0; n < 7; ++n) b.base[n] = gather(base, b.i[n + 1].data()).xyz() - x0;
  }
}

void project(std::span<const HexBatch> batches, const FemMaterial& material,
             HexMultipliers* multipliers, const FemStep& step) {
  if (material.energy == Energy::corotated)
    project_all<Energy::corotated>(batches, material, multipliers, step);
  else
    project_all<Energy::neo_hookean>(batches, material, multipliers, step);
}

double energy(std::span<const HexBatch> batches, const FemMaterial& m, const Vec4* d) {
  double sum = 0;
  for (const HexBatch& b : batches) {
    Vec4W x[8];
    for (std::size_t k = 0; k < 8; ++k) x[k] = gather(d, b.i[k].data());
    RealW psi[5];
    for (std::size_t q = 0; q < 4; ++q)
      psi[q] = fem_energy_density(m.energy, stretch_of(gradient_of(b, b.point[q], x)), m.mu, 0);
    const Mat3W f = gradient_of(b, b.centre, x);
    const RealW c = m.energy == Energy::corotated ? volume_of<Energy::corotated>(f).c
                                                  : volume_of<Energy::neo_hookean>(f).c;
    psi[4] = Real(0.5) * m.lambda * c * c;
    for (int k = 0; k < k_lanes; ++k) {
      for (std::size_t q = 0; q < 4; ++q) sum += double(psi[q][k]) * double(b.point[q].volume[k]);
      sum += double(psi[4][k]) * double(b.centre.volume[k]);
    }
  }
  return sum;
}

}  // namespace pliant
