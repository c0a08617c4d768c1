// The world: add things, step, read them. Ids and definitions only; the world owns everything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <pliant/defs.h>
#include <pliant/diagnostics.h>
#include <pliant/field.h>
#include <pliant/frame.h>
#include <pliant/joint.h>
#include <pliant/query.h>
#include <pliant/real.h>
#include <pliant/result.h>

namespace pliant {

// How the world runs loops in parallel. A host may bring its own; the result does not depend on it.
class TaskPool {
 public:
  virtual ~TaskPool() = default;
  virtual int threads() const = 0;
  // Calls body(context, block) for every block in [0, blocks), from any threads, and returns when
  // all are done.
  virtual void run(int blocks, void (*body)(void* context, int block), void* context) = 0;
};
// The built-in pool: spins briefly for work, then yields. threads <= 0 takes the machine's number.
std::unique_ptr<TaskPool> make_task_pool(int threads);

inline namespace PLIANT_ABI {

// A contact of two rigid bodies in a step, before it acts.
struct ContactSetting {
  AnyId a, b;
  Vec3 point{};           // m
  Vec3 normal{};          // unit, from a to b
  double separation = 0;  // m, negative where they overlap
  // What may be changed.
  double friction_static = 0, friction_kinetic = 0, restitution = 0;
  Vec3 surface_velocity{};  // m/s, of a's surface against itself: a conveyor belt
};
// Called for each pair in contact, once a step, from several threads at once.
class ContactRule {
 public:
  virtual ~ContactRule() = default;
  // Whether the contact acts.
  virtual bool apply(ContactSetting& contact) const = 0;
};

// A world, and what reads it, is used by one thread at a time.
class World {
 public:
  // Without a pool the world runs on the calling thread.
  explicit World(const WorldDef& def = {}, std::shared_ptr<TaskPool> pool = nullptr);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  // --- adding and removing; an Error names the field
  // -----------------------------------------------
  Result<BodyId> add_body(const BodyDef& def);
  Result<ClothId> add_cloth(const ClothDef& def);
  Result<SolidId> add_solid(const SolidDef& def);
  Result<AnchorId> add_anchor(const AnchorDef& def);
  Result<JointId> add_joint(const JointDef& def);
  Result<SeamId> add_seam(const SeamDef& def);
  FieldId add_field(std::shared_ptr<const ForceField> field);
  Result<FieldId> add_field(const FieldDef& def);
  // Takes hold of the body, or of the vertex that is nearest, where a ray met it. The anchor's side
  // b is the point of the world that it follows: set_anchor_target moves it, remove lets go.
  Result<AnchorId> drag(const RayHit& hit, const DragDef& def = {});
  void remove(BodyId id);
  void remove(ClothId id);
  void remove(SolidId id);
  void remove(AnchorId id);
  void remove(JointId id);
  void remove(SeamId id);  // cuts its threads: also what they have merged is two again
  void remove(FieldId id);
  bool valid(BodyId id) const;
  bool valid(ClothId id) const;
  bool valid(SolidId id) const;
  bool valid(AnchorId id) const;
  bool valid(JointId id) const;  // also of a broken joint
  bool valid(SeamId id) const;
  bool valid(FieldId id) const;

  // --- changing what is there: from the next step on. An Error names the field and changes nothing
  // Any of the world's settings; def() gives a definition to start from. Everything wakes. Gravity
  // and wind are those of the definition, whatever commands still wait.
  Status change(const WorldDef& def);
  // Everything but the name, pose and velocities; describe(id) gives a definition to start from.
  Status change(BodyId id, const BodyDef& def);
  Status change(FieldId id, const FieldDef& def);
  // True where the solid had to be made anew, at rest in its present pose; else it goes on as it is
  // with other parameters.
  Result<bool> change(SolidId id, const SolidDef& def);
  void set_contact_rule(std::shared_ptr<const ContactRule> rule);  // null = none

  // --- commands: queued, applied at the beginning of the next step, in the order given
  // ---------------
  void apply_force(BodyId id, const Vec3& force,
                   const Vec3& point);  // N at a world point, for one step
  void apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point);  // N s
  void set_velocity(BodyId id, const Vec3& velocity, const Vec3& angular_velocity);
  void apply_force(ClothId id, std::int32_t vertex, const Vec3& force);  // N, for one step
  void apply_force(SolidId id, std::int32_t vertex, const Vec3& force);
  void add_velocity(ClothId id, const Vec3& velocity);  // m/s, to all of it
  void add_velocity(SolidId id, const Vec3& velocity);
  void set_locked(SolidId id, std::int32_t vertex, bool locked);  // where it is; or lets it go
  // Of the side of an anchor that is a point of the world: it goes there over the step.
  void set_anchor_target(AnchorId id, const Vec3& position);
  void set_pose(BodyId id, const Transform& pose);  // teleport, no implied velocity
  void move_to(BodyId id, const Transform& pose);   // kinematic: be there at the end of the step
  // Holds the vertex, and brings it there evenly over the step.
  void set_pin_target(ClothId id, std::int32_t vertex, const Vec3& position);
  // Of the motor of the coordinate `axis`: 0 to 2 along, 3 to 5 about x, y and z. Wakes the sides.
  void set_motor_target(JointId id, int axis, double target);
  void set_gravity(const Vec3& gravity);
  void set_wind(const Vec3& wind);

  // --- stepping
  // -------------------------------------------------------------------------------------
  StepReport step(double dt);
  double time() const;          // s
  std::uint64_t steps() const;  // taken so far
  std::uint64_t state_hash() const;

  // --- reading
  // --------------------------------------------------------------------------------------
  Transform pose(BodyId id) const;
  Vec3 velocity(BodyId id) const;
  Vec3 angular_velocity(BodyId id) const;
  double mass(BodyId id) const;
  double mass(ClothId id) const;
  double mass(SolidId id) const;
  bool asleep(BodyId id) const;
  bool asleep(ClothId id) const;
  bool asleep(SolidId id) const;
  BodyState state(BodyId id) const;
  // The bodies that it rests on, by their ids: those whose contact pushes it against gravity.
  std::vector<BodyId> supports(BodyId id) const;
  // Where it was `share` of the way from the beginning of the last step to its end: for drawing
  // between steps.
  Transform pose(BodyId id, double share) const;
  // The sum of the contact forces on a body over the last step, mean over the substeps (N).
  Vec3 contact_force(BodyId id) const;
  // The force with which the anchor pulls its side a towards side b, mean over the last step (N).
  Vec3 anchor_force(AnchorId id) const;
  // What the joint does to side a: the force at its point, and the torque that it adds to it. Mean
  // over the last step (N, N m).
  Vec3 joint_force(JointId id) const;
  Vec3 joint_torque(JointId id) const;
  JointStatus joint_status(JointId id) const;
  SeamStatus seam_status(SeamId id) const;

  // Spans onto live positions in the solver's order, valid until the next step, add or remove; w is
  // the inverse mass. `order` gives for each user vertex its place in the span.
  std::span<const Vec4> positions(ClothId id) const;
  std::span<const Vec4> positions(SolidId id) const;
  std::span<const std::int32_t> order(ClothId id) const;
  std::span<const std::int32_t> order(SolidId id) const;
  // In the user's order.
  void copy_positions(ClothId id, std::vector<Vec3>& out) const;
  void copy_positions(SolidId id, std::vector<Vec3>& out) const;
  void copy_velocities(ClothId id, std::vector<Vec3>& out) const;
  void copy_velocities(SolidId id, std::vector<Vec3>& out) const;

  double volume(SolidId id) const;          // m3, of all tetrahedra
  double rest_volume(SolidId id) const;     // m3
  std::int32_t inverted(SolidId id) const;  // tetrahedra that are flat or inside out
  // Springs through the inside of a surface that were asked for and found no place.
  std::int32_t missing_springs(SolidId id) const;
  // N, with which the solid's own model acts on its vertices where they are, at rest; in the user's
  // order. Of models that move particles it is what their motion of one substep amounts to, of a
  // step as long as the last one (1/60 s before the first).
  void copy_inner_forces(SolidId id, std::vector<Vec3>& out) const;
  // Its vertices that are in other solids, or in itself, by the stage that parts what overlaps: of
  // all solids under `pressure` and `penalty`, of what begins in another under `position`. As it
  // was when they were last looked for: in the last substep before they were parted, or in an
  // earlier one of the step, from which nothing has moved by more than a twentieth of a cell. By
  // vertex; nothing of pairs that sleep.
  std::vector<Penetration> penetrations(SolidId id) const;
  // Greatest edge length / rest length, of the cloth with all that are sewn to it.
  double stretch_max(ClothId id) const;
  double stretch_mean(ClothId id) const;

  const Measurements& measurements() const;
  const StepStats& stats() const;
  std::span<const Event> events() const;
  const WorldDef& def() const;  // the present settings

  std::vector<BodyId> bodies() const;
  std::vector<ClothId> cloths() const;
  std::vector<SolidId> solids() const;
  std::vector<AnchorId> anchors() const;
  std::vector<JointId> joints() const;
  std::vector<SeamId> seams() const;
  std::vector<FieldId> fields() const;  // made from a FieldDef
  // The definition that the thing was made from, with its present pose, positions and velocities.
  BodyDef describe(BodyId id) const;
  ClothDef describe(ClothId id) const;
  SolidDef describe(SolidId id) const;
  AnchorDef describe(AnchorId id) const;
  JointDef describe(JointId id) const;
  SeamDef describe(SeamId id) const;
  FieldDef describe(FieldId id) const;

  // --- queries
  // --------------------------------------------------------------------------------------
  // The nearest thing on the way from a point along a direction, which has any length.
  std::optional<RayHit> cast_ray(const Vec3& from, const Vec3& direction, double max_distance,
                                 const QueryFilter& filter = {}) const;
  // All of them, by distance.
  std::vector<RayHit> cast_ray_all(const Vec3& from, const Vec3& direction, double max_distance,
                                   const QueryFilter& filter = {}) const;
  // The first thing that a shape meets that moves by `motion` without turning.
  std::optional<CastHit> cast_shape(const Shape& shape, const Transform& pose, const Vec3& motion,
                                    const QueryFilter& filter = {}) const;
  // All that a shape overlaps, in order of their making.
  std::vector<AnyId> overlap(const Shape& shape, const Transform& pose,
                             const QueryFilter& filter = {}) const;
  // Those that are in each other by more than a hundredth of a cell, and may meet by their filters.
  std::vector<SolidOverlap> overlapping_solids() const;
  std::optional<ClosestPoint> closest(const Vec3& point, double max_distance,
                                      const QueryFilter& filter = {}) const;

  FrameLayout frame_layout() const;
  void capture(Frame& frame) const;

  // --- the same bits later
  // --------------------------------------------------------------------------
  std::vector<std::byte> snapshot() const;
  // Into a world made by the same calls; an Error where the structure differs.
  Status restore(std::span<const std::byte> snapshot);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace PLIANT_ABI
}  // namespace pliant
