#include "record/bytes.h"

namespace pliant {

void ByteWriter::text(const std::string& s) {
  u32(static_cast<std::uint32_t>(s.size()));
  bytes_.insert(bytes_.end(), s.begin(), s.end());
}

std::string ByteReader::text() {
  const std::uint32_t n = count(1);
  std::string s(bytes_.begin() + static_cast<std::ptrdiff_t>(at_),
                bytes_.begin() + static_cast<std::ptrdiff_t>(at_ + n));
  at_ += n;
  return s;
}

std::uint32_t ByteReader::count(std::size_t least) {
  const std::uint32_t n = u32();
  if (n > left() / least) return static_cast<std::uint32_t>(fail());
  return n;
}

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  std::uint64_t h = 14695981039346656037u;
  for (const std::uint8_t b : bytes) h = (h ^ b) * 1099511628211u;
  return h;
}

}  // namespace pliant
