// PolyPhysics XML to a scene.
#include <pliant/scene.h>

#ifdef PLIANT_PUGIXML

#include <algorithm>

#include "scene/check_definitions.h"
#include "scene/polyphysics_reader.h"

namespace pliant {
namespace {

// The id, or the name that stands beside it; unique over all things.
std::string read_name(XmlReader& in, const XmlNode& node) {
  const double id = in.number(node, "UserID");
  if (!(id >= 0 && id <= 4294967295.0 && id == double(std::int64_t(id))))
    in.error(node,
             fmt::format("UserID: found \"{}\"; accepted: a whole number from 0 to 4294967295",
                         node.attribute("UserID").value()));
  const std::string given = node.attribute("Name").value();
  std::string name = given.empty() ? fmt::format("{:.0f}", id) : given;
  const auto [at, is_new] = in.names.emplace(name, in.place(node));
  if (!is_new)
    in.error(node, fmt::format("\"{}\" is already that of {}; accepted: an id of its own", name,
                               at->second));
  return name;
}

void add_checked(XmlReader& in, const XmlNode& node, const std::vector<Error>& errors,
                 std::size_t before) {
  if (in.problems.errors.size() > before) return;  // what was not read was not wrong as well
  for (const Error& e : errors) in.error(node, e.place + " " + e.message);
}

// --- forces
// -----------------------------------------------------------------------------------------
template <class Kind>
bool read_source(XmlReader& in, const XmlNode& node, const std::string& name, const char* strength,
                 Kind& kind) {
  if (name == "Translation") return kind.position = in.vector(node), true;
  if (name == strength) return kind.strength = in.number(node), true;
  if (name == "Softening") return kind.softening = in.number(node), true;
  return false;
}

bool read_part(XmlReader& in, const XmlNode& node, const std::string& name, PointGravity& kind) {
  return read_source(in, node, name, "Gravity", kind);
}
bool read_part(XmlReader& in, const XmlNode& node, const std::string& name, Explosion& kind) {
  return read_source(in, node, name, "Strength", kind);
}
bool read_part(XmlReader& in, const XmlNode& node, const std::string& name, Magnet& kind) {
  if (name == "Material") return kind.material = node.attribute("Text").value(), true;
  return read_source(in, node, name, "Strength", kind);
}
bool read_part(XmlReader& in, const XmlNode& node, const std::string& name, UniformGravity& kind) {
  if (name == "Gravity") return kind.acceleration = in.vector(node), true;
  return false;
}
bool read_part(XmlReader& in, const XmlNode& node, const std::string& name, Drag& kind) {
  if (name == "Density") return kind.density = in.number(node), true;
  if (name == "Coefficient") return kind.coefficient = in.number(node), true;
  if (name == "Velocity") return kind.velocity = in.vector(node), true;
  return false;
}
bool read_part(XmlReader&, const XmlNode&, const std::string&, Vortex&) { return false; }

void read_force(XmlReader& in, const XmlNode& node, const FieldKind& kind) {
  const std::size_t before = in.problems.errors.size();
  FieldDef def{.name = read_name(in, node), .kind = kind};
  const std::string here = fmt::format("Simulation/Forces/{} {}", node.name(), def.name);
  for (const XmlNode& child : node.children()) {
    const std::string name = child.name();
    const bool known = std::visit([&](auto& k) { return read_part(in, child, name, k); }, def.kind);
    if (known) continue;
    if (name == "Start")
      def.begin = in.number(child);
    else if (name == "Duration")
      def.duration = in.number(child);
    else if (name == "Range")
      def.range = in.number(child);
    else if (name == "Translation")  // of plane gravity: for drawing alone
      in.keep(child, here);
    else
      in.unknown(child, here);
  }
  add_checked(in, node, check(def), before);
  in.scene.fields.push_back(std::move(def));
}

void read_simulation(XmlReader& in, const XmlNode& node) {
  for (const XmlNode& child : node.children()) {
    const std::string name = child.name();
    if (name == "TimeSpeed") {
      in.scene.world.time_speed = in.number(child);
      continue;
    }
    if (name != "Forces") {
      in.unknown(child, "Simulation");
      continue;
    }
    for (const XmlNode& force : child.children()) {
      const std::string kind = force.name();
      if (kind == "GravityPoint")
        read_force(in, force, PointGravity{.softening = k_xml_softening});
      else if (kind == "GravityPlane")
        read_force(in, force, UniformGravity{});
      else if (kind == "Drag")
        read_force(in, force, Drag{});
      else if (kind == "Magnet")
        read_force(in, force, Magnet{.softening = k_xml_softening});
      else if (kind == "Explosion")
        read_force(in, force, Explosion{.softening = k_xml_softening});
      else
        in.unknown(force, "Simulation/Forces");
    }
  }
}

void read_map(XmlReader& in, const XmlNode& node) {
  TileMap& tiles = in.scene.world.tiles;
  tiles.low = {};
  for (const XmlNode& child : node.children()) {
    const std::string name = child.name();
    const bool size = name == "Size";
    if (!size && name != "Tiles") {
      in.unknown(child, "Map");
      continue;
    }
    const Vec3 v = in.vector(child);
    for (int k = 0; k < 3; ++k) {
      const bool good = size ? v[k] > 0 : v[k] >= 1 && v[k] <= 4096 && v[k] == double(int(v[k]));
      if (!good) {
        in.error(child,
                 fmt::format("found {}; accepted: {}", v[k],
                             size ? "sizes greater than 0" : "whole numbers from 1 to 4096"));
        break;
      }
      if (size)
        tiles.high[k] = v[k];
      else
        tiles.count[std::size_t(k)] = int(v[k]);
    }
  }
}

// --- bodies
// -----------------------------------------------------------------------------------------
bool read_body_part(XmlReader& in, const XmlNode& node, BodyDef& def) {
  const std::string name = node.name();
  const bool soft = def.motion == Motion::dynamic;
  if (name == "Translation") return def.position = in.vector(node), true;
  if (name == "Rotation") return def.rotation = quat_from_euler(in.vector(node)), true;
  if (name == "Bounce") return def.surface.restitution = in.number(node), true;
  if (name == "Weight" && soft) return def.mass = in.number(node), true;
  if (name == "InitialVelocity" && soft) return def.velocity = in.vector(node), true;
  if (name == "AngularVelocity" && soft) return def.angular_velocity = in.vector(node), true;
  if (name == "Material") return def.material = node.attribute("Text").value(), true;
  if (name == "RollingFriction") return def.surface.rolling_resistance = in.number(node), true;
  if (name != "Friction") return false;
  def.surface.friction_kinetic = def.surface.friction_static = in.number(node);
  if (node.attribute("Static")) def.surface.friction_static = in.number(node, "Static");
  return true;
}

void read_body(XmlReader& in, const XmlNode& node, Motion motion) {
  const std::size_t before = in.problems.errors.size();
  BodyDef def{.name = read_name(in, node), .motion = motion};
  def.surface = {.friction_static = 0, .friction_kinetic = 0, .restitution = 0};
  def.surface.restitution_combine = Combine::product;
  const std::string here = fmt::format("Primitives/{} {}", node.name(), def.name);
  std::vector<XmlShape> shapes;
  for (const XmlNode& child : node.children()) {
    if (read_body_part(in, child, def)) continue;
    if (const std::optional<XmlShape> shape = read_xml_shape(in, child, here, shapes.size()))
      shapes.push_back(*shape);
    else
      in.unknown(child, here);
  }
  if (in.problems.errors.size() == before) assemble_body(in, node, shapes, def);
  add_checked(in, node, check(def), before);
  in.scene.bodies.push_back(std::move(def));
}

void read_root(XmlReader& in, const XmlNode& root) {
  const std::string version = root.attribute("Version").value();
  if (version != "1.0" && version != "1.1")
    in.error(root, fmt::format("Version: found \"{}\"; accepted: 1.0, 1.1", version));
  for (const XmlNode& child : root.children()) {
    const std::string name = child.name();
    if (name == "Map") {
      read_map(in, child);
    } else if (name == "Simulation") {
      read_simulation(in, child);
    } else if (name == "Primitives") {
      for (const XmlNode& body : child.children()) {
        if (body.name() == std::string("SoftObject"))
          read_body(in, body, Motion::dynamic);
        else if (body.name() == std::string("HardObject"))
          read_body(in, body, Motion::fixed);
        else
          in.unknown(body, "Primitives");
      }
    } else {
      in.unknown(child, "");
    }
  }
  if (!(in.scene.world.time_speed >= 0))
    in.error(root, "TimeSpeed is negative; accepted: 0 or more");
}

}  // namespace

std::optional<Scene> parse_polyphysics(const std::string& text, const std::string& label,
                                       SceneProblems& problems) {
  pugi::xml_document document;
  const pugi::xml_parse_result parsed =
      document.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto end = text.begin() + std::min(parsed.offset, std::ptrdiff_t(text.size()));
    problems.errors.push_back(
        {fmt::format("{}: line {}", label, std::count(text.begin(), end, '\n') + 1),
         fmt::format("not valid XML: {}", parsed.description())});
    return std::nullopt;
  }
  const std::size_t before = problems.errors.size();
  XmlReader in{text, label, problems, {}, {}};
  in.scene.world.gravity = {};
  in.scene.world.substeps = 10;
  in.scene.world.impacts = Impacts::ordered;
  in.scene.dt = 1.0 / 240;
  const XmlNode root = document.document_element();
  if (root.name() == std::string("PolyPhysicsXml"))
    read_root(in, root);
  else
    in.error(root, "accepted: <PolyPhysicsXml> around all else");
  if (problems.errors.size() > before) return std::nullopt;
  return std::move(in.scene);
}

}  // namespace pliant

#else

namespace pliant {

std::optional<Scene> parse_polyphysics(const std::string&, const std::string& label,
                                       SceneProblems& problems) {
  problems.errors.push_back(
      {label, "is XML, which this build cannot read: it was made without pugixml"});
  return std::nullopt;
}

}  // namespace pliant

#endif
