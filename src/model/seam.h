// A seam: stitches that draw vertices of a cloth together until they become one.
#pragma once

#include <pliant/defs.h>
#include <array>
#include <cstdint>
#include <vector>

namespace pliant {

// Pulls particle a to the point of b: one particle, or a point between two.
struct Stitch {
  enum class State : std::uint32_t {
    open,
    joined,  // a has met a point between two particles, where it is held
    merged,  // a and b are one
  };
  std::int32_t a = 0;  // in the body's range, as built: whoever reads it asks for its root
  std::array<std::int32_t, 2> b{};
  State state = State::open;
  std::array<double, 2> weight{1, 0};
  double gap = 0;  // m, length of the thread now

  bool to_edge() const { return weight[1] > 0; }
};

struct Seam {
  SeamDef def;
  std::int32_t deformable = -1;
  std::vector<Stitch> stitches;
  bool closed = false;  // no stitch is open
  double impulse = 0;   // N s, sum of what the stitches gave over the step
  double force = 0;     // N, mean over the last step
};

}  // namespace pliant
