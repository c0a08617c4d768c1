// Contact at position level, for every contact that touches a particle, friction inside.
//
//   C(x) = n . (x_b - x_a) - gap limit >= 0, acts only while C < 0;  dC/dx_k = s_k n
//   x_b - x_a = sum s_k x_k over particles (s > 0 on side b) minus the point of a rigid side
//   dlam = -C / W, lam >= 0;  W = sum w_k s_k^2 + N (1/m + (r x n) . I^-1 (r x n));  dx_k = w_k s_k
//   dlam n
//   friction: the tangential motion t of the substep is taken back by |t| / W_t, at most mu lam in
//   all: all of it while that is below the static limit (no creep), the kinetic limit otherwise
//
//   n unit normal from a to b, w inverse mass, r arm of the rigid point, m and I of the rigid side,
//   N the number of its contacts that act in the sweep: each sees 1/N of the body (mass splitting,
//   Tonge 2012), so contacts with one body do not conflict; the reactions are summed in the order
//   of the slots and applied once per colour. Of an overlap that was there when the substep began
//   `push` is removed without becoming velocity: d_before moves along on the particles' side, the
//   rigid side gets it as a shift only. Frame: world. Sources: Macklin et al. 2014 (unified
//   particle physics), Mueller et al. 2020.
#pragma once

#include <span>

#include "model/contact.h"
#include "model/particles.h"
#include "model/rigid.h"

namespace pliant {

// A contact's effect on its rigid side, summed up after the colour.
struct RigidReaction {
  Vec3R total, gained;  // kg m
};

Vec3R apply_inverse_inertia(const BodyMotion& motion, const Vec3R& v);

// 1/m + (r x n) . I^-1 (r x n) of the whole rigid body.
Real rigid_weight(const ParticleContact& contact, std::span<const BodyMotion> rigid,
                  const Vec3R& axis);
Real particle_weight(const ParticleContact& contact, const Particles& particles);  // sum w s^2
// Of the contact points' difference x_b - x_a, since the substep began (m).
Vec3R relative_motion(const ParticleContact& contact, const Particles& particles,
                      std::span<const RigidPush> pushes);
// Gives the particles an impulse (kg m), of which the part `without_velocity` only moves them.
void shift_point(const ParticleContact& contact, Particles& particles, const Vec3R& impulse,
                 Real without_velocity);
// Moves the particles by what friction does beyond what it has done already in this substep, and
// returns that impulse. `split` is the number of parts of the rigid body's mass, `loading` in kg m.
Vec3R friction(ParticleContact& contact, Particles& particles, std::span<const BodyMotion> rigid,
               std::span<const RigidPush> pushes, Real split, Real loading);

// m, with what has been done so far in this substep.
Real gap_now(const ParticleContact& contact, const Particles& particles,
             std::span<const RigidPush> pushes);
// Whether the next projection will move something.
bool contact_acts(const ParticleContact& contact, const Particles& particles,
                  std::span<const RigidPush> pushes);
// The rigid body that a particle is pressed against. A light particle between two heavy things
// passes on what presses it: it moves as little as the body behind it, which gets the rest of the
// impulse. Otherwise a load would sink through a cloth, whose own mass is all that one sweep can
// hold up.
struct Support {
  Vec3R normal;             // of the particle's contact with the body, unit
  Real inverse_mass = 0;    // 1/kg, of the body as one of its contacts sees it
  Vec3R arm;                // m, from the body's centre
  std::int32_t rigid = -1;  // -1 = none
};

// Moves the particles of one contact; the reaction on its rigid side is returned.
RigidReaction project_contact(ParticleContact& contact, Particles& particles,
                              std::span<const BodyMotion> rigid, std::span<const RigidPush> pushes,
                              std::span<const Support> support);
void add_reaction(const BodyMotion& motion, const Vec3R& arm, const RigidReaction& reaction,
                  RigidPush& push);

// After the velocities: gives the approach speed back, times the restitution, where it was above
// `threshold`. Changes the velocities of particles and of the rigid side.
void restore_speed(const ParticleContact& contact, const ContactPair& pair, Real threshold,
                   Particles& particles, std::span<BodyMotion> rigid);

}  // namespace pliant
