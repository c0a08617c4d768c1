#include "math/wide_mat3.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "math/principal_axes.h"
#include "math/wide_rotation.h"

namespace pliant {
namespace {

constexpr bool k_double = sizeof(Real) == sizeof(double);

Mat3W all_lanes(const Eigen::Matrix3d& m) {
  Mat3W w;
  for (int c = 0; c < 3; ++c)
    w.c[c] = {splat(Real(m(0, c))), splat(Real(m(1, c))), splat(Real(m(2, c)))};
  return w;
}
Eigen::Matrix3d lane(const Mat3W& w, int k) {
  Eigen::Matrix3d m;
  for (int c = 0; c < 3; ++c)
    m.col(c) << double(w.c[c].x[k]), double(w.c[c].y[k]), double(w.c[c].z[k]);
  return m;
}
Eigen::Matrix3d random_rotation(std::mt19937& engine) {
  std::normal_distribution<double> n;
  return Eigen::Quaterniond(n(engine), n(engine), n(engine), n(engine))
      .normalized()
      .toRotationMatrix();
}

// A rotation found from known stretches, also with the last one negative: the proper rotation.
TEST(WideMat3, nearest_rotation_of_known_stretches) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> size(0.5, 2), sign(-1, 1);
  for (int n = 0; n < 2000; ++n) {
    const Eigen::Matrix3d r = random_rotation(engine), v = random_rotation(engine);
    Eigen::Vector3d s(size(engine), size(engine), size(engine));
    if (sign(engine) < 0) s[2] *= -0.4 * s.head<2>().minCoeff() / s[2];
    const Eigen::Matrix3d f = r * v * s.asDiagonal() * v.transpose();
    const Eigen::Matrix3d found = lane(nearest_rotation(all_lanes(f)), n % k_wide);
    EXPECT_LE((found - r).norm(), k_double ? 1e-9 : 1e-4) << s.transpose();
    EXPECT_NEAR(found.determinant(), 1, k_double ? 1e-12 : 1e-5);
  }
}

// Whatever it is given it answers with a rotation, and none of many others is nearer by much.
TEST(WideMat3, nearest_rotation_of_anything) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> kind(0, 5);
  for (int n = 0; n < 2000; ++n) {
    Eigen::Matrix3d f;
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) = normal(engine);
    const int k = kind(engine);
    if (k == 1) f.col(2) = f.col(0) + f.col(1);            // flat
    if (k == 2) f = Eigen::Vector3d(f.col(0)) * f.row(1);  // a line
    if (k == 3) f *= 1e-12;                                // nearly a point
    if (k == 4) f = random_rotation(engine) * Eigen::Vector3d(1, 0.5, -0.5).asDiagonal();
    if (k == 5) f = Eigen::Matrix3d::Zero();
    const Eigen::Matrix3d found = lane(nearest_rotation(all_lanes(f)), 0);
    ASSERT_NEAR(found.determinant(), 1, 1e-4) << "kind " << k;
    ASSERT_LE((found.transpose() * found - Eigen::Matrix3d::Identity()).norm(), 1e-4);
    const double trace = (found.transpose() * f).trace();
    for (int other = 0; other < 20; ++other)
      ASSERT_LE((random_rotation(engine).transpose() * f).trace(), trace + 0.1 * f.norm())
          << "kind " << k;
  }
}

// Two at once have the bits that each has alone, whichever of them needs more steps.
TEST(WideMat3, nearest_rotations_of_two) {
  std::mt19937 engine(6);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 500; ++n) {
    Mat3W f[2];
    for (int which = 0; which < 2; ++which)
      for (Vec3W& c : f[which].c)
        for (RealW* v : {&c.x, &c.y, &c.z})
          for (int k = 0; k < k_wide; ++k) (*v)[k] = Real(normal(engine));
    if (n % 2 == 0) f[1] = f[0] * splat(2) + identity3() * splat(Real(0.1 * n));
    if (n % 7 == 0) f[0].c[2] = f[0].c[1];  // flat
    Mat3W found[2];
    nearest_rotations(f[0], f[1], found[0], found[1]);
    for (int which = 0; which < 2; ++which) {
      const Mat3W alone = nearest_rotation(f[which]);
      for (int k = 0; k < k_wide; ++k) EXPECT_EQ(lane(found[which], k), lane(alone, k));
    }
  }
}

TEST(WideMat3, inverse_of_a_symmetric_matrix) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 200; ++n) {
    Eigen::Matrix3d a;
    for (int k = 0; k < 9; ++k) a(k / 3, k % 3) = normal(engine);
    const Eigen::Matrix3d m = a * a.transpose() + 0.1 * Eigen::Matrix3d::Identity();
    const auto at = [&](int r, int c) { return splat(Real(m(r, c))); };
    const Sym3W i =
        inverse({at(0, 0), at(0, 1), at(0, 2), at(1, 1), at(1, 2), at(2, 2)}, splat(Real(1e-6)));
    Eigen::Matrix3d found;
    found << double(i.xx[0]), double(i.xy[0]), double(i.xz[0]), double(i.xy[0]), double(i.yy[0]),
        double(i.yz[0]), double(i.xz[0]), double(i.yz[0]), double(i.zz[0]);
    EXPECT_LE((found * m - Eigen::Matrix3d::Identity()).norm(), k_double ? 1e-10 : 1e-3);
  }
}

TEST(PrincipalAxes, make_a_matrix_diagonal) {
  std::mt19937 engine(6);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 1000; ++n) {
    Eigen::Matrix3d a;
    for (int k = 0; k < 9; ++k) a(k / 3, k % 3) = normal(engine);
    if (n % 3 == 0) a.col(2).setZero();
    const Eigen::Matrix3d m = a * a.transpose();
    Mat3 in;
    for (int r = 0; r < 3; ++r) in.row[r] = {m(r, 0), m(r, 1), m(r, 2)};
    const Mat3 axes = principal_axes(in);
    Eigen::Matrix3d q;
    for (int r = 0; r < 3; ++r) q.row(r) << axes.row[r].x, axes.row[r].y, axes.row[r].z;
    EXPECT_LE((q * q.transpose() - Eigen::Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_NEAR(q.determinant(), 1, 1e-13);
    Eigen::Matrix3d d = q * m * q.transpose();
    d.diagonal().setZero();
    EXPECT_LE(d.norm(), 1e-12 * (1 + m.norm()));
  }
}

}  // namespace
}  // namespace pliant
