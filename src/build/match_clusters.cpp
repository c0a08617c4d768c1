#include "build/match_clusters.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "build/lattice_cubes.h"
#include "build/match_creep.h"
#include "geometry/topology.h"
#include "math/symmetric_inverse.h"

namespace pliant {
namespace {

constexpr std::int32_t k_block_batches = 64;  // that one thread sums up
constexpr double k_held_weight = 1000;        // times the mass of all others of the cluster
// Eigenvalues of sum w q q^T below this are no direction that the cluster extends in.
constexpr double k_flat = 1e-7;

// --- which vertices
using Cell = std::array<std::int32_t, 3>;
struct Elements {
  std::vector<std::vector<std::int32_t>> vertices;
  std::vector<Cell> cell;
};

double mean_edge(const TetMesh& mesh) {
  double sum = 0;
  const std::vector<VertexPair> edges = unique_edges(mesh.tetrahedra);
  for (const auto& [a, b] : edges)
    sum += length(mesh.vertices[std::size_t(a)] - mesh.vertices[std::size_t(b)]);
  return sum / double(std::max<std::size_t>(edges.size(), 1));
}

double edge_of(const TetMesh& mesh, const Cube& cube) {
  double shortest = 1e300;
  for (const std::int32_t a : cube.corners)
    for (const std::int32_t b : cube.corners)
      if (a < b)
        shortest = std::min(shortest,
                            length(mesh.vertices[std::size_t(a)] - mesh.vertices[std::size_t(b)]));
  return shortest;
}

Elements list_elements(const TetMesh& mesh) {
  const LatticeParts parts = find_cubes(mesh);
  Elements elements;
  for (const Cube& cube : parts.cubes)
    elements.vertices.emplace_back(cube.corners.begin(), cube.corners.end());
  for (const Tetrahedron& t : parts.tetrahedra) elements.vertices.emplace_back(t.begin(), t.end());
  const double cell = parts.tetrahedra.empty() ? edge_of(mesh, parts.cubes[0]) : mean_edge(mesh);
  Vec3 low = mesh.vertices[0];
  for (const Vec3& v : mesh.vertices) low = min(low, v);
  for (const std::vector<std::int32_t>& element : elements.vertices) {
    Vec3 centre;
    for (const std::int32_t v : element) centre += mesh.vertices[std::size_t(v)];
    const Vec3 at = (centre / double(element.size()) - low) / cell;
    elements.cell.push_back({std::int32_t(at.x), std::int32_t(at.y), std::int32_t(at.z)});
  }
  return elements;
}

// The boxes that hold a cell: those that begin at multiples of `stride` at most `cells` - 1 below.
void add_to_boxes(const Cell& cell, std::int32_t cells, std::int32_t stride, std::int32_t element,
                  std::map<Cell, std::vector<std::int32_t>>& boxes) {
  std::array<std::int32_t, 3> first, last;
  for (std::size_t k = 0; k < 3; ++k) {
    last[k] = cell[k] / stride;
    first[k] = std::max(0, (cell[k] - cells + stride) / stride);
  }
  for (std::int32_t x = first[0]; x <= last[0]; ++x)
    for (std::int32_t y = first[1]; y <= last[1]; ++y)
      for (std::int32_t z = first[2]; z <= last[2]; ++z) boxes[{x, y, z}].push_back(element);
}

// The pieces that some elements make, each as its vertices.
void add_pieces(const Elements& elements, const std::vector<std::int32_t>& box,
                ClusterList& clusters) {
  std::vector<std::vector<std::int32_t>> pieces;
  for (const std::int32_t e : box) {
    std::vector<std::int32_t> piece = elements.vertices[std::size_t(e)];
    std::sort(piece.begin(), piece.end());
    for (auto other = pieces.begin(); other != pieces.end();) {
      std::vector<std::int32_t> both;
      std::set_intersection(piece.begin(), piece.end(), other->begin(), other->end(),
                            std::back_inserter(both));
      if (both.empty()) {
        ++other;
        continue;
      }
      both.clear();
      std::set_union(piece.begin(), piece.end(), other->begin(), other->end(),
                     std::back_inserter(both));
      piece = std::move(both);
      other = pieces.erase(other);
    }
    pieces.push_back(std::move(piece));
  }
  clusters.insert(clusters.end(), pieces.begin(), pieces.end());
}

// --- what they weigh
struct RestShape {
  std::vector<double> weight;  // sum 1
  std::vector<Vec3> q;         // from the centre, in units of size
  double size = 1;             // m
  std::size_t nearest = 0;     // member nearest to the centre
};

RestShape rest_shape(const ShapeMatching& m, std::size_t c, std::span<const std::int32_t> members,
                     const std::vector<bool>& held) {
  RestShape shape;
  double free_mass = 0, sum = 0;
  const auto share = [&](std::int32_t p) {
    const std::size_t i = std::size_t(p);
    return m.mass[i] / double(m.member_begin[i + 1] - m.member_begin[i]);
  };
  for (const std::int32_t p : members) free_mass += share(p);
  Vec3 centre;
  for (const std::int32_t p : members) {
    shape.weight.push_back(held[std::size_t(p)] ? k_held_weight * free_mass : share(p));
    sum += shape.weight.back();
    centre += m.rest[std::size_t(p)] * shape.weight.back();
  }
  centre = centre / sum;
  double far = 0, near = 1e300;
  for (std::size_t n = 0; n < members.size(); ++n) {
    shape.weight[n] /= sum;
    const Vec3 q = m.rest[std::size_t(members[n])] - centre;
    shape.q.push_back(m.crept.empty() ? q : m.crept[c] * q);
    const double distance = length(shape.q.back());
    far = std::max(far, distance);
    if (distance < near) near = distance, shape.nearest = n;
  }
  shape.size = far > 0 ? far : 1;
  for (Vec3& q : shape.q) q = q / shape.size;
  return shape;
}

std::array<double, k_match_terms> terms_of(const Vec3& q) {
  return {q.x, q.y, q.z, q.x * q.x, q.y * q.y, q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x};
}

void put_members(const RestShape& shape, std::span<const std::int32_t> members,
                 std::span<MatchBatch> batches) {
  for (std::size_t n = 0; n < batches.size() * k_lanes; ++n) {
    MatchBatch& batch = batches[n / k_lanes];
    const int lane = int(n % k_lanes);
    const bool used = n < members.size();
    const Vec3 q = used ? shape.q[n] : Vec3{};
    batch.i[n % k_lanes] = members[used ? n : 0];
    batch.weight[lane] = used ? Real(shape.weight[n]) : Real(0);
    batch.q.x[lane] = Real(q.x), batch.q.y[lane] = Real(q.y), batch.q.z[lane] = Real(q.z);
  }
}

// Means and residues of the terms, of the numbers as the batches have them.
void put_terms(const RestShape& shape, std::span<const MatchBatch> batches, bool quadratic,
               MatchCluster& cluster) {
  cluster.mean = {};
  for (std::size_t n = 0; quadratic && n < shape.q.size(); ++n) {
    const auto t = terms_of(shape.q[n]);
    for (std::size_t k = 0; k < 6; ++k) cluster.mean[k] += Real(shape.weight[n] * t[k + 3]);
  }
  cluster.residue = {};
  for (const MatchBatch& b : batches)
    for (int lane = 0; lane < k_lanes; ++lane) {
      const Vec3T<Real> q{b.q.x[lane], b.q.y[lane], b.q.z[lane]};
      const std::array<Real, k_match_terms> t = {q.x,
                                                 q.y,
                                                 q.z,
                                                 q.x * q.x - cluster.mean[0],
                                                 q.y * q.y - cluster.mean[1],
                                                 q.z * q.z - cluster.mean[2],
                                                 q.x * q.y - cluster.mean[3],
                                                 q.y * q.z - cluster.mean[4],
                                                 q.z * q.x - cluster.mean[5]};
      for (std::size_t k = 0; k < k_match_terms; ++k)
        cluster.residue[k] += double(b.weight[lane]) * double(t[k]);
    }
}

void put_inverse(const RestShape& shape, const MatchCluster& cluster, bool quadratic,
                 MatchGroup& group, int lane) {
  const std::size_t n = quadratic ? k_match_terms : 3;
  std::vector<double> sum(n * n, 0.0);
  for (std::size_t i = 0; i < shape.q.size(); ++i) {
    auto t = terms_of(shape.q[i]);
    for (std::size_t k = 3; k < n; ++k) t[k] -= double(cluster.mean[k - 3]);
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < n; ++c) sum[r * n + c] += shape.weight[i] * t[r] * t[c];
  }
  const std::vector<double> inverse = pseudo_inverse(sum, int(n), k_flat);
  for (std::size_t r = 0; r < n; ++r)
    for (std::size_t c = 0; c < n; ++c) group.inverse[r][c][lane] = Real(inverse[r * n + c]);
  group.size[lane] = Real(shape.size);
}

// Room for all members, in blocks.
void lay_out(ShapeMatching& m) {
  std::vector<std::int32_t> slots;  // beside `particles`
  for (std::int32_t c = 0; c + 1 < std::int32_t(m.particle_begin.size()); ++c) {
    const std::int32_t count =
        m.particle_begin[std::size_t(c) + 1] - m.particle_begin[std::size_t(c)];
    std::int32_t begin = std::int32_t(m.batches.size());
    for (std::int32_t n = 0; n < count; ++n) slots.push_back(begin * k_lanes + n);
    m.batches.resize(m.batches.size() + std::size_t(count + k_lanes - 1) / k_lanes);
    m.clusters.push_back({});
    m.clusters.back().block_begin = std::int32_t(m.blocks.size());
    const std::int32_t end = std::int32_t(m.batches.size());
    for (; begin < end; begin += k_block_batches)
      m.blocks.push_back({c, begin, std::min(begin + k_block_batches, end)});
  }
  m.clusters.push_back({});
  m.clusters.back().block_begin = std::int32_t(m.blocks.size());
  MatchGroup idle{};
  idle.size = splat(1);
  m.groups.assign((m.clusters.size() + k_lanes - 2) / k_lanes, idle);

  m.member_begin.assign(m.rest.size() + 1, 0);
  for (const std::int32_t p : m.particles) ++m.member_begin[std::size_t(p) + 1];
  std::partial_sum(m.member_begin.begin(), m.member_begin.end(), m.member_begin.begin());
  m.member.resize(m.particles.size());
  std::vector<std::int32_t> next(m.member_begin.begin(), m.member_begin.end() - 1);
  for (std::size_t n = 0; n < m.particles.size(); ++n)
    m.member[std::size_t(next[std::size_t(m.particles[n])]++)] = slots[n];
}

std::vector<bool> marked(const ShapeMatching& m, std::span<const std::int32_t> held) {
  std::vector<bool> marks(m.rest.size(), false);
  for (const std::int32_t p : held) marks[std::size_t(p)] = true;
  return marks;
}

void weigh_cluster(ShapeMatching& m, std::size_t c, const std::vector<bool>& held) {
  const bool quadratic = m.mode == MatchingMode::quadratic;
  const std::size_t first = std::size_t(m.particle_begin[c]);
  const std::span<const std::int32_t> members =
      std::span(m.particles).subspan(first, std::size_t(m.particle_begin[c + 1]) - first);
  const RestShape shape = rest_shape(m, c, members, held);
  MatchCluster& cluster = m.clusters[c];
  const std::size_t begin = std::size_t(m.blocks[std::size_t(cluster.block_begin)].begin);
  const std::span<MatchBatch> batches =
      std::span(m.batches).subspan(begin, (members.size() + k_lanes - 1) / k_lanes);
  cluster.reference = members[shape.nearest];
  put_members(shape, members, batches);
  put_terms(shape, batches, quadratic, cluster);
  put_inverse(shape, cluster, quadratic, m.groups[c / k_lanes], int(c % k_lanes));
}

// R^T A of a cluster.
Mat3 stretch_of(const MatchMap& map, double size) {
  Mat3 s;
  const auto wide = [](const Vec3R& v) { return Vec3{double(v.x), double(v.y), double(v.z)}; };
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t k = 0; k < 3; ++k)
      s.row[r][int(k)] = dot(wide(map.rotation[r]), wide(map.linear[k])) / (size * size);
  return s;
}

}  // namespace

