// Solids: tetrahedra held by distance edges and volumes, by finite elements, springs or shape
// matching; a closed surface is wrapped in a lattice first, unless springs hold it as it is.
#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include "build/deformable_build.h"
#include "build/fem_rows.h"
#include "build/lattice_cubes.h"
#include "build/match_clusters.h"
#include "build/spring_net.h"
#include "geometry/lattice.h"
#include "geometry/renumber.h"
#include "geometry/topology.h"

namespace pliant {
namespace {

// An isotropic network of central forces with sum(k L^2) / volume = K has the modulus K / 6 and
// Poisson ratio 1/4; with an edge's volume V_e = a sixth of its tetrahedra, k = 6 E V_e / L^2.
void add_edges(const SolidDef& def, const TetMesh& mesh, const std::vector<std::int32_t>& order,
               ConstraintRows& rows) {
  const std::vector<VertexPair> edges = unique_edges(mesh.tetrahedra);
  std::vector<double> edge_volume(edges.size());
  for (const Tetrahedron& t : mesh.tetrahedra) {
    const double share = signed_volume(mesh, t) / 6;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j) {
        const VertexPair key{std::min(t[i], t[j]), std::max(t[i], t[j])};
        const auto at = std::lower_bound(edges.begin(), edges.end(), key);
        edge_volume[std::size_t(at - edges.begin())] += share;
      }
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [a, b] = edges[e];
    const double l = length(mesh.vertices[std::size_t(a)] - mesh.vertices[std::size_t(b)]);
    const double stiffness = 6 * def.youngs_modulus * edge_volume[e] / (l * l);
    rows.distance.push_back({{order[std::size_t(a)], order[std::size_t(b)]}, l, 1 / stiffness});
  }
}

// What the wanted Poisson ratio asks of the bulk modulus beyond the 2 E / 3 that the edges give.
double volume_modulus(const SolidDef& def) {
  return def.youngs_modulus / (3 * (1 - 2 * def.poisson_ratio)) - 2 * def.youngs_modulus / 3;
}
bool has_volume_rows(const SolidDef& def) {
  return def.model == SolidModel::xpbd && volume_modulus(def) > 1e-6 * def.youngs_modulus;
}

// One row for each cube of a lattice, one for each tetrahedron elsewhere.
void add_volumes(const SolidDef& def, const TetMesh& mesh, const std::vector<std::int32_t>& order,
                 ConstraintRows& rows) {
  if (!has_volume_rows(def)) return;
  const double bulk = volume_modulus(def);
  const std::span<const Tetrahedron> tets = mesh.tetrahedra;
  std::vector<int> around(mesh.vertices.size(), 0);
  for (const Tetrahedron& t : tets)
    for (const std::int32_t v : t) ++around[std::size_t(v)];
  const auto add_row = [&](const Tetrahedron& t) {
    const double v = signed_volume(mesh, t);
    VolumeRow row{{}, v, 36 * v / bulk};
    for (std::size_t n = 0; n < 4; ++n) row.particle[n] = order[std::size_t(t[n])];
    rows.volume.push_back(row);
  };
  std::array<std::int32_t, 8> corners;
  for (std::size_t t = 0; t < tets.size(); ++t) {
    if (t + 5 > tets.size() || !find_cube(tets.subspan(t, 5), corners)) {
      add_row(tets[t]);
      continue;
    }
    CellVolumeRow row{{}, 0, 0};
    for (std::size_t n = 0; n < 5; ++n) {
      row.rest += signed_volume(mesh, tets[t + n]);
      // A corner that one or two tetrahedra carry would flip to their inside under a blow: its
      // edges have the same lengths there.
      if (std::any_of(tets[t + n].begin(), tets[t + n].end(),
                      [&](std::int32_t v) { return around[std::size_t(v)] <= 2; }))
        add_row(tets[t + n]);
    }
    row.compliance = 36 * row.rest / bulk;
    for (std::size_t n = 0; n < 8; ++n) row.particle[n] = order[std::size_t(corners[n])];
    rows.cell.push_back(row);
    t += 4;
  }
}

bool has_moduli(const SolidDef& def) {
  return def.model != SolidModel::shape_matching && def.model != SolidModel::mass_spring;
}

// What the edges and volumes, or the elements, are made of.
ConstraintRows solid_rows(const SolidDef& def, const TetMesh& mesh, const DeformableBuild& build) {
  const std::vector<std::int32_t>& order = build.body.order;
  ConstraintRows rows;
  if (!has_moduli(def)) return rows;
  if (def.model != SolidModel::xpbd) {
    std::vector<double> inverse_mass;
    for (const double mass : build.mass) inverse_mass.push_back(1 / mass);
    for (const PinnedParticle& pin : build.body.pins) inverse_mass[std::size_t(pin.particle)] = 0;
    add_fem(def, mesh, order, inverse_mass, rows);
    return rows;
  }
  add_edges(def, mesh, order, rows);
  add_volumes(def, mesh, order, rows);
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (const Triangle& f : faces_of(t))
      rows.triangles.push_back(
          {order[std::size_t(f[0])], order[std::size_t(f[1])], order[std::size_t(f[2])]});
  return rows;
}

std::vector<Vec3> in_order(const std::vector<Vec3>& vertices,
                           const std::vector<std::int32_t>& order) {
  std::vector<Vec3> rest(vertices.size());
  for (std::size_t v = 0; v < rest.size(); ++v) rest[std::size_t(order[v])] = vertices[v];
  return rest;
}

void set_matching(const SolidDef& def, const TetMesh& mesh, DeformableBuild& build) {
  const std::vector<std::int32_t>& order = build.body.order;
  const std::vector<Vec3> rest = in_order(mesh.vertices, order);
  ClusterList clusters = find_clusters(mesh, def.matching.cluster_cells);
  for (std::vector<std::int32_t>& cluster : clusters) {
    for (std::int32_t& v : cluster) v = order[std::size_t(v)];
    std::sort(cluster.begin(), cluster.end());
  }
  build.body.matching = make_matching(def.matching, clusters, rest, build.mass);
  weigh_clusters(build.body.matching, pinned_particles(build.body));
}

// `rows` and `rest` of the particles.
void set_springs(const SolidDef& def, SpringRows rows, const std::vector<Vec3>& rest,
                 DeformableBuild& build) {
  // Stable also when what is held is let go.
  build.body.springs = make_spring_net(std::move(rows), rest, build.mass, def.springs.integrator);
}

double shortest_edge(const TetMesh& mesh) {
  double shortest = 1e300;
  for (const auto& [a, b] : unique_edges(mesh.tetrahedra))
    shortest =
        std::min(shortest, length(mesh.vertices[std::size_t(a)] - mesh.vertices[std::size_t(b)]));
  return shortest;
}

// Of springs, summed up in the order of the particles, which does not depend on how the vertices
// are numbered.
void set_spring_masses(double density, const TetMesh& mesh, DeformableBuild& build) {
  const TetMesh placed = renumbered(mesh, build.body.order);
  for (const Tetrahedron& t : placed.tetrahedra)
    for (const std::int32_t p : t)
      build.mass[std::size_t(p)] += density * signed_volume(placed, t) / 4;
}

// `filled` is the part of the tetrahedra's volume that the solid itself has.
void set_masses(const SolidDef& def, const TetMesh& mesh, double filled, DeformableBuild& build) {
  build.mass.assign(mesh.vertices.size(), 0);
  const auto add = [&](std::span<const std::int32_t> corners, double mesh_volume) {
    const double share = def.density * filled * mesh_volume / double(corners.size());
    for (const std::int32_t v : corners)
      build.mass[std::size_t(build.body.order[std::size_t(v)])] += share;
  };
  if (def.model == SolidModel::mass_spring) {
    set_spring_masses(def.density * filled, mesh, build);
  } else {
    const LatticeParts parts = fem_parts(def, mesh);
    for (const Tetrahedron& t : parts.tetrahedra) add(t, signed_volume(mesh, t));
    for (const Cube& cube : parts.cubes) add(cube.corners, cube.volume);
  }
  if (def.node_mass > 0) build.mass.assign(mesh.vertices.size(), def.node_mass);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    build.body.rest_volume += signed_volume(mesh, t);
    Tetrahedron placed;
    for (std::size_t n = 0; n < 4; ++n) placed[n] = build.body.order[std::size_t(t[n])];
    build.body.tets.push_back(placed);
  }
}

