// Boxes and planes to search, of which some are fixed.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "broadphase/find_pairs.h"

namespace pliant {

struct BoxInput {
  std::vector<BoxAabb> boxes;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint8_t> moves;
  std::vector<BoxPlane> planes;
  std::vector<std::int32_t> live, fixed;
  std::uint32_t version = 1;

  BoxList list() const { return {boxes, keys, moves, planes, live, fixed, version, {}}; }
  void place(const Vec3& c, const Vec3& e, bool moving) {
    boxes.push_back({{Real(c.x - e.x), Real(c.y - e.y), Real(c.z - e.z)},
                     {Real(c.x + e.x), Real(c.y + e.y), Real(c.z + e.z)}});
    keys.push_back(std::uint32_t(keys.size()));
    moves.push_back(moving);
  }
  std::int32_t last() const { return std::int32_t(boxes.size()) - 1; }
  void add(const Vec3& c, const Vec3& e, bool moving) {
    place(c, e, moving);
    live.push_back(last());
  }
  void add_fixed(const Vec3& c, const Vec3& e) {
    place(c, e, false);
    fixed.push_back(last());
    ++version;
  }
  void add_plane(const Vec3T<Real>& normal, Real offset, bool moving) {
    place({}, {}, moving);
    planes.push_back({last(), normal, offset});
    ++version;
  }
};

// Seven in ten move, one stands, two are fixed.
inline BoxInput random_boxes(std::mt19937& rng, int n, double spread, double size) {
  std::uniform_real_distribution<double> u(-1, 1), v(0, 1);
  BoxInput in;
  for (int i = 0; i < n; ++i) {
    const Vec3 c{spread * u(rng), spread * u(rng), spread * u(rng)};
    const Vec3 e{size * v(rng), size * v(rng), size * v(rng)};
    const double kind = v(rng);
    if (kind < 0.2)
      in.add_fixed(c, e);
    else
      in.add(c, e, kind > 0.3);
  }
  std::shuffle(in.keys.begin(), in.keys.end(), rng);
  return in;
}

}  // namespace pliant
