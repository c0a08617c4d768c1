// What a step reports: times by stage, counters, measurements, events.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/ids.h>
#include <pliant/math.h>

namespace pliant {

// The stages of a step, in order; the same words name the folders, the timers and the documents.
enum class Stage {
  commands,
  broadphase,
  narrowphase,
  colour,
  forces,
  rigid,
  predict,
  refresh,
  project,
  velocities,
  relax,
  restitution,
  sleep,
  publish,
};
inline constexpr int k_stage_count = 14;
std::string_view stage_name(Stage stage);

// The parts of the stage `project` in which solids that overlap are parted, in order.
enum class OverlapPhase {
  detection,  // points in tetrahedra and half-spaces, edges that cross
  triangles,  // of the surfaces that take part, and which of them each point goes through
  depths,     // how deep, and which way out
  response,
};
inline constexpr int k_overlap_phase_count = 4;
std::string_view overlap_phase_name(OverlapPhase phase);

// Everything measured at the end of a step. Momentum is about the world's origin.
struct Measurements {
  double time = 0;              // s
  double kinetic_energy = 0;    // J, of all that moves freely
  double potential_energy = 0;  // J, in gravity, zero at the origin
  double elastic_energy = 0;    // J, of the internal constraints
  Vec3 momentum;                // kg m/s
  Vec3 angular_momentum;        // kg m2/s
  // m, deepest overlap of all contacts; of cloth what it is nearer than the distance that it keeps
  double penetration_max = 0;
  double penetration_mean = 0;  // m, over the loaded contacts
  double stretch_max = 1;       // greatest edge length / rest length of all cloths
  std::int32_t contacts = 0;    // loaded contact points
  std::int32_t asleep = 0;      // bodies of all kinds that sleep
  // Of the surfaces of solids, where they meet by contacts (`position`, and whatever is rigid):
  std::int32_t touching_vertices = 0;   // with a loaded contact
  std::int32_t touching_triangles = 0;  // with one of them, or with a loaded contact of their own
};

// Trouble that the step dealt with; each says which setting to change.
struct StepReport {
  std::int32_t frozen = 0;          // deformables or bodies frozen because they went non-finite
  std::int32_t searched_again = 0;  // times that a body left its swept box or turned far
  std::int32_t held_back = 0;       // contacts that only shortening the motion kept from crossing
  std::int32_t tangled = 0;         // edges of cloth that pass through cloth
  std::int32_t impacts = 0;         // resolved in the order of their times
  std::int32_t cut_off = 0;         // islands with more of them than `max_impacts`
  std::int32_t not_ordered = 0;     // islands with particles, whose impacts are not ordered
  std::int32_t stiff_warning = 0;   // solids too stiff for the substep: raise `substeps`
  std::int32_t parting = 0;         // pairs of solids in each other, under contact by `position`
  std::int32_t enclosed = 0;        // solids wholly inside another
  bool ok() const { return frozen == 0; }
};

struct StepStats {
  std::array<double, k_stage_count> stage_ms{};
  std::array<double, k_overlap_phase_count> overlap_ms{};  // of which, in Stage::project
  double total_ms = 0;
  std::int32_t tests = 0;       // of pairs, that the broad phase made to find them
  std::int32_t pairs = 0;       // from the broad phase
  std::int32_t candidates = 0;  // contact slots
  std::int32_t colours = 0;     // of the contacts
  // Of solids, under `pressure` and `penalty`, in the last substep, before contacts act:
  std::int32_t overlap_vertices = 0;   // inside another solid or a half-space
  std::int32_t overlap_triangles = 0;  // of the surface, with one of them or of what holds one
};

// --- events: valid until the next step
// ------------------------------------------------------------
enum class EventKind {
  contact_begin,
  contact_end,
  sensor_begin,
  sensor_end,
  impact,  // resolved at its time, under Impacts::ordered
  state,   // of a rigid body
  sleep,
  wake,
  frozen,
  seam_closed,
  joint_broken,
};

// What a dynamic rigid body does. It rests, rolls or slides on what it touches.
enum class BodyState { flight, rest, rolling, sliding };

struct Event {
  EventKind kind = EventKind::contact_begin;
  AnyId a, b;          // b is none for sleep, wake, state and frozen; the two cloths of a seam
  double speed = 0;    // m/s, approach speed of a contact that begins or of an impact
  Vec3 point{};        // m, of a contact that begins or an impact
  Vec3 normal{};       // unit, from a to b, likewise
  double impulse = 0;  // N s, of a contact in the step in which it begins, or of an impact
  double time = 0;     // s, of an impact; of all others the end of the step
  // m/s, of the centres of mass of rigid bodies: right before and after an impact; of a contact
  // that begins when the step began and ended.
  Vec3 before_a{}, before_b{}, after_a{}, after_b{};
  BodyState from{}, to{};  // of a state
  SeamId seam{};           // that has closed
  JointId joint{};         // that has broken; a and b are its sides
};

// --- seams
// ----------------------------------------------------------------------------------------
struct SeamStatus {
  std::int32_t stitches = 0;  // all
  std::int32_t merged = 0;    // vertices that have become one
  std::int32_t joined = 0;    // vertices that have met a point of an edge, where they are held
  std::int32_t open = 0;      // neither
  double gap = 0;             // m, the widest of all stitches
  double force = 0;  // N, sum of what the stitches that are not merged carry, mean of a step
};

}  // namespace pliant
