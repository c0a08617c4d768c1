#include "constraints/joint_system.h"

#include <algorithm>

namespace pliant {
namespace {

// A pivot that is smaller than this part of its diagonal belongs to a row that others hold already,
// as the last lock of a loop of hinges.
constexpr double k_redundant = 1e-9;
constexpr int k_passes = 6;

double shared(const JointRowSide& p, const JointRowSide& q, const Vec3& along_q,
              const Vec3& about_q) {
  if (p.body == -1 || p.body != q.body) return 0;
  return dot(p.moved, along_q) + dot(p.turned, about_q);
}

double entry(const JointRow& p, const JointRow& q) {
  const JointGradient& f = q.gradient;
  return shared(p.a, q.a, f.along, f.about_a) + shared(p.b, q.b, f.along, f.about_b) -
         shared(p.a, q.b, f.along, f.about_b) - shared(p.b, q.a, f.along, f.about_a);
}

// Row i of an envelope, so that [j] is column j.
double* row_of(const JointSystem& s, std::vector<double>& values, std::size_t i) {
  return values.data() + s.start[i] - s.first[i];
}

// Four sums side by side, which the compiler keeps in one register; their order is fixed.
double product(const double* p, const double* q, std::size_t count) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += p[k] * q[k];
    s1 += p[k + 1] * q[k + 1];
    s2 += p[k + 2] * q[k + 2];
    s3 += p[k + 3] * q[k + 3];
  }
  for (; k < count; ++k) s0 += p[k] * q[k];
  return (s0 + s1) + (s2 + s3);
}

// L D L^T from row `from` on; D in the diagonal. Rows that are bound or redundant get no pivot.
void factor(JointSystem& s, std::size_t from) {
  s.l.resize(s.k.size());
  const std::size_t n = s.rows.size();
  if (from < n) std::copy(s.k.begin() + s.start[from], s.k.end(), s.l.begin() + s.start[from]);
  for (std::size_t i = from; i < n; ++i) {
    double* li = row_of(s, s.l, i);
    const std::size_t begin = std::size_t(s.first[i]);
    const double diagonal = li[i] + s.rows[i].softness;
    double d = diagonal;
    for (std::size_t j = begin; j < i; ++j) {
      const double* lj = row_of(s, s.l, j);
      const std::size_t k = std::max(begin, std::size_t(s.first[j]));
      if (k < j) li[j] -= product(li + k, lj + k, j - k);  // li holds L D here
    }
    for (std::size_t j = begin; j < i; ++j) {
      const double pivot = row_of(s, s.l, j)[j];
      const double v = pivot > 0 ? li[j] / pivot : 0;
      d -= v * li[j];
      li[j] = v;
    }
    const bool out = s.rows[i].bound || !(d > k_redundant * diagonal);
    if (out) std::fill(li + begin, li + i, 0.0);
    li[i] = out ? 0 : d;
  }
}

void substitute(JointSystem& s) {
  const std::size_t n = s.rows.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double* li = row_of(s, s.l, i);
    if (!(li[i] > 0)) s.x[i] = 0;
    const std::size_t begin = std::size_t(s.first[i]);
    s.x[i] -= product(li + begin, s.x.data() + begin, i - begin);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double d = row_of(s, s.l, i)[i];
    s.x[i] = d > 0 ? s.x[i] / d : 0;
  }
  for (std::size_t i = n; i-- > 0;) {
    const double* li = row_of(s, s.l, i);
    for (std::size_t j = std::size_t(s.first[i]); j < i; ++j) s.x[j] -= li[j] * s.x[i];
  }
}

// Right sides: targets and what the bound rows do.
void fill_right(JointSystem& s) {
  const std::size_t n = s.rows.size();
  s.x.resize(n);
  for (std::size_t i = 0; i < n; ++i) s.x[i] = -s.rows[i].target;
  for (std::size_t i = s.unbounded; i < n; ++i) {
    const double* ki = row_of(s, s.k, i);
    for (std::size_t j = std::size_t(s.first[i]); j < i; ++j) {
      if (s.rows[j].bound) s.x[i] -= ki[j] * s.rows[j].change;
      if (s.rows[i].bound) s.x[j] -= ki[j] * s.rows[i].change;
    }
  }
}

bool leaves(const JointRow& row, double change) {
  const double p = *row.impulse + change;
  return p < row.low || p > row.high;
}

void put_onto_bound(JointRow& row, double change) {
  row.bound = true;
  row.change = (*row.impulse + change < row.low ? row.low : row.high) - *row.impulse;
}

// The bound that friction gives way at is one of the slipping motor's too.
void leave(JointRow& row, double change, bool last) {
  if (gives_way(row, *row.impulse + change)) {
    let_slip(row);
    if (!last) return;
  }
  put_onto_bound(row, change);
}

void take_solution(JointSystem& s) {
  for (std::size_t i = 0; i < s.rows.size(); ++i)
    if (!s.rows[i].bound) s.rows[i].change = s.x[i];
}

}  // namespace

bool gives_way(const JointRow& row, double p) {
  return !row.slips && row.slip != 0 && (row.slip > 0 ? p < row.low : p > row.high);
}

void let_slip(JointRow& row) {
  row.slips = true;
  row.target -= row.slip;
  row.low = row.slip_low;
  row.high = row.slip_high;
}

double own_yield(const JointRow& row) { return entry(row, row); }

void assemble(JointSystem& s) {
  const std::size_t n = s.rows.size();
  s.unbounded = 0;
  while (s.unbounded < n && !has_bounds(s.rows[s.unbounded])) ++s.unbounded;
  s.start.resize(n);
  std::size_t size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s.start[i] = std::int32_t(size);
    size += i + 1 - std::size_t(s.first[i]);
  }
  s.k.resize(size);
  for (std::size_t i = 0; i < n; ++i) {
    double* ki = row_of(s, s.k, i);
    for (std::size_t j = std::size_t(s.first[i]); j <= i; ++j) ki[j] = entry(s.rows[i], s.rows[j]);
  }
}

void solve_bounded(JointSystem& s) {
  for (JointRow& row : s.rows) row.bound = false;
  for (int pass = 0;; ++pass) {
    fill_right(s);
    factor(s, pass == 0 ? 0 : s.unbounded);
    substitute(s);
    int order = 1 << 30;
    for (std::size_t i = 0; i < s.rows.size(); ++i)
      if (!s.rows[i].bound && s.rows[i].order < order && leaves(s.rows[i], s.x[i]))
        order = s.rows[i].order;
    const bool last = pass == k_passes;
    for (std::size_t i = 0; i < s.rows.size(); ++i)
      if (!s.rows[i].bound && (last || s.rows[i].order == order) && leaves(s.rows[i], s.x[i]))
        leave(s.rows[i], s.x[i], last);
    if (order == 1 << 30 || last) break;
  }
  take_solution(s);
}

void solve_again(JointSystem& s) {
  for (JointRow& row : s.rows)
    if (row.bound) row.change = 0;
  fill_right(s);
  substitute(s);
  take_solution(s);
  for (JointRow& row : s.rows)
    if (!row.bound && leaves(row, row.change)) put_onto_bound(row, row.change);
}

}  // namespace pliant
