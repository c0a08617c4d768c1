// What refers to other things by name: anchors and expectations; joints are in read_joints.cpp,
// seams in read_seams.cpp.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "scene/read_scene.h"

namespace pliant {
namespace {

using Kind = SceneAnchorEnd::Kind;

// Keys that mean nothing beside the chosen one.
void refuse_stray(Reader& reader, const Json& json, const Place& place,
                  const std::set<std::string>& fitting, const char* chosen) {
  for (const char* key : {"local", "vertex", "triangle", "weights"})
    if (json.contains(key) && !fitting.contains(key))
      reader.error(Place(place, std::string_view(key)),
                   fmt::format("means nothing beside {}", chosen));
}

void check_index(Reader& reader, const Place& place, std::int32_t index, std::size_t count) {
  if (count > 0 && static_cast<std::size_t>(index) >= count)
    reader.error(place, fmt::format("found {}; accepted: from 0 to {}", index, count - 1));
}

// A vertex or a point of a triangle of a cloth or solid. A count of 0 is not known to the file.
void read_deformable_end(SceneReader& in, const Json& json, const Place& place, const char* chosen,
                         std::size_t vertices, std::size_t triangles, const AnchorEndSource& source,
                         SceneAnchorEnd& out) {
  const bool cloth = std::string_view(chosen) == "cloth";
  const char* part = read_choice(in.reader, json, place, {"vertex", "triangle"});
  if (!part) return;
  const Place here(place, std::string_view(part));
  if (std::string_view(part) == "vertex") {
    out.kind = cloth ? Kind::cloth_vertex : Kind::solid_vertex;
    out.index = source.vertex;
    refuse_stray(in.reader, json, place, {"vertex"}, "vertex");
    return check_index(in.reader, here, out.index, vertices);
  }
  out.kind = cloth ? Kind::cloth_triangle : Kind::solid_triangle;
  out.index = source.triangle;
  out.weights = source.weights;
  refuse_stray(in.reader, json, place, {"triangle", "weights"}, "triangle");
  const double sum = out.weights[0] + out.weights[1] + out.weights[2];
  if (!(std::abs(sum - 1) <= 1e-6))
    in.reader.error(Place(place, "weights"), fmt::format("add up to {}; accepted: 1", sum));
  check_index(in.reader, here, out.index, triangles);
}

}  // namespace

void read_end(SceneReader& in, const Json& json, const Place& place, SceneAnchorEnd& out) {
  AnchorEndSource source;
  if (!read_checked(in.reader, json, place, source)) return;
  const char* chosen = read_choice(in.reader, json, place, {"world", "body", "cloth", "solid"});
  if (!chosen) return;
  const std::string_view kind = chosen;
  const Place here(place, kind);
  if (kind == "world") {
    out.position = source.world;
    return refuse_stray(in.reader, json, place, {}, "world");
  }
  if (kind == "body") {
    out.kind = Kind::body;
    out.name = source.body;
    out.position = source.local;
    refuse_stray(in.reader, json, place, {"local"}, "body");
    find_named(in, out.name, SubjectKind::body, here);
    return;
  }
  const bool cloth = kind == "cloth";
  out.name = cloth ? source.cloth : source.solid;
  const NamedThing* thing =
      find_named(in, out.name, cloth ? SubjectKind::cloth : SubjectKind::solid, here);
  if (!thing) return;
  if (cloth) {
    const TriMesh& mesh = in.scene.cloths[thing->index].mesh;
    read_deformable_end(in, json, place, chosen, mesh.vertices.size(), mesh.triangles.size(),
                        source, out);
  } else {
    const SolidDef& solid = in.scene.solids[thing->index];
    read_deformable_end(in, json, place, chosen, solid.tets.vertices.size(),
                        solid.mesh.triangles.size(), source, out);
  }
}

bool can_move(const SceneReader& in, const SceneAnchorEnd& end) {
  if (end.kind == Kind::world) return false;
  if (end.kind != Kind::body) return true;
  const NamedThing& thing = in.names.at(end.name);
  return in.scene.bodies[thing.index].motion == Motion::dynamic;
}

namespace {

// --- what anchors mean together
// ---------------------------------------------------------------------
// Exactly this point of this thing, as a key.
std::string end_key(const SceneAnchorEnd& end) {
  const Vec3& p = end.position;
  return fmt::format("{}/{}/{}/{},{},{}/{},{},{}", static_cast<int>(end.kind), end.name, end.index,
                     p.x, p.y, p.z, end.weights[0], end.weights[1], end.weights[2]);
}

// True where the two ends are points of one cloth that share a vertex: they cannot be kept together
// or apart freely.
bool share_vertex(const SceneReader& in, const SceneAnchorEnd& a, const SceneAnchorEnd& b) {
  if (a.name != b.name || a.kind == Kind::world) return false;
  if (a.kind == b.kind && a.index == b.index) return true;
  const bool a_vertex = a.kind == Kind::cloth_vertex, b_vertex = b.kind == Kind::cloth_vertex;
  const bool a_triangle = a.kind == Kind::cloth_triangle,
             b_triangle = b.kind == Kind::cloth_triangle;
  if (!((a_vertex && b_triangle) || (a_triangle && b_vertex))) return false;
  const SceneAnchorEnd& vertex = a_vertex ? a : b;
  const SceneAnchorEnd& triangle = a_vertex ? b : a;
  const TriMesh& mesh = in.scene.cloths[in.names.at(a.name).index].mesh;
  const Triangle& corners = mesh.triangles[static_cast<std::size_t>(triangle.index)];
  return std::find(corners.begin(), corners.end(), vertex.index) != corners.end();
}

// Points joined by anchors so far, as a forest: an anchor inside one tree closes a cycle of
// attachments of the very same points, of which one is too many.
class JoinedPoints {
 public:
  bool join(const std::string& a, const std::string& b) {
    const std::string root_a = root(a), root_b = root(b);
    if (root_a == root_b) return false;
    parent_[root_a] = root_b;
    return true;
  }

