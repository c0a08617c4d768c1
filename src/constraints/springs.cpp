#include "constraints/springs.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_safety = 0.9;
constexpr Real k_tiny = Real(1e-12);  // m, m2: shorter has no direction
constexpr int k_batch_grain = 32, k_particle_grain = 512;

[[gnu::always_inline]] inline Vec3W edge(const Vec4* d, const Lanes& from, const Lanes& to,
                                         const Vec3W& base) {
  return base + (gather(d, to.data()).xyz() - gather(d, from.data()).xyz());
}

RealW length_of(const Vec3W& v) { return sqrt(dot(v, v)); }

// Eight vectors, one after the other.
[[gnu::always_inline]] inline void store_rows(Vec4* to, const Vec3W& v) {
  RealW row[4] = {v.x, v.y, v.z, splat(0)};
  transpose4(row[0], row[1], row[2], row[3]);
  for (int k = 0; k < 4; ++k) {
    store4(to + k, low4(row[k]));
    store4(to + k + 4, high4(row[k]));
  }
}

[[gnu::always_inline]] inline Vec3W spring_force(const SpringBatch& b, const Vec4* d,
                                                 const Vec4* velocity, RealW scale) {
  const Vec3W e = edge(d, b.i, b.j, b.base);
  const RealW l = length_of(e);
  const Vec3W n = e * (splat(1) / max(l, splat(k_tiny)));
  const RealW rate =
      dot(gather(velocity, b.j.data()).xyz() - gather(velocity, b.i.data()).xyz(), n);
  return n * ((b.stiffness * (l - b.rest) + b.damping * rate) * scale);
}

struct AreaParts {
  Vec3W e1, e2, n;
  RealW area;
};
AreaParts parts_of(const AreaBatch& b, const Vec4* d) {
  AreaParts p;
  p.e1 = edge(d, b.i[0], b.i[1], b.base[0]);
  p.e2 = edge(d, b.i[0], b.i[2], b.base[1]);
  const Vec3W across = cross(p.e1, p.e2);
  const RealW twice = length_of(across);
  p.n = across * (splat(1) / max(twice, splat(k_tiny)));
  p.area = twice * splat(Real(0.5));
  return p;
}

void area_forces(const AreaBatch& b, const Vec4* d, RealW scale, Vec3W* f) {
  const AreaParts p = parts_of(b, d);
  const RealW pull = b.stiffness * (b.rest - p.area) * scale * splat(Real(0.5));
  f[1] = cross(p.e2, p.n) * pull;
  f[2] = cross(p.n, p.e1) * pull;
  f[0] = -(f[1] + f[2]);
}

struct VolumeParts {
  Vec3W e1, e2, e3, across;  // e2 x e3
  RealW volume;
};
[[gnu::always_inline]] inline VolumeParts parts_of(const SpringVolumeBatch& b, const Vec4* d) {
  VolumeParts p;
  const Vec3W first = gather(d, b.i[0].data()).xyz();
  p.e1 = b.base[0] + (gather(d, b.i[1].data()).xyz() - first);
  p.e2 = b.base[1] + (gather(d, b.i[2].data()).xyz() - first);
  p.e3 = b.base[2] + (gather(d, b.i[3].data()).xyz() - first);
  p.across = cross(p.e2, p.e3);
  p.volume = dot(p.e1, p.across) / 6;
  return p;
}

[[gnu::always_inline]] inline void volume_forces(const SpringVolumeBatch& b, const Vec4* d,
                                                 RealW scale, Vec3W* f) {
  const VolumeParts p = parts_of(b, d);
  const RealW pull = b.stiffness * (b.rest - p.volume) * scale / 6;
  f[1] = p.across * pull;
  f[2] = cross(p.e3, p.e1) * pull;
  f[3] = cross(p.e1, p.e2) * pull;
  f[0] = -(f[1] + f[2] + f[3]);
}

// Of the batches that are picked, of all where the list is empty: springs, areas, volumes.
void find_forces(SpringNet& net, const SpringStep& step, std::span<const std::uint8_t> picked,
                 TaskPool* pool) {
  const RealW scale = splat(step.steps.scale);
  const std::uint8_t* pick = picked.data();
  const auto each = [&](auto& batches, auto&& run) {
    parallel_for(pool, int(batches.size()), k_batch_grain, [&](int begin, int end) {
      for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
        if (pick == nullptr || pick[n] != 0) run(n);
    });
    if (pick != nullptr) pick += batches.size();
  };
  const auto put = [](Vec4* to, const Vec3W* f, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) store_rows(to + k * k_lanes, f[k]);
  };
  Vec4* force = net.force.data();
  each(net.springs, [&](std::size_t n) {
    const Vec3W f = spring_force(net.springs[n], step.d, step.velocity, scale);
    put(force + n * k_lanes, &f, 1);
  });
  force += net.springs.size() * k_lanes;
  each(net.areas, [&](std::size_t n) {
    Vec3W f[3];
    area_forces(net.areas[n], step.d, scale, f);
    put(force + 3 * n * k_lanes, f, 3);
  });
  force += 3 * net.areas.size() * k_lanes;
  each(net.volumes, [&](std::size_t n) {
    Vec3W f[4];
    volume_forces(net.volumes[n], step.d, scale, f);
    put(force + 4 * n * k_lanes, f, 4);
  });
}

// Places of forces are twice those of the particles' packed forces, and odd where they are taken
// off: a factor of 1 or -1 is exact.
[[gnu::always_inline]] inline Real4V force_on(const SpringNet& net, std::size_t i) {
  alignas(32) static constexpr Vec4 k_sign[2] = {{1, 1, 1, 1}, {-1, -1, -1, -1}};
  const Vec4* force = net.force.data();
  const std::int32_t* end = net.slot.data() + net.slot_begin[i + 1];
  Real4V sum{};
  for (const std::int32_t* at = net.slot.data() + net.slot_begin[i]; at != end; ++at) {
    const std::uint32_t slot = std::uint32_t(*at);
    sum += load4(force + (slot >> 1)) * load4(k_sign + (slot & 1));
  }
  return sum;
}

