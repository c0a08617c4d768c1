// Legacy VTK, text and binary (big-endian), old cells and those of version 5 (OFFSETS and
// CONNECTIVITY): polydata and unstructured grids. Attribute data are not read.
#include <map>

#include "io/endian.h"
#include "io/mesh_readers.h"
#include "io/polygon.h"

namespace pliant {

namespace {

struct VtkCells {
  std::vector<std::size_t> ends;  // of each cell, in corners
  std::vector<std::int32_t> corners;

  std::span<const std::int32_t> cell(std::size_t i) const {
    const std::size_t start = i == 0 ? 0 : ends[i - 1];
    return std::span(corners).subspan(start, ends[i] - start);
  }
};

struct VtkMesh {
  bool unstructured = false;
  std::vector<Vec3> points;
  VtkCells polygons, strips, cells;
  std::vector<std::int64_t> types;  // of cells
};

class VtkReader {
 public:
  explicit VtkReader(const Source& source) : scanner_(source) {}

  VtkMesh read() {
    read_header();
    while (true) {
      const std::string_view keyword = scanner_.word();
      if (keyword.empty() || keyword == "POINT_DATA" || keyword == "CELL_DATA") break;
      read_section(keyword);
    }
    if (mesh_.points.empty()) fail_in(scanner_.source(), "no POINTS in this VTK file");
    if (mesh_.unstructured && mesh_.types.size() != mesh_.cells.ends.size()) {
      fail_in(scanner_.source(), std::to_string(mesh_.cells.ends.size()) + " CELLS but " +
                                     std::to_string(mesh_.types.size()) + " CELL_TYPES");
    }
    return std::move(mesh_);
  }

 private:
  void read_header() {
    if (!scanner_.rest_of_line().starts_with("# vtk DataFile")) {
      fail_at_line(scanner_.source(), 1, "a VTK file begins with '# vtk DataFile Version'");
    }
    scanner_.rest_of_line();  // title
    const std::string_view format = scanner_.word();
    if (format != "ASCII" && format != "BINARY") {
      scanner_.fail("found " + quoted(format) + " where ASCII or BINARY is needed");
    }
    binary_ = format == "BINARY";
    if (scanner_.word() != "DATASET") scanner_.fail("'DATASET' is needed after the format");
    const std::string_view dataset = scanner_.word();
    if (dataset != "POLYDATA" && dataset != "UNSTRUCTURED_GRID") {
      scanner_.fail("DATASET " + quoted(dataset) + "; accepted are POLYDATA and UNSTRUCTURED_GRID");
    }
    mesh_.unstructured = dataset == "UNSTRUCTURED_GRID";
  }

  void read_section(std::string_view keyword) {
    VtkCells ignored;
    if (keyword == "POINTS") {
      read_points();
    } else if (keyword == "POLYGONS") {
      read_cells(mesh_.polygons);
    } else if (keyword == "TRIANGLE_STRIPS") {
      read_cells(mesh_.strips);
    } else if (keyword == "VERTICES" || keyword == "LINES") {
      read_cells(ignored);
    } else if (keyword == "CELLS") {
      read_cells(mesh_.cells);
    } else if (keyword == "CELL_TYPES") {
      read_types();
    } else if (keyword == "METADATA") {
      scanner_.rest_of_line();
      while (!scanner_.at_end() && !scanner_.rest_of_line().empty()) continue;
    } else if (keyword == "FIELD") {
      skip_field();
    } else {
      fail_here("found " + quoted(keyword) +
                " where a section (POINTS, POLYGONS, CELLS, CELL_TYPES ...) begins");
    }
  }

  [[noreturn]] void fail_here(const std::string& message) const {
    if (!binary_) scanner_.fail(message);
    fail_at_byte(scanner_.source(), scanner_.position(), message);
  }

  void read_points() {
    const std::int64_t count = scanner_.count("the number of points", 6);
    const std::string_view type = scanner_.word();
    if (type != "float" && type != "double") {
      scanner_.fail("points of type " + quoted(type) + "; accepted are float and double");
    }
    scanner_.rest_of_line();
    const std::size_t size = type == "float" ? 4 : 8;
    if (count > INT32_MAX) fail_here("more points than 32-bit indices reach");
    for (std::int64_t i = 0; i < count; ++i) {
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = binary_ ? binary_number(size) : scanner_.number("a point");
      if (!finite(p)) fail_here("point " + std::to_string(i) + " is not finite");
      mesh_.points.push_back(p);
    }
  }

  double binary_number(std::size_t size) {
    const std::string_view raw = scanner_.bytes(size, "the points");
    return size == 4 ? double(read_bytes<float>(raw, true)) : read_bytes<double>(raw, true);
  }

