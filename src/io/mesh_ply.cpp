// PLY, ASCII and binary in both byte orders: positions and faces; other elements and properties are
// passed over.
#include <limits>

#include "io/endian.h"
#include "io/mesh_readers.h"
#include "io/polygon.h"

namespace pliant {

namespace {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct PlyTypeName {
  const char* name;
  PlyType type;
  std::size_t size;
};
constexpr PlyTypeName k_types[] = {
    {"char", PlyType::int8, 1},      {"int8", PlyType::int8, 1},
    {"uchar", PlyType::uint8, 1},    {"uint8", PlyType::uint8, 1},
    {"short", PlyType::int16, 2},    {"int16", PlyType::int16, 2},
    {"ushort", PlyType::uint16, 2},  {"uint16", PlyType::uint16, 2},
    {"int", PlyType::int32, 4},      {"int32", PlyType::int32, 4},
    {"uint", PlyType::uint32, 4},    {"uint32", PlyType::uint32, 4},
    {"float", PlyType::float32, 4},  {"float32", PlyType::float32, 4},
    {"double", PlyType::float64, 8}, {"float64", PlyType::float64, 8}};

struct PlyProperty {
  std::string name;
  const PlyTypeName* type = nullptr;
  const PlyTypeName* count_type = nullptr;  // of a list
};
struct PlyElement {
  std::string name;
  std::int64_t count = 0;
  std::vector<PlyProperty> properties;
};

class PlyReader {
 public:
  PlyReader(const Source& source, Warnings& warnings) : scanner_(source), warnings_(warnings) {}

  TriMesh read() {
    read_header();
    for (const PlyElement& element : elements_) {
      for (std::int64_t i = 0; i < element.count; ++i) read_element(element, i);
    }
    if (mesh_.vertices.empty()) fail_in(scanner_.source(), "no vertices in this PLY");
    if (mesh_.triangles.empty()) fail_in(scanner_.source(), "no faces in this PLY");
    const std::size_t left = scanner_.remaining();
    if (ascii_ ? !scanner_.word().empty() : left > 0) {
      warnings_.push_back({"count_mismatch", "line " + std::to_string(scanner_.line()) +
                                                 ": more data follow than the header promises"});
    }
    return std::move(mesh_);
  }

 private:
  void read_header() {
    if (scanner_.word() != "ply") scanner_.fail("a PLY file begins with 'ply'");
    while (true) {
      scanner_.rest_of_line();
      const std::string_view keyword = scanner_.word();
      if (keyword == "end_header") break;
      if (keyword == "comment" || keyword == "obj_info") continue;
      if (keyword == "format") {
        read_format();
      } else if (keyword == "element") {
        const std::string name(scanner_.word());
        // Binary elements may be empty lists of one byte; text needs two bytes for each.
        elements_.push_back({name, scanner_.count("the number of elements", 1), {}});
      } else if (keyword == "property") {
        read_property();
      } else {
        scanner_.fail("found " + quoted(keyword) + " where a header line or end_header is needed");
      }
    }
    scanner_.rest_of_line();
    if (!format_known_) scanner_.fail("the header has no 'format' line");
    for (const PlyElement& element : elements_) {
      if (element.properties.empty())
        scanner_.fail("element " + quoted(element.name) + " is empty");
    }
  }

  void read_format() {
    const std::string_view format = scanner_.word();
    if (format != "ascii" && format != "binary_little_endian" && format != "binary_big_endian") {
      scanner_.fail("format " + quoted(format) +
                    "; accepted are ascii, binary_little_endian and binary_big_endian");
    }
    ascii_ = format == "ascii";
    big_endian_ = format == "binary_big_endian";
    format_known_ = true;
  }

  const PlyTypeName* read_type() {
    const std::string_view word = scanner_.word();
    for (const PlyTypeName& type : k_types) {
      if (word == type.name) return &type;
    }
    scanner_.fail("type " + quoted(word) + " is none of PLY's");
  }

