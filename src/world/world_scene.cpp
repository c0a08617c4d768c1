// Scenes and worlds: a world from a scene, the scene of a live world, and what expectations
// measure.
#include <pliant/scene.h>

#include <algorithm>

#include <fmt/format.h>

#include "geometry/shape_bulk.h"
#include "model/path.h"
#include "scene/check_definitions.h"
#include "scene/quantities.h"
#include "world/crossings.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

// Scenes made in code may leave names out; they get the reader's.
std::string name_or_number(const std::string& name, const char* kind, std::size_t index) {
  return name.empty() ? fmt::format("{}_{}", kind, index) : name;
}

Error at_index(const char* list, std::size_t index, const Error& error) {
  const std::string thing = fmt::format("{}[{}]", list, index);
  return {error.place.empty() ? thing : thing + "." + error.place, error.message};
}

// Adds one list of definitions; the error names the place in the scene.
template <class Def, class Id, class Add>
std::optional<Error> add_all(const std::vector<Def>& defs, const char* list, const char* kind,
                             std::map<std::string, Id>& ids, Add&& add) {
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const auto id = add(defs[i]);
    if (!id.ok()) return at_index(list, i, id.error());
    const std::string name = name_or_number(defs[i].name, kind, i);
    if (!ids.emplace(name, id.value()).second)
      return Error{fmt::format("{}[{}].name", list, i), "\"" + name + "\" is given twice"};
  }
  return std::nullopt;
}

template <class Id>
Result<Id> find_id(const std::map<std::string, Id>& ids, const std::string& name,
                   const char* kind) {
  const auto it = ids.find(name);
  if (it == ids.end()) return Error{"", fmt::format("there is no {} \"{}\"", kind, name)};
  return it->second;
}

Result<AnchorPoint> anchor_point(const SceneWorld& in, const SceneAnchorEnd& end) {
  using Kind = SceneAnchorEnd::Kind;
  if (end.kind == Kind::world) return AnchorPoint(WorldPoint{end.position});
  if (end.kind == Kind::body) {
    const auto id = find_id(in.bodies, end.name, "body");
    if (!id.ok()) return id.error();
    return AnchorPoint(BodyPoint{id.value(), end.position});
  }
  if (end.kind == Kind::cloth_vertex || end.kind == Kind::cloth_triangle) {
    const auto id = find_id(in.cloths, end.name, "cloth");
    if (!id.ok()) return id.error();
    if (end.kind == Kind::cloth_vertex) return AnchorPoint(ClothVertex{id.value(), end.index});
    return AnchorPoint(ClothTrianglePoint{id.value(), end.index, end.weights});
  }
  const auto id = find_id(in.solids, end.name, "solid");
  if (!id.ok()) return id.error();
  if (end.kind == Kind::solid_vertex) return AnchorPoint(SolidVertex{id.value(), end.index});
  return AnchorPoint(SolidTrianglePoint{id.value(), end.index, end.weights});
}

Result<AnchorId> add_anchor(SceneWorld& in, const SceneAnchor& anchor) {
  AnchorDef def{
      .name = anchor.name, .compliance = anchor.compliance, .max_force = anchor.max_force};
  const auto a = anchor_point(in, anchor.a);
  if (!a.ok()) return Error{"a", a.error().message};
  const auto b = anchor_point(in, anchor.b);
  if (!b.ok()) return Error{"b", b.error().message};
  def.a = a.value();
  def.b = b.value();
  return in.world.add_anchor(def);
}

Result<JointId> add_joint(SceneWorld& in, const SceneJoint& joint) {
  JointDef def = joint.settings;
  def.name = joint.name;
  const auto a = anchor_point(in, joint.a);
  if (!a.ok()) return Error{"a", a.error().message};
  const auto b = anchor_point(in, joint.b);
  if (!b.ok()) return Error{"b", b.error().message};
  def.a = a.value();
  def.b = b.value();
  return in.world.add_joint(def);
}

Result<SeamId> add_seam(SceneWorld& in, const SceneSeam& seam) {
  SeamDef def = seam_def(seam);
  const auto a = find_id(in.cloths, seam.a.cloth, "cloth");
  if (!a.ok()) return Error{"a.cloth", a.error().message};
  const auto b = find_id(in.cloths, seam.b.cloth, "cloth");
  if (!b.ok()) return Error{"b.cloth", b.error().message};
  def.a.cloth = a.value();
  def.b.cloth = b.value();
  return in.world.add_seam(def);
}

}  // namespace

