// Taking hold of what a ray met.
#include <array>

#include "constraints/anchor.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {
namespace {

constexpr std::array<std::array<double, 3>, 3> k_corners{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

// The three corners of the triangle that was hit, as ends of an anchor.
std::array<AnchorPoint, 3> corners_of(const RayHit& hit) {
  std::array<AnchorPoint, 3> corners;
  for (std::size_t n = 0; n < 3; ++n) {
    if (hit.thing.kind == AnyId::Kind::cloth)
      corners[n] =
          ClothTrianglePoint{{hit.thing.index, hit.thing.generation}, hit.triangle, k_corners[n]};
    else
      corners[n] =
          SolidTrianglePoint{{hit.thing.index, hit.thing.generation}, hit.triangle, k_corners[n]};
  }
  return corners;
}

}  // namespace

// The end of an anchor that holds what was hit, and where that is now.
Result<World::Impl::Hold> World::Impl::hold_of(const RayHit& hit) {
  const AnchorContext context{0, state.deformables, &state.particles, &state.rigid, {}};
  if (hit.thing.kind == AnyId::Kind::body) {
    const BodyId body{hit.thing.index, hit.thing.generation};
    if (!bodies.valid(body)) return Error{"hit.thing", "no such thing in this world"};
    const std::size_t r = std::size_t(bodies[body]);
    const Quat turn = state.rigid.rotation[r];
    const Vec3 arm = rotate(conjugate(turn), hit.point - state.rigid.position[r]);
    return Hold{BodyPoint{body, arm + state.rigid.mass[r].centre}, hit.point};
  }
  if (hit.thing.kind == AnyId::Kind::none)
    return Error{"hit.thing", "is nothing; accepted: what a ray has met"};
  Hold best;
  double nearest = 1e300;
  for (const AnchorPoint& corner : corners_of(hit)) {
    const Result<AnchorSide> side = anchor_side(corner, "hit");
    if (!side) return side.error();
    const Vec3 place = anchor_place(context, side.value());
    if (const double d = length_sq(place - hit.point); d < nearest) {
      nearest = d;
      best = {corner, place};
    }
  }
  return best;
}

Result<AnchorId> World::drag(const RayHit& hit, const DragDef& def) {
  if (!(def.stiffness >= 0))
    return Error{"stiffness",
                 "found " + std::to_string(def.stiffness) + " N/m; accepted: 0 or more"};
  const Result<Impl::Hold> hold = impl_->hold_of(hit);
  if (!hold) return hold.error();
  return add_anchor({.name = {},
                     .a = hold.value().end,
                     .b = WorldPoint{hold.value().place},
                     .compliance = def.stiffness > 0 ? 1 / def.stiffness : 0,
                     .max_force = def.max_force});
}

}  // namespace PLIANT_ABI
}  // namespace pliant
