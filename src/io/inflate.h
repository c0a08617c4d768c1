// Decompression of zlib streams (RFC 1950 and 1951), for compressed VTK files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

// Nothing where the stream is damaged or would give other than `size` bytes.
std::optional<std::string> inflate_zlib(std::string_view stream, std::size_t size);

}  // namespace pliant
