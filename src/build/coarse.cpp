#include "build/coarse.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>

#include "build/colouring.h"
#include "build/pack.h"
#include "geometry/topology.h"

namespace pliant {
namespace {

constexpr double k_spacing =
    6.0;  // edges between nodes; with it a grid gets a node at every sixth or seventh vertex
constexpr double k_join =
    1.6;  // nodes up to this many spacings apart are joined: also across a square
// A path along the edges of a whole piece of cloth is at most this much longer than the straight
// line (on a grid with one diagonal, across the other one); a longer one goes round a hole or a
// notch.
constexpr double k_detour = 1.45;

// A node's place is the mean of every third four of its particles, those that lie together in
// memory: waves of a few edges cancel as well as with all of them. Of one particle alone they would
// not: a node that follows it passes its motion on to a patch many times as heavy, and cloth that
// should rest waves for ever.
constexpr std::size_t k_every = 3, k_four = 4;

using Neighbours = std::vector<std::vector<std::pair<std::int32_t, double>>>;

Neighbours neighbours_of(const TriMesh& mesh, double& mean_edge) {
  Neighbours neighbours(mesh.vertices.size());
  double sum = 0;
  const EdgeList edges = unique_edges(mesh.triangles);
  for (const MeshEdge& e : edges) {
    const double l = length(mesh.vertices[std::size_t(e.a)] - mesh.vertices[std::size_t(e.b)]);
    neighbours[std::size_t(e.a)].push_back({e.b, l});
    neighbours[std::size_t(e.b)].push_back({e.a, l});
    sum += l;
  }
  mean_edge = sum / double(std::max<std::size_t>(edges.size(), 1));
  return neighbours;
}

// Nodes by cells of space as wide as their spacing: what is nearer than that to a place is in its
// cell or in one of the 26 around it.
class NodeCells {
 public:
  NodeCells(const TriMesh& mesh, double spacing) : mesh_(mesh), spacing_(spacing) {}

  bool any_near(std::int32_t vertex) const {
    const Vec3& x = mesh_.vertices[std::size_t(vertex)];
    const Cell middle = cell_of(x);
    for (int n = 0; n < 27; ++n) {
      const auto at =
          cells_.find({middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1});
      if (at == cells_.end()) continue;
      for (const std::int32_t node : at->second)
        if (length(mesh_.vertices[std::size_t(node)] - x) < spacing_) return true;
    }
    return false;
  }
  void add(std::int32_t vertex) {
    cells_[cell_of(mesh_.vertices[std::size_t(vertex)])].push_back(vertex);
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec3& x) const {
    const auto along = [&](double v) {
      return std::int64_t(std::clamp(std::floor(v / spacing_), -1e15, 1e15));
    };
    return {along(x.x), along(x.y), along(x.z)};
  }

  const TriMesh& mesh_;
  double spacing_;
  std::map<Cell, std::vector<std::int32_t>> cells_;
};

// Pinned vertices first, then every vertex that is far enough from all nodes so far.
std::vector<std::int32_t> choose_nodes(const CoarseInput& input, double spacing) {
  const TriMesh& mesh = *input.mesh;
  std::vector<std::int32_t> nodes;
  NodeCells cells(mesh, spacing);
  const auto consider = [&](std::int32_t v) {
    if (cells.any_near(v)) return;
    cells.add(v);
    nodes.push_back(v);
  };
  for (const bool pinned : {true, false})
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if ((*input.pinned)[v] == pinned) consider(std::int32_t(v));
  return nodes;
}

// Distances along the edges from a vertex, up to a reach; greater ones stay infinite.
struct Distances {
  std::vector<double> along;
  std::vector<std::int32_t> reached;

  explicit Distances(std::size_t vertices) : along(vertices, k_far) {}
  void find(const Neighbours& neighbours, std::int32_t start, double reach);

