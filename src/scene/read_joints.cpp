// Joints of a scene: which points of which things they hold.
#include <fmt/format.h>

#include "scene/check_definitions.h"
#include "scene/read_scene.h"

namespace pliant {
namespace {

using Kind = SceneAnchorEnd::Kind;

void read_axis(Reader& reader, const Json& json, const Place& place, JointDef& out) {
  const auto it = json.find("axis");
  if (it == json.end()) return;
  const Place here(place, "axis");
  if (json.contains("frame_a"))
    return reader.error(here, "given beside frame_a; accepted: one of the two");
  Vec3 axis;
  if (!read_value(reader, *it, here, axis)) return;
  if (!(length(axis) > 1e-9 && length(axis) < 1e9))
    return reader.error(here, "has no direction; accepted: three numbers, not all zero");
  out.frame_a = joint_frame(axis);
}

void read_frame_b(Reader& reader, const Json& json, const Place& place, JointDef& out) {
  Quat frame;
  if (const auto it = json.find("frame_b");
      it != json.end() && read_value(reader, *it, Place(place, "frame_b"), frame))
    out.frame_b = frame;
}

// The definition's check sees which kind of thing each side is, not which thing.
AnchorPoint kind_of(const SceneAnchorEnd& end) {
  switch (end.kind) {
    case Kind::world:
      return WorldPoint{end.position};
    case Kind::body:
      return BodyPoint{{}, end.position};
    case Kind::cloth_vertex:
      return ClothVertex{{}, end.index};
    case Kind::solid_vertex:
      return SolidVertex{{}, end.index};
    case Kind::cloth_triangle:
      return ClothTrianglePoint{{}, end.index, end.weights};
    case Kind::solid_triangle:
      return SolidTrianglePoint{{}, end.index, end.weights};
  }
  return {};
}

void check_sides(SceneReader& in, const SceneJoint& joint, const Place& place) {
  const SceneAnchorEnd &a = joint.a, &b = joint.b;
  if (a.kind == Kind::body && b.kind == Kind::body && a.name == b.name)
    return in.reader.error(
        place, fmt::format("joins body \"{}\" to itself; accepted: two different things", a.name));
  if (!can_move(in, a) && !can_move(in, b))
    in.reader.error(place,
                    "joins two sides of which neither can move; accepted: at least one dynamic "
                    "body, cloth or solid");
}

}  // namespace

void read_joints(SceneReader& in, const Json& json, const Place& place) {
  if (!is_array(in.reader, json, place, "an array of joints")) return;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    const std::size_t before = in.reader.errors.size();
    SceneJoint joint;
    if (!is_object(in.reader, json[i], here)) continue;
    read_fields(in.reader, json[i], here, joint.settings);
    read_axis(in.reader, json[i], here, joint.settings);
    read_frame_b(in.reader, json[i], here, joint.settings);
    if (json[i].contains("a")) read_end(in, json[i]["a"], Place(here, "a"), joint.a);
    if (json[i].contains("b")) read_end(in, json[i]["b"], Place(here, "b"), joint.b);
    if (in.reader.errors.size() == before) check_sides(in, joint, here);
    JointDef checked = joint.settings;
    checked.a = kind_of(joint.a);
    checked.b = kind_of(joint.b);
    // Whether it joins a thing to itself has been said by name.
    if (joint.a.kind == Kind::body) checked.a = BodyPoint{{1, 1}, joint.a.position};
    in.reader.add_checked(here, check(checked), before);
    joint.name = joint.settings.name.empty() ? fmt::format("joint_{}", i) : joint.settings.name;
    joint.settings.name.clear();
    claim_name(in, joint.name, SubjectKind::joint, in.scene.joints.size(), here);
    in.scene.joints.push_back(std::move(joint));
  }
}

}  // namespace pliant
