#include "scene/check_definitions.h"

#include <algorithm>

#include <fmt/format.h>

#include "geometry/lattice.h"
#include "geometry/shape_bulk.h"
#include "geometry/topology.h"
#include "scene/check_fields.h"

namespace pliant {
namespace {

// Flatter than this (twice the area over the square of the longest edge, six times the volume over
// its cube) an element has no direction left in single precision.
constexpr double k_flat = 1e-10;
constexpr Range k_coordinates{-1e7, 1e7};

struct FirstBad {
  std::size_t first = 0;
  std::size_t count = 0;
  void add(std::size_t index) {
    if (count++ == 0) first = index;
  }
};

void report(const FirstBad& bad, const std::string& list, const char* what, Errors& errors) {
  if (bad.count == 0) return;
  const std::string more = bad.count > 1 ? fmt::format(" (and {} more)", bad.count - 1) : "";
  errors.push_back({element_place(list, bad.first), what + more});
}

template <class Element>
bool indices_in_range(const std::vector<Element>& elements, std::size_t vertices,
                      const std::string& list, Errors& errors) {
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (std::size_t k = 0; k < elements[e].size(); ++k) {
      const std::int32_t v = elements[e][k];
      if (v >= 0 && static_cast<std::size_t>(v) < vertices) continue;
      errors.push_back({element_place(element_place(list, e), k),
                        fmt::format("found vertex {}; accepted: from 0 to {}", v, vertices - 1)});
      return false;
    }
  return true;
}

template <class Element>
FirstBad unused_vertices(const std::vector<Element>& elements, std::size_t vertices) {
  std::vector<bool> used(vertices, false);
  for (const Element& element : elements)
    for (const std::int32_t v : element) used[static_cast<std::size_t>(v)] = true;
  FirstBad bad;
  for (std::size_t v = 0; v < vertices; ++v)
    if (!used[v]) bad.add(v);
  return bad;
}

double longest_edge(const std::vector<Vec3>& p, const std::int32_t* v, int n) {
  double longest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      longest = std::max(
          longest, length(p[static_cast<std::size_t>(v[i])] - p[static_cast<std::size_t>(v[j])]));
  return longest;
}

FirstBad flat_triangles(const TriMesh& mesh) {
  FirstBad bad;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle& v = mesh.triangles[t];
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(v[0])];
    const Vec3 b = mesh.vertices[static_cast<std::size_t>(v[1])];
    const Vec3 c = mesh.vertices[static_cast<std::size_t>(v[2])];
    const double edge = longest_edge(mesh.vertices, v.data(), 3);
    if (!(length(cross(b - a, c - a)) > k_flat * edge * edge)) bad.add(t);
  }
  return bad;
}

FirstBad flat_tetrahedra(const TetMesh& mesh) {
  FirstBad bad;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const Tetrahedron& v = mesh.tetrahedra[t];
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(v[0])];
    const Vec3 b = mesh.vertices[static_cast<std::size_t>(v[1])];
    const Vec3 c = mesh.vertices[static_cast<std::size_t>(v[2])];
    const Vec3 d = mesh.vertices[static_cast<std::size_t>(v[3])];
    const double edge = longest_edge(mesh.vertices, v.data(), 4);
    if (!(dot(cross(b - a, c - a), d - a) > k_flat * edge * edge * edge)) bad.add(t);
  }
  return bad;
}

bool check_tetrahedra(const TetMesh& mesh, Errors& errors) {
  if (mesh.vertices.empty() || mesh.tetrahedra.empty()) {
    errors.push_back({"tets", "is empty; accepted: at least one tetrahedron"});
    return false;
  }
  const std::size_t before = errors.size();
  check_value(mesh.vertices, k_coordinates, "m", "tets.vertices", errors);
  if (!indices_in_range(mesh.tetrahedra, mesh.vertices.size(), "tets.tetrahedra", errors))
    return false;
  if (errors.size() == before)
    report(flat_tetrahedra(mesh), "tets.tetrahedra",
           "is flat or inside out; accepted: (b-a) x (c-a) . (d-a) > 0, as repair() makes it",
           errors);
  report(unused_vertices(mesh.tetrahedra, mesh.vertices.size()), "tets.vertices",
         "belongs to no tetrahedron", errors);
  return errors.size() == before;
}

