// Whether batches may run as they are ordered, and which elements they hold.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "build/deformable_build.h"

namespace pliant {

inline std::vector<Lanes> particles_of(const DistanceBatch& b) { return {b.i, b.j}; }
inline std::vector<Lanes> particles_of(const TetherBatch& b) { return {lanes_of(b)}; }
template <class Batch>
requires requires(const Batch& b) { b.at; }  // which has bytes
std::vector<Lanes> particles_of(const Batch& b) {
  std::vector<Lanes> lanes(b.at.begin(), b.at.end());
  for (Lanes& l : lanes)
    for (std::int32_t& p : l) p /= std::int32_t(sizeof(Vec4));
  return lanes;
}
template <class Batch>
std::vector<Lanes> particles_of(const Batch& b) {
  return {b.i.begin(), b.i.end()};
}

inline bool is_scratch(const ConstraintSet& set, std::int32_t p) {
  return p >= set.clusters.back() && p < set.first_copy();
}

// The particles of a batch, lane by lane; scratch particles are left out.
template <class Batch>
std::vector<std::vector<std::int32_t>> elements_of(const Batch& b, const ConstraintSet& set) {
  std::vector<std::vector<std::int32_t>> elements;
  for (std::size_t lane = 0; lane < k_lanes; ++lane) {
    std::vector<std::int32_t> element;
    for (const Lanes& lanes : particles_of(b))
      if (!is_scratch(set, lanes[lane])) element.push_back(lanes[lane]);
    if (!element.empty()) elements.push_back(element);
  }
  return elements;
}

// Unused lanes of a tether's batch are not scratch particles.
inline std::vector<std::vector<std::int32_t>> elements_of(const TetherBatch& b,
                                                          const ConstraintSet&) {
  std::vector<std::vector<std::int32_t>> elements;
  for (std::size_t lane = 0; lane < k_lanes; ++lane)
    if (b.used >> lane & 1) elements.push_back({lanes_of(b)[lane]});
  return elements;
}

// Why an order must not be run, or nothing where it may.
template <class Batch>
std::string trouble(const ConstraintSet& set, const std::vector<Batch>& batches,
                    const BatchOrder& order) {
  const auto name = [](std::size_t n) { return std::to_string(n); };
  if (order.inside.size() != set.clusters.size() || order.inside[0] != 0) return "clusters missing";
  if (order.between[0] != order.inside.back()) return "a gap after the clusters";
  if (order.between.back() != std::int32_t(batches.size())) return "batches left over";
  for (std::size_t k = 0; k + 1 < order.inside.size(); ++k)
    for (std::int32_t n = order.inside[k]; n < order.inside[k + 1]; ++n)
      for (const Lanes& lanes : particles_of(batches[std::size_t(n)]))
        for (const std::int32_t p : lanes) {
          const bool own = p >= set.clusters[k] && p < set.clusters[k + 1];
          if (!own && p != set.scratch_of(int(k))) return "cluster " + name(k) + " leaves its own";
        }
  for (std::size_t c = 0; c + 1 < order.between.size(); ++c) {
    std::set<std::int32_t> used;  // also the scratch particle: of one batch alone
    for (std::int32_t n = order.between[c]; n < order.between[c + 1]; ++n) {
      std::set<std::int32_t> mine;
      for (const Lanes& lanes : particles_of(batches[std::size_t(n)]))
        mine.insert(lanes.begin(), lanes.end());
      for (const std::int32_t p : mine)
        if (!used.insert(p).second)
          return "colour " + name(c) + " meets at " + name(std::size_t(p));
    }
  }
  if (order.node.back() != order.colours_between()) return "colours without a node";
  if (order.node_count() > 1) {
    if (order.node_count() != set.cluster_count() - 1) return "not a tree of the clusters";
    for (int n = 0; n < order.node_count(); ++n) {
      // The clusters below: down its left edge and its right one.
      int low = n, high = n;
      while (low < order.node_count()) low = 2 * low + 1, high = 2 * high + 2;
      const std::size_t first = std::size_t(low - order.node_count());
      const std::size_t last = std::size_t(high - order.node_count());
      for (std::int32_t b = order.between[std::size_t(order.node[std::size_t(n)])];
           b < order.between[std::size_t(order.node[std::size_t(n) + 1])]; ++b)
        for (const Lanes& lanes : particles_of(batches[std::size_t(b)]))
          for (const std::int32_t p : lanes) {
            const bool own = p >= set.clusters[first] && p < set.clusters[last + 1];
            if (!own && p != set.scratch_of(int(first)))
              return "node " + name(std::size_t(n)) + " leaves its own";
          }
    }
  }
  for (const Batch& b : batches) {  // within a batch too: lanes are written side by side
    std::set<std::int32_t> used;
    for (const auto& element : elements_of(b, set))
      for (const std::int32_t p : element)
        if (!used.insert(p).second)
          return "a batch has particle " + name(std::size_t(p)) + " twice";
  }
  return {};
}

// Why batches must not be run by twos inside clusters, or nothing where they may.
template <class Batch>
std::string trouble_by_twos(const ConstraintSet& set, const std::vector<Batch>& batches,
                            const BatchOrder& order) {
  for (std::size_t k = 0; k + 1 < order.inside.size(); ++k)
    for (std::int32_t n = order.inside[k]; n + 1 < order.inside[k + 1]; n += 2) {
      std::set<std::int32_t> used;
      for (const std::int32_t m : {n, n + 1})
        for (const auto& element : elements_of(batches[std::size_t(m)], set))
          for (const std::int32_t p : element)
            if (!used.insert(p).second)
              return "batches " + std::to_string(n) + " and the next share " + std::to_string(p);
    }
  return {};
}

template <class Batch>
std::map<std::vector<std::int32_t>, int> all_elements(const std::vector<Batch>& batches,
                                                      const ConstraintSet& set) {
  std::map<std::vector<std::int32_t>, int> found;
  for (const Batch& b : batches)
    for (std::vector<std::int32_t> element : elements_of(b, set)) {
      std::sort(element.begin(), element.end());
      ++found[element];
    }
  return found;
}

// Of all kinds of a cloth.
inline std::string trouble(const ConstraintSet& set) {
  return trouble(set, set.triangle, set.triangle_order) +
         trouble_by_twos(set, set.triangle, set.triangle_order) +
         trouble(set, set.distance, set.distance_order) +
         trouble(set, set.strain, set.strain_order) + trouble(set, set.bend, set.bend_order) +
         trouble(set, set.hinge, set.hinge_order) + trouble(set, set.tether, set.tether_order);
}

}  // namespace pliant
