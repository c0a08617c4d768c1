// Shapes of the bodies of PolyPhysics XML: what each element holds, and how several make a
// compound.
#ifdef PLIANT_PUGIXML

#include <filesystem>

#include "geometry/shape_bulk.h"
#include "scene/check_definitions.h"
#include "scene/polyphysics_reader.h"

namespace pliant {
namespace {

using Numbers = std::map<std::string, double>;

struct XmlKind {
  const char* name;
  std::vector<std::string> numbers;  // elements that it must have
  Shape (*make)(Numbers& values);
};

const std::vector<XmlKind>& kinds() {
  static const std::vector<XmlKind> list{
      {"Sphere", {"Radius"}, [](Numbers& v) -> Shape { return Sphere{v["Radius"]}; }},
      {"Plane",
       {"HalfSideX", "HalfSideY"},
       [](Numbers& v) -> Shape {
         return Rectangle{v["HalfSideX"], v["HalfSideY"]};
       }},
      {"Box",
       {"HalfSideX", "HalfSideY", "HalfSideZ"},
       [](Numbers& v) -> Shape {
         return Box{{v["HalfSideX"], v["HalfSideY"], v["HalfSideZ"]}};
       }},
      {"Cylinder",
       {"Radius", "HalfHeight"},
       [](Numbers& v) -> Shape {
         return Cylinder{v["Radius"], v["HalfHeight"]};
       }},
      {"Mesh", {}, [](Numbers&) -> Shape { return Mesh{}; }}};
  return list;
}

std::int32_t read_corner(XmlReader& in, const XmlNode& node, const char* attribute) {
  const double value = in.number(node, attribute);
  if (value >= 0 && value <= 2147483647.0 && value == double(std::int64_t(value)))
    return std::int32_t(value);
  in.error(node, fmt::format("{}: found {}; accepted: the number of a <Vertex>, from 0 on",
                             attribute, value));
  return 0;
}

void read_mesh_file(XmlReader& in, const XmlNode& node, TriMesh& mesh) {
  const std::filesystem::path file(node.attribute("Text").value());
  if (file.empty()) {
    in.error(node, "has no attribute Text; accepted: the name of a mesh file");
    return;
  }
  const std::filesystem::path beside = std::filesystem::path(in.label).parent_path();
  const std::string path = file.is_absolute() ? file.string() : (beside / file).string();
  Result<TriMesh> loaded = load_tri_mesh(path);
  if (loaded.ok())
    mesh = std::move(loaded).value();
  else
    in.error(node, "cannot be used: " + loaded.error().text());
}

// By the name of a file, or by vertices and triangles.
bool read_mesh_part(XmlReader& in, const XmlNode& node, TriMesh& mesh) {
  const std::string name = node.name();
  if (name == "File") {
    if (mesh.vertices.empty())
      read_mesh_file(in, node, mesh);
    else
      in.error(node, "given beside vertices or another file; accepted: one of them");
    return true;
  }
  if (name == "Vertex") return mesh.vertices.push_back(in.vector(node)), true;
  if (name != "Triangle") return false;
  mesh.triangles.push_back(
      {read_corner(in, node, "A"), read_corner(in, node, "B"), read_corner(in, node, "C")});
  return true;
}

bool read_placing(XmlReader& in, const XmlNode& node, XmlShape& out) {
  const std::string name = node.name();
  if (name == "Offset") {
    out.part.position = in.vector(node);
  } else if (name == "OffsetRotation") {
    out.part.rotation = quat_from_euler(in.vector(node));
  } else if (name == "Weight") {
    out.weight = in.number(node);
    if (!(out.weight > 0))
      in.error(node, fmt::format("found {}; accepted: greater than 0", out.weight));
  } else {
    return false;
  }
  return out.placed = true;
}

// The density that gives a part its weight.
void weigh_part(XmlReader& in, const XmlNode& node, const XmlShape& shape, CompoundPart& part) {
  if (shape.weight == 0) return;
  std::vector<Error> errors;
  if (!check_shape(part.shape, "shape", errors)) return;  // reported with the whole body
  const std::string reason = no_bulk_reason(part.shape);
  const double volume = reason.empty() ? shape_bulk(part.shape, 1).mass : 0;
  if (volume > 0)
    part.density = shape.weight / volume;
  else
    in.error(node, fmt::format("has a part with a <Weight> that is {}; accepted: of solids only",
                               reason.empty() ? "inside out" : reason));
}

void take_weights(XmlReader& in, const XmlNode& node, const std::vector<XmlShape>& shapes,
                  BodyDef& def) {
  double sum = 0;
  std::size_t weighed = 0;
  for (const XmlShape& shape : shapes) {
    sum += shape.weight;
    weighed += shape.weight > 0 ? 1 : 0;
  }
  if (weighed == 0) return;
  if (weighed < shapes.size()) {
    in.error(node, fmt::format("{} of its {} shapes have a <Weight>; accepted: all or none",
                               weighed, shapes.size()));
    return;
  }
  constexpr double k_alike = 1e-6;  // of the sum: numbers of the file are rounded
  if (def.mass == 0) def.mass = sum;
  if (std::fabs(def.mass - sum) > k_alike * sum)
    in.error(node, fmt::format("weighs {} kg, but its shapes {} kg; accepted: their sum, or no "
                               "<Weight> of the body",
                               def.mass, sum));
}

}  // namespace

std::optional<XmlShape> read_xml_shape(XmlReader& in, const XmlNode& node, const std::string& body,
                                       std::size_t number) {
  const auto kind = std::find_if(kinds().begin(), kinds().end(), [&](const XmlKind& k) {
    return k.name == std::string_view(node.name());
  });
  if (kind == kinds().end()) return std::nullopt;
  const std::string here = xml_shape_path(body, kind->name, number);
  XmlShape out;
  Numbers values;
  TriMesh mesh;
  const bool is_mesh = kind->numbers.empty();
  for (const XmlNode& child : node.children()) {
    const std::string name = child.name();
    if (read_placing(in, child, out)) continue;
    if (std::find(kind->numbers.begin(), kind->numbers.end(), name) != kind->numbers.end())
      values[name] = in.number(child);
    else if (!is_mesh || !read_mesh_part(in, child, mesh))
      in.unknown(child, here);
  }
  for (const std::string& name : kind->numbers)
    if (!values.contains(name)) in.error(node, fmt::format("has no <{}>", name));
  out.part.shape = is_mesh ? Shape{Mesh{std::move(mesh)}} : kind->make(values);
  return out;
}

void assemble_body(XmlReader& in, const XmlNode& node, const std::vector<XmlShape>& shapes,
                   BodyDef& def) {
  if (shapes.empty())
    in.error(node,
             "has no shape; accepted: one or more of <Sphere>, <Plane>, <Box>, <Cylinder>, <Mesh>");
  take_weights(in, node, shapes, def);
  if (shapes.size() == 1 && !shapes[0].placed) {
    def.shape = shapes[0].part.shape;
    if (std::holds_alternative<Rectangle>(def.shape))
      def.rotation = normalized(def.rotation * k_plane_turn);
  } else {
    Compound compound;
    for (const XmlShape& shape : shapes) {
      CompoundPart& part = compound.parts.emplace_back(shape.part);
      if (std::holds_alternative<Rectangle>(part.shape))
        part.rotation = normalized(part.rotation * k_plane_turn);
      weigh_part(in, node, shape, part);
    }
    def.shape = std::move(compound);
  }
  if (def.motion == Motion::dynamic && !(def.mass > 0))
    in.error(node, fmt::format("weighs {} kg; accepted: a <Weight> greater than 0", def.mass));
}

}  // namespace pliant

#endif
