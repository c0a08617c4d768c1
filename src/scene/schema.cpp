// The JSON Schema (draft-07) of scene files, made from the tables of fields. A test compares
// docs/scene.schema.json with it.
#include <fmt/format.h>

#include <pliant/fabric.h>
#include <pliant/material.h>

#include "scene/document.h"
#include "scene/fields.h"
#include "scene/quantities.h"

namespace pliant {
namespace {

Json reference(const std::string& name) { return {{"$ref", "#/definitions/" + name}}; }

Json number(const Range& range, const char* type) {
  Json out = {{"type", type}};
  if (range.min > -1e30) out[range.above_min ? "exclusiveMinimum" : "minimum"] = range.min;
  if (range.max < 1e30) out["maximum"] = range.max;
  return out;
}

Json array_of(Json items, std::size_t length = 0) {
  Json out = {{"type", "array"}, {"items", std::move(items)}};
  if (length > 0) out["minItems"] = out["maxItems"] = length;
  return out;
}

template <class T>
Json type_schema(const Range& range) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>)
    return number(range, "number");
  else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::uint32_t>)
    return number(range, "integer");
  else if constexpr (std::is_same_v<T, bool>)
    return {{"type", "boolean"}};
  else if constexpr (std::is_same_v<T, std::string>)
    return reference("text");
  else if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, std::array<double, 3>>)
    return array_of(number(range, "number"), 3);
  else if constexpr (std::is_same_v<T, std::array<int, 3>>)
    return array_of(number(range, "integer"), 3);
  else if constexpr (std::is_same_v<T, std::array<bool, 3>>)
    return array_of({{"type", "boolean"}}, 3);
  else if constexpr (std::is_same_v<T, std::array<int, 2>>)
    return array_of(number(range, "integer"), 2);
  else if constexpr (std::is_same_v<T, Quat>)
    return reference("rotation");
  else if constexpr (std::is_same_v<T, JointFreedom>)
    return reference("freedom");
  else if constexpr (std::is_same_v<T, std::array<JointFreedom, 3>>)
    return array_of(reference("freedom"), 3);
  else if constexpr (std::is_enum_v<T>)
    return {{"type", "string"}, {"enum", words_of(T{})}};
  else if constexpr (std::is_same_v<T, Surface>)
    return reference("surface");
  else if constexpr (std::is_same_v<T, Filter>)
    return reference("filter");
  else if constexpr (std::is_same_v<T, Sheet>)
    return reference("sheet");
  else if constexpr (std::is_same_v<T, Springs>)
    return reference("springs");
  else if constexpr (std::is_same_v<T, Matching>)
    return reference("matching");
  else if constexpr (std::is_same_v<T, TileMap>)
    return reference("tiles");
  else if constexpr (std::is_same_v<T, Path>)
    return reference("path");
  else if constexpr (std::is_same_v<T, std::vector<Vec3>>)
    return array_of(array_of(number(range, "number"), 3));
  else
    return array_of(number(range, "integer"));
}

// The default, where it says something that the description does not.
template <class T>
Json default_json(const T& v) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, int> || std::is_same_v<T, bool> ||
                std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::array<int, 2>> ||
                std::is_same_v<T, std::array<int, 3>> || std::is_same_v<T, std::array<double, 3>> ||
                std::is_same_v<T, std::array<bool, 3>>)
    return v;
  else if constexpr (std::is_same_v<T, Vec3>)
    return Json::array({v.x, v.y, v.z});
  else if constexpr (std::is_same_v<T, Quat>)
    return Json::array({v.x, v.y, v.z, v.w});
  else if constexpr (std::is_enum_v<T>)
    return words_of(v)[static_cast<std::size_t>(v)];
  else
    return nullptr;
}

std::string described(const char* help, const char* unit) {
  return *unit ? fmt::format("{} ({})", help, unit) : help;
}

// draft-07 ignores what stands beside a $ref, so a described reference is wrapped.
Json with_description(Json type, const std::string& text) {
  Json out = {{"description", text}};
  if (type.contains("$ref"))
    out["allOf"] = Json::array({std::move(type)});
  else
    out.update(type);
  return out;
}

// The type of a value, and its default; both stay where it is read by hand.
void member_schema(const Value& value, const Range& range, Json& type, Json& preset) {
  std::visit(
      [&](auto at) {
        if constexpr (!std::is_same_v<decltype(at), std::monostate>) {
          type = type_schema<std::decay_t<decltype(*at)>>(range);
          preset = default_json(*at);
        }
      },
      value);
}

template <class T>
Json object_schema(const std::string& text) {
  static const T fresh{};
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field<T>& field : fields_of<T>()) {
    Json type = *field.schema ? reference(field.schema) : Json::object();
    Json preset;
    member_schema(value_at(field.member, &fresh), field.range, type, preset);
    if (field.required) preset = nullptr;
    Json property = with_description(std::move(type), described(field.help, field.unit));
    if (!preset.is_null()) property["default"] = std::move(preset);
    properties[field.key] = std::move(property);
    if (field.required) required.push_back(field.key);
  }
  Json out = {{"type", "object"}, {"description", text}, {"properties", std::move(properties)}};
  if (!required.empty()) out["required"] = std::move(required);
  out["additionalProperties"] = false;
  return out;
}