// The vertices of a pin or fold. vertex_count 0 = not known here (the nodes of a lattice that is
// still to be made).
void check_vertices(const std::vector<std::int32_t>& vertices, std::size_t vertex_count,
                    const std::string& place, Errors& errors) {
  if (vertices.empty()) errors.push_back({place, "holds no vertex; accepted: at least one"});
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    const std::int32_t v = vertices[k];
    const bool known = vertex_count > 0;
    if (v >= 0 && (!known || static_cast<std::size_t>(v) < vertex_count)) continue;
    const std::string range =
        known ? fmt::format("from 0 to {}", vertex_count - 1) : "0 and greater";
    errors.push_back(
        {element_place(place, k), fmt::format("found vertex {}; accepted: {}", v, range)});
    break;
  }
}

void check_pins(const std::vector<Pin>& pins, std::size_t vertex_count, Errors& errors) {
  for (std::size_t i = 0; i < pins.size(); ++i) {
    const std::string place = element_place("pins", i);
    check_fields(pins[i], place, errors);
    check_vertices(pins[i].vertices, vertex_count, place + ".vertices", errors);
  }
}

void check_folds(const ClothDef& def, std::size_t vertex_count, Errors& errors) {
  const std::size_t before = errors.size();
  for (std::size_t i = 0; i < def.folds.size(); ++i) {
    const std::string place = element_place("folds", i);
    check_fields(def.folds[i], place, errors);
    check_vertices(def.folds[i].vertices, vertex_count, place + ".vertices", errors);
  }
  if (def.folds.empty() || vertex_count == 0 || errors.size() > before) return;
  const EdgeList edges = unique_edges(def.mesh.triangles);
  for (std::size_t i = 0; i < def.folds.size(); ++i) {
    std::vector<bool> member(vertex_count);
    for (const std::int32_t v : def.folds[i].vertices) member[static_cast<std::size_t>(v)] = true;
    const auto folds = [&](const MeshEdge& e) {
      return e.triangle_count == 2 && member[static_cast<std::size_t>(e.a)] &&
             member[static_cast<std::size_t>(e.b)];
    };
    if (std::none_of(edges.begin(), edges.end(), folds))
      errors.push_back({element_place("folds", i) + ".vertices",
                        "join no inner edge; accepted: the ends of at least one edge that two "
                        "triangles share"});
  }
}

void check_sheet(const Sheet& sheet, Errors& errors) {
  if (!(length(sheet.warp) > 1e-9))
    errors.push_back({"sheet.warp", "has no direction; accepted: three numbers, not all zero"});
  const double product = sheet.poisson_ratio * sheet.poisson_ratio * sheet.weft_modulus;
  if (!(product < 0.999 * sheet.warp_modulus))
    errors.push_back(
        {"sheet.poisson_ratio", fmt::format("found {}; accepted: its square below warp_modulus / "
                                            "weft_modulus, or the sheet would give energy away",
                                            sheet.poisson_ratio)});
}

void check_initial_count(const char* field, std::size_t found, std::size_t expected,
                         Errors& errors) {
  if (found != 0 && found != expected)
    errors.push_back({field, fmt::format("found {} entries; accepted: one for each of the {} "
                                         "vertices, or none",
                                         found, expected)});
}

void check_inertia(const Vec3& inertia, Errors& errors) {
  if (inertia == Vec3{}) return;
  if (inertia.x <= 0 || inertia.y <= 0 || inertia.z <= 0) {
    errors.push_back({"inertia", "is partly zero; accepted: three positive values, or all zero"});
    return;
  }
  // No body has a moment greater than the sum of the two others; a hair for rounding.
  const double sum = (inertia.x + inertia.y + inertia.z) * (1 + 1e-9);
  const double greatest = std::max({inertia.x, inertia.y, inertia.z});
  if (2 * greatest > sum)
    errors.push_back(
        {"inertia", fmt::format("found [{}, {}, {}]; accepted: no moment greater than the sum of "
                                "the two others",
                                inertia.x, inertia.y, inertia.z)});
}

}  // namespace

