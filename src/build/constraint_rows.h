// Constraints before they are coloured and packed: what cloth and solid builders hand over.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>

#include "build/colouring.h"
#include "model/batches.h"

namespace pliant {

struct DistanceRow {
  std::array<std::int32_t, 2> particle;
  double rest;        // m
  double compliance;  // m/N
};
struct BendRow {
  std::array<std::int32_t, 4> particle;
  std::array<double, 4> weight;
  double compliance;  // m/N
};
struct HingeRow {
  std::array<std::int32_t, 4> particle;
  double rest;             // rad
  double compliance;       // 1 / (N m)
  std::int32_t fold = -1;  // index into the body's folds, of a crease
};
struct StrainRow {
  std::array<std::int32_t, 3> particle;
  std::array<double, 2> weft, warp;  // 1/m, as StrainBatch
  double weft_compliance, warp_compliance, cross_compliance, shear_compliance;  // 1/J
};
struct VolumeRow {
  std::array<std::int32_t, 4> particle;
  double rest;        // m3, the volume itself
  double compliance;  // of six times the volume
};
struct CellVolumeRow {
  std::array<std::int32_t, 8> particle;  // as CellVolumeBatch::at
  double rest;                           // m3, the volume itself
  double compliance;                     // of six times the volume
};
struct FemRow {
  std::array<std::int32_t, 4> particle;
  std::array<Vec3, 3> inverse;  // 1/m, as FemBatch
  double volume;                // m3, at rest
};
struct HexRow {
  struct Point {
    std::array<Vec3, 7> gradient{};  // 1/m, as HexPoint
    double volume = 0;               // m3
  };
  std::array<std::int32_t, 8> particle{};
  std::array<Point, 4> point{};
  Point centre{};
};
struct TetherRow {
  std::int32_t particle, pin;
  double limit;  // m
};

struct ConstraintRows {
  std::vector<DistanceRow> distance;
  // Triangles whose edges may be rows above: where all three are, they are projected together.
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<BendRow> bend;
  std::vector<HingeRow> hinge;
  std::vector<HingeRow> fold;
  std::vector<StrainRow> strain;
  std::vector<VolumeRow> volume;
  std::vector<CellVolumeRow> cell;
  std::vector<FemRow> fem;
  std::vector<HexRow> hex;
  std::vector<TetherRow> tether;
};

// What decides the order of the constraints.
struct ScheduleChoice {
  Schedule schedule = Schedule::clusters;
  int split_colours = 6;         // of `split`
  std::vector<GridPlace> place;  // of `colours`: of each particle of a regular grid; else empty
};

// The scratch particles that unused lanes point at come after the `particle_count` real ones.
ConstraintSet make_constraint_set(ConstraintRows rows, std::int32_t particle_count,
                                  const ScheduleChoice& choice = {});

}  // namespace pliant
