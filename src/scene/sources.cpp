#include "scene/sources.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <pliant/mesh_repair.h>

namespace pliant {
namespace {

std::string resolved(const Reader& reader, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.is_absolute() || reader.directory.empty()) return file;
  return (std::filesystem::path(reader.directory) / path).string();
}

template <std::size_t N>
bool read_elements(Reader& reader, const Json& object, const Place& place, const char* key,
                   std::vector<std::array<std::int32_t, N>>& out) {
  const Place here(place, std::string_view(key));
  if (!object.contains(key)) {
    reader.error(here, "is missing beside vertices");
    return false;
  }
  const Json& json = object[key];
  if (!is_array(reader, json, here, fmt::format("an array of {} vertex numbers each", N)))
    return false;
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    if (!read_value(reader, json[i], Place(here, i), out[i])) return false;
  return true;
}

template <class Mesh>
bool take_loaded(Reader& reader, const Place& place, Result<Mesh> loaded, Mesh& out) {
  const Place here(place, "file");
  if (!loaded.ok()) {
    reader.error(here, "cannot be used: " + loaded.error().text());
    return false;
  }
  out = std::move(loaded).value();
  return reader.take_vertices(here, static_cast<double>(out.vertices.size()));
}

template <class Mesh>
void scale_mesh(Mesh& mesh, double scale) {
  for (Vec3& v : mesh.vertices) v = v * scale;
}

bool make_from_grid(Reader& reader, const Json& json, const Place& place, TriMesh& out) {
  GridSource grid;
  if (!read_checked(reader, json, place, grid)) return false;
  if (!reader.take_vertices(place, (grid.columns + 1.0) * (grid.rows + 1.0))) return false;
  out = make_grid(grid.columns, grid.rows, grid.width, grid.depth);
  return true;
}

bool make_from_box(Reader& reader, const Json& json, const Place& place, TriMesh& out) {
  BoxSource box;
  if (!read_checked(reader, json, place, box)) return false;
  if (!reader.take_vertices(place, 6.0 * box.cells * box.cells + 2)) return false;
  out = make_box(box.half, box.cells);
  return true;
}

bool make_from_sphere(Reader& reader, const Json& json, const Place& place, TriMesh& out) {
  SphereSource sphere;
  if (!read_checked(reader, json, place, sphere)) return false;
  if (!reader.take_vertices(place, 10.0 * static_cast<double>(1LL << (2 * sphere.levels)) + 2))
    return false;
  out = make_sphere(sphere.radius, sphere.levels);
  return true;
}

bool make_from_lattice(Reader& reader, const Json& json, const Place& place, TetMesh& out) {
  LatticeSource lattice;
  if (!read_checked(reader, json, place, lattice)) return false;
  const auto& n = lattice.cells;
  if (!reader.take_vertices(place, (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0))) return false;
  out = make_lattice(n[0], n[1], n[2], lattice.cell);
  return true;
}

}  // namespace

bool read_mesh(Reader& reader, const Json& json, const Place& place, TriMesh& out) {
  TriSource source;
  if (!read_checked(reader, json, place, source)) return false;
  const char* chosen =
      read_choice(reader, json, place, {"grid", "box", "sphere", "file", "vertices"});
  if (!chosen) return false;
  const std::string kind = chosen;
  const Place here(place, std::string_view(kind));
  if (json.contains("triangles") && kind != "vertices") {
    reader.error(Place(place, "triangles"), "given without vertices");
    return false;
  }
  bool good = false;
  if (kind == "grid") good = make_from_grid(reader, json["grid"], here, out);
  if (kind == "box") good = make_from_box(reader, json["box"], here, out);
  if (kind == "sphere") good = make_from_sphere(reader, json["sphere"], here, out);
  if (kind == "file")
    good = take_loaded(reader, place, load_tri_mesh(resolved(reader, source.file)), out);
  if (kind == "vertices") {
    good = reader.take_vertices(here, static_cast<double>(source.vertices.size())) &&
           read_elements(reader, json, place, "triangles", out.triangles);
    out.vertices = std::move(source.vertices);
  }
  scale_mesh(out, source.scale);
  return good;
}

bool read_mesh(Reader& reader, const Json& json, const Place& place, TetMesh& out) {
  TetSource source;
  if (!read_checked(reader, json, place, source)) return false;
  const char* chosen = read_choice(reader, json, place, {"lattice", "file", "vertices"});
  if (!chosen) return false;
  const std::string kind = chosen;
  const Place here(place, std::string_view(kind));
  if (json.contains("tetrahedra") && kind != "vertices") {
    reader.error(Place(place, "tetrahedra"), "given without vertices");
    return false;
  }
  bool good = false;
  if (kind == "lattice") good = make_from_lattice(reader, json["lattice"], here, out);
  if (kind == "file")
    good = take_loaded(reader, place, load_tet_mesh(resolved(reader, source.file)), out);
  if (kind == "file" && good)
    for (std::string& line : repair(out).lines())
      reader.warnings.push_back({here.text(), std::move(line)});
  if (kind == "vertices") {
    good = reader.take_vertices(here, static_cast<double>(source.vertices.size())) &&
           read_elements(reader, json, place, "tetrahedra", out.tetrahedra);
    out.vertices = std::move(source.vertices);
  }
  scale_mesh(out, source.scale);
  return good;
}

