// 3 x 3 matrices eight at once, by columns, and their polar decomposition.
#pragma once

#include "math/wide.h"

namespace pliant {

struct Mat3W {
  Vec3W c[3];
};
// Symmetric.
struct Sym3W {
  RealW xx, xy, xz, yy, yz, zz;
};

inline Mat3W operator+(const Mat3W& a, const Mat3W& b) {
  return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
}
inline Mat3W operator-(const Mat3W& a, const Mat3W& b) {
  return {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}
inline Mat3W operator*(const Mat3W& a, RealW s) { return {{a.c[0] * s, a.c[1] * s, a.c[2] * s}}; }
inline Sym3W operator+(const Sym3W& a, const Sym3W& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
inline Sym3W operator-(const Sym3W& a, const Sym3W& b) {
  return {a.xx - b.xx, a.xy - b.xy, a.xz - b.xz, a.yy - b.yy, a.yz - b.yz, a.zz - b.zz};
}
inline Sym3W operator*(const Sym3W& a, RealW s) {
  return {a.xx * s, a.xy * s, a.xz * s, a.yy * s, a.yz * s, a.zz * s};
}
inline Sym3W entrywise(const Sym3W& a, const Sym3W& b) {
  return {a.xx * b.xx, a.xy * b.xy, a.xz * b.xz, a.yy * b.yy, a.yz * b.yz, a.zz * b.zz};
}
inline Vec3W entrywise(const Vec3W& a, const Vec3W& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline RealW dot(const Sym3W& a, const Sym3W& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}
inline Sym3W cofactors(const Sym3W& m) {
  return {m.yy * m.zz - m.yz * m.yz, m.yz * m.xz - m.xy * m.zz, m.xy * m.yz - m.yy * m.xz,
          m.xx * m.zz - m.xz * m.xz, m.xy * m.xz - m.xx * m.yz, m.xx * m.yy - m.xy * m.xy};
}
inline Mat3W operator*(const Mat3W& a, const Sym3W& b) {
  return {{a.c[0] * b.xx + a.c[1] * b.xy + a.c[2] * b.xz,
           a.c[0] * b.xy + a.c[1] * b.yy + a.c[2] * b.yz,
           a.c[0] * b.xz + a.c[1] * b.yz + a.c[2] * b.zz}};
}
inline Vec3W operator*(const Sym3W& a, const Vec3W& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
// The sum of the products of all entries.
inline RealW dot(const Mat3W& a, const Mat3W& b) {
  return dot(a.c[0], b.c[0]) + dot(a.c[1], b.c[1]) + dot(a.c[2], b.c[2]);
}
inline Sym3W select(MaskW m, const Sym3W& a, const Sym3W& b) {
  return {select(m, a.xx, b.xx), select(m, a.xy, b.xy), select(m, a.xz, b.xz),
          select(m, a.yy, b.yy), select(m, a.yz, b.yz), select(m, a.zz, b.zz)};
}
// The symmetric part of A^T B.
inline Sym3W symmetric_product(const Mat3W& a, const Mat3W& b) {
  const RealW half = splat(Real(0.5));
  return {dot(a.c[0], b.c[0]),
          half * (dot(a.c[0], b.c[1]) + dot(a.c[1], b.c[0])),
          half * (dot(a.c[0], b.c[2]) + dot(a.c[2], b.c[0])),
          dot(a.c[1], b.c[1]),
          half * (dot(a.c[1], b.c[2]) + dot(a.c[2], b.c[1])),
          dot(a.c[2], b.c[2])};
}
inline Mat3W select(MaskW m, const Mat3W& a, const Mat3W& b) {
  return {{select(m, a.c[0], b.c[0]), select(m, a.c[1], b.c[1]), select(m, a.c[2], b.c[2])}};
}
inline Mat3W identity3() {
  const RealW one = splat(1), zero = splat(0);
  return {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}
// The matrix of cofactors, which is the derivative of the determinant: det m = c[0] . cof.c[0].
inline Mat3W cofactors(const Mat3W& m) {
  return {{cross(m.c[1], m.c[2]), cross(m.c[2], m.c[0]), cross(m.c[0], m.c[1])}};
}
// M^T M, the products of the columns.
inline Sym3W gram(const Mat3W& m) {
  return {dot(m.c[0], m.c[0]), dot(m.c[0], m.c[1]), dot(m.c[0], m.c[2]),
          dot(m.c[1], m.c[1]), dot(m.c[1], m.c[2]), dot(m.c[2], m.c[2])};
}
// Of a symmetric matrix whose pivots are `floor` at least; where rounding takes them below, floor.
Sym3W inverse(const Sym3W& m, RealW floor);

// The proper rotation nearest to F, det R = +1 also where F is flat or mirrored: it maximises
// R : F, where x = R : F is the greatest root of (x^2 - |F|^2)^2 = 4 |cof F|^2 + 8 x det F and R
// its derivative. Where F is mirrored and two stretches are alike, or F has no size, many rotations
// are nearest and it takes one of them. Source: Lin, Chitalu, Komura 2022, Isotropic ARAP energy
// using Cauchy-Green invariants.
Mat3W nearest_rotation(const Mat3W& f);

}  // namespace pliant