// The boundary of the tetrahedra, by their own vertices.
void set_boundary_surface(const TetMesh& mesh, const std::vector<std::int32_t>& order,
                          DeformableSurface& surface) {
  const BoundaryFaces boundary = boundary_faces(mesh.tetrahedra);
  std::vector<std::int32_t> number(mesh.vertices.size(), -1);
  for (const Triangle& t : boundary.triangles) {
    Triangle numbered;
    for (std::size_t n = 0; n < 3; ++n) {
      std::int32_t& v = number[std::size_t(t[n])];
      if (v < 0) {
        v = std::int32_t(surface.vertices.size());
        const std::int32_t p = order[std::size_t(t[n])];
        surface.vertices.push_back({{p, p, p, p}, {1, 0, 0, 0}});
        surface.rest.push_back(mesh.vertices[std::size_t(t[n])]);
      }
      numbered[n] = v;
    }
    surface.triangles.push_back(numbered);
  }
  surface.closed = true;
  finish_surface(surface);
}

SurfaceVertex carried_by(const EmbeddedVertex& e, const TetMesh& mesh,
                         const std::vector<std::int32_t>& order) {
  const Tetrahedron& t = mesh.tetrahedra[std::size_t(e.tetrahedron)];
  SurfaceVertex v;
  for (std::size_t n = 0; n < 4; ++n) {
    v.particle[n] = order[std::size_t(t[n])];
    v.weight[n] = Real(e.weights[n]);
  }
  return v;
}

