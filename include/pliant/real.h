// The scalar that the solver streams. The library is built for one of the two; `pliant` is single,
// `pliant_f64` is the double reference. The inline namespace makes a mismatch fail at link time.
#pragma once

#ifdef PLIANT_DOUBLE
#define PLIANT_ABI f64
namespace pliant {
using Real = double;
}
#else
#define PLIANT_ABI f32
namespace pliant {
using Real = float;
}
#endif

namespace pliant {

// Packed so that one load brings a position and its inverse mass (w, 1/kg; 0 does not move).
struct alignas(4 * sizeof(Real)) Vec4 {
  Real x = 0, y = 0, z = 0, w = 0;
};

}  // namespace pliant
