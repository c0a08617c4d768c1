// The inside of World: the state and the ids.
#pragma once

#include <pliant/world.h>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "constraints/body_volume.h"
#include "core/id_table.h"
#include "core/pool.h"
#include "geometry/impact_time.h"
#include "model/state.h"
#include "world/step_scratch.h"

namespace pliant {

struct QueryIndex;
struct QuerySurface;
struct QueryThing;
struct ShapePlace;
struct TreeBox;
struct Ray;

inline namespace PLIANT_ABI {

struct Command {
  enum class Kind {
    force,
    impulse,
    velocity,
    pose,
    move_to,
    pin_target,
    motor,
    gravity,
    wind,
    cloth_force,
    solid_force,
    cloth_velocity,
    solid_velocity,
    lock,
    unlock,
    anchor_target,
  };
  Kind kind = Kind::force;
  std::uint32_t index = 0, generation = 0;  // of the id
  std::int32_t vertex = 0;
  Vec3 a, b;
  Quat rotation;
};

// A force of the user's on a particle, for one step.
struct ParticleForce {
  std::int32_t particle = 0;  // of all
  Vec3 force;                 // N
};
// A point of the world that an anchor follows, in one step.
struct AnchorMove {
  std::int32_t anchor = 0;
  bool side_b = false;
  Vec3 from, to;  // m
};

// What a deformable was made from: cloths, beside its parts, or a solid.
struct DeformableDef {
  std::vector<ClothDef> cloths;
  SolidDef solid;
};

// Where the particles of the user's vertices are.
struct ParticleOrder {
  std::int32_t begin;
  std::span<const std::int32_t> order;  // vertex -> particle from begin
  int clusters;
};

struct World::Impl {
  WorldDef def;
  std::shared_ptr<TaskPool> pool;
  State state;
  std::uint32_t next_key = 1;  // creation order over all kinds of body
  IdTable<BodyId> bodies;
  IdTable<ClothId> cloths;
  std::vector<std::int32_t> cloth_part;  // by the id's index: which part of its deformable it is
  IdTable<SolidId> solids;
  IdTable<AnchorId> anchors;
  IdTable<JointId> joints;
  IdTable<SeamId> seams;
  IdTable<FieldId> fields;
  std::vector<BodyDef> body_defs;              // beside state.rigid
  std::int32_t ordered_bodies = 0;             // that ask for ordered impacts
  std::vector<DeformableDef> deformable_defs;  // beside state.deformables
  std::vector<BodyBase> step_begin;            // poses when the last step began, beside state.rigid
  std::vector<Vec3R> begin_velocity;           // m/s, likewise, of what was awake and not fixed
  std::vector<SpecialBody> special;            // by index
  std::vector<double> cross_section;           // m2, of rigid bodies; as many as were asked for
  std::uint32_t changes = 0;                   // of settings and bodies, since they were made
  std::vector<UserField> user_fields;
  std::vector<Command> commands;
  std::vector<ParticleForce> particle_forces;  // of the step
  std::vector<AnchorMove> anchor_moves;        // of the step
  std::vector<Event> events;
  std::vector<Event> pending_events;  // of calls between steps; they open the next step's list
  std::vector<Vec3> contact_force;    // N, of each rigid body over the last step
  std::vector<std::int32_t> pressed_bodies;  // the bodies whose may not be zero
  Measurements measurements;
  bool measured = true;         // of the present state
  double last_step = 1.0 / 60;  // s, how long the last step was
  std::int32_t loaded_contacts = 0;
  StepStats stats;
  StepReport report;
  StepScratch scratch;
  bool stepping = false;
  mutable std::vector<Vec4> published;           // places of all particles, for the spans
  mutable std::uint64_t published_step = ~0ull;  // when they were taken

  std::vector<TouchBegin> begin_events;  // of this step
  std::shared_ptr<QueryIndex> queries;   // never null
  std::shared_ptr<const ContactRule> contact_rule;

  // --- the step (step.cpp): one function a stage
  // ------------------------------------------------------
  StepReport step(double dt);
  void apply_commands(double dt);
  void begin_step(double dt);
  void find_pairs(double dt);
  void find_contacts(double dt);
  void list_manifolds(double dt);
  void colour();
  void search_again(double h, double dt_left);
  void note_sleepers();
  void search_woken(double dt);
  void forces(double h, double time);
  void ordered_impacts(double h, double time);
  void solve_rigid(double h);
  void predict(double h, double time_end);
  void refresh(double h, double left);
  RefreshContext refresh_context(double h) const;
  void project_inside(double h);
  void part_overlaps(double h);
  void sweep_contacts(double h);
  bool rescue_contacts(double h);
  void project_contacts(double h);
  PressedBody pressed_body(const Deformable& body);
  bool keeps_volume(std::size_t n) const;
  void note_shells();
  void restore_volumes(double h);
  void project_slot_contacts(double h);
  void velocities(double h, bool last);
  void take_due_velocities(double h);
  void relax(double h);
  void restitution(double h);
  void creep(double dt);
  void sleep(double dt);
  void close_seams();
  void publish(double dt);

  // --- parts of the stages
  // ----------------------------------------------------------------------------
  void apply_command(const Command& command, double dt);
  void apply_soft_command(const Command& command);
  void lock_vertex(SolidId solid, std::int32_t vertex, bool locked);
  std::vector<Pin> present_pins(SolidId solid) const;
  struct Hold {
    AnchorPoint end{};
    Vec3 place{};  // m
  };
  Result<Hold> hold_of(const RayHit& hit);
  void add_velocity(std::int32_t deformable, std::int32_t first, std::int32_t last,
                    const Vec3& velocity);
  void send_anchor(AnchorId anchor, const Vec3& target);
  void move_anchors(double share);
  void send_pin(ClothId cloth, std::int32_t vertex, const Vec3& target, double dt);
  std::span<const std::int32_t> movable(int begin, int end) const;
  std::span<const std::int32_t> by_place(int begin, int end) const;
  void box_everything();
  void list_box_pairs();
  bool alone() const;
  void find_composites(const ManifoldList& before);
  void place_composites();
  void list_composite(const BoxPair& pair);
  void follow_composite(std::size_t n, std::int32_t again, double dt_left);
  void search_pair(const BoxPair& pair, const SearchContext& context, ContactSlots& slots);
  bool has_slots(const Deformable& a, const Deformable& b) const;
  void list_soft_pairs(bool only_left);
  void search_soft_pairs(const SearchContext& context, bool only_left);
  void take_pair(const BoxPair& pair, const SearchContext& context, std::size_t& next_soft);
  bool meets_itself(const Deformable& body) const;
  void search_self(std::int32_t body, const SearchContext& context);
  void find_ordered(double dt);
  bool find_turners(double dt);
  bool may_turn_through(const BoxPair& pair, double dt) const;
  void join_ordered(double dt, bool turners);
  void refuse_mixed_sets();
  bool reach_of_sets(double dt);
  double farthest(const SetEnergy& set, std::size_t i, double duration) const;
  bool all_ordered() const;
  double reach_in_set(const SetEnergy& set, std::size_t i, double dt) const;
  void add_energy(SetEnergy& set, std::int32_t body) const;
  void mark_ordered();
  void widen_reach(std::size_t i, Real reach);
  void keep_in_reach(double h, double left);
  void list_wider_sets(double dt);
  void list_sets();
  void list_ordered_pairs();
  bool is_ordered(const BoxPair& pair) const;
  void part_ordered();
  void recall_ordered(const ManifoldList& before);
  void finish_ordered();
  void run_set(OrderedSet& set, double h, double time);
  double touching_time(const OrderedSet& set, double left) const;
  double next_piece(OrderedSet& set, double time, double left, double last);
  void run_piece(const OrderedSet& set, double time, double piece, double factor);
  void piece_forces(const OrderedSet& set, double time, double piece);
  double field_pull(std::int32_t body) const;
  void touch_pair(OrderedPair& pair);
  void find_touching(const OrderedSet& set);
  int resolve_impacts(OrderedSet& set, double time);
  bool resolve_one(OrderedPair& pair, Manifold& m, double time);
  void load_touching(const OrderedSet& set, Real factor);
  void keep_touching(const OrderedSet& set);
  void rescale_set(const OrderedSet& set, double factor);
  void save_set(const OrderedSet& set);
  void restore_set(const OrderedSet& set);
  MovingShape way_of(std::int32_t body, const BodyRecord& before, double piece) const;
  double first_impact(const OrderedSet& set, double piece);
  int find_left(double dt_left);
  void search_left(double dt_left);
  bool mark_woken(double dt_left);
  void release_left();
  void list_rigid_pairs();
  void search_rigid_left(double dt_left);
  bool has_left(const BoxPair& pair) const;
  void recall_sides();
  void remember_sides();
  void wake_touched(double dt);
  void wake_slots();
  void wake_meeting(std::int32_t a, std::int32_t b);
  void order_slots();
  void note_bounces(std::int32_t first);
  void carry_loads(std::uint64_t key, std::size_t begin);
  Real closing_speed(const BoxPair& pair, const Manifold& m, double dt, bool& closes) const;
  void wake_node(std::int32_t node);
  void wake_all();
  bool has_fields() const;
  void list_fields(double h, double time);
  bool field_forces(double h, double time);
  void apply_fields(double h, double time);
  void apply_fields(double h, double time, std::int32_t body);
  void apply_fields(double h, double time, const Deformable& body, std::int32_t first,
                    std::int32_t last, const AnyId& id);
  FieldSample field_sample(std::int32_t body) const;
  void wake_by_fields(double dt);
  double potential(const FieldSample& sample) const;
  void measure_fields(Measurements& m) const;
  ContactSettings contact_settings(double h) const;
  bool meets_by_overlap(const Deformable& body) const;
  void find_partings();
  void sort_out(const BoxPair& pair);
  void keep_sleeping_partings();
  bool is_parting(const Deformable& a, const Deformable& b) const;
  bool is_parted(std::size_t deformable) const;
  const PlacedSurface& placed_surface(std::size_t deformable, bool with_tree);
  void forget_places();
  double depth_of_solids(std::size_t a, std::size_t b, double enough);
  void forget_partings(std::uint32_t key);
  void list_overlap_solids();
  void place_overlap_solids();
  bool overlaps_follow();
  void look_for_overlaps();
  bool overlaps_meet(std::int32_t a, std::int32_t b) const;
  void find_overlap_points();
  void mark_points_in_floors();
  void count_overlaps();
  OverlapSolid& overlap_solid(std::int32_t body);
  void find_overlap_depths();
  void find_overlap_edges();
  void keep_overlaps();
  void add_waiting(std::int32_t own, std::int32_t body, std::size_t facing);
  void mark_points(std::span<const OverlapContact> contacts, std::int32_t own, std::int32_t body,
                   std::uint8_t value);
  void mark_near(const OverlapSolid& own, std::int32_t body, std::uint8_t value);
  void fill_overlap_field(double h);
  void find_inner_forces(double h);
  void press_overlaps_apart(double h);
  void move_with_impulses(double h);
  void respond_to_overlaps(double h);
  OverlapLead& overlap_lead(const OverlapContact& c);
  void choose_led();
  void lead_apart(double h);
  OverlapLoad& overlap_load(std::int32_t a, std::int32_t b);
  void note_overlap_loads();
  void wake_overlapped();
  void collect_overlaps(double dt);
  bool is_sheet(const Deformable& body) const;
  bool meets_itself_by_features(const Deformable& body) const;
  bool meets_itself_by_particles(const Deformable& body) const;
  void refresh_self_particles(double h, double left);
  void pack_self_particles(const Deformable& body, TaskPool* inner, SelfParticleStep& own) const;
  void project_self_particles();
  void count_self_particles();
  bool has_sheets() const;
  struct Followed {
    Real stray = 0;                  // m, of the particles that kept their way
    bool some = false, all = false;  // has been searched again
  };
  Real stray_limit(const SheetGroup& group) const;
  Vec3R common_stray(const SheetGroup& group) const;
  void cut_into_blocks(const SheetGroup& group);
  void measure_strays(Real part, const std::vector<Vec4>& d, const Vec3R& common, Real limit);
  Real collect_strays();
  Real list_strayed(const SheetGroup& group, double time, const std::vector<Vec4>& d, Real limit);
  bool were_followed(Real limit) const;
  void forget_followed();
  Followed follow_sheets(std::size_t group, double h, Real limit);
  bool search_strayed(std::size_t group);
  void search_sheet_pair(SheetGroup& group, std::size_t pair, const SheetMotion& motion,
                         std::span<const std::uint8_t> strayed, SheetScratch& memory);
  void put_sheet_reach(std::size_t deformable, SheetBox box);
  void refresh_late_sheets(SheetGroup& group, Real stray, double h);
  double sheet_horizon(const SheetGroup& group, double h, double left) const;
  void choose_sheets(SheetGroup& group, Real stray, double h);
  void predict_sheets(const SheetGroup& group, double time, double h, SheetMotion& motion);
  void box_sheets(const SheetGroup& group);
  bool sheets_may_meet(std::int32_t a, std::int32_t b) const;
  void group_sheets(double h, double left);
  void join_sheets(std::size_t group);
  void list_sheet_pairs(SheetGroup& group);
  Real thinnest(const SheetGroup& group) const;
  void find_sheet_normals(const SheetGroup& group);
  SheetSides sheet_sides() const;
  void begin_tangles();
  void find_tangles(const SheetGroup& group);
  void untangle_sheets(const SheetGroup& group, double h);
  void search_sheets(SheetGroup& group, double h, double horizon);
  void search_sheets_again(std::size_t group, double h, double horizon);
  void refresh_sheets(double h, double left);
  void project_sheets();
  bool sheets_too_near();
  bool rescue_sheets(double h);
  void hold_sheets(double h);
  bool hold_group(std::size_t group, double h, bool checked, bool& searched_all);
  void note_sheet_loads(const SheetContacts& contacts, double h);
  SheetLoad& sheet_load(const SheetPair& pair);
  void project_anchors(double h);
  void list_joints();
  void part_joined();
  void group_joints();
  void list_ball_groups();
  void return_all_impulses();
  template <class Balls>
  void run_balls(const JointPart& part, BallGroup& group, const Balls& balls);
  JointPart joint_part(std::size_t group);
  template <class Balls, class Begin, class Run, class End>
  void each_joint_part(const Balls& balls, const Begin& begin, const Run& run, const End& end);
  JointContext joint_context(double h);
  void solve_joints(double h);
  void relax_joints(double h);
  void project_joints(double h);
  void publish_joints(double dt);
  bool side_works(const AnchorSide& side) const;
  bool joint_works(const Joint& joint) const;
  std::int32_t set_of(const Joint& joint) const;
  void project_seams(double h);
  void collect_reactions(double h);
  void pass_loads(double h);
  void note_touches();
  void solve_rigid_anchors(double h, bool relaxing);
  void mark_free_bodies();
  bool anchor_works(const Anchor& anchor) const;
  void freeze(Deformable& body);
  bool freeze_wild_deformables(bool only_meeting);
  void freeze_rigid(std::int32_t i);
  void freeze_wild_rigid();
  void freeze_unforced();
  void things_changed();
  void things_moved();
  void publish_sensors();
  void list_traits();
  void ask_rule();
  void ask_rule(std::size_t manifold);
  bool ask_rule(const BoxPair& pair, const Manifold& m, ContactTerms& terms) const;
  void ask_rule(OrderedPair& pair) const;
  void size_extras();
  void part_filtered();
  bool filters_fit(std::int32_t node_a, std::int32_t node_b) const;
  bool touch(const Touch& pair, std::int32_t a, std::int32_t b);
  TouchBegin begin_of_manifolds(std::size_t first, std::size_t last, double speed) const;
  TouchBegin begin_of_slots(std::size_t first, std::size_t last, const Vec3& impulse,
                            double speed) const;
  void press(std::int32_t body, const Vec3& impulse);
  void list_pressed();
  void collect_contacts(double dt);
  void collect_pairs(double dt);
  void collect_anchors();
  void collect_joints();
  void report_touching(double dt);
  void tell_velocities(std::uint32_t key, Vec3& before, Vec3& after) const;
  void update_states(double dt);
  void find_grips();
  void find_footings();
  void wake_neighbours(std::int32_t node);
  void part_from_all(std::int32_t node);
  void measure();
  void count_touching(Measurements& m);
  void mark_touching();
  void measure_rigid(Measurements& m) const;
  void measure_deformable(Deformable& body, Measurements& m) const;
  void measure_joints(Measurements& m);
  void measure_stretch(Deformable& body) const;
  void measure_volume(Deformable& body) const;
  double surface_volume(const Deformable& body) const;
  static constexpr std::int32_t k_small_body = 3000;  // particles
  template <class Run>
  void each_body(const Run& run);
  template <class Run>
  void each_deformable(const Run& run);

  // --- bodies
  // -----------------------------------------------------------------------------------------
  bool awake(const Deformable& body) const { return body.awake && !body.frozen; }
  bool both_asleep(std::uint64_t pair_key) const;
  std::uint32_t key_of(std::int32_t node) const;
  std::int32_t node_of(std::uint32_t key) const;       // -1 where it is gone
  std::int32_t node_of(const AnchorSide& side) const;  // -1 for a point of the world
  AnyId any_id(std::uint32_t key) const;
  std::int32_t add_deformable(DeformableBuild&& build);
  void fill_particles(const DeformableBuild& build, std::int32_t begin);
  void change_in_place(std::int32_t index, DeformableBuild&& build, bool new_pins);
  void make_anew(std::int32_t index, DeformableBuild&& build);
  Transform pose_of(const Deformable& body, const std::vector<Vec3>& rest) const;
  void remove_deformable(std::int32_t index);
  void erase_deformable(std::int32_t index);
  void close_ranks();
  void drop_anchors_of(std::int32_t rigid, std::int32_t deformable);
  void drop_anchor(AnchorId id);
  void drop_joint(JointId id);
  void list_special(std::int32_t body);
  void measure_cross_sections();
  void forget_manifolds(std::int32_t body);
  void place_links(std::int32_t body);
  void drop_links(const std::function<bool(const AnchorPoint&, const AnchorSide&)>& of);
  Result<AnchorSide> anchor_side(const AnchorPoint& point, const char* field) const;
  Result<AnchorSide> cloth_side(const ClothVertex& point, const char* field) const;
  Result<AnchorSide> cloth_side(const ClothTrianglePoint& point, const char* field) const;
  Result<AnchorSide> solid_side(const SolidVertex& point, const char* field) const;
  Result<AnchorSide> solid_side(const SolidTrianglePoint& point, const char* field) const;
  ParticleOrder order_of(ClothId id) const;
  ParticleOrder order_of(SolidId id) const;
  void copy(const ParticleOrder& from, const std::vector<Vec4>& array, bool add_base,
            std::vector<Vec3>& out) const;
  void capture_surface(std::int32_t deformable, std::vector<Vec3f>& out) const;
  void capture_surface(ClothId cloth, std::vector<Vec3f>& out) const;
  void publish_positions() const;

  // --- queries (world_query.cpp)
  // -------------------------------------------------------------------------------------
  void list_things(QueryIndex& index) const;
  const QueryIndex& query_index() const;
  const QuerySurface& query_surface(const QueryThing& thing) const;
  void collect_things(const QueryFilter& filter, const TreeBox& box,
                      std::vector<const QueryThing*>& out) const;
  std::optional<RayHit> cast_at(const QueryThing& thing, const Ray& ray) const;
  bool overlaps_thing(const QueryThing& thing, const ShapePlace& probe) const;

  // --- cloths that are sewn together (world_sew.cpp)
  // -----------------------------------------------------
  const ClothPart& part_of(ClothId id) const;
  const ClothDef& def_of(ClothId id) const;
  ClothId cloth_of(std::int32_t deformable, std::int32_t part) const;
  std::int32_t particle_of(ClothId id, std::int32_t vertex) const;
  std::vector<Stitch> make_stitches(const SeamDef& def) const;
  std::int32_t join_cloths(ClothId a, ClothId b);
  void merge_particles(std::int32_t deformable);
  void rebuild_cloth(std::int32_t deformable);
  void renumber_sides(std::int32_t deformable, const std::vector<SurfaceVertex>& old_vertices);
  void forget_sides(std::int32_t deformable);
  void place_seam_marks(std::int32_t deformable);
  void drop_anchors_of(ClothId cloth);
  void drop_seam(SeamId id);
  void drop_seams_of(ClothId id);
  void remove_part(ClothId id);
};

// Runs `run(n, pool)` for all deformables n: small ones side by side, each whole on one thread,
// large ones one after the other with the pool inside. Which way never changes the result.
template <class Run>
void World::Impl::each_body(const Run& run) {
  const int count = int(state.deformables.size());
  const bool side_by_side = pool != nullptr && pool->threads() > 1 && count > 1;
  const auto small = [&](std::size_t n) { return state.deformables[n].count < k_small_body; };
  if (side_by_side)
    parallel_for(pool.get(), count, 1, [&](int begin, int end) {
      for (std::size_t n = std::size_t(begin); n < std::size_t(end); ++n)
        if (small(n)) run(n, nullptr);
    });
  for (std::size_t n = 0; n < std::size_t(count); ++n)
    if (!side_by_side || !small(n)) run(n, pool.get());
}

// The same for those that are awake, as `run(body, pool)`.
template <class Run>
void World::Impl::each_deformable(const Run& run) {
  each_body([&](std::size_t n, TaskPool* inner) {
    if (awake(state.deformables[n])) run(state.deformables[n], inner);
  });
}

}  // namespace PLIANT_ABI
}  // namespace pliant
