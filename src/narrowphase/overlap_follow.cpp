#include "narrowphase/overlap_follow.h"

#include <algorithm>
#include <cmath>

#include "narrowphase/overlap_depth.h"

namespace pliant {
namespace {

// Cosine: what waits over a face turns its own surface to it. What stands out beside a ridge does
// not, and is no nearer to being inside for being behind the plane of a face round the corner.
constexpr double k_facing = -0.25;

// m, side a less side b.
Vec3 between_sides(const OverlapContact& c, std::span<const Vec3> x) {
  Vec3 between;
  for (std::size_t k = 0; k < 4; ++k) {
    if (c.a.weight[k] > 0) between += c.a.weight[k] * x[std::size_t(c.a.particle[k])];
    if (c.b.weight[k] > 0) between -= c.b.weight[k] * x[std::size_t(c.b.particle[k])];
  }
  return between;
}

// A point over a face.
struct Over {
  std::int32_t face = -1;  // none
  double height = 0;       // m
  Vec3 normal;
  std::array<double, 3> weight{};
};

Over over_face(const OverlapSolid& solid, std::int32_t face, std::span<const Vec3> x,
               const Vec3& point) {
  const Triangle& f = solid.topology.faces[std::size_t(face)];
  const Vec3* own = x.data() + solid.begin;
  const Vec3 ab = own[f[1]] - own[f[0]], ac = own[f[2]] - own[f[0]], to = point - own[f[0]];
  const Vec3 twice = cross(ab, ac);
  const double size = length_sq(twice);
  if (!(size > 0)) return {};
  const double v = dot(cross(to, ac), twice) / size, w = dot(cross(ab, to), twice) / size;
  if (!(v >= 0 && w >= 0 && v + w <= 1)) return {};
  const Vec3 normal = twice / std::sqrt(size);
  const double height = dot(to, normal);
  return {face, height, normal, {1 - v - w, v, w}};
}

// The nearest of those that a point is over, of equals the one with the lowest number.
Over nearest_over(const OverlapSolid& solid, std::span<const Vec3> x, const Vec3& point,
                  const Vec3& normal, double reach) {
  const Vec3 grow{reach, reach, reach};
  Over best;
  solid.near_faces.overlapping({point - grow, point + grow}, [&](std::int32_t face) {
    const Over over = over_face(solid, face, x, point);
    const double far = std::abs(over.height), best_far = std::abs(best.height);
    if (over.face < 0 || far > reach || dot(over.normal, normal) > k_facing) return;
    if (best.face < 0 || far < best_far || (far == best_far && over.face < best.face)) best = over;
  });
  return best;
}

}  // namespace

bool is_followed(const OverlapSolid& solid, std::span<const Vec3> then, std::span<const Vec3> now) {
  const double most = k_followed * solid.cell;
  return std::all_of(solid.topology.points.begin(), solid.topology.points.end(),
                     [&](std::int32_t q) {
                       const Vec3 way = now[std::size_t(solid.begin + q)] - then[std::size_t(q)];
                       return way.x >= -most && way.x <= most && way.y >= -most && way.y <= most &&
                              way.z >= -most && way.z <= most;
                     });
}

void note_sides(std::span<OverlapContact> contacts, std::span<const Vec3> x) {
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    contacts[n].found = between_sides(contacts[n], x);
    contacts[n].place = std::int32_t(n);
  }
}

bool is_facing(const OverlapSolid& own, const OverlapContact& c) {
  if (c.a.weight[0] < 1) return true;
  return dot(c.normal, own.normals[std::size_t(c.a.particle[0] - own.begin)]) <= k_facing;
}

void find_waiting(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                  std::span<const std::uint8_t> has, std::vector<OverlapContact>& contacts) {
  const double reach = k_waits * std::max(solid.cell, own.cell);
  const Vec3 grow{reach, reach, reach};
  const TreeBox region{solid.box.low - grow, solid.box.high + grow};
  for (const std::int32_t q : own.topology.points) {
    const std::int32_t p = own.begin + q;
    const Vec3& point = x[std::size_t(p)];
    if (own.topology.faces_at(q).empty() || has[std::size_t(p)] || !region.meets({point, point}))
      continue;
    const Over over = nearest_over(solid, x, point, own.normals[std::size_t(q)], reach);
    if (over.face < 0) continue;
    const Triangle& f = solid.topology.faces[std::size_t(over.face)];
    OverlapContact c;
    c.a.body = own.body, c.b.body = solid.body;
    c.a.particle.fill(p);
    c.a.weight[0] = 1;
    c.b.particle.fill(solid.begin + f[0]);
    for (std::size_t k = 0; k < 3; ++k) {
      c.b.particle[k] = solid.begin + f[k];
      c.b.weight[k] = over.weight[k];
    }
    c.normal = over.normal;
    c.depth = -over.height;
    c.least = k_overlap_guard * solid.cell;
    contacts.push_back(c);
  }
}

void follow_contacts(std::span<const OverlapContact> contacts, std::span<const Vec3> x,
                     std::vector<OverlapContact>& out) {
  for (const OverlapContact& c : contacts) {
    const double depth = c.depth - dot(c.normal, between_sides(c, x) - c.found);
    if (!(depth > c.least)) continue;
    out.push_back(c);
    out.back().depth = depth;
  }
}

}  // namespace pliant