void set_embedded_surface(const TriMesh& mesh, const std::vector<EmbeddedVertex>& embedding,
                          const TetMesh& tets, const std::vector<std::int32_t>& order,
                          DeformableSurface& surface) {
  surface.direct = false;
  surface.closed = true;
  surface.triangles = mesh.triangles;
  surface.rest = mesh.vertices;
  for (const EmbeddedVertex& e : embedding) {
    surface.vertices.push_back(carried_by(e, tets, order));
    const Tetrahedron& t = tets.tetrahedra[std::size_t(e.tetrahedron)];
    const auto x = [&](std::size_t n) { return tets.vertices[std::size_t(t[n])]; };
    surface.tet_origin.push_back(x(0));
    surface.tet_inverse.push_back(
        inverse(transposed(Mat3{{x(1) - x(0), x(2) - x(0), x(3) - x(0)}})));
  }
  finish_surface(surface);
}

// What is tied to tetrahedra may stick out a little where they are coarser than it.
std::optional<Error> find_stray(const char* what, const std::vector<EmbeddedVertex>& embedding) {
  constexpr double k_furthest = -1;  // weight: as far outside as the tetrahedron is high
  for (std::size_t v = 0; v < embedding.size(); ++v)
    for (const double w : embedding[v].weights)
      if (w < k_furthest)
        return Error{what, "vertex " + std::to_string(v) +
                               " lies further outside the tetrahedra than they are high; accepted: "
                               "a surface in or near them, in the same units"};
  return std::nullopt;
}

std::optional<Error> set_skin(const SolidDef& def, const TetMesh& mesh, Deformable& body) {
  if (def.skin.vertices.empty()) return std::nullopt;
  const std::vector<EmbeddedVertex> embedding = embed_points(def.skin.vertices, mesh);
  if (auto stray = find_stray("skin", embedding)) return stray;
  for (const EmbeddedVertex& e : embedding) body.skin.push_back(carried_by(e, mesh, body.order));
  body.skin_triangles = def.skin.triangles;
  return std::nullopt;
}

void set_shell(const SolidDef& def, Deformable& body) {
  if (!has_volume_rows(def)) return;
  BodyShell& shell = body.shell;
  shell.bulk_modulus = volume_modulus(def);
  shell.triangles = boundary_faces(body.tets).triangles;
  for (const Triangle& t : shell.triangles)
    shell.particle.insert(shell.particle.end(), t.begin(), t.end());
  std::sort(shell.particle.begin(), shell.particle.end());
  shell.particle.erase(std::unique(shell.particle.begin(), shell.particle.end()),
                       shell.particle.end());
  for (Triangle& t : shell.triangles)
    for (std::int32_t& v : t)
      v = std::int32_t(std::lower_bound(shell.particle.begin(), shell.particle.end(), v) -
                       shell.particle.begin());
}

