// Finite elements written down once more, in double and without the library: energies through a
// singular value decomposition, their first and second derivatives, equilibrium by Newton
// with a sparse direct solver.
#pragma once

#include <pliant/mesh.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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

// Below half and above twice its volume, and beyond five times its length, an element is corotated;
// where volumes are stiff, already from a pressure of two mu, and with a softer volume. The parts
// of a hexahedron have mu or lambda alone.
inline bool is_wrecked(const Material& m, const Eigen::Matrix3d& f) {
  const double j = f.determinant();
  const double least = m.mu > 0 ? std::clamp(1 - 2 * m.mu / (m.lambda + m.mu), 0.5, 0.8) : 0.5;
  return j < least || j > 1 / least || f.squaredNorm() > 30;
}
// What acts there.
inline Material law_at(const Material& m, const Eigen::Matrix3d& f) {
  if (m.law != Law::neo_hookean || !is_wrecked(m, f)) return m;
  return {Law::corotated, m.mu, m.mu > 0 ? std::min(m.lambda, 2 * m.mu) : m.lambda};
}

// Pa.
inline double density(const Material& whole, const Eigen::Matrix3d& f) {
  const Material m = law_at(whole, f);
  if (m.law == Law::neo_hookean) {
    const double j = f.determinant();
    return m.mu / 2 * (f.squaredNorm() - 3) - m.mu * (j - 1) +
           (m.lambda + m.mu) / 2 * (j - 1) * (j - 1);
  }
  const Eigen::Matrix3d r = rotation_of(f);
  const double trace = (r.transpose() * f).trace() - 3;
  return m.mu * (f - r).squaredNorm() + m.lambda / 2 * trace * trace;
}

inline Eigen::Matrix3d stress(const Material& whole, const Eigen::Matrix3d& f) {
  const Material m = law_at(whole, f);
  if (m.law == Law::neo_hookean) {
    Eigen::Matrix3d cof;
    for (int k = 0; k < 3; ++k) cof.col(k) = f.col((k + 1) % 3).cross(f.col((k + 2) % 3));
    return m.mu * f + ((m.lambda + m.mu) * (f.determinant() - 1) - m.mu) * cof;
  }
  const Eigen::Matrix3d r = rotation_of(f);
  return 2 * m.mu * (f - r) + m.lambda * ((r.transpose() * f).trace() - 3) * r;
}

inline Eigen::Vector3d vec(const Vec3& v) { return {v.x, v.y, v.z}; }

// A point of integration: of a tetrahedron its only one.
struct Element {
  std::vector<std::int32_t> v;
  Eigen::MatrixX3d gradient;            // 1/m, of the shape functions
  double volume = 0;                    // m3, that it stands for
  double mu_part = 1, lambda_part = 1;  // of the material
};
inline Material part_of(const Material& m, const Element& e) {
  return {m.law, m.mu * e.mu_part, m.lambda * e.lambda_part};
}
inline Element element(const TetMesh& mesh, const Tetrahedron& t) {
  Element e;
  e.v.assign(t.begin(), t.end());
  Eigen::Matrix3d edges;
  for (int n = 0; n < 3; ++n)
    edges.col(n) = vec(mesh.vertices[std::size_t(t[std::size_t(n) + 1])]) -
                   vec(mesh.vertices[std::size_t(t[0])]);
  e.volume = edges.determinant() / 6;
  const Eigen::Matrix3d inverse = edges.inverse();
  e.gradient.resize(4, 3);
  e.gradient.bottomRows<3>() = inverse;
  e.gradient.row(0) = -inverse.colwise().sum();
  return e;
}
inline std::vector<Element> elements(const TetMesh& mesh) {
  std::vector<Element> list;
  for (const Tetrahedron& t : mesh.tetrahedra) list.push_back(element(mesh, t));
  return list;
}

// Hexahedra of a regular lattice of nx x ny x nz cubes whose vertex (i, j, k) is number `at`: shear
// at the four of eight Gauss points whose signs multiply to that of the cube, volume at the centre.
template <class At>
std::vector<Element> hexahedra(int nx, int ny, int nz, double cell, const At& at) {
  std::vector<Element> list;
  const auto add = [&](int i, int j, int k, const Eigen::Vector3d& q, double volume, double mu,
                       double lambda) {
    Element e;
    e.gradient.resize(8, 3);
    for (int c = 0; c < 8; ++c) {
      e.v.push_back(at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)));
      const Eigen::Vector3d s(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
      for (int d = 0; d < 3; ++d) {
        double slope = s[d] / 8 * 2 / cell;
        for (int o = 0; o < 3; ++o)
          if (o != d) slope *= 1 + s[o] * q[o];
        e.gradient(c, d) = slope;
      }
    }
    e.volume = volume;
    e.mu_part = mu;
    e.lambda_part = lambda;
    list.push_back(e);
  };
  const double whole = cell * cell * cell, far = 1 / std::sqrt(3.0);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        for (int c = 0; c < 8; ++c) {
          const bool even = ((c & 1) + (c >> 1 & 1) + (c >> 2 & 1)) % 2 == 0;
          // The middle tetrahedron of an even cube has the corners 1, 2, 4 and 7.
          if (even != ((i + j + k) % 2 != 0)) continue;
          add(i, j, k, far * Eigen::Vector3d(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1),
              whole / 4, 1, 0);
        }
        add(i, j, k, Eigen::Vector3d::Zero(), whole, 0, 1);
      }
  return list;
}

