// Signed distance of a point in a shape's frame from its surface, negative inside, exact on both
// sides, and its gradient (a unit vector, also where the distance has a crease: then one of the
// possible ones, always the same).
#pragma once

#include "geometry/shape.h"

namespace pliant {

// The shape's numbers in the scalar of the caller.
template <class T>
struct ShapeNumbers {
  ShapeKind kind = ShapeKind::sphere;
  Vec3T<T> half;
  T radius = 0;
  std::int32_t item = 0;            // which triangle of a mesh
  const ShapeData* data = nullptr;  // of the kinds that have one
};
template <class T>
ShapeNumbers<T> shape_numbers(const ConvexShape& shape) {
  return {shape.kind, cast<T>(shape.half), T(shape.radius), 0, shape.data.get()};
}

inline ShapeNumbers<double> widen_numbers(const ShapeNumbers<float>& s) {
  return {s.kind, cast<double>(s.half), double(s.radius), s.item, s.data};
}
inline ShapeNumbers<double> widen_numbers(const ShapeNumbers<double>& s) { return s; }

// Distance to a box with half sides `half`; those of a point or a segment may be zero.
template <class T>
T box_distance(const Vec3T<T>& half, const Vec3T<T>& p, Vec3T<T>& gradient) {
  const Vec3T<T> size{p.x < 0 ? -p.x : p.x, p.y < 0 ? -p.y : p.y, p.z < 0 ? -p.z : p.z};
  const Vec3T<T> q = size - half;
  const Vec3T<T> side{T(p.x < 0 ? -1 : 1), T(p.y < 0 ? -1 : 1), T(p.z < 0 ? -1 : 1)};
  const Vec3T<T> out{q.x > 0 ? q.x : T(0), q.y > 0 ? q.y : T(0), q.z > 0 ? q.z : T(0)};
  const T squared = dot(out, out);
  if (squared > T(1e-30)) {  // below, the root of a denormal would spoil the direction
    const T d = std::sqrt(squared);
    gradient = scaled(out / d, side);
    return d;
  }
  const int axis = q.y >= q.x && q.y >= q.z ? 1 : q.x >= q.z ? 0 : 2;
  gradient = {};
  gradient[axis] = side[axis];
  return q[axis];
}

// m: halfway to where the distance to the surface turns round inside the shape, at its thinnest.
double deepest_inside(const ShapeNumbers<double>& shape);
// Of the kinds after the half-space, in double whatever the caller's scalar is.
double general_distance(const ShapeNumbers<double>& shape, const Vec3& p, Vec3& gradient);

template <class T>
T signed_distance(const ShapeNumbers<T>& shape, const Vec3T<T>& p, Vec3T<T>& gradient) {
  if (shape.kind == ShapeKind::half_space) {
    gradient = {0, 1, 0};
    return p.y;
  }
  if (!is_simple(shape.kind)) {
    Vec3 g;
    const double d = general_distance(widen_numbers(shape), cast<double>(p), g);
    gradient = cast<T>(g);
    return T(d);
  }
  if (shape.kind == ShapeKind::capsule) {
    const T h = shape.half.y;
    const T y = p.y > h ? p.y - h : p.y < -h ? p.y + h : T(0);
    const Vec3T<T> d{p.x, y, p.z};
    const T l = length(d);
    // On the axis every direction across it is right.
    gradient = l > 0 ? d / l : Vec3T<T>{1, 0, 0};
    return l - shape.radius;
  }
  return box_distance(shape.half, p, gradient) - shape.radius;
}

}  // namespace pliant
