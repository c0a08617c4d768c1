#include "geometry/defect_list.h"

#include <algorithm>
#include <cmath>

namespace pliant {

void DefectList::note(const std::string& what, const std::string& first, std::int64_t n,
                      bool harmless) {
  for (Entry& entry : entries_) {
    if (entry.what != what) continue;
    entry.count += n;
    return;
  }
  entries_.push_back({what, first, n, harmless});
}

std::vector<MeshDefect> DefectList::take() {
  std::vector<MeshDefect> defects;
  for (const Entry& entry : entries_) {
    std::string where = entry.first;
    if (entry.count > 1) where += "; " + std::to_string(entry.count) + " in all";
    defects.push_back({entry.what, where, entry.harmless});
  }
  return defects;
}

std::string name_of(const char* kind, std::int64_t number) {
  return std::string(kind) + " " + std::to_string(number);
}

namespace {

constexpr double k_tiny = 1e-6;      // m; below this no body is meant
constexpr double k_near = 1e-7;      // of the diagonal; vertices that were meant to be one
constexpr double k_float_steps = 4;  // an edge shorter than this many spacings of float is lost

void note_close_vertices(std::span<const Vec3> vertices, double tolerance, DefectList& list) {
  // Along an odd direction few vertices of a regular mesh share a place.
  const Vec3 direction = normalized(Vec3{0.5377, 0.3183, 0.7807});
  std::vector<std::pair<double, std::int32_t>> order;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    order.emplace_back(dot(direction, vertices[v] - vertices[0]), std::int32_t(v));
  }
  std::sort(order.begin(), order.end());
  std::vector<bool> equal(vertices.size(), false), near(vertices.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    // Rounding of the projection must not hide a pair.
    const double reach = order[i].first + tolerance + 1e-12 * std::abs(order[i].first);
    // Once marked as equal, the earlier vertex stands for all at its place.
    if (equal[order[i].second]) continue;
    for (std::size_t j = i + 1; j < order.size() && order[j].first <= reach; ++j) {
      const std::int32_t a = order[i].second, b = order[j].second;
      if (vertices[a] == vertices[b]) {
        equal[b] = true;
      } else if (length(vertices[a] - vertices[b]) <= tolerance) {
        near[b] = true;
      }
    }
  }
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (equal[v]) list.note("duplicate_vertices", name_of("vertex", std::int64_t(v)));
    if (near[v]) list.note("near_duplicate_vertices", name_of("vertex", std::int64_t(v)));
  }
}

}  // namespace

bool check_vertices(std::span<const Vec3> vertices, const std::vector<bool>& used,
                    DefectList& list) {
  bool first = true, sound = true;
  Vec3 low, high;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (!finite(vertices[v])) {
      list.note("not_finite", name_of("vertex", std::int64_t(v)));
      sound = false;
    }
    if (!used[v]) {
      list.note("unused_vertices", name_of("vertex", std::int64_t(v)));
      continue;
    }
    low = first ? vertices[v] : min(low, vertices[v]);
    high = first ? vertices[v] : max(high, vertices[v]);
    first = false;
  }
  if (!sound || first) return sound;
  const double diagonal = length(high - low);
  if (diagonal < k_tiny) {
    list.note("tiny", "the box is " + std::to_string(diagonal * 1e9) + " nm across");
  }
  note_close_vertices(vertices, k_near * diagonal, list);
  return true;
}

void check_float_edges(std::span<const Vec3> vertices,
                       std::span<const std::pair<std::int32_t, std::int32_t>> edges,
                       DefectList& list) {
  for (const auto& [a, b] : edges) {
    const Vec3 &p = vertices[a], &q = vertices[b];
    double farthest = 0;
    for (int i = 0; i < 3; ++i) farthest = std::max({farthest, std::abs(p[i]), std::abs(q[i])});
    const double spacing = farthest * 0x1p-23;
    const double size = length(q - p);
    if (size > 0 && size < k_float_steps * spacing) {
      list.note("lost_in_single_precision", "edge " + std::to_string(a) + "-" + std::to_string(b) +
                                                ", " + std::to_string(farthest) +
                                                " m from the origin");
    }
  }
}

}  // namespace pliant
