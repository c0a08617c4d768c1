// Wavefront OBJ: vertices and faces. Texture coordinates, normals, colours, groups, materials,
// lines, points and free-form statements are passed over. A file in which each face comes after
// vertices of its own and names just these, backwards, is a soup of triangles by its form, like an
// STL: equal points of it become one vertex.
#include <algorithm>
#include <limits>

#include "io/mesh_readers.h"
#include "io/polygon.h"

namespace pliant {

namespace {

constexpr std::string_view k_passed_over[] = {
    "vt",       "vn",   "vp",   "l",    "p",      "o",      "g",     "s",         "usemtl",
    "mtllib",   "mg",   "call", "csh",  "usemap", "maplib", "lod",   "bevel",     "c_interp",
    "cstype",   "deg",  "bmat", "step", "curv",   "curv2",  "surf",  "parm",      "trim",
    "hole",     "scrv", "sp",   "end",  "con",    "ctech",  "stech", "trace_obj", "shadow_obj",
    "d_interp", "res",  "bsp",  "bzp",  "cdc",    "cdp"};

class ObjReader {
 public:
  ObjReader(const Source& source, Warnings& warnings) : scanner_(source), warnings_(warnings) {}

  TriMesh read() {
    if (scanner_.source().bytes.starts_with("\xEF\xBB\xBF")) scanner_.bytes(3, "the mark");
    while (next_statement()) {
      if (words_.empty() || words_[0].front() == '#') continue;
      if (words_[0] == "v") {
        read_vertex();
      } else if (words_[0] == "f") {
        read_face();
      } else {
        pass_over(words_[0]);
      }
    }
    if (mesh_.vertices.empty()) fail_in(scanner_.source(), "no vertices ('v' lines) in this OBJ");
    if (mesh_.triangles.empty()) fail_in(scanner_.source(), "no faces ('f' lines) in this OBJ");
    return is_soup_ ? welded() : std::move(mesh_);
  }

 private:
  // A line with what is continued by backslashes.
  bool next_statement() {
    if (scanner_.at_end()) return false;
    line_ = scanner_.line();
    std::string_view text = scanner_.rest_of_line();
    if (!text.empty() && text.back() == '\\') {
      joined_.assign(text);
      while (!joined_.empty() && joined_.back() == '\\' && !scanner_.at_end()) {
        joined_.back() = ' ';
        joined_ += scanner_.rest_of_line();
      }
      text = joined_;
    }
    if (text.find('\0') != std::string_view::npos) fail("a NUL byte: this is not a text file");
    split_words(text, words_);
    return true;
  }

  void read_vertex() {
    // Three numbers; a fourth is a weight, three more are a colour.
    if (words_.size() < 4) {
      fail("a vertex needs 3 coordinates, found " + std::to_string(words_.size() - 1));
    }
    Vec3 p;
    for (int i = 0; i < 3; ++i) {
      if (!parse_number(words_[i + 1], p[i])) {
        fail("coordinate " + quoted(words_[i + 1]) + " of vertex " +
             std::to_string(mesh_.vertices.size() + 1) + " is not a finite number");
      }
    }
    if (mesh_.vertices.size() >= std::size_t(std::numeric_limits<std::int32_t>::max())) {
      fail("more vertices than 32-bit indices reach");
    }
    mesh_.vertices.push_back(p);
  }

  std::int32_t read_corner(std::string_view word) {
    const std::string_view index = word.substr(0, word.find('/'));
    std::int64_t value = 0;
    if (!parse_number(index, value)) {
      fail("face corner " + quoted(word) + " does not begin with a whole number");
    }
    const std::int64_t count = std::int64_t(mesh_.vertices.size());
    is_soup_ &= value < 0;
    if (value < 0) value += count + 1;  // relative to the last vertex so far
    if (value < 1 || value > count) {
      fail("face corner " + quoted(word) + " names no vertex; " + std::to_string(count) +
           " come before it, numbered from 1 or from -1 backwards");
    }
    return std::int32_t(value - 1);
  }

  void read_face() {
    if (words_.size() < 4) {
      fail("a face needs at least 3 corners, found " + std::to_string(words_.size() - 1));
    }
    corners_.clear();
    for (std::size_t i = 1; i < words_.size(); ++i) corners_.push_back(read_corner(words_[i]));
    is_soup_ &= names_all_new_vertices();
    faced_ = mesh_.vertices.size();
    append_polygon(corners_, mesh_);
  }

  // Whether the corners of the face are the vertices since the last one, each once.
  bool names_all_new_vertices() const {
    std::vector<std::int32_t> sorted = corners_;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (std::size_t(sorted[i]) != faced_ + i) return false;
    }
    return faced_ + sorted.size() == mesh_.vertices.size();
  }

  TriMesh welded() const {
    std::vector<Vec3> points;
    for (const Triangle& triangle : mesh_.triangles) {
      for (const std::int32_t v : triangle) points.push_back(mesh_.vertices[std::size_t(v)]);
    }
    return weld_soup(points);
  }

  void pass_over(std::string_view keyword) {
    if (std::find(std::begin(k_passed_over), std::end(k_passed_over), keyword) !=
        std::end(k_passed_over)) {
      return;
    }
    if (!std::all_of(keyword.begin(), keyword.end(), [](char c) { return c > 32 && c < 127; })) {
      fail("found " + quoted(keyword) + ": this is not an OBJ file");
    }
    if (unknown_++ > 0) return;
    warnings_.push_back({"unknown_keyword", "line " + std::to_string(line_) + ": " +
                                                quoted(keyword) + " is no statement of OBJ"});
  }

  [[noreturn]] void fail(const std::string& message) const {
    fail_at_line(scanner_.source(), line_, message);
  }

  Scanner scanner_;
  Warnings& warnings_;
  TriMesh mesh_;
  std::string joined_;
  std::vector<std::string_view> words_;
  std::vector<std::int32_t> corners_;
  std::int64_t line_ = 0;
  int unknown_ = 0;
  bool is_soup_ = true;    // so far; see above
  std::size_t faced_ = 0;  // vertices before the last face
};

}  // namespace

TriMesh read_obj(const Source& source, Warnings& warnings) {
  return ObjReader(source, warnings).read();
}

}  // namespace pliant
