#include "build/colouring.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/assert.h"

namespace pliant {
namespace {

// Which elements touch a particle, as one flat list.
struct Incidence {
  std::vector<std::int32_t> begin, element;

  Incidence(const ElementList& elements, std::int32_t particle_count)
      : begin(std::size_t(particle_count) + 1), element(elements.particle.size()) {
    for (const std::int32_t p : elements.particle) ++begin[std::size_t(p) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (const std::int32_t p : elements.of(e))
        element[std::size_t(next[std::size_t(p)]++)] = std::int32_t(e);
  }
  std::span<const std::int32_t> of(std::int32_t p) const {
    return {element.data() + begin[std::size_t(p)],
            std::size_t(begin[std::size_t(p) + 1] - begin[std::size_t(p)])};
  }
};

// Repeatedly takes away the element with the fewest neighbours left. The count of shared particles
// stands for the number of neighbours: exact counts change nothing that matters and cost much more.
std::vector<std::int32_t> smallest_last(const ElementList& elements, const Incidence& incidence) {
  const std::size_t count = elements.size();
  std::vector<std::int32_t> degree(count);
  std::int32_t greatest = 0;
  for (std::size_t e = 0; e < count; ++e) {
    for (const std::int32_t p : elements.of(e))
      degree[e] += std::int32_t(incidence.of(p).size()) - 1;
    greatest = std::max(greatest, degree[e]);
  }
  std::vector<std::vector<std::int32_t>> bucket(std::size_t(greatest) + 1);
  for (std::size_t e = count; e-- > 0;) bucket[std::size_t(degree[e])].push_back(std::int32_t(e));
  std::vector<bool> taken(count);
  std::vector<std::int32_t> order;
  order.reserve(count);
  for (std::size_t level = 0; order.size() < count;) {
    if (bucket[level].empty()) {
      ++level;
      continue;
    }
    const std::size_t e = std::size_t(bucket[level].back());
    bucket[level].pop_back();
    if (taken[e] || std::size_t(degree[e]) != level) continue;
    taken[e] = true;
    order.push_back(std::int32_t(e));
    for (const std::int32_t p : elements.of(e))
      for (const std::int32_t other : incidence.of(p)) {
        if (taken[std::size_t(other)]) continue;
        bucket[std::size_t(--degree[std::size_t(other)])].push_back(other);
        level = std::min(level, std::size_t(degree[std::size_t(other)]));
      }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

constexpr int k_words =
    8;  // 512 colours: more than any mesh that is not a fan of hundreds of triangles
using ColourMask = std::array<std::uint64_t, k_words>;

std::int32_t first_free(const ColourMask& used) {
  for (int w = 0; w < k_words; ++w)
    if (used[std::size_t(w)] != ~0ull) return w * 64 + std::countr_one(used[std::size_t(w)]);
  return k_words * 64;
}

}  // namespace

std::vector<std::int32_t> colour_elements(const ElementList& elements,
                                          std::int32_t particle_count) {
  const Incidence incidence(elements, particle_count);
  std::vector<ColourMask> used(std::size_t(particle_count), ColourMask{});
  std::vector<std::int32_t> colours(elements.size());
  for (const std::int32_t e : smallest_last(elements, incidence)) {
    const std::span<const std::int32_t> mine = elements.of(std::size_t(e));
    ColourMask blocked{};
    for (const std::int32_t p : mine)
      for (std::size_t w = 0; w < k_words; ++w) blocked[w] |= used[std::size_t(p)][w];
    const std::int32_t colour = first_free(blocked);
    PLIANT_ASSERT(colour < k_words * 64);
    colours[std::size_t(e)] = colour;
    for (const std::int32_t p : mine)
      used[std::size_t(p)][std::size_t(colour / 64)] |= 1ull << (colour % 64);
  }
  return colours;
}

std::vector<std::int32_t> colour_elements(std::span<const std::int32_t> particles, int arity,
                                          std::int32_t particle_count) {
  ElementList elements;
  elements.particle.assign(particles.begin(), particles.end());
  const std::size_t count = particles.size() / std::size_t(arity);
  for (std::size_t e = 1; e <= count; ++e) elements.begin.push_back(std::int32_t(e) * arity);
  return colour_elements(elements, particle_count);
}

std::vector<GridPlace> grid_places(const TriMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  const Triangle first = mesh.triangles[0];  // the corner, the one below it and the next of that
  const std::size_t across = std::size_t(std::max(first[1], 1)), count = mesh.vertices.size();
  const std::size_t columns = across - 1, rows = count / across - 1;
  if (columns < 1 || rows < 1 || count != across * (rows + 1)) return {};
  if (mesh.triangles.size() != 2 * columns * rows) return {};
  if (make_grid(int(columns), int(rows), 1, 1).triangles != mesh.triangles) return {};
  std::vector<GridPlace> places;
  for (std::size_t v = 0; v < count; ++v)
    places.push_back({std::int32_t(v % across), std::int32_t(v / across)});
  return places;
}

namespace {

// Diagonals run from (i, j) to (i + 1, j + 1). An element is known by its least place and the
// extent of its box: an edge is one step, a hinge a parallelogram, coloured by the parities of its
// corner in the basis of its sides.
std::int32_t edge_colour(GridPlace p, GridPlace extent) {
  if (extent[1] == 0) return p[0] & 1;
  return extent[0] == 0 ? 2 + (p[1] & 1) : 4 + (p[0] & 1);
}
std::int32_t hinge_colour(GridPlace p, GridPlace extent) {
  if (extent[0] == extent[1]) return 2 * (p[0] & 1) + (p[1] & 1);
  if (extent[1] == 2) return 4 + 2 * (p[0] & 1) + ((p[1] - p[0]) & 1);
  return 8 + 2 * (p[1] & 1) + ((p[0] - p[1]) & 1);
}

}  // namespace

std::vector<std::int32_t> colour_grid(std::span<const std::int32_t> particles, int arity,
                                      std::span<const GridPlace> place) {
  const std::size_t width = std::size_t(arity);
  std::vector<std::int32_t> colours(particles.size() / width);
  for (std::size_t e = 0; e < colours.size(); ++e) {
    GridPlace low = place[std::size_t(particles[e * width])], high = low;
    std::int32_t column_sum = 0;
    for (const std::int32_t p : particles.subspan(e * width, width)) {
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low[axis] = std::min(low[axis], place[std::size_t(p)][axis]);
        high[axis] = std::max(high[axis], place[std::size_t(p)][axis]);
      }
      column_sum += place[std::size_t(p)][0];
    }
    const GridPlace extent{high[0] - low[0], high[1] - low[1]};
    if (arity == 2) colours[e] = edge_colour(low, extent);
    // The triangles of one kind are translates of each other: i + j mod 3 differs by each of the
    // three steps that join two with a common corner.
    if (arity == 3) colours[e] = 3 * (column_sum - 3 * low[0] - 1) + (low[0] + low[1]) % 3;
    if (arity == 4) colours[e] = hinge_colour(low, extent);
  }
  return colours;
}

std::vector<std::vector<std::int32_t>> group_by_colour(std::span<const std::int32_t> particles,
                                                       int arity,
                                                       std::span<const std::int32_t> colours) {
  std::int32_t count = 0;
  for (const std::int32_t c : colours) count = std::max(count, c + 1);
  std::vector<std::vector<std::int32_t>> groups(std::size_t(count), std::vector<std::int32_t>{});
  for (std::size_t e = 0; e < colours.size(); ++e)
    groups[std::size_t(colours[e])].push_back(std::int32_t(e));
  const auto smallest = [&](std::int32_t e) {
    const auto mine = particles.subspan(std::size_t(e) * std::size_t(arity), std::size_t(arity));
    return *std::min_element(mine.begin(), mine.end());
  };
  // No two elements of a colour have the same smallest particle: the order has no ties.
  for (auto& group : groups)
    std::sort(group.begin(), group.end(),
              [&](std::int32_t a, std::int32_t b) { return smallest(a) < smallest(b); });
  return groups;
}

}  // namespace pliant
