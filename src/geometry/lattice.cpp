#include "geometry/lattice.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "geometry/lattice_cell.h"
#include "geometry/topology.h"
#include "geometry/triangle_box.h"

namespace pliant {

namespace {

// A surface that only touches a cube's side does not claim the cube; in parts of its edge.
constexpr double k_touch = 5e-10;

// The grid of cubes around the mesh; cube (i, j, k) has index (k * n[1] + j) * n[0] + i.
struct Grid {
  Vec3 origin;
  double cell = 0;
  std::array<int, 3> n{};

  int count() const { return n[0] * n[1] * n[2]; }
  int index(const std::array<int, 3>& c) const { return (c[2] * n[1] + c[1]) * n[0] + c[0]; }
  Vec3 node(int i, int j, int k) const {
    return origin + cell * Vec3{double(i), double(j), double(k)};
  }
  Vec3 centre(int i, int j, int k) const { return origin + cell * Vec3{i + 0.5, j + 0.5, k + 0.5}; }
  // The range of cubes that the interval [low, high] of an axis reaches, clamped to the grid.
  std::array<int, 2> range(int axis, double low, double high) const {
    const auto place = [&](double x, double slack) {
      const double at = std::floor((x - origin[axis]) / cell + slack);
      return int(std::clamp(at, 0.0, double(n[axis] - 1)));
    };
    return {place(low, -k_touch), place(high, k_touch)};
  }
};

struct Extent {
  Vec3 low, high;

  double longest() const {
    const Vec3 side = high - low;
    return std::max({side.x, side.y, side.z});
  }
};

// Of the vertices that belong to triangles, of which there is one at least.
Extent extent_of(const TriMesh& mesh) {
  const Vec3 first = mesh.vertices[mesh.triangles[0][0]];
  Extent extent{first, first};
  for (const Triangle& t : mesh.triangles) {
    for (const std::int32_t v : t) {
      extent.low = min(extent.low, mesh.vertices[v]);
      extent.high = max(extent.high, mesh.vertices[v]);
    }
  }
  return extent;
}

Grid make_grid_around(const TriMesh& mesh, const LatticeGrain& grain) {
  const auto [low, high] = extent_of(mesh);
  const Vec3 extent = high - low;
  Grid grid;
  grid.cell = lattice_cell(mesh, grain);
  if (!std::isfinite(grid.cell)) return grid;
  for (int axis = 0; axis < 3; ++axis) {
    grid.n[axis] = std::max(1, int(std::ceil(extent[axis] / grid.cell - k_touch)));
    grid.origin[axis] = 0.5 * (low[axis] + high[axis]) - 0.5 * grid.n[axis] * grid.cell;
  }
  return grid;
}

void keep_cubes_on_surface(const TriMesh& mesh, const Grid& grid, std::vector<char>& kept) {
  const double half = 0.5 * grid.cell * (1 - 2 * k_touch);
  for (const auto& [ia, ib, ic] : mesh.triangles) {
    const Vec3 &a = mesh.vertices[ia], &b = mesh.vertices[ib], &c = mesh.vertices[ic];
    const Vec3 low = min(a, min(b, c)), high = max(a, max(b, c));
    const auto [i0, i1] = grid.range(0, low.x, high.x);
    const auto [j0, j1] = grid.range(1, low.y, high.y);
    const auto [k0, k1] = grid.range(2, low.z, high.z);
    for (int k = k0; k <= k1; ++k) {
      for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
          char& keep = kept[grid.index({i, j, k})];
          if (!keep) keep = triangle_meets_box(a, b, c, grid.centre(i, j, k), {half, half, half});
        }
      }
    }
  }
}

struct Point2 {
  double u, v;
};

// Whether the upward ray from p crosses the edge. Half-open in u and computed from the lesser end,
// so that two triangles that share an edge or a corner decide alike.
bool ray_crosses(Point2 p, Point2 a, Point2 b) {
  if ((a.u <= p.u) == (b.u <= p.u)) return false;
  if (b.u < a.u) std::swap(a, b);
  return p.v < a.v + (b.v - a.v) * ((p.u - a.u) / (b.u - a.u));
}

