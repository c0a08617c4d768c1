#include "solver/particle_stages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "constraints/bend.h"
#include "constraints/cell_volume.h"
#include "constraints/coarse_limit.h"
#include "constraints/distance.h"
#include "constraints/fem.h"
#include "constraints/fem_explicit.h"
#include "constraints/fem_hex.h"
#include "constraints/hinge.h"
#include "constraints/matching.h"
#include "constraints/springs.h"
#include "constraints/strain.h"
#include "constraints/tether.h"
#include "constraints/volume.h"
#include "math/trig.h"
#include "math/wide.h"
#include "model/path.h"
#include "solver/cluster_loops.h"
#include "solver/copies.h"
#include "solver/pbd_stages.h"

namespace pliant {
namespace {

// Two particles at once. A body has one place more than particles, so that an odd last one has a
// neighbour: the scratch particle, whose value nobody reads.
RealW load_two(const Vec4* p) {
  RealW r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
void store_two(Vec4* p, RealW v) { __builtin_memcpy(static_cast<void*>(p), &v, sizeof v); }
// Of two particles that a substep has brought from one displacement to another.
RealW velocity_after(RealW v, RealW d_before, RealW d, Real h, Real inv_h) {
  return v + (d - (d_before + v * h)) * inv_h;
}
RealW packed_twice(const Vec3& v) {
  return RealW{Real(v.x), Real(v.y), Real(v.z), 0, Real(v.x), Real(v.y), Real(v.z), 0};
}

void refresh_inside(const Vec4* base, ConstraintSet& set, int cluster) {
  each_kind(set, [&](auto& batches, const BatchOrder& order, auto&) {
    refresh_bases(inside(batches, order, cluster), base);
  });
}

void project_strain(const ConstraintSet& set, std::span<const StrainBatch> batches,
                    Vec3W* multipliers, Vec4* d, Real inv_h_sq) {
  if (set.strain_is_elastic) project(batches, multipliers, d, inv_h_sq);
  if (set.strain_limit > 0) limit_stretch(batches, d, set.strain_limit);
}

template <class Batches>
constexpr bool is_fem = std::is_same_v<Batches, std::span<const FemBatch>> ||
                        std::is_same_v<Batches, std::span<const HexBatch>>;

template <class Batches, class Kept>
void project_fem(const FemMaterial& material, Batches batches, Kept* kept, const FemStep& step) {
  if (!material.explicit_forces) project(batches, material, kept, step);
}

// Once a substep, however many sweeps: its share of the way is that of the whole substep.
void match_shapes(Particles& particles, Deformable& body, const SubstepContext& context) {
  ShapeMatching& matching = body.matching;
  Vec4* d = particles.d.data() + body.begin;
  match_shapes(matching, particles.base.data() + body.begin, d, matching.scratch,
               Real(match_share(matching.frequency, context.h)), context.pool);
}

// From where the substep began. Held particles go evenly to where `predict` has put them.
void run_springs(Particles& particles, Deformable& body, const SubstepContext& context) {
  SpringNet& net = body.springs;
  Vec4* d = particles.d.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  const Vec4* d_before = particles.d_before.data() + body.begin;
  const Real inv_h = Real(1 / context.h);
  for (const PinnedParticle& pin : body.pins) {
    const Vec4 &from = d_before[pin.particle], &to = d[pin.particle];
    net.moved[std::size_t(pin.particle)] = to;
    velocity[pin.particle] = {(to.x - from.x) * inv_h, (to.y - from.y) * inv_h,
                              (to.z - from.z) * inv_h, 0};
  }
  each_particle<1>(context.pool, body.constraints, [=](int i) { d[i] = d_before[i]; });
  integrate(net,
            {d, velocity, net.has_force ? particles.force.data() + body.begin : nullptr,
             context.gravity, context.h, spring_steps(net, context.h)},
            context.pool);
  for (const PinnedParticle& pin : body.pins)
    d[pin.particle] = net.moved[std::size_t(pin.particle)];
  Vec4* moved = net.moved.data();
  each_particle<1>(context.pool, body.constraints,
                   [=](int i) { store4(moved + i, load4(d + i) - load4(d_before + i)); });
}

// v <- v + ((d - d_before) - moved) / h: springs have left their own velocities.
void update_spring_velocities(Particles& particles, const Deformable& body,
                              const SubstepContext& context) {
  const Real inv_h = Real(1 / context.h);
  const Vec4* d = particles.d.data() + body.begin;
  const Vec4* d_before = particles.d_before.data() + body.begin;
  const Vec4* moved = body.springs.moved.data();
  Vec4* velocity = particles.velocity.data() + body.begin;
  each_particle<1>(context.pool, body.constraints, [=](int i) {
    const Real4V other = (load4(d + i) - load4(d_before + i)) - load4(moved + i);
    store4(velocity + i, load4(velocity + i) + other * inv_h);
  });
}

double element_energy(const ConstraintSet& set, const Vec4* d) {
  if (set.fem_material.explicit_forces) return explicit_energy(set.fem, set.fem_material, d);
  return energy(set.fem, set.fem_material, d) + energy(set.hex, set.fem_material, d);
}

// The angles that creases should have at a time.
void lead_folds(Deformable& body, double time) {
  for (FoldBatch& b : body.constraints.fold)
    for (std::size_t lane = 0; lane < k_lanes; ++lane) {
      if (b.fold[lane] < 0) continue;
      const Fold& fold = body.folds[std::size_t(b.fold[lane])];
      const double passed = std::max(time - fold.begin, 0.0);
      const double share = passed < fold.duration ? passed / fold.duration : 1;
      const double from = double(b.from[int(lane)]);
      b.hinge.rest[int(lane)] = Real(from + (fold.angle - from) * share);
    }
}

// Whether `project_internal` goes through the body's constraints cluster by cluster, and nothing
// before it in a step does.
bool sweeps_constraints(const Deformable& body) {
  return body.method != Method::pbd && body.matching.empty() && body.springs.empty() &&
         !body.constraints.fem_material.explicit_forces;
}

// What needs the bases of more than one cluster.
void refresh_between(const Vec4* base, ConstraintSet& set, TaskPool* pool) {
  each_cluster(pool, set, [&](int k) {
    each_kind(set, [&](auto& batches, const BatchOrder& order, auto&) {
      refresh_bases(between(batches, order, k, set.cluster_count()), base);
    });
  });
}

}  // namespace

void rebase(Particles& particles, Deformable& body, TaskPool* pool, bool leaves_inside) {
  body.bases_due = leaves_inside && sweeps_constraints(body);
  Vec4* base = particles.base.data() + body.begin;
  Vec4* d = particles.d.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  ConstraintSet& set = body.constraints;
  const bool due = body.bases_due;
  const Real4V xyz{1, 1, 1, 0};
  each_cluster(pool, set, [=, &set](int k) {
    for (int i = set.clusters[std::size_t(k)]; i < set.clusters[std::size_t(k) + 1]; ++i) {
      const Real4V old_base = load4(base + i), old_d = load4(d + i);
      const Real4V new_base = old_base + old_d * xyz;
      store4(base + i, new_base);
      store4(d + i, (old_base - new_base) + old_d);
    }
    d[set.scratch_of(k)] = velocity[set.scratch_of(k)] = {};
    if (!due) refresh_inside(base, set, k);
  });
  rebase_copies(particles, body, pool);
  refresh_between(base, set, pool);
  refresh_bases(body.springs, base);
  if (!body.coarse.empty()) refresh_bases(body.coarse, base, pool);
}

void refresh_constraint_bases(const Particles& particles, Deformable& body, TaskPool* pool) {
  body.bases_due = false;
  const Vec4* base = particles.base.data() + body.begin;
  each_cluster(pool, body.constraints, [&](int k) { refresh_inside(base, body.constraints, k); });
  refresh_between(base, body.constraints, pool);
  refresh_bases(body.springs, base);
  if (!body.coarse.empty()) refresh_bases(body.coarse, base, pool);
}

void apply_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  bool uses_force) {
  const Real damping = Real(det_exp(-body.linear_drag * context.h));
  const bool springs = !body.springs.empty();  // take gravity and forces into their own steps
  const Vec3 fall = springs ? Vec3{} : context.gravity * context.h;
  body.springs.has_force = uses_force;
  body.fall = {!uses_force && !body.constraints.fem_material.explicit_forces, damping, fall};
  if (body.fall.pending) return;
  const RealW push = packed_twice(fall);
  const Real h = Real(context.h);
  Vec4* velocity = particles.velocity.data() + body.begin;
  each_particle<2>(context.pool, body.constraints, [=](int i) {
    store_two(velocity + i, load_two(velocity + i) * damping + push);
  });
  apply_element_forces(particles, body, context);
  if (!uses_force || springs) return;
  const Vec4* force = particles.force.data() + body.begin;
  const Vec4* d = particles.d.data() + body.begin;
  const Real4V xyz{1, 1, 1, 0};
  each_particle<1>(context.pool, body.constraints, [=](int i) {
    store4(velocity + i, load4(velocity + i) + load4(force + i) * xyz * (h * d[i].w));
  });
}

void apply_element_forces(Particles& particles, Deformable& body, const SubstepContext& context) {
  ConstraintSet& set = body.constraints;
  if (!set.fem_material.explicit_forces) return;
  const Vec4* d = particles.d.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  sweep_constraints(
      context.pool, set, [](int) {},
      [&](auto batches, auto&, std::size_t) {
        if constexpr (std::is_same_v<decltype(batches), std::span<const FemBatch>>)
          push(batches, set.fem_material, d, velocity, Real(context.h));
      });
}

void predict(Particles& particles, Deformable& body, const SubstepContext& context) {
  lead_folds(body, context.time_end);
  const Real h = Real(context.h);
  Vec4* d = particles.d.data() + body.begin;
  Vec4* d_before = particles.d_before.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  const bool due = std::exchange(body.velocities_due, false), falls = body.fall.pending;
  const Real inv_h = Real(1 / context.h), damping = body.fall.damping;
  const RealW push = packed_twice(body.fall.push);
  each_particle<2>(context.pool, body.constraints, [=](int i) {
    const RealW before = load_two(d + i);
    RealW v = load_two(velocity + i);
    if (due) v = velocity_after(v, load_two(d_before + i), before, h, inv_h);
    if (falls) v = v * damping + push;
    if (due || falls) store_two(velocity + i, v);
    store_two(d_before + i, before);
    store_two(d + i, before + v * h);
  });
  for (const PinnedParticle& pin : body.pins) {
    const Vec3 target = pin_position(body, pin, context.time_end);
    const Vec4& base = particles.base[std::size_t(body.begin + pin.particle)];
    d[pin.particle] = {Real(target.x - double(base.x)), Real(target.y - double(base.y)),
                       Real(target.z - double(base.z)), 0};
  }
}

void hold_far_limits(Deformable& body, const Vec4* base, Vec4* d, bool spreads, TaskPool* pool) {
  const ConstraintSet& set = body.constraints;
  if (!spreads && set.tether.empty()) return;
  each_cluster(pool, set, [&](int k) {
    const std::size_t n = std::size_t(k);
    if (spreads) spread(body.coarse, set.clusters[n], set.clusters[n + 1], d);
    project(inside(set.tether, set.tether_order, k), base, d);
  });
}

void project_internal(Particles& particles, Deformable& body, const SubstepContext& context) {
  if (body.method == Method::pbd) return project_internal_pbd(particles, body, context);
  if (!body.matching.empty()) return match_shapes(particles, body, context);
  if (!body.springs.empty()) return run_springs(particles, body, context);
  ConstraintSet& set = body.constraints;
  const Vec4* base = particles.base.data() + body.begin;
  Vec4* d = particles.d.data() + body.begin;
  const Real inv_h_sq = Real(1 / (context.h * context.h));
  const FemStep fem_step{d, particles.d_before.data() + body.begin, Real(context.h)};
  const bool keeps = context.sweeps > 1;
  if (keeps)
    each_kind(set, [](auto& batches, const BatchOrder&, auto& multipliers) {
      multipliers.clear();
      multipliers.resize(batches.size());
    });
  const bool spreads =
      !body.coarse.empty() && project(body.coarse, k_coarse_sweeps, d, context.pool);
  for (int sweep = 0; sweep < context.sweeps; ++sweep) {
    hold_far_limits(body, base, d, spreads && sweep == 0, context.pool);
    follow_particles(particles, body, context.pool);
    const bool due = std::exchange(body.bases_due, false);
    const auto before = [&](int k) {
      if (due) refresh_inside(base, set, k);
    };
    sweep_constraints(
        context.pool, set, before, [&](auto batches, auto& multipliers, std::size_t at) {
          auto* kept = keeps ? multipliers.data() + at : nullptr;
          if constexpr (std::is_same_v<decltype(batches), std::span<const StrainBatch>>)
            project_strain(set, batches, kept, d, inv_h_sq);
          else if constexpr (is_fem<decltype(batches)>)
            project_fem(set.fem_material, batches, kept, fem_step);
          else
            project(batches, kept, d, inv_h_sq);
        });
    take_mean_of_copies(particles, body, context.pool);
  }
}

void update_velocities(Particles& particles, Deformable& body, const SubstepContext& context) {
  body.velocities_due = false;
  if (!body.springs.empty()) return update_spring_velocities(particles, body, context);
  const Real h = Real(context.h), inv_h = Real(1 / context.h);
  const Vec4* d = particles.d.data() + body.begin;
  const Vec4* d_before = particles.d_before.data() + body.begin;
  Vec4* velocity = particles.velocity.data() + body.begin;
  each_particle<2>(context.pool, body.constraints, [=](int i) {
    const RealW v = load_two(velocity + i);
    store_two(velocity + i, velocity_after(v, load_two(d_before + i), load_two(d + i), h, inv_h));
  });
}

void correct_free_fall(Particles& particles, const Deformable& body,
                       const SubstepContext& context) {
  double part = context.h;  // of which the velocity of the end moved it
  if (!body.springs.empty()) {
    if (body.springs.integrator == SpringIntegrator::verlet) return;
    part /= spring_steps(body.springs, context.h).count;
  }
  const RealW back = packed_twice(context.gravity * (-0.5 * context.h * part));
  Vec4* d = particles.d.data() + body.begin;
  each_particle<2>(context.pool, body.constraints,
                   [=](int i) { store_two(d + i, load_two(d + i) + back); });
}

void limit_speeds(Particles& particles, const Deformable& body) {
  if (!(body.max_speed > 0)) return;
  const Real most = Real(body.max_speed);
  for (std::size_t p = std::size_t(body.begin); p < std::size_t(body.begin + body.count); ++p) {
    Vec4& v = particles.velocity[p];
    const Real speed_sq = v.x * v.x + v.y * v.y + v.z * v.z;
    if (!(speed_sq > most * most) || !(particles.d[p].w > 0)) continue;
    const Real share = most / std::sqrt(speed_sq);
    v = {v.x * share, v.y * share, v.z * share, v.w};
  }
}

void copy_merged(Particles& particles, const Deformable& body) {
  for (const std::int32_t copy : body.merged_away) {
    const std::size_t from = std::size_t(body.begin + body.root(copy));
    const std::size_t to = std::size_t(body.begin + copy);
    for (std::vector<Vec4>* array : {&particles.base, &particles.d, &particles.d_before,
                                     &particles.velocity, &particles.settled})
      (*array)[to] = (*array)[from];
    particles.d[to].w = particles.d_before[to].w = 0;
  }
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
  if (!body.matching.empty())
    return match_energy(body.matching, particles.base.data() + body.begin, d,
                        particles.force.data() + body.begin);
  if (!body.springs.empty()) return energy(body.springs, d);
  return energy(body.constraints.distance, d) + energy(body.constraints.triangle, d) +
         energy(body.constraints.bend, d) + energy(body.constraints.volume, d) +
         energy(body.constraints.cell, d) + energy(body.constraints.hinge, d) +
         energy(body.constraints.fold, d) + element_energy(body.constraints, d) +
         (body.constraints.strain_is_elastic ? energy(body.constraints.strain, d) : 0.0);
}

}  // namespace pliant
