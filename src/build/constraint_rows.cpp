#include "build/constraint_rows.h"

#include <span>

#include "build/colouring.h"
#include "build/pack.h"

namespace pliant {
namespace {

template <class Row>
std::vector<std::int32_t> flat_particles(const std::vector<Row>& rows) {
  std::vector<std::int32_t> flat;
  for (const Row& row : rows) flat.insert(flat.end(), row.particle.begin(), row.particle.end());
  return flat;
}

template <class Row>
std::vector<std::vector<std::int32_t>> coloured(const std::vector<Row>& rows,
                                                std::int32_t particle_count) {
  const int arity = int(std::tuple_size_v<decltype(Row::particle)>);
  const std::vector<std::int32_t> flat = flat_particles(rows);
  return group_by_colour(flat, arity, colour_elements(flat, arity, particle_count));
}

void pack_distance(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  pack_batches(coloured(rows.distance, scratch), set.distance, set.distance_colours,
               [&](DistanceBatch& b, int lane, std::int32_t e) {
                 const DistanceRow row =
                     e < 0 ? DistanceRow{{scratch, scratch}, 0, 1} : rows.distance[std::size_t(e)];
                 b.i[std::size_t(lane)] = row.particle[0];
                 b.j[std::size_t(lane)] = row.particle[1];
                 b.rest[lane] = Real(row.rest);
                 b.compliance[lane] = Real(row.compliance);
               });
}

void pack_bend(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  pack_batches(coloured(rows.bend, scratch), set.bend, set.bend_colours,
               [&](BendBatch& b, int lane, std::int32_t e) {
                 const BendRow row = e < 0 ? BendRow{{scratch, scratch, scratch, scratch}, {}, 1}
                                           : rows.bend[std::size_t(e)];
                 for (std::size_t n = 0; n < 4; ++n) {
                   b.i[n][std::size_t(lane)] = row.particle[n];
                   b.k[n][lane] = Real(row.weight[n]);
                 }
                 b.compliance[lane] = Real(row.compliance);
               });
}

void pack_volume(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  pack_batches(coloured(rows.volume, scratch), set.volume, set.volume_colours,
               [&](VolumeBatch& b, int lane, std::int32_t e) {
                 const VolumeRow row = e < 0 ? VolumeRow{{scratch, scratch, scratch, scratch}, 0, 1}
                                             : rows.volume[std::size_t(e)];
                 for (std::size_t n = 0; n < 4; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                 b.rest[lane] = Real(6 * row.rest);
                 b.compliance[lane] = Real(row.compliance);
               });
}

// A particle's first tether goes into the first colour, its second into the second, and so on.
void pack_tethers(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  std::vector<std::vector<std::int32_t>> groups;
  std::vector<std::size_t> used(std::size_t(scratch), 0);
  for (std::size_t e = 0; e < rows.tether.size(); ++e) {
    const std::size_t colour = used[std::size_t(rows.tether[e].particle)]++;
    if (groups.size() <= colour) groups.resize(colour + 1);
    groups[colour].push_back(std::int32_t(e));
  }
  pack_batches(
      groups, set.tether, set.tether_colours, [&](TetherBatch& b, int lane, std::int32_t e) {
        const TetherRow row = e < 0 ? TetherRow{scratch, scratch, 1} : rows.tether[std::size_t(e)];
        b.i[std::size_t(lane)] = row.particle;
        b.pin[std::size_t(lane)] = row.pin;
        b.limit[lane] = Real(row.limit);
      });
}

}  // namespace

ConstraintSet make_constraint_set(const ConstraintRows& rows, std::int32_t particle_count) {
  ConstraintSet set;
  pack_distance(rows, particle_count, set);
  pack_bend(rows, particle_count, set);
  pack_volume(rows, particle_count, set);
  pack_tethers(rows, particle_count, set);
  return set;
}

}  // namespace pliant
