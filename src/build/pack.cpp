#include "build/pack.h"

#include <algorithm>

namespace pliant {
namespace {

// Particles of a cluster, and less than twice as many; measured in docs/parallel.md. Of a body that
// fits in no cache what is between clusters is dear: it fetches whole lines for single particles.
constexpr std::int32_t k_cluster = 1024, k_large_cluster = 2048;
constexpr std::int32_t k_large_body = 1 << 15;  // particles

}  // namespace

// A power of two of nearly equal clusters, so that two, four and eight threads have the same share.
std::vector<std::int32_t> cluster_ranges(std::int32_t particle_count) {
  const std::int64_t cluster = particle_count < k_large_body ? k_cluster : k_large_cluster;
  std::int64_t count = 1;
  while (2 * cluster * count <= particle_count) count *= 2;
  std::vector<std::int32_t> clusters;
  for (std::int64_t k = 0; k < count; ++k)
    clusters.push_back(std::int32_t(particle_count * k / count / 8 * 8));
  clusters.push_back(particle_count);
  return clusters;
}

ClusteredElements cluster_elements(std::span<const std::int32_t> particles, int arity,
                                   std::span<const std::int32_t> clusters) {
  const std::size_t width = std::size_t(arity), count = particles.size() / width;
  const std::size_t cluster_count = clusters.size() - 1;
  const auto cluster_of = [&](std::int32_t p) {
    return std::size_t(std::upper_bound(clusters.begin() + 1, clusters.end() - 1, p) -
                       (clusters.begin() + 1));
  };
  // The elements of each cluster, then those between, and their particles counted from the first
  // that they can have: the colouring takes time and memory by the highest.
  std::vector<std::vector<std::int32_t>> element(cluster_count + 1), flat(cluster_count + 1);
  for (std::size_t e = 0; e < count; ++e) {
    const auto mine = particles.subspan(e * width, width);
    const auto [low, high] = std::minmax_element(mine.begin(), mine.end());
    const std::size_t first = cluster_of(*low);
    const bool within = first == cluster_of(*high);
    const std::size_t list = within ? first : cluster_count;
    element[list].push_back(std::int32_t(e));
    for (const std::int32_t p : mine) flat[list].push_back(within ? p - clusters[first] : p);
  }
  ClusteredElements result;
  for (std::size_t k = 0; k <= cluster_count; ++k) {
    const std::int32_t places = k < cluster_count ? clusters[k + 1] - clusters[k] : clusters.back();
    ClusteredElements::Groups groups =
        group_by_colour(flat[k], arity, colour_elements(flat[k], arity, places));
    for (auto& group : groups)
      for (std::int32_t& e : group) e = element[k][std::size_t(e)];
    if (k < cluster_count)
      result.inside.push_back(std::move(groups));
    else
      result.between = std::move(groups);
  }
  return result;
}

}  // namespace pliant
