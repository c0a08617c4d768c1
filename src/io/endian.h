// Numbers in a stated byte order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace pliant {

// The number at the start of `bytes`, which holds at least sizeof(T) of them.
template <class T>
T read_bytes(std::string_view bytes, bool big_endian) {
  unsigned char raw[sizeof(T)];
  std::memcpy(raw, bytes.data(), sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big)) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  }
  T value;
  std::memcpy(&value, raw, sizeof(T));
  return value;
}

template <class T>
void append_little_endian(std::string& out, T value) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(raw[i], raw[sizeof(T) - 1 - i]);
  }
  out.append(raw, sizeof(T));
}

}  // namespace pliant
