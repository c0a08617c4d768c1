// Shape matching: clusters of particles with what they know of their rest shape, and the memory in
// which a substep works out where they should be. See constraints/matching.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <pliant/defs.h>
#include <pliant/real.h>

#include "model/batches.h"

namespace pliant {

inline constexpr std::size_t k_match_terms = 9;  // x, y, z; xx, yy, zz; xy, yz, zx

struct alignas(64) MatchBatch {
  Lanes i;       // members of one cluster; unused lanes have no weight
  RealW weight;  // share of the cluster's mass
  Vec3W q;       // rest place from the cluster's centre of mass, in units of its size
};
// Some batches of a cluster, summed up by one thread.
struct MatchBlock {
  std::int32_t cluster, begin, end;
};
struct MatchCluster {
  std::int32_t reference = 0;    // particle that places are measured from
  std::int32_t block_begin = 0;  // up to that of the next cluster
  std::array<Real, 6> mean{};    // of the quadratic terms: their sum vanishes without it
  std::array<double, k_match_terms> residue{};  // weighted sum of the terms as they are rounded
};
// What eight clusters need to find their maps.
struct MatchGroup {
  RealW size;                                                           // m
  std::array<std::array<RealW, k_match_terms>, k_match_terms> inverse;  // of sum w q q^T
};

// What a substep finds.
using Vec3R = Vec3T<Real>;
struct MatchSums {
  Vec3 centre;                             // sum w r
  std::array<Vec3, k_match_terms> moment;  // sum w r q_k
};
struct MatchMap {
  Vec3R centre;                             // m, from the reference's base
  std::array<Vec3R, k_match_terms> column;  // m: the goal is centre + sum column_k q_k
  std::array<Vec3R, 3> rotation;            // m: R alone, times the size
  std::array<Vec3R, 3> linear;              // m: A alone, times the size, of what may creep
};
struct MatchScratch {
  std::vector<MatchSums> sums;  // of blocks
  std::vector<MatchMap> maps;   // of clusters
  std::vector<Vec3W> offset;    // of batches: places, then the way from there to the goals
};

struct ShapeMatching {
  MatchingMode mode = MatchingMode::linear;
  double frequency = 0;  // Hz
  Real freedom = 0;
  bool keep_volume = true;
  double yield = 0, creep = 0, max_creep = 0;  // creep in 1/s
  std::vector<MatchBatch> batches;
  std::vector<MatchBlock> blocks;
  std::vector<MatchCluster> clusters;  // and one more at the end
  std::vector<MatchGroup> groups;
  // Where particle i is a member: batch * 8 + lane, [member_begin[i], member_begin[i + 1]).
  std::vector<std::int32_t> member_begin, member;
  MatchScratch scratch;
  // What the weights are made from again when particles are held or let go.
  std::vector<std::int32_t> particle_begin, particles;  // of cluster c
  std::vector<Vec3> rest;                               // m, of particles
  std::vector<double> mass;                             // kg, of particles
  std::vector<Mat3> crept;  // of clusters: what has become of the rest shape; none if elastic

  bool empty() const { return clusters.empty(); }
  int cluster_count() const { return int(clusters.size()) - 1; }
};

}  // namespace pliant
