// Internal constraints in batches of eight, ordered so that threads never meet.
//
// A body's particles are cut into clusters, runs that lie together in space. Constraints within one
// cluster are its inside: they run from first to last on one thread, colour after colour, while
// other clusters run beside. What joins clusters comes between: by the tree whose leaves are the
// clusters, up to its root, so that quarters and halves run beside each other, and within a node of
// it grouped by colour: the batches of a colour share no particle, so they too run in any order and
// on any thread with the same bits. The cut depends on the body alone, never on threads.
// docs/parallel.md has the measurements.
//
// Unused lanes of a colour's last batch point at a scratch particle, which comes after the body's
// real ones, has no inverse mass and stays at zero. Each cluster has its own, a cache line apart;
// a node uses that of its first cluster, and only one batch of a colour has such lanes: no two
// threads meet there. What a kernel streams is kept small: it decides the speed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>

#include "math/wide.h"
#include "math/wide_mat3.h"

namespace pliant {

inline constexpr int k_lanes = k_wide;
using Lanes = std::array<std::int32_t, k_lanes>;

// Which batches of a kind run when.
struct BatchOrder {
  std::vector<std::int32_t> inside{0};   // cluster k's: [inside[k], inside[k + 1])
  std::vector<std::int32_t> between{0};  // behind them colour c's: [between[c], between[c + 1])
  // Colours of what joins the halves of node n: [node[n], node[n + 1]). Nodes are counted level by
  // level: below n are 2 n + 1 and 2 n + 2. With one node for everything there is no tree.
  std::vector<std::int32_t> node{0};
  int colours_between() const { return int(between.size()) - 1; }
  int node_count() const { return int(node.size()) - 1; }
};

struct alignas(64) DistanceBatch {  // see constraints/distance.h
  Lanes i, j;
  Vec3W base;        // base_j - base_i, refreshed once per step
  RealW rest;        // m
  RealW compliance;  // m/N
};

// The three edges of a triangle: the same rows as above, but each particle is fetched and put back
// once for three of them, which is what a projection costs most. Batches inside a cluster come by
// twos that share no particle: two chains of three edges run side by side.
struct DistanceTriangleBatch {      // see constraints/distance.h
  std::array<Lanes, 3> at;          // bytes
  std::array<Vec3W, 2> base;        // base_1 - base_0, base_2 - base_1
  std::array<RealW, 3> rest;        // m, of the edges 01, 12, 20
  std::array<RealW, 3> compliance;  // m/N
};

// Places in bytes from the body's first particle take one step less for each address than numbers:
// 64 of the 400 instructions of a projection.
struct alignas(64) BendBatch {  // see constraints/bend.h
  std::array<Lanes, 4> at;      // bytes
  std::array<RealW, 4> k;       // cotangent weights of the rest shape, sum 0
  Vec3W base;                   // sum k_i base_i
  RealW compliance;             // m/N
};

struct alignas(64) HingeBatch {  // see constraints/hinge.h
  std::array<Lanes, 4> i;        // the shared edge, then the wings
  std::array<Vec3W, 3> base;     // base_n - base_0, n = 1..3
  RealW rest;                    // rad
  RealW compliance;              // 1 / (N m)
};

// Hinges of creases, whose rest angles are led.
struct alignas(64) FoldBatch {
  HingeBatch hinge;
  Lanes fold;  // index into the body's folds; -1 in unused lanes
  RealW from;  // rad, of the rest shape
};

struct alignas(64) StrainBatch {  // see constraints/strain.h
  std::array<Lanes, 3> i;
  std::array<Vec3W, 2> base;        // base_0 - base_2, base_1 - base_2
  std::array<RealW, 2> weft, warp;  // 1/m, columns of the inverse of the rest shape
  RealW weft_compliance, warp_compliance, cross_compliance, shear_compliance;  // 1/J
};

struct alignas(64) VolumeBatch {  // see constraints/volume.h
  std::array<Lanes, 4> i;
  std::array<Vec3W, 3> base;  // base_n - base_0, n = 1..3
  RealW rest;                 // m3, six times the volume
  RealW compliance;           // m6/J of (six times the volume)
};

struct alignas(64) CellVolumeBatch {  // see constraints/cell_volume.h
  // Bytes from the body's first particle: the middle tetrahedron, then the corners opposite its
  // vertices. With indices each of the 128 addresses of a projection would take one step more.
  std::array<Lanes, 8> at;
  std::array<Vec3W, 6> base;  // m_k - m_0, then e_0 - e_k, k = 1..3
  RealW rest;                 // m3, six times the volume
  RealW compliance;           // m6/J of (six times the volume)
};

struct alignas(64) FemBatch {  // see constraints/fem.h
  std::array<Lanes, 4> i;
  std::array<Vec3W, 3> base;     // base_n - base_0, n = 1..3
  std::array<Vec3W, 3> inverse;  // 1/m, rows of the inverse of the rest edges
  RealW volume;                  // m3, at rest; 0 in unused lanes
};
// Of all elements of a body.
struct FemMaterial {
  Energy energy = Energy::neo_hookean;
  Real mu = 0, lambda = 0;  // Pa, Lame's constants
  Real damping = 0;         // s, Rayleigh's factor of the stiffness
  bool explicit_forces = false;
};

struct HexPoint {
  std::array<Vec3W, 7> gradient;  // 1/m, of the shape functions of corners 1 to 7
  RealW volume;                   // m3, that it stands for; 0 in unused lanes
};
struct alignas(64) HexBatch {  // see constraints/fem_hex.h
  std::array<Lanes, 8> i;
  std::array<Vec3W, 7> base;  // base_n - base_0
  std::array<HexPoint, 4> point;
  HexPoint centre;
};
struct HexMultipliers {
  std::array<Mat3W, 4> point;
  RealW volume;
};

// Bases are not kept here: that would be half of what a batch streams, and a cluster's own are
// near. Nor are whole numbers of particles.
struct TetherBatch {                          // see constraints/tether.h
  std::array<Real, k_lanes> limit;            // m
  std::int32_t first;                         // particle
  std::int32_t pin;                           // the same for all lanes
  std::array<std::uint16_t, k_lanes> beyond;  // so many after the first is each lane's particle
  std::uint32_t used;  // a bit for each lane: the others name the first again and are not written
};
inline Lanes lanes_of(const TetherBatch& b) {
  Lanes lanes;
  for (std::size_t k = 0; k < lanes.size(); ++k) lanes[k] = b.first + b.beyond[k];
  return lanes;
}

// Particles that constraints know as several: each copy belongs to a part of the particle's
// constraints, so that two parts may run side by side. The copies come after the scratch particles;
// they are no state: before a sweep they are where their particle is, each with its part of the
// mass, and after it the particle goes to their mean (solver/copies.h).
struct ParticleCopies {
  std::vector<std::int32_t> particle;  // that has copies; rising
  std::vector<std::int32_t> begin{0};  // copies of particle[n]: [begin[n], begin[n + 1])
  std::int32_t count() const { return begin.back(); }
};

// The multipliers of constraints that are swept more than once per substep, beside the batches.
struct Multipliers {
  std::vector<RealW> distance;
  std::vector<std::array<RealW, 3>> triangle;
  std::vector<Vec3W> strain;
  std::vector<Vec3W> bend;
  std::vector<RealW> hinge;
  std::vector<RealW> fold;
  std::vector<RealW> volume;
  std::vector<RealW> cell;
  std::vector<Mat3W> fem;
  std::vector<HexMultipliers> hex;
};

struct ConstraintSet {
  std::vector<std::int32_t> clusters{0,
                                     0};  // particles of cluster k: [clusters[k], clusters[k + 1])
  std::vector<DistanceBatch> distance;
  BatchOrder distance_order;
  std::vector<DistanceTriangleBatch> triangle;
  BatchOrder triangle_order;
  std::vector<StrainBatch> strain;
  BatchOrder strain_order;
  bool strain_is_elastic = false;  // else it serves the limit alone
  Real strain_limit = 0;           // greatest principal stretch; 0 = none
  std::vector<BendBatch> bend;
  BatchOrder bend_order;
  std::vector<HingeBatch> hinge;
  BatchOrder hinge_order;
  std::vector<FoldBatch> fold;
  BatchOrder fold_order;
  std::vector<VolumeBatch> volume;
  BatchOrder volume_order;
  std::vector<CellVolumeBatch> cell;
  BatchOrder cell_order;
  std::vector<FemBatch> fem;
  BatchOrder fem_order;
  std::vector<HexBatch> hex;
  BatchOrder hex_order;
  FemMaterial fem_material;
  std::vector<TetherBatch> tether;
  BatchOrder tether_order;
  ParticleCopies copies;
  Multipliers multipliers;  // scratch of a substep; not state

  int cluster_count() const { return int(clusters.size()) - 1; }
  std::int32_t scratch_of(int cluster) const { return clusters.back() + k_scratch_gap * cluster; }
  std::int32_t first_copy() const { return scratch_of(cluster_count() - 1) + 1; }
  // How many places the body takes in the arrays of particles.
  std::int32_t places() const { return first_copy() + copies.count(); }

 private:
  static constexpr std::int32_t k_scratch_gap = 4;  // Vec4 of float in a cache line
};

}  // namespace pliant