  static constexpr double k_far = 1e300;
};

void Distances::find(const Neighbours& neighbours, std::int32_t start, double reach) {
  for (const std::int32_t v : reached) along[std::size_t(v)] = k_far;
  reached.assign(1, start);
  using Entry = std::pair<double, std::int32_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  along[std::size_t(start)] = 0;
  queue.push({0, start});
  while (!queue.empty()) {
    const auto [d, v] = queue.top();
    queue.pop();
    if (d > along[std::size_t(v)]) continue;
    for (const auto& [other, l] : neighbours[std::size_t(v)]) {
      double& best = along[std::size_t(other)];
      if (d + l >= best || d + l > reach) continue;
      if (best == k_far) reached.push_back(other);
      best = d + l;
      queue.push({d + l, other});
    }
  }
}

struct NearNode {
  double distance;
  std::int32_t node;
};

// Rounded such that they add up as they did; false where they are too large for that.
bool put_weights(const std::array<double, 4>& w, CoarseShare& share) {
  int left = k_whole_share;
  for (std::size_t k = 4; k-- > 0;) {  // the nearest node comes first and takes the rest
    if (!(std::abs(w[k]) < 1.9)) return false;
    const int part = k == 0 ? left : int(std::floor(w[k] * k_whole_share + 0.5));
    share.weight[k] = std::int16_t(part);
    left -= part;
  }
  return true;
}

double weight_of(const CoarseShare& share, std::size_t k) {
  return double(share.weight[k]) / k_whole_share;
}

// Weights that reproduce linear corrections where the four nearest nodes are not in a row: a
// weighted least squares plane through them (moving least squares), else by inverse square
// distance.
CoarseShare share_of(const Vec3& x, std::vector<NearNode>& near,
                     const std::vector<Vec3>& node_place, const Vec3& axis_u, const Vec3& axis_v) {
  std::sort(near.begin(), near.end(), [](const NearNode& a, const NearNode& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.node < b.node;
  });
  CoarseShare share;
  const std::size_t count = std::min<std::size_t>(4, near.size());
  for (std::size_t k = 0; k < 4; ++k)
    share.node[k] = std::uint16_t(near[std::min(k, count - 1)].node);
  if (near[0].distance < 1e-12 || count == 1) {
    share.weight = {k_whole_share, 0, 0, 0};
    return share;
  }
  std::array<double, 4> theta{};
  Mat3 a{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
  std::array<Vec3, 4> p;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 away = node_place[std::size_t(near[k].node)] - x;
    p[k] = {1, dot(away, axis_u) / near[0].distance, dot(away, axis_v) / near[0].distance};
    theta[k] = 1 / (near[k].distance * near[k].distance);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) a.row[i][j] += theta[k] * p[k][i] * p[k][j];
  }
  const double scale = a.row[0][0] * a.row[1][1] * a.row[2][2];
  std::array<double, 4> w{};
  if (count >= 3 && scale > 0 && determinant(a) > 1e-3 * scale) {
    const Vec3 first = inverse(a) * Vec3{1, 0, 0};
    for (std::size_t k = 0; k < 4; ++k) w[k] = theta[k] * dot(first, p[k]);
    if (put_weights(w, share)) return share;
  }
  const double sum = std::accumulate(theta.begin(), theta.end(), 0.0);
  for (std::size_t k = 0; k < 4; ++k) w[k] = theta[k] / sum;
  put_weights(w, share);
  return share;
}

// A node that is held is where its vertex is; any other is the mean of particles that follow it,
// each by its mass and its share.
void list_members(const CoarseInput& input, CoarseLevel& level) {
  const std::size_t nodes = level.particle.size(), count = level.share.size();
  std::vector<std::vector<CoarseMembers>> members(nodes);
  std::vector<double> sum(nodes);
  const auto add = [&](std::size_t node, std::size_t p, double weight) {
    const std::int32_t first = std::int32_t(std::min(p / k_four * k_four, count - k_four));
    if (members[node].empty() || members[node].back().first != first)
      members[node].push_back({first, {}});
    members[node].back().weight[p - std::size_t(first)] = Real(weight);
    sum[node] += weight;
  };
  for (std::size_t p = 0; p + count % k_four < count; ++p)
    for (std::size_t k = 0; k < 4 && p / k_four % k_every == 0; ++k) {
      const std::size_t node = std::size_t(level.share[p].node[k]);
      const double weight = (*input.mass)[p] * weight_of(level.share[p], k);
      if (weight != 0 && level.inverse_mass[node] > 0) add(node, p, weight);
    }
  level.by_place.resize(nodes);
  std::iota(level.by_place.begin(), level.by_place.end(), 0);
  std::sort(level.by_place.begin(), level.by_place.end(), [&](std::int32_t a, std::int32_t b) {
    return level.particle[std::size_t(a)] < level.particle[std::size_t(b)];
  });
  level.members_range.resize(nodes);
  for (const std::int32_t node : level.by_place) {
    const std::size_t k = std::size_t(node);
    if (!(sum[k] > 0)) {
      members[k].clear();
      sum[k] = 0;
      add(k, std::size_t(level.particle[k]), 1);
    }
    for (CoarseMembers& m : members[k])
      for (Real& weight : m.weight) weight = Real(double(weight) / sum[k]);
    const std::int32_t from = std::int32_t(level.members.size());
    level.members.insert(level.members.end(), members[k].begin(), members[k].end());
    level.members_range[k] = {from, std::int32_t(level.members.size())};
  }
}

// m, between the places of the nodes.
std::vector<double> limits_of(const CoarseInput& input, const CoarseLevel& level,
                              const std::vector<std::int32_t>& pairs) {
  std::vector<Vec3> rest(input.mesh->vertices.size());
  for (std::size_t v = 0; v < rest.size(); ++v)
    rest[std::size_t((*input.order)[v])] = input.mesh->vertices[v];
  const auto place = [&](std::int32_t node) {
    Vec3 sum;
    const auto [from, to] = level.members_range[std::size_t(node)];
    for (std::int32_t n = from; n < to; ++n) {
      const CoarseMembers& m = level.members[std::size_t(n)];
      for (std::size_t k = 0; k < k_four; ++k)
        sum += double(m.weight[k]) * rest[std::size_t(m.first) + k];
    }
    return sum;
  };
  std::vector<double> limits;
  for (std::size_t n = 0; n < pairs.size(); n += 2)
    limits.push_back(length(place(pairs[n + 1]) - place(pairs[n])) * (1 + input.slack));
  return limits;
}

void pack_limits(CoarseLevel& level, const std::vector<std::int32_t>& pairs,
                 const std::vector<double>& limit) {
  const std::int32_t scratch = std::int32_t(level.particle.size());
  const auto groups = group_by_colour(pairs, 2, colour_elements(pairs, 2, scratch));
  const auto fill = [&](DistanceBatch& b, int lane, std::int32_t e) {
    const std::size_t at = std::size_t(e);
    b.i[std::size_t(lane)] = e < 0 ? scratch : pairs[2 * at];
    b.j[std::size_t(lane)] = e < 0 ? scratch : pairs[2 * at + 1];
    b.rest[lane] = e < 0 ? Real(1e15) : Real(limit[at]);
    b.compliance[lane] = 0;
  };
  for (const auto& group : groups) {
    append_batches(group, level.limit, fill);
    if (level.limit.size() % 2 != 0) append_unused(level.limit, fill);
  }
}

}  // namespace

