#include "geometry/shells.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/topology.h"

namespace pliant {

namespace {

constexpr double k_flat = 1e-9;  // volume as part of area^(3/2)

struct Piece {
  Shell shell;
  bool closed = true;
  Vec3 low, high;
};

std::int32_t root_of(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

std::vector<Piece> edge_connected(const TriMesh& mesh) {
  const EdgeList edges = unique_edges(mesh.triangles);
  std::vector<std::int32_t> parent(mesh.triangles.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count < 2) continue;
    const std::int32_t i = root_of(parent, edge.triangle[0]), j = root_of(parent, edge.triangle[1]);
    parent[std::max(i, j)] = std::min(i, j);
  }
  std::vector<std::int32_t> piece_of(mesh.triangles.size(), -1);
  std::vector<Piece> pieces;
  for (std::size_t t = 0; t < parent.size(); ++t) {
    const std::int32_t root = root_of(parent, std::int32_t(t));
    if (root == std::int32_t(t)) {
      piece_of[t] = std::int32_t(pieces.size());
      pieces.emplace_back();
      pieces.back().low = pieces.back().high = mesh.vertices[mesh.triangles[t][0]];
    }
    piece_of[t] = piece_of[root];
    Piece& piece = pieces[piece_of[t]];
    piece.shell.triangles.push_back(std::int32_t(t));
    for (const std::int32_t v : mesh.triangles[t]) {
      piece.low = min(piece.low, mesh.vertices[v]);
      piece.high = max(piece.high, mesh.vertices[v]);
    }
  }
  for (const MeshEdge& edge : edges) {
    if (edge.triangle_count == 2 && edge.forward[0] != edge.forward[1]) continue;
    pieces[piece_of[edge.triangle[0]]].closed = false;
  }
  return pieces;
}

// Half-open, and computed from the lesser end, so that neighbours decide alike.
bool ray_crosses(double px, double py, const Vec3& a, const Vec3& b) {
  if ((a.y <= px) == (b.y <= px)) return false;
  const Vec3 &l = a.y < b.y ? a : b, &h = a.y < b.y ? b : a;
  return py < l.z + (h.z - l.z) * ((px - l.y) / (h.y - l.y));
}

// Whether p is inside the shell, by how often a ray along x leaves it.
bool surrounds(const TriMesh& mesh, const Piece& piece, const Vec3& p) {
  for (int i = 0; i < 3; ++i) {
    if (p[i] <= piece.low[i] || p[i] >= piece.high[i]) return false;
  }
  bool inside = false;
  for (const std::int32_t t : piece.shell.triangles) {
    const auto& [ia, ib, ic] = mesh.triangles[t];
    const Vec3 &a = mesh.vertices[ia], &b = mesh.vertices[ib], &c = mesh.vertices[ic];
    const bool hit =
        ray_crosses(p.y, p.z, a, b) ^ ray_crosses(p.y, p.z, b, c) ^ ray_crosses(p.y, p.z, c, a);
    if (!hit) continue;
    const Vec3 n = cross(b - a, c - a);
    if (n.x == 0) continue;
    const double x = a.x - (n.y * (p.y - a.y) + n.z * (p.z - a.z)) / n.x;
    inside ^= x > p.x;
  }
  return inside;
}

void measure(const TriMesh& mesh, Shell& shell) {
  const Vec3& origin = mesh.vertices[mesh.triangles[shell.triangles[0]][0]];
  double area2 = 0;
  for (const std::int32_t t : shell.triangles) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3 p = mesh.vertices[a] - origin, q = mesh.vertices[b] - origin,
               r = mesh.vertices[c] - origin;
    shell.volume += dot(p, cross(q, r)) / 6;
    area2 += length(cross(q - p, r - p));
  }
  const double surface = area2 / 2;
  shell.is_flat = std::abs(shell.volume) <= k_flat * surface * std::sqrt(surface);
}

}  // namespace

std::vector<Shell> closed_shells(const TriMesh& mesh) {
  std::vector<Piece> pieces = edge_connected(mesh);
  std::vector<Shell> shells;
  for (Piece& piece : pieces) {
    if (!piece.closed) continue;
    measure(mesh, piece.shell);
    const Vec3& point = mesh.vertices[mesh.triangles[piece.shell.triangles[0]][0]];
    for (const Piece& other : pieces) {
      if (&other == &piece || !other.closed) continue;
      // All of the inner box lies in the outer one, or the two only overlap.
      if (min(piece.low, other.low) != other.low || max(piece.high, other.high) != other.high) {
        continue;
      }
      piece.shell.depth += surrounds(mesh, other, point);
    }
    shells.push_back(piece.shell);
  }
  return shells;
}

}  // namespace pliant
