// Loops over a deformable body that threads share: over its clusters, their particles and the
// constraints inside and between them. docs/parallel.md says why they are cut this way.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/pool.h"
#include "model/batches.h"

namespace pliant {

// Every pass over a body is cut at its clusters: what a thread touches in one pass it finds in its
// core's cache in the next.
template <class Run>
void each_cluster(TaskPool* pool, const ConstraintSet& set, const Run& run) {
  parallel_for(pool, set.cluster_count(), 1, [&](int begin, int end) {
    for (int k = begin; k < end; ++k) run(k);
  });
}

// Calls run(i) for every particle, or for every second one, from the first.
template <int stride, class Run>
void each_particle(TaskPool* pool, const ConstraintSet& set, const Run& run) {
  each_cluster(pool, set, [&](int k) {
    const Run local = run;  // what it captured stays in registers: stores cannot reach it
    const int end = set.clusters[std::size_t(k) + 1];
    for (int i = set.clusters[std::size_t(k)]; i < end; i += stride) local(i);
  });
}

template <class Batches>
auto inside(Batches& batches, const BatchOrder& order, int cluster) {
  const std::size_t k = std::size_t(cluster), begin = std::size_t(order.inside[k]);
  return std::span(batches).subspan(begin, std::size_t(order.inside[k + 1]) - begin);
}

// The part of what comes between clusters that falls to one of `parts`.
template <class Batches>
auto between(Batches& batches, const BatchOrder& order, int part, int parts) {
  const std::size_t first = std::size_t(order.between[0]), count = batches.size() - first;
  const std::size_t begin = count * std::size_t(part) / std::size_t(parts);
  const std::size_t end = count * (std::size_t(part) + 1) / std::size_t(parts);
  return std::span(batches).subspan(first + begin, end - begin);
}

// Calls visit(batches, order, multipliers) for each kind of constraint but tethers, in the order in
// which they are projected.
template <class Set, class Visit>
void each_kind(Set& set, const Visit& visit) {
  visit(set.triangle, set.triangle_order, set.multipliers.triangle);
  visit(set.distance, set.distance_order, set.multipliers.distance);
  visit(set.strain, set.strain_order, set.multipliers.strain);
  visit(set.volume, set.volume_order, set.multipliers.volume);
  visit(set.cell, set.cell_order, set.multipliers.cell);
  visit(set.fem, set.fem_order, set.multipliers.fem);
  visit(set.hex, set.hex_order, set.multipliers.hex);
  visit(set.bend, set.bend_order, set.multipliers.bend);
  visit(set.hinge, set.hinge_order, set.multipliers.hinge);
  visit(set.fold, set.fold_order, set.multipliers.fold);
}

// Into how many branches the tree of clusters is cut: one for each thread at least.
inline int branch_count(const TaskPool* pool, const ConstraintSet& set) {
  int count = 1;
  while (pool != nullptr && count < pool->threads() && count < set.cluster_count()) count *= 2;
  return count;
}

// What joins the clusters of one node of their tree, colour by colour: kernels may take two batches
// of a colour at once. Calls visit(first, last, run_some), of which run_some(begin, end) runs
// batches of [first, last).
template <class Run, class Visit>
void each_colour(ConstraintSet& set, int node, const Run& run, const Visit& visit) {
  each_kind(set, [&](const auto& batches, const BatchOrder& order, auto& multipliers) {
    if (node >= order.node_count()) return;
    const auto run_some = [&](std::int32_t begin, std::int32_t end) {
      const std::size_t at = std::size_t(begin), count = std::size_t(end - begin);
      run(std::span(batches).subspan(at, count), multipliers, at);
    };
    for (std::size_t c = std::size_t(order.node[std::size_t(node)]);
         c < std::size_t(order.node[std::size_t(node) + 1]); ++c)
      visit(order.between[c], order.between[c + 1], run_some);
  });
}

// All nodes from this one down, the lowest first, on this thread.
template <class Run>
void run_branch(ConstraintSet& set, int node, const Run& run) {
  if (node >= std::max(1, set.cluster_count() - 1)) return;
  run_branch(set, 2 * node + 1, run);
  run_branch(set, 2 * node + 2, run);
  each_colour(set, node, run,
              [](std::int32_t first, std::int32_t last, const auto& some) { some(first, last); });
}

// One node, on all threads.
template <class Run>
void share_node(TaskPool* pool, ConstraintSet& set, int node, const Run& run) {
  constexpr int k_grain = 32;  // batches in a block: a microsecond of work
  each_colour(set, node, run, [&](std::int32_t first, std::int32_t last, const auto& some) {
    parallel_for(pool, last - first, k_grain,
                 [&](int begin, int end) { some(first + begin, first + end); });
  });
}

// One sweep over all constraints of a body but tethers: run(batches, multipliers, at), after
// before(k), for what is inside each cluster, then for what is between them, from the leaves of
// their tree to its root; `at` is the place of the first of the batches. A branch of the tree is
// run by one thread, which finds in its core's cache what it has touched: a node has few batches,
// and a join costs more than they do. The few nodes above the branches come last, by all threads
// where they are large.
template <class Before, class Run>
void sweep_constraints(TaskPool* pool, ConstraintSet& set, const Before& before, const Run& run) {
  each_cluster(pool, set, [&](int k) {
    before(k);
    each_kind(set, [&](const auto& batches, const BatchOrder& order, auto& multipliers) {
      run(inside(batches, order, k), multipliers, std::size_t(order.inside[std::size_t(k)]));
    });
  });
  const int branches = branch_count(pool, set);
  parallel_for(pool, branches, 1, [&](int first, int last) {
    for (int n = first; n < last; ++n) run_branch(set, branches - 1 + n, run);
  });
  for (int node = branches - 2; node >= 0; --node) share_node(pool, set, node, run);
}

}  // namespace pliant