CoarseLevel make_coarse_level(const CoarseInput& input) {
  CoarseLevel level;
  const TriMesh& mesh = *input.mesh;
  double mean_edge = 0;
  const Neighbours neighbours = neighbours_of(mesh, mean_edge);
  if (!(mean_edge > 0)) return level;
  double spacing = k_spacing * mean_edge * 0.88;  // a grid's mean edge is 1.14 cells
  std::vector<std::int32_t> nodes = choose_nodes(input, spacing);
  while (nodes.size() > k_most_nodes) nodes = choose_nodes(input, spacing *= 1.25);
  if (nodes.size() < 9) return level;
  std::vector<Vec3> node_place;
  for (const std::int32_t n : nodes) {
    node_place.push_back(mesh.vertices[std::size_t(n)]);
    level.particle.push_back((*input.order)[std::size_t(n)]);
  }
  const Triangle& t = mesh.triangles[0];
  const Vec3 origin = mesh.vertices[std::size_t(t[0])];
  const Vec3 axis_u = normalized(mesh.vertices[std::size_t(t[1])] - origin);
  const Vec3 normal = normalized(cross(axis_u, mesh.vertices[std::size_t(t[2])] - origin));
  const Vec3 axis_v = cross(normal, axis_u);

  std::vector<std::vector<NearNode>> near(mesh.vertices.size());
  std::vector<std::int32_t> pairs;
  const double reach = k_join * spacing * k_detour;
  Distances distances(mesh.vertices.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    distances.find(neighbours, nodes[k], reach);
    for (const std::int32_t v : distances.reached) {
      const double straight = length(mesh.vertices[std::size_t(v)] - node_place[k]);
      near[std::size_t(v)].push_back({straight, std::int32_t(k)});
    }
    for (std::size_t other = k + 1; other < nodes.size(); ++other) {
      const double straight = length(node_place[other] - node_place[k]);
      if (straight > k_join * spacing) continue;
      if (distances.along[std::size_t(nodes[other])] > k_detour * straight) continue;
      pairs.insert(pairs.end(), {std::int32_t(k), std::int32_t(other)});
    }
  }
  level.share.resize(mesh.vertices.size());
  std::vector<double> node_mass(nodes.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    if (near[v].empty()) return CoarseLevel{};  // a piece without a node of its own
    const std::size_t p = std::size_t((*input.order)[v]);
    level.share[p] = share_of(mesh.vertices[v], near[v], node_place, axis_u, axis_v);
    for (std::size_t k = 0; k < 4; ++k)
      node_mass[std::size_t(level.share[p].node[k])] +=
          (*input.mass)[p] * weight_of(level.share[p], k);
  }
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const bool held = (*input.pinned)[std::size_t(nodes[k])] || node_mass[k] <= 0;
    level.inverse_mass.push_back(held ? Real(0) : Real(1 / node_mass[k]));
  }
  list_members(input, level);
  level.share.emplace_back();
  pack_limits(level, pairs, limits_of(input, level, pairs));
  level.off.resize(nodes.size() + 1);
  level.d.resize(nodes.size() + 1);
  level.correction.resize(nodes.size() + 1);
  return level;
}

}  // namespace pliant
