// Little-endian bytes of a recording, whatever the machine's own order: a growing buffer to write,
// and a reader over a span that turns false at the end instead of passing it.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <pliant/math.h>

namespace pliant {

class ByteWriter {
 public:
  void u8(std::uint8_t v) { bytes_.push_back(v); }
  void u32(std::uint32_t v) { put(v, 4); }
  void u64(std::uint64_t v) { put(v, 8); }
  void i32(std::int32_t v) { u32(static_cast<std::uint32_t>(v)); }
  void f32(float v) { u32(std::bit_cast<std::uint32_t>(v)); }
  void f64(double v) { u64(std::bit_cast<std::uint64_t>(v)); }
  void vec(const Vec3& v) { f64(v.x), f64(v.y), f64(v.z); }
  void vec(const Vec3f& v) { f32(v.x), f32(v.y), f32(v.z); }
  void text(const std::string& s);
  void append(const std::vector<std::uint8_t>& b) {
    bytes_.insert(bytes_.end(), b.begin(), b.end());
  }
  void clear() { bytes_.clear(); }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  void put(std::uint64_t v, int n) {
    for (int i = 0; i < n; ++i) bytes_.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  }
  std::vector<std::uint8_t> bytes_;
};

// After a read beyond the end ok() is false and everything read is zero.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::uint8_t u8() { return static_cast<std::uint8_t>(get(1)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(get(4)); }
  std::uint64_t u64() { return get(8); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
  float f32() { return std::bit_cast<float>(u32()); }
  double f64() { return std::bit_cast<double>(u64()); }
  Vec3 vec() {
    const double x = f64(), y = f64(), z = f64();
    return {x, y, z};
  }
  Vec3f vec_f32() {
    const float x = f32(), y = f32(), z = f32();
    return {x, y, z};
  }
  std::string text();
  // A number of things of at least `least` bytes each; false where the rest cannot hold them, so
  // that nothing is allocated from a damaged count.
  std::uint32_t count(std::size_t least);

 private:
  std::uint64_t get(std::size_t n) {
    if (!ok_ || left() < n) return fail();
    std::uint64_t v = 0;
    for (std::size_t i = 0; i < n; ++i) v |= std::uint64_t{bytes_[at_ + i]} << (8 * i);
    at_ += n;
    return v;
  }
  std::uint64_t fail() {
    ok_ = false;
    at_ = bytes_.size();
    return 0;
  }
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

// FNV-1a, 64 bits. Every step is a bijection of the state, so that any single damaged byte shows.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace pliant