bool check_triangles(const TriMesh& mesh, Errors& errors) {
  if (mesh.vertices.empty() || mesh.triangles.empty()) {
    errors.push_back({"mesh", "is empty; accepted: at least one triangle"});
    return false;
  }
  const std::size_t before = errors.size();
  check_value(mesh.vertices, k_coordinates, "m", "mesh.vertices", errors);
  if (!indices_in_range(mesh.triangles, mesh.vertices.size(), "mesh.triangles", errors))
    return false;
  if (errors.size() == before)
    report(flat_triangles(mesh), "mesh.triangles",
           "has no area; accepted: triangles with three different corners off one line", errors);
  return errors.size() == before;
}

namespace {

void check_tiles(const TileMap& map, Errors& errors) {
  constexpr std::int64_t k_max_tiles = 4'000'000;
  std::int64_t tiles = 1;
  for (int k = 0; k < 3; ++k) {
    tiles *= map.count[std::size_t(k)];
    if (!(map.high[k] - map.low[k] >= 1e-3))
      errors.push_back(
          {"tiles.high[" + std::to_string(k) + "]",
           "found " + std::to_string(map.high[k]) + "; accepted: at least 1 mm more than low"});
  }
  if (tiles > k_max_tiles)
    errors.push_back({"tiles.count", "found " + std::to_string(tiles) +
                                         " tiles; accepted: at most " +
                                         std::to_string(k_max_tiles)});
}

}  // namespace

std::vector<Error> check(const WorldDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  if (errors.empty()) check_tiles(def.tiles, errors);
  return errors;
}

std::vector<Error> check(const Path& path) {
  Errors errors;
  check_value(path, "path", errors);
  return errors;
}

std::vector<Error> check(const BodyDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  check_inertia(def.inertia, errors);
  if (!check_shape(def.shape, "shape", errors)) return errors;
  if (def.motion == Motion::dynamic)
    if (const std::string reason = no_bulk_reason(def.shape); !reason.empty())
      errors.push_back({"motion", reason + " is dynamic; accepted: fixed or kinematic"});
  if (!def.path.empty() && def.motion != Motion::kinematic)
    errors.push_back({"path",
                      "only a kinematic body follows a path; accepted: motion kinematic, "
                      "or no path"});
  if (def.law && def.motion != Motion::dynamic)
    errors.push_back({"law", "only a dynamic body has one; accepted: motion dynamic, or no law"});
  return errors;
}

std::vector<Error> check(const ClothDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  std::size_t vertices = 0;
  if (check_triangles(def.mesh, errors)) {
    vertices = def.mesh.vertices.size();
    report(unused_vertices(def.mesh.triangles, vertices), "mesh.vertices",
           "belongs to no triangle and has no mass", errors);
    check_initial_count("initial_positions", def.initial_positions.size(), vertices, errors);
    check_initial_count("initial_velocities", def.initial_velocities.size(), vertices, errors);
  }
  check_pins(def.pins, vertices, errors);
  check_folds(def, vertices, errors);
  check_sheet(def.sheet, errors);
  return errors;
}

namespace {

// Whether the vertices of the mesh are the particles.
bool springs_alone(const SolidDef& def) {
  return def.model == SolidModel::mass_spring && !def.springs.lattice;
}

void check_skin(const SolidDef& def, bool has_tets, Errors& errors) {
  if (def.skin.vertices.empty() && def.skin.triangles.empty()) return;
  if (springs_alone(def) && !has_tets)
    errors.push_back({"skin", "needs tetrahedra that carry it; accepted: springs with lattice"});
  Errors found;
  check_triangles(def.skin, found);
  for (Error& e : found) {
    if (e.place.starts_with("mesh")) e.place.replace(0, 4, "skin");
    errors.push_back(std::move(e));
  }
}

}  // namespace

