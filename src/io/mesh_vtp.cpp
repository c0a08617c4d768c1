// VTK XML polydata (.vtp): text, base64, or appended data, plain or compressed by zlib.
#include <algorithm>
#include <map>

#include "io/endian.h"
#include "io/inflate.h"
#include "io/mesh_readers.h"
#include "io/polygon.h"

namespace pliant {

namespace {

struct Tag {
  std::string_view name;  // "/Points" for an end
  std::map<std::string_view, std::string_view> attributes;
  std::size_t start = 0, end = 0;  // bytes

  std::string_view attribute(std::string_view key) const {
    const auto found = attributes.find(key);
    return found == attributes.end() ? std::string_view() : found->second;
  }
};

// The next tag at or after `from`; comments and declarations are passed over.
bool next_tag(const Source& source, std::size_t from, Tag& tag) {
  const std::string_view all = source.bytes;
  while (true) {
    tag.start = all.find('<', from);
    if (tag.start == std::string_view::npos) return false;
    const bool comment = all.substr(tag.start).starts_with("<!--");
    const std::size_t close = comment ? all.find("-->", tag.start) : all.find('>', tag.start);
    if (close == std::string_view::npos) fail_at_byte(source, tag.start, "a tag that never ends");
    tag.end = close + (comment ? 3 : 1);
    from = tag.end;
    if (!comment && all[tag.start + 1] != '?' && all[tag.start + 1] != '!') break;
  }
  std::string_view inside = all.substr(tag.start + 1, tag.end - tag.start - 2);
  const std::size_t name_end = std::min(inside.find_first_of(" \t\r\n"), inside.size());
  tag.name = inside.substr(0, name_end);
  tag.attributes.clear();
  inside.remove_prefix(name_end);
  while (true) {
    const std::size_t equals = inside.find('=');
    if (equals == std::string_view::npos || equals + 1 >= inside.size()) return true;
    const std::size_t key = inside.find_first_not_of(" \t\r\n");
    const std::size_t open = inside.find_first_of("\"'", equals);
    if (open == std::string_view::npos)
      fail_at_byte(source, tag.start, "an attribute has no value");
    const std::size_t shut = inside.find(inside[open], open + 1);
    if (shut == std::string_view::npos) fail_at_byte(source, tag.start, "an attribute has no end");
    std::string_view name = inside.substr(key, equals - key);
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    tag.attributes[name] = inside.substr(open + 1, shut - open - 1);
    inside.remove_prefix(shut + 1);
  }
}

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Decodes up to the first padding or strange character; `used` tells how many characters.
std::string decode_base64(std::string_view text, std::size_t& used) {
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (used = 0; used < text.size(); ++used) {
    const int digit = base64_digit(text[used]);
    if (digit < 0) break;
    bits = (bits << 6 | std::uint32_t(digit)) & 0xFFFFFF;
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out += char(bits >> have & 0xFF);
  }
  while (used < text.size() && text[used] == '=') ++used;
  return out;
}

class VtpReader {
 public:
  explicit VtpReader(const Source& source) : source_(source) {}

  TriMesh read() {
    Tag tag;
    if (!next_tag(source_, 0, tag) || tag.name != "VTKFile") {
      fail_at_byte(source_, 0, "a VTP file begins with <VTKFile type=\"PolyData\">");
    }
    if (tag.attribute("type") != "PolyData") {
      fail_at_byte(source_, tag.start,
                   "VTKFile type " + quoted(tag.attribute("type")) + "; accepted is PolyData");
    }
    big_endian_ = tag.attribute("byte_order") == "BigEndian";
    header_size_ = tag.attribute("header_type") == "UInt64" ? 8 : 4;
    compressed_ = !tag.attribute("compressor").empty();
    if (compressed_ && tag.attribute("compressor") != "vtkZLibDataCompressor") {
      fail_at_byte(source_, tag.start,
                   "compressor " + quoted(tag.attribute("compressor")) +
                       "; accepted is vtkZLibDataCompressor");
    }
    find_appended();
    read_pieces(tag.end);
    if (mesh_.vertices.empty()) fail_in(source_, "no points in this VTP");
    if (mesh_.triangles.empty()) fail_in(source_, "no polygons in this VTP");
    return std::move(mesh_);
  }