Placement placement_of(const SolidDef& def) {
  return {{def.position, def.rotation}, def.velocity, def.angular_velocity, def.initial_scale};
}

void set_surroundings(const SolidDef& def, Deformable& body) {
  body.linear_drag = def.linear_drag;
  body.thickness = def.thickness;
  if (has_moduli(def)) body.youngs_modulus = def.youngs_modulus;
  body.density = def.density;
  body.contact = def.surface;
  body.self_contact = def.self_contact;
  body.allow_sleep = def.allow_sleep;
}

DeformableBuild build_from_tets(const SolidDef& def, const TetMesh& mesh, double filled) {
  DeformableBuild build;
  Deformable& body = build.body;
  body.kind = DeformableKind::solid;
  body.order = locality_order(mesh.vertices);
  set_masses(def, mesh, filled, build);
  place_particles(build, mesh.vertices, placement_of(def), def.initial_positions,
                  def.initial_velocities);
  add_pins(build, def.pins);
  body.cell = shortest_edge(mesh);
  body.constraints = make_constraint_set(solid_rows(def, mesh, build), body.count);
  body.constraints.fem_material = fem_material(def);
  if (def.model == SolidModel::shape_matching) set_matching(def, mesh, build);
  if (def.model == SolidModel::mass_spring) {
    const TetMesh placed = renumbered(mesh, body.order);
    set_springs(def, lattice_springs(def.springs, placed), placed.vertices, build);
  }
  set_shell(def, body);
  set_surroundings(def, body);
  return build;
}

// Springs hold the surface itself; its vertices have equal masses.
DeformableBuild build_from_surface(const SolidDef& def) {
  DeformableBuild build;
  Deformable& body = build.body;
  body.kind = DeformableKind::solid;
  body.order = locality_order(def.mesh.vertices);
  const TriMesh placed = renumbered(def.mesh, body.order);
  body.rest_volume = volume(placed);
  const std::size_t count = def.mesh.vertices.size();
  build.mass.assign(
      count, def.node_mass > 0 ? def.node_mass : def.density * body.rest_volume / double(count));
  place_particles(build, def.mesh.vertices, placement_of(def), def.initial_positions,
                  def.initial_velocities);
  add_pins(build, def.pins);
  body.cell = 1e300;
  for (const MeshEdge& e : unique_edges(def.mesh.triangles))
    body.cell = std::min(body.cell, length(def.mesh.vertices[std::size_t(e.a)] -
                                           def.mesh.vertices[std::size_t(e.b)]));
  body.constraints = make_constraint_set({}, body.count);
  set_springs(def, surface_springs(def.springs, placed), placed.vertices, build);
  set_surroundings(def, body);
  for (const std::int32_t p : body.order)
    body.surface.vertices.push_back({{p, p, p, p}, {1, 0, 0, 0}});
  body.surface.triangles = def.mesh.triangles;
  body.surface.rest = def.mesh.vertices;
  body.surface.closed = true;
  finish_surface(body.surface);
  return build;
}

}  // namespace

Result<DeformableBuild> build_solid(const SolidDef& def) {
  const bool has_tets = !def.tets.tetrahedra.empty();
  if (!has_tets && def.model == SolidModel::mass_spring && !def.springs.lattice)
    return build_from_surface(def);
  WrappedMesh wrapped;
  if (!has_tets) {
    Result<WrappedMesh> made = wrap_in_lattice(def.mesh, {def.cells, def.cell_size});
    if (!made) return made.error();
    wrapped = std::move(made).value();
  } else if (!def.mesh.triangles.empty()) {
    wrapped.embedding = embed_points(def.mesh.vertices, def.tets);
    if (const auto stray = find_stray("mesh", wrapped.embedding)) return *stray;
  }
  const TetMesh& tets = has_tets ? def.tets : wrapped.lattice;
  const double filled = has_tets ? 1 : volume(def.mesh) / volume(tets);
  DeformableBuild build = build_from_tets(def, tets, filled);
  Deformable& body = build.body;
  if (def.mesh.triangles.empty())
    set_boundary_surface(tets, body.order, body.surface);
  else
    set_embedded_surface(def.mesh, wrapped.embedding, tets, body.order, body.surface);
  if (const auto stray = set_skin(def, tets, body)) return *stray;
  return build;
}

}  // namespace pliant
