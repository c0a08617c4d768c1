#include "model/body_order.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

// A stretch of an axis that holds most of what may move.
struct Stretch {
  int axis = 0;
  double low = 0, length = 0;  // m
};

// Twice the standard deviation to both sides of the mean: a body that flew off changes little.
Stretch find_stretch(const RigidBodies& bodies) {
  Vec3 sum, squares;
  for (const std::int32_t i : bodies.movable) {
    const Vec3& x = bodies.position[std::size_t(i)];
    sum += x;
    squares += scaled(x, x);
  }
  const double count = double(std::max<std::size_t>(bodies.movable.size(), 1));
  Stretch best;
  for (int k = 0; k < 3; ++k) {
    const double mean = sum[k] / count;
    const double half = 2 * std::sqrt(std::max(squares[k] / count - mean * mean, 0.0));
    if (2 * half > best.length) best = {k, mean - half, 2 * half};
  }
  return best;
}

}  // namespace

void order_bodies(const RigidBodies& bodies, BodyOrder& order) {
  order.zone.assign(std::size_t(bodies.size()), 0);
  order.bodies.resize(bodies.movable.size());
  const Stretch stretch = find_stretch(bodies);
  const double scale = stretch.length > 0 ? k_zones / stretch.length : 0;
  order.begin = {};
  for (const std::int32_t i : bodies.movable) {
    const double at = (bodies.position[std::size_t(i)][stretch.axis] - stretch.low) * scale;
    const std::uint8_t zone = std::uint8_t(std::clamp(at, 0.0, double(k_zones - 1)));
    order.zone[std::size_t(i)] = zone;
    ++order.begin[std::size_t(zone) + 1];
  }
  for (std::size_t z = 0; z < k_zones; ++z) order.begin[z + 1] += order.begin[z];
  std::array<std::int32_t, k_zones + 1> next = order.begin;
  for (const std::int32_t i : bodies.movable)
    order.bodies[std::size_t(next[order.zone[std::size_t(i)]]++)] = i;
}

}  // namespace pliant
