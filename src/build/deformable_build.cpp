#include "build/deformable_build.h"

#include <algorithm>
#include <tuple>

#include "geometry/topology.h"

namespace pliant {
namespace {

// Spreads the lower 21 bits of v so that two zero bits follow each.
std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffffull;
  v = (v | v << 16) & 0x1f0000ff0000ffull;
  v = (v | v << 8) & 0x100f00f00f00f00full;
  v = (v | v << 4) & 0x10c30c30c30c30c3ull;
  return (v | v << 2) & 0x1249249249249249ull;
}

}  // namespace

std::vector<std::int32_t> locality_order(const std::vector<Vec3>& positions) {
  Vec3 low = positions.empty() ? Vec3{} : positions[0], high = low;
  for (const Vec3& p : positions) {
    low = min(low, p);
    high = max(high, p);
  }
  const Vec3 size = high - low;
  const double extent = std::max({size.x, size.y, size.z, 1e-30});
  struct Entry {
    std::uint64_t code;
    std::int32_t vertex;
  };
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Vec3 q = (positions[i] - low) * (1023.0 / extent);
    entries.push_back({spread_bits(std::uint64_t(q.x)) | spread_bits(std::uint64_t(q.y)) << 1 |
                           spread_bits(std::uint64_t(q.z)) << 2,
                       std::int32_t(i)});
  }
  // Within a cell by place: however vertices are numbered, their particles have the same order.
  const auto key = [&](const Entry& e) {
    const Vec3& p = positions[std::size_t(e.vertex)];
    return std::tuple(e.code, p.x, p.y, p.z, e.vertex);
  };
  std::sort(entries.begin(), entries.end(),
            [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  std::vector<std::int32_t> order(positions.size());
  for (std::size_t place = 0; place < entries.size(); ++place)
    order[std::size_t(entries[place].vertex)] = std::int32_t(place);
  return order;
}

namespace {

void set_rings(DeformableSurface& surface) {
  surface.ring_begin.assign(surface.vertices.size() + 1, 0);
  for (const Triangle& t : surface.triangles)
    for (const std::int32_t v : t) ++surface.ring_begin[std::size_t(v) + 1];
  for (std::size_t v = 1; v < surface.ring_begin.size(); ++v)
    surface.ring_begin[v] += surface.ring_begin[v - 1];
  surface.ring.resize(3 * surface.triangles.size());
  std::vector<std::int32_t> next(surface.ring_begin.begin(), surface.ring_begin.end() - 1);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const std::int32_t v : surface.triangles[t])
      surface.ring[std::size_t(next[std::size_t(v)]++)] = std::int32_t(t);
}

// Rounder than this (cosine between the faces), and a ridge stands out less than a hundredth of the
// width of its faces: vertices and triangles see it well enough.
constexpr double k_sharp = 0.985;

void set_sharp_edges(const EdgeList& edges, DeformableSurface& surface) {
  const std::vector<Vec3>& rest = surface.rest;
  const auto normal = [&](std::int32_t triangle) {
    const Triangle& t = surface.triangles[std::size_t(triangle)];
    const Vec3& a = rest[std::size_t(t[0])];
    return normalized(cross(rest[std::size_t(t[1])] - a, rest[std::size_t(t[2])] - a));
  };
  surface.sharp.clear();
  for (const MeshEdge& e : edges) {
    if (e.triangle_count != 2) continue;
    const Vec3 n = normal(e.triangle[0]);
    const Vec3 across = rest[std::size_t(e.opposite[1])] - rest[std::size_t(e.a)];
    const bool is_ridge = dot(n, across) < 0;
    if (is_ridge && dot(n, normal(e.triangle[1])) < k_sharp)
      surface.sharp.push_back({{e.a, e.b}, e.triangle});
  }
}

}  // namespace

void finish_surface(DeformableSurface& surface) {
  set_rings(surface);
  const EdgeList edges = unique_edges(surface.triangles);
  if (surface.closed) set_sharp_edges(edges, surface);
  surface.owned_edges.assign(surface.triangles.size(), {-1, -1, -1});
  surface.owned_vertices.assign(surface.triangles.size(), {-1, -1, -1});
  surface.edges.clear();
  std::vector<int> filled(surface.triangles.size(), 0);
  for (const MeshEdge& e : edges) {
    const std::size_t owner = std::size_t(e.triangle[0]);
    surface.owned_edges[owner][std::size_t(filled[owner]++)] = std::int32_t(surface.edges.size());
    surface.edges.push_back({e.a, e.b});
  }
  std::vector<bool> owned(surface.vertices.size());
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (std::size_t n = 0; n < 3; ++n) {
      const std::size_t v = std::size_t(surface.triangles[t][n]);
      if (owned[v]) continue;
      owned[v] = true;
      surface.owned_vertices[t][n] = std::int32_t(v);
    }
}

void place_particles(DeformableBuild& build, const std::vector<Vec3>& rest,
                     const Placement& placement, const std::vector<Vec3>& initial_positions,
                     const std::vector<Vec3>& initial_velocities) {
  const std::vector<std::int32_t>& order = build.body.order;
  build.position.resize(rest.size());
  build.velocity.resize(rest.size());
  for (std::size_t v = 0; v < rest.size(); ++v)
    build.position[std::size_t(order[v])] =
        initial_positions.empty() ? to_world(placement.frame, scaled(placement.scale, rest[v]))
                                  : initial_positions[v];
  double mass = 0;
  Vec3 centre;
  for (std::size_t place = 0; place < rest.size(); ++place) {
    centre += build.position[place] * build.mass[place];
    mass += build.mass[place];
  }
  centre = centre / mass;
  for (std::size_t v = 0; v < rest.size(); ++v) {
    const std::size_t place = std::size_t(order[v]);
    const Vec3 spin = cross(placement.angular_velocity, build.position[place] - centre);
    build.velocity[place] =
        initial_velocities.empty() ? placement.velocity + spin : initial_velocities[v];
  }
  build.body.mass = mass;
  build.body.count = std::int32_t(rest.size());
}

void add_pins(DeformableBuild& build, const std::vector<Pin>& pins) {
  build.body.pin_paths = pins;
  for (std::size_t n = 0; n < pins.size(); ++n)
    for (const std::int32_t vertex : pins[n].vertices) {
      const std::int32_t particle = build.body.order[std::size_t(vertex)];
      build.body.pins.push_back({particle, std::int32_t(n), build.position[std::size_t(particle)]});
      build.velocity[std::size_t(particle)] = {};
    }
}

std::vector<std::int32_t> pinned_particles(const Deformable& body) {
  std::vector<std::int32_t> held;
  for (const PinnedParticle& pin : body.pins) held.push_back(pin.particle);
  return held;
}

}  // namespace pliant
