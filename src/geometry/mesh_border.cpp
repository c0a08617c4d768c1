// Runs of vertices along the borders of a mesh.
#include <pliant/mesh.h>

#include <algorithm>
#include <queue>

#include "geometry/topology.h"

namespace pliant {
namespace {

// Neighbours along the border, with the length of the edge; none of inner vertices.
using Border = std::vector<std::vector<std::pair<std::int32_t, double>>>;

Border border_of(const TriMesh& mesh) {
  Border border(mesh.vertices.size());
  for (const MeshEdge& e : unique_edges(mesh.triangles)) {
    if (e.triangle_count != 1) continue;
    const double l = length(mesh.vertices[std::size_t(e.a)] - mesh.vertices[std::size_t(e.b)]);
    border[std::size_t(e.a)].push_back({e.b, l});
    border[std::size_t(e.b)].push_back({e.a, l});
  }
  return border;
}

// For each vertex the one before it on the shortest way from `first`; -1 where there is no way.
std::vector<std::int32_t> ways_from(const Border& border, std::int32_t first) {
  std::vector<std::int32_t> before(border.size(), -1);
  std::vector<double> distance(border.size(), 1e300);
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  distance[std::size_t(first)] = 0;
  before[std::size_t(first)] = first;
  queue.push({0, first});
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > distance[std::size_t(v)]) continue;
    for (const auto& [other, l] : border[std::size_t(v)])
      if (d + l < distance[std::size_t(other)]) {
        distance[std::size_t(other)] = d + l;
        before[std::size_t(other)] = v;
        queue.push({d + l, other});
      }
  }
  return before;
}

}  // namespace

Result<std::vector<std::int32_t>> boundary_run(const TriMesh& mesh, std::int32_t first,
                                               std::int32_t last) {
  const std::int64_t count = std::int64_t(mesh.vertices.size());
  const Border border = border_of(mesh);
  for (const std::int32_t v : {first, last}) {
    if (v < 0 || v >= count)
      return Error{v == first ? "from" : "to", "found vertex " + std::to_string(v) +
                                                   "; accepted: from 0 to " +
                                                   std::to_string(count - 1)};
    if (border[std::size_t(v)].empty())
      return Error{v == first ? "from" : "to", "found vertex " + std::to_string(v) +
                                                   ", which is not on a border; accepted: a "
                                                   "vertex of an edge with one triangle"};
  }
  const std::vector<std::int32_t> before = ways_from(border, first);
  if (before[std::size_t(last)] < 0)
    return Error{"to", "found vertex " + std::to_string(last) +
                           ", which is on another border than " + std::to_string(first)};
  std::vector<std::int32_t> run{last};
  while (run.back() != first) run.push_back(before[std::size_t(run.back())]);
  std::reverse(run.begin(), run.end());
  return run;
}

std::vector<std::int32_t> boundary_side(const TriMesh& mesh, MeshSide side) {
  if (mesh.vertices.empty()) return {};
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& v : mesh.vertices) low = min(low, v), high = max(high, v);
  const bool across = side == MeshSide::left || side == MeshSide::right;
  const bool greatest = side == MeshSide::right || side == MeshSide::bottom;
  const int axis = across ? 0 : 2, along = across ? 2 : 0;
  const double wanted = greatest ? high[axis] : low[axis], tolerance = 1e-6 * length(high - low);
  const Border border = border_of(mesh);
  std::vector<std::int32_t> run;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    if (!border[v].empty() && std::abs(mesh.vertices[v][axis] - wanted) <= tolerance)
      run.push_back(std::int32_t(v));
  std::sort(run.begin(), run.end(), [&](std::int32_t a, std::int32_t b) {
    const double x = mesh.vertices[std::size_t(a)][along], y = mesh.vertices[std::size_t(b)][along];
    return x != y ? x < y : a < b;
  });
  return run;
}

}  // namespace pliant
