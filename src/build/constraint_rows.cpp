#include "build/constraint_rows.h"

#include <algorithm>
#include <limits>
#include <map>

#include "build/colouring.h"
#include "build/pack.h"
#include "build/split.h"

namespace pliant {
namespace {

constexpr std::int32_t k_vec4_bytes = std::int32_t(sizeof(Vec4));

template <class Row>
std::vector<std::int32_t> flat_particles(const std::vector<Row>& rows) {
  std::vector<std::int32_t> flat;
  for (const Row& row : rows) flat.insert(flat.end(), row.particle.begin(), row.particle.end());
  return flat;
}

template <class Row>
ClusteredElements arranged(const std::vector<Row>& rows, const ConstraintSet& set,
                           const ScheduleChoice& choice) {
  const int arity = int(std::tuple_size_v<decltype(Row::particle)>);
  const std::vector<std::int32_t> flat = flat_particles(rows);
  if (choice.schedule == Schedule::clusters) return cluster_elements(flat, arity, set.clusters);
  ClusteredElements elements;
  elements.inside.resize(std::size_t(set.cluster_count()));
  elements.between = {group_by_colour(flat, arity,
                                      choice.place.empty()
                                          ? colour_elements(flat, arity, set.places())
                                          : colour_grid(flat, arity, choice.place))};
  return elements;
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

void pack_distance(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  const FusedDistances fused = choice.schedule == Schedule::split
                                   ? FusedDistances{{}, rows.distance}  // each has its own copies
                                   : fuse_distances(rows);
  pack_clustered(arranged(fused.single, set, choice), set, set.distance, set.distance_order,
                 [&](DistanceBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const DistanceRow row =
                       e < 0 ? DistanceRow{{scratch, scratch}, 0, 1} : fused.single[std::size_t(e)];
                   b.i[std::size_t(lane)] = row.particle[0];
                   b.j[std::size_t(lane)] = row.particle[1];
                   b.rest[lane] = Real(row.rest);
                   b.compliance[lane] = Real(row.compliance);
                 });
  pack_clustered(
      arranged(fused.triangles, set, choice), set, set.triangle, set.triangle_order,
      [&](DistanceTriangleBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
        const FusedTriangle t = e < 0 ? FusedTriangle{{scratch, scratch, scratch}, {-1, -1, -1}}
                                      : fused.triangles[std::size_t(e)];
        for (std::size_t k = 0; k < 3; ++k) {
          b.at[k][std::size_t(lane)] = t.particle[k] * k_vec4_bytes;
          const bool used = t.row[k] >= 0;
          const std::size_t row = std::size_t(used ? t.row[k] : 0);
          b.rest[k][lane] = used ? Real(rows.distance[row].rest) : Real(0);
          b.compliance[k][lane] = used ? Real(rows.distance[row].compliance) : Real(1);
        }
      },
      AtOnce::two);
}

void pack_bend(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.bend, set, choice), set, set.bend, set.bend_order,
                 [&](BendBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const BendRow row = e < 0 ? BendRow{{scratch, scratch, scratch, scratch}, {}, 1}
                                             : rows.bend[std::size_t(e)];
                   for (std::size_t n = 0; n < 4; ++n) {
                     b.at[n][std::size_t(lane)] = row.particle[n] * k_vec4_bytes;
                     b.k[n][lane] = Real(row.weight[n]);
                   }
                   b.compliance[lane] = Real(row.compliance);
                 });
}

void fill_hinge(HingeBatch& b, int lane, const HingeRow& row) {
  for (std::size_t n = 0; n < 4; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
  b.rest[lane] = Real(row.rest);
  b.compliance[lane] = Real(row.compliance);
}

void pack_hinges(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  const auto row_of = [](const std::vector<HingeRow>& from, std::int32_t e, std::int32_t scratch) {
    return e < 0 ? HingeRow{{scratch, scratch, scratch, scratch}, 0, 1, -1} : from[std::size_t(e)];
  };
  pack_clustered(arranged(rows.hinge, set, choice), set, set.hinge, set.hinge_order,
                 [&](HingeBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   fill_hinge(b, lane, row_of(rows.hinge, e, scratch));
                 });
  pack_clustered(arranged(rows.fold, set, choice), set, set.fold, set.fold_order,
                 [&](FoldBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const HingeRow row = row_of(rows.fold, e, scratch);
                   fill_hinge(b.hinge, lane, row);
                   b.fold[std::size_t(lane)] = row.fold;
                   b.from[lane] = Real(row.rest);
                 });
}

void pack_strain(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.strain, set, choice), set, set.strain, set.strain_order,
                 [&](StrainBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const StrainRow row =
                       e < 0 ? StrainRow{{scratch, scratch, scratch}, {}, {}, 1, 1, 0, 1}
                             : rows.strain[std::size_t(e)];
                   for (std::size_t n = 0; n < 3; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                   for (std::size_t n = 0; n < 2; ++n) {
                     b.weft[n][lane] = Real(row.weft[n]);
                     b.warp[n][lane] = Real(row.warp[n]);
                   }
                   b.weft_compliance[lane] = Real(row.weft_compliance);
                   b.warp_compliance[lane] = Real(row.warp_compliance);
                   b.cross_compliance[lane] = Real(row.cross_compliance);
                   b.shear_compliance[lane] = Real(row.shear_compliance);
                 });
}

void pack_volume(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.volume, set, choice), set, set.volume, set.volume_order,
                 [&](VolumeBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const VolumeRow row = e < 0
                                             ? VolumeRow{{scratch, scratch, scratch, scratch}, 0, 1}
                                             : rows.volume[std::size_t(e)];
                   for (std::size_t n = 0; n < 4; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                   b.rest[lane] = Real(6 * row.rest);
                   b.compliance[lane] = Real(row.compliance);
                 });
}

