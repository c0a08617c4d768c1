// Cloth: particles, the membrane (edges or strain) and tethers; bending is in cloth_bend.cpp,
// constraints and surface of what is sewn together in sewn_cloth.cpp.
#include <algorithm>
#include <cmath>
#include <queue>

#include "build/cloth_bend.h"
#include "build/cloth_rows.h"
#include "build/coarse.h"
#include "build/deformable_build.h"
#include "geometry/rest_triangle.h"
#include "geometry/topology.h"

namespace pliant {
namespace {

// An isotropic plane network with sum(k L^2) / area = K has the modulus K / 3 (and Poisson ratio
// 1/3); with an edge's area A_e = a third of its triangles, k = 3 E h A_e / L^2. On a square grid
// with one diagonal this is E h exactly along both grid directions.
double edge_stiffness(const ClothDef& def, double edge_area, double length_sq) {
  return 3 * def.stretch_stiffness * edge_area / length_sq;
}

void add_edges(const ClothDef& def, const EdgeList& edges, const std::vector<std::int32_t>& order,
               ConstraintRows& rows) {
  for (const MeshEdge& e : edges) {
    const Vec3& a = def.mesh.vertices[std::size_t(e.a)];
    const Vec3& b = def.mesh.vertices[std::size_t(e.b)];
    double area_sum = 0;
    for (int n = 0; n < std::min(e.triangle_count, 2); ++n)
      area_sum += triangle_area(def.mesh, e.triangle[std::size_t(n)]);
    const double stiffness = edge_stiffness(def, area_sum / 3, length_sq(b - a));
    rows.distance.push_back(
        {{order[std::size_t(e.a)], order[std::size_t(e.b)]}, length(b - a), 1 / stiffness});
  }
}

// A limit needs the triangles also where edges make the membrane.
void add_strain(const ClothDef& def, const std::vector<std::int32_t>& order, ConstraintRows& rows) {
  const Sheet& sheet = def.sheet;
  for (const Triangle& t : def.mesh.triangles) {
    const auto x = [&](std::size_t n) { return def.mesh.vertices[std::size_t(t[n])]; };
    const RestTriangle rest = rest_triangle(x(0), x(1), x(2), sheet.warp);
    const double volume = rest.area * sheet.thickness;
    StrainRow row{{},
                  rest.weft,
                  rest.warp,
                  1 / (sheet.weft_modulus * volume),
                  1 / (sheet.warp_modulus * volume),
                  -sheet.poisson_ratio / (sheet.warp_modulus * volume),
                  1 / (sheet.shear_modulus * volume)};
    for (std::size_t n = 0; n < 3; ++n) row.particle[n] = order[std::size_t(t[n])];
    rows.strain.push_back(row);
  }
}

void add_membrane(const ClothDef& def, const EdgeList& edges,
                  const std::vector<std::int32_t>& order, ConstraintRows& rows) {
  const bool elastic = def.membrane == Membrane::strain;
  if (elastic || def.strain_limit > 0) add_strain(def, order, rows);
  if (elastic) return;
  add_edges(def, edges, order, rows);
  for (const Triangle& t : def.mesh.triangles)
    rows.triangles.push_back(
        {order[std::size_t(t[0])], order[std::size_t(t[1])], order[std::size_t(t[2])]});
}

double shortest_edge(const TriMesh& mesh, const EdgeList& edges) {
  double shortest = 1e300;
  for (const MeshEdge& e : edges)
    shortest = std::min(shortest,
                        length(mesh.vertices[std::size_t(e.a)] - mesh.vertices[std::size_t(e.b)]));
  return shortest;
}

// Groups of pinned vertices that are joined by edges: a pinned row is one place to hang from.
std::vector<std::vector<std::int32_t>> pin_groups(const ClothDef& def, const EdgeList& edges) {
  std::vector<std::int32_t> group(def.mesh.vertices.size(), -1);
  for (const Pin& pin : def.pins)
    for (const std::int32_t v : pin.vertices) group[std::size_t(v)] = v;
  const auto root = [&](std::int32_t v) {
    while (group[std::size_t(v)] != v) v = group[std::size_t(v)];
    return v;
  };
  for (const MeshEdge& e : edges)
    if (group[std::size_t(e.a)] >= 0 && group[std::size_t(e.b)] >= 0) {
      const std::int32_t a = root(e.a), b = root(e.b);
      group[std::size_t(std::max(a, b))] = std::min(a, b);
    }
  std::vector<std::vector<std::int32_t>> groups;
  std::vector<std::int32_t> number(group.size(), -1);
  for (std::int32_t v = 0; v < std::int32_t(group.size()); ++v) {
    if (group[std::size_t(v)] < 0) continue;
    std::int32_t& n = number[std::size_t(root(v))];
    if (n < 0) {
      n = std::int32_t(groups.size());
      groups.emplace_back();
    }
    groups[std::size_t(n)].push_back(v);
  }
  return groups;
}

bool is_flat(const TriMesh& mesh) {
  Vec3 normal;
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[std::size_t(t[0])];
    const Vec3 n = normalized(
        cross(mesh.vertices[std::size_t(t[1])] - a, mesh.vertices[std::size_t(t[2])] - a));
    if (normal == Vec3{}) normal = n;
    if (dot(normal, n) < 1 - 1e-9) return false;
  }
  return true;
}

// The nearest pin of a group and the distance to it: straight in a flat cloth, along edges
// otherwise.
struct NearestPin {
  std::vector<std::int32_t> pin;
  std::vector<double> distance;
};

NearestPin nearest_straight(const TriMesh& mesh, const std::vector<std::int32_t>& group) {
  NearestPin nearest{std::vector<std::int32_t>(mesh.vertices.size(), group[0]),
                     std::vector<double>(mesh.vertices.size(), 1e300)};
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    for (const std::int32_t pin : group) {
      const double d = length(mesh.vertices[v] - mesh.vertices[std::size_t(pin)]);
      if (d < nearest.distance[v]) nearest.distance[v] = d, nearest.pin[v] = pin;
    }
  return nearest;
}

NearestPin nearest_along_edges(const TriMesh& mesh, const EdgeList& edges,
                               const std::vector<std::int32_t>& group) {
  std::vector<std::vector<std::pair<std::int32_t, double>>> neighbours(mesh.vertices.size());
  for (const MeshEdge& e : edges) {
    const double l = length(mesh.vertices[std::size_t(e.a)] - mesh.vertices[std::size_t(e.b)]);
    neighbours[std::size_t(e.a)].push_back({e.b, l});
    neighbours[std::size_t(e.b)].push_back({e.a, l});
  }
  NearestPin nearest{std::vector<std::int32_t>(mesh.vertices.size(), group[0]),
                     std::vector<double>(mesh.vertices.size(), 1e300)};
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  for (const std::int32_t pin : group) {
    nearest.distance[std::size_t(pin)] = 0;
    nearest.pin[std::size_t(pin)] = pin;
    queue.push({0, pin});
  }
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance > nearest.distance[std::size_t(v)]) continue;
    for (const auto& [other, l] : neighbours[std::size_t(v)])
      if (distance + l < nearest.distance[std::size_t(other)]) {
        nearest.distance[std::size_t(other)] = distance + l;
        nearest.pin[std::size_t(other)] = nearest.pin[std::size_t(v)];
        queue.push({distance + l, other});
      }
  }
  return nearest;
}

