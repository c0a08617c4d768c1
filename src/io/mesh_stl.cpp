// STL, ASCII and binary. Corners at the same place become one vertex; stored normals are ignored.
#include "io/endian.h"
#include "io/mesh_readers.h"
#include "io/polygon.h"

namespace pliant {

namespace {

constexpr std::size_t k_header = 84, k_facet = 50;  // bytes

TriMesh read_binary(const Source& source, Warnings& warnings) {
  if (source.bytes.size() < k_header) {
    fail_at_byte(source, source.bytes.size(), "a binary STL has a header of 84 bytes");
  }
  const std::size_t count = read_bytes<std::uint32_t>(source.bytes.substr(80), false);
  const std::size_t follow = (source.bytes.size() - k_header) / k_facet;
  if (count > follow) {
    fail_at_byte(source, 80,
                 "the header promises " + std::to_string(count) + " triangles, but " +
                     std::to_string(follow) + " follow");
  }
  if (source.bytes.size() != k_header + count * k_facet) {
    warnings.push_back({"count_mismatch", "byte 80: the header promises " + std::to_string(count) +
                                              " triangles, more follow"});
  }
  std::vector<Vec3> corners;
  corners.reserve(count * 3);
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t at = k_header + t * k_facet + 12 + c * 12;
      Vec3 p;
      for (int i = 0; i < 3; ++i) {
        p[i] = read_bytes<float>(source.bytes.substr(at + 4 * std::size_t(i)), false);
      }
      if (!finite(p)) {
        fail_at_byte(source, at, "a corner of triangle " + std::to_string(t) + " is not finite");
      }
      corners.push_back(p);
    }
  }
  if (corners.empty()) fail_at_byte(source, 80, "no triangles in this STL");
  return weld_soup(corners);
}

void expect(Scanner& scanner, std::string_view wanted) {
  const std::string_view found = scanner.word();
  if (found != wanted) {
    scanner.fail("found " + quoted(found) + " where '" + std::string(wanted) + "' is needed");
  }
}

TriMesh read_ascii(const Source& source) {
  Scanner scanner(source);
  std::vector<Vec3> corners;
  expect(scanner, "solid");
  scanner.rest_of_line();
  while (true) {
    const std::string_view word = scanner.word();
    if (word == "endsolid") {
      scanner.rest_of_line();
      if (scanner.word().empty()) break;  // another "solid" may follow
      scanner.rest_of_line();
      continue;
    }
    if (word != "facet") {
      scanner.fail("found " + quoted(word) + " where 'facet' or 'endsolid' is needed");
    }
    scanner.rest_of_line();  // the normal, which some programs write as nan
    expect(scanner, "outer");
    expect(scanner, "loop");
    for (int c = 0; c < 3; ++c) {
      expect(scanner, "vertex");
      Vec3 p;
      for (int i = 0; i < 3; ++i) p[i] = scanner.number("a coordinate");
      corners.push_back(p);
    }
    expect(scanner, "endloop");
    expect(scanner, "endfacet");
  }
  if (corners.empty()) fail_in(source, "no triangles in this STL");
  return weld_soup(corners);
}

}  // namespace

TriMesh read_stl(const Source& source, Warnings& warnings) {
  // A binary header may begin with "solid" too: the size decides, then bytes that text never has.
  const std::string_view bytes = source.bytes;
  if (bytes.size() >= k_header &&
      bytes.size() == k_header + k_facet * read_bytes<std::uint32_t>(bytes.substr(80), false)) {
    return read_binary(source, warnings);
  }
  const bool text = bytes.substr(0, 512).find('\0') == std::string_view::npos;
  return text && bytes.starts_with("solid") ? read_ascii(source) : read_binary(source, warnings);
}

}  // namespace pliant
