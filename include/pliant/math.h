// Vectors, quaternions and matrices as plain structs. Definitions and queries are in double: they
// cost nothing there. What the solver streams is in Real (see real.h) and comes out as Vec4 spans.
#pragma once

#include <cmath>

namespace pliant {

template <class T>
struct Vec3T {
  T x = 0, y = 0, z = 0;

  constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  constexpr Vec3T operator-() const { return {-x, -y, -z}; }
  constexpr Vec3T& operator+=(const Vec3T& b) { return *this = {x + b.x, y + b.y, z + b.z}; }
  constexpr Vec3T& operator-=(const Vec3T& b) { return *this = {x - b.x, y - b.y, z - b.z}; }
  constexpr Vec3T& operator*=(T s) { return *this = {x * s, y * s, z * s}; }
  constexpr bool operator==(const Vec3T&) const = default;
};

template <class T>
constexpr Vec3T<T> operator+(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
constexpr Vec3T<T> operator-(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
constexpr Vec3T<T> operator*(const Vec3T<T>& a, T s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
constexpr Vec3T<T> operator*(T s, const Vec3T<T>& a) {
  return a * s;
}
template <class T>
constexpr Vec3T<T> operator/(const Vec3T<T>& a, T s) {
  return {a.x / s, a.y / s, a.z / s};
}
template <class T>
constexpr T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
constexpr Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
constexpr T length_sq(const Vec3T<T>& a) {
  return dot(a, a);
}
template <class T>
T length(const Vec3T<T>& a) {
  return std::sqrt(dot(a, a));
}
template <class T>
Vec3T<T> normalized(const Vec3T<T>& a) {
  const T l = length(a);
  return l > 0 ? a / l : Vec3T<T>{};
}
template <class T>
constexpr Vec3T<T> min(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
template <class T>
constexpr Vec3T<T> max(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}
template <class T>
constexpr Vec3T<T> scaled(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}
template <class T>
bool finite(const Vec3T<T>& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}
// A unit vector perpendicular to the unit vector n; the same choice on every machine.
template <class T>
Vec3T<T> any_perpendicular(const Vec3T<T>& n) {
  const Vec3T<T> axis = (n.x < 0 ? -n.x : n.x) < T(0.57735) ? Vec3T<T>{1, 0, 0} : Vec3T<T>{0, 1, 0};
  return normalized(cross(n, axis));
}

// Unit quaternion x i + y j + z k + w; rotates a vector of the body frame into the world.
template <class T>
struct QuatT {
  T x = 0, y = 0, z = 0, w = 1;
  constexpr bool operator==(const QuatT&) const = default;
};
template <class T>
constexpr QuatT<T> operator*(const QuatT<T>& a, const QuatT<T>& b) {
  return {
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
template <class T>
constexpr QuatT<T> conjugate(const QuatT<T>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}
template <class T>
QuatT<T> normalized(const QuatT<T>& q) {
  const T l = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return l > 0 ? QuatT<T>{q.x / l, q.y / l, q.z / l, q.w / l} : QuatT<T>{};
}
template <class T>
constexpr Vec3T<T> rotate(const QuatT<T>& q, const Vec3T<T>& v) {
  const Vec3T<T> u{q.x, q.y, q.z};
  const Vec3T<T> t = T(2) * cross(u, v);
  return v + q.w * t + cross(u, t);
}
template <class T>
constexpr Vec3T<T> rotate_inverse(const QuatT<T>& q, const Vec3T<T>& v) {
  return rotate(conjugate(q), v);
}

// Row-major 3x3 matrix.
template <class T>
struct Mat3T {
  Vec3T<T> row[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};
template <class T>
constexpr Vec3T<T> operator*(const Mat3T<T>& m, const Vec3T<T>& v) {
  return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
}
template <class T>
constexpr Mat3T<T> transposed(const Mat3T<T>& m) {
  return {{{m.row[0].x, m.row[1].x, m.row[2].x},
           {m.row[0].y, m.row[1].y, m.row[2].y},
           {m.row[0].z, m.row[1].z, m.row[2].z}}};
}
template <class T>
constexpr Mat3T<T> operator*(const Mat3T<T>& a, const Mat3T<T>& b) {
  const Mat3T<T> t = transposed(b);
  return {{{dot(a.row[0], t.row[0]), dot(a.row[0], t.row[1]), dot(a.row[0], t.row[2])},
           {dot(a.row[1], t.row[0]), dot(a.row[1], t.row[1]), dot(a.row[1], t.row[2])},
           {dot(a.row[2], t.row[0]), dot(a.row[2], t.row[1]), dot(a.row[2], t.row[2])}}};
}
template <class T>
constexpr Mat3T<T> to_matrix(const QuatT<T>& q) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
           {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
           {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}}};
}
template <class T>
constexpr T determinant(const Mat3T<T>& m) {
  return dot(m.row[0], cross(m.row[1], m.row[2]));
}
// Inverse by cofactors; the caller makes sure that the determinant is not zero.
template <class T>
constexpr Mat3T<T> inverse(const Mat3T<T>& m) {
  const Vec3T<T> c0 = cross(m.row[1], m.row[2]);
  const Vec3T<T> c1 = cross(m.row[2], m.row[0]);
  const Vec3T<T> c2 = cross(m.row[0], m.row[1]);
  const T s = T(1) / dot(m.row[0], c0);
  return transposed(Mat3T<T>{{c0 * s, c1 * s, c2 * s}});
}

using Vec3 = Vec3T<double>;
using Vec3f = Vec3T<float>;
using Quat = QuatT<double>;
using Mat3 = Mat3T<double>;

template <class T, class S>
constexpr Vec3T<T> cast(const Vec3T<S>& v) {
  return {T(v.x), T(v.y), T(v.z)};
}
template <class T, class S>
constexpr QuatT<T> cast(const QuatT<S>& q) {
  return {T(q.x), T(q.y), T(q.z), T(q.w)};
}

// A rigid placement: world = position + rotate(rotation, local).
struct Transform {
  Vec3 position;
  Quat rotation;
};
constexpr Vec3 to_world(const Transform& t, const Vec3& local) {
  return t.position + rotate(t.rotation, local);
}
constexpr Vec3 to_local(const Transform& t, const Vec3& world) {
  return rotate_inverse(t.rotation, world - t.position);
}

}  // namespace pliant