ClusterList find_clusters(const TetMesh& mesh, int cells) {
  ClusterList clusters;
  if (cells <= 0) {
    clusters.emplace_back(mesh.vertices.size());
    std::iota(clusters[0].begin(), clusters[0].end(), 0);
    return clusters;
  }
  const Elements elements = list_elements(mesh);
  std::map<Cell, std::vector<std::int32_t>> boxes;
  for (std::size_t e = 0; e < elements.cell.size(); ++e)
    add_to_boxes(elements.cell[e], cells, (cells + 1) / 2, std::int32_t(e), boxes);
  for (const auto& [corner, box] : boxes) add_pieces(elements, box, clusters);
  std::sort(clusters.begin(), clusters.end());
  clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
  return clusters;
}

ShapeMatching make_matching(const Matching& def, const ClusterList& clusters,
                            const std::vector<Vec3>& rest, const std::vector<double>& mass) {
  ShapeMatching m;
  m.mode = def.mode;
  m.frequency = def.frequency;
  m.freedom = def.mode == MatchingMode::rigid ? Real(0) : Real(def.freedom);
  m.keep_volume = def.keep_volume;
  m.yield = def.yield, m.creep = def.creep, m.max_creep = def.max_creep;
  if (def.creep > 0) m.crept.assign(clusters.size(), Mat3{});
  m.rest = rest;
  m.mass = mass;
  m.particle_begin = {0};
  for (const std::vector<std::int32_t>& cluster : clusters) {
    m.particles.insert(m.particles.end(), cluster.begin(), cluster.end());
    m.particle_begin.push_back(std::int32_t(m.particles.size()));
  }
  lay_out(m);
  weigh_clusters(m, {});
  return m;
}

void weigh_clusters(ShapeMatching& m, std::span<const std::int32_t> held) {
  const std::vector<bool> is_held = marked(m, held);
  for (std::size_t c = 0; c < std::size_t(m.cluster_count()); ++c) weigh_cluster(m, c, is_held);
}

void creep_clusters(ShapeMatching& m, std::span<const std::int32_t> held, double dt) {
  if (m.crept.empty() || m.scratch.maps.size() < m.crept.size()) return;
  const std::vector<bool> is_held = marked(m, held);
  for (std::size_t c = 0; c < m.crept.size(); ++c) {
    const double size = double(m.groups[c / k_lanes].size[int(c % k_lanes)]);
    const Mat3 stretch = stretch_of(m.scratch.maps[c], size);
    if (creep_shape({m.yield, m.creep * dt, m.max_creep}, stretch, m.crept[c]))
      weigh_cluster(m, c, is_held);
  }
}

}  // namespace pliant
