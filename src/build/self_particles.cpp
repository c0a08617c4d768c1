#include "build/self_particles.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pliant {
namespace {

std::vector<double> particle_q(std::int32_t count, std::span<const SelfTriangle> triangles,
                               double thickness) {
  std::vector<double> q;
  q.assign(std::size_t(count), double(k_no_particle));
  for (const SelfTriangle& t : triangles)
    for (const std::int32_t p : t.particle)
      q[std::size_t(p)] = std::max({q[std::size_t(p)], t.q, thickness * thickness / 2});
  return q;
}

// Of each particle those that it shares an edge with.
struct Ring {
  std::vector<std::int32_t> begin, other;
  std::span<const std::int32_t> of(std::int32_t p) const {
    return std::span(other).subspan(std::size_t(begin[std::size_t(p)]),
                                    std::size_t(begin[std::size_t(p) + 1] - begin[std::size_t(p)]));
  }
};

Ring make_ring(std::int32_t count, std::span<const SelfTriangle> triangles) {
  std::vector<std::array<std::int32_t, 2>> edges;
  for (const SelfTriangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = t.particle[k], b = t.particle[(k + 1) % 3];
      edges.push_back({a, b});
      edges.push_back({b, a});
    }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Ring ring;
  ring.begin.assign(std::size_t(count) + 1, 0);
  for (const auto& e : edges) {
    ++ring.begin[std::size_t(e[0]) + 1];
    ring.other.push_back(e[1]);
  }
  for (std::size_t p = 1; p < ring.begin.size(); ++p) ring.begin[p] += ring.begin[p - 1];
  return ring;
}

// Neighbours of one particle: what shares an edge with it, and what can be reached along edges
// without going further away than r times k_self_near. Seams may have joined what is far apart in
// the rest shape: there the edges count alone.
class Neighbours {
 public:
  Neighbours(const Ring& ring, const std::vector<double>& q, std::span<const Vec4> rest)
      : ring_(ring), q_(q), rest_(rest), seen_(q.size(), -1) {}

  std::span<const std::int32_t> of(std::int32_t p) {
    found_.clear();
    seen_[std::size_t(p)] = p;
    for (const std::int32_t other : ring_.of(p)) add(p, other);
    for (std::size_t n = 0; n < found_.size(); ++n)
      for (const std::int32_t other : ring_.of(found_[n]))
        if (is_near(p, other)) add(p, other);
    return found_;
  }

 private:
  void add(std::int32_t p, std::int32_t other) {
    if (seen_[std::size_t(other)] == p) return;
    seen_[std::size_t(other)] = p;
    found_.push_back(other);
  }
  bool is_near(std::int32_t p, std::int32_t other) const {
    const Vec4 &a = rest_[std::size_t(p)], &b = rest_[std::size_t(other)];
    const Vec3 r{double(a.x) - double(b.x), double(a.y) - double(b.y), double(a.z) - double(b.z)};
    return length_sq(r) < k_self_near * k_self_near * (q_[std::size_t(p)] + q_[std::size_t(other)]);
  }

  const Ring& ring_;
  const std::vector<double>& q_;
  std::span<const Vec4> rest_;
  std::vector<std::int32_t> seen_, found_;
};

void list_near(std::int32_t count, Neighbours& neighbours, SelfParticles& body) {
  std::vector<SelfLeafNear> of_leaf;
  for (std::int32_t leaf = 0; leaf < std::int32_t(body.q.size()); ++leaf) {
    of_leaf.clear();
    const std::int32_t end = std::min(count, (leaf + 1) * k_lanes);
    for (std::int32_t p = leaf * k_lanes; p < end; ++p)
      for (const std::int32_t other : neighbours.of(p)) {
        if (other < p) continue;
        const std::int32_t there = other / k_lanes;
        auto at = std::find_if(of_leaf.begin(), of_leaf.end(),
                               [&](const SelfLeafNear& n) { return n.other == there; });
        if (at == of_leaf.end()) at = of_leaf.insert(of_leaf.end(), {there, {}});
        std::uint8_t& lanes = at->lanes[std::size_t(other % k_lanes)];
        lanes = std::uint8_t(lanes | 1u << p % k_lanes);
      }
    std::sort(of_leaf.begin(), of_leaf.end(),
              [](const SelfLeafNear& a, const SelfLeafNear& b) { return a.other < b.other; });
    body.near.insert(body.near.end(), of_leaf.begin(), of_leaf.end());
    body.near_begin.push_back(std::int32_t(body.near.size()));
  }
}

}  // namespace

double circle_around_sq(const Vec3& a, const Vec3& b, const Vec3& c) {
  double x = length_sq(b - a), y = length_sq(c - b), z = length_sq(a - c);
  if (x > z) std::swap(x, z);
  if (y > z) std::swap(y, z);
  if (z >= x + y) return z / 4;  // around the longest edge
  const double four_areas_sq = 2 * (x * y + y * z + z * x) - (x * x + y * y + z * z);
  return x * y * z / four_areas_sq;
}

SelfParticles make_self_particles(std::int32_t count, std::span<const SelfTriangle> triangles,
                                  std::span<const Vec4> rest, double thickness) {
  SelfParticles body;
  const std::vector<double> q = particle_q(count, triangles, thickness);
  body.q.assign(std::size_t((count + k_lanes - 1) / k_lanes), splat(k_no_particle));
  for (std::int32_t p = 0; p < count; ++p) {
    body.q[std::size_t(p / k_lanes)][p % k_lanes] = Real(q[std::size_t(p)]);
    body.reach = std::max(body.reach, Real(std::sqrt(2 * std::max(q[std::size_t(p)], 0.0))));
  }
  const Ring ring = make_ring(count, triangles);
  Neighbours neighbours(ring, q, rest);
  list_near(count, neighbours, body);
  return body;
}

void mark_open_seams(const DeformableSurface& surface, std::span<const std::int32_t> at,
                     SelfParticles& body) {
  body.seam.assign(at.begin(), at.end());
  for (const Triangle& t : surface.triangles)
    for (const std::int32_t v : t)
      for (const std::int32_t w : t) {
        const std::size_t p = std::size_t(surface.vertices[std::size_t(v)].particle[0]);
        const std::size_t other = std::size_t(surface.vertices[std::size_t(w)].particle[0]);
        if (at[p] == 0 && at[other] != 0) body.seam[p] = at[other];
      }
}

}  // namespace pliant
