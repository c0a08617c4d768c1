#include "constraints/fem.h"

#include "constraints/fem_block.h"
#include "constraints/shift.h"
#include "math/wide_rotation.h"

namespace pliant {
namespace {

struct Corners {
  Vec4W x[4];
  Vec3W b[4];  // 1/m
  Mat3W f;
};

[[gnu::always_inline]] inline Corners corners_of(const FemBatch& batch, const Vec4* d) {
  Corners c;
  for (std::size_t n = 0; n < 4; ++n) c.x[n] = gather(d, batch.i[n].data());
  for (std::size_t n = 0; n < 3; ++n) {
    c.b[n + 1] = batch.inverse[n];
    const Vec3W e = batch.base[n] + (c.x[n + 1].xyz() - c.x[0].xyz());
    const Mat3W part{{e * c.b[n + 1].x, e * c.b[n + 1].y, e * c.b[n + 1].z}};
    c.f = n == 0 ? part : c.f + part;
  }
  c.f = at_rest_where_unused(c.f, batch.volume);
  c.b[0] = -(c.b[1] + c.b[2] + c.b[3]);  // exactly, for momentum
  return c;
}

[[gnu::always_inline]] inline Vec3W weights_of(const Corners& c) {
  Vec3W sum = entrywise(c.b[0], c.b[0]) * c.x[0].w;
  for (std::size_t n = 1; n < 4; ++n) sum = sum + entrywise(c.b[n], c.b[n]) * c.x[n].w;
  return sum;
}

template <Energy energy>
void project_all(std::span<const FemBatch> batches, const FemMaterial& m, Mat3W* multipliers,
                 const FemStep& step) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const FemBatch& batch = batches[n];
    Corners c = corners_of(batch, step.d);
    Mat3W rotation, before, rotation_before;
    if (m.damping > 0) {
      before = corners_of(batch, step.d_before).f;
      nearest_rotations(c.f, before, rotation, rotation_before);
    } else {
      rotation = nearest_rotation(c.f);
    }
    const Sym3W stretch = symmetric_product(rotation, c.f);
    FemStress stress = fem_stress<energy>(stretch, m.mu, m.lambda);
    if (m.damping > 0)
      add_viscous(stress, stretch, symmetric_product(rotation_before, before), m.mu, m.lambda,
                  m.damping / step.h);
    const Mat3W dl = block_step(stress, weights_of(c), batch.volume * (step.h * step.h), c.f,
                                rotation, multipliers != nullptr ? multipliers + n : nullptr);
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3W& b = c.b[k];
      shift(c.x[k], c.x[k].w, dl.c[0] * b.x + dl.c[1] * b.y + dl.c[2] * b.z);
      scatter(step.d, batch.i[k].data(), c.x[k]);
    }
  }
}

}  // namespace

void refresh_bases(std::span<FemBatch> batches, const Vec4* base) {
  for (FemBatch& b : batches) {
    const Vec3W x0 = gather(base, b.i[0].data()).xyz();
    for (std::size_t n = 0; n < 3; ++n) b.base[n] = gather(base, b.i[n + 1].data()).xyz() - x0;
  }
}

void project(std::span<const FemBatch> batches, const FemMaterial& material, Mat3W* multipliers,
             const FemStep& step) {
  if (material.energy == Energy::corotated)
    project_all<Energy::corotated>(batches, material, multipliers, step);
  else
    project_all<Energy::neo_hookean>(batches, material, multipliers, step);
}

double energy(std::span<const FemBatch> batches, const FemMaterial& material, const Vec4* d) {
  double sum = 0;
  for (const FemBatch& b : batches) {
    const Corners c = corners_of(b, d);
    const Sym3W stretch = stretch_of(c.f);
    const RealW psi = fem_energy_density(material.energy, stretch, material.mu, material.lambda);
    for (int k = 0; k < k_lanes; ++k) sum += double(psi[k]) * double(b.volume[k]);
  }
  return sum;
}

}  // namespace pliant