inline Eigen::Matrix3d gradient_of(const Element& e, const std::vector<Vec3>& x) {
  Eigen::Matrix3d f = Eigen::Matrix3d::Zero();
  for (std::size_t n = 0; n < e.v.size(); ++n)
    f += vec(x[std::size_t(e.v[n])]) * e.gradient.row(Eigen::Index(n));
  return f;
}

inline double energy(const std::vector<Element>& list, const Material& m,
                     const std::vector<Vec3>& x) {
  double sum = 0;
  for (const Element& e : list) sum += e.volume * density(part_of(m, e), gradient_of(e, x));
  return sum;
}
inline std::vector<Vec3> forces(const std::vector<Element>& list, const Material& m,
                                const std::vector<Vec3>& x) {
  std::vector<Vec3> out(x.size());
  for (const Element& e : list) {
    const Eigen::MatrixX3d f =
        -e.volume * e.gradient * stress(part_of(m, e), gradient_of(e, x)).transpose();
    for (std::size_t n = 0; n < e.v.size(); ++n) {
      const Eigen::Index r = Eigen::Index(n);
      out[std::size_t(e.v[n])] += Vec3{f(r, 0), f(r, 1), f(r, 2)};
    }
  }
  return out;
}

// How the stress changes with F, about one F.
class Tangent {
 public:
  Tangent(const Material& m, const Eigen::Matrix3d& f)
      : m_(law_at(m, f)), f_(f), r_(rotation_of(f)) {
    const Eigen::Matrix3d s = r_.transpose() * f_;
    trace_ = s.trace() - 3;
    turning_ = ((trace_ + 3) * Eigen::Matrix3d::Identity() - s).inverse();
    cof_ = cofactors(f_, f_) / 2;
  }
  Eigen::Matrix3d operator()(const Eigen::Matrix3d& df) const {
    if (m_.law == Law::neo_hookean) {
      const double slope = (m_.lambda + m_.mu) * (f_.determinant() - 1) - m_.mu;
      return m_.mu * df + (m_.lambda + m_.mu) * cof_.cwiseProduct(df).sum() * cof_ +
             slope * cofactors(f_, df);
    }
    // R^T dR = [w] of (tr S - S) w = axis of R^T dF less its transpose.
    const Eigen::Matrix3d a = r_.transpose() * df;
    const Eigen::Vector3d axis(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
    const Eigen::Vector3d w = turning_ * axis;
    Eigen::Matrix3d cross;
    cross << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
    const Eigen::Matrix3d dr = r_ * cross;
    return 2 * m_.mu * (df - dr) + m_.lambda * (a.trace() * r_ + trace_ * dr);
  }

 private:
  // d cof F of dF; twice the cofactors where both are F.
  static Eigen::Matrix3d cofactors(const Eigen::Matrix3d& f, const Eigen::Matrix3d& df) {
    Eigen::Matrix3d out;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      out.col(k) = f.col(i).cross(df.col(j)) + df.col(i).cross(f.col(j));
    }
    return out;
  }
  Material m_;
  Eigen::Matrix3d f_, r_, turning_, cof_;
  double trace_ = 0;
};

// How the force on each vertex of an element changes with each of its coordinates.
inline Eigen::MatrixXd stiffness_of(const Element& e, const Material& whole,
                                    const std::vector<Vec3>& x) {
  const Tangent tangent(part_of(whole, e), gradient_of(e, x));
  const Eigen::Index count = Eigen::Index(e.v.size());
  Eigen::MatrixXd k(3 * count, 3 * count);
  for (Eigen::Index n = 0; n < count; ++n)
    for (int axis = 0; axis < 3; ++axis) {
      Eigen::Matrix3d change = Eigen::Matrix3d::Zero();
      change.row(axis) = e.gradient.row(n);
      const Eigen::MatrixX3d column = e.volume * e.gradient * tangent(change).transpose();
      for (Eigen::Index o = 0; o < count; ++o)
        for (int b = 0; b < 3; ++b) k(3 * o + b, 3 * n + axis) = column(o, b);
    }
  return k;
}