// Adds to each cube how often the surface winds round its centre, by rays along one axis.
void add_winding(const TriMesh& mesh, const Grid& grid, int axis, std::vector<int>& winding) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  // Off the centre by an odd fraction: regular meshes have their edges in the middle of cubes.
  const double offset_u = 0.5 + 0.0127, offset_v = 0.5 - 0.0079;
  for (const auto& [ia, ib, ic] : mesh.triangles) {
    const Vec3 &a = mesh.vertices[ia], &b = mesh.vertices[ib], &c = mesh.vertices[ic];
    const Vec3 normal = cross(b - a, c - a);
    if (normal[axis] == 0) continue;
    const auto [u0, u1] = grid.range(u, min(a, min(b, c))[u], max(a, max(b, c))[u]);
    const auto [v0, v1] = grid.range(v, min(a, min(b, c))[v], max(a, max(b, c))[v]);
    for (int cv = v0; cv <= v1; ++cv) {
      for (int cu = u0; cu <= u1; ++cu) {
        const Point2 p{grid.origin[u] + grid.cell * (cu + offset_u),
                       grid.origin[v] + grid.cell * (cv + offset_v)};
        const Point2 pa{a[u], a[v]}, pb{b[u], b[v]}, pc{c[u], c[v]};
        if (!(ray_crosses(p, pa, pb) ^ ray_crosses(p, pb, pc) ^ ray_crosses(p, pc, pa))) continue;
        const double hit =
            a[axis] - (normal[u] * (p.u - pa.u) + normal[v] * (p.v - pa.v)) / normal[axis];
        std::array<int, 3> place{};
        place[u] = cu;
        place[v] = cv;
        for (int& i = place[axis]; i < grid.n[axis]; ++i) {
          if (grid.origin[axis] + grid.cell * (i + 0.5) >= hit) break;
          winding[grid.index(place)] += normal[axis] > 0 ? 1 : -1;
        }
      }
    }
  }
}

// Two of three directions decide, so that a ray through a degenerate triangle is outvoted.
void keep_cubes_inside(const TriMesh& mesh, const Grid& grid, std::vector<char>& kept) {
  std::vector<char> votes(kept.size(), 0);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<int> winding(kept.size(), 0);
    add_winding(mesh, grid, axis, winding);
    for (std::size_t c = 0; c < kept.size(); ++c) votes[c] = char(votes[c] + (winding[c] > 0));
  }
  for (std::size_t c = 0; c < kept.size(); ++c) kept[c] = char(kept[c] || votes[c] >= 2);
}

// The kept cube that contains p: on a common side more than one cube may.
int kept_cube_of(const Vec3& p, const Grid& grid, const std::vector<char>& kept) {
  const auto [i0, i1] = grid.range(0, p.x, p.x);
  const auto [j0, j1] = grid.range(1, p.y, p.y);
  const auto [k0, k1] = grid.range(2, p.z, p.z);
  for (int k = k0; k <= k1; ++k) {
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        if (kept[grid.index({i, j, k})]) return grid.index({i, j, k});
      }
    }
  }
  return -1;
}

// Rounding can leave a vertex of a very thin part in no kept cube: then its cube is kept.
void keep_cubes_of_vertices(const TriMesh& mesh, const Grid& grid, std::vector<char>& kept) {
  for (const Triangle& t : mesh.triangles) {
    for (const std::int32_t v : t) {
      const Vec3& p = mesh.vertices[v];
      if (kept_cube_of(p, grid, kept) >= 0) continue;
      kept[grid.index({grid.range(0, p.x, p.x)[1], grid.range(1, p.y, p.y)[1],
                       grid.range(2, p.z, p.z)[1]})] = 1;
    }
  }
}

int count_pieces(const Grid& grid, const std::vector<char>& kept) {
  std::vector<char> seen(kept.size(), 0);
  std::vector<int> stack;
  int pieces = 0;
  const int stride[3] = {1, grid.n[0], grid.n[0] * grid.n[1]};
  for (int start = 0; start < grid.count(); ++start) {
    if (!kept[start] || seen[start]) continue;
    ++pieces;
    seen[start] = 1;
    stack.push_back(start);
    while (!stack.empty()) {
      const int c = stack.back();
      stack.pop_back();
      for (int axis = 0; axis < 3; ++axis) {
        const int place = c / stride[axis] % grid.n[axis];
        for (const int step : {-1, 1}) {
          if (place + step < 0 || place + step >= grid.n[axis]) continue;
          const int next = c + step * stride[axis];
          if (!kept[next] || seen[next]) continue;
          seen[next] = 1;
          stack.push_back(next);
        }
      }
    }
  }
  return pieces;
}

// Nodes used by kept cubes, x fastest; first_tetrahedron gets each kept cube's first.
TetMesh cut_into_tetrahedra(const Grid& grid, const std::vector<char>& kept,
                            std::vector<std::int32_t>& first_tetrahedron) {
  const int nx = grid.n[0], ny = grid.n[1], nz = grid.n[2];
  const auto corner = [&](int i, int j, int k) { return (k * (ny + 1) + j) * (nx + 1) + i; };
  std::vector<std::int32_t> node(std::size_t(nx + 1) * (ny + 1) * (nz + 1), -1);
  TetMesh mesh;
  first_tetrahedron.assign(kept.size(), -1);
  for (int c = 0; c < grid.count(); ++c) {
    if (!kept[c]) continue;
    first_tetrahedron[c] = std::int32_t(mesh.tetrahedra.size());
    append_cell_tetrahedra(c % nx, c / nx % ny, c / (nx * ny), corner, mesh.tetrahedra);
  }
  for (const Tetrahedron& t : mesh.tetrahedra) {
    for (const std::int32_t v : t) node[v] = 0;
  }
  for (int k = 0; k <= nz; ++k) {
    for (int j = 0; j <= ny; ++j) {
      for (int i = 0; i <= nx; ++i) {
        std::int32_t& number = node[corner(i, j, k)];
        if (number < 0) continue;
        number = std::int32_t(mesh.vertices.size());
        mesh.vertices.push_back(grid.node(i, j, k));
      }
    }
  }
  for (Tetrahedron& t : mesh.tetrahedra) {
    for (std::int32_t& v : t) v = node[v];
  }
  return mesh;
}

