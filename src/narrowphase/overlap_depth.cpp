#include "narrowphase/overlap_depth.h"

#include <algorithm>

#include "geometry/closest_point.h"

namespace pliant {
namespace {

constexpr double k_same_way = 0.5;  // cosine
constexpr double k_ray = 2;         // depths, that the way out is followed

enum : std::uint8_t { unknown, in_layer, known };

Vec3 normal_at(const OverlapSolid& solid, const FaceHit& hit) {
  const Triangle& f = solid.topology.faces[std::size_t(hit.face)];
  Vec3 n;
  for (std::size_t k = 0; k < 3; ++k) n += hit.weight[k] * solid.normals[std::size_t(f[k])];
  return normalized(n);
}

Vec3 face_normal(const OverlapSolid& solid, std::int32_t face, std::span<const Vec3> x) {
  const Triangle& f = solid.topology.faces[std::size_t(face)];
  const Vec3* own = x.data() + solid.begin;
  return normalized(cross(own[f[1]] - own[f[0]], own[f[2]] - own[f[0]]));
}

// A way out, as a weighted sum.
struct Way {
  double depth = 0;
  Vec3 out, nearest;

  void add(double w, const Vec3& to, const Vec3& n, double beyond) {
    depth += w * (dot(to, n) + beyond);
    out += w * n;
  }
  void give(double weight, double& depth_out, Vec3& way_out) const {
    const double size = length(out);
    depth_out = weight > 0 ? std::max(depth / weight, 0.0) : 0;
    way_out = weight > 0 && size > 1e-6 * weight ? out / size : nearest;
  }
};

// Weighted sums over what is known around a point: by smooth normals and by those of faces.
struct Mean {
  double weight = 0;
  double nearest = 1e300;  // squared
  Way smooth, flat;
  bool touching = false;

