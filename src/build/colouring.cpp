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

  Incidence(std::span<const std::int32_t> particles, int arity, std::int32_t particle_count)
      : begin(std::size_t(particle_count) + 1), element(particles.size()) {
    for (const std::int32_t p : particles) ++begin[std::size_t(p) + 1];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::int32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t n = 0; n < particles.size(); ++n)
      element[std::size_t(next[std::size_t(particles[n])]++)] = std::int32_t(n) / arity;
  }
  std::span<const std::int32_t> of(std::int32_t p) const {
    return {element.data() + begin[std::size_t(p)],
            std::size_t(begin[std::size_t(p) + 1] - begin[std::size_t(p)])};
  }
};

// Repeatedly takes away the element with the fewest neighbours left. The count of shared particles
// stands for the number of neighbours: exact counts change nothing that matters and cost much more.
std::vector<std::int32_t> smallest_last(std::span<const std::int32_t> particles, int arity,
                                        const Incidence& incidence) {
  const std::size_t count = particles.size() / std::size_t(arity);
  std::vector<std::int32_t> degree(count);
  std::int32_t greatest = 0;
  const auto of = [&](std::size_t e) {
    return particles.subspan(e * std::size_t(arity), std::size_t(arity));
  };
  for (std::size_t e = 0; e < count; ++e) {
    for (const std::int32_t p : of(e)) degree[e] += std::int32_t(incidence.of(p).size()) - 1;
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
    for (const std::int32_t p : of(e))
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

std::vector<std::int32_t> colour_elements(std::span<const std::int32_t> particles, int arity,
                                          std::int32_t particle_count) {
  const Incidence incidence(particles, arity, particle_count);
  std::vector<ColourMask> used(std::size_t(particle_count), ColourMask{});
  std::vector<std::int32_t> colours(particles.size() / std::size_t(arity));
  for (const std::int32_t e : smallest_last(particles, arity, incidence)) {
    const auto mine = particles.subspan(std::size_t(e) * std::size_t(arity), std::size_t(arity));
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
