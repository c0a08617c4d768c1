// A scene to PolyPhysics XML.
#include <pliant/scene.h>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "geometry/shape_bulk.h"
#include "scene/fields.h"
#include "scene/polyphysics.h"

namespace pliant {
namespace {

bool is_id(const std::string& name) {
  return !name.empty() && name.size() < 10 && (name == "0" || name[0] != '0') &&
         std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

struct XmlWriter {
  const Scene& scene;
  bool comma;
  std::string out;
  std::size_t depth = 1;
  bool extended = false;  // needs version 1.1
  std::set<std::string> ids;
  std::uint32_t next_id = 1;

  void line(const std::string& text) { out += std::string(2 * depth, ' ') + text + "\n"; }
  void open(const std::string& name, const std::string& attributes = "") {
    line("<" + name + attributes + ">");
    ++depth;
  }
  // With what was kept of it, by its path.
  void close(const std::string& name, const std::string& path) {
    for (const KeptXml& kept : scene.kept_xml)
      if (kept.parent == path) line(kept.text);
    --depth;
    line("</" + name + ">");
  }
  std::string text(double value) const { return decimal_text(value, comma); }
  void number(const char* name, double value) {
    line(fmt::format("<{} F32=\"{}\"/>", name, text(value)));
  }
  void vector(const char* name, const Vec3& v) {
    line(fmt::format(R"(<{} X="{}" Y="{}" Z="{}"/>)", name, text(v.x), text(v.y), text(v.z)));
  }
  void word(const char* name, const std::string& value) {
    extended = true;
    line(fmt::format("<{} Text=\"{}\"/>", name, escaped(value)));
  }
  // What version 1.0 has no element for.
  void more(const char* name, double value, double preset) {
    if (value == preset) return;
    extended = true;
    number(name, value);
  }
  std::string identity(const std::string& name) {
    if (is_id(name)) return fmt::format(" UserID=\"{}\"", name);
    while (ids.contains(std::to_string(next_id))) ++next_id;
    const std::string id = std::to_string(next_id++);
    if (name.empty()) return fmt::format(" UserID=\"{}\"", id);
    extended = true;
    return fmt::format(" UserID=\"{}\" Name=\"{}\"", id, escaped(name));
  }
};

void write_kind(XmlWriter& w, const UniformGravity& kind) {
  w.vector("Gravity", kind.acceleration);
}
void write_kind(XmlWriter& w, const PointGravity& kind) {
  w.vector("Translation", kind.position);
  w.number("Gravity", kind.strength);
  w.more("Softening", kind.softening, k_xml_softening);
}
void write_kind(XmlWriter& w, const Drag& kind) {
  w.extended = true;
  w.number("Density", kind.density);
  w.number("Coefficient", kind.coefficient);
  if (kind.velocity != Vec3{}) w.vector("Velocity", kind.velocity);
}
void write_kind(XmlWriter& w, const Explosion& kind) {
  w.extended = true;
  w.vector("Translation", kind.position);
  w.number("Strength", kind.strength);
  w.more("Softening", kind.softening, k_xml_softening);
}
void write_kind(XmlWriter& w, const Magnet& kind) {
  w.extended = true;
  w.vector("Translation", kind.position);
  w.number("Strength", kind.strength);
  w.word("Material", kind.material);
  w.more("Softening", kind.softening, k_xml_softening);
}
void write_kind(XmlWriter&, const Vortex&) {}

void write_force(XmlWriter& w, const FieldDef& def) {
  static constexpr const char* k_names[] = {"GravityPlane", "GravityPoint", "Drag", "Explosion",
                                            "Magnet"};
  const std::string name = k_names[def.kind.index()];
  w.open(name, w.identity(def.name));
  std::visit([&](const auto& kind) { write_kind(w, kind); }, def.kind);
  w.more("Start", def.begin, 0);
  w.more("Duration", def.duration, 0);
  w.more("Range", def.range, 0);
  w.close(name, fmt::format("Simulation/Forces/{} {}", name, def.name));
}

// Where a shape of a compound is, and what it weighs.
struct Placing {
  Vec3 position;
  Quat rotation;
  double weight = 0;  // kg; 0 = is not said
};

void write_placing(XmlWriter& w, const Placing& at, bool plane) {
  w.extended = true;
  w.vector("Offset", at.position);
  const Quat turn = plane ? at.rotation * conjugate(k_plane_turn) : at.rotation;
  w.vector("OffsetRotation", euler_from_quat(turn));
  if (at.weight > 0) w.number("Weight", at.weight);
}

void write_mesh(XmlWriter& w, const TriMesh& mesh) {
  for (const Vec3& v : mesh.vertices) w.vector("Vertex", v);
  for (const Triangle& t : mesh.triangles)
    w.line(fmt::format(R"(<Triangle A="{}" B="{}" C="{}"/>)", t[0], t[1], t[2]));
}

// The element of a shape; nothing where the format has none.
const char* element_of(const Shape& shape) {
  if (std::holds_alternative<Sphere>(shape)) return "Sphere";
  if (std::holds_alternative<Rectangle>(shape)) return "Plane";
  if (std::holds_alternative<Box>(shape)) return "Box";
  if (std::holds_alternative<Cylinder>(shape)) return "Cylinder";
  if (std::holds_alternative<Mesh>(shape)) return "Mesh";
  return nullptr;
}

void write_shape(XmlWriter& w, const Shape& shape, const std::string& body, std::size_t number,
                 const Placing* at) {
  const std::string name = element_of(shape);
  const bool plane = name == "Plane";
  w.extended |= name != "Sphere" && !plane;
  w.open(name);
  if (const auto* s = std::get_if<Sphere>(&shape)) w.number("Radius", s->radius);
  if (const auto* s = std::get_if<Rectangle>(&shape))
    w.number("HalfSideX", s->half_x), w.number("HalfSideY", s->half_z);
  if (const auto* s = std::get_if<Box>(&shape)) {
    w.number("HalfSideX", s->half.x), w.number("HalfSideY", s->half.y);
    w.number("HalfSideZ", s->half.z);
  }
  if (const auto* s = std::get_if<Cylinder>(&shape))
    w.number("Radius", s->radius), w.number("HalfHeight", s->half_height);
  if (const auto* s = std::get_if<Mesh>(&shape)) write_mesh(w, s->mesh);
  if (at) write_placing(w, *at, plane);
  w.close(name, xml_shape_path(body, name, number));
}

// Compounds in compounds become parts of the one around them.
struct Part {
  const Shape* shape;
  Placing at;
};
void collect_parts(const Compound& compound, const Placing& around, double density,
                   std::vector<Part>& out) {
  for (const CompoundPart& part : compound.parts) {
    Placing at{around.position + rotate(around.rotation, part.position),
               around.rotation * part.rotation, 0};
    const double own = part.density > 0 ? part.density : density;
    if (const auto* inner = std::get_if<Compound>(&part.shape)) {
      collect_parts(*inner, at, own, out);
      continue;
    }
    if (own > 0 && no_bulk_reason(part.shape).empty()) at.weight = shape_bulk(part.shape, own).mass;
    out.push_back({&part.shape, at});
  }
}

bool has_densities(const Compound& compound) {
  return std::any_of(compound.parts.begin(), compound.parts.end(), [](const CompoundPart& part) {
    const auto* inner = std::get_if<Compound>(&part.shape);
    return part.density > 0 || (inner && has_densities(*inner));
  });
}

// Weights of parts are said where the parts differ in density: they then add up to the body's.
void write_shapes(XmlWriter& w, const BodyDef& def, double mass, const std::string& path) {
  const auto* compound = std::get_if<Compound>(&def.shape);
  if (!compound) {
    write_shape(w, def.shape, path, 0, nullptr);
    return;
  }
  std::vector<Part> parts;
  collect_parts(*compound, {}, def.density, parts);
  const bool weighed = def.motion == Motion::dynamic && has_densities(*compound);
  double sum = 0;
  for (const Part& part : parts) sum += part.at.weight;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Placing at = parts[i].at;
    at.weight = weighed ? at.weight * (mass / sum) : 0;
    write_shape(w, *parts[i].shape, path, i, &at);
  }
}

void write_body(XmlWriter& w, const BodyDef& def, double mass) {
  const bool soft = def.motion == Motion::dynamic;
  const std::string name = soft ? "SoftObject" : "HardObject";
  const std::string path = fmt::format("Primitives/{} {}", name, def.name);
  w.open(name, w.identity(def.name));
  const bool plane = std::holds_alternative<Rectangle>(def.shape);
  w.vector("Translation", def.position);
  w.vector("Rotation",
           euler_from_quat(plane ? def.rotation * conjugate(k_plane_turn) : def.rotation));
  w.number("Bounce", def.surface.restitution);
  if (soft) {
    w.number("Weight", mass);
    w.vector("InitialVelocity", def.velocity);
    if (def.angular_velocity != Vec3{}) {
      w.extended = true;
      w.vector("AngularVelocity", def.angular_velocity);
    }
  }
  const Surface& s = def.surface;
  if (s.friction_static != 0 || s.friction_kinetic != 0) {
    w.extended = true;
    w.line(fmt::format(R"(<Friction F32="{}" Static="{}"/>)", w.text(s.friction_kinetic),
                       w.text(s.friction_static)));
  }
  w.more("RollingFriction", s.rolling_resistance, 0);
  if (!def.material.empty()) w.word("Material", def.material);
  write_shapes(w, def, mass, path);
  w.close(name, path);
}

// The first part of a shape that has no element, by its place.
std::optional<Error> beyond_shapes(const Shape& shape, const std::string& place) {
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    for (std::size_t i = 0; i < compound->parts.size(); ++i)
      if (auto error = beyond_shapes(compound->parts[i].shape,
                                     fmt::format("{}.compound.parts[{}].shape", place, i)))
        return error;
    return std::nullopt;
  }
  if (element_of(shape)) return std::nullopt;
  const std::size_t kind = shape.index();
  return Error{place,
               fmt::format("is a {}; PolyPhysics XML holds spheres, rectangles, boxes, "
                           "cylinders, meshes and compounds of them",
                           kind < k_shape_names.size() ? k_shape_names[kind] : "user shape")};
}

// The field of a body that says more than the format can, and changes how it moves.
const char* beyond_body(const BodyDef& def) {
  if (def.inertia != Vec3{}) return "inertia";
  if (def.surface.spinning_resistance != 0) return "surface.spinning_resistance";
  if (def.drag_coefficient != 0) return "drag_coefficient";
  if (def.linear_drag != 0) return "linear_drag";
  if (def.angular_drag != 0) return "angular_drag";
  if (!(def.filter == Filter{})) return "filter";
  if (def.sensor) return "sensor";
  if (def.gravity_scale != 1) return "gravity_scale";
  if (def.max_speed != 0) return "max_speed";
  if (def.lock_position != std::array<bool, 3>{}) return "lock_position";
  if (def.lock_rotation != std::array<bool, 3>{}) return "lock_rotation";
  if (def.law) return "law";
  return nullptr;
}

// What the format cannot say.
std::optional<Error> beyond_format(const Scene& scene) {
  const auto list = [&](const char* name, std::size_t count) -> std::optional<Error> {
    if (count == 0) return std::nullopt;
    return Error{name, "PolyPhysics XML holds rigid bodies and forces only"};
  };
  for (const auto& error :
       {list("cloths", scene.cloths.size()), list("solids", scene.solids.size()),
        list("anchors", scene.anchors.size()), list("joints", scene.joints.size()),
        list("seams", scene.seams.size())})
    if (error) return error;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDef& def = scene.bodies[i];
    const std::string place = fmt::format("bodies[{}].", i);
    if (def.motion == Motion::kinematic)
      return Error{place + "motion",
                   "is kinematic; PolyPhysics XML holds fixed and dynamic bodies"};
    if (const char* field = beyond_body(def))
      return Error{place + field, "cannot be said in PolyPhysics XML; accepted: its default"};
    if (auto error = beyond_shapes(def.shape, place + "shape")) return error;
  }
  for (std::size_t i = 0; i < scene.fields.size(); ++i)
    if (std::holds_alternative<Vortex>(scene.fields[i].kind))
      return Error{fmt::format("fields[{}].kind", i), "PolyPhysics XML has no vortices"};
  return std::nullopt;
}