  std::int64_t integer(std::size_t size, const char* what) {
    if (!binary_) return scanner_.integer(what);
    const std::string_view raw = scanner_.bytes(size, what);
    return size == 4 ? read_bytes<std::int32_t>(raw, true) : read_bytes<std::int64_t>(raw, true);
  }

  std::int32_t read_corner(std::size_t size, std::size_t cell) {
    const std::int64_t v = integer(size, "the corners of the cells");
    if (v < 0 || v >= std::int64_t(mesh_.points.size())) {
      fail_here("cell " + std::to_string(cell) + " uses point " + std::to_string(v) +
                "; there are " + std::to_string(mesh_.points.size()) + ", numbered from 0");
    }
    return std::int32_t(v);
  }

  void read_cells(VtkCells& cells) {
    const std::int64_t first = scanner_.count("the number of cells", 1);
    const std::int64_t second = scanner_.count("the size of the cell list", 1);
    scanner_.rest_of_line();
    if (scanner_.source().bytes.substr(scanner_.position()).starts_with("OFFSETS") ||
        (!binary_ && scanner_.peek_word() == "OFFSETS")) {
      read_cells_5(first, second, cells);
      return;
    }
    std::int64_t used = 0;
    for (std::int64_t c = 0; c < first; ++c) {
      const std::int64_t corners = integer(4, "the number of corners of a cell");
      if (corners < 0 || corners > second - used - 1) {
        fail_here("cell " + std::to_string(c) + " has " + std::to_string(corners) +
                  " corners, more than the cell list of " + std::to_string(second) + " holds");
      }
      for (std::int64_t k = 0; k < corners; ++k) {
        cells.corners.push_back(read_corner(4, std::size_t(c)));
      }
      cells.ends.push_back(cells.corners.size());
      used += corners + 1;
    }
    if (used != second) {
      fail_here("the cell list is " + std::to_string(second) + " long by its header, but " +
                std::to_string(used) + " by its cells");
    }
  }

  std::size_t array_type(const char* name) {
    const std::string_view found = scanner_.word();
    if (found != name) fail_here("found " + quoted(found) + " where " + name + " is needed");
    const std::string_view type = scanner_.word();
    scanner_.rest_of_line();
    if (type == "vtktypeint64" || type == "long" || type == "vtkIdType") return 8;
    if (type == "int" || type == "vtktypeint32") return 4;
    fail_here("type " + quoted(type) + "; accepted are vtktypeint64 and int");
  }

  void read_cells_5(std::int64_t offsets, std::int64_t corners, VtkCells& cells) {
    const std::size_t size = array_type("OFFSETS");
    std::int64_t last = 0;
    for (std::int64_t i = 0; i < offsets; ++i) {
      const std::int64_t end = integer(size, "the offsets");
      if (end < last || end > corners || (i == 0 && end != 0)) {
        fail_here("offset " + std::to_string(i) + " is " + std::to_string(end) +
                  "; they rise from 0 to " + std::to_string(corners));
      }
      if (i > 0) cells.ends.push_back(std::size_t(end));
      last = end;
    }
    if (last != corners) fail_here("the last offset is not the number of corners");
    const std::size_t corner_size = array_type("CONNECTIVITY");
    std::size_t cell = 0;
    for (std::int64_t k = 0; k < corners; ++k) {
      while (cell < cells.ends.size() && cells.ends[cell] <= std::size_t(k)) ++cell;
      cells.corners.push_back(read_corner(corner_size, cell));
    }
  }

  void read_types() {
    const std::int64_t count = scanner_.count("the number of cell types", 1);
    scanner_.rest_of_line();
    for (std::int64_t i = 0; i < count; ++i) mesh_.types.push_back(integer(4, "the cell types"));
  }

  // FIELD name n, then n arrays: name components tuples type, and the values.
  void skip_field() {
    scanner_.word();
    const std::int64_t arrays = scanner_.count("the number of arrays", 1);
    static const std::map<std::string_view, std::size_t> sizes = {
        {"char", 1}, {"unsigned_char", 1}, {"short", 2}, {"unsigned_short", 2},
        {"int", 4},  {"unsigned_int", 4},  {"float", 4}, {"double", 8},
        {"long", 8}, {"vtktypeint64", 8}};
    for (std::int64_t a = 0; a < arrays; ++a) {
      scanner_.word();
      const std::int64_t components = scanner_.count("the number of components", 1);
      const std::int64_t tuples = scanner_.count("the number of tuples", 1);
      const auto type = sizes.find(scanner_.word());
      scanner_.rest_of_line();
      const std::uint64_t values = std::uint64_t(components) * std::uint64_t(tuples);
      if (type == sizes.end()) fail_here("a field of unknown type");
      if (values > scanner_.remaining()) fail_here("a field that is longer than the file");
      if (binary_) {
        scanner_.bytes(values * type->second, "a field");
      } else {
        for (std::uint64_t i = 0; i < values; ++i) scanner_.number("a field");
      }
    }
  }

