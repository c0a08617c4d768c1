// Gmsh .msh as text: versions 1, 2 and 4.1. The tetrahedra are taken; other elements are counted
// where there are no tetrahedra. Nodes may be numbered with gaps.
#include <map>

#include "io/mesh_readers.h"

namespace pliant {

namespace {

constexpr std::int64_t k_type_tetrahedron = 4, k_type_tetrahedron_quadratic = 11;

class GmshReader {
 public:
  GmshReader(const Source& source, Warnings& warnings) : scanner_(source), warnings_(warnings) {}

  TetMesh read() {
    bool has_elements = false;
    while (true) {
      const std::string_view section = scanner_.word();
      if (section.empty()) break;
      if (section == "$MeshFormat") {
        read_format();
      } else if (section == "$NOD" || section == "$Nodes") {
        version_ >= 4 ? read_nodes_4() : read_nodes();
      } else if (section == "$ELM" || section == "$Elements") {
        if (mesh_.vertices.empty()) scanner_.fail("elements before any nodes");
        is_v1_ = section == "$ELM";
        version_ >= 4 ? read_elements_4() : read_elements();
        has_elements = true;
      } else if (section.front() != '$') {
        scanner_.fail("found " + quoted(section) + " where a section ($Nodes, $Elements) begins");
      }
      skip_to_end(section);
    }
    if (mesh_.vertices.empty()) fail_in(scanner_.source(), "no $Nodes in this .msh");
    if (!has_elements) fail_in(scanner_.source(), "no $Elements in this .msh");
    return std::move(mesh_);
  }

 private:
  void read_format() {
    version_ = scanner_.number("the version");
    const std::int64_t binary = scanner_.integer("0 for text or 1 for binary");
    scanner_.integer("the size of a number");
    if (binary != 0) scanner_.fail("binary .msh; save it as text (Mesh.Binary = 0)");
    if (!(version_ >= 1 && version_ < 3) && version_ != 4.1) {
      scanner_.fail("version " + std::to_string(version_) + "; accepted are 1, 2.x and 4.1");
    }
  }

  // Sections end with $End...; a file that stops before the last one is still complete.
  void skip_to_end(std::string_view section) {
    const std::string end =
        (section == "$NOD" || section == "$ELM" ? "$END" : "$End") + std::string(section.substr(1));
    const bool known = section == "$MeshFormat" || section == "$NOD" || section == "$Nodes" ||
                       section == "$ELM" || section == "$Elements";
    while (true) {
      const std::string_view word = scanner_.word();
      if (word == end || word.empty()) return;
      if (known) scanner_.fail("found " + quoted(word) + " where " + end + " is needed");
    }
  }

  void add_node(std::int64_t tag) {
    Vec3 p;
    for (int i = 0; i < 3; ++i) p[i] = scanner_.number("a coordinate");
    if (!index_.try_emplace(tag, std::int32_t(mesh_.vertices.size())).second) {
      scanner_.fail("node " + std::to_string(tag) + " occurs twice");
    }
    mesh_.vertices.push_back(p);
  }

  void read_nodes() {
    const std::int64_t count = scanner_.count("the number of nodes", 8);
    for (std::int64_t i = 0; i < count; ++i) add_node(scanner_.integer("a node's number"));
  }

  void read_nodes_4() {
    const std::int64_t blocks = scanner_.count("the number of blocks", 8);
    scanner_.count("the number of nodes", 8);
    scanner_.integer("the least node number");
    scanner_.integer("the greatest node number");
    for (std::int64_t b = 0; b < blocks; ++b) {
      scanner_.integer("the block's dimension");
      scanner_.integer("the block's entity");
      const std::int64_t parametric = scanner_.integer("the parametric flag");
      if (parametric != 0) scanner_.fail("parametric nodes are not supported");
      const std::int64_t count = scanner_.count("the number of nodes", 8);
      std::vector<std::int64_t> tags;
      for (std::int64_t i = 0; i < count; ++i) tags.push_back(scanner_.integer("a node's number"));
      for (const std::int64_t tag : tags) add_node(tag);
    }
  }

  std::int32_t read_corner() {
    const std::int64_t tag = scanner_.integer("a node of an element");
    const auto found = index_.find(tag);
    if (found == index_.end()) {
      scanner_.fail("an element uses node " + std::to_string(tag) + ", which does not exist");
    }
    return found->second;
  }

  // The corners of an element; its further nodes, to the end of the line, are passed over.
  void read_corners(std::int64_t type) {
    if (type == k_type_tetrahedron || type == k_type_tetrahedron_quadratic) {
      Tetrahedron corners{};
      for (std::int32_t& c : corners) c = read_corner();
      mesh_.tetrahedra.push_back(corners);
    } else {
      ++others_;
    }
    scanner_.rest_of_line();
  }

  void read_elements() {
    const std::int64_t count = scanner_.count("the number of elements", 6);
    for (std::int64_t i = 0; i < count; ++i) {
      scanner_.integer("an element's number");
      const std::int64_t type = scanner_.integer("an element's type", 1, 1000);
      // Version 1: physical and elementary region, number of nodes. Version 2: counted tags.
      const std::int64_t tags = is_v1_ ? 3 : scanner_.count("the number of tags", 2);
      for (std::int64_t t = 0; t < tags; ++t) scanner_.integer("a tag");
      read_corners(type);
    }
    report_others();
  }

  void read_elements_4() {
    const std::int64_t blocks = scanner_.count("the number of blocks", 8);
    scanner_.count("the number of elements", 4);
    scanner_.integer("the least element number");
    scanner_.integer("the greatest element number");
    for (std::int64_t b = 0; b < blocks; ++b) {
      scanner_.integer("the block's dimension");
      scanner_.integer("the block's entity");
      const std::int64_t type = scanner_.integer("an element's type", 1, 1000);
      const std::int64_t count = scanner_.count("the number of elements", 4);
      for (std::int64_t i = 0; i < count; ++i) {
        scanner_.integer("an element's number");
        read_corners(type);
      }
    }
    report_others();
  }

  void report_others() {
    if (!mesh_.tetrahedra.empty() || others_ == 0) return;
    warnings_.push_back(
        {"other_elements", "the " + std::to_string(others_) + " elements are of other kinds"});
  }

  Scanner scanner_;
  Warnings& warnings_;
  TetMesh mesh_;
  std::map<std::int64_t, std::int32_t> index_;
  double version_ = 1;
  bool is_v1_ = false;
  std::int64_t others_ = 0;
};

}  // namespace

TetMesh read_gmsh(const Source& source, Warnings& warnings) {
  return GmshReader(source, warnings).read();
}

}  // namespace pliant
