#include "solver/gust.h"

#include <cmath>

#include "math/trig.h"

namespace pliant {
namespace {

constexpr int k_waves = 8;
constexpr double k_two_pi = 6.283185307179586;

// Splitmix64: spreads a number over all bits, the same on every machine. In [0, 1).
double unit_hash(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  z ^= z >> 31;
  return double(z >> 11) / 9007199254740992.0;  // 2^53
}

}  // namespace

Vec3 gust(const GustSettings& settings, double time) {
  if (!(settings.speed > 0)) return {};
  const std::uint64_t first = std::uint64_t(std::uint32_t(settings.seed)) << 8;
  Vec3 sum;
  for (int n = 0; n < k_waves; ++n) {
    const std::uint64_t number = first + 4 * std::uint64_t(n);
    // 2^(-1.5 .. 1.5) / T
    const double octave = (n + unit_hash(number)) * 3.0 / k_waves - 1.5;
    const double turns = time * det_exp(octave * 0.6931471805599453) / settings.period;
    for (int k = 0; k < 3; ++k) {
      const double phase = turns + unit_hash(number + 1 + std::uint64_t(k));
      sum[k] += det_sin(k_two_pi * (phase - std::floor(phase)));
    }
  }
  return sum * (settings.speed * std::sqrt(2.0 / k_waves));
}

}  // namespace pliant