std::vector<Error> check(const SolidDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  if (def.model == SolidModel::fem && (def.energy == Energy::green || def.energy == Energy::cauchy))
    errors.push_back(
        {"energy", "belongs to model explicit_fem; accepted under fem: neo_hookean, corotated"});
  const bool has_mesh = !def.mesh.vertices.empty() || !def.mesh.triangles.empty();
  const bool has_tets = !def.tets.vertices.empty() || !def.tets.tetrahedra.empty();
  std::size_t vertices = 0;
  const std::size_t before = errors.size();
  if (!has_mesh && !has_tets)
    errors.push_back({"mesh", "is empty, and so is tets; accepted: a closed mesh or tetrahedra"});
  if (has_mesh && check_triangles(def.mesh, errors) && !is_closed(def.mesh))
    errors.push_back({"mesh",
                      "is not closed; accepted: a surface in which every edge has two "
                      "triangles, wound outwards"});
  if (has_tets && check_tetrahedra(def.tets, errors)) vertices = def.tets.vertices.size();
  if (!has_tets && errors.size() == before && springs_alone(def)) {
    vertices = def.mesh.vertices.size();
    report(unused_vertices(def.mesh.triangles, vertices), "mesh.vertices",
           "belongs to no triangle and has no spring", errors);
  }
  if (def.cell_size > 0 && has_mesh && !has_tets && errors.size() == before &&
      !springs_alone(def)) {
    if (def.cells != SolidDef{}.cells)
      errors.push_back({"cell_size", "stands beside cells; accepted: one of the two"});
    else if (const auto error = check_lattice(def.mesh, {def.cells, def.cell_size}))
      errors.push_back(*error);
  }
  check_skin(def, has_tets, errors);
  if (vertices > 0) {
    check_initial_count("initial_positions", def.initial_positions.size(), vertices, errors);
    check_initial_count("initial_velocities", def.initial_velocities.size(), vertices, errors);
  }
  check_pins(def.pins, vertices, errors);
  return errors;
}

namespace {

void check_weights(const std::array<double, 3>& weights, const std::string& place, Errors& errors) {
  const std::size_t before = errors.size();
  for (std::size_t n = 0; n < weights.size(); ++n)
    check_value(weights[n], Range{0, 1}, "", element_place(place, n), errors);
  const double sum = weights[0] + weights[1] + weights[2];
  if (errors.size() == before && !(std::abs(sum - 1) <= 1e-6))
    errors.push_back({place, fmt::format("add up to {}; accepted: 1", sum)});
}

void check_end(const AnchorPoint& point, const std::string& end, Errors& errors) {
  if (const auto* p = std::get_if<WorldPoint>(&point))
    check_value(p->position, k_coordinates, "m", end + ".position", errors);
  if (const auto* p = std::get_if<BodyPoint>(&point))
    check_value(p->local, k_coordinates, "m", end + ".local", errors);
  if (const auto* p = std::get_if<ClothTrianglePoint>(&point))
    check_weights(p->weights, end + ".weights", errors);
  if (const auto* p = std::get_if<SolidTrianglePoint>(&point))
    check_weights(p->weights, end + ".weights", errors);
}

}  // namespace

void check_ends(const AnchorPoint& a, const AnchorPoint& b, std::vector<Error>& errors) {
  check_end(a, "a", errors);
  check_end(b, "b", errors);
  if (std::holds_alternative<WorldPoint>(a) && std::holds_alternative<WorldPoint>(b))
    errors.push_back({"b", "joins the world to itself; accepted: at least one end that can move"});
  const auto* body_a = std::get_if<BodyPoint>(&a);
  const auto* body_b = std::get_if<BodyPoint>(&b);
  if (body_a && body_b && body_a->body == body_b->body)
    errors.push_back({"b", "joins a body to itself; accepted: two different things"});
}

std::vector<Error> check(const AnchorDef& def) {
  Errors errors;
  check_value(def.compliance, Range{0, 1e15}, "m/N", "compliance", errors);
  check_value(def.max_force, Range{0, 1e15}, "N", "max_force", errors);
  check_ends(def.a, def.b, errors);
  return errors;
}

}  // namespace pliant
