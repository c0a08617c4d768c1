// Well spread pseudo-random points, the same for a pixel whoever computes it.
// The pixels are numbered along the Z curve and take consecutive points of one Owen-scrambled Sobol
// sequence, so that not only the samples of a pixel but also those of a block of pixels are spread
// evenly: what a filter over the block leaves of the noise is small (Ahmed and Wonka 2020,
// "Screen-space blue-noise diffusion of Monte Carlo sampling error"; the scrambling is Laine and
// Karras 2011, "Stratified sampling for stochastic transparency").
#pragma once

#include <cstdint>

namespace pliant {

struct Sample2 {
  float u = 0, v = 0;  // in [0, 1)
};

inline std::uint32_t reversed_bits(std::uint32_t x) {
  x = __builtin_bswap32(x);
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

// Each bit is flipped or not depending on the bits below it.
inline std::uint32_t scrambled_upward(std::uint32_t x, std::uint32_t seed) {
  x += seed;
  x ^= x * 0x6c50b47cu;
  x ^= x * 0xb82f1e52u;
  x ^= x * 0xc7afe638u;
  return x ^ x * 0x8d22f6e6u;
}

inline std::uint32_t hashed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

inline std::uint32_t spread_bits(std::uint32_t x) {
  x &= 0xffffu;
  x = (x | x << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u;
  return (x | x << 1) & 0x55555555u;
}
inline std::uint32_t z_curve(int x, int y) {
  return spread_bits(static_cast<std::uint32_t>(x)) | spread_bits(static_cast<std::uint32_t>(y))
                                                          << 1;
}

// Which point of which of several independent sequences.
struct SamplePoint {
  std::uint32_t index = 0;
  std::uint32_t sequence = 0;
};

inline Sample2 sample_2d(const SamplePoint& point, std::uint32_t purpose) {
  const std::uint32_t seed = hashed(point.sequence * 16 + purpose + 1);
  // Shuffled, so that different purposes do not use their points in the same order.
  const std::uint32_t i = reversed_bits(scrambled_upward(reversed_bits(point.index), seed));
  // The second Sobol dimension is Pascal's triangle modulo 2: sums over the supersets of bits.
  std::uint32_t j = i;
  j ^= j >> 16 & 0x0000ffffu;
  j ^= j >> 8 & 0x00ff00ffu;
  j ^= j >> 4 & 0x0f0f0f0fu;
  j ^= j >> 2 & 0x33333333u;
  j ^= j >> 1 & 0x55555555u;
  constexpr float k_scale = 1.0f / (1 << 24);
  const std::uint32_t u = reversed_bits(scrambled_upward(i, hashed(seed + 1)));
  const std::uint32_t v = reversed_bits(scrambled_upward(j, hashed(seed + 2)));
  return {static_cast<float>(u >> 8) * k_scale, static_cast<float>(v >> 8) * k_scale};
}

}  // namespace pliant