double mass_of(const BodyDef& def) {
  if (def.mass > 0 || def.motion != Motion::dynamic) return def.mass;
  return shape_bulk(def.shape, def.density).mass;
}

void write_simulation(XmlWriter& w) {
  w.open("Simulation");
  w.number("TimeSpeed", w.scene.world.time_speed);
  w.open("Forces");
  if (w.scene.world.gravity != Vec3{})
    write_force(w, {.kind = UniformGravity{w.scene.world.gravity}});
  for (const FieldDef& def : w.scene.fields) write_force(w, def);
  w.close("Forces", "Simulation/Forces");
  w.close("Simulation", "Simulation");
}

}  // namespace

Result<std::string> scene_to_polyphysics(const Scene& scene, bool decimal_comma) {
  if (const std::optional<Error> error = beyond_format(scene)) return *error;
  XmlWriter w{scene, decimal_comma, {}, 1, false, {}, 1};
  for (const BodyDef& def : scene.bodies) w.ids.insert(def.name);
  for (const FieldDef& def : scene.fields) w.ids.insert(def.name);
  const TileMap& tiles = scene.world.tiles;
  if (tiles.low == Vec3{}) {  // maps of the format begin at the origin
    w.open("Map");
    w.vector("Size", tiles.high);
    w.line(fmt::format(R"(<Tiles X="{}" Y="{}" Z="{}"/>)", tiles.count[0], tiles.count[1],
                       tiles.count[2]));
    w.close("Map", "Map");
  }
  write_simulation(w);
  w.open("Primitives");
  for (const BodyDef& def : scene.bodies) write_body(w, def, mass_of(def));
  w.close("Primitives", "Primitives");
  std::string rest;
  for (const KeptXml& kept : scene.kept_xml)
    if (kept.parent.empty()) rest += "  " + kept.text + "\n";
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<PolyPhysicsXml Version=\"{}\">\n",
             w.extended ? "1.1" : "1.0") +
         w.out + rest + "</PolyPhysicsXml>\n";
}

}  // namespace pliant