void drift(const SpringNet& net, const SpringStep& step, Real time, TaskPool* pool) {
  const int count = int(net.slot_begin.size()) - 1;
  const Real4V times{time, time, time, 0};
  parallel_for(pool, count, k_particle_grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      store4(step.d + i, load4(step.d + i) + times * load4(step.velocity + i));
  });
}

// v <- v + kick a, then d <- d + time v; what is in w stays.
void kick_and_drift(const SpringNet& net, const SpringStep& step, Real kick, Real time,
                    TaskPool* pool) {
  const Real4V gravity{Real(step.gravity.x), Real(step.gravity.y), Real(step.gravity.z), 0};
  const Real4V kicks{kick, kick, kick, 0}, times{time, time, time, 0};
  const int count = int(net.slot_begin.size()) - 1;
  parallel_for(pool, count, k_particle_grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Real4V d = load4(step.d + i), v = load4(step.velocity + i);
      if (d[3] > 0) {
        Real4V f = force_on(net, std::size_t(i));
        if (step.force) f += load4(step.force + i);
        v += (gravity + f * d[3]) * kicks;
        store4(step.velocity + i, v);
      }
      store4(step.d + i, d + times * v);
    }
  });
}

// The batches that act on a particle.
void pick_batches(const SpringNet& net, std::size_t i, std::vector<std::uint8_t>& picked) {
  const std::size_t areas = net.springs.size(), volumes = areas + 3 * net.areas.size();
  for (std::int32_t n = net.slot_begin[i]; n < net.slot_begin[i + 1]; ++n) {
    const std::size_t place = std::size_t(net.slot[std::size_t(n)]) / (2 * k_lanes);
    if (place < areas)
      picked[place] = 1;
    else if (place < volumes)
      picked[areas + (place - areas) / 3] = 1;
    else
      picked[areas + net.areas.size() + (place - volumes) / 4] = 1;
  }
}

double sum_of(RealW v) {
  double sum = 0;
  for (int k = 0; k < k_lanes; ++k) sum += double(v[k]);
  return sum;
}
RealW squared(RealW v) { return v * v; }

}  // namespace

double stable_step(const SpringNet& net) {
  const double w2 = net.stiffness_bound, w1 = net.damping_bound;
  if (w2 <= 0) return w1 > 0 ? 2 / w1 : 1e30;
  return 4 / (w1 + std::sqrt(w1 * w1 + 4 * w2));  // of h^2 w2 + 2 h w1 = 4, without cancellation
}

SpringSteps spring_steps(const SpringNet& net, double h) {
  const double parts = h / (k_safety * stable_step(net));
  SpringSteps steps;
  steps.count =
      parts < k_most_spring_steps ? std::max(1, int(std::ceil(parts))) : k_most_spring_steps;
  const double part = h / steps.count / k_safety;
  const double reach = part * part * net.stiffness_bound + 2 * part * net.damping_bound;
  if (parts > k_most_spring_steps) steps.scale = Real(4 / reach);
  return steps;
}

void refresh_bases(SpringNet& net, const Vec4* base) {
  const auto difference = [&](const Lanes& from, const Lanes& to) {
    return gather(base, to.data()).xyz() - gather(base, from.data()).xyz();
  };
  for (SpringBatch& b : net.springs) b.base = difference(b.i, b.j);
  for (AreaBatch& b : net.areas)
    for (std::size_t n = 0; n < 2; ++n) b.base[n] = difference(b.i[0], b.i[n + 1]);
  for (SpringVolumeBatch& b : net.volumes)
    for (std::size_t n = 0; n < 3; ++n) b.base[n] = difference(b.i[0], b.i[n + 1]);
}

void integrate(SpringNet& net, const SpringStep& step, TaskPool* pool) {
  const Real part = Real(step.h / step.steps.count), half = part / 2;
  const bool verlet = net.integrator == SpringIntegrator::verlet;
  if (verlet) drift(net, step, half, pool);
  for (int n = 0; n < step.steps.count; ++n) {
    find_forces(net, step, {}, pool);
    const bool last = n + 1 == step.steps.count;
    kick_and_drift(net, step, part, verlet && last ? half : part, pool);
  }
}

void forces_on(SpringNet& net, const SpringStep& step, std::span<const std::int32_t> particles,
               std::vector<std::uint8_t>& picked, Vec3* force, TaskPool* pool) {
  picked.assign(net.springs.size() + net.areas.size() + net.volumes.size(), 0);
  for (const std::int32_t i : particles) pick_batches(net, std::size_t(i), picked);
  find_forces(net, step, picked, pool);
  for (const std::int32_t i : particles) {
    const Real4V f = force_on(net, std::size_t(i));
    force[i] = {double(f[0]), double(f[1]), double(f[2])};
  }
}

double energy(const SpringNet& net, const Vec4* d) {
  double sum = 0;
  for (const SpringBatch& b : net.springs)
    sum += sum_of(b.stiffness * squared(length_of(edge(d, b.i, b.j, b.base)) - b.rest));
  for (const AreaBatch& b : net.areas)
    sum += sum_of(b.stiffness * squared(parts_of(b, d).area - b.rest));
  for (const SpringVolumeBatch& b : net.volumes)
    sum += sum_of(b.stiffness * squared(parts_of(b, d).volume - b.rest));
  return sum / 2;
}

}  // namespace pliant
