// The rigid stages strung together as a step runs them, without the world around.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include <pliant/world.h>

#include "broadphase/sweep.h"
#include "model/body_boxes.h"
#include "narrowphase/rigid_contacts.h"
#include "solver/colour_contacts.h"
#include "solver/rigid_integrate.h"

namespace pliant {

struct RigidLoop {
  RigidBodies bodies;
  WorldDef def;
  ManifoldList now, before;
  BodyOrder order;
  ContactColours colours;
  ContactBatches contacts;
  ContactSettings settings;
  BodyBoxes boxes;
  SweepScratch sweep;
  FixedTree fixed;
  TaskPool* pool = nullptr;
  bool relax = true;       // off: what the relaxation is for
  bool warm_start = true;  // off: what the carried impulses are for
  double time = 0;

  std::int32_t add(const BodyDef& body) {
    return append_body(bodies, body, std::uint32_t(bodies.size()));
  }

  using Blocks = std::function<void(std::int32_t, std::int32_t)>;
  void parallel(std::int32_t begin, std::int32_t end, std::int32_t grain, const Blocks& body) {
    const std::int32_t blocks = (end - begin + grain - 1) / grain;
    if (!pool || blocks < 2) {
      if (end > begin) body(begin, end);
      return;
    }
    struct Job {
      const Blocks& body;
      std::int32_t begin, end, grain;
    } job{body, begin, end, grain};
    pool->run(
        blocks,
        [](void* context, int block) {
          const Job& j = *static_cast<Job*>(context);
          const std::int32_t from = j.begin + block * j.grain;
          j.body(from, from + j.grain < j.end ? from + j.grain : j.end);
        },
        &job);
  }
  void by_colour(const Blocks& body) { each_phase(colours, pool, body); }

  void search(double dt) {
    std::swap(now, before);
    parallel(0, bodies.size(), 64,
             [&](std::int32_t b, std::int32_t e) { rebase_bodies(bodies, b, e, dt, def.gravity); });
    box_bodies(bodies, Real(def.contact_margin), nullptr, boxes);
    find_pairs_sweep(box_list(bodies, boxes), sweep, fixed, nullptr, now.pairs);
    now.match.resize(now.pairs.size());
    match_pairs(before.pairs, now.pairs, 0, now.pairs.size(), now.match);
    now.manifolds.resize(now.pairs.size());
    parallel(0, std::int32_t(now.pairs.size()), 32, [&](std::int32_t b, std::int32_t e) {
      find_rigid_contacts(bodies, before, now, b, e, Real(def.contact_margin));
    });
    order_bodies(bodies, order);
    colour_contacts(bodies, order, now, nullptr, colours, contacts);
    parallel(0, std::int32_t(contacts.batch.size()), 8, [&](std::int32_t b, std::int32_t e) {
      prepare_contacts(contacts, b, e, bodies, now);
    });
  }

  std::span<const std::int32_t> some(std::int32_t begin, std::int32_t end) const {
    return std::span(bodies.movable).subspan(std::size_t(begin), std::size_t(end - begin));
  }
  void substep(double h) {
    const std::int32_t n = std::int32_t(bodies.movable.size());
    const BodyForces forces{def.gravity, def.medium_density, def.wind};
    parallel(0, n, 64, [&](std::int32_t b, std::int32_t e) {
      apply_body_forces(bodies, some(b, e), forces, h);
    });
    by_colour([&](std::int32_t b, std::int32_t e) { take_approach(contacts, b, e, bodies); });
    if (warm_start)
      by_colour(
          [&](std::int32_t b, std::int32_t e) { warm_start_contacts(contacts, b, e, bodies); });
    by_colour(
        [&](std::int32_t b, std::int32_t e) { solve_contacts(contacts, b, e, bodies, settings); });
    parallel(0, n, 64,
             [&](std::int32_t b, std::int32_t e) { predict_bodies(bodies, some(b, e), h); });
    if (relax)
      by_colour([&](std::int32_t b, std::int32_t e) {
        relax_contacts(contacts, b, e, bodies, settings);
      });
    by_colour([&](std::int32_t b, std::int32_t e) {
      restitute_contacts(contacts, b, e, bodies, settings);
    });
    time += h;
  }

  void step(double dt, int substeps) {
    const double h = dt / substeps;
    settings.h = Real(h);
    settings.push_speed = Real(def.push_speed);
    settings.restitution_speed = Real(def.restitution_speed);
    search(dt);
    for (int i = 0; i < substeps; ++i) substep(h);
    finish_contacts(contacts, 0, std::int32_t(contacts.batch.size()), now);
  }
  void run(double seconds, double dt, int substeps) {
    const int steps = int(std::lround(seconds / dt));
    for (int i = 0; i < steps; ++i) step(dt, substeps);
  }

  Vec3 velocity(std::int32_t i) const { return cast<double>(xyz(bodies.motion[i].velocity)); }
  Vec3 spin(std::int32_t i) const { return cast<double>(xyz(bodies.motion[i].spin)); }
  double deepest() const {
    double d = 0;
    for (const Manifold& m : now.manifolds)
      for (int k = 0; k < m.count; ++k) d = std::fmax(d, -double(m.point[k].separation));
    return d;
  }
  // Mean force of the contacts on body i over the last step.
  Vec3 contact_force(std::int32_t i, double dt) const {
    Vec3 sum;
    for (std::size_t k = 0; k < now.pairs.size(); ++k) {
      if (now.manifolds[k].count == 0) continue;
      if (now.pairs[k].b == i) sum += cast<double>(now.manifolds[k].impulse);
      if (now.pairs[k].a == i) sum -= cast<double>(now.manifolds[k].impulse);
    }
    return sum / dt;
  }
};

}  // namespace pliant