Result<SceneWorld> build_world(const Scene& scene, std::shared_ptr<TaskPool> pool) {
  if (const auto errors = check(scene.world); !errors.empty())
    return Error{"world." + errors[0].place, errors[0].message};
  SceneWorld out{World(scene.world, std::move(pool)), {}, {}, {}, {}, {}, {}, {}};
  World& world = out.world;
  auto failure = add_all(scene.bodies, "bodies", "body", out.bodies,
                         [&](const BodyDef& def) { return world.add_body(def); });
  if (!failure)
    failure = add_all(scene.cloths, "cloths", "cloth", out.cloths,
                      [&](const ClothDef& def) { return world.add_cloth(def); });
  if (!failure)
    failure = add_all(scene.solids, "solids", "solid", out.solids,
                      [&](const SolidDef& def) { return world.add_solid(def); });
  if (!failure)
    failure = add_all(scene.anchors, "anchors", "anchor", out.anchors,
                      [&](const SceneAnchor& anchor) { return add_anchor(out, anchor); });
  if (!failure)
    failure = add_all(scene.joints, "joints", "joint", out.joints,
                      [&](const SceneJoint& joint) { return add_joint(out, joint); });
  if (!failure)
    failure = add_all(scene.seams, "seams", "seam", out.seams,
                      [&](const SceneSeam& seam) { return add_seam(out, seam); });
  if (!failure)
    failure = add_all(scene.fields, "fields", "field", out.fields,
                      [&](const FieldDef& def) { return world.add_field(def); });
  if (failure) return *failure;
  return out;
}

// --- back to a scene
// ---------------------------------------------------------------------------------
namespace {

// Paths go on from the present: the scene that is described begins at time 0 again.
void shift_path(Path& path, double now) {
  for (Keyframe& key : path) key.time -= now;
}

// A pin's path carries the vertices from where they begin, which is now where they are: with
// P, R the path at present, p0 - pivot = R^-1 (p - pivot - P), so the pivot moves by P, the
// positions lose P and the rotations R.
void shift_pin(Pin& pin, double now) {
  if (pin.path.empty()) return;
  const Transform present = path_at(pin.path, now);
  shift_path(pin.path, now);
  for (Keyframe& key : pin.path) {
    key.position -= present.position;
    key.rotation = normalized(key.rotation * conjugate(present.rotation));
  }
  pin.pivot += present.position;
}

// The present definitions of one list; what has been removed since is left out with its source.
template <class Def, class Id>
void describe_list(const World& world, const std::map<std::string, Id>& ids, const char* kind,
                   std::vector<Def>& defs,
                   std::initializer_list<std::vector<MeshSource>*> sources = {}) {
  std::vector<Def> kept;
  std::vector<std::vector<MeshSource>> kept_sources(sources.size());
  for (std::size_t i = 0; i < defs.size(); ++i) {
    const auto it = ids.find(name_or_number(defs[i].name, kind, i));
    if (it == ids.end() || !world.valid(it->second)) continue;
    kept.push_back(world.describe(it->second));
    kept.back().name = it->first;
    std::size_t s = 0;
    for (const std::vector<MeshSource>* list : sources) {
      if (i < list->size()) kept_sources[s].push_back((*list)[i]);
      ++s;
    }
  }
  defs = std::move(kept);
  std::size_t s = 0;
  for (std::vector<MeshSource>* list : sources) *list = std::move(kept_sources[s++]);
}

// What is left of the joints, with the axes and lengths that they took when they were made.
void describe_joints(const SceneWorld& in, std::vector<SceneJoint>& joints) {
  std::vector<SceneJoint> kept;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const auto it = in.joints.find(name_or_number(joints[i].name, "joint", i));
    if (it == in.joints.end() || !in.world.valid(it->second) ||
        in.world.joint_status(it->second).broken)
      continue;
    SceneJoint joint{it->first, joints[i].a, joints[i].b, in.world.describe(it->second)};
    joint.settings.name.clear();
    joint.settings.a = joint.settings.b = {};
    kept.push_back(std::move(joint));
  }
  joints = std::move(kept);
}

}  // namespace

