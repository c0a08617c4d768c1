// Gusts: the changing part of the wind, the same for all of the world.
//
//   u_k(t) = s sqrt(2 / N) sum_n sin(2 pi f_n t + p_kn),   k = x, y, z,  N = 8
//
//   s root mean square of a component (m/s), f_n frequencies spread evenly in their logarithm over
//   three octaves about 1 / T, each shifted at random within its share, p_kn random phases. A sum
//   of waves needs no memory: the gust of any time follows from the seed and the time alone.
#pragma once

#include <cstdint>

#include <pliant/math.h>

namespace pliant {

struct GustSettings {
  double speed = 0;   // m/s
  double period = 1;  // s
  std::int32_t seed = 0;
};

Vec3 gust(const GustSettings& settings, double time);  // m/s

}  // namespace pliant