  void read_property() {
    if (elements_.empty()) scanner_.fail("a property before the first element");
    PlyProperty property;
    if (scanner_.peek_word() == "list") {
      scanner_.word();
      property.count_type = read_type();
      if (property.count_type->type >= PlyType::float32)
        scanner_.fail("a list counted in fractions");
    }
    property.type = read_type();
    property.name = scanner_.word();
    elements_.back().properties.push_back(property);
  }

  double read_value(const PlyTypeName& type, const std::string& name) {
    if (ascii_) return scanner_.number(name.c_str());
    const std::string_view raw = scanner_.bytes(type.size, "the data");
    switch (type.type) {
      case PlyType::int8:
        return read_bytes<std::int8_t>(raw, big_endian_);
      case PlyType::uint8:
        return read_bytes<std::uint8_t>(raw, big_endian_);
      case PlyType::int16:
        return read_bytes<std::int16_t>(raw, big_endian_);
      case PlyType::uint16:
        return read_bytes<std::uint16_t>(raw, big_endian_);
      case PlyType::int32:
        return read_bytes<std::int32_t>(raw, big_endian_);
      case PlyType::uint32:
        return read_bytes<std::uint32_t>(raw, big_endian_);
      case PlyType::float32:
        return read_bytes<float>(raw, big_endian_);
      case PlyType::float64:
        break;
    }
    return read_bytes<double>(raw, big_endian_);
  }

  void read_element(const PlyElement& element, std::int64_t number) {
    Vec3 p;
    int found = 0;
    for (const PlyProperty& property : element.properties) {
      if (property.count_type) {
        read_list(element, property, number);
        continue;
      }
      const double value = read_value(*property.type, property.name);
      if (property.name.size() != 1 || property.name[0] < 'x' || property.name[0] > 'z') continue;
      p[property.name[0] - 'x'] = value;
      found |= 1 << (property.name[0] - 'x');
    }
    if (element.name != "vertex") return;
    if (found != 7) scanner_.fail("the vertex element needs the properties x, y and z");
    if (!finite(p)) fail_here("vertex " + std::to_string(number) + " is not finite");
    mesh_.vertices.push_back(p);
  }

  void read_list(const PlyElement& element, const PlyProperty& property, std::int64_t number) {
    const double size = read_value(*property.count_type, property.name);
    if (!(size >= 0) || size > double(scanner_.remaining()) || size != double(std::int64_t(size))) {
      fail_here("a list of " + quoted(std::to_string(size)) + " entries in " + element.name + " " +
                std::to_string(number));
    }
    const bool is_face = element.name == "face" &&
                         (property.name == "vertex_indices" || property.name == "vertex_index");
    corners_.clear();
    for (std::int64_t i = 0; i < std::int64_t(size); ++i) {
      const double index = read_value(*property.type, property.name);
      if (!is_face) continue;
      if (!(index >= 0) || index >= double(mesh_.vertices.size()) ||
          index != double(std::int32_t(index))) {
        fail_here("face " + std::to_string(number) + " uses vertex " + std::to_string(index) +
                  "; there are " + std::to_string(mesh_.vertices.size()) + ", numbered from 0");
      }
      corners_.push_back(std::int32_t(index));
    }
    if (!is_face) return;
    if (corners_.size() < 3) {
      fail_here("face " + std::to_string(number) + " has " + std::to_string(corners_.size()) +
                " corners; at least 3 are needed");
    }
    append_polygon(corners_, mesh_);
  }

  [[noreturn]] void fail_here(const std::string& message) const {
    if (ascii_) scanner_.fail(message);
    fail_at_byte(scanner_.source(), scanner_.position(), message);
  }

  Scanner scanner_;
  Warnings& warnings_;
  TriMesh mesh_;
  std::vector<PlyElement> elements_;
  std::vector<std::int32_t> corners_;
  bool format_known_ = false, ascii_ = false, big_endian_ = false;
};

}  // namespace

TriMesh read_ply(const Source& source, Warnings& warnings) {
  return PlyReader(source, warnings).read();
}

}  // namespace pliant
