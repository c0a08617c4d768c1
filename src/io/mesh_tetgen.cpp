// TetGen's .node and .ele: a header with counts, then one line for each, numbered from 0 or 1.
#include <limits>

#include "io/mesh_readers.h"

namespace pliant {

namespace {

struct Row {
  std::int64_t line = 0;
  std::vector<std::string_view> words;
};

// The lines that hold something, without comments.
class Rows {
 public:
  explicit Rows(const Source& source) : scanner_(source) {}

  bool next() {
    while (!scanner_.at_end()) {
      row_.line = scanner_.line();
      const std::string_view text = scanner_.rest_of_line();
      split_words(text.substr(0, text.find('#')), row_.words);
      if (!row_.words.empty()) return true;
    }
    return false;
  }
  std::size_t size() const { return row_.words.size(); }
  std::int64_t integer(std::size_t column, const char* what) const {
    std::int64_t value = 0;
    if (column >= size()) fail(std::string("the line ends before ") + what);
    if (!parse_number(row_.words[column], value)) {
      fail("found " + quoted(row_.words[column]) + " where a whole number is needed (" + what +
           ")");
    }
    return value;
  }
  double number(std::size_t column, const char* what) const {
    double value = 0;
    if (column >= size()) fail(std::string("the line ends before ") + what);
    if (!parse_number(row_.words[column], value)) {
      fail("found " + quoted(row_.words[column]) + " where a finite number is needed (" + what +
           ")");
    }
    return value;
  }
  // The count in a header; a file cannot hold more lines than half its bytes.
  std::int64_t count(const char* what) const {
    const std::int64_t value = integer(0, what);
    if (value < 0) fail(std::string(what) + " is " + std::to_string(value) + ", less than nothing");
    if (std::uint64_t(value) > scanner_.remaining() / 2 + 1) {
      fail(std::string(what) + " is " + std::to_string(value) + ", but only " +
           std::to_string(scanner_.remaining()) + " bytes follow");
    }
    return value;
  }
  std::int64_t line() const { return row_.line; }
  const Source& source() const { return scanner_.source(); }
  [[noreturn]] void fail(const std::string& message) const {
    fail_at_line(source(), row_.line, message);
  }

 private:
  Scanner scanner_;
  Row row_;
};

void check_number(const Rows& rows, std::int64_t expected) {
  const std::int64_t number = rows.integer(0, "the running number");
  if (number != expected) {
    rows.fail("the running number is " + std::to_string(number) + ", but " +
              std::to_string(expected) + " is due");
  }
}

void check_count(const Rows& rows, std::int64_t promised, std::size_t found, const char* what,
                 Warnings& warnings) {
  if (std::int64_t(found) < promised) {
    rows.fail("the header promises " + std::to_string(promised) + " " + what +
              ", but the file ends after " + std::to_string(found));
  }
  if (std::int64_t(found) > promised) {
    warnings.push_back({"count_mismatch", "the header promises " + std::to_string(promised) + " " +
                                              what + ", " + std::to_string(found) + " follow"});
  }
}

}  // namespace

std::int64_t read_tetgen_nodes(const Source& source, TetMesh& mesh, Warnings& warnings) {
  Rows rows(source);
  if (!rows.next()) fail_in(source, "empty; a .node file begins with the number of vertices");
  const std::int64_t promised = rows.count("the number of vertices");
  if (rows.size() > 1 && rows.integer(1, "the dimension") != 3) rows.fail("the dimension is not 3");
  std::int64_t first = 0;
  while (rows.next()) {
    if (mesh.vertices.empty()) {
      first = rows.integer(0, "the running number");
      if (first != 0 && first != 1) rows.fail("vertices are numbered from 0 or 1");
    }
    check_number(rows, first + std::int64_t(mesh.vertices.size()));
    mesh.vertices.push_back({rows.number(1, "x"), rows.number(2, "y"), rows.number(3, "z")});
  }
  check_count(rows, promised, mesh.vertices.size(), "vertices", warnings);
  if (mesh.vertices.empty()) fail_in(source, "no vertices");
  return first;
}

void read_tetgen_elements(const Source& source, std::int64_t first, TetMesh& mesh,
                          Warnings& warnings) {
  Rows rows(source);
  if (!rows.next()) fail_in(source, "empty; an .ele file begins with the number of tetrahedra");
  const std::int64_t promised = rows.count("the number of tetrahedra");
  if (rows.size() > 1) {
    const std::int64_t corners = rows.integer(1, "the number of corners");
    if (corners != 4 && corners != 10) rows.fail("tetrahedra have 4 or 10 corners");
  }
  const std::int64_t last = first + std::int64_t(mesh.vertices.size()) - 1;
  std::int64_t first_element = 0;
  while (rows.next()) {
    if (mesh.tetrahedra.empty()) first_element = rows.integer(0, "the running number");
    check_number(rows, first_element + std::int64_t(mesh.tetrahedra.size()));
    Tetrahedron corners{};
    for (std::size_t c = 0; c < 4; ++c) {
      const std::int64_t v = rows.integer(c + 1, "a corner");
      if (v < first || v > last) {
        rows.fail("tetrahedron " + std::to_string(mesh.tetrahedra.size()) + " uses vertex " +
                  std::to_string(v) + "; accepted are " + std::to_string(first) + " to " +
                  std::to_string(last));
      }
      corners[c] = std::int32_t(v - first);
    }
    mesh.tetrahedra.push_back(corners);
  }
  check_count(rows, promised, mesh.tetrahedra.size(), "tetrahedra", warnings);
}

}  // namespace pliant