// Which coordinates of which vertices are free: their rows, -1 where held.
struct Rows {
  std::vector<std::array<int, 3>> of;
  int count = 0;
};
// Of each vertex: x, y, z held.
inline Rows rows_of(const std::vector<std::array<bool, 3>>& held) {
  Rows rows;
  for (const std::array<bool, 3>& h : held) {
    std::array<int, 3> at;
    for (std::size_t k = 0; k < 3; ++k) at[k] = h[k] ? -1 : rows.count++;
    rows.of.push_back(at);
  }
  return rows;
}

inline Eigen::SparseMatrix<double> stiffness(const std::vector<Element>& list, const Material& m,
                                             const std::vector<Vec3>& x, const Rows& rows) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t n = 0; n < list.size();) {
    const std::vector<std::int32_t>& v = list[n].v;
    Eigen::MatrixXd k = stiffness_of(list[n], m, x);
    for (++n; n < list.size() && list[n].v == v; ++n) k += stiffness_of(list[n], m, x);
    for (Eigen::Index r = 0; r < k.rows(); ++r)
      for (Eigen::Index c = 0; c < k.cols(); ++c) {
        const int at_r = rows.of[std::size_t(v[std::size_t(r / 3)])][std::size_t(r % 3)];
        const int at_c = rows.of[std::size_t(v[std::size_t(c / 3)])][std::size_t(c % 3)];
        if (at_r >= 0 && at_c >= 0) entries.emplace_back(at_r, at_c, k(r, c));
      }
  }
  Eigen::SparseMatrix<double> matrix(rows.count, rows.count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// Where the vertices come to rest under forces; held coordinates stay as in `x`. Newton's method
// with the load in `load_steps` parts. Returns an empty list where it does not converge.
inline std::vector<Vec3> equilibrium(const std::vector<Element>& list, std::vector<Vec3> x,
                                     const Material& m, const std::vector<Vec3>& load,
                                     const std::vector<std::array<bool, 3>>& held,
                                     int load_steps = 1) {
  const Rows rows = rows_of(held);
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
  for (int part = 1; part <= load_steps; ++part) {
    const double enough = part == load_steps ? 1e-8 : 1e-3;
    double first = 0;
    for (int turn = 0;; ++turn) {
      const std::vector<Vec3> internal = forces(list, m, x);
      Eigen::VectorXd residual = Eigen::VectorXd::Zero(rows.count);
      for (std::size_t v = 0; v < x.size(); ++v)
        for (int c = 0; c < 3; ++c)
          if (const int at = rows.of[v][std::size_t(c)]; at >= 0)
            residual[at] = internal[v][c] + load[v][c] * (double(part) / load_steps);
      if (turn == 0) first = residual.norm();
      if (residual.norm() <= enough * (first + 1e-30)) break;
      if (turn == 50) return {};
      const Eigen::SparseMatrix<double> k = stiffness(list, m, x, rows);
      if (part == 1 && turn == 0) solver.analyzePattern(k);
      solver.factorize(k);
      const Eigen::VectorXd move = solver.solve(residual);
      for (std::size_t v = 0; v < x.size(); ++v)
        for (int c = 0; c < 3; ++c)
          if (const int at = rows.of[v][std::size_t(c)]; at >= 0) x[v][c] += move[at];
    }
  }
  return x;
}
inline std::vector<Vec3> equilibrium(const std::vector<Element>& list, const std::vector<Vec3>& x,
                                     const Material& m, const std::vector<Vec3>& load,
                                     const std::vector<bool>& pinned, int load_steps = 1) {
  std::vector<std::array<bool, 3>> held;
  for (const bool p : pinned) held.push_back({p, p, p});
  return equilibrium(list, x, m, load, held, load_steps);
}

// Hz, of the slowest of small swings about rest with these masses of the vertices: by inverse
// iteration.
inline double lowest_frequency(const std::vector<Element>& list, const std::vector<Vec3>& rest,
                               const Material& m, const std::vector<double>& mass,
                               const std::vector<std::array<bool, 3>>& held) {
  const Rows rows = rows_of(held);
  const Eigen::SparseMatrix<double> k = stiffness(list, m, rest, rows);
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(k);
  Eigen::VectorXd masses(rows.count), swing(rows.count);
  for (std::size_t v = 0; v < rest.size(); ++v)
    for (int c = 0; c < 3; ++c)
      if (const int at = rows.of[v][std::size_t(c)]; at >= 0)
        masses[at] = mass[v], swing[at] = c == 1 ? 1 : 0;
  for (int n = 0; n < 30; ++n) {
    swing = solver.solve(masses.cwiseProduct(swing)).eval();
    swing /= swing.norm();
  }
  const double omega_sq = swing.dot(k * swing) / swing.dot(masses.cwiseProduct(swing));
  return std::sqrt(omega_sq) / (2 * M_PI);
}

}  // namespace pliant::reference
