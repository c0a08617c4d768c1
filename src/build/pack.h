// Elements into batches of eight, in the order in which threads can run them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "build/colouring.h"
#include "model/batches.h"

namespace pliant {

// Appends the batches of coloured elements. Calls fill(batch, lane, element) for each element in
// its place and fill(batch, lane, -1) for the unused lanes of a colour's last batch.
template <class Batch, class Fill>
void append_batches(const std::vector<std::int32_t>& group, std::vector<Batch>& batches,
                    const Fill& fill) {
  for (std::size_t first = 0; first < group.size(); first += k_lanes) {
    Batch& batch = batches.emplace_back();
    for (std::size_t lane = 0; lane < k_lanes; ++lane)
      fill(batch, int(lane), first + lane < group.size() ? group[first + lane] : -1);
  }
}

template <class Batch, class Fill>
void append_unused(std::vector<Batch>& batches, const Fill& fill) {
  Batch& batch = batches.emplace_back();
  for (std::size_t lane = 0; lane < k_lanes; ++lane) fill(batch, int(lane), -1);
}

// Where a body's particles are cut: at clusters[k]. They are in an order in which neighbours in
// space are neighbours in memory, so a run of them is a patch.
std::vector<std::int32_t> cluster_ranges(std::int32_t particle_count);

// The first of the clusters below a node of their tree.
int first_cluster(int node, int clusters);

// Elements by where they run, each list coloured.
struct ClusteredElements {
  using Groups = std::vector<std::vector<std::int32_t>>;  // elements of each colour
  std::vector<Groups> inside;                             // of each cluster
  std::vector<Groups> between;  // of each node of the tree of clusters, as in BatchOrder
};
// Elements are consecutive tuples of `arity` particle indices.
ClusteredElements cluster_elements(std::span<const std::int32_t> particles, int arity,
                                   std::span<const std::int32_t> clusters);

// How many batches of a colour inside a cluster run at once; a colour is filled up to whole groups.
enum class AtOnce { one, two };

// Calls fill(batch, lane, element, scratch), element -1 in unused lanes, which point at `scratch`.
template <class Batch, class Fill>
void pack_clustered(const ClusteredElements& elements, const ConstraintSet& set,
                    std::vector<Batch>& batches, BatchOrder& order, const Fill& fill,
                    AtOnce at_once = AtOnce::one) {
  std::int32_t scratch = 0;
  const auto fill_lane = [&](Batch& batch, int lane, std::int32_t element) {
    fill(batch, lane, element, scratch);
  };
  for (std::size_t k = 0; k < elements.inside.size(); ++k) {
    scratch = set.scratch_of(int(k));
    for (const auto& group : elements.inside[k]) {
      append_batches(group, batches, fill_lane);
      const std::size_t count = batches.size() - std::size_t(order.inside.back());
      if (at_once == AtOnce::two && count % 2 != 0) append_unused(batches, fill_lane);
    }
    order.inside.push_back(std::int32_t(batches.size()));
  }
  order.between.assign(1, std::int32_t(batches.size()));
  for (std::size_t n = 0; n < elements.between.size(); ++n) {
    scratch = set.scratch_of(first_cluster(int(n), set.cluster_count()));
    for (const auto& group : elements.between[n]) {
      append_batches(group, batches, fill_lane);
      order.between.push_back(std::int32_t(batches.size()));
    }
    order.node.push_back(order.colours_between());
  }
}

}  // namespace pliant
