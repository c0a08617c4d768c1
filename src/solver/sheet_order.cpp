#include "solver/sheet_order.h"

#include "model/rigid.h"

namespace pliant {
namespace {

constexpr int k_vertex_grain = 256;
// Cosine of what is between two features and the way that they face: beside each other, at a rim,
// neither is on a side of the other.
constexpr Real k_clear = Real(0.5);

Vec3W normalized(const Vec3W& v) {
  return v * (splat(1) / max(sqrt(dot(v, v)), splat(Real(1e-30))));
}

// 1 where b is the outer side, -1 where a is, 0 where there is no order.
RealW outer_sides(const SheetBatch& b) {
  RealW outer{};
  for (int k = 0; k < b.lanes; ++k)
    outer[k] = Real(int(b.outer_b >> k & 1) - int(b.outer_a >> k & 1));
  return outer;
}

struct Facing {
  Vec3W along;     // which way both sides face
  MaskW in_order;  // they are in an order, and face the same way
  RealW outer;
};
Facing facing_of(const SheetBatch& b, const SheetNearestW& near, const std::array<Vec3W, 3>& r,
                 std::span<const Vec4> normals) {
  const RealW outer = outer_sides(b), zero = splat(0);
  Vec3W on_b{}, on_a{};
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3W normal = gather(normals.data(), b.particle[k].data()).xyz();
    on_b = on_b + normal * max(near.weight[k], zero);
    on_a = on_a + normal * max(-near.weight[k], zero);
  }
  if (b.feature == SheetFeature::vertex_triangle)
    on_a = normalized(cross(r[1] - r[0], r[2] - r[0]));
  const Vec3W along = b.feature == SheetFeature::vertex_triangle ? on_a : normalized(on_a + on_b);
  return {along, (outer != zero) & (dot(on_a, on_b) > zero), outer};
}

}  // namespace

void find_sheet_normals(const Deformable& body, const Particles& particles, std::span<const Vec4> d,
                        TaskPool* pool, std::vector<Vec4>& normals) {
  const DeformableSurface& surface = body.surface;
  const auto particle = [&](std::int32_t vertex) {
    return std::size_t(body.begin + surface.vertices[std::size_t(vertex)].particle[0]);
  };
  const auto at = [&](std::int32_t vertex) {
    const std::size_t p = particle(vertex);
    return xyz(particles.base[p]) + xyz(d[p]);
  };
  parallel_for(pool, int(surface.vertices.size()), k_vertex_grain, [&](int begin, int end) {
    for (std::int32_t v = begin; v < end; ++v) {
      Vec3R sum;
      const std::size_t n = std::size_t(v);
      for (std::int32_t r = surface.ring_begin[n]; r < surface.ring_begin[n + 1]; ++r) {
        const Triangle& t = surface.triangles[std::size_t(surface.ring[std::size_t(r)])];
        const Vec3R a = at(t[0]);
        sum += cross(at(t[1]) - a, at(t[2]) - a);
      }
      const Real size = length(sum);
      if (size > 0) sum = sum / size;
      normals[particle(v)] = {sum.x, sum.y, sum.z, 0};
    }
  });
}

void turn_wrong_lanes(SheetBatch& b, const SheetNearestW& near, const std::array<Vec3W, 3>& r,
                      std::span<const Vec4> normals) {
  const Facing facing = facing_of(b, near, r, normals);
  const RealW side = facing.outer * dot(facing.along, near.between);
  const MaskW wrong = facing.in_order & (side < -k_clear * b.distance);
  const MaskW touching = facing.in_order & ~(b.distance > splat(Real(1e-9)));
  b.normal = select(wrong, -b.normal, b.normal);
  b.normal = select(touching, facing.along * facing.outer, b.normal);
  b.distance = select(wrong, -b.distance, b.distance);
}

MaskW let_go(SheetBatch& b, const SheetNearestW& near, const std::array<Vec3W, 3>& r,
             const SheetSides& sides) {
  RealW loose{};
  for (int k = 0; k < b.lanes; ++k) {
    const auto is = [&](std::size_t n) {
      return sides.loose[std::size_t(b.particle[n][std::size_t(k)])] != 0;
    };
    const bool edges = b.feature == SheetFeature::edge_edge;
    const bool on_b = edges ? is(0) || is(1) : is(0);
    const bool on_a = (edges ? false : is(1)) || is(2) || is(3);
    loose[k] = on_b && on_a ? 1 : 0;
  }
  MaskW off = loose > splat(0);
  if (!any(off)) return off;
  if ((b.outer_b | b.outer_a) != 0) {
    const Facing facing = facing_of(b, near, r, sides.normals);
    off &= ~(facing.in_order & (abs(dot(facing.along, b.normal)) > splat(k_clear)));
  }
  b.normal = select(off, Vec3W{}, b.normal);
  return off;
}

}  // namespace pliant
