#include "math/wide_mat3.h"

#include "math/wide_rotation.h"

namespace pliant {
namespace {

// From above; near rest two or three do, and at a double root each halves the error.
constexpr int k_newton_steps = sizeof(Real) == 4 ? 16 : 40;
constexpr Real k_rounding = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-14);
constexpr Real k_smallest = Real(1e-18);  // its square is a float
// Below this slope the rotation is not known from F in this precision.
constexpr Real k_gap = sizeof(Real) == 4 ? Real(1e-3) : Real(1e-6);

// The greatest root of p(x) = (x^2 - 1)^2 - 8 x det - 4 cof_sq, from above, where p is convex.
struct Root {
  RealW cof_sq, det, x = splat(Real(1.7320508075688772));
  bool moves = true;
};

// One step of Newton's method, of one that has not come to rest.
[[gnu::always_inline]] inline void approach(Root& r) {
  const RealW y = r.x * r.x - 1;
  const RealW p = y * y - 8 * r.x * r.det - 4 * r.cof_sq;
  const RealW slope = 4 * r.x * y - 8 * r.det;
  const RealW step = select(slope > 0, p / select(slope > 0, slope, splat(1)), splat(0));
  const RealW next = r.x - max(step, splat(0));
  const bool moves = any(r.x - next > splat(k_rounding));
  if (r.moves) r.x = next;
  r.moves = r.moves && moves;
}

// The derivative of the root, of a matrix of size 1; `weak` where the slope is too small to tell.
[[gnu::always_inline]] inline Mat3W derivative_of(RealW x, RealW det, const Mat3W& cof,
                                                  const Mat3W& f, MaskW& weak) {
  const RealW y = x * x - 1;
  const RealW slope = 4 * x * y - 8 * det;
  weak = !(slope > splat(k_gap));
  const RealW inv = splat(1) / select(weak, splat(1), slope);
  return (f * (4 * y + 8) + cof * (8 * x) - f * gram(f) * splat(8)) * inv;
}

Mat3W derivative_of_root(const Mat3W& f, MaskW& weak) {
  const Mat3W cof = cofactors(f);
  Root root{dot(cof, cof), dot(f.c[0], cof.c[0])};
  for (int n = 0; n < k_newton_steps && root.moves; ++n) approach(root);
  return derivative_of(root.x, root.det, cof, f, weak);
}

// Of size 1, or 0 where it is that already.
Mat3W of_size_one(const Mat3W& f) {
  return f * (splat(1) / max(sqrt(dot(f, f)), splat(k_smallest)));
}

// A proper rotation whatever r is. A small error of r turns it a little, and the stretch R^T F only
// by the square of that.
Mat3W orthonormal(const Mat3W& r) {
  const RealW tiny = splat(k_rounding);
  const Vec3W a = r.c[0] * (splat(1) / max(sqrt(dot(r.c[0], r.c[0])), tiny));
  const Vec3W across = r.c[1] - a * dot(a, r.c[1]);
  const Vec3W b = across * (splat(1) / max(sqrt(dot(across, across)), tiny));
  return {{a, b, cross(a, b)}};
}

// Makes a choice where F leaves it open: any matrix will do that is not special itself.
Mat3W disturbed(const Mat3W& f) {
  const RealW e = splat(Real(0.05));
  const auto column = [&](Real x, Real y, Real z) { return Vec3W{e * x, e * y, e * z}; };
  return f + Mat3W{{column(Real(0.93), Real(0.17), Real(-0.31)),
                    column(Real(-0.23), Real(0.87), Real(0.41)),
                    column(Real(0.37), Real(-0.29), Real(0.79))}};
}

}  // namespace

// L D L^T, then L^-T D^-1 L^-1.
Sym3W inverse(const Sym3W& m, RealW floor) {
  const RealW one = splat(1);
  const RealW i0 = one / max(m.xx, floor);
  const RealW l1 = m.xy * i0, l2 = m.xz * i0;
  const RealW i1 = one / max(m.yy - l1 * m.xy, floor);
  const RealW u = m.yz - l1 * m.xz;
  const RealW l3 = u * i1;
  const RealW i2 = one / max(m.zz - l2 * m.xz - l3 * u, floor);
  const RealW k = l1 * l3 - l2;  // of the last row of L^-1: k, -l3, 1
  return {i0 + l1 * l1 * i1 + k * k * i2,
          -l1 * i1 - k * l3 * i2,
          k * i2,
          i1 + l3 * l3 * i2,
          -l3 * i2,
          i2};
}

namespace {

// Where the root does not tell, that of a matrix near by does.
void replace_weak(const Mat3W& f, MaskW weak, Mat3W& r) {
  if (!any(weak)) return;
  MaskW lost;
  const Mat3W other = derivative_of_root(of_size_one(disturbed(f)), lost);
  r = select(weak, select(lost, identity3(), other), r);
}

}  // namespace

Mat3W nearest_rotation(const Mat3W& matrix) {
  const Mat3W f = of_size_one(matrix);
  MaskW weak;
  Mat3W r = derivative_of_root(f, weak);
  replace_weak(f, weak, r);
  return orthonormal(r);
}

void nearest_rotations(const Mat3W& first, const Mat3W& second, Mat3W& of_first, Mat3W& of_second) {
  const Mat3W f = of_size_one(first), g = of_size_one(second);
  const Mat3W cof_f = cofactors(f), cof_g = cofactors(g);
  Root a{dot(cof_f, cof_f), dot(f.c[0], cof_f.c[0])}, b{dot(cof_g, cof_g), dot(g.c[0], cof_g.c[0])};
  for (int n = 0; n < k_newton_steps && (a.moves || b.moves); ++n) approach(a), approach(b);
  MaskW weak_f, weak_g;
  of_first = derivative_of(a.x, a.det, cof_f, f, weak_f);
  of_second = derivative_of(b.x, b.det, cof_g, g, weak_g);
  replace_weak(f, weak_f, of_first);
  replace_weak(g, weak_g, of_second);
  of_first = orthonormal(of_first);
  of_second = orthonormal(of_second);
}

}  // namespace pliant
