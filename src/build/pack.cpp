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

int first_cluster(int node, int clusters) {
  while (node < clusters - 1) node = 2 * node + 1;
  return node - (clusters - 1);
}

namespace {

// The lowest node above both clusters, which may be the same: then it is the cluster itself,
// counted on behind the nodes.
std::size_t lowest_above(std::size_t low, std::size_t high, std::size_t clusters) {
  std::size_t a = low + clusters - 1, b = high + clusters - 1;
  while (a != b) (a > b ? a : b) = ((a > b ? a : b) - 1) / 2;
  return a;
}

}  // namespace

ClusteredElements cluster_elements(std::span<const std::int32_t> particles, int arity,
                                   std::span<const std::int32_t> clusters) {
  const std::size_t width = std::size_t(arity), count = particles.size() / width;
  const std::size_t cluster_count = clusters.size() - 1, node_count = cluster_count - 1;
  const auto cluster_of = [&](std::int32_t p) {
    return std::size_t(std::upper_bound(clusters.begin() + 1, clusters.end() - 1, p) -
                       (clusters.begin() + 1));
  };
  // The elements of each node, then those of each cluster, and their particles counted from the
  // first that they can have: the colouring takes time and memory by the highest.
  const std::size_t list_count = node_count + cluster_count;
  std::vector<std::vector<std::int32_t>> element(list_count), flat(list_count);
  std::vector<std::int32_t> places(list_count);
  for (std::size_t e = 0; e < count; ++e) {
    const auto mine = particles.subspan(e * width, width);
    const auto [low, high] = std::minmax_element(mine.begin(), mine.end());
    const std::size_t list = lowest_above(cluster_of(*low), cluster_of(*high), cluster_count);
    const std::int32_t first = clusters[std::size_t(first_cluster(int(list), int(cluster_count)))];
    element[list].push_back(std::int32_t(e));
    for (const std::int32_t p : mine) flat[list].push_back(p - first);
    places[list] = std::max(places[list], *high - first + 1);
  }
  ClusteredElements result;
  for (std::size_t n = 0; n < list_count; ++n) {
    ClusteredElements::Groups groups =
        group_by_colour(flat[n], arity, colour_elements(flat[n], arity, places[n]));
    for (auto& group : groups)
      for (std::int32_t& e : group) e = element[n][std::size_t(e)];
    (n < node_count ? result.between : result.inside).push_back(std::move(groups));
  }
  return result;
}

}  // namespace pliant