  // `there` says of a place what its ways out are.
  void add(const Vec3& from, const Vec3& to, const OverlapDepth& there, double guard) {
    const double far = length_sq(to - from);
    if (far < nearest) nearest = far, smooth.nearest = there.out, flat.nearest = there.push;
    if (far < guard * guard) {  // its weight would be infinite
      touching = true;
      return;
    }
    const double w = 1 / far;
    weight += w;
    smooth.add(w, to - from, there.out, there.depth);
    flat.add(w, to - from, there.push, there.push_depth);
  }
  void give(OverlapDepth& d) const {
    d.known = true;
    const double sum = touching ? 0 : weight;
    smooth.give(sum, d.depth, d.out);
    flat.give(sum, d.push_depth, d.push);
  }
};

// From the edges of the point that pass the surface; false where there is none.
bool find_border(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                 DepthMemory& memory, OverlapDepth& d) {
  const std::int32_t i = d.point - own.begin;
  const Vec3& inner = x[std::size_t(d.point)];
  const bool self = solid.body == own.body;
  memory.outer.clear();
  TreeBox box;
  box.add(inner);
  for (const std::int32_t j : own.topology.neighbours(i)) {
    if (memory.place[std::size_t(own.begin + j)] >= 0) continue;
    memory.outer.push_back(j);
    box.add(x[std::size_t(own.begin + j)]);
  }
  if (memory.outer.empty()) return false;
  list_faces(solid, x, box, memory.faces);
  Mean mean;
  for (const std::int32_t j : memory.outer) {
    const Vec3& outer = x[std::size_t(own.begin + j)];
    // From the outer end: the first face is the nearest to it.
    const FaceHit hit =
        first_face(solid, memory.faces, x, outer, inner - outer, self ? i : -1, self ? j : -1);
    if (hit.face < 0) continue;
    OverlapDepth there;
    there.out = normal_at(solid, hit);
    there.push = face_normal(solid, hit.face, x);
    mean.add(inner, outer + hit.at * (inner - outer), there, k_overlap_guard * solid.cell);
  }
  if (mean.nearest == 1e300) return false;
  mean.give(d);
  return true;
}

// One layer inwards; returns whether there was one.
bool spread_depths(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                   std::span<OverlapDepth> depths, DepthMemory& memory) {
  memory.next_layer.clear();
  for (const std::int32_t n : memory.layer)
    for (const std::int32_t j : own.topology.neighbours(depths[std::size_t(n)].point - own.begin)) {
      const std::int32_t at = memory.place[std::size_t(own.begin + j)];
      if (at < 0 || memory.state[std::size_t(at)] != unknown) continue;
      memory.state[std::size_t(at)] = in_layer;
      memory.next_layer.push_back(at);
    }
  std::sort(memory.next_layer.begin(), memory.next_layer.end());
  for (const std::int32_t n : memory.next_layer) {
    OverlapDepth& d = depths[std::size_t(n)];
    Mean mean;
    for (const std::int32_t j : own.topology.neighbours(d.point - own.begin)) {
      const std::int32_t at = memory.place[std::size_t(own.begin + j)];
      if (at < 0 || memory.state[std::size_t(at)] != known) continue;
      const OverlapDepth& from = depths[std::size_t(at)];
      mean.add(x[std::size_t(d.point)], x[std::size_t(from.point)], from,
               k_overlap_guard * solid.cell);
    }
    mean.give(d);
  }
  for (const std::int32_t n : memory.next_layer) memory.state[std::size_t(n)] = known;
  memory.layer.swap(memory.next_layer);
  return !memory.layer.empty();
}

// All that no layer has reached leave together, through one face.
int lead_out(OverlapSolid& solid, std::span<const Vec3> x, std::span<OverlapDepth> depths,
             DepthMemory& memory) {
  memory.lost.clear();
  NearFace best;
  std::int32_t first = -1;
  for (std::size_t n = 0; n < depths.size(); ++n) {
    if (memory.state[n] == known) continue;
    memory.lost.push_back(std::int32_t(n));
    const NearFace near = nearest_face(solid, x, x[std::size_t(depths[n].point)]);
    if (near.face >= 0 && (first < 0 || near.distance < best.distance)) {
      best = near;
      first = std::int32_t(n);
    }
  }
  if (first < 0) return 0;
  const Vec3 out = face_normal(solid, best.face, x);
  for (const std::int32_t n : memory.lost) {
    OverlapDepth& d = depths[std::size_t(n)];
    d.known = true;
    d.out = d.push = out;
    d.depth = d.push_depth = std::max(dot(best.point - x[std::size_t(d.point)], out), 0.0);
  }
  return int(memory.lost.size());
}

}  // namespace

NearFace nearest_face(OverlapSolid& solid, std::span<const Vec3> x, const Vec3& p) {
  NearFace best;
  double reach = 1e150;
  refresh_face_tree(solid, x);
  solid.face_tree.within(p, reach, [&](std::int32_t face) {
    const Triangle& f = solid.topology.faces[std::size_t(face)];
    const Vec3* own = x.data() + solid.begin;
    const auto w = closest_on_triangle(p, own[f[0]], own[f[1]], own[f[2]]);
    const Vec3 point = w[0] * own[f[0]] + w[1] * own[f[1]] + w[2] * own[f[2]];
    const double distance = length(point - p);
    if (best.face >= 0 &&
        (distance > best.distance || (distance == best.distance && face > best.face)))
      return;
    best = {face, point, distance};
    reach = distance * (1 + 1e-12);
  });
  return best;
}

int find_depths(OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                std::span<OverlapDepth> depths, DepthMemory& memory) {
  if (memory.place.size() < x.size()) memory.place.resize(x.size(), -1);
  for (std::size_t n = 0; n < depths.size(); ++n)
    memory.place[std::size_t(depths[n].point)] = std::int32_t(n);
  memory.state.assign(depths.size(), unknown);
  memory.layer.clear();
  for (std::size_t n = 0; n < depths.size(); ++n)
    if (find_border(solid, own, x, memory, depths[n])) memory.layer.push_back(std::int32_t(n));
  for (const std::int32_t n : memory.layer) memory.state[std::size_t(n)] = known;
  while (spread_depths(solid, own, x, depths, memory)) {
  }
  const int lost = lead_out(solid, x, depths, memory);
  for (const OverlapDepth& d : depths) memory.place[std::size_t(d.point)] = -1;
  return lost;
}

bool make_contact(const OverlapSolid& solid, const OverlapSolid& own, std::span<const Vec3> x,
                  const OverlapDepth& depth, std::int32_t& guess, OverlapContact& contact) {
  if (!depth.known || !(depth.push_depth > k_overlap_guard * solid.cell)) return false;
  const bool self = solid.body == own.body;
  const FaceHit hit =
      first_face(solid, x, x[std::size_t(depth.point)], depth.push_depth * depth.push, k_ray, guess,
                 self ? depth.point - own.begin : -1, -1);
  guess = hit.face;
  if (hit.face < 0) return false;
  const Triangle& f = solid.topology.faces[std::size_t(hit.face)];
  contact = {};
  contact.a.body = own.body;
  contact.b.body = solid.body;
  contact.a.particle.fill(depth.point);
  contact.a.weight[0] = 1;
  contact.b.particle.fill(solid.begin + f[0]);
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    contact.b.particle[k] = solid.begin + f[k];
    contact.b.weight[k] = std::max(hit.weight[k], 0.0);
    sum += contact.b.weight[k];
  }
  for (double& w : contact.b.weight) w /= sum;
  // The way out is a mean over several faces. What pushes is the one face.
  const Vec3 n = face_normal(solid, hit.face, x);
  const double along = dot(n, depth.push);
  const bool plain = along > k_same_way;
  contact.normal = plain ? n : depth.push;
  contact.depth = hit.at * depth.push_depth * (plain ? along : 1);
  contact.least = k_overlap_guard * solid.cell;
  return true;
}

}  // namespace pliant