std::vector<bool> pinned_vertices(const ClothDef& def) {
  std::vector<bool> pinned(def.mesh.vertices.size());
  for (const Pin& pin : def.pins)
    for (const std::int32_t v : pin.vertices) pinned[std::size_t(v)] = true;
  return pinned;
}

void add_tethers(const ClothDef& def, const EdgeList& edges, const std::vector<std::int32_t>& order,
                 ConstraintRows& rows) {
  if (!def.tethers) return;
  const std::vector<bool> pinned = pinned_vertices(def);
  const bool flat = is_flat(def.mesh);
  for (const std::vector<std::int32_t>& group : pin_groups(def, edges)) {
    const NearestPin nearest =
        flat ? nearest_straight(def.mesh, group) : nearest_along_edges(def.mesh, edges, group);
    for (std::size_t v = 0; v < def.mesh.vertices.size(); ++v)
      if (!pinned[v] && nearest.distance[v] < 1e299)
        rows.tether.push_back({order[v], order[std::size_t(nearest.pin[v])],
                               nearest.distance[v] * (1 + def.tether_slack)});
  }
}

}  // namespace

std::vector<double> cloth_masses(const ClothDef& def, const std::vector<std::int32_t>& order) {
  std::vector<double> mass(def.mesh.vertices.size(), 0);
  for (std::size_t t = 0; t < def.mesh.triangles.size(); ++t) {
    const double share = def.areal_density * triangle_area(def.mesh, std::int32_t(t)) / 3;
    for (const std::int32_t v : def.mesh.triangles[t])
      mass[std::size_t(order[std::size_t(v)])] += share;
  }
  return mass;
}

ConstraintRows cloth_rows(const ClothDef& def, const std::vector<std::int32_t>& order) {
  const EdgeList edges = unique_edges(def.mesh.triangles);
  ConstraintRows rows;
  add_membrane(def, edges, order, rows);
  add_bending(def, edges, order, rows);
  add_tethers(def, edges, order, rows);
  return rows;
}

CoarseLevel cloth_coarse_level(const ClothDef& def, const std::vector<std::int32_t>& order,
                               const std::vector<double>& mass) {
  if (!def.tethers || !is_flat(def.mesh)) return {};
  const std::vector<bool> pinned = pinned_vertices(def);
  return make_coarse_level({&def.mesh, &order, &mass, &pinned, def.tether_slack});
}

DeformableBuild build_cloth(const ClothDef& def) {
  DeformableBuild build;
  Deformable& body = build.body;
  body.kind = DeformableKind::cloth;
  body.order = locality_order(def.mesh.vertices);
  build.mass = cloth_masses(def, body.order);
  place_particles(build, def.mesh.vertices, {{def.position, def.rotation}, def.velocity, {}},
                  def.initial_positions, def.initial_velocities);
  add_pins(build, def.pins);
  body.parts.push_back({0, body.order, body.mass});
  body.folds = def.folds;
  body.cell = shortest_edge(def.mesh, unique_edges(def.mesh.triangles));
  body.method = def.method;
  body.pbd_stretch = def.pbd_stretch;
  body.pbd_bend = def.pbd_bend;
  body.linear_drag = def.linear_drag;
  body.max_speed = def.max_speed;
  body.wind_drag = def.wind_drag;
  body.wind_lift = def.wind_lift;
  body.thickness = def.thickness;
  body.contact = def.surface;
  body.allow_sleep = def.allow_sleep;
  assemble_cloth({&def, 1}, {}, body);
  return build;
}

}  // namespace pliant
