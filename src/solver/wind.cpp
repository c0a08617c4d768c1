#include "solver/wind.h"

#include "math/wide.h"

namespace pliant {
namespace {

constexpr int k_leaf_grain = 64, k_particle_grain = 512;

struct Air {
  Vec3W wind;        // m/s
  RealW drag, lift;  // kg/m3, rho C / 12
};

[[gnu::always_inline]] inline Vec3W at(const Vec4* array, const Lanes& corner) {
  return gather(array, corner.data()).xyz();
}

// A third of the force on each triangle of a leaf.
Vec3W leaf_shares(const SheetLeaf& leaf, const Air& air, const Vec4* place, const Vec4* velocity) {
  const auto& [a, b, c] = leaf.corner;
  const Vec3W from = at(place, a), ab = at(place, b) - from, ac = at(place, c) - from;
  const Vec3W sum = at(velocity, a) + at(velocity, b) + at(velocity, c);
  const Vec3W u = air.wind - sum * splat(Real(1.0 / 3));
  const Vec3W normal = cross(ab, ac);
  const RealW s = dot(u, normal), size = abs(s);
  const RealW along = s / max(dot(normal, normal), splat(Real(1e-30)));
  return u * (air.drag * size) + normal * (air.lift * size * along);
}

// From the first particle on, so that nothing is lost far from the origin.
void put_places(const Deformable& cloth, const Particles& particles, TaskPool* pool,
                std::vector<Vec4>& places) {
  if (places.size() < std::size_t(cloth.count)) places.resize(std::size_t(cloth.count));
  const Vec4* base = particles.base.data() + cloth.begin;
  const Vec4* d = particles.d.data() + cloth.begin;
  const Real4V first = load4(base);
  Vec4* place = places.data();
  parallel_for(pool, cloth.count, k_particle_grain, [=](int begin, int end) {
    for (int i = begin; i < end; ++i) store4(place + i, (load4(base + i) - first) + load4(d + i));
  });
}

void put_shares(const SheetTree& tree, const Air& air, const Vec4* place, const Vec4* velocity,
                TaskPool* pool, std::vector<Vec4>& shares) {
  const std::size_t count = tree.leaves.size();
  if (shares.size() < count * k_lanes) shares.resize(count * k_lanes);
  parallel_for(pool, int(count), k_leaf_grain, [&](int begin, int end) {
    constexpr Lanes k_in_order{0, 1, 2, 3, 4, 5, 6, 7};
    for (int n = begin; n < end; ++n) {
      const Vec3W f = leaf_shares(tree.leaves[std::size_t(n)], air, place, velocity);
      scatter(shares.data() + n * k_lanes, k_in_order.data(), {f.x, f.y, f.z, splat(0)});
    }
  });
}

void add_up(const Deformable& cloth, const Vec4* shares, TaskPool* pool, Vec4* force) {
  const std::int32_t *first = cloth.tree.around_begin.data(), *around = cloth.tree.around.data();
  const int known = int(cloth.tree.around_begin.size()) - 1;  // the others are merged away
  const Real4V w{0, 0, 0, 1};
  parallel_for(pool, cloth.count, k_particle_grain, [=](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Real4V sum = load4(force + i) * w;
      for (int n = i < known ? first[i] : 0, last = i < known ? first[i + 1] : 0; n < last; ++n)
        sum += load4(at_bytes(shares, around[n]));
      store4(force + i, sum);
    }
  });
}

}  // namespace

void wind_forces(const Deformable& cloth, const Vec3& wind, double medium_density,
                 WindScratch& scratch, TaskPool* pool, Particles& particles) {
  const Air air{{splat(Real(wind.x)), splat(Real(wind.y)), splat(Real(wind.z))},
                splat(Real(medium_density * cloth.wind_drag / 12)),
                splat(Real(medium_density * cloth.wind_lift / 12))};
  put_places(cloth, particles, pool, scratch.places);
  put_shares(cloth.tree, air, scratch.places.data(), particles.velocity.data() + cloth.begin, pool,
             scratch.shares);
  add_up(cloth, scratch.shares.data(), pool, particles.force.data() + cloth.begin);
}

}  // namespace pliant
