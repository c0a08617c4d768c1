#include "build/constraint_rows.h"

#include <algorithm>
#include <map>

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

// Triangles with no edge in common that cover as many distance rows as a greedy choice finds; on a
// grid with one diagonal that is nearly all of them.
struct FusedTriangle {
  std::array<std::int32_t, 3> particle;
  std::array<std::int32_t, 3> row;  // of the edges 01, 12, 20
};
struct FusedDistances {
  std::vector<FusedTriangle> triangles;
  std::vector<DistanceRow> single;
};

FusedDistances fuse_distances(const ConstraintRows& rows) {
  std::map<std::array<std::int32_t, 2>, std::int32_t> row_of;
  for (std::size_t n = 0; n < rows.distance.size(); ++n) {
    const auto [a, b] = rows.distance[n].particle;
    row_of[{std::min(a, b), std::max(a, b)}] = std::int32_t(n);
  }
  std::vector<bool> taken(rows.distance.size());
  FusedDistances fused;
  for (const auto& t : rows.triangles) {
    FusedTriangle triangle{t, {}};
    bool whole = true;
    for (std::size_t k = 0; k < 3 && whole; ++k) {
      const std::int32_t a = t[k], b = t[(k + 1) % 3];
      const auto found = row_of.find({std::min(a, b), std::max(a, b)});
      whole = found != row_of.end() && !taken[std::size_t(found->second)];
      if (whole) triangle.row[k] = found->second;
    }
    if (!whole) continue;
    for (const std::int32_t row : triangle.row) taken[std::size_t(row)] = true;
    fused.triangles.push_back(triangle);
  }
  for (std::size_t n = 0; n < rows.distance.size(); ++n)
    if (!taken[n]) fused.single.push_back(rows.distance[n]);
  return fused;
}

void pack_distance(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  const FusedDistances fused = fuse_distances(rows);
  pack_batches(coloured(fused.single, scratch), set.distance, set.distance_colours,
               [&](DistanceBatch& b, int lane, std::int32_t e) {
                 const DistanceRow row =
                     e < 0 ? DistanceRow{{scratch, scratch}, 0, 1} : fused.single[std::size_t(e)];
                 b.i[std::size_t(lane)] = row.particle[0];
                 b.j[std::size_t(lane)] = row.particle[1];
                 b.rest[lane] = Real(row.rest);
                 b.compliance[lane] = Real(row.compliance);
               });
  pack_batches(coloured(fused.triangles, scratch), set.triangle, set.triangle_colours,
               [&](DistanceTriangleBatch& b, int lane, std::int32_t e) {
                 const FusedTriangle t =
                     e < 0 ? FusedTriangle{{scratch, scratch, scratch}, {-1, -1, -1}}
                           : fused.triangles[std::size_t(e)];
                 for (std::size_t k = 0; k < 3; ++k) {
                   b.i[k][std::size_t(lane)] = t.particle[k];
                   const bool used = t.row[k] >= 0;
                   const std::size_t row = std::size_t(used ? t.row[k] : 0);
                   b.rest[k][lane] = used ? Real(rows.distance[row].rest) : Real(0);
                   b.compliance[k][lane] = used ? Real(rows.distance[row].compliance) : Real(1);
                 }
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

void pack_cells(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  pack_batches(coloured(rows.cell, scratch), set.cell, set.cell_colours,
               [&](CellVolumeBatch& b, int lane, std::int32_t e) {
                 CellVolumeRow row{{}, 0, 1};
                 row.particle.fill(scratch);
                 if (e >= 0) row = rows.cell[std::size_t(e)];
                 for (std::size_t n = 0; n < 8; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                 b.rest[lane] = Real(6 * row.rest);
                 b.compliance[lane] = Real(row.compliance);
               });
}

// Tethers of one pin go together: a batch has one pin, and no particle twice. Batches are given to
// colours such that a particle's tethers to different pins are in different ones.
void pack_tethers(const ConstraintRows& rows, std::int32_t scratch, ConstraintSet& set) {
  std::map<std::pair<std::size_t, std::int32_t>, std::vector<std::int32_t>> groups;  // colour, pin
  std::vector<std::size_t> used(std::size_t(scratch), 0);
  for (std::size_t e = 0; e < rows.tether.size(); ++e) {
    const TetherRow& row = rows.tether[e];
    groups[{used[std::size_t(row.particle)]++, row.pin}].push_back(std::int32_t(e));
  }
  set.tether_colours.begin.assign(1, 0);
  std::size_t colour = 0;
  for (const auto& [key, group] : groups) {
    if (key.first != colour) set.tether_colours.begin.push_back(std::int32_t(set.tether.size()));
    colour = key.first;
    for (std::size_t first = 0; first < group.size(); first += k_lanes) {
      TetherBatch& b = set.tether.emplace_back();
      b.pin = key.second;
      b.used = 0;
      for (std::size_t lane = 0; lane < k_lanes; ++lane) {
        const bool in_use = first + lane < group.size();
        b.i[lane] = in_use ? rows.tether[std::size_t(group[first + lane])].particle : scratch;
        b.used |= in_use ? 1u << lane : 0u;
        // An unused lane is never taut.
        b.limit[int(lane)] =
            in_use ? Real(rows.tether[std::size_t(group[first + lane])].limit) : Real(1e15);
      }
    }
  }
  if (!groups.empty()) set.tether_colours.begin.push_back(std::int32_t(set.tether.size()));
}

}  // namespace

ConstraintSet make_constraint_set(const ConstraintRows& rows, std::int32_t particle_count) {
  ConstraintSet set;
  pack_distance(rows, particle_count, set);
  pack_bend(rows, particle_count, set);
  pack_volume(rows, particle_count, set);
  pack_cells(rows, particle_count, set);
  pack_tethers(rows, particle_count, set);
  return set;
}

}  // namespace pliant
