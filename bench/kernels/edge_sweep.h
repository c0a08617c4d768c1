// One sweep over the edges of a square grid of cloth, colour by colour: eight wide, by the kernel
// that the engine runs, or one edge after the other. Same constraints, same order, same bits.
#pragma once

#include <memory>
#include <vector>

#include <pliant/math.h>

namespace pliant::bench {

class EdgeSweep {
 public:
  // `rest` has n x n vertices, row by row. They begin off their places, by up to a tenth of an
  // edge.
  EdgeSweep(const std::vector<Vec3>& rest, double vertex_mass);
  ~EdgeSweep();
  int edges() const;
  void run_wide();
  void run_one_by_one();
  void positions(std::vector<Vec3>& out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant::bench
