// Generators of simple meshes: grid, box, sphere and the lattice of five tetrahedra per cube.
#include <algorithm>
#include <map>
#include <utility>

#include <pliant/mesh.h>

#include "core/assert.h"
#include "geometry/lattice_cell.h"

namespace pliant {

TriMesh make_grid(int columns, int rows, double width, double depth) {
  PLIANT_ASSERT(columns > 0 && rows > 0);
  TriMesh mesh;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= columns; ++i) {
      mesh.vertices.push_back({width * (2 * i - columns) / (2.0 * columns), 0.0,
                               depth * (2 * j - rows) / (2.0 * rows)});
    }
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const std::int32_t a = j * (columns + 1) + i;
      const std::int32_t b = a + 1, c = a + columns + 1, d = c + 1;
      mesh.triangles.push_back({a, c, d});
      mesh.triangles.push_back({a, d, b});
    }
  }
  return mesh;
}

namespace {

// Vertices of a box's surface, numbered on first use by their place in the grid of cells.
class BoxVertices {
 public:
  BoxVertices(TriMesh& mesh, const Vec3& half, int cells)
      : mesh_(mesh), half_(half), cells_(cells) {}

  std::int32_t at(const std::array<int, 3>& place) {
    const auto [slot, is_new] = index_.try_emplace(place, std::int32_t(mesh_.vertices.size()));
    if (is_new) {
      mesh_.vertices.push_back({half_.x * (2 * place[0] - cells_) / cells_,
                                half_.y * (2 * place[1] - cells_) / cells_,
                                half_.z * (2 * place[2] - cells_) / cells_});
    }
    return slot->second;
  }

 private:
  TriMesh& mesh_;
  Vec3 half_;
  int cells_;
  std::map<std::array<int, 3>, std::int32_t> index_;
};

void append_box_face(TriMesh& mesh, BoxVertices& vertices, int axis, int side, int cells) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;  // u x v = axis
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const auto corner = [&](int di, int dj) {
        std::array<int, 3> place{};
        place[axis] = side * cells;
        place[u] = i + di;
        place[v] = j + dj;
        return vertices.at(place);
      };
      const std::int32_t a = corner(0, 0), b = corner(1, 0), c = corner(1, 1), d = corner(0, 1);
      if (side == 1) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      }
    }
  }
}

}  // namespace

TriMesh make_box(const Vec3& half, int cells) {
  PLIANT_ASSERT(cells > 0);
  TriMesh mesh;
  BoxVertices vertices(mesh, half, cells);
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) append_box_face(mesh, vertices, axis, side, cells);
  }
  return mesh;
}

namespace {

TriMesh unit_icosahedron() {
  const double g = (1.0 + std::sqrt(5.0)) / 2.0;
  TriMesh mesh;
  mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                   {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  for (Vec3& v : mesh.vertices) v = normalized(v);
  mesh.triangles = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                    {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                    {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                    {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  return mesh;
}

// Each triangle into four; the new vertices are pushed out onto the unit sphere.
void subdivide_unit_sphere(TriMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middles;
  const auto middle = [&](std::int32_t a, std::int32_t b) {
    const auto [slot, is_new] =
        middles.try_emplace(std::minmax(a, b), std::int32_t(mesh.vertices.size()));
    if (is_new) mesh.vertices.push_back(normalized(mesh.vertices[a] + mesh.vertices[b]));
    return slot->second;
  };
  std::vector<Triangle> finer;
  finer.reserve(mesh.triangles.size() * 4);
  for (const auto& [a, b, c] : mesh.triangles) {
    const std::int32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  mesh.triangles = std::move(finer);
}

}  // namespace

TriMesh make_sphere(double radius, int levels) {
  PLIANT_ASSERT(levels >= 0 && levels <= 10);
  TriMesh mesh = unit_icosahedron();
  for (int level = 0; level < levels; ++level) subdivide_unit_sphere(mesh);
  for (Vec3& v : mesh.vertices) v *= radius;
  return mesh;
}

TetMesh make_lattice(int nx, int ny, int nz, double cell) {
  PLIANT_ASSERT(nx > 0 && ny > 0 && nz > 0 && cell > 0);
  TetMesh mesh;
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        mesh.vertices.push_back(
            {cell * (i - 0.5 * nx), cell * (j - 0.5 * ny), cell * (k - 0.5 * nz)});
      }
    }
  }
  const auto node = [&](int i, int j, int k) {
    return std::int32_t((k * (ny + 1) + j) * (nx + 1) + i);
  };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) append_cell_tetrahedra(i, j, k, node, mesh.tetrahedra);
    }
  }
  return mesh;
}

}  // namespace pliant
