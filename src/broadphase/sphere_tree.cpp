#include "broadphase/sphere_tree.h"

#include <cmath>
#include <limits>

#include "broadphase/bvh.h"
#include "broadphase/emit.h"
#include "broadphase/radix_sort.h"

namespace pliant {
namespace {

struct Ball {
  Vec3T<Real> centre;
  Real radius = -std::numeric_limits<Real>::infinity();
};

// Rounding of centres and of the test must not make a sphere too small.
Real outward(double radius, const Vec3& centre) {
  return Real((radius + 4e-7 * (std::abs(centre.x) + std::abs(centre.y) + std::abs(centre.z))) *
              (1 + 4e-6)) +
         std::numeric_limits<Real>::min();
}

Ball around(const BoxAabb& b) {
  Vec3 centre, half;
  for (int k = 0; k < 3; ++k) {
    centre[k] = 0.5 * (double(b.lo[k]) + double(b.hi[k]));
    half[k] = 0.5 * (double(b.hi[k]) - double(b.lo[k]));
  }
  return {cast<Real>(centre), outward(length(half), centre)};
}

void put(SphereTree::Group& g, int lane, const Ball& ball) {
  g.x[lane] = ball.centre.x;
  g.y[lane] = ball.centre.y;
  g.z[lane] = ball.centre.z;
  g.radius[lane] = ball.radius;
}

// Around the lanes of a group, which has at least one that is not empty; its middle is that of
// their box.
Ball bound(const SphereTree::Group& g) {
  const double far = std::numeric_limits<double>::infinity();
  Vec3 low{far, far, far}, high{-far, -far, -far};
  const auto centre_of = [&](int n) {
    return Vec3{double(g.x[n]), double(g.y[n]), double(g.z[n])};
  };
  for (int n = 0; n < k_wide; ++n) {
    const double r = double(g.radius[n]);
    if (!(r >= 0)) continue;
    const Vec3 c = centre_of(n);
    for (int k = 0; k < 3; ++k) {
      low[k] = low[k] < c[k] - r ? low[k] : c[k] - r;
      high[k] = high[k] > c[k] + r ? high[k] : c[k] + r;
    }
  }
  const Vec3 middle = 0.5 * (low + high);
  double radius = 0;
  for (int n = 0; n < k_wide; ++n)
    if (g.radius[n] >= 0) {
      const double reach = length(centre_of(n) - middle) + double(g.radius[n]);
      radius = radius > reach ? radius : reach;
    }
  return {cast<Real>(middle), outward(radius, middle)};
}

void refit(const BoxList& list, SphereTree& tree) {
  const PackedOrder& order = tree.order;
  tree.groups.resize(std::size_t(order.level_begin.back()));
  fill_levels(
      order,
      [&](std::size_t g, int lane, std::int32_t item) {
        put(tree.groups[g], lane, item >= 0 ? around(list.boxes[item]) : Ball{});
      },
      [&](std::size_t g, int lane, std::int32_t child) {
        put(tree.groups[g], lane, child >= 0 ? bound(tree.groups[std::size_t(child)]) : Ball{});
      });
}

// |c - c'|^2 <= (r + r')^2
unsigned lanes_meeting(const SphereTree::Group& g, const Ball& ball) {
  const RealW dx = g.x - splat(ball.centre.x), dy = g.y - splat(ball.centre.y),
              dz = g.z - splat(ball.centre.z), sum = g.radius + splat(ball.radius);
  const MaskW near = dx * dx + dy * dy + dz * dz <= sum * sum;
  return lane_bits(near & (g.radius >= splat(0)));
}

// Item i against the places behind `after`.
std::int64_t test_item(const BoxList& list, const SphereTree& tree, std::int32_t i,
                       std::int32_t after, std::vector<BoxPair>& pairs) {
  std::int64_t tests = 0;
  const BoxAabb& box = list.boxes[i];
  const Ball ball = around(box);
  walk(
      tree.order, after,
      [&](std::int32_t g) { return lanes_meeting(tree.groups[std::size_t(g)], ball); },
      [&](std::int32_t g, unsigned lanes) {
        const std::int32_t end = g * k_wide + tree.order.count[std::size_t(g)];
        const std::int32_t begin = after + 1 > g * k_wide ? after + 1 : g * k_wide;
        tests += end > begin ? end - begin : 0;
        for (; lanes != 0; lanes &= lanes - 1) {
          const std::int32_t j = tree.order.item[std::size_t(g * k_wide + __builtin_ctz(lanes))];
          if (boxes_meet(box, list.boxes[j])) emit(list, i, j, pairs);
        }
      });
  return tests;
}

}  // namespace

std::int64_t find_pairs_spheres(const BoxList& list, SphereScratch& s,
                                std::vector<BoxPair>& pairs) {
  pairs.clear();
  if (order_is_stale(list, s.known, s.age)) order_live(list, s.live.order);
  refit(list, s.live);
  if (s.fixed_version != list.fixed_version) {
    s.fixed_version = list.fixed_version;
    order_fixed(list, s.fixed.order);
    refit(list, s.fixed);
  }
  std::int64_t tests = 0;
  for (std::int32_t n = 0; n < s.live.order.moving; ++n) {
    const std::int32_t i = s.live.order.item[std::size_t(n)];
    tests += test_item(list, s.live, i, n, pairs);
    tests += test_item(list, s.fixed, i, -1, pairs);
  }
  tests += test_planes(list, pairs);
  sort_pairs(pairs, s.spare);
  return tests;
}

}  // namespace pliant
