// geometry/shape_distance.h for eight points at once.
#pragma once

#include "geometry/shape_distance.h"
#include "math/wide.h"

namespace pliant {

// A rotation as the uniform matrix of eight points; rows are the frame's axes in world axes, so
// `to_local` takes world vectors into the frame.
struct FrameW {
  Vec3T<Real> axis[3];
};
inline FrameW make_frame(const Quat& rotation) {
  const Mat3 m = transposed(to_matrix(rotation));
  return {{cast<Real>(m.row[0]), cast<Real>(m.row[1]), cast<Real>(m.row[2])}};
}
inline Vec3W to_local(const FrameW& f, const Vec3W& v) {
  const auto along = [&](const Vec3T<Real>& a) { return a.x * v.x + a.y * v.y + a.z * v.z; };
  return {along(f.axis[0]), along(f.axis[1]), along(f.axis[2])};
}
inline Vec3W to_world(const FrameW& f, const Vec3W& v) {
  const auto &a = f.axis[0], &b = f.axis[1], &c = f.axis[2];
  return {a.x * v.x + b.x * v.y + c.x * v.z, a.y * v.x + b.y * v.y + c.y * v.z,
          a.z * v.x + b.z * v.y + c.z * v.z};
}

// One after the other.
RealW lane_distances(const ShapeNumbers<Real>& shape, const Vec3W& p, Vec3W& gradient);

// The path of a box for a sphere, without what has no sides there: the same bits. The middle is
// left upwards or downwards.
inline RealW sphere_distance(Real radius, const Vec3W& p, Vec3W& gradient) {
  const RealW zero = splat(0), one = splat(1);
  const RealW squared = dot(p, p), d = sqrt(squared);
  const MaskW outside = squared > Real(1e-30);
  const RealW inverse = one / select(outside, d, one);
  gradient = {select(outside, p.x * inverse, zero),
              select(outside, p.y * inverse, select(p.y < 0, -one, one)),
              select(outside, p.z * inverse, zero)};
  return d - radius;
}

// Signed distance and gradient (unit); a capsule is a box with height alone, grown by its radius.
inline RealW signed_distance(const ShapeNumbers<Real>& shape, const Vec3W& p, Vec3W& gradient) {
  const RealW zero = splat(0), one = splat(1);
  if (shape.kind == ShapeKind::half_space) {
    gradient = {zero, one, zero};
    return p.y;
  }
  if (shape.kind == ShapeKind::sphere) return sphere_distance(shape.radius, p, gradient);
  if (!is_simple(shape.kind)) return lane_distances(shape, p, gradient);
  const Vec3W q{abs(p.x) - shape.half.x, abs(p.y) - shape.half.y, abs(p.z) - shape.half.z};
  const Vec3W side{select(p.x < 0, -one, one), select(p.y < 0, -one, one),
                   select(p.z < 0, -one, one)};
  const Vec3W out{max(q.x, zero), max(q.y, zero), max(q.z, zero)};
  const RealW squared = dot(out, out);
  const MaskW outside = squared > Real(1e-30);
  const RealW d = sqrt(squared);
  const RealW inverse = one / select(outside, d, one);
  // Inside: the nearest face, y before x before z.
  const MaskW y_face = (q.y >= q.x) & (q.y >= q.z);
  const MaskW x_face = ~y_face & (q.x >= q.z);
  const MaskW z_face = ~(y_face | x_face);
  gradient = {side.x * select(outside, out.x * inverse, select(x_face, one, zero)),
              side.y * select(outside, out.y * inverse, select(y_face, one, zero)),
              side.z * select(outside, out.z * inverse, select(z_face, one, zero))};
  return select(outside, d, max(max(q.x, q.y), q.z)) - shape.radius;
}

}  // namespace pliant
