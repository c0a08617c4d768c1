#include "io/inflate.h"

#include <array>
#include <cstdint>
#include <span>

namespace pliant {

namespace {

// Bits of the stream, least significant first. Past the end it gives zeros and remembers it.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint32_t bits(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count; ++i) value |= bit() << i;
    return value;
  }
  std::uint32_t bit() {
    const std::size_t byte = position_ / 8;
    if (byte >= bytes_.size()) {
      overrun_ = true;
      return 0;
    }
    const std::uint32_t value = (std::uint8_t(bytes_[byte]) >> (position_ % 8)) & 1u;
    ++position_;
    return value;
  }
  void align() { position_ = (position_ + 7) / 8 * 8; }
  bool overrun() const { return overrun_; }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
  bool overrun_ = false;
};

constexpr int k_max_length = 15;

// A canonical Huffman code: how many codes there are of each length, and their symbols in order.
struct HuffmanCode {
  std::array<std::uint16_t, k_max_length + 1> count{};
  std::array<std::uint16_t, 288> symbol{};

  // False where more codes are given than the lengths can hold.
  bool build(std::span<const std::uint8_t> lengths) {
    count.fill(0);
    for (const std::uint8_t l : lengths) ++count[l];
    count[0] = 0;
    int left = 1;
    for (int l = 1; l <= k_max_length; ++l) {
      left = left * 2 - count[l];
      if (left < 0) return false;
    }
    std::array<std::uint16_t, k_max_length + 2> start{};
    for (int l = 1; l <= k_max_length; ++l) start[l + 1] = std::uint16_t(start[l] + count[l]);
    for (std::size_t s = 0; s < lengths.size(); ++s) {
      if (lengths[s] != 0) symbol[start[lengths[s]]++] = std::uint16_t(s);
    }
    return true;
  }

  // -1 where the bits are no code.
  int decode(BitReader& in) const {
    int code = 0, first = 0, index = 0;
    for (int l = 1; l <= k_max_length; ++l) {
      code |= int(in.bit());
      if (code - first < count[l]) return symbol[index + code - first];
      index += count[l];
      first = (first + count[l]) * 2;
      code *= 2;
    }
    return -1;
  }
};

constexpr std::array<std::uint16_t, 29> k_length_base = {
    3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
    31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
constexpr std::array<std::uint8_t, 29> k_length_bits = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
constexpr std::array<std::uint16_t, 30> k_distance_base = {
    1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
    193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
constexpr std::array<std::uint8_t, 30> k_distance_bits = {0, 0, 0,  0,  1,  1,  2,  2,  3,  3,
                                                          4, 4, 5,  5,  6,  6,  7,  7,  8,  8,
                                                          9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

class Inflater {
 public:
  Inflater(std::string_view stream, std::size_t size) : in_(stream), size_(size) {}

  bool run() {
    bool last = false;
    while (!last) {
      last = in_.bit() != 0;
      const std::uint32_t kind = in_.bits(2);
      const bool good = kind == 0 ? stored() : kind == 1 ? fixed() : kind == 2 && dynamic();
      if (!good || in_.overrun()) return false;
    }
    return out_.size() == size_;
  }
  std::string& out() { return out_; }

 private:
  bool stored() {
    in_.align();
    const std::uint32_t length = in_.bits(16), check = in_.bits(16);
    if ((length ^ check) != 0xFFFF || length > size_ - out_.size()) return false;
    for (std::uint32_t i = 0; i < length && !in_.overrun(); ++i) out_ += char(in_.bits(8));
    return true;
  }

  bool fixed() {
    std::array<std::uint8_t, 288> lengths{};
    for (std::size_t s = 0; s < 288; ++s) lengths[s] = s < 144 ? 8 : s < 256 ? 9 : s < 280 ? 7 : 8;
    std::array<std::uint8_t, 30> distances{};
    distances.fill(5);
    HuffmanCode literal, distance;
    return literal.build(lengths) && distance.build(distances) && codes(literal, distance);
  }

  bool dynamic() {
    const std::size_t literals = in_.bits(5) + 257, distances = in_.bits(5) + 1;
    const std::size_t used = in_.bits(4) + 4;
    if (literals > 286 || distances > 30) return false;
    constexpr std::array<std::uint8_t, 19> order = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
    std::array<std::uint8_t, 19> code_lengths{};
    for (std::size_t i = 0; i < used; ++i) code_lengths[order[i]] = std::uint8_t(in_.bits(3));
    HuffmanCode code;
    if (!code.build(code_lengths)) return false;
    std::array<std::uint8_t, 316> lengths{};
    for (std::size_t i = 0; i < literals + distances;) {
      const int symbol = code.decode(in_);
      if (symbol < 0 || in_.overrun()) return false;
      if (symbol < 16) {
        lengths[i++] = std::uint8_t(symbol);
        continue;
      }
      if (symbol == 16 && i == 0) return false;
      const std::uint8_t value = symbol == 16 ? lengths[i - 1] : std::uint8_t(0);
      const std::size_t repeat = symbol == 16   ? 3 + in_.bits(2)
                                 : symbol == 17 ? 3 + in_.bits(3)
                                                : 11 + in_.bits(7);
      if (repeat > literals + distances - i) return false;
      for (std::size_t k = 0; k < repeat; ++k) lengths[i++] = value;
    }
    HuffmanCode literal, distance;
    return literal.build(std::span(lengths).first(literals)) &&
           distance.build(std::span(lengths).subspan(literals, distances)) &&
           codes(literal, distance);
  }

  bool codes(const HuffmanCode& literal, const HuffmanCode& distance) {
    while (!in_.overrun()) {
      const int symbol = literal.decode(in_);
      if (symbol < 0 || symbol > 285) return false;
      if (symbol == 256) return true;
      if (symbol < 256) {
        if (out_.size() == size_) return false;
        out_ += char(symbol);
        continue;
      }
      const std::size_t length = k_length_base[std::size_t(symbol - 257)] +
                                 in_.bits(k_length_bits[std::size_t(symbol - 257)]);
      const int far = distance.decode(in_);
      if (far < 0 || far > 29) return false;
      const std::size_t back =
          k_distance_base[std::size_t(far)] + in_.bits(k_distance_bits[std::size_t(far)]);
      if (back > out_.size() || length > size_ - out_.size()) return false;
      for (std::size_t i = 0; i < length; ++i) out_ += out_[out_.size() - back];
    }
    return false;
  }

  BitReader in_;
  std::size_t size_;
  std::string out_;
};

std::uint32_t adler32(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + std::uint8_t(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

}  // namespace

std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t size) {
  if (stream.size() < 6) return std::nullopt;
  const unsigned method = std::uint8_t(stream[0]), flags = std::uint8_t(stream[1]);
  if ((method & 15) != 8 || (method * 256 + flags) % 31 != 0 || (flags & 32) != 0)
    return std::nullopt;
  Inflater inflater(stream.substr(2, stream.size() - 6), size);
  if (!inflater.run()) return std::nullopt;
  std::uint32_t sum = 0;
  for (const char c : stream.substr(stream.size() - 4)) sum = sum << 8 | std::uint8_t(c);
  if (sum != adler32(inflater.out())) return std::nullopt;
  return std::move(inflater.out());
}

}  // namespace pliant