 private:
  std::string root(std::string key) {
    for (auto it = parent_.find(key); it != parent_.end(); it = parent_.find(key)) key = it->second;
    return key;
  }
  std::map<std::string, std::string> parent_;
};

void check_anchor(SceneReader& in, const SceneAnchor& anchor, const Place& place,
                  JoinedPoints& joined) {
  const SceneAnchorEnd &a = anchor.a, &b = anchor.b;
  if (a.kind == Kind::body && b.kind == Kind::body && a.name == b.name)
    return in.reader.error(place, fmt::format("joins body \"{}\" to itself; accepted: two "
                                              "different things",
                                              a.name));
  if (share_vertex(in, a, b))
    return in.reader.error(place, fmt::format("joins a point of \"{}\" to itself; accepted: two "
                                              "points that share no vertex",
                                              a.name));
  if (!can_move(in, a) && !can_move(in, b))
    return in.reader.error(place,
                           "joins two ends of which neither can move; accepted: at least "
                           "one dynamic body, cloth or solid");
  if (!joined.join(end_key(a), end_key(b)))
    in.reader.error(place,
                    "is a cyclic attachment: other anchors already join these two points; "
                    "accepted: no cycle through the same points");
}

}  // namespace

void read_anchors(SceneReader& in, const Json& json, const Place& place) {
  if (!is_array(in.reader, json, place, "an array of anchors")) return;
  JoinedPoints joined;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    const std::size_t before = in.reader.errors.size();
    SceneAnchor anchor;
    if (!is_object(in.reader, json[i], here)) continue;
    read_checked(in.reader, json[i], here, anchor);
    if (json[i].contains("a")) read_end(in, json[i]["a"], Place(here, "a"), anchor.a);
    if (json[i].contains("b")) read_end(in, json[i]["b"], Place(here, "b"), anchor.b);
    if (in.reader.errors.size() == before) check_anchor(in, anchor, here, joined);
    if (anchor.name.empty()) anchor.name = fmt::format("anchor_{}", i);
    claim_name(in, anchor.name, SubjectKind::anchor, in.scene.anchors.size(), here);
    in.scene.anchors.push_back(std::move(anchor));
  }
}

