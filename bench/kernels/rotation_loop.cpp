#include "bench/kernels/rotation_loop.h"

#include <pliant/math.h>
#include <vector>

#include "math/wide_mat3.h"
#include "model/batches.h"

namespace pliant::bench {
namespace {

double entry(const Mat3W& m, std::size_t row, std::size_t column, int lane) {
  const Vec3W& c = m.c[column];
  return double(row == 0 ? c.x[lane] : row == 1 ? c.y[lane] : c.z[lane]);
}

std::array<double, 9> rows_of(const Mat3W& m, int lane) {
  std::array<double, 9> out;
  for (std::size_t k = 0; k < 9; ++k) out[k] = entry(m, k / 3, k % 3, lane);
  return out;
}

}  // namespace

struct RotationLoop::Impl {
  std::vector<Mat3W> matrices, rotations;
};

RotationLoop::RotationLoop() : impl_(std::make_unique<Impl>()) {
  std::uint32_t seed = 1;
  const auto random = [&] {  // -1 .. 1
    seed = seed * 1664525u + 1013904223u;
    return double(seed >> 8) / double(1 << 23) - 1;
  };
  impl_->matrices.resize(k_groups), impl_->rotations.resize(k_groups);
  int count = 0;
  for (Mat3W& m : impl_->matrices)
    for (int lane = 0; lane < k_lanes; ++lane, ++count) {
      const Quat turn = normalized(Quat{random(), random(), random(), random()});
      const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
      for (std::size_t k = 0; k < 3; ++k) {
        double stretch = 1 + 0.5 * random();
        if (k == 2 && count % 10 == 0) stretch = 0;
        if (k == 2 && count % 10 == 5) stretch = -stretch;
        const Vec3 column = rotate(turn, axes[k]) * stretch +
                            Vec3{random(), random(), random()} * (count % 10 == 0 ? 0.0 : 0.1);
        m.c[k].x[lane] = Real(column.x), m.c[k].y[lane] = Real(column.y);
        m.c[k].z[lane] = Real(column.z);
      }
    }
}

RotationLoop::~RotationLoop() = default;

void RotationLoop::run() {
  for (std::size_t n = 0; n < impl_->matrices.size(); ++n)
    impl_->rotations[n] = nearest_rotation(impl_->matrices[n]);
}

std::array<double, 9> RotationLoop::matrix(int group, int lane) const {
  return rows_of(impl_->matrices[std::size_t(group)], lane);
}
std::array<double, 9> RotationLoop::rotation(int group, int lane) const {
  return rows_of(impl_->rotations[std::size_t(group)], lane);
}

}  // namespace pliant::bench
