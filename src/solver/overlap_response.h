// What overlaps of solids do to the particles: `pressure` and `penalty`.
//
// pressure: the speed of approach is taken off by impulses, contact by contact, which keep the
//   momentum and never part what does not part by itself, and with it the depth that it has made.
//   Of what is left the particles are moved to a surface between the two bodies; the share t of a
//   contact's depth that side a gives way begins at 1/2 and goes on by 1/4, 1/8, ... towards the
//   side that pushes less, once for each contact:
//     shift of particle i = sum_c w_ci s_c / sum_c w_ci,  s_c = t depth n for a, -(1 - t) depth n
//     for b, w_ci the weight of i in the contact (1 where i itself is what is inside)
//     further where (p_a + p_b) . n > 0, p = sum w_i f_i / A_i with the inner force f_i of the
//     particle there and the area A_i of the faces around it; nowhere where the sum is below
//     three tenths of its parts
//   These shifts are no motion. What rests needs none: pressures would not know of the masses, and
//   a heap would tremble.
// penalty: a spring from the point to where it came in, and a damper, in one substep h:
//     impulse = (share depth / h + 2 sqrt(share) u) / k,  u the speed of approach,
//     k = sum n_i w_i^2 / m_i, n_i contacts that act on the particle; at least 0, at most what
//     parts them with the push speed. The spring is share / (k h^2) stiff and critically damped.
// friction: against the relative velocity across the normal, within mu times the normal impulse,
//   and never more than stops it; contact by contact, in some sweeps.
//
// All sums run over the contacts in their order: the same bits on any number of threads.
// Source: Spillmann, Teschner 2005, Contact surface computation for coarsely sampled deformable
// objects, with the weights, the balance and the dead band corrected; Moore, Wilhelms 1988.
#pragma once

#include <span>
#include <vector>

#include "model/overlap.h"

namespace pliant {

// Of all particles; of those in contacts it is filled.
struct OverlapField {
  std::vector<double> inverse_mass;   // 1/kg; 0 = does not give way
  std::vector<double> area;           // m2, of the faces around
  std::vector<double> reach;          // m, how far it is moved at most in a substep
  std::vector<double> moved;          // by how much of h a gain of velocity moves it
  std::vector<Vec3> velocity;         // m/s
  std::vector<Vec3> force;            // N, inner
  std::vector<Vec3> shift;            // m
  std::vector<double> weight;         // sum of its weights
  std::vector<std::int32_t> count;    // contacts
  std::vector<std::int32_t> touched;  // particles in contacts, rising
};
// Room for `particles`, and which are in contacts.
void list_touched(std::span<const OverlapContact> contacts, std::size_t particles,
                  OverlapField& field);

struct OverlapFriction {
  double still = 0, sliding = 0;
};

struct OverlapImpulses {
  std::vector<double> normal;  // N s, of each contact
  std::vector<Vec3> friction;  // N s, on side a
};

// Whether it is worth asking who presses harder: what is less deep is shared evenly.
bool is_compared(const OverlapContact& contact);
// Half of each depth to each side; all where the other does not give way.
void begin_shares(std::span<const OverlapContact> contacts, const OverlapField& field,
                  std::vector<double>& share);
void find_shifts(std::span<const OverlapContact> contacts, std::span<const double> share,
                 OverlapField& field);
// One more comparison, of what is left by `step`.
void compare_pressures(std::span<const OverlapContact> contacts, const OverlapField& field,
                       double step, std::span<double> share);
// Velocities without approach, with friction.
void stop_approach(std::span<const OverlapContact> contacts,
                   std::span<const OverlapFriction> friction, OverlapField& field,
                   OverlapImpulses& impulses);

// What is left of the depths when the particles have moved with what their velocities have gained
// since `before`. Returns the greatest, without those that are led.
double take_off(std::span<OverlapContact> contacts, std::span<const Vec3> before,
                const OverlapField& field, double h);

struct PenaltySettings {
  double h = 0;           // s
  double share = 0;       // of the depth
  double push_speed = 0;  // m/s
};
// Velocities with what the springs give.
void spring_apart(std::span<const OverlapContact> contacts,
                  std::span<const OverlapFriction> friction, const PenaltySettings& settings,
                  OverlapField& field, OverlapImpulses& impulses);

}  // namespace pliant