// --- expectations
// -----------------------------------------------------------------------------------
namespace {

std::vector<std::string> quantity_names(SubjectKind kind) {
  std::vector<std::string> names;
  for (const Quantity& q : quantities_of(kind)) names.push_back(q.name);
  return names;
}

void read_bound(Reader& reader, const Json& json, const Place& place, Expectation& out) {
  BoundSource bound;
  if (!read_checked(reader, json, place, bound)) return;
  out.near = bound.near;
  out.within = bound.within;
  out.min = bound.min;
  out.max = bound.max;
  if (!bound.near && !bound.min && !bound.max)
    reader.error(place,
                 "has no near, min or max; accepted: near with within, min, max, or min "
                 "and max");
  if (bound.near && (bound.min || bound.max))
    reader.error(place, "has near beside min or max; accepted: one way of saying it");
  if (!bound.near && json.contains("within"))
    reader.error(Place(place, "within"), "means nothing without near");
  if (bound.min && bound.max && *bound.min > *bound.max)
    reader.error(Place(place, "min"),
                 fmt::format("found {}; accepted: at most max, {}", *bound.min, *bound.max));
}

// The subject: body, cloth, solid, anchor, joint, seam, or the world where none is given.
SubjectKind read_subject(SceneReader& in, const Json& json, const Place& place,
                         const ExpectSource& source, Expectation& out) {
  const std::array<const std::string*, 7> given = {nullptr,       &source.body,   &source.cloth,
                                                   &source.solid, &source.anchor, &source.joint,
                                                   &source.seam};
  SubjectKind kind = SubjectKind::world;
  for (std::size_t k = 1; k < k_subject_names.size(); ++k) {
    if (!json.contains(k_subject_names[k])) continue;
    const Place here(place, std::string_view(k_subject_names[k]));
    if (kind != SubjectKind::world) {
      in.reader.error(here, "is a second subject; accepted: one");
      continue;
    }
    kind = static_cast<SubjectKind>(k);
    out.subject = *given[k];
    if (json[k_subject_names[k]].is_string()) find_named(in, out.subject, kind, here);
  }
  return kind;
}

// The one key that is no field is the quantity.
void read_quantity(Reader& reader, const Json& json, const Place& place, SubjectKind kind,
                   Expectation& out) {
  const std::vector<std::string> fields = keys_of<ExpectSource>();
  const std::vector<std::string> names = quantity_names(kind);
  std::vector<std::string> accepted = names;
  accepted.insert(accepted.end(), fields.begin(), fields.end());
  const std::string of = k_subject_names[static_cast<std::size_t>(kind)];
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    if (std::find(fields.begin(), fields.end(), key) != fields.end()) continue;
    const Place here(place, std::string_view(key));
    if (std::find(names.begin(), names.end(), key) == names.end()) {
      reader.error(here, "no quantity of kind " + of + suggestion(key, accepted));
    } else if (!out.quantity.empty()) {
      reader.error(here, "is a second quantity; accepted: one");
      continue;
    } else {
      read_bound(reader, item.value(), here, out);
    }
    out.quantity = key;
  }
  if (out.quantity.empty())
    reader.error(place, "has no quantity of kind " + of + suggestion("", names));
}

void read_expectation(SceneReader& in, const Json& json, const Place& place, Expectation& out) {
  // The quantity is a key of its own, so the table is read from a copy without it.
  const std::vector<std::string> fields = keys_of<ExpectSource>();
  Json known = Json::object();
  for (const auto& item : json.items())
    if (std::find(fields.begin(), fields.end(), item.key()) != fields.end())
      known[item.key()] = item.value();
  ExpectSource source;
  read_checked(in.reader, known, place, source);
  out.at = source.at;
  out.reason = source.reason;
  if (out.at > in.scene.seconds + in.scene.dt && !in.times_overridden)
    in.reader.error(Place(place, "at"), fmt::format("found {}, after the end of the run at {} s",
                                                    out.at, in.scene.seconds));
  const SubjectKind kind = read_subject(in, json, place, source, out);
  read_quantity(in.reader, json, place, kind, out);
}

}  // namespace

void read_expectations(SceneReader& in, const Json& json, const Place& place) {
  if (!is_array(in.reader, json, place, "an array of expectations")) return;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    if (!is_object(in.reader, json[i], here)) continue;
    Expectation expectation;
    read_expectation(in, json[i], here, expectation);
    in.scene.expect.push_back(std::move(expectation));
  }
}

}  // namespace pliant