 private:
  void find_appended() {
    const std::size_t at = source_.bytes.find("<AppendedData");
    Tag tag;
    if (at == std::string_view::npos || !next_tag(source_, at, tag)) return;
    appended_raw_ = tag.attribute("encoding") == "raw";
    const std::size_t mark = source_.bytes.find('_', tag.end);
    appended_start_ = mark == std::string_view::npos ? source_.bytes.size() : mark + 1;
    geometry_end_ = at;
  }

  void read_pieces(std::size_t at) {
    Tag tag;
    std::string_view section;
    while (at < geometry_end_ && next_tag(source_, at, tag) && tag.start < geometry_end_) {
      at = tag.end;
      if (tag.name == "Points" || tag.name == "Polys") section = tag.name;
      if (tag.name == "/Points" || tag.name == "/Polys") section = {};
      if (tag.name == "Piece") first_point_ = mesh_.vertices.size();
      if (tag.name == "DataArray" && section == "Points") read_points(tag);
      if (tag.name == "DataArray" && section == "Polys") {
        if (tag.attribute("Name") == "connectivity") corners_ = read_array(tag);
        if (tag.attribute("Name") == "offsets") offsets_ = read_array(tag);
      }
      if (tag.name == "/Polys") append_polygons(tag.start);
    }
  }

  void read_points(const Tag& tag) {
    const std::vector<double> values = read_array(tag);
    if (values.size() % 3 != 0) fail_at_byte(source_, tag.start, "points that are not threes");
    for (std::size_t i = 0; i < values.size(); i += 3) {
      const Vec3 p{values[i], values[i + 1], values[i + 2]};
      if (!finite(p)) {
        fail_at_byte(source_, tag.start, "point " + std::to_string(i / 3) + " is not finite");
      }
      mesh_.vertices.push_back(p);
    }
  }

  void append_polygons(std::size_t place) {
    const double points = double(mesh_.vertices.size() - first_point_);
    std::size_t start = 0;
    std::vector<std::int32_t> polygon;
    for (std::size_t c = 0; c < offsets_.size(); ++c) {
      if (!(offsets_[c] >= double(start) + 3) || offsets_[c] > double(corners_.size())) {
        fail_at_byte(source_, place,
                     "polygon " + std::to_string(c) + " ends at corner " +
                         std::to_string(offsets_[c]) + " of " + std::to_string(corners_.size()));
      }
      polygon.clear();
      for (std::size_t k = start; k < std::size_t(offsets_[c]); ++k) {
        if (!(corners_[k] >= 0 && corners_[k] < points)) {
          fail_at_byte(source_, place,
                       "polygon " + std::to_string(c) + " uses point " +
                           std::to_string(corners_[k]) + " of " + std::to_string(points));
        }
        polygon.push_back(std::int32_t(first_point_) + std::int32_t(corners_[k]));
      }
      start = std::size_t(offsets_[c]);
      append_polygon(polygon, mesh_);
    }
    corners_.clear();
    offsets_.clear();
  }

  std::vector<double> read_array(const Tag& tag) {
    const std::string_view format = tag.attribute("format");
    const std::size_t stop = std::min(source_.bytes.find('<', tag.end), source_.bytes.size());
    std::string_view text = source_.bytes.substr(tag.end, stop - tag.end);
    if (format == "ascii" || format.empty()) return read_text(text, tag);
    if (format == "binary") {
      const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
      return to_numbers(unpack(text.substr(first), false, tag), tag);
    }
    if (format != "appended") fail_at_byte(source_, tag.start, "format " + quoted(format));
    std::int64_t offset = -1;
    if (!parse_number(tag.attribute("offset"), offset) || offset < 0 ||
        std::uint64_t(offset) >=
            source_.bytes.size() - std::min(appended_start_, source_.bytes.size())) {
      fail_at_byte(source_, tag.start, "the offset of the appended data is outside the file");
    }
    return to_numbers(
        unpack(source_.bytes.substr(appended_start_ + std::size_t(offset)), appended_raw_, tag),
        tag);
  }