EmbeddedVertex embed(const Vec3& p, const TetMesh& lattice, std::int32_t first) {
  EmbeddedVertex best;
  double best_least = -1e300;
  for (std::int32_t t = first; t < first + 5; ++t) {
    const auto weights = barycentric(lattice, lattice.tetrahedra[t], p);
    const double least = *std::min_element(weights.begin(), weights.end());
    if (least <= best_least) continue;
    best_least = least;
    best = {t, weights};
  }
  return best;
}

std::string why_not_closed(const TriMesh& mesh) {
  int border = 0, shared = 0, turned = 0;
  for (const MeshEdge& edge : unique_edges(mesh.triangles)) {
    border += edge.triangle_count == 1;
    shared += edge.triangle_count > 2;
    turned += edge.triangle_count == 2 && edge.forward[0] == edge.forward[1];
  }
  if (border > 0) return std::to_string(border) + " edges belong to one triangle only";
  if (shared > 0) return std::to_string(shared) + " edges belong to more than two triangles";
  if (turned > 0) return std::to_string(turned) + " edges have triangles of unlike winding";
  return "its volume is " + std::to_string(volume(mesh)) + " m3";
}

}  // namespace

double lattice_cell(const TriMesh& mesh, const LatticeGrain& grain) {
  if (mesh.triangles.empty()) return 0;
  return grain.size > 0 ? grain.size : extent_of(mesh).longest() / grain.cells;
}

std::optional<Error> check_lattice(const TriMesh& mesh, const LatticeGrain& grain) {
  if (grain.size == 0 && (grain.cells < 1 || grain.cells > k_max_lattice_cells)) {
    return Error{"cells", std::to_string(grain.cells) +
                              " cubes along the longest side; accepted are 1 to " +
                              std::to_string(k_max_lattice_cells)};
  }
  if (grain.size == 0 || mesh.triangles.empty()) return std::nullopt;
  const double longest = extent_of(mesh).longest();
  if (grain.size > 0 && longest / grain.size <= k_max_lattice_cells * (1 + k_touch))
    return std::nullopt;
  return Error{"cell_size", "found " + std::to_string(grain.size) + " m; accepted: at least " +
                                std::to_string(longest / k_max_lattice_cells) + " m, " +
                                std::to_string(k_max_lattice_cells) +
                                " cubes along the longest side"};
}

Result<WrappedMesh> wrap_in_lattice(const TriMesh& mesh, const LatticeGrain& grain) {
  if (const auto error = check_lattice(mesh, grain)) return *error;
  if (!is_closed(mesh)) {
    return Error{"mesh",
                 "a solid needs a closed surface with its triangles outward, but " +
                     (mesh.triangles.empty() ? "there are no triangles" : why_not_closed(mesh))};
  }
  for (const Vec3& v : mesh.vertices) {
    if (!finite(v)) return Error{"mesh", "a vertex is not finite"};
  }
  const Grid grid = make_grid_around(mesh, grain);
  if (!std::isfinite(grid.cell)) return Error{"mesh", "its size is beyond what a double holds"};
  std::vector<char> kept(std::size_t(grid.count()), 0);
  keep_cubes_on_surface(mesh, grid, kept);
  keep_cubes_inside(mesh, grid, kept);
  keep_cubes_of_vertices(mesh, grid, kept);

  WrappedMesh wrapped;
  std::vector<std::int32_t> first;
  wrapped.lattice = cut_into_tetrahedra(grid, kept, first);
  wrapped.cell = grid.cell;
  wrapped.lattice_pieces = count_pieces(grid, kept);
  const Components pieces = connected_components(mesh.vertices.size(), std::span(mesh.triangles));
  wrapped.mesh_pieces = pieces.count;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const int cube = kept_cube_of(mesh.vertices[v], grid, kept);
    if (cube < 0) {
      return Error{"mesh", "vertex " + std::to_string(v) +
                               " belongs to no triangle and lies outside the surface"};
    }
    wrapped.embedding.push_back(embed(mesh.vertices[v], wrapped.lattice, first[cube]));
  }
  return wrapped;
}

}  // namespace pliant
