// Distance: two particles keep their distance.
//
//   C(x) = |x_j - x_i| - L,   n = (x_j - x_i) / |x_j - x_i|,   dC/dx_j = n,   dC/dx_i = -n
//   dlam = -(C + a lam) / (w_i + w_j + a),  a = alpha / h^2,   dx = w dlam dC/dx
//
//   L rest length (m), alpha compliance (m/N), w inverse mass (1/kg), h substep (s), lam
//   multiplier; the force on x_j is lam n / h^2. Energy C^2 / (2 alpha). Frame: world; x = base +
//   d, of which only d moves. Source: Macklin, Mueller, Chentanez 2016, eq. 18.
#pragma once

#include <array>
#include <span>

#include "model/batches.h"

namespace pliant {

void refresh_bases(std::span<DistanceBatch> batches, const Vec4* base);
void refresh_bases(std::span<DistanceTriangleBatch> batches, const Vec4* base);
// One sweep. `multipliers` are null where a substep has only one sweep: they would all be zero.
void project(std::span<const DistanceBatch> batches, RealW* multipliers, Vec4* d, Real inv_h_sq);
// The edges 01, 12, 20 of each triangle, one after the other. Batches 2n and 2n + 1 must share no
// particle.
void project(std::span<const DistanceTriangleBatch> batches, std::array<RealW, 3>* multipliers,
             Vec4* d, Real inv_h_sq);
// Position based: the share `stiffness` of the way to C = 0, whatever the compliance.
void project_pbd(std::span<const DistanceBatch> batches, Vec4* d, Real stiffness);
void project_pbd(std::span<const DistanceTriangleBatch> batches, Vec4* d, Real stiffness);
double energy(std::span<const DistanceBatch> batches, const Vec4* d);          // J
double energy(std::span<const DistanceTriangleBatch> batches, const Vec4* d);  // J

// Of length / rest length.
struct Stretch {
  double max = 0, sum = 0;
  int count = 0;
  void add(double ratio);
};
void measure_stretch(std::span<const DistanceBatch> batches, const Vec4* d, Stretch& stretch);
void measure_stretch(std::span<const DistanceTriangleBatch> batches, const Vec4* d,
                     Stretch& stretch);

}  // namespace pliant
