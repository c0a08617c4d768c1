// Eight scalars at once through the compiler's vector types, which lower to AVX, SSE, NEON or
// WebAssembly alike. Every operation is lane-wise IEEE arithmetic, so a lane has the bits that the
// scalar code would have. Min, max and abs are written as selections for the same reason.
#pragma once

#include <cstdint>
#include <type_traits>

#include <pliant/real.h>

namespace pliant {

inline constexpr int k_wide = 8;

using RealW = Real __attribute__((vector_size(k_wide * sizeof(Real))));
// What a comparison of two RealW gives: all bits set in the lanes where it holds.
#ifdef PLIANT_DOUBLE
using MaskW = std::int64_t __attribute__((vector_size(k_wide * sizeof(std::int64_t))));
#else
using MaskW = std::int32_t __attribute__((vector_size(k_wide * sizeof(std::int32_t))));
#endif
using Real4V = Real __attribute__((vector_size(4 * sizeof(Real))));

// --- making, loading, storing
inline RealW splat(Real s) { return RealW{s, s, s, s, s, s, s, s}; }
inline RealW load_wide(const Real* p) {
  RealW r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
inline void store_wide(Real* p, RealW v) { __builtin_memcpy(p, &v, sizeof v); }

// --- selection
inline RealW select(MaskW m, RealW a, RealW b) { return m ? a : b; }
inline RealW min(RealW a, RealW b) { return a < b ? a : b; }  // b where unordered or equal
inline RealW max(RealW a, RealW b) { return a > b ? a : b; }
inline RealW abs(RealW a) { return a < 0 ? -a : a; }
// Bit k is set where lane k holds.
inline unsigned lane_bits(MaskW m) {
#if defined(__AVX__) && !defined(PLIANT_DOUBLE)
  return unsigned(__builtin_ia32_movmskps256((RealW)m));
#else
  unsigned bits = 0;
  for (int i = 0; i < k_wide; ++i) bits |= unsigned(m[i] != 0) << i;
  return bits;
#endif
}
inline bool any(MaskW m) { return lane_bits(m) != 0; }
inline RealW sqrt(RealW a) {
  RealW r = a;
#ifdef PLIANT_DOUBLE
  for (int i = 0; i < k_wide; ++i) r[i] = __builtin_sqrt(a[i]);
#else
  for (int i = 0; i < k_wide; ++i) r[i] = __builtin_sqrtf(a[i]);
#endif
  return r;
}

// --- three components, eight at once
struct Vec3W {
  RealW x, y, z;
};
inline Vec3W operator+(const Vec3W& a, const Vec3W& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3W operator-(const Vec3W& a, const Vec3W& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3W operator-(const Vec3W& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3W operator*(const Vec3W& a, RealW s) { return {a.x * s, a.y * s, a.z * s}; }
inline Vec3W operator*(RealW s, const Vec3W& a) { return a * s; }
inline RealW dot(const Vec3W& a, const Vec3W& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3W cross(const Vec3W& a, const Vec3W& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3W select(MaskW m, const Vec3W& a, const Vec3W& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}
inline Vec3W load_wide3(const Real* p) {  // x of all lanes, then y, then z
  return {load_wide(p), load_wide(p + k_wide), load_wide(p + 2 * k_wide)};
}
inline void store_wide3(Real* p, const Vec3W& v) {
  store_wide(p, v.x);
  store_wide(p + k_wide, v.y);
  store_wide(p + 2 * k_wide, v.z);
}

// --- gather and scatter of packed Vec4: eight loads and a transposition
struct Vec4W {
  RealW x, y, z, w;
  Vec3W xyz() const { return {x, y, z}; }
};

inline Real4V load4(const Vec4* p) {
  Real4V r;
  __builtin_memcpy(&r, p, sizeof r);
  return r;
}
inline void store4(Vec4* p, Real4V v) { __builtin_memcpy(static_cast<void*>(p), &v, sizeof v); }
// Rows i and i + 4 side by side.
inline RealW join4(Real4V low, Real4V high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline Real4V low4(RealW v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
inline Real4V high4(RealW v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

// Transposes each 4x4 half of four rows; it is its own inverse.
inline void transpose4(RealW& a, RealW& b, RealW& c, RealW& d) {
  const RealW ab_low = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
  const RealW ab_high = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const RealW cd_low = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
  const RealW cd_high = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}

// What row(k) gives for the eight lanes.
template <class Row>
[[gnu::always_inline]] inline Vec4W gather_rows(const Row& row) {
  Vec4W r{join4(row(0), row(4)), join4(row(1), row(5)), join4(row(2), row(6)),
          join4(row(3), row(7))};
  transpose4(r.x, r.y, r.z, r.w);
  return r;
}
// base[index[k] * stride] for the eight lanes.
inline Vec4W gather(const Vec4* base, const std::int32_t* index, int stride = 1) {
  return gather_rows([&](int k) { return load4(base + std::int64_t(index[k]) * stride); });
}
// Writes all four components; a caller that leaves w alone passes what it gathered. No two of the
// lanes written may have the same index.
inline void scatter(Vec4* base, const std::int32_t* index, Vec4W v, int stride = 1) {
  transpose4(v.x, v.y, v.z, v.w);
  const RealW row[4] = {v.x, v.y, v.z, v.w};
  for (int k = 0; k < 4; ++k) {
    store4(base + std::int64_t(index[k]) * stride, low4(row[k]));
    store4(base + std::int64_t(index[k + 4]) * stride, high4(row[k]));
  }
}
// The same at so many bytes from the base: one step less for each lane.
template <class Place>
[[gnu::always_inline]] inline Place* at_bytes(Place* base, std::int32_t bytes) {
  using Byte = std::conditional_t<std::is_const_v<Place>, const char, char>;
  return reinterpret_cast<Place*>(reinterpret_cast<Byte*>(base) + std::uint32_t(bytes));
}
[[gnu::always_inline]] inline Vec4W gather_bytes(const Vec4* base, const std::int32_t* bytes) {
  return gather_rows([&](int k) { return load4(at_bytes(base, bytes[k])); });
}
[[gnu::always_inline]] inline void scatter_bytes(Vec4* base, const std::int32_t* bytes, Vec4W v) {
  transpose4(v.x, v.y, v.z, v.w);
  const RealW row[4] = {v.x, v.y, v.z, v.w};
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    store4(at_bytes(base, bytes[k]), low4(row[k]));
    store4(at_bytes(base, bytes[k + 4]), high4(row[k]));
  }
}
// As scatter, for the lanes whose bit in `lanes` is set: the others are not touched, not even with
// their own value, so that threads may share what nobody moves.
inline void scatter_lanes(Vec4* base, const std::int32_t* index, Vec4W v, unsigned lanes,
                          int stride = 1) {
  transpose4(v.x, v.y, v.z, v.w);
  const RealW row[4] = {v.x, v.y, v.z, v.w};
  for (int k = 0; k < 4; ++k) {
    if (lanes >> k & 1) store4(base + std::int64_t(index[k]) * stride, low4(row[k]));
    if (lanes >> (k + 4) & 1) store4(base + std::int64_t(index[k + 4]) * stride, high4(row[k]));
  }
}

}  // namespace pliant
