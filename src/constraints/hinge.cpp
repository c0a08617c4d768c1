#include "constraints/hinge.h"

#include "constraints/guards.h"
#include "constraints/shift.h"
#include "math/wide_trig.h"

namespace pliant {
namespace {

constexpr Real k_pi = Real(3.14159265358979323846);
constexpr Real k_far = Real(2.5);  // rad; beyond, a full step may end on the other side
// A triangle whose double area is smaller than this part of its edge's square has no normal.
constexpr Real k_sliver = Real(1e-6);

void gather_all(const HingeBatch& b, const Vec4* array, Vec4W (&x)[4]) {
  for (std::size_t n = 0; n < 4; ++n) x[n] = gather(array, b.i[n].data());
}

struct Angle {
  RealW c;  // rad, theta - theta_0
  Vec3W gradient[4];
  MaskW sound;  // both triangles have a normal
};

// x_n - x_0 for n = 1..3.
Angle angle_of(const HingeBatch& b, const Vec4W (&d)[4]) {
  const Vec3W e = b.base[0] + (d[1].xyz() - d[0].xyz());
  const Vec3W r2 = b.base[1] + (d[2].xyz() - d[0].xyz());
  const Vec3W r3 = b.base[2] + (d[3].xyz() - d[0].xyz());
  const Vec3W na = cross(e, r2), nb = cross(r3, e);
  const RealW e_sq = dot(e, e), na_sq = dot(na, na), nb_sq = dot(nb, nb);
  const RealW least = splat(k_sliver * k_sliver) * e_sq * e_sq;
  Angle out;
  out.sound = (na_sq > least) & (nb_sq > least);
  const RealW length = sqrt(e_sq);
  const RealW one = splat(1);
  const RealW inv_length = one / select(out.sound, length, one);
  // atan2 takes the common factor |N_A| |N_B| of sine and cosine.
  const RealW theta = atan2(dot(cross(na, nb), e) * inv_length, dot(na, nb));
  RealW c = theta - b.rest;
  c = select(c > splat(k_pi), c - splat(2 * k_pi), c);
  out.c = select(c <= splat(-k_pi), c + splat(2 * k_pi), c);
  const Vec3W a = na * (one / select(out.sound, na_sq, one));
  const Vec3W o = nb * (one / select(out.sound, nb_sq, one));
  // Where along the edge the wings stand, as lengths from x_0.
  const RealW s2 = dot(r2, e) * inv_length, s3 = dot(r3, e) * inv_length;
  out.gradient[0] = (length - s2) * a + (length - s3) * o;
  out.gradient[1] = s2 * a + s3 * o;
  out.gradient[2] = -(length * a);
  out.gradient[3] = -(length * o);
  return out;
}

RealW weight_of(const Angle& angle, const Vec4W (&d)[4]) {
  RealW weight = splat(0);
  for (std::size_t n = 0; n < 4; ++n) weight += d[n].w * dot(angle.gradient[n], angle.gradient[n]);
  return weight;
}

void move_all(const HingeBatch& b, const Angle& angle, RealW dlam, Vec4W (&x)[4], Vec4* d) {
  for (std::size_t n = 0; n < 4; ++n) {
    shift(x[n], x[n].w * dlam, angle.gradient[n]);
    scatter(d, b.i[n].data(), x[n]);
  }
}

// What of a full step is taken: none without normals, half where it is far.
RealW share_of(const Angle& angle) {
  const RealW near = select(abs(angle.c) > splat(k_far), splat(Real(0.5)), splat(1));
  return select(angle.sound, near, splat(0));
}

HingeBatch& hinge_of(HingeBatch& b) { return b; }
HingeBatch& hinge_of(FoldBatch& b) { return b.hinge; }
const HingeBatch& hinge_of(const HingeBatch& b) { return b; }
const HingeBatch& hinge_of(const FoldBatch& b) { return b.hinge; }

template <class Batch>
void refresh(std::span<Batch> batches, const Vec4* base) {
  for (Batch& batch : batches) {
    HingeBatch& b = hinge_of(batch);
    Vec4W x[4];
    gather_all(b, base, x);
    for (std::size_t n = 0; n < 3; ++n) b.base[n] = x[n + 1].xyz() - x[0].xyz();
  }
}

template <class Batch>
void sweep(std::span<const Batch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  for (std::size_t n = 0; n < batches.size(); ++n) {
    const HingeBatch& b = hinge_of(batches[n]);
    Vec4W x[4];
    gather_all(b, d, x);
    const Angle angle = angle_of(b, x);
    const RealW a = b.compliance * inv_h_sq;
    RealW c = angle.c;
    if (multipliers != nullptr) c += a * multipliers[n];
    const RealW dlam = share_of(angle) * -c / max(weight_of(angle, x) + a, splat(k_tiny));
    if (multipliers != nullptr) multipliers[n] += dlam;
    move_all(b, angle, dlam, x, d);
  }
}

template <class Batch>
void sweep_pbd(std::span<const Batch> batches, Vec4* d, Real stiffness) {
  for (const Batch& batch : batches) {
    const HingeBatch& b = hinge_of(batch);
    Vec4W x[4];
    gather_all(b, d, x);
    const Angle angle = angle_of(b, x);
    const RealW c = share_of(angle) * angle.c * stiffness;
    move_all(b, angle, -c / max(weight_of(angle, x), splat(k_tiny)), x, d);
  }
}

template <class Batch>
double energy_of(std::span<const Batch> batches, const Vec4* d) {
  double sum = 0;
  for (const Batch& batch : batches) {
    const HingeBatch& b = hinge_of(batch);
    Vec4W x[4];
    gather_all(b, d, x);
    const Angle angle = angle_of(b, x);
    for (int k = 0; k < k_lanes; ++k)
      if (angle.sound[k] != 0 && b.compliance[k] > 0)
        sum += 0.5 * double(angle.c[k]) * double(angle.c[k]) / double(b.compliance[k]);
  }
  return sum;
}

}  // namespace

void refresh_bases(std::span<HingeBatch> batches, const Vec4* base) { refresh(batches, base); }
void refresh_bases(std::span<FoldBatch> batches, const Vec4* base) { refresh(batches, base); }

void project(std::span<const HingeBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  sweep(batches, multipliers, d, inv_h_sq);
}
void project(std::span<const FoldBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq) {
  sweep(batches, multipliers, d, inv_h_sq);
}

void project_pbd(std::span<const HingeBatch> batches, Vec4* d, Real stiffness) {
  sweep_pbd(batches, d, stiffness);
}
void project_pbd(std::span<const FoldBatch> batches, Vec4* d, Real stiffness) {
  sweep_pbd(batches, d, stiffness);
}

double energy(std::span<const HingeBatch> batches, const Vec4* d) { return energy_of(batches, d); }
double energy(std::span<const FoldBatch> batches, const Vec4* d) { return energy_of(batches, d); }

}  // namespace pliant