Json one_of_keys(Json object, const std::vector<const char*>& keys) {
  Json choices = Json::array();
  for (const char* key : keys) choices.push_back({{"required", Json::array({key})}});
  object["oneOf"] = std::move(choices);
  return object;
}

Json rotation_schema() {
  const Json any = {{"type", "number"}};
  Json axis_angle = {{"type", "object"},
                     {"properties", {{"axis", array_of(any, 3)}, {"angle", any}}},
                     {"required", {"axis", "angle"}},
                     {"additionalProperties", false}};
  Json euler = {{"type", "object"},
                {"properties", {{"euler_degrees", array_of(any, 3)}}},
                {"required", Json::array({"euler_degrees"})},
                {"additionalProperties", false}};
  return {
      {"description",
       "a quaternion [x, y, z, w]; or axis and angle (rad); or degrees about x, then y, then z, "
       "the axes of the world"},
      {"oneOf", Json::array({array_of(any, 4), std::move(axis_angle), std::move(euler)})}};
}

// An object with one key, which names the kind.
template <std::size_t N>
Json kinds_schema(const std::array<const char*, N>& names, const std::string& prefix,
                  const char* text) {
  Json properties = Json::object();
  for (const char* name : names) properties[name] = reference(prefix + name);
  return {{"type", "object"},   {"description", text}, {"properties", std::move(properties)},
          {"minProperties", 1}, {"maxProperties", 1},  {"additionalProperties", false}};
}

Json select_schema() {
  const Json item = {{"oneOf", Json::array({Json{{"type", "string"}, {"enum", k_select_names}},
                                            Json{{"type", "object"},
                                                 {"properties", {{"box", reference("select_box")}}},
                                                 {"required", Json::array({"box"})},
                                                 {"additionalProperties", false}}})}};
  return {{"description",
           "vertices by where they are in the rest shape; of several selectors, what all of them "
           "take"},
          {"anyOf", Json::array({item, array_of(item)})}};
}

// The quantities are keys beside the subject; which of them fit which subject the loader checks.
Json expectation_schema() {
  Json out = object_schema<ExpectSource>(
      "a physical statement that a run checks: one subject (none = the world) and one quantity");
  for (std::size_t k = 0; k < k_subject_names.size(); ++k)
    for (const Quantity& q : quantities_of(static_cast<SubjectKind>(k))) {
      Json& property = out["properties"][q.name];
      const std::string text = fmt::format("{}: {}", k_subject_names[k], described(q.help, q.unit));
      if (property.is_null())
        property = with_description(reference("bound"), text);
      else
        property["description"] = property["description"].get<std::string>() + "; " + text;
    }
  return out;
}

void define_shapes(Json& out) {
  out["shape"] = kinds_schema(k_shape_names, "shape_", "one of the shapes");
  out["shape_sphere"] = object_schema<Sphere>("a ball");
  out["shape_box"] = object_schema<Box>("a box");
  out["shape_capsule"] = object_schema<Capsule>("a cylinder with round ends");
  out["shape_half_space"] =
      object_schema<HalfSpace>("all that the body's y axis points away from; never dynamic");
  out["shape_cylinder"] = object_schema<Cylinder>("a cylinder");
  out["shape_cone"] = object_schema<Cone>("a cone");
  out["shape_ellipsoid"] = object_schema<Ellipsoid>("an ellipsoid");
  out["shape_rectangle"] = object_schema<Rectangle>(
      "a part of the body's xz plane around its origin, met from both sides; never dynamic");
  out["shape_hull"] = one_of_keys(object_schema<Hull>("the smallest convex body around points"),
                                  {"points", "mesh"});
  out["shape_mesh"] = reference("mesh");
  out["shape_height_field"] = object_schema<HeightField>(
      "heights over a grid around the origin; all below is solid; never dynamic");
  out["shape_compound"] = object_schema<Compound>("shapes that are one body");
  out["part"] = object_schema<CompoundPart>("a shape of a compound");
  out["parts"] = array_of(reference("part"));
}

void define_fields(Json& out) {
  out["field_kind"] = kinds_schema(k_field_names, "field_", "one of the kinds of field");
  out["field_uniform_gravity"] = object_schema<UniformGravity>("the same acceleration everywhere");
  out["field_point_gravity"] = object_schema<PointGravity>(
      "a = strength r / (|r|^2 + softening^2)^(3/2), r towards the point");
  out["field_drag"] = object_schema<Drag>(
      "F = -1/2 C rho S |v| v on rigid bodies, whose cross-section S is the mean over all "
      "directions");
  out["field_explosion"] =
      object_schema<Explosion>("pushes away from a point as a point_gravity that is negative");
  out["field_magnet"] =
      object_schema<Magnet>("attracts rigid bodies of a material as point_gravity does");
  out["field_vortex"] = object_schema<Vortex>(
      "carries things round an axis: the medium turns as a rigid core within the radius, beyond it "
      "its speed falls as 1 / distance");
  out["field"] = object_schema<FieldDef>("a force that acts from afar");
  out["fields"] = array_of(reference("field"));
}

