// Meshes as plain data, in metres; triangles are wound counter-clockwise seen from outside.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/math.h>
#include <pliant/result.h>

namespace pliant {

using Triangle = std::array<std::int32_t, 3>;
using Tetrahedron = std::array<std::int32_t, 4>;  // positive volume: (b-a) x (c-a) . (d-a) > 0

struct TriMesh {
  std::vector<Vec3> vertices{};
  std::vector<Triangle> triangles{};
};

struct TetMesh {
  std::vector<Vec3> vertices{};
  std::vector<Tetrahedron> tetrahedra{};
};

// One problem of a mesh that loads but should not be simulated as it is.
struct MeshDefect {
  std::string what{};     // for example "hole", "flipped_triangle", "zero_area"
  std::string where{};    // the first element concerned, and how many there are
  bool harmless = false;  // right for some uses: a "border" is what every cloth has
};

// --- making -------------------------------------------------------------------------------------
// columns x rows cells in the xz plane, centred on the origin, width along x and depth along z;
// vertex (i, j) has index j * (columns + 1) + i. Diagonals run from (i, j) to (i + 1, j + 1).
TriMesh make_grid(int columns, int rows, double width, double depth);
// Closed, outward, each face cut into cells x cells quads.
TriMesh make_box(const Vec3& half, int cells = 1);
// An icosahedron subdivided `levels` times, on a sphere.
TriMesh make_sphere(double radius, int levels = 3);
// Regular lattice of nx x ny x nz cubes with edge `cell`, five tetrahedra each, centred on the
// origin.
TetMesh make_lattice(int nx, int ny, int nz, double cell);

// The surface of the convex hull of points; an Error where they span no solid.
Result<TriMesh> make_convex_hull(const std::vector<Vec3>& points);

// --- borders ------------------------------------------------------------------------------------
// The vertices of the border from `first` to `last`, both included, the shorter way round; an Error
// where one of them is not on a border or no border joins them.
Result<std::vector<std::int32_t>> boundary_run(const TriMesh& mesh, std::int32_t first,
                                               std::int32_t last);
// The vertices of the border that have the least or greatest x or z, of a grid its sides: left and
// right go up with z, top (least z, the first row) and bottom (the last) with x.
enum class MeshSide { left, right, top, bottom };
std::vector<std::int32_t> boundary_side(const TriMesh& mesh, MeshSide side);

// --- normals ------------------------------------------------------------------------------------
// Of each vertex, unit: the mean of those of its triangles, weighted by area; zero where none has
// an area.
std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions,
                                 const std::vector<Triangle>& triangles);
std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles);
// Three for each triangle, for drawing with sharp edges: of the triangles around a vertex those are
// averaged whose normals have a cosine of at least `crease` with the corner's own; -1 averages all.
// A corner without any has its triangle's.
std::vector<Vec3f> corner_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles, float crease);

// --- files --------------------------------------------------------------------------------------
// By extension: .obj .ply .stl .vtk (legacy) .vtp. The error names file and line or byte.
Result<TriMesh> load_tri_mesh(const std::string& path);
// .node (with its .ele) or .ele (with its .node), .vtk (unstructured grid), .msh (Gmsh 1, 2
// and 4.1). A file that holds no tetrahedra loads with none.
Result<TetMesh> load_tet_mesh(const std::string& path);
// A surface by extension: .obj .ply .stl .vtk. Tetrahedra: .vtk .msh, and .node or .ele, which
// write both. A file is complete or not there.
Status save_mesh(const std::string& path, const TriMesh& mesh);
Status save_mesh(const std::string& path, const TetMesh& mesh);

// --- judging ------------------------------------------------------------------------------------
std::vector<MeshDefect> find_defects(const TriMesh& mesh);
std::vector<MeshDefect> find_defects(const TetMesh& mesh);
// Loads a surface or tetrahedra: an Error where the file cannot be read, otherwise what its reader
// noticed and the mesh's defects.
Result<std::vector<MeshDefect>> check_mesh_file(const std::string& path);
// True where every edge has exactly two triangles, of opposite direction, and the volume is
// positive.
bool is_closed(const TriMesh& mesh);
double volume(const TriMesh& mesh);  // signed; of a closed mesh
double volume(const TetMesh& mesh);
double area(const TriMesh& mesh);

}  // namespace pliant
