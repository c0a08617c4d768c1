// A 64-bit hash of state (FNV-1a over 32-bit words, mixed at the end). The same on every machine:
// it reads numbers, never pointers, padding or size_t.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace pliant {

class StateHash {
 public:
  void add(std::uint32_t word) { state_ = (state_ ^ word) * 0x100000001b3ull; }
  void add(std::uint64_t word) {
    add(std::uint32_t(word));
    add(std::uint32_t(word >> 32));
  }
  void add(std::int32_t word) { add(std::uint32_t(word)); }
  void add(bool flag) { add(std::uint32_t(flag)); }
  void add(float x) { add(std::bit_cast<std::uint32_t>(x)); }
  void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }

  std::uint64_t value() const {
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
  }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace pliant
