// Constraints and surface of a cloth, or of several that are sewn together: the rows of each part,
// with particles that have become one under one number.
#include <algorithm>
#include <cmath>
#include <map>

#include "build/cloth_bend.h"
#include "build/cloth_rows.h"
#include "build/deformable_build.h"
#include "build/self_particles.h"
#include "build/sewn_sheet.h"
#include "build/sheet_tree.h"
#include "geometry/bend_weights.h"
#include "geometry/topology.h"

namespace pliant {
namespace {

template <std::size_t N>
bool repeats(const std::array<std::int32_t, N>& numbers) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i + 1; j < N; ++j)
      if (numbers[i] == numbers[j]) return true;
  return false;
}

// Particles of a part, counted from its begin, to roots of the body.
template <std::size_t N>
std::array<std::int32_t, N> roots(const Deformable& body, const ClothPart& part,
                                  const std::array<std::int32_t, N>& particle) {
  std::array<std::int32_t, N> out{};
  for (std::size_t n = 0; n < N; ++n) out[n] = body.root(part.begin + particle[n]);
  return out;
}

// Rows that would hold a particle twice have lost their meaning and are left out.
template <class Row>
void append(const Deformable& body, const ClothPart& part, std::vector<Row>&& from,
            std::vector<Row>& to) {
  for (Row& row : from) {
    row.particle = roots(body, part, row.particle);
    if (!repeats(row.particle)) to.push_back(row);
  }
}

void append_rows(const Deformable& body, const ClothPart& part, std::int32_t first_fold,
                 const std::vector<bool>& held, ConstraintRows&& from, ConstraintRows& to) {
  for (HingeRow& row : from.fold) row.fold += first_fold;
  append(body, part, std::move(from.distance), to.distance);
  append(body, part, std::move(from.strain), to.strain);
  append(body, part, std::move(from.bend), to.bend);
  append(body, part, std::move(from.hinge), to.hinge);
  append(body, part, std::move(from.fold), to.fold);
  for (const auto& t : from.triangles)
    if (const auto root = roots(body, part, t); !repeats(root)) to.triangles.push_back(root);
  for (const TetherRow& row : from.tether) {
    const auto root = roots<2>(body, part, {row.particle, row.pin});
    if (!held[std::size_t(root[0])]) to.tether.push_back({root[0], root[1], row.limit});
  }
}

// Edges that have come to lie on each other become one that is as stiff as all of them.
void join_edges(std::vector<DistanceRow>& rows) {
  std::map<std::array<std::int32_t, 2>, std::size_t> place;
  std::vector<DistanceRow> joined;
  for (const DistanceRow& row : rows) {
    const auto [a, b] = row.particle;
    const auto [at, is_new] = place.try_emplace({std::min(a, b), std::max(a, b)}, joined.size());
    if (is_new) {
      joined.push_back(row);
      continue;
    }
    DistanceRow& same = joined[at->second];
    const double k = 1 / same.compliance, more = 1 / row.compliance;
    same.rest = (k * same.rest + more * row.rest) / (k + more);
    same.compliance = 1 / (k + more);
  }
  rows = std::move(joined);
}

// A triangle of a part, with its corners as particles of the body before and after merging.
struct SewnTriangle {
  const ClothDef* def;
  std::int32_t part;
  Triangle vertex;  // of the part's mesh
  Triangle particle, root;
};

std::vector<SewnTriangle> sewn_triangles(std::span<const ClothDef> parts, const Deformable& body) {
  std::vector<SewnTriangle> all;
  for (std::size_t n = 0; n < parts.size(); ++n)
    for (const Triangle& t : parts[n].mesh.triangles) {
      SewnTriangle sewn{&parts[n], std::int32_t(n), t, {}, {}};
      for (std::size_t k = 0; k < 3; ++k) {
        sewn.particle[k] = body.parts[n].begin + body.parts[n].order[std::size_t(t[k])];
        sewn.root[k] = body.root(sewn.particle[k]);
      }
      if (!repeats(sewn.root)) all.push_back(sewn);
    }
  return all;
}

// One side of an edge at which two triangles were sewn together.
struct Wing {
  std::array<std::int32_t, 2> particle;  // of the edge, before merging
  std::int32_t root;                     // of the third corner
  double edge, along, height;            // m, of the rest shape: the third corner from the edge
  double area;                           // m2
};

