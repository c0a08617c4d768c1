#include "constraints/strain.h"

#include <cmath>

#include "constraints/guards.h"
#include "constraints/shift.h"

namespace pliant {
namespace {

constexpr Real k_greatest_change = Real(0.5);  // of the deformation gradient in one step
// Keeps position based rows apart where a triangle has lost a direction.
constexpr Real k_regular = Real(1e-6);

struct Corners {
  Vec4W x[3];
  RealW a[3], b[3];  // 1/m
  Vec3W fu, fv;
};

Corners corners_of(const StrainBatch& batch, const Vec4* d) {
  Corners c;
  for (std::size_t n = 0; n < 3; ++n) c.x[n] = gather(d, batch.i[n].data());
  const Vec3W e0 = batch.base[0] + (c.x[0].xyz() - c.x[2].xyz());
  const Vec3W e1 = batch.base[1] + (c.x[1].xyz() - c.x[2].xyz());
  for (std::size_t n = 0; n < 2; ++n) {
    c.a[n] = batch.weft[n];
    c.b[n] = batch.warp[n];
  }
  c.a[2] = -(batch.weft[0] + batch.weft[1]);
  c.b[2] = -(batch.warp[0] + batch.warp[1]);
  c.fu = e0 * c.a[0] + e1 * c.a[1];
  c.fv = e0 * c.b[0] + e1 * c.b[1];
  return c;
}

// Products of the deformation gradient, and of its weights with the inverse masses.
struct Products {
  RealW uu, vv, uv;     // f_u.f_u, f_v.f_v, f_u.f_v
  RealW saa, sbb, sab;  // 1 / (kg m2)
};
Products products_of(const Corners& c) {
  Products p{dot(c.fu, c.fu), dot(c.fv, c.fv), dot(c.fu, c.fv), splat(0), splat(0), splat(0)};
  for (std::size_t n = 0; n < 3; ++n) {
    const RealW wa = c.x[n].w * c.a[n], wb = c.x[n].w * c.b[n];
    p.saa += wa * c.a[n];
    p.sbb += wb * c.b[n];
    p.sab += wa * c.b[n];
  }
  return p;
}

Vec3W strain_of(const Products& p) {
  const RealW half = splat(Real(0.5));
  return {half * (p.uu - 1), half * (p.vv - 1), p.uv};
}

// Symmetric: the rows of J W J^T.
struct Matrix {
  RealW m00, m01, m02, m11, m12, m22;
};
Matrix weights_of(const Products& p) {
  return {p.saa * p.uu,
          p.sab * p.uv,
          p.saa * p.uv + p.sab * p.uu,
          p.sbb * p.vv,
          p.sab * p.vv + p.sbb * p.uv,
          p.saa * p.vv + 2 * p.sab * p.uv + p.sbb * p.uu};
}

// By L D L^T; a row without weight takes no part.
Vec3W solve(const Matrix& m, const Vec3W& r) {
  const RealW one = splat(1), tiny = splat(k_tiny);
  const RealW i0 = one / max(m.m00, tiny);
  const RealW l1 = m.m01 * i0, l2 = m.m02 * i0;
  const RealW i1 = one / max(m.m11 - l1 * m.m01, tiny);
  const RealW u12 = m.m12 - l1 * m.m02;
  const RealW l3 = u12 * i1;
  const RealW i2 = one / max(m.m22 - l2 * m.m02 - l3 * u12, tiny);
  const RealW y1 = r.y - l1 * r.x;
  const RealW z = (r.z - l2 * r.x - l3 * y1) * i2;
  const RealW y = y1 * i1 - l3 * z;
  return {r.x * i0 - l1 * y - l2 * z, y, z};
}

// How much dlam changes the deformation gradient: df_u = f_u g + f_v k, df_v = f_u m + f_v q.
RealW change_sq(const Products& p, const Vec3W& l) {
  const RealW g = p.saa * l.x + p.sab * l.z, k = p.sab * l.y + p.saa * l.z;
  const RealW m = p.sab * l.x + p.sbb * l.z, q = p.sbb * l.y + p.sab * l.z;
  return (g * g + m * m) * p.uu + 2 * (g * k + m * q) * p.uv + (k * k + q * q) * p.vv;
}

Vec3W limited(const Products& p, const Vec3W& dlam) {
  const RealW sq = change_sq(p, dlam);
  const MaskW far = sq > splat(k_greatest_change * k_greatest_change);
  if (!any(far)) return dlam;
  return dlam * select(far, splat(k_greatest_change) / sqrt(max(sq, splat(k_tiny))), splat(1));
}

void move_all(const StrainBatch& batch, Corners& c, const Vec3W& dlam, Vec4* d) {
  // dx_i = w_i (a_i p + b_i q)
  const Vec3W p = c.fu * dlam.x + c.fv * dlam.z, q = c.fv * dlam.y + c.fu * dlam.z;
  for (std::size_t n = 0; n < 3; ++n) {
    shift(c.x[n], c.x[n].w, p * c.a[n] + q * c.b[n]);
    scatter(d, batch.i[n].data(), c.x[n]);
  }
}

}  // namespace

void refresh_bases(std::span<StrainBatch> batches, const Vec4* base) {
  for (StrainBatch& b : batches) {
    const Vec3W last = gather(base, b.i[2].data()).xyz();
    b.base = {gather(base, b.i[0].data()).xyz() - last, gather(base, b.i[1].data()).xyz() - last};
  }
}

void project(std::span<const StrainBatch> batches, Vec3W* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const StrainBatch& b = batches[n];
    Corners c = corners_of(b, d);
    const Products p = products_of(c);
    const RealW su = b.weft_compliance * inv_h_sq, sv = b.warp_compliance * inv_h_sq,
                sx = b.cross_compliance * inv_h_sq, sg = b.shear_compliance * inv_h_sq;
    Vec3W r = -strain_of(p);
    if (multipliers != nullptr) {
      const Vec3W& l = multipliers[n];
      r = r - Vec3W{su * l.x + sx * l.y, sx * l.x + sv * l.y, sg * l.z};
    }
    Matrix m = weights_of(p);
    m.m00 += su;
    m.m01 += sx;
    m.m11 += sv;
    m.m22 += sg;
    const Vec3W dlam = limited(p, solve(m, r));
    if (multipliers != nullptr) multipliers[n] = multipliers[n] + dlam;
    move_all(b, c, dlam, d);
  }
}

