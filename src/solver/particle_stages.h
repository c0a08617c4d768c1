// The stages of a substep that concern the particles of one deformable body.
#pragma once

#include <span>

#include "core/pool.h"
#include "model/deformable.h"
#include "model/particles.h"

namespace pliant {

inline constexpr int k_coarse_sweeps = 7;  // over the nodes of a coarse level: they are few

// What is the same for every body in a substep.
struct SubstepContext {
  double h = 0;         // s
  double time_end = 0;  // s, world time at the end of the substep
  Vec3 gravity;         // m/s2
  int sweeps = 1;
  TaskPool* pool = nullptr;
};

// What constraints keep of the bases.
void refresh_constraint_bases(const Particles& particles, Deformable& body, TaskPool* pool);
// Once per step: base takes up d exactly (base + d is unchanged to the last bit that both can
// hold), then refresh_constraint_bases. What constraints inside clusters keep may be left to the
// first sweep of the step (`Deformable::bases_due`), which has to fetch them anyway.
void rebase(Particles& particles, Deformable& body, TaskPool* pool, bool leaves_inside = false);

// v <- v exp(-c h) + h (g + f / m); damping first, so that it never acts on this substep's forces.
// Where there is gravity alone it is left to the prediction.
void apply_forces(Particles& particles, Deformable& body, const SubstepContext& context,
                  bool uses_force);
// Of explicit finite elements: v <- v + h f / m with the forces where the substep begins.
void apply_element_forces(Particles& particles, Deformable& body, const SubstepContext& context);
// What the last substep's velocities and the forces have left to it; d_before <- d, d <- d + h v;
// pinned particles go where their paths are at the end of the substep. Creases get the angle that
// they should have then.
void predict(Particles& particles, Deformable& body, const SubstepContext& context);
// What the coarse level decided, where it `spreads`, and the tethers.
void hold_far_limits(Deformable& body, const Vec4* base, Vec4* d, bool spreads, TaskPool* pool);
// All internal constraints, colour by colour, `sweeps` times.
void project_internal(Particles& particles, Deformable& body, const SubstepContext& context);
// v <- v + (d - (d_before + h v)) / h, which is (d - d_before) / h but for rounding: a particle
// that no constraint moved keeps its velocity to the last bit. Where nobody asks for them before
// the next prediction, `Deformable::velocities_due` leaves them to it: a large body streams a sixth
// less.
void update_velocities(Particles& particles, Deformable& body, const SubstepContext& context);

// A body that only gravity acted on has moved by h (v + g h) where h v + g h^2 / 2 is exact: takes
// the difference back without touching the velocity, so that free flight is exact.
void correct_free_fall(Particles& particles, const Deformable& body, const SubstepContext& context);

// Takes from each velocity what is above the body's greatest speed.
void limit_speeds(Particles& particles, const Deformable& body);

// Particles that were merged into another are where it is.
void copy_merged(Particles& particles, const Deformable& body);

// Where a pinned particle is at a time.
Vec3 pin_position(const Deformable& body, const PinnedParticle& pin, double time);
double elastic_energy(const Particles& particles, const Deformable& body);  // J

}  // namespace pliant
