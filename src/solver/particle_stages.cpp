#include "solver/particle_stages.h"

#include <algorithm>
#include <utility>

#include "constraints/bend.h"
#include "constraints/cell_volume.h"
#include "constraints/coarse_limit.h"
#include "constraints/distance.h"
#include "constraints/tether.h"
#include "constraints/volume.h"
#include "math/trig.h"
#include "math/wide.h"
#include "model/path.h"

namespace pliant {
namespace {

constexpr int k_particle_grain = 2048;  // particles in a block: some microseconds of work
constexpr int k_coarse_sweeps = 4;      // over the nodes: they are few
constexpr int k_batch_grain = 48;       // batches in a block, likewise

// Two particles at once. A body has one place more than particles, so that an odd last one has a
// neighbour: the scratch particle, whose value nobody reads.
RealW load_two(const Vec4* p) {
  RealW r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
void store_two(Vec4* p, RealW v) { __builtin_memcpy(static_cast<void*>(p), &v, sizeof v); }
RealW packed_twice(const Vec3& v) {
  return RealW{Real(v.x), Real(v.y), Real(v.z), 0, Real(v.x), Real(v.y), Real(v.z), 0};
}

// Calls run(i) for every even i below count.
template <class Run>
void each_two(TaskPool* pool, int count, const Run& run) {
  parallel_for(pool, (count + 1) / 2, k_particle_grain / 2, [&](int begin, int end) {
    const Run local = run;  // what it captured stays in registers: stores cannot reach it
    for (int i = begin; i < end; ++i) local(2 * i);
  });
}

}  // namespace

void rebase(Particles& particles, Deformable& body, TaskPool* pool) {
  Vec4* base = particles.base.data() + body.begin;
  Vec4* d = particles.d.data() + body.begin;
  const Real4V xyz{1, 1, 1, 0};
  parallel_for(pool, body.count, k_particle_grain, [=](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Real4V old_base = load4(base + i), old_d = load4(d + i);
      const Real4V new_base = old_base + old_d * xyz;
      store4(base + i, new_base);
      store4(d + i, (old_base - new_base) + old_d);
    }
  });
  const std::size_t scratch = std::size_t(body.begin + body.count);
  d[body.count] = particles.velocity[scratch] = {};
  refresh_constraint_bases(particles, body, pool);
}

void refresh_constraint_bases(const Particles& particles, Deformable& body, TaskPool* pool) {
  const Vec4* base = particles.base.data() + body.begin;
  ConstraintSet& set = body.constraints;
  const auto refresh = [&](auto& batches) {
    parallel_for(pool, int(batches.size()), 4 * k_batch_grain, [&](int begin, int end) {
      refresh_bases(std::span(batches).subspan(std::size_t(begin), std::size_t(end - begin)), base);
    });
  };
  refresh(set.distance);
  refresh(set.triangle);
  refresh(set.bend);
  refresh(set.volume);
  refresh(set.cell);
  refresh(set.tether);
  if (!body.coarse.empty()) refresh_bases(body.coarse, base);
}

void apply_forces(Particles& particles, const Deformable& body, const SubstepContext& context,
                  bool uses_force) {
  const Real damping = Real(det_exp(-body.linear_drag * context.h));
  const RealW push = packed_twice(context.gravity * context.h);
  const Real h = Real(context.h);
  Vec4* velocity = particles.velocity.data() + body.begin;
  each_two(context.pool, body.count,
           [=](int i) { store_two(velocity + i, load_two(velocity + i) * damping + push); });
  if (!uses_force) return;
  const Vec4* force = particles.force.data() + body.begin;
  const Vec4* d = particles.d.data() + body.begin;
  const Real4V xyz{1, 1, 1, 0};
  parallel_for(context.pool, body.count, k_particle_grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      store4(velocity + i, load4(velocity + i) + load4(force + i) * xyz * (h * d[i].w));
  });
}

void predict(Particles& particles, const Deformable& body, const SubstepContext& context) {
  const Real h = Real(context.h);
  Vec4* d = particles.d.data() + body.begin;
  Vec4* d_before = particles.d_before.data() + body.begin;
  const Vec4* velocity = particles.velocity.data() + body.begin;
  each_two(context.pool, body.count, [=](int i) {
    const RealW before = load_two(d + i);
    store_two(d_before + i, before);
    store_two(d + i, before + load_two(velocity + i) * h);
  });
  for (const PinnedParticle& pin : body.pins) {
    const Vec3 target = pin_position(body, pin, context.time_end);
    const Vec4& base = particles.base[std::size_t(body.begin + pin.particle)];
    d[pin.particle] = {Real(target.x - double(base.x)), Real(target.y - double(base.y)),
                       Real(target.z - double(base.z)), 0};
  }
}