void project_pbd(std::span<const StrainBatch> batches, Vec4* d, Real stiffness) {
  for (const StrainBatch& b : batches) {
    Corners c = corners_of(b, d);
    const Products p = products_of(c);
    Matrix m = weights_of(p);
    const RealW regular = k_regular * (p.saa + p.sbb);
    m.m00 += regular;
    m.m11 += regular;
    m.m22 += regular;
    move_all(b, c, limited(p, solve(m, -strain_of(p) * splat(stiffness))), d);
  }
}

void limit_stretch(std::span<const StrainBatch> batches, Vec4* d, Real limit) {
  const RealW limit_sq = splat(limit * limit), half = splat(Real(0.5));
  for (const StrainBatch& b : batches) {
    Corners c = corners_of(b, d);
    const RealW uu = dot(c.fu, c.fu), vv = dot(c.fv, c.fv), uv = dot(c.fu, c.fv);
    const RealW mean = half * (uu + vv), difference = half * (uu - vv);
    const RealW radius = sqrt(difference * difference + uv * uv);
    const RealW greatest = mean + radius;  // its square root is the principal stretch
    const MaskW taut = greatest > limit_sq;
    if (!any(taut)) continue;
    // The principal direction, from the better conditioned of its two forms.
    const MaskW along_u = difference > 0;
    RealW nu = select(along_u, radius + difference, uv);
    RealW nv = select(along_u, uv, radius - difference);
    const RealW size = sqrt(nu * nu + nv * nv);
    const MaskW round = size <= splat(k_tiny);  // stretched alike in all directions
    const RealW inv = splat(1) / select(round, splat(1), size);
    nu = select(round, splat(1), nu * inv);
    nv = select(round, splat(0), nv * inv);
    const Vec3W f = c.fu * nu + c.fv * nv;
    RealW s[3] = {c.a[0] * nu + c.b[0] * nv, c.a[1] * nu + c.b[1] * nv, splat(0)};
    s[2] = -(s[0] + s[1]);  // exactly, for momentum
    RealW weight = splat(0);
    for (std::size_t n = 0; n < 3; ++n) weight += c.x[n].w * s[n] * s[n];
    // f <- f m / |f|: dx_i = w_i s_i f (m / |f| - 1) / weight.
    const RealW shrink = select(taut, limit / sqrt(max(greatest, splat(k_tiny))) - 1, splat(0)) /
                         max(weight, splat(k_tiny));
    for (std::size_t n = 0; n < 3; ++n) {
      shift(c.x[n], c.x[n].w * s[n] * shrink, f);
      scatter(d, b.i[n].data(), c.x[n]);
    }
  }
}

void measure_stretch(std::span<const StrainBatch> batches, const Vec4* d, Stretch& stretch) {
  for (const StrainBatch& b : batches) {
    const Vec3W x2 = gather(d, b.i[2].data()).xyz();
    const Vec3W e0 = b.base[0] + (gather(d, b.i[0].data()).xyz() - x2);
    const Vec3W e1 = b.base[1] + (gather(d, b.i[1].data()).xyz() - x2);
    const RealW now0 = dot(e0, e0), now1 = dot(e1, e1), now2 = dot(e1 - e0, e1 - e0);
    for (int k = 0; k < k_lanes; ++k) {
      if (b.i[0][std::size_t(k)] == b.i[1][std::size_t(k)]) continue;
      // The rest edges are the inverse of what the batch holds.
      const double a0 = double(b.weft[0][k]), a1 = double(b.weft[1][k]);
      const double b0 = double(b.warp[0][k]), b1 = double(b.warp[1][k]);
      const double det = a0 * b1 - a1 * b0;
      const double u[2] = {b1 / det, -b0 / det}, v[2] = {-a1 / det, a0 / det};
      const double du = u[1] - u[0], dv = v[1] - v[0];
      const double rest[3] = {u[0] * u[0] + v[0] * v[0], u[1] * u[1] + v[1] * v[1],
                              du * du + dv * dv};
      const double now[3] = {double(now0[k]), double(now1[k]), double(now2[k])};
      for (std::size_t e = 0; e < 3; ++e) stretch.add(std::sqrt(now[e] / rest[e]));
    }
  }
}

double energy(std::span<const StrainBatch> batches, const Vec4* d) {
  double sum = 0;
  for (const StrainBatch& b : batches) {
    const Vec3W c = strain_of(products_of(corners_of(b, d)));
    for (int k = 0; k < k_lanes; ++k) {
      const double u = double(c.x[k]), v = double(c.y[k]), g = double(c.z[k]);
      const double su = double(b.weft_compliance[k]), sv = double(b.warp_compliance[k]),
                   sx = double(b.cross_compliance[k]), sg = double(b.shear_compliance[k]);
      const double det = su * sv - sx * sx;
      if (b.i[0][std::size_t(k)] == b.i[1][std::size_t(k)] || !(det > 0)) continue;
      sum += 0.5 * ((sv * u * u - 2 * sx * u * v + su * v * v) / det + g * g / sg);
    }
  }
  return sum;
}

}  // namespace pliant