void pack_cells(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.cell, set, choice), set, set.cell, set.cell_order,
                 [&](CellVolumeBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   CellVolumeRow row{{}, 0, 1};
                   row.particle.fill(scratch);
                   if (e >= 0) row = rows.cell[std::size_t(e)];
                   for (std::size_t n = 0; n < 8; ++n)
                     b.at[n][std::size_t(lane)] = row.particle[n] * k_vec4_bytes;
                   b.rest[lane] = Real(6 * row.rest);
                   b.compliance[lane] = Real(row.compliance);
                 });
}

void put(Vec3W& to, int lane, const Vec3& v) {
  to.x[lane] = Real(v.x);
  to.y[lane] = Real(v.y);
  to.z[lane] = Real(v.z);
}

void pack_fem(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.fem, set, choice), set, set.fem, set.fem_order,
                 [&](FemBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   const FemRow row = e < 0 ? FemRow{{scratch, scratch, scratch, scratch}, {}, 0}
                                            : rows.fem[std::size_t(e)];
                   for (std::size_t n = 0; n < 4; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                   for (std::size_t n = 0; n < 3; ++n) put(b.inverse[n], lane, row.inverse[n]);
                   b.volume[lane] = Real(row.volume);
                 });
}

void put(HexPoint& to, int lane, const HexRow::Point& point) {
  for (std::size_t n = 0; n < 7; ++n) put(to.gradient[n], lane, point.gradient[n]);
  to.volume[lane] = Real(point.volume);
}

void pack_hexahedra(const ConstraintRows& rows, const ScheduleChoice& choice, ConstraintSet& set) {
  pack_clustered(arranged(rows.hex, set, choice), set, set.hex, set.hex_order,
                 [&](HexBatch& b, int lane, std::int32_t e, std::int32_t scratch) {
                   HexRow row;
                   row.particle.fill(scratch);
                   if (e >= 0) row = rows.hex[std::size_t(e)];
                   for (std::size_t n = 0; n < 8; ++n) b.i[n][std::size_t(lane)] = row.particle[n];
                   for (std::size_t q = 0; q < 4; ++q) put(b.point[q], lane, row.point[q]);
                   put(b.centre, lane, row.centre);
                 });
}

// A batch has one pin and no particle twice: the tethers of a cluster are grouped by how many its
// particle has before them, then by pin. A tether moves its own particle alone, so all are inside.
void pack_tethers(const ConstraintRows& rows, ConstraintSet& set) {
  struct Entry {
    std::int32_t cluster, rank, pin, particle, row;
    auto operator<=>(const Entry&) const = default;
    bool together(const Entry& e) const {
      return cluster == e.cluster && rank == e.rank && pin == e.pin &&
             particle - e.particle <= std::numeric_limits<std::uint16_t>::max();
    }
  };
  std::vector<Entry> entries;
  std::vector<std::int32_t> rank(std::size_t(set.clusters.back()), 0);
  for (std::size_t e = 0; e < rows.tether.size(); ++e) {
    const TetherRow& row = rows.tether[e];
    const auto after = std::upper_bound(set.clusters.begin(), set.clusters.end(), row.particle);
    entries.push_back({std::int32_t(after - set.clusters.begin()) - 1,
                       rank[std::size_t(row.particle)]++, row.pin, row.particle, std::int32_t(e)});
  }
  std::sort(entries.begin(), entries.end());
  std::size_t first = 0;
  for (int cluster = 0; cluster < set.cluster_count(); ++cluster) {
    while (first < entries.size() && entries[first].cluster == cluster) {
      TetherBatch& b = set.tether.emplace_back();
      b.limit.fill(Real(1e15));  // an unused lane is never taut
      b.first = entries[first].particle;
      b.pin = entries[first].pin;
      b.beyond.fill(0);
      b.used = 0;
      const std::size_t begin = first;
      for (; first < entries.size() && first < begin + k_lanes &&
             entries[first].together(entries[begin]);
           ++first) {
        const std::size_t lane = first - begin;
        b.beyond[lane] = std::uint16_t(entries[first].particle - b.first);
        b.limit[lane] = Real(rows.tether[std::size_t(entries[first].row)].limit);
        b.used |= 1u << lane;
      }
    }
    set.tether_order.inside.push_back(std::int32_t(set.tether.size()));
  }
  set.tether_order.between.assign(1, std::int32_t(set.tether.size()));
}

}  // namespace

ConstraintSet make_constraint_set(ConstraintRows rows, std::int32_t particle_count,
                                  const ScheduleChoice& choice) {
  ConstraintSet set;
  set.clusters = cluster_ranges(particle_count);
  if (choice.schedule == Schedule::split)
    set.copies = split_particles(rows, particle_count, choice.split_colours, set.first_copy());
  pack_distance(rows, choice, set);
  pack_strain(rows, choice, set);
  pack_bend(rows, choice, set);
  pack_hinges(rows, choice, set);
  pack_volume(rows, choice, set);
  pack_cells(rows, choice, set);
  pack_fem(rows, choice, set);
  pack_hexahedra(rows, choice, set);
  pack_tethers(rows, set);
  return set;
}

}  // namespace pliant
