// Islands and sleep. Nodes are rigid bodies and whole deformables, edges are loaded contacts and
// anchors.
//
// What counts is displacement, not speed: a body whose every point has stayed within a distance of
// where it was half a second ago may sleep, and does when its whole island may. A slow creep resets
// the clock each time it has gone that far; a jitter on the spot does not.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/state.h"

namespace pliant {

inline constexpr double k_time_to_sleep = 0.5;  // s

struct IslandEdge {
  std::int32_t a = 0, b = 0;  // nodes: rigid index, or rigid count + deformable index
};

struct IslandScratch {
  std::vector<std::int32_t> parent;
  std::vector<IslandEdge> edges;
  std::vector<std::uint8_t> restless;  // of each root: some member may not sleep yet
  std::vector<std::int32_t> changed;   // nodes that fell asleep in this step
};

// Advances the clocks of all awake bodies, builds the islands from scratch.edges and puts those to
// sleep that may; lists them in scratch.changed.
void update_sleep(State& state, double dt, double distance, bool enabled, IslandScratch& scratch);
// Wakes a node and all that fell asleep with it; appends them to `woken`.
void wake(State& state, std::int32_t node, std::vector<std::int32_t>& woken);

}  // namespace pliant
