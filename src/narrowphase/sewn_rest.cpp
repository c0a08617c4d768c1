#include "narrowphase/sewn_rest.h"

#include <algorithm>

#include "model/rigid.h"

namespace pliant {
namespace {

constexpr double k_far = 1e9;  // m
// Of the way between the nearest corners: in right-angled cells it is up to 1.41 times that between
// the nearest points.
constexpr double k_corners = 0.7;

// Through the places at seams that both are near to.
double through_seams(const SewnSheet& sewn, std::size_t p, std::size_t q) {
  double least = k_far;
  std::int32_t n = sewn.near_begin[q];
  for (std::int32_t m = sewn.near_begin[p]; m < sewn.near_begin[p + 1]; ++m) {
    const NearSeam& mine = sewn.near[std::size_t(m)];
    while (n < sewn.near_begin[q + 1] && sewn.near[std::size_t(n)].seam < mine.seam) ++n;
    if (n == sewn.near_begin[q + 1]) break;
    const NearSeam& other = sewn.near[std::size_t(n)];
    if (other.seam == mine.seam) least = std::min(least, mine.distance + other.distance);
  }
  return least;
}

}  // namespace

double sewn_rest_distance(const Deformable& body, const std::array<std::int32_t, 4>& particle,
                          SheetFeature feature) {
  const std::size_t first_of_a = feature == SheetFeature::edge_edge ? 2 : 1;
  double least = k_far;
  for (std::size_t m = 0; m < first_of_a; ++m)
    for (std::size_t n = first_of_a; n < 4; ++n) {
      const std::size_t p = std::size_t(particle[m] - body.begin);
      const std::size_t q = std::size_t(particle[n] - body.begin);
      const std::int32_t part = body.sewn.particles[p].part;
      const bool along_one = part >= 0 && part == body.sewn.particles[q].part;
      const double between = along_one
                                 ? double(length(xyz(body.tree.rest[p]) - xyz(body.tree.rest[q])))
                                 : through_seams(body.sewn, p, q);
      least = std::min(least, between);
    }
  return k_corners * least;
}

}  // namespace pliant
