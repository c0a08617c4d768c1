#include "build/split.h"

namespace pliant {
namespace {

template <class Visit>
void each_row(ConstraintRows& rows, const Visit& visit) {
  for (DistanceRow& row : rows.distance) visit(row.particle);
  for (StrainRow& row : rows.strain) visit(row.particle);
  for (BendRow& row : rows.bend) visit(row.particle);
  for (HingeRow& row : rows.hinge) visit(row.particle);
  for (HingeRow& row : rows.fold) visit(row.particle);
  for (VolumeRow& row : rows.volume) visit(row.particle);
  for (CellVolumeRow& row : rows.cell) visit(row.particle);
  for (FemRow& row : rows.fem) visit(row.particle);
  for (HexRow& row : rows.hex) visit(row.particle);
}

}  // namespace

ParticleCopies split_particles(ElementList& elements, std::int32_t particle_count, int q,
                               std::int32_t first_copy) {
  const std::size_t count = std::size_t(particle_count);
  std::vector<std::int32_t> met(count, 0), first(count, -1), dealt(count, 0);
  for (const std::int32_t p : elements.particle) ++met[std::size_t(p)];
  ParticleCopies copies;
  for (std::size_t p = 0; p < count; ++p) {
    if (met[p] <= q) continue;
    first[p] = copies.count();
    copies.particle.push_back(std::int32_t(p));
    copies.begin.push_back(copies.count() + (met[p] + q - 1) / q);
  }
  // In turn: elements come kind by kind, so that each copy has its share of every kind.
  for (std::int32_t& particle : elements.particle) {
    const std::size_t p = std::size_t(particle);
    if (first[p] < 0) continue;
    particle = first_copy + first[p] + dealt[p]++ % ((met[p] + q - 1) / q);
  }
  return copies;
}

ParticleCopies split_particles(ConstraintRows& rows, std::int32_t particle_count, int q,
                               std::int32_t first_copy) {
  ElementList elements;
  each_row(rows, [&](const auto& particle) { elements.add(particle); });
  ParticleCopies copies = split_particles(elements, particle_count, q, first_copy);
  std::size_t at = 0;
  each_row(rows, [&](auto& particle) {
    for (std::int32_t& p : particle) p = elements.particle[at++];
  });
  return copies;
}

}  // namespace pliant
