#include "io/mesh_files.h"

#include <algorithm>
#include <filesystem>

#include "io/file_bytes.h"
#include "io/mesh_readers.h"
#include "io/mesh_writers.h"

namespace pliant {

namespace {

constexpr const char* k_surface_formats = ".obj, .ply, .stl, .vtk and .vtp";
constexpr const char* k_tet_formats = ".node, .ele, .vtk and .msh";

// Runs a reader and turns what it throws into an Error.
template <class Mesh, class Read>
Result<Mesh> guarded(const Read& read) {
  try {
    return read();
  } catch (const ReadError& error) {
    return error.error;
  }
}

Error unknown_format(const std::string& path, const char* what, const char* accepted) {
  const std::string extension = extension_of(path);
  return {path,
          std::string("cannot tell the format of ") + what + " by " +
              (extension.empty() ? "a name without extension" : "the extension " + extension) +
              "; accepted are " + accepted};
}

std::string beside(const std::string& path, const char* extension) {
  return std::filesystem::path(path).replace_extension(extension).string();
}

Result<TetMesh> load_tetgen(const std::string& path, Warnings& warnings) {
  const std::string node_path = extension_of(path) == ".node" ? path : beside(path, ".node");
  const std::string ele_path = extension_of(path) == ".ele" ? path : beside(path, ".ele");
  return guarded<TetMesh>([&] {
    const auto bytes_of = [&](const std::string& file) {
      Result<std::string> bytes = read_file(file);
      if (!bytes) throw ReadError{bytes.error()};
      return std::move(bytes).value();
    };
    TetMesh mesh;
    const std::string nodes = bytes_of(node_path);
    const std::int64_t first = read_tetgen_nodes({node_path, nodes}, mesh, warnings);
    const std::string elements = bytes_of(ele_path);
    read_tetgen_elements({ele_path, elements}, first, mesh, warnings);
    return mesh;
  });
}

template <class Element>
Status check_indices(const std::string& path, const std::vector<Vec3>& vertices,
                     const std::vector<Element>& elements) {
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (finite(vertices[v])) continue;
    return Error{path, "not written: vertex " + std::to_string(v) + " is not finite"};
  }
  for (std::size_t e = 0; e < elements.size(); ++e) {
    for (const std::int32_t v : elements[e]) {
      if (v >= 0 && std::size_t(v) < vertices.size()) continue;
      return Error{path, "not written: element " + std::to_string(e) + " uses vertex " +
                             std::to_string(v) + " of " + std::to_string(vertices.size())};
    }
  }
  return Done{};
}

}  // namespace

Result<TriMesh> load_tri_mesh_with_warnings(const std::string& path, Warnings& warnings) {
  const std::string extension = extension_of(path);
  TriMesh (*read)(const Source&, Warnings&) = nullptr;
  if (extension == ".obj") read = read_obj;
  if (extension == ".ply") read = read_ply;
  if (extension == ".stl") read = read_stl;
  if (extension == ".vtk") read = read_vtk_surface;
  if (extension == ".vtp") read = read_vtp;
  if (!read) return unknown_format(path, "a surface", k_surface_formats);
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return guarded<TriMesh>([&] { return read({path, bytes.value()}, warnings); });
}

Result<TetMesh> load_tet_mesh_with_warnings(const std::string& path, Warnings& warnings) {
  const std::string extension = extension_of(path);
  if (extension == ".node" || extension == ".ele") return load_tetgen(path, warnings);
  if (extension != ".vtk" && extension != ".msh") {
    return unknown_format(path, "tetrahedra", k_tet_formats);
  }
  const Result<std::string> bytes = read_file(path);
  if (!bytes) return bytes.error();
  return guarded<TetMesh>([&] {
    const Source source{path, bytes.value()};
    return extension == ".msh" ? read_gmsh(source, warnings)
                               : read_vtk_tetrahedra(source, warnings);
  });
}

Result<TriMesh> load_tri_mesh(const std::string& path) {
  Warnings warnings;
  return load_tri_mesh_with_warnings(path, warnings);
}

Result<TetMesh> load_tet_mesh(const std::string& path) {
  Warnings warnings;
  return load_tet_mesh_with_warnings(path, warnings);
}

Status save_mesh(const std::string& path, const TriMesh& mesh) {
  if (Status sound = check_indices(path, mesh.vertices, mesh.triangles); !sound) return sound;
  const std::string extension = extension_of(path);
  if (extension == ".obj") return write_file(path, write_obj(mesh));
  if (extension == ".ply") return write_file(path, write_ply(mesh));
  if (extension == ".stl") return write_file(path, write_stl(mesh));
  if (extension == ".vtk") return write_file(path, write_vtk(mesh));
  return unknown_format(path, "a surface to write", ".obj, .ply, .stl and .vtk");
}

Status save_mesh(const std::string& path, const TetMesh& mesh) {
  if (Status sound = check_indices(path, mesh.vertices, mesh.tetrahedra); !sound) return sound;
  const std::string extension = extension_of(path);
  if (extension == ".vtk") return write_file(path, write_vtk(mesh));
  if (extension == ".msh") return write_file(path, write_msh(mesh));
  if (extension != ".node" && extension != ".ele") {
    return unknown_format(path, "tetrahedra to write", k_tet_formats);
  }
  if (Status nodes = write_file(beside(path, ".node"), write_node(mesh)); !nodes) return nodes;
  return write_file(beside(path, ".ele"), write_ele(mesh));
}

Result<std::vector<MeshDefect>> check_mesh_file(const std::string& path) {
  const std::string extension = extension_of(path);
  bool tetrahedra = extension == ".node" || extension == ".ele" || extension == ".msh";
  if (extension == ".vtk") {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    tetrahedra = is_vtk_unstructured(bytes.value());
  }
  constexpr std::string_view k_known[] = {".obj", ".ply", ".stl",  ".vtk",
                                          ".vtp", ".msh", ".node", ".ele"};
  if (std::find(std::begin(k_known), std::end(k_known), extension) == std::end(k_known)) {
    return unknown_format(path, "a mesh", ".obj, .ply, .stl, .vtk, .vtp, .msh, .node and .ele");
  }
  std::vector<MeshDefect> found, defects;
  if (tetrahedra) {
    const Result<TetMesh> mesh = load_tet_mesh_with_warnings(path, found);
    if (!mesh) return mesh.error();
    defects = find_defects(mesh.value());
  } else {
    const Result<TriMesh> mesh = load_tri_mesh_with_warnings(path, found);
    if (!mesh) return mesh.error();
    defects = find_defects(mesh.value());
  }
  found.insert(found.end(), defects.begin(), defects.end());
  return found;
}

}  // namespace pliant