Scene describe_world(const SceneWorld& in, const Scene& original) {
  Scene out = original;
  const double now = in.world.time();
  out.world = in.world.def();
  describe_list(in.world, in.bodies, "body", out.bodies);
  describe_list(in.world, in.cloths, "cloth", out.cloths, {&out.cloth_meshes});
  describe_list(in.world, in.solids, "solid", out.solids,
                {&out.solid_meshes, &out.solid_tets, &out.solid_skins});
  describe_list(in.world, in.fields, "field", out.fields);
  for (BodyDef& def : out.bodies) shift_path(def.path, now);
  for (FieldDef& def : out.fields) def.begin -= now;
  for (ClothDef& def : out.cloths) {
    for (Pin& pin : def.pins) shift_pin(pin, now);
    for (Fold& fold : def.folds) fold.begin -= now;
  }
  for (SolidDef& def : out.solids)
    for (Pin& pin : def.pins) shift_pin(pin, now);
  std::erase_if(out.anchors, [&](const SceneAnchor& anchor) {
    const auto it = in.anchors.find(anchor.name);
    return it != in.anchors.end() && !in.world.valid(it->second);
  });
  describe_joints(in, out.joints);
  std::erase_if(out.seams, [&](const SceneSeam& seam) {
    const auto it = in.seams.find(seam.name);
    return it != in.seams.end() && !in.world.valid(it->second);
  });
  // Expectations speak of times of the original run: those to come move, those past are gone.
  std::erase_if(out.expect, [&](const Expectation& e) { return e.at >= 0 && e.at < now; });
  for (Expectation& e : out.expect)
    if (e.at >= 0) e.at -= now;
  out.seconds = std::max(original.seconds - now, original.dt);
  return out;
}

// --- expectations
// -----------------------------------------------------------------------------------
namespace {

double solid_overlap(const World& world) {
  double most = 0;
  for (const SolidOverlap& overlap : world.overlapping_solids())
    most = std::max(most, overlap.depth);
  return most;
}

double measure_world(const World& world, const std::string& quantity) {
  const Measurements& m = world.measurements();
  if (quantity == "kinetic_energy") return m.kinetic_energy;
  if (quantity == "energy") return m.kinetic_energy + m.potential_energy + m.elastic_energy;
  if (quantity == "momentum_x") return m.momentum.x;
  if (quantity == "momentum_y") return m.momentum.y;
  if (quantity == "momentum_z") return m.momentum.z;
  if (quantity == "penetration_max") return m.penetration_max;
  if (quantity == "penetration_mean") return m.penetration_mean;
  if (quantity == "contacts") return m.contacts;
  if (quantity == "solid_overlap") return solid_overlap(world);
  if (quantity == "crossings") return double(count_crossings(world, {}));
  return m.asleep;
}

double body_energy(const World& world, BodyId id) {
  const BodyDef def = world.describe(id);
  if (def.motion != Motion::dynamic) return 0;
  const double mass = world.mass(id), v = length(world.velocity(id));
  const Vec3 w = rotate_inverse(world.pose(id).rotation, world.angular_velocity(id));
  if (def.inertia != Vec3{}) return 0.5 * (mass * v * v + dot(scaled(def.inertia, w), w));
  const Bulk bulk = shape_bulk(def.shape, def.density);
  return 0.5 * mass * (v * v + dot(bulk.inertia * w, w) / bulk.mass);
}

double count_overlaps(const World& world, BodyId id) {
  const BodyDef def = world.describe(id);
  const AnyId self = id;
  const QueryFilter filter{.groups = def.filter.mask, .ignore = {&self, 1}};
  return double(world.overlap(def.shape, world.pose(id), filter).size());
}

double measure_body(const World& world, BodyId id, const std::string& quantity) {
  const Vec3 position = world.pose(id).position;
  if (quantity == "x") return position.x;
  if (quantity == "y" || quantity == "height") return position.y;
  if (quantity == "z") return position.z;
  if (quantity == "speed") return length(world.velocity(id));
  if (quantity == "angular_speed") return length(world.angular_velocity(id));
  if (quantity == "asleep") return world.asleep(id) ? 1 : 0;
  if (quantity == "contact_force") return world.contact_force(id).y;
  if (quantity == "overlaps") return count_overlaps(world, id);
  return body_energy(world, id);
}

// The mean weighted by mass. Vertices that are held have no inverse mass; what they weigh is the
// same as their like around them, so they count with the mean mass of the free ones.
template <class Id>
Vec3 weighted_mean(const World& world, Id id, const std::vector<Vec3>& values) {
  const auto state = world.positions(id);
  const auto order = world.order(id);
  double free_mass = 0, free_count = 0;
  for (const Vec4& p : state)
    if (p.w > 0) free_mass += 1 / double(p.w), free_count += 1;
  const double held_mass = free_count > 0 ? free_mass / free_count : 1;
  Vec3 sum;
  double total = 0;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const double w = double(state[std::size_t(order[v])].w);
    const double mass = w > 0 ? 1 / w : held_mass;
    sum += values[v] * mass;
    total += mass;
  }
  return total > 0 ? sum / total : Vec3{};
}