  std::vector<double> read_text(std::string_view text, const Tag& tag) {
    std::vector<std::string_view> words;
    split_words(text, words);
    std::vector<double> values(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!parse_number(words[i], values[i])) {
        fail_at_byte(source_, tag.end + std::size_t(words[i].data() - text.data()),
                     "found " + quoted(words[i]) + " where a finite number is needed");
      }
    }
    return values;
  }

  std::uint64_t header_word(std::string_view bytes, std::size_t index, const Tag& tag) const {
    if (bytes.size() < (index + 1) * header_size_) damaged(tag);
    bytes.remove_prefix(index * header_size_);
    return header_size_ == 8 ? read_bytes<std::uint64_t>(bytes, big_endian_)
                             : read_bytes<std::uint32_t>(bytes, big_endian_);
  }

  [[noreturn]] void damaged(const Tag& tag) const {
    fail_at_byte(source_, tag.start,
                 "the data of array " + quoted(tag.attribute("Name")) + " are damaged or cut off");
  }

  // Header and data may be encoded together or one after the other, each with its own padding.
  std::string unpack(std::string_view text, bool raw, const Tag& tag) const {
    std::size_t used = 0;
    std::string first = raw ? std::string(text) : decode_base64(text, used);
    std::size_t ignored = 0;
    if (!compressed_) {
      const std::uint64_t size = header_word(first, 0, tag);
      if (first.size() == header_size_) first += decode_base64(text.substr(used), ignored);
      if (size > first.size() - header_size_) damaged(tag);
      return first.substr(header_size_, std::size_t(size));
    }
    const std::uint64_t blocks = header_word(first, 0, tag);
    if (blocks == 0) return {};
    const std::uint64_t block = header_word(first, 1, tag), last = header_word(first, 2, tag);
    if (blocks > first.size() / header_size_) damaged(tag);
    const std::size_t header = (3 + std::size_t(blocks)) * header_size_;
    const std::string packed =
        first.size() > header ? first.substr(header) : decode_base64(text.substr(used), ignored);
    std::string out;
    std::size_t at = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint64_t size = header_word(first, 3 + b, tag);
      if (size > packed.size() - at) damaged(tag);
      const std::uint64_t want = b + 1 == blocks && last != 0 ? last : block;
      const auto piece =
          inflate_zlib(std::string_view(packed).substr(at, std::size_t(size)), std::size_t(want));
      if (!piece) damaged(tag);
      out += *piece;
      at += std::size_t(size);
    }
    return out;
  }

  template <class T>
  std::vector<double> numbers_of(std::string_view bytes, const Tag& tag) const {
    if (bytes.size() % sizeof(T) != 0) damaged(tag);
    std::vector<double> values;
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      values.push_back(double(read_bytes<T>(bytes.substr(i), big_endian_)));
    }
    return values;
  }

  std::vector<double> to_numbers(const std::string& bytes, const Tag& tag) const {
    const std::string_view type = tag.attribute("type");
    if (type == "Float64") return numbers_of<double>(bytes, tag);
    if (type == "Float32") return numbers_of<float>(bytes, tag);
    if (type == "Int64") return numbers_of<std::int64_t>(bytes, tag);
    if (type == "Int32") return numbers_of<std::int32_t>(bytes, tag);
    if (type == "UInt64") return numbers_of<std::uint64_t>(bytes, tag);
    if (type == "UInt32") return numbers_of<std::uint32_t>(bytes, tag);
    fail_at_byte(source_, tag.start,
                 "type " + quoted(type) +
                     "; accepted are Float32, Float64, "
                     "Int32, Int64, UInt32 and UInt64");
  }

  Source source_;
  TriMesh mesh_;
  std::vector<double> corners_, offsets_;
  std::size_t first_point_ = 0;
  std::size_t appended_start_ = 0, geometry_end_ = std::string_view::npos;
  bool appended_raw_ = false, big_endian_ = false, compressed_ = false;
  std::size_t header_size_ = 4;
};

}  // namespace

TriMesh read_vtp(const Source& source, Warnings&) { return VtpReader(source).read(); }

}  // namespace pliant
