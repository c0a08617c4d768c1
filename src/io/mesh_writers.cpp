#include "io/mesh_writers.h"

#include <fmt/format.h>

#include <iterator>

#include "io/endian.h"

namespace pliant {

namespace {

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void put_vtk_header(std::string& out, const char* dataset, const std::vector<Vec3>& points) {
  put(out, "# vtk DataFile Version 3.0\npliant mesh\nASCII\nDATASET {}\nPOINTS {} double\n",
      dataset, points.size());
  for (const Vec3& v : points) put(out, "{} {} {}\n", v.x, v.y, v.z);
}

}  // namespace

std::string write_obj(const TriMesh& mesh) {
  std::string out;
  for (const Vec3& v : mesh.vertices) put(out, "v {} {} {}\n", v.x, v.y, v.z);
  for (const auto& [a, b, c] : mesh.triangles) put(out, "f {} {} {}\n", a + 1, b + 1, c + 1);
  return out;
}

std::string write_ply(const TriMesh& mesh) {
  std::string out;
  put(out,
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\n"
      "property double y\nproperty double z\nelement face {}\n"
      "property list uchar int vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.triangles.size());
  for (const Vec3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append_little_endian(out, v[i]);
  }
  for (const Triangle& t : mesh.triangles) {
    append_little_endian(out, std::uint8_t(3));
    for (const std::int32_t v : t) append_little_endian(out, v);
  }
  return out;
}

std::string write_stl(const TriMesh& mesh) {
  std::string out = "binary STL";
  out.resize(80, ' ');
  append_little_endian(out, std::uint32_t(mesh.triangles.size()));
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vec3 &pa = mesh.vertices[a], &pb = mesh.vertices[b], &pc = mesh.vertices[c];
    for (const Vec3& v : {normalized(cross(pb - pa, pc - pa)), pa, pb, pc}) {
      for (int i = 0; i < 3; ++i) append_little_endian(out, float(v[i]));
    }
    append_little_endian(out, std::uint16_t(0));
  }
  return out;
}

std::string write_vtk(const TriMesh& mesh) {
  std::string out;
  put_vtk_header(out, "POLYDATA", mesh.vertices);
  put(out, "POLYGONS {} {}\n", mesh.triangles.size(), 4 * mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) put(out, "3 {} {} {}\n", a, b, c);
  return out;
}

std::string write_vtk(const TetMesh& mesh) {
  std::string out;
  put_vtk_header(out, "UNSTRUCTURED_GRID", mesh.vertices);
  put(out, "CELLS {} {}\n", mesh.tetrahedra.size(), 5 * mesh.tetrahedra.size());
  for (const auto& [a, b, c, d] : mesh.tetrahedra) put(out, "4 {} {} {} {}\n", a, b, c, d);
  put(out, "CELL_TYPES {}\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) out += "10\n";
  return out;
}

std::string write_msh(const TetMesh& mesh) {
  std::string out;
  put(out, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    put(out, "{} {} {} {}\n", i + 1, v.x, v.y, v.z);
  }
  put(out, "$EndNodes\n$Elements\n{}\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const auto& [a, b, c, d] = mesh.tetrahedra[i];
    put(out, "{} 4 2 0 0 {} {} {} {}\n", i + 1, a + 1, b + 1, c + 1, d + 1);
  }
  return out + "$EndElements\n";
}

std::string write_node(const TetMesh& mesh) {
  std::string out;
  put(out, "{} 3 0 0\n", mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& v = mesh.vertices[i];
    put(out, "{} {} {} {}\n", i, v.x, v.y, v.z);
  }
  return out;
}

std::string write_ele(const TetMesh& mesh) {
  std::string out;
  put(out, "{} 4 0\n", mesh.tetrahedra.size());
  for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
    const auto& [a, b, c, d] = mesh.tetrahedra[i];
    put(out, "{} {} {} {} {}\n", i, a, b, c, d);
  }
  return out;
}

}  // namespace pliant
