// Shapes of bodies, also those that hold meshes, lists or other shapes.
#include "scene/sources.h"

namespace pliant {
namespace {

constexpr int k_deepest = 8;  // compounds in compounds

void read_shape(Reader& reader, const Json& json, const Place& place, Shape& out, int depth);

template <class T>
void read_inside(Reader& reader, const Json& json, const Place& place, T& shape, int) {
  read_fields(reader, json, place, shape);
}

void read_inside(Reader& reader, const Json& json, const Place& place, Hull& hull, int) {
  if (!read_fields(reader, json, place, hull)) return;
  const char* chosen = read_choice(reader, json, place, {"points", "mesh"});
  if (!chosen || std::string_view(chosen) == "points") return;
  TriMesh mesh;
  if (read_mesh(reader, json["mesh"], Place(place, "mesh"), mesh)) hull.points = mesh.vertices;
}

void read_inside(Reader& reader, const Json& json, const Place& place, Mesh& mesh, int) {
  read_mesh(reader, json, place, mesh.mesh);
}

void read_inside(Reader& reader, const Json& json, const Place& place, HeightField& field, int) {
  if (!read_fields(reader, json, place, field)) return;
  const Json& heights = json["heights"];
  const Place here(place, "heights");
  if (!is_array(reader, heights, here, "an array of numbers")) return;
  if (!reader.take_vertices(here, double(heights.size()))) return;
  field.heights.resize(heights.size());
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!read_value(reader, heights[i], Place(here, i), field.heights[i])) return;
}

void read_inside(Reader& reader, const Json& json, const Place& place, Compound& out, int depth) {
  if (!read_fields(reader, json, place, out)) return;
  const Json& parts = json["parts"];
  const Place list(place, "parts");
  if (!is_array(reader, parts, list, "an array of parts")) return;
  if (!reader.take_things(list, double(parts.size()))) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Place here(list, i);
    CompoundPart& part = out.parts.emplace_back();
    if (!read_fields(reader, parts[i], here, part)) continue;
    read_shape(reader, parts[i]["shape"], Place(here, "shape"), part.shape, depth + 1);
  }
}

void read_inside(Reader&, const Json&, const Place&, UserShape&, int) {}

void read_shape(Reader& reader, const Json& json, const Place& place, Shape& out, int depth) {
  if (!is_object(reader, json, place)) return;
  if (depth > k_deepest) {
    reader.error(place, "compounds in more than 8 compounds; accepted: fewer");
    return;
  }
  const std::size_t before = reader.errors.size();
  report_unknown_keys(reader, json, place, {k_shape_names.begin(), k_shape_names.end()});
  if (reader.errors.size() > before) return;
  const char* chosen =
      read_choice(reader, json, place, {k_shape_names.begin(), k_shape_names.end()});
  if (!chosen) return;
  const Shape kinds[] = {Sphere{},   Box{},  Capsule{},     HalfSpace{},
                         Cylinder{}, Cone{}, Ellipsoid{},   Rectangle{},
                         Hull{},     Mesh{}, HeightField{}, Compound{}};
  for (std::size_t i = 0; i < k_shape_names.size(); ++i)
    if (chosen == k_shape_names[i]) out = kinds[i];
  const Place here(place, std::string_view(chosen));
  std::visit([&](auto& shape) { read_inside(reader, json[chosen], here, shape, depth); }, out);
}

}  // namespace

void read_shape(Reader& reader, const Json& json, const Place& place, Shape& out) {
  read_shape(reader, json, place, out, 0);
}

}  // namespace pliant