Json definitions() {
  Json out = Json::object();
  out["text"] = {{"type", "string"}};
  out["rotation"] = rotation_schema();
  out["surface"] = object_schema<Surface>(
      "two surfaces combine by the rule that one of them names, else as sqrt(product) for friction "
      "and as the greater for restitution");
  out["filter"] =
      object_schema<Filter>("two things meet where each is in a group that the other's mask holds");
  out["keyframe"] = object_schema<Keyframe>("a place at a time");
  out["path"] = array_of(reference("keyframe"));
  out["path"]["description"] =
      "between keyframes positions are linear and rotations turn at constant speed; outside they "
      "hold";
  define_shapes(out);
  out["numbers"] = array_of({{"type", "number"}});
  out["array"] = object_schema<ArraySource>("many copies");
  out["grid"] = object_schema<GridSource>("a rectangle of cells, vertex j * (columns + 1) + i");
  out["mesh_box"] = object_schema<BoxSource>("the surface of a box");
  out["mesh_sphere"] = object_schema<SphereSource>("the surface of a sphere");
  out["lattice"] = object_schema<LatticeSource>("a block of cubes");
  out["triangles"] = array_of(array_of({{"type", "integer"}, {"minimum", 0}}, 3));
  out["tetrahedra"] = array_of(array_of({{"type", "integer"}, {"minimum", 0}}, 4));
  out["mesh"] = one_of_keys(object_schema<TriSource>("triangles, from one of these"),
                            {"grid", "box", "sphere", "file", "vertices"});
  out["tets"] = one_of_keys(object_schema<TetSource>("tetrahedra, from one of these"),
                            {"lattice", "file", "vertices"});
  out["select_box"] = object_schema<SelectBox>("a box in the coordinates of the rest shape");
  out["select"] = select_schema();
  out["pin"] =
      one_of_keys(object_schema<Pin>("held vertices; without a path they stay where they begin"),
                  {"vertices", "select"});
  out["pins"] = array_of(reference("pin"));
  std::vector<std::string> names;
  for (const Fabric& fabric : fabrics()) names.push_back(fabric.name);
  out["fabric"] = {{"type", "string"}, {"enum", names}};
  names.clear();
  for (const Material& material : materials()) names.push_back(material.name);
  out["material"] = {{"type", "string"}, {"enum", names}};
  out["sheet"] = object_schema<Sheet>("an orthotropic elastic sheet");
  out["springs"] = object_schema<Springs>("what mass_spring is made of");
  out["matching"] = object_schema<Matching>("what shape_matching is made of");
  out["fold"] = one_of_keys(object_schema<Fold>("a crease"), {"vertices", "select"});
  out["folds"] = array_of(reference("fold"));
  out["tiles"] = object_schema<TileMap>("a map of tiles");
  out["world"] = object_schema<WorldDef>("gravity, medium and solver");
  out["body"] = object_schema<BodyDef>("a rigid body");
  out["bodies"] = array_of(reference("body"));
  out["cloth"] = object_schema<ClothDef>("a cloth");
  out["cloths"] = array_of(reference("cloth"));
  out["solid"] = object_schema<SolidDef>("an elastic solid");
  out["solid"]["anyOf"] =
      Json::array({{{"required", Json::array({"mesh"})}}, {{"required", Json::array({"tets"})}}});
  out["solids"] = array_of(reference("solid"));
  out["anchor_end"] = one_of_keys(object_schema<AnchorEndSource>("a point of something"),
                                  {"world", "body", "cloth", "solid"});
  out["anchor"] = object_schema<SceneAnchor>("keeps two points together");
  out["anchors"] = array_of(reference("anchor"));
  out["direction"] = array_of({{"type", "number"}}, 3);
  out["freedom"] = object_schema<JointFreedom>(
      "one coordinate of a joint; units of motion along an axis, then about one");
  out["joint"] = object_schema<JointDef>("holds two things and lets them move in some ways");
  out["joints"] = array_of(reference("joint"));
  out["seam_side"] = one_of_keys(
      object_schema<SeamSideSource>("vertices of a cloth, in the order in which they are sewn"),
      {"vertices", "from", "side"});
  out["seam"] = object_schema<SceneSeam>(
      "draws two sides together; vertices that have met become one. Sides of the same number of "
      "vertices are sewn in their order, others by their share of the length");
  out["seams"] = array_of(reference("seam"));
  define_fields(out);
  out["bound"] = object_schema<BoundSource>("near and within, or min, or max, or min and max");
  out["expectation"] = expectation_schema();
  out["expectations"] = array_of(reference("expectation"));
  out["camera"] = object_schema<Camera>("the view of the pictures");
  return out;
}

}  // namespace

std::string scene_schema() {
  Json out = {{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "Pliant scene"}};
  out.update(object_schema<Scene>(
      "The definitions that make a world. SI units, right-handed, y up, angles in radians."));
  out["definitions"] = definitions();
  return format_document(out);
}

}  // namespace pliant
