// The rows of joints that hang together, solved at once: a symmetric system with bounds.
//
//   (K + S) x = -t,   low <= P + x <= high
//   K = J M^-1 J^T over the bodies, S softness (diagonal), t target, P impulse so far
// Solved by L D L^T inside the envelope of K: a row reaches back to the first row that shares a
// body with its joint, so that a chain costs a constant for each link, and a long lever or a heavy
// load at its end is felt everywhere at once. Rows that leave their bounds are put onto them,
// motors and friction first, limits then, and the rest is solved again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/joint.h"

namespace pliant {

// A side of a joint as its rows see it.
struct JointRowSide {
  std::int32_t body = -1;  // rows meet where they have the same; -1: it does not move
  double inverse_mass = 0;
  Vec3 moved, turned;  // m/s and rad/s for a unit impulse of the row
};

struct JointRow {
  JointGradient gradient;
  JointRowSide a, b;
  std::int32_t joint = 0;  // place in the part
  std::int32_t axis = 0;
  double* impulse = nullptr;  // N s or N m s
  double softness = 0;
  double target = 0;
  double low = -1e300, high = 1e300;
  int order = 0;  // rows of lower order are put onto their bounds first
  // Of a motor that friction holds still, which is what the row asks for first: where P leaves the
  // bounds on the side of `slip`, the motor drives the coordinate at that speed, within other ones.
  double slip = 0;
  double slip_low = 0, slip_high = 0;
  bool slips = false;
  double change = 0;  // the solution
  bool bound = false;
};

struct JointSystem {
  std::vector<JointRow> rows;       // those without bounds come first
  std::size_t unbounded = 0;        // their number: below, the factors do not depend on bounds
  std::vector<std::int32_t> begin;  // of each joint: its first row
  std::vector<std::int32_t> first;  // of each row: first column of its envelope
  std::vector<std::int32_t> start;  // of each row: where its envelope begins in the arrays
  std::vector<double> k, l;
  std::vector<double> x;
  bool given = false;  // something was solved by itself while the rows were gathered
  // Of each joint.
  std::vector<std::array<double, k_joint_axes>> axis_change, ends;
};

inline bool has_bounds(const JointRow& row) { return row.low > -1e299 || row.high < 1e299; }
// How the row gives way to a unit impulse of itself.
double own_yield(const JointRow& row);
// Fills K; `first` is given.
void assemble(JointSystem& system);
void solve_bounded(JointSystem& system);
// Whether the impulse p of a row is one at which friction gives way to its motor; then it does.
bool gives_way(const JointRow& row, double p);
void let_slip(JointRow& row);
// Again with other targets; rows on their bounds stay there, the others are cut to theirs.
void solve_again(JointSystem& system);

}  // namespace pliant
