// What the stages of a step hand to each other: no state, only memory that is kept between steps.
#pragma once

#include <pliant/world.h>
#include <array>
#include <utility>
#include <vector>

#include "broadphase/find_pairs.h"
#include "build/deformable_build.h"
#include "constraints/contact_particle.h"
#include "constraints/contact_rigid.h"
#include "constraints/joint_balls.h"
#include "model/body_boxes.h"
#include "model/state.h"
#include "narrowphase/deformable_refresh.h"
#include "narrowphase/deformable_search.h"
#include "narrowphase/self_particle_search.h"
#include "narrowphase/sheet_search.h"
#include "solver/colour_contacts.h"
#include "solver/contact_stages.h"
#include "solver/hold_sheets.h"
#include "solver/keep_apart.h"
#include "solver/pinch_stage.h"
#include "solver/rigid_integrate.h"
#include "solver/self_particle_stages.h"
#include "solver/sheet_stages.h"
#include "solver/sleep.h"
#include "solver/wind.h"
#include "world/ordered.h"
#include "world/overlaps.h"
#include "world/partings.h"

namespace pliant {
inline namespace PLIANT_ABI {

// A field of the user's, or one by name.
struct UserField {
  std::shared_ptr<const ForceField> field;  // null: one by name
  FieldDef def;
  bool gone = false;
};
struct ActiveField {
  const UserField* field;
  double share;  // of the substep
};

// Which features are in loaded contacts, 0 or 1; filled when measured.
struct TouchingFeatures {
  std::vector<std::uint8_t> particle;                       // world-wide
  std::vector<std::vector<std::uint8_t>> vertex, triangle;  // of the surface of each deformable
};

// What the contacts of a pair have done in a step.
struct PairLoad {
  Vec3R reaction;    // N s, on the obstacle side
  Real closing = 0;  // m/s, when they were first loaded
  bool touched = false;
};

// A pair that begins to touch in this step.
struct TouchBegin {
  std::uint64_t key = 0;
  double speed = 0;    // m/s, of approach
  Vec3 point, normal;  // m; unit, from the body with the lower key to the other
  double impulse = 0;  // N s, along the normal
};
TouchBegin touch_begin(std::uint64_t key, double speed, const Vec3& point, const Vec3& normal,
                       const Vec3& impulse);

// What of the definitions says who meets whom; made anew when things come, go or change.
struct NodeTraits {
  bool listed = false;
  bool filtered = false;       // some node does not meet all others
  bool sensors = false;        // there are some
  bool resists = false;        // some body resists rolling or spinning
  std::vector<Filter> filter;  // of each node; sensors are in no group
};

// What two cloths have done to each other in a step.
struct SheetLoad {
  std::uint64_t key = 0;
  std::int32_t b = 0, a = 0;  // deformables; b has the lower key
  Vec3 impulse_on_a;          // N s
  Vec3 push_on_a;             // N s, without friction
  Vec3 moment;                // N s m: places of the contacts times their impulses
  double total = 0;           // N s, sum of these
};

// Cloths that may meet in this step, their contacts, and the time that they were searched for.
struct SheetGroup {
  std::vector<std::int32_t> members;  // deformables, rising
  SheetContacts contacts;
  double horizon = 0;  // s, that was searched for; 0 = not yet
  double time = 0;     // s, since then
  bool swept = true;   // takes part in the present sweep
};

// Where the cloths of a group are tangled.
struct SheetTangles {
  std::vector<SheetPiercing> piercings;
  std::vector<std::uint8_t> loose;  // of each particle: is around them; empty: there are none
  SheetMotion motion;
  std::vector<std::vector<SheetBox>> boxes;  // of each deformable's nodes
  std::vector<LeafPair> leaves;
};

// What all particles of a group of cloths may stray by together, in thicknesses.
inline constexpr double k_common_stray = 1;

// Some particles of a group, and how far they are from where the search thought they would be.
struct StrayBlock {
  std::int32_t begin = 0, end = 0;  // particles
  Vec3R sum;                        // m, over all
  Real furthest = 0;                // m2, of those that keep to the limit
  std::int32_t count = 0;           // of the others: stray_places[begin .. begin + count)
};

struct SheetSearch {
  bool any = false;      // there are cloths that can meet
  bool listed = false;   // the groups are those of this step
  bool checked = false;  // nothing comes too near, as far as has been looked at in this substep
  std::vector<SheetGroup> groups;
  std::size_t used = 0;              // groups
  Vec3R kick;                        // m/s, what gravity has added to velocities in this substep
  SheetMotion motion;                // of each group's particles, since its search
  std::vector<SheetBox> reach;       // of each deformable: around all that its search reckoned with
  std::vector<std::int32_t> strays;  // particles that have left their way
  std::vector<StrayBlock> stray_blocks;
  std::vector<std::int32_t> stray_places;  // as many as there are particles
  std::vector<std::int32_t> followed;      // those that were searched for again in this substep
  std::vector<std::uint8_t> strayed;       // of each particle: is among these
  SheetMotion late_motion;                 // of the present substep, of the particles of a group
  std::vector<Vec4> normals;               // of the particles of cloths that have an order
  SheetTangles tangles;
  SheetScratch scratch, late;
  PackScratch pack;
  HoldScratch hold;
  std::vector<SheetLoad> loads;     // by key
  std::int32_t loaded = 0;          // contacts, in the last substep
  double deepest = 0;               // m, likewise: greatest overlap
  double depth_sum = 0;             // m
  std::vector<std::uint8_t> near;   // of each deformable: in a group in which sheets come too near
  std::vector<std::uint8_t> bound;  // of each deformable: in this substep others acted on it

  void forget_loads() {
    loaded = 0;
    deepest = depth_sum = 0;
  }
};

// Of a cloth that meets itself by particles.
struct SelfParticleStep {
  bool meets = false;     // itself, in this substep
  bool searched = false;  // in this step
  SelfPairs pairs;
  std::array<SelfContacts, 2> contacts;  // near, far
  SelfSearch search;
  SelfPackScratch pack;
};

// What the points of a manifold do at the end of a step.
struct Grip {
  Vec3R impulse;            // N s on b, over the step
  Vec3R normal;             // unit, from a to b
  std::int32_t loaded = 0;  // points, in the last substep
  Real parting = 0;         // m/s, of all
  Real slip = 0;            // m/s, of the loaded ones
  Real spin = 0;            // rad/s, of the one body against the other
};

// What a rigid body does against what it touches at the end of a step.
struct Footing {
  bool touched = false;          // in this step
  bool loaded = false;           // in its last substep
  bool supported = false;        // and against gravity
  double slip = 0, turning = 0;  // m/s, of the surfaces, by their slipping and by their turning
  double parting = 0;            // m/s, along the normal
};

// Joints between rigid bodies in groups that share no body that moves, so that they run side by
// side; in each group by creation, or as tree_order says. Made anew when joints come, go or break.
struct JointGroups {
  bool listed = false;
  std::vector<std::int32_t> order;     // joints
  std::vector<std::int32_t> end;       // of each group
  std::vector<std::int32_t> first;     // beside order: the first of its group that shares a body
  std::vector<std::uint8_t> at_once;   // of each group: solved as one system
  std::vector<std::uint8_t> balls;     // of each group: and all are ball joints
  std::vector<JointSystem> systems;    // of each group, and one more for joints with particles
  std::vector<BallGroup> ball_groups;  // of each group
  std::vector<std::uint64_t> apart;    // pairs of keys that do not meet, sorted
};

// Scratch of a step: no state, only memory.
struct StepScratch {
  std::vector<SweptSurface> swept;  // of each deformable
  BodyBoxes boxes;                  // of rigid bodies, then of deformables
  std::vector<std::uint32_t> keys;  // beside them
  std::size_t boxed = 0;            // rigid bodies whose keys are there
  std::vector<BoxFrame> frames;     // of rigid bodies, where the broad phase asks for them
  std::vector<AnyId> ids;           // of all bodies, where a rule of tiles asks for them
  PairScratch search;
  std::vector<BoxPair> pairs;            // of all kinds
  ManifoldList manifolds;                // of the step before
  std::vector<BoxPair> soft_pairs;       // with deformables, that are searched side by side
  std::vector<ContactSlots> soft_slots;  // beside them, what was found
  std::vector<std::int32_t> soft_first, soft_next;  // those with rigid bodies: the first of each
                                                    // deformable, the next of each pair; -1 = none
  std::vector<std::uint8_t> detailed;               // of each deformable: its surface is asked for
  std::vector<std::uint8_t> sound;                  // of each deformable: its numbers are
  std::vector<BoxPair> composite_pairs;
  std::vector<std::vector<Manifold>> composite_found;  // beside them
  std::vector<Manifold> composites;  // of pairs with a compound or a mesh, as they are found
  BodyOrder order;
  ContactColours colours;
  ContactBatches batches;
  bool bounces = false;                // some of them do
  std::vector<BodyBase> rigid_before;  // poses at the beginning of the substep
  std::vector<std::uint8_t> left;    // of each node: it has left the box that it was searched with
  ContactSlots slots;                // before a search in the middle of a step
  std::vector<PairLoad> old_loads;   // beside its pairs
  std::vector<std::uint8_t> slept;   // of each node: asleep when that search began
  std::vector<Real> old_closing;     // beside the manifolds before it
  std::vector<std::int32_t> now_at;  // where they are after it, -1 = nowhere
  std::vector<Vec4> begin;           // d of all particles when the substep began
  std::vector<Vec4> unpressed;       // before its contacts, of shells, each from its body's begin
  std::vector<Vec4> shell_place, shell_gradient;  // likewise, of constraints/body_volume.h
  std::vector<std::uint8_t> restored;             // of each deformable: its volume was, after them
  SheetSearch sheets;
  std::vector<SelfParticleStep> self_particles;  // of each deformable
  Overlaps overlaps;
  TouchingFeatures touching_features;
  Partings partings;
  PairGroups groups;
  ApartScratch apart;
  std::vector<Support> support;         // of each particle, in this substep
  std::vector<std::int32_t> supported;  // those that have one
  PinchScratch pinch;
  std::vector<RigidPush> pushes;
  std::vector<RigidReaction> reactions;
  std::vector<std::uint64_t> marks;  // colours in use, of each particle
  std::vector<Transform> targets;    // of kinematic bodies moved by a command
  std::vector<AnyId> rigid_ids;      // of each rigid body, for fields
  std::vector<ActiveField> active_fields;
  WindScratch wind;
  std::vector<Vec3> field_force;        // N, of the fields on each rigid body in this substep
  std::vector<Vec3> carried;            // m/s: what fields that drag leave of its velocity
  std::vector<Vec3> contact_impulse;    // N s on each rigid body over the step
  std::vector<std::int32_t> pressed;    // the bodies whose may not be zero
  std::vector<std::int32_t> commanded;  // bodies with a command in this step
  std::vector<Real> closing;            // m/s, of each manifold, where and when it will touch
  std::vector<std::uint8_t> wakes;      // whether it will and something sleeps
  std::vector<Grip> grips;              // of each manifold
  std::vector<PairLoad> pair_loads;     // beside the pairs of the slots
  std::vector<std::uint8_t> meeting;    // of each deformable: has slots or anchors
  std::vector<Touch> touching;          // of the step before
  std::size_t next_touching = 0;        // in it: where to look first
  std::vector<Touch> resting;
  JointGroups joints;
  Ordered ordered;
  NodeTraits traits;
  IslandScratch islands;
  std::vector<Footing> footings;  // of each rigid body
  std::vector<std::int32_t> woken;
  std::vector<std::uint64_t> sensed;  // of the step before
};

}  // namespace PLIANT_ABI
}  // namespace pliant