  Scanner scanner_;
  VtkMesh mesh_;
  bool binary_ = false;
};

enum VtkType {
  vtk_triangle = 5,
  vtk_strip = 6,
  vtk_polygon = 7,
  vtk_pixel = 8,
  vtk_quad = 9,
  vtk_tetra = 10,
  vtk_quadratic_tetra = 24
};

// How many corners a type has; 0 where it is open or not looked at.
std::size_t corners_of_type(std::int64_t type) {
  static const std::map<std::int64_t, std::size_t> known = {{1, 1},  {3, 2},  {5, 3},  {8, 4},
                                                            {9, 4},  {10, 4}, {11, 8}, {12, 8},
                                                            {13, 6}, {14, 5}, {24, 10}};
  const auto found = known.find(type);
  return found == known.end() ? 0 : found->second;
}

// Drops cells whose number of corners contradicts their type, with one warning for all.
std::vector<std::size_t> sound_cells(const VtkMesh& vtk, Warnings& warnings) {
  std::vector<std::size_t> sound;
  std::size_t wrong = 0, first = 0;
  for (std::size_t c = 0; c < vtk.types.size(); ++c) {
    const std::size_t expected = corners_of_type(vtk.types[c]);
    if (expected == 0 || expected == vtk.cells.cell(c).size()) {
      sound.push_back(c);
    } else if (wrong++ == 0) {
      first = c;
    }
  }
  if (wrong > 0) {
    warnings.push_back({"wrong_cell_type", "cell " + std::to_string(first) + " of type " +
                                               std::to_string(vtk.types[first]) + " has " +
                                               std::to_string(vtk.cells.cell(first).size()) +
                                               " corners; " + std::to_string(wrong) +
                                               " such cells are left out"});
  }
  return sound;
}

void append_strip(std::span<const std::int32_t> strip, TriMesh& mesh) {
  for (std::size_t i = 2; i < strip.size(); ++i) {
    const bool odd = i % 2 != 0;
    mesh.triangles.push_back({strip[odd ? i - 1 : i - 2], strip[odd ? i - 2 : i - 1], strip[i]});
  }
}

void append_flat(std::span<const std::int32_t> corners, const Source& source, std::size_t cell,
                 TriMesh& mesh) {
  if (corners.size() < 3) {
    fail_in(source, "polygon " + std::to_string(cell) + " has " + std::to_string(corners.size()) +
                        " corners; at least 3 are needed");
  }
  append_polygon(corners, mesh);
}

}  // namespace

bool is_vtk_unstructured(std::string_view bytes) {
  return bytes.substr(0, 1024).find("UNSTRUCTURED_GRID") != std::string_view::npos;
}

TriMesh read_vtk_surface(const Source& source, Warnings& warnings) {
  VtkMesh vtk = VtkReader(source).read();
  TriMesh mesh{std::move(vtk.points), {}};
  for (std::size_t c = 0; c < vtk.polygons.ends.size(); ++c) {
    append_flat(vtk.polygons.cell(c), source, c, mesh);
  }
  for (std::size_t c = 0; c < vtk.strips.ends.size(); ++c) append_strip(vtk.strips.cell(c), mesh);
  for (const std::size_t c : sound_cells(vtk, warnings)) {
    const auto corners = vtk.cells.cell(c);
    const std::int64_t type = vtk.types[c];
    if (type == vtk_triangle || type == vtk_polygon || type == vtk_quad) {
      append_flat(corners, source, c, mesh);
    } else if (type == vtk_strip) {
      append_strip(corners, mesh);
    } else if (type == vtk_pixel) {
      append_flat(std::array{corners[0], corners[1], corners[3], corners[2]}, source, c, mesh);
    }
  }
  if (mesh.triangles.empty()) {
    fail_in(source, "no polygons among " + std::to_string(vtk.types.size()) + " cells");
  }
  return mesh;
}

TetMesh read_vtk_tetrahedra(const Source& source, Warnings& warnings) {
  VtkMesh vtk = VtkReader(source).read();
  if (!vtk.unstructured)
    fail_in(source, "DATASET is POLYDATA; tetrahedra are in UNSTRUCTURED_GRID");
  TetMesh mesh{std::move(vtk.points), {}};
  for (const std::size_t c : sound_cells(vtk, warnings)) {
    if (vtk.types[c] != vtk_tetra && vtk.types[c] != vtk_quadratic_tetra) continue;
    const auto corners = vtk.cells.cell(c);
    mesh.tetrahedra.push_back({corners[0], corners[1], corners[2], corners[3]});
  }
  return mesh;
}

}  // namespace pliant
