#include "bench/bars.h"

#include <algorithm>

#include "bench/catalogue.h"

namespace pliant::bench {
namespace {

const BenchRow* bullet_of(const BenchReport& report, const BenchRow& row) {
  const Benchmark* benchmark = find_benchmark(row.scene);
  const bool own = !benchmark || benchmark->reference.empty();
  return find_row(report, own ? row.scene : benchmark->reference, "bullet", 1);
}

// No engine is fast by stretching: at most 1.05 in the mean and 2 at the worst edge, or Bullet's
// where that is less.
void add_stretch_gates(BenchRow& row, const BenchRow* bullet) {
  const auto gate = [&](const char* what, const std::optional<double>& value,
                        const std::optional<double>& peers, double limit) {
    if (value) row.bars.push_back({what, *value, std::min(limit, peers.value_or(limit)), false});
  };
  const Quality none;
  const Quality& peer = bullet ? bullet->quality : none;
  gate("mean stretch", row.quality.stretch_mean_worst, peer.stretch_mean_worst, 1.05);
  gate("worst edge", row.quality.stretch_max_worst, peer.stretch_max_worst, 2);
}

void add_speed_bars(BenchRow& row) {
  if (row.times_bullet <= 0) return;
  if (row.scene == "drape128" && row.threads == 1)
    row.bars.push_back({"of Bullet's cloth128", 1 / row.times_bullet, 0.4, false});
  if (row.scene == "cloth64" || row.scene == "cloth128") {
    if (row.threads == 1) row.bars.push_back({"times Bullet", row.times_bullet, 6, true});
    if (row.threads == 2) row.bars.push_back({"times Bullet", row.times_bullet, 10, true});
  }
}

void add_scaling_bar(const BenchReport& report, BenchRow& row) {
  const std::vector<std::string>& names = scaling_at_fixed_substeps();
  if (row.scene != names.back() || row.threads != 1) return;
  const BenchRow* first = find_row(report, names.front(), "pliant", 1);
  if (first && first->ms_mean > 0)
    row.bars.push_back({"ns per vertex, of " + names.front() + "'s",
                        ns_per_vertex(row) / ns_per_vertex(*first), 1.3, false});
}

// The timed parts of check 25 of the cloth's specification.
void add_check_bars(const BenchReport& report, BenchRow& row) {
  if (row.scene == "cloth_A25_900" && row.threads == 1)
    row.bars.push_back({"ms", row.ms_mean, 2, false});
  if (const BenchRow* scalar = find_row(report, row.scene, "scalar", 1))
    row.bars.push_back({"times one by one", scalar->ms_mean / row.ms_mean, 3, true});
  if (row.scene.rfind("cloth_A25_10k", 0) != 0 || row.threads != 2 || row.ms_mean <= 0) return;
  if (const BenchRow* one = find_row(report, row.scene, row.engine, 1))
    row.bars.push_back({"times one thread", one->ms_mean / row.ms_mean, 1.6, true});
}

// Rigid bodies: speed beside Bullet's and on two threads; no engine is fast by sinking in.
struct RigidBar {
  const char* scene;
  double times_bullet, times_one;
};
constexpr RigidBar k_rigid_bars[] = {
    {"boxes", 1.8, 1.6}, {"spheres", 1.6, 1.6}, {"pyramid", 1.5, 1.3}};
constexpr double k_deeper = 1e-3;  // m

void add_rigid_bars(const BenchReport& report, BenchRow& row, const BenchRow* bullet) {
  for (const RigidBar& bar : k_rigid_bars) {
    if (row.scene != bar.scene) continue;
    if (row.threads == 1 && row.times_bullet > 0)
      row.bars.push_back({"times Bullet", row.times_bullet, bar.times_bullet, true});
    const BenchRow* one = find_row(report, row.scene, row.engine, 1);
    if (row.threads == 2 && one && row.ms_mean > 0)
      row.bars.push_back({"times one thread", one->ms_mean / row.ms_mean, bar.times_one, true});
  }
  const auto gate = [&](const char* what, const std::optional<double>& value,
                        const std::optional<double>& peers) {
    if (value && peers) row.bars.push_back({what, *value, *peers + k_deeper, false});
  };
  for (const RigidBar& bar : k_rigid_bars) {
    if (!bullet || row.scene != bar.scene) continue;
    gate("greatest penetration, m", row.quality.penetration_max, bullet->quality.penetration_max);
    gate("mean penetration, m", row.quality.penetration_mean, bullet->quality.penetration_mean);
  }
}

// spec-rigid A24.
void add_static_bars(const BenchReport& report, BenchRow& row) {
  if (row.threads != 1) return;
  if (row.scene == "statics") row.bars.push_back({"ms", row.ms_mean, 8, false});
  if (row.scene == "sleeping") row.bars.push_back({"ms", row.ms_mean, 0.2, false});
  const BenchRow* near = find_row(report, "statics", "pliant", 1);
  if (row.scene == "statics_far" && near && near->ms_mean > 0)
    row.bars.push_back({"of statics' ms", row.ms_mean / near->ms_mean, 1.1, false});
}

// Solids: beside Bullet's springs and Bullet's elements, at volumes within a hundredth; the stack
// of three; and cost in proportion to size, but for what outgrows the caches.
void add_solid_bars(const BenchReport& report, BenchRow& row) {
  if (row.scene == "softcubes") {
    if (row.times_bullet > 0 && row.threads <= 2)
      row.bars.push_back({"times Bullet", row.times_bullet, row.threads == 1 ? 3.0 : 5.0, true});
    if (row.quality.volume_min)
      row.bars.push_back({"least volume", *row.quality.volume_min, 0.99, true});
    if (row.quality.deepest)
      row.bars.push_back({"deepest, cells", *row.quality.deepest, 0.1, false});
  }
  const BenchRow* elements = find_row(report, row.scene, "bullet_fem", 1);
  if (elements && row.threads == 1 && row.ms_mean > 0)
    row.bars.push_back({"times Bullet's elements", elements->ms_mean / row.ms_mean, 20, true});
  const bool heap =
      row.scene.rfind("three_cubes_", 0) == 0 || row.scene.rfind("four_animals_", 0) == 0;
  const bool of_the_work = row.scene == "deformable_A18" || row.scene == "deformable_A19";
  if (heap && row.threads == 1) row.bars.push_back({"ms", row.ms_mean, 1, false});
  if ((heap || of_the_work) && row.threads == 1 && row.quality.deepest)
    row.bars.push_back({"deepest, cells", *row.quality.deepest, 0.1, false});
  for (const std::string& kind : block_kinds()) {
    if (row.scene != "solid_" + kind + "_" + solid_sizes().back() || row.threads != 1) continue;
    const BenchRow* first =
        find_row(report, "solid_" + kind + "_" + solid_sizes().front(), "pliant", 1);
    if (first && first->ms_mean > 0 && first->tetrahedra > 0)
      row.bars.push_back({"ns per tetrahedron, of 1k's",
                          row.ms_mean / row.tetrahedra * first->tetrahedra / first->ms_mean, 2,
                          false});
  }
}

bool gated(const std::string& scene) {
  for (const char* name :
       {"cloth64", "cloth128", "cloth64_self", "cloth128_self", "drape128", "drape128_features"})
    if (scene == name) return true;
  return false;
}

}  // namespace

const BenchRow* find_row(const BenchReport& report, const std::string& scene,
                         const std::string& engine, int threads) {
  for (const BenchRow& row : report.rows)
    if (row.scene == scene && row.engine == engine && row.threads == threads) return &row;
  return nullptr;
}

double ns_per_vertex(const BenchRow& row) {
  return row.vertices > 0 ? 1e6 * row.ms_mean / row.vertices : 0;
}

void compare_rows(BenchReport& report) {
  for (BenchRow& row : report.rows) {
    const BenchRow* bullet = bullet_of(report, row);
    if (bullet && row.ms_mean > 0) row.times_bullet = bullet->ms_mean / row.ms_mean;
    row.bars.clear();
    if (row.engine != "pliant") continue;
    add_speed_bars(row);
    if (gated(row.scene)) add_stretch_gates(row, bullet);
    add_scaling_bar(report, row);
    add_check_bars(report, row);
    add_rigid_bars(report, row, bullet);
    add_static_bars(report, row);
    add_solid_bars(report, row);
    add_solid_check_bars(report, row);
  }
}

}  // namespace pliant::bench
