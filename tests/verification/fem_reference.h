// Finite elements written down once more, in double and without the library: energies through a
// singular value decomposition, forces and stiffness by differences of them, equilibrium by Newton
// with a sparse direct solver.
#pragma once

#include <pliant/mesh.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

namespace pliant::reference {

enum class Law { neo_hookean, corotated };

struct Material {
  Law law = Law::neo_hookean;
  double mu = 0, lambda = 0;  // Pa
};
inline Material material(Law law, double youngs_modulus, double poisson_ratio) {
  return {law, youngs_modulus / (2 * (1 + poisson_ratio)),
          youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))};
}

// The nearest rotation: the decomposition with the last singular value turned round where det < 0.
inline Eigen::Matrix3d rotation_of(const Eigen::Matrix3d& f) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  const Eigen::Matrix3d v = svd.matrixV();
  if ((u * v.transpose()).determinant() < 0) u.col(2) *= -1;
  return u * v.transpose();
}

// Pa.
inline double density(const Material& m, const Eigen::Matrix3d& f) {
  if (m.law == Law::neo_hookean) {
    const double j = f.determinant();
    return m.mu / 2 * (f.squaredNorm() - 3) - m.mu * (j - 1) +
           (m.lambda + m.mu) / 2 * (j - 1) * (j - 1);
  }
  const Eigen::Matrix3d r = rotation_of(f);
  const double trace = (r.transpose() * f).trace() - 3;
  return m.mu * (f - r).squaredNorm() + m.lambda / 2 * trace * trace;
}

inline Eigen::Matrix3d stress(const Material& m, const Eigen::Matrix3d& f) {
  if (m.law == Law::neo_hookean) {
    Eigen::Matrix3d cof;
    for (int k = 0; k < 3; ++k) cof.col(k) = f.col((k + 1) % 3).cross(f.col((k + 2) % 3));
    return m.mu * f + ((m.lambda + m.mu) * (f.determinant() - 1) - m.mu) * cof;
  }
  const Eigen::Matrix3d r = rotation_of(f);
  return 2 * m.mu * (f - r) + m.lambda * ((r.transpose() * f).trace() - 3) * r;
}

inline Eigen::Vector3d vec(const Vec3& v) { return {v.x, v.y, v.z}; }

struct Element {
  Tetrahedron v{};
  Eigen::Matrix<double, 4, 3> gradient;  // 1/m, of the shape functions
  double volume = 0;                     // m3
};
inline Element element(const TetMesh& mesh, const Tetrahedron& t) {
  Element e;
  e.v = t;
  Eigen::Matrix3d edges;
  for (int n = 0; n < 3; ++n)
    edges.col(n) = vec(mesh.vertices[std::size_t(t[std::size_t(n) + 1])]) -
                   vec(mesh.vertices[std::size_t(t[0])]);
  e.volume = edges.determinant() / 6;
  const Eigen::Matrix3d inverse = edges.inverse();
  e.gradient.bottomRows<3>() = inverse;
  e.gradient.row(0) = -inverse.colwise().sum();
  return e;
}
inline std::vector<Element> elements(const TetMesh& mesh) {
  std::vector<Element> list;
  for (const Tetrahedron& t : mesh.tetrahedra) list.push_back(element(mesh, t));
  return list;
}

inline Eigen::Matrix3d gradient_of(const Element& e, const std::vector<Vec3>& x) {
  Eigen::Matrix3d f = Eigen::Matrix3d::Zero();
  for (int n = 0; n < 4; ++n) f += vec(x[std::size_t(e.v[std::size_t(n)])]) * e.gradient.row(n);
  return f;
}

inline double energy(const std::vector<Element>& list, const Material& m,
                     const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Element& e : list) sum += e.volume * density(m, gradient_of(e, x));
  return sum;
}
inline std::vector<Vec3> forces(const std::vector<Element>& list, const Material& m,
                                const std::vector<Vec3>& x) {
  std::vector<Vec3> out(x.size());
  for (const Element& e : list) {
    const Eigen::Matrix<double, 4, 3> f =
        -e.volume * e.gradient * stress(m, gradient_of(e, x)).transpose();
    for (int n = 0; n < 4; ++n)
      out[std::size_t(e.v[std::size_t(n)])] += Vec3{f(n, 0), f(n, 1), f(n, 2)};
  }
  return out;
}

// Where the mesh comes to rest under forces on its vertices; pinned vertices stay at `x`. Newton's
// method with the load in `load_steps` parts. Returns an empty list where it does not converge.
inline std::vector<Vec3> equilibrium(const TetMesh& mesh, const Material& m,
                                     const std::vector<Vec3>& load, const std::vector<bool>& pinned,
                                     int load_steps = 1) {
  const std::vector<Element> list = elements(mesh);
  std::vector<Vec3> x = mesh.vertices;
  std::vector<int> row(x.size(), -1);
  int rows = 0;
  for (std::size_t v = 0; v < x.size(); ++v)
    if (!pinned[v]) row[v] = rows, rows += 3;
  for (int part = 1; part <= load_steps; ++part) {
    double first = 0;
    for (int turn = 0;; ++turn) {
      const std::vector<Vec3> internal = forces(list, m, x);
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(rows);
      for (std::size_t v = 0; v < x.size(); ++v)
        if (row[v] >= 0)
          residual.segment<3>(row[v]) =
              vec(internal[v]) + vec(load[v]) * (double(part) / load_steps);
      if (turn == 0) first = residual.norm();
      if (residual.norm() <= 1e-9 * (first + 1e-30)) break;
      if (turn == 50) return {};
      std::vector<Eigen::Triplet<double>> entries;
      for (const Element& e : list) {
        const Eigen::Matrix3d f = gradient_of(e, x);
        for (int n = 0; n < 4; ++n)
          for (int axis = 0; axis < 3; ++axis) {
            if (row[std::size_t(e.v[std::size_t(n)])] < 0) continue;
            const double step = 1e-6;
            Eigen::Matrix3d change = Eigen::Matrix3d::Zero();
            change.row(axis) = e.gradient.row(n) / e.gradient.norm() * step;
            const Eigen::Matrix3d dp =
                (stress(m, f + change) - stress(m, f - change)) * (e.gradient.norm() / (2 * step));
            const Eigen::Matrix<double, 4, 3> k = e.volume * e.gradient * dp.transpose();
            for (int o = 0; o < 4; ++o)
              for (int b = 0; b < 3; ++b)
                if (row[std::size_t(e.v[std::size_t(o)])] >= 0)
                  entries.emplace_back(row[std::size_t(e.v[std::size_t(o)])] + b,
                                       row[std::size_t(e.v[std::size_t(n)])] + axis, k(o, b));
          }
      }
      Eigen::SparseMatrix<double> stiffness(rows, rows);
      stiffness.setFromTriplets(entries.begin(), entries.end());
      const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(stiffness);
      const Eigen::VectorXd move = solver.solve(residual);
      for (std::size_t v = 0; v < x.size(); ++v)
        if (row[v] >= 0) x[v] += Vec3{move[row[v]], move[row[v] + 1], move[row[v] + 2]};
    }
  }
  return x;
}

}  // namespace pliant::reference
