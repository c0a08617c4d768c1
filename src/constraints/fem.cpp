#include "constraints/fem.h"

#include "constraints/fem_block.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

Vec3W entrywise(const Vec3W& a, const Vec3W& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

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
  c.b[0] = -(c.b[1] + c.b[2] + c.b[3]);  // exactly, for momentum
  return c;
}

template <Energy energy>
void project_all(std::span<const FemBatch> batches, const FemMaterial& m, Mat3W* multipliers,
                 Vec4* d, Real h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const FemBatch& batch = batches[n];
    Corners c = corners_of(batch, d);
    Vec3W weights = entrywise(c.b[0], c.b[0]) * c.x[0].w;
    for (std::size_t k = 1; k < 4; ++k) weights = weights + entrywise(c.b[k], c.b[k]) * c.x[k].w;
    const Mat3W rotation = nearest_rotation(c.f);
    const Sym3W stretch = symmetric_product(rotation, c.f);
    const FemStress stress = fem_stress<energy>(stretch, m.mu, m.lambda);
    const RealW scale = batch.volume * h_sq;
    Sym3W r = stress.p * scale;
    if (multipliers != nullptr) r = r + symmetric_product(rotation, multipliers[n]);
    Mat3W dl = without_torque(rotation * solve_block(stress, weights, scale, r), c.f);
    dl = dl * share_of_step({{dl.c[0] * weights.x, dl.c[1] * weights.y, dl.c[2] * weights.z}},
                            dot(stretch, stretch));
    if (multipliers != nullptr) multipliers[n] = multipliers[n] + dl;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3W& b = c.b[k];
      shift(c.x[k], c.x[k].w, dl.c[0] * b.x + dl.c[1] * b.y + dl.c[2] * b.z);
      scatter(d, batch.i[k].data(), c.x[k]);
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
             Vec4* d, Real h_sq) {
  if (material.energy == Energy::corotated)
    project_all<Energy::corotated>(batches, material, multipliers, d, h_sq);
  else
    project_all<Energy::neo_hookean>(batches, material, multipliers, d, h_sq);
}

double energy(std::span<const FemBatch> batches, const FemMaterial& material, const Vec4* d) {
  double sum = 0;
  for (const FemBatch& b : batches) {
    const Corners c = corners_of(b, d);
    const Sym3W stretch = symmetric_product(nearest_rotation(c.f), c.f);
    const RealW psi = fem_energy_density(material.energy, stretch, material.mu, material.lambda);
    for (int k = 0; k < k_lanes; ++k) sum += double(psi[k]) * double(b.volume[k]);
  }
  return sum;
}

}  // namespace pliant