// What cloths and solids have in common.
template <class Id>
double measure_deformable(const World& world, Id id, const std::string& quantity) {
  if (quantity == "asleep") return world.asleep(id) ? 1 : 0;
  std::vector<Vec3> values;
  if (quantity == "speed") {
    world.copy_velocities(id, values);
    return length(weighted_mean(world, id, values));
  }
  world.copy_positions(id, values);
  if (quantity == "height") return weighted_mean(world, id, values).y;
  if (quantity == "x") return weighted_mean(world, id, values).x;
  if (quantity == "z") return weighted_mean(world, id, values).z;
  const auto [low, high] = std::minmax_element(
      values.begin(), values.end(), [](const Vec3& a, const Vec3& b) { return a.y < b.y; });
  return quantity == "lowest" ? low->y : high->y;
}

double measure_cloth(const World& world, ClothId id, const std::string& quantity) {
  if (quantity == "stretch_max") return world.stretch_max(id);
  if (quantity == "stretch_mean") return world.stretch_mean(id);
  if (quantity == "crossings") return double(count_crossings(world, id));
  return measure_deformable(world, id, quantity);
}

double measure_solid(const World& world, SolidId id, const std::string& quantity) {
  if (quantity == "inverted") return world.inverted(id);
  if (quantity == "volume_ratio") return world.volume(id) / world.rest_volume(id);
  return measure_deformable(world, id, quantity);
}

double measure_joint(const World& world, JointId id, const std::string& quantity) {
  const JointStatus status = world.joint_status(id);
  if (quantity == "force") return length(status.force);
  if (quantity == "torque") return length(status.torque);
  if (quantity == "angle") return status.angle.x;
  if (quantity == "swing") return length(Vec3{0, status.angle.y, status.angle.z});
  if (quantity == "offset") return status.offset.x;
  if (quantity == "broken") return status.broken ? 1 : 0;
  return world.describe(id).kind == JointKind::distance ? 0 : length(status.offset);
}

double measure_seam(const World& world, SeamId id, const std::string& quantity) {
  const SeamStatus status = world.seam_status(id);
  if (quantity == "open") return status.open;
  if (quantity == "merged") return status.merged;
  if (quantity == "joined") return status.joined;
  return quantity == "gap" ? status.gap : status.force;
}

Result<double> no_quantity(SubjectKind kind, const std::string& quantity) {
  std::string names;
  for (const Quantity& q : quantities_of(kind))
    names += (names.empty() ? "" : ", ") + std::string(q.name);
  return Error{quantity, fmt::format("no quantity of kind {}; accepted: {}",
                                     k_subject_names[static_cast<std::size_t>(kind)], names)};
}

template <class Id, class Measure>
std::optional<Result<double>> measure_named(const World& world,
                                            const std::map<std::string, Id>& ids,
                                            const std::string& subject, SubjectKind kind,
                                            const std::string& quantity, Measure&& measure_one) {
  const auto it = ids.find(subject);
  if (it == ids.end()) return std::nullopt;
  if (!world.valid(it->second)) return Result<double>(Error{subject, "has been removed"});
  if (!has_quantity(kind, quantity)) return no_quantity(kind, quantity);
  return Result<double>(measure_one(world, it->second, quantity));
}

}  // namespace

Result<double> measure(const SceneWorld& in, const std::string& subject,
                       const std::string& quantity) {
  const World& world = in.world;
  if (subject.empty()) {
    if (!has_quantity(SubjectKind::world, quantity))
      return no_quantity(SubjectKind::world, quantity);
    return measure_world(world, quantity);
  }
  if (auto r = measure_named(world, in.bodies, subject, SubjectKind::body, quantity, measure_body))
    return *r;
  if (auto r =
          measure_named(world, in.cloths, subject, SubjectKind::cloth, quantity, measure_cloth))
    return *r;
  if (auto r =
          measure_named(world, in.solids, subject, SubjectKind::solid, quantity, measure_solid))
    return *r;
  const auto force = [](const World& w, AnchorId id, const std::string&) {
    return length(w.anchor_force(id));
  };
  if (auto r = measure_named(world, in.anchors, subject, SubjectKind::anchor, quantity, force))
    return *r;
  if (auto r =
          measure_named(world, in.joints, subject, SubjectKind::joint, quantity, measure_joint))
    return *r;
  if (auto r = measure_named(world, in.seams, subject, SubjectKind::seam, quantity, measure_seam))
    return *r;
  return Error{subject, "there is no body, cloth, solid, anchor, joint or seam of this name"};
}

}  // namespace PLIANT_ABI
}  // namespace pliant
