// The stages of a substep that concern the particles of one deformable body.
#pragma once

#include <span>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

// What is the same for every body in a substep.
struct SubstepContext {
  double h = 0;         // s
  double time_end = 0;  // s, world time at the end of the substep
  Vec3 gravity;         // m/s2
  int sweeps = 1;
  TaskPool* pool = nullptr;
};

// Once per step: base takes up d exactly (base + d is unchanged to the last bit that both can
// hold), and constraints refresh what they keep of the bases.
void rebase(Particles& particles, Deformable& body, TaskPool* pool);

// v <- v exp(-c h) + h (g + f / m); damping first, so that it never acts on this substep's forces.
void apply_forces(Particles& particles, const Deformable& body, const SubstepContext& context,
                  bool uses_force);
// d_before <- d, d <- d + h v; pinned particles go where their paths are at the end of the substep.
void predict(Particles& particles, const Deformable& body, const SubstepContext& context);
// All internal constraints, colour by colour, `sweeps` times.
void project_internal(Particles& particles, Deformable& body, const SubstepContext& context);
// v <- (d - d_before) / h.
void update_velocities(Particles& particles, const Deformable& body, const SubstepContext& context);

// Where a pinned particle is at a time.
Vec3 pin_position(const Deformable& body, const PinnedParticle& pin, double time);
double elastic_energy(const Particles& particles, const Deformable& body);  // J

}  // namespace pliant