Wing wing_of(const SewnTriangle& t, std::int32_t a, std::int32_t b) {
  std::size_t at[3] = {0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) at[t.root[k] == a ? 0 : t.root[k] == b ? 1 : 2] = k;
  const auto x = [&](int n) { return t.def->mesh.vertices[std::size_t(t.vertex[at[n]])]; };
  const Vec3 edge = x(1) - x(0), out = x(2) - x(0);
  const double l = length(edge), twice_area = length(cross(edge, out));
  return {{t.particle[at[0]], t.particle[at[1]]},
          t.root[at[2]],
          l,
          dot(out, edge) / l,
          twice_area / l,
          twice_area / 2};
}

// Flat at rest, whatever the angle between the panels as they were drawn.
void add_seam_bending(const std::vector<SewnTriangle>& triangles,
                      std::span<const std::uint8_t> bends, ConstraintRows& rows) {
  std::vector<Triangle> renamed;
  renamed.reserve(triangles.size());
  for (const SewnTriangle& t : triangles) renamed.push_back(t.root);
  for (const MeshEdge& e : unique_edges(renamed)) {
    if (e.triangle_count != 2) continue;
    const std::size_t first = e.forward[0] ? 0 : 1;
    const SewnTriangle &tl = triangles[std::size_t(e.triangle[first])],
                       &tr = triangles[std::size_t(e.triangle[1 - first])];
    const Wing left = wing_of(tl, e.a, e.b), right = wing_of(tr, e.a, e.b);
    if (left.particle == right.particle || left.root == right.root) continue;
    const bool wanted = (left.particle[0] == right.particle[0] || bends[std::size_t(e.a)]) &&
                        (left.particle[1] == right.particle[1] || bends[std::size_t(e.b)]);
    const double rigidity = 0.5 * (tl.def->bend_rigidity + tr.def->bend_rigidity);
    if (!wanted || rigidity <= 0) continue;
    const double l = 0.5 * (left.edge + right.edge), area = left.area + right.area;
    const std::array<std::int32_t, 4> particle{e.a, e.b, left.root, right.root};
    if (tl.def->bending == Bending::hinge || tr.def->bending == Bending::hinge)
      rows.hinge.push_back({particle, 0, area / (rigidity * l * l), -1});
    else
      rows.bend.push_back({particle,
                           bend_weights({}, {l, 0, 0}, {left.along, left.height, 0},
                                        {right.along, -right.height, 0}),
                           area / rigidity});
  }
}

// Vertices in the order of the parts' meshes; those that were merged into another have none.
void set_surface(const std::vector<SewnTriangle>& triangles, const Deformable& body,
                 DeformableSurface& surface) {
  surface = {};
  std::vector<std::int32_t> vertex(std::size_t(body.count), -1);  // of each particle
  for (const std::int32_t p : body.order) {
    if (body.root(p) != p) continue;
    vertex[std::size_t(p)] = std::int32_t(surface.vertices.size());
    surface.vertices.push_back({{p, p, p, p}, {1, 0, 0, 0}});
  }
  for (const SewnTriangle& t : triangles)
    surface.triangles.push_back({vertex[std::size_t(t.root[0])], vertex[std::size_t(t.root[1])],
                                 vertex[std::size_t(t.root[2])]});
  finish_surface(surface);
}

// Where the surface's vertices are in the rest shape: of several parts as they were placed.
std::vector<Vec3> surface_rest(std::span<const ClothDef> parts, const Deformable& body) {
  std::vector<Vec3> of_particle(std::size_t(body.count));
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const Transform frame{parts[n].position, parts[n].rotation};
    for (std::size_t v = 0; v < parts[n].mesh.vertices.size(); ++v) {
      const Vec3& x = parts[n].mesh.vertices[v];
      of_particle[std::size_t(body.root(body.parts[n].begin + body.parts[n].order[v]))] =
          parts.size() == 1 ? x : to_world(frame, x);
    }
  }
  std::vector<Vec3> rest;
  for (const SurfaceVertex& v : body.surface.vertices)
    rest.push_back(of_particle[std::size_t(v.particle[0])]);
  return rest;
}