// --- pins
// -------------------------------------------------------------------------------------------
namespace {

struct Bounds {
  Vec3 min, max;
  double tolerance = 0;  // what counts as on the border
};

Bounds bounds_of(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  Bounds b{points[0], points[0]};
  for (const Vec3& p : points) b.min = min(b.min, p), b.max = max(b.max, p);
  b.tolerance = 1e-6 * length(b.max - b.min);
  return b;
}

bool on_side(const Vec3& p, const Bounds& b, int axis, bool greatest) {
  return greatest ? p[axis] >= b.max[axis] - b.tolerance : p[axis] <= b.min[axis] + b.tolerance;
}

// At an end of the box along every axis along which the shape has an extent.
bool is_corner(const Vec3& p, const Bounds& b) {
  for (int axis = 0; axis < 3; ++axis)
    if (!on_side(p, b, axis, false) && !on_side(p, b, axis, true)) return false;
  return true;
}

bool selected_by_name(const std::string& name, const Vec3& p, const Bounds& b) {
  if (name == "corners") return is_corner(p, b);
  return on_side(p, b, name[4] - 'x', name.substr(0, 3) == "max");
}

// Removes from `chosen` what one selector does not take.
bool narrow(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
            std::vector<std::int32_t>& chosen) {
  if (json.is_string()) {
    const std::string name = json.get<std::string>();
    const std::vector<std::string> names(k_select_names.begin(), k_select_names.end());
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      reader.error(place, "found " + found(json) + suggestion(name, names));
      return false;
    }
    const Bounds bounds = bounds_of(rest);
    std::erase_if(chosen, [&](std::int32_t v) {
      return !selected_by_name(name, rest[static_cast<std::size_t>(v)], bounds);
    });
    return true;
  }
  if (!json.is_object()) {
    reader.wrong_type(place, json, "a name such as \"corners\" or {\"box\": {...}}");
    return false;
  }
  const std::size_t before = reader.errors.size();
  report_unknown_keys(reader, json, place, {"box"});
  SelectBox box;
  if (!json.contains("box"))
    reader.error(Place(place, "box"), "is missing");
  else
    read_checked(reader, json["box"], Place(place, "box"), box);
  if (reader.errors.size() > before) return false;
  std::erase_if(chosen, [&](std::int32_t v) {
    const Vec3& p = rest[static_cast<std::size_t>(v)];
    return !(min(p, box.min) == box.min && max(p, box.max) == box.max);
  });
  return true;
}

void read_select(Reader& reader, const Json& json, const Place& place,
                 const std::vector<Vec3>& rest, std::vector<std::int32_t>& out) {
  std::vector<std::int32_t> chosen(rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) chosen[i] = static_cast<std::int32_t>(i);
  bool good = true;
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i)
      good = narrow(reader, json[i], Place(place, i), rest, chosen) && good;
  else
    good = narrow(reader, json, place, rest, chosen);
  if (good && chosen.empty()) reader.error(place, "selects no vertex; accepted: at least one");
  out = std::move(chosen);
}

// Pins and folds: each has vertices, given by their numbers or selected.
template <class T>
void read_held(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
               std::string_view accepted, std::vector<T>& out) {
  if (!is_array(reader, json, place, accepted)) return;
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i) {
    const Place here(place, i);
    if (!read_fields(reader, json[i], here, out[i])) continue;
    const char* chosen = read_choice(reader, json[i], here, {"vertices", "select"});
    if (!chosen || std::string_view(chosen) == "vertices") continue;
    read_select(reader, json[i]["select"], Place(here, "select"), rest, out[i].vertices);
  }
}

}  // namespace

void read_pins(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
               std::vector<Pin>& out) {
  read_held(reader, json, place, rest, "an array of pins", out);
}

void read_folds(Reader& reader, const Json& json, const Place& place, const std::vector<Vec3>& rest,
                std::vector<Fold>& out) {
  read_held(reader, json, place, rest, "an array of folds", out);
}

// --- arrays
// -----------------------------------------------------------------------------------------
namespace {

// Splitmix64: spreads the copy's number over all bits, the same on every machine.
double unit_hash(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) / 9007199254740992.0;  // 2^53: in [0, 1)
}

}  // namespace

double array_count(const ArraySource& array) {
  double total = 0;
  for (int j = 0; j < array.count[1]; ++j) {
    const double nx = array.count[0] - static_cast<double>(array.taper[0]) * j;
    const double nz = array.count[2] - static_cast<double>(array.taper[1]) * j;
    if (nx <= 0 || nz <= 0) break;
    total += nx * nz;
  }
  return total;
}

std::vector<Vec3> array_offsets(const ArraySource& array) {
  std::vector<Vec3> out;
  for (int j = 0; j < array.count[1]; ++j) {
    const std::int64_t nx = array.count[0] - std::int64_t{array.taper[0]} * j;
    const std::int64_t nz = array.count[2] - std::int64_t{array.taper[1]} * j;
    if (nx <= 0 || nz <= 0) break;
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t i = 0; i < nx; ++i) {
        const double x = static_cast<double>(i) + 0.5 * array.taper[0] * j;
        const double z = static_cast<double>(k) + 0.5 * array.taper[1] * j;
        Vec3 offset = scaled(array.spacing, Vec3{x, static_cast<double>(j), z});
        const std::uint64_t number = out.size();
        offset.x += array.jitter * (2 * unit_hash(2 * number) - 1);
        offset.z += array.jitter * (2 * unit_hash(2 * number + 1) - 1);
        out.push_back(offset);
      }
  }
  return out;
}

}  // namespace pliant