void project_internal(Particles& particles, Deformable& body, const SubstepContext& context) {
  ConstraintSet& set = body.constraints;
  Vec4* d = particles.d.data() + body.begin;
  const Real inv_h_sq = Real(1 / (context.h * context.h));
  const bool keeps = context.sweeps > 1;
  if (keeps) {
    set.multipliers.distance.assign(set.distance.size(), splat(0));
    set.multipliers.triangle.assign(set.triangle.size(), {splat(0), splat(0), splat(0)});
    set.multipliers.bend.assign(set.bend.size(), Vec3W{splat(0), splat(0), splat(0)});
    set.multipliers.volume.assign(set.volume.size(), splat(0));
    set.multipliers.cell.assign(set.cell.size(), splat(0));
  }
  const auto by_colour = [&](const auto& batches, const ColourRanges& colours, const auto& run) {
    for (int c = 0; c < colours.colours(); ++c) {
      const int first = colours.begin[std::size_t(c)], last = colours.begin[std::size_t(c) + 1];
      parallel_for(context.pool, last - first, k_batch_grain, [&](int begin, int end) {
        run(std::span(batches).subspan(std::size_t(first + begin), std::size_t(end - begin)),
            std::size_t(first + begin));
      });
    }
  };
  if (!body.coarse.empty()) project(body.coarse, k_coarse_sweeps, d, body.count, context.pool);
  for (int sweep = 0; sweep < context.sweeps; ++sweep) {
    by_colour(set.triangle, set.triangle_colours, [&](auto batches, std::size_t at) {
      pliant::project(batches, keeps ? set.multipliers.triangle.data() + at : nullptr, d, inv_h_sq);
    });
    by_colour(set.distance, set.distance_colours, [&](auto batches, std::size_t at) {
      project(batches, keeps ? set.multipliers.distance.data() + at : nullptr, d, inv_h_sq);
    });
    by_colour(set.volume, set.volume_colours, [&](auto batches, std::size_t at) {
      project(batches, keeps ? set.multipliers.volume.data() + at : nullptr, d, inv_h_sq);
    });
    by_colour(set.cell, set.cell_colours, [&](auto batches, std::size_t at) {
      project(batches, keeps ? set.multipliers.cell.data() + at : nullptr, d, inv_h_sq);
    });
    by_colour(set.bend, set.bend_colours, [&](auto batches, std::size_t at) {
      project(batches, keeps ? set.multipliers.bend.data() + at : nullptr, d, inv_h_sq);
    });
    by_colour(set.tether, set.tether_colours,
              [&](auto batches, std::size_t) { project(batches, d); });
  }
}

void update_velocities(Particles& particles, const Deformable& body,
                       const SubstepContext& context) {
  const Real h = Real(context.h), inv_h = Real(1 / context.h);
  const Vec4* d = particles.d.data() + body.begin;
  const Vec4* d_before = particles.d_before.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  each_two(context.pool, body.count, [=](int i) {
    const RealW v = load_two(velocity + i);
    const RealW predicted = load_two(d_before + i) + v * h;
    store_two(velocity + i, v + (load_two(d + i) - predicted) * inv_h);
  });
}

void correct_free_fall(Particles& particles, const Deformable& body,
                       const SubstepContext& context) {
  const RealW back = packed_twice(context.gravity * (-0.5 * context.h * context.h));
  Vec4* d = particles.d.data() + body.begin;
  each_two(context.pool, body.count, [=](int i) { store_two(d + i, load_two(d + i) + back); });
}

Vec3 pin_position(const Deformable& body, const PinnedParticle& pin, double time) {
  if (pin.pin < 0) return pin.start - pin.velocity * std::max(0.0, pin.arrives - time);
  if (body.pin_paths[std::size_t(pin.pin)].path.empty()) return pin.start;
  const Pin& def = body.pin_paths[std::size_t(pin.pin)];
  const Transform at = path_at(def.path, time);
  return at.position + rotate(at.rotation, pin.start - def.pivot) + def.pivot;
}

double elastic_energy(const Particles& particles, const Deformable& body) {
  const Vec4* d = particles.d.data() + body.begin;
  return energy(body.constraints.distance, d) + energy(body.constraints.triangle, d) +
         energy(body.constraints.bend, d) + energy(body.constraints.volume, d) +
         energy(body.constraints.cell, d);
}

}  // namespace pliant