SelfParticles self_particles(const ClothDef& def, const std::vector<SewnTriangle>& triangles,
                             const Deformable& body) {
  if (!def.self_contact || def.self_contact_by != SelfContact::particles) return {};
  std::vector<SelfTriangle> list;
  for (const SewnTriangle& t : triangles) {
    const auto x = [&](std::size_t k) { return t.def->mesh.vertices[std::size_t(t.vertex[k])]; };
    list.push_back({t.root, circle_around_sq(x(0), x(1), x(2))});
  }
  return make_self_particles(body.count, list, body.tree.rest, def.thickness);
}

// Which of its features meet each other. Parts do where cloths of their own would.
void set_meetings(std::span<const ClothDef> parts, std::span<const std::int32_t> part_of_triangle,
                  Deformable& body) {
  const bool parts_meet = parts.size() > 1 && (parts[0].filter.groups & parts[0].filter.mask) != 0;
  body.self_contact = parts_meet;
  body.layer = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    body.parts[n].meets_itself = parts[n].self_contact;
    body.parts[n].layer = parts[n].layer;
    body.self_contact |= parts[n].self_contact;
    body.layer = std::max(body.layer, body.parts[n].layer);
  }
  body.sewn = make_sewn_sheet(parts, part_of_triangle, body);
  body.sewn.parts_meet = parts_meet;
}

std::vector<bool> held_roots(const Deformable& body) {
  std::vector<bool> held(std::size_t(body.count));
  for (const PinnedParticle& pin : body.pins) held[std::size_t(body.root(pin.particle))] = true;
  return held;
}

// The formula of regular grids serves a cloth that is one.
ScheduleChoice schedule_choice(std::span<const ClothDef> parts, const Deformable& body) {
  const ClothDef& def = parts[0];
  ScheduleChoice choice{def.schedule, def.split_colours, {}};
  if (def.schedule != Schedule::colours || parts.size() > 1 || !body.merged.empty()) return choice;
  const std::vector<GridPlace> places = grid_places(def.mesh);
  choice.place.resize(places.size());
  for (std::size_t v = 0; v < places.size(); ++v)
    choice.place[std::size_t(body.order[v])] = places[v];
  return choice;
}

}  // namespace

std::vector<double> assemble_cloth(std::span<const ClothDef> parts,
                                   std::span<const std::uint8_t> bends, Deformable& body) {
  const std::vector<bool> held = held_roots(body);
  std::vector<double> mass(std::size_t(body.count), 0);
  ConstraintRows rows;
  std::int32_t first_fold = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const ClothPart& part = body.parts[n];
    append_rows(body, part, first_fold, held, cloth_rows(parts[n], part.order), rows);
    first_fold += std::int32_t(parts[n].folds.size());
    const std::vector<double> own = cloth_masses(parts[n], part.order);
    for (std::size_t p = 0; p < own.size(); ++p)
      mass[std::size_t(body.root(part.begin + std::int32_t(p)))] += own[p];
  }
  const std::vector<SewnTriangle> triangles = sewn_triangles(parts, body);
  if (!body.merged.empty()) {
    join_edges(rows.distance);
    add_seam_bending(triangles, bends, rows);
  }
  body.constraints = make_constraint_set(rows, body.count, schedule_choice(parts, body));
  body.constraints.strain_is_elastic = parts[0].membrane == Membrane::strain;
  body.constraints.strain_limit =
      parts[0].strain_limit > 0 ? Real(1 + parts[0].strain_limit) : Real(0);
  body.merged_away.clear();
  for (std::int32_t p = 0; p < std::int32_t(body.merged.size()); ++p)
    if (body.root(p) != p) body.merged_away.push_back(p);
  const bool whole = parts.size() == 1 && body.merged.empty();
  body.coarse = whole ? cloth_coarse_level(parts[0], body.order, mass) : CoarseLevel{};
  set_surface(triangles, body, body.surface);
  std::vector<std::int32_t> part_of_triangle;
  for (const SewnTriangle& t : triangles)
    if (parts.size() > 1) part_of_triangle.push_back(t.part);
  body.tree = make_sheet_tree(body.surface, surface_rest(parts, body), part_of_triangle);
  body.self_particles = self_particles(parts[0], triangles, body);
  set_meetings(parts, part_of_triangle, body);
  return mass;
}

}  // namespace pliant
