#include "solver/copies.h"

#include <algorithm>

#include "math/wide.h"
#include "solver/cluster_loops.h"

namespace pliant {
namespace {

// Calls run(particle, first copy, number of copies), cluster by cluster.
template <class Run>
void each_split(const ConstraintSet& set, TaskPool* pool, const Run& run) {
  const ParticleCopies& copies = set.copies;
  if (copies.count() == 0) return;
  const auto place = [&](std::int32_t particle) {
    return std::size_t(std::lower_bound(copies.particle.begin(), copies.particle.end(), particle) -
                       copies.particle.begin());
  };
  each_cluster(pool, set, [&](int k) {
    const std::size_t end = place(set.clusters[std::size_t(k) + 1]);
    for (std::size_t n = place(set.clusters[std::size_t(k)]); n < end; ++n)
      run(copies.particle[n], set.first_copy() + copies.begin[n],
          copies.begin[n + 1] - copies.begin[n]);
  });
}

}  // namespace

void follow_particles(Particles& particles, const Deformable& body, TaskPool* pool) {
  Vec4* d = particles.d.data() + body.begin;
  each_split(body.constraints, pool, [=](std::int32_t p, std::int32_t first, std::int32_t count) {
    const Vec4 copy{d[p].x, d[p].y, d[p].z, Real(count) * d[p].w};
    std::fill(d + first, d + first + count, copy);
  });
}

void take_mean_of_copies(Particles& particles, const Deformable& body, TaskPool* pool) {
  Vec4* d = particles.d.data() + body.begin;
  each_split(body.constraints, pool, [=](std::int32_t p, std::int32_t first, std::int32_t count) {
    const Real4V before = load4(d + p), xyz{1, 1, 1, 0};
    Real4V sum{};
    for (std::int32_t c = first; c < first + count; ++c) sum += load4(d + c) - before;
    store4(d + p, before + sum * xyz * (1 / Real(count)));
  });
}

void rebase_copies(Particles& particles, const Deformable& body, TaskPool* pool) {
  Vec4* base = particles.base.data() + body.begin;
  each_split(body.constraints, pool, [=](std::int32_t p, std::int32_t first, std::int32_t count) {
    std::fill(base + first, base + first + count, base[p]);
  });
}

}  // namespace pliant
