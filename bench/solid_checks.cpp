// The rows that are named after the timed checks of the specifications of solids, what these ask
// for, and the four animals under every model and contact.
#include <algorithm>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "bench/bars.h"
#include "bench/catalogue.h"
#include "bench/kernels/rotation_loop.h"

namespace pliant::bench {
namespace {

constexpr std::array<int, 3> k_small_shell{15, 18, 16};  // 1598 vertices, 4788 edges
constexpr std::array<int, 3> k_large_shell{18, 39, 43};  // 6308 vertices, 18918 edges
constexpr int k_small_edges = 4788, k_large_edges = 18918;
constexpr int k_cubes_surface = 900;  // triangles of three cubes of 5 x 5 x 5 cells
constexpr int k_last_frame = 90;
constexpr int k_huge_last_frame = 66;

// Shape matching of 25k vertices with other shares: alpha 0.001, 0.5 and 1 in a substep of 1/240 s,
// beta 0, 0.5 and 0.9.
struct MatchingRow {
  const char* name;
  double frequency, freedom;
};
constexpr MatchingRow k_other_matching[] = {{"elastic_A10_25k_soft", 1.2, 0},
                                            {"elastic_A10_25k_half", 30, 0},
                                            {"elastic_A10_25k_stiff", 1000, 0},
                                            {"elastic_A10_25k_free", 15, 0.5},
                                            {"elastic_A10_25k_freest", 1.2, 0.9}};
constexpr std::size_t k_other_size = 2;  // of matching_rows()
constexpr int k_matching_repeats = 7;
constexpr const char* k_rotation_row = "elastic_A10_rotation";
constexpr double k_longest_rotation = 5;  // us

// Bodies that stand, as hard as shape matching with alpha 0.3 in a substep of 1/240 s: it swings
// with asin(sqrt(0.3)) / (2 pi / 240) Hz. The springs' energy is found by trial, for the same sag;
// where 32 parts of a substep of 1/240 s would not do, or more would cost more, substeps are
// shorter.
constexpr double k_standing_frequency = 22.14060717;  // Hz
struct StandingRow {
  const char* name;
  int springs;      // 0 = shape matching
  double distance;  // J
  int substeps;
};
constexpr StandingRow k_small_standing[] = {
    {"elastic_A17_stands", 0, 0, 4},         {"elastic_A17_hard_edges", 4788, 301627, 32},
    {"elastic_A17_hard_5k", 5000, 18300, 8}, {"elastic_A17_hard_10k", 10000, 1349, 4},
    {"elastic_A17_hard_20k", 20000, 745, 4}, {"elastic_A17_hard_40k", 40000, 395, 4}};
constexpr StandingRow k_large_standing[] = {{"elastic_A17_6308_stands", 0, 0, 4},
                                            {"elastic_A17_6308_hard_edges", 18918, 86300, 32},
                                            {"elastic_A17_6308_hard_20k", 20000, 1452, 8},
                                            {"elastic_A17_6308_hard_40k", 40000, 337, 4},
                                            {"elastic_A17_6308_hard_80k", 80000, 183.6, 4}};
constexpr double k_spring_damping = 1e-5;  // s, of the springs' energy
constexpr double k_same_sag = 0.02;

Benchmark row_of(const std::string& name, const char* file, std::vector<std::string> overrides,
                 const std::string& turn) {
  Benchmark b;
  b.name = name;
  b.file = file;
  b.overrides = std::move(overrides);
  b.turn = turn;
  b.peers = false;
  return b;
}

std::vector<std::string> animals_with(const std::string& model, const std::string& contact) {
  std::vector<std::string> out{fmt::format("world.solid_contact=\"{}\"", contact)};
  for (const char* animal : {"left", "middle", "right", "falling"}) {
    out.push_back(fmt::format("solids.{}.model=\"{}\"", animal, model));
    if (model == "explicit_fem") out.push_back(fmt::format("solids.{}.damping=0.0002", animal));
  }
  if (model == "explicit_fem") out.push_back("world.substeps=12");  // 10 are not stable
  return out;
}

// The searches: two blocks of 4 cells in height, twice as large from row to row.
void add_detection(std::vector<Benchmark>& out) {
  int x = 5, z = 5;
  for (const std::string& name : detection_rows()) {
    const std::string cells = fmt::format("tets.lattice.cells=[{}, 4, {}]", x, z);
    out.push_back(row_of(name, "two_blocks", {"solids.lower." + cells, "solids.upper." + cells},
                         "deformable_A10"));
    out.back().last_frame = k_last_frame;
    (x <= z ? x : z) *= 2;
  }
}

void add_matching(std::vector<Benchmark>& out) {
  constexpr int k_cells[][3] = {{1, 16, 46}, {3, 18, 82}, {24, 24, 39}, {49, 49, 39}, {99, 99, 39}};
  const auto add = [&](const std::string& name, std::size_t size, std::vector<std::string> more) {
    const auto& [x, y, z] = k_cells[size];
    more.push_back("solids.block.model=\"shape_matching\"");
    more.push_back(fmt::format("solids.block.tets.lattice.cells=[{}, {}, {}]", x, y, z));
    out.push_back(row_of(name, "solid_block", std::move(more), "elastic_A10"));
    out.back().last_frame = size < 3 ? k_last_frame : k_huge_last_frame;
    out.back().repeats = k_matching_repeats;
  };
  for (std::size_t n = 0; n < matching_rows().size(); ++n) add(matching_rows()[n], n, {});
  for (const MatchingRow& row : k_other_matching)
    add(row.name, k_other_size,
        {fmt::format("solids.block.matching.frequency={}", row.frequency),
         fmt::format("solids.block.matching.freedom={}", row.freedom)});
  out.push_back(row_of(k_rotation_row, "solid_block", {}, k_rotation_row));
  out.back().rotations = true;
}

void add_springs(std::vector<Benchmark>& out, bool large) {
  const int edges = large ? k_large_edges : k_small_edges;
  int springs = edges;
  for (const std::string& name : spring_rows(large)) {
    out.push_back(row_of(name, "spring_shell",
                         {fmt::format("solids.body.springs.inner={}", springs - edges)},
                         "elastic_A17"));
    out.back().shell = large ? k_large_shell : k_small_shell;
    out.back().last_frame = k_last_frame;
    springs = springs == edges ? (large ? 20000 : 5000) : 2 * springs;
  }
}

std::span<const StandingRow> standing(bool large) {
  if (large) return k_large_standing;
  return k_small_standing;
}

void add_standing(std::vector<Benchmark>& out, bool large) {
  for (const StandingRow& row : standing(large)) {
    std::vector<std::string> changes{fmt::format("world.substeps={}", row.substeps)};
    if (row.springs > 0) {
      const int inner = row.springs - (large ? k_large_edges : k_small_edges);
      changes.push_back("solids.body.model=\"mass_spring\"");
      changes.push_back(fmt::format("solids.body.springs.inner={}", inner));
      changes.push_back(fmt::format("solids.body.springs.distance={}", row.distance));
      changes.push_back(
          fmt::format("solids.body.springs.damping={}", k_spring_damping * row.distance));
    } else {
      changes.push_back(fmt::format("solids.body.matching.frequency={}", k_standing_frequency));
    }
    out.push_back(row_of(row.name, "shell_stands", std::move(changes), "elastic_A17_standing"));
    out.back().shell = large ? k_large_shell : k_small_shell;
    out.back().last_frame = k_last_frame;
    out.back().stands = true;
  }
}

// Bars on both sides of a number.
void between(BenchRow& row, const std::string& what, double value, double least, double most) {
  row.bars.push_back({what, value, least, true});
  row.bars.push_back({what, value, most, false});
}

// What the work counted, in the mean and at most.
struct Counts {
  double vertices, most_vertices, triangles, most_triangles;
};
void add_counts(BenchRow& row, const Counts& work) {
  if (!row.phases) return;
  const auto near = [&](const char* what, double value, double of_work) {
    between(row, what, value, of_work / 1.5, of_work * 1.5);
  };
  near("vertices inside", row.phases->vertices_mean, work.vertices);
  near("most vertices inside", row.phases->vertices_max, work.most_vertices);
  near("triangles", row.phases->triangles_mean, work.triangles);
  near("most triangles", row.phases->triangles_max, work.most_triangles);
}

// Against the row before it in a list in which sizes double; `first` of them do not.
void add_doubling(const BenchReport& report, const std::vector<std::string>& names,
                  std::size_t first, BenchRow& row) {
  const auto at = std::find(names.begin(), names.end(), row.scene);
  if (at == names.end() || std::size_t(at - names.begin()) <= first) return;
  const BenchRow* before = find_row(report, *(at - 1), "pliant", 1);
  if (before && before->ms_mean > 0)
    between(row, "times " + before->scene, row.ms_mean / before->ms_mean, 1.7, 2.3);
}

// Springs against shape matching that sags as far: at the same hardness they cost more.
void add_standing_bars(const BenchReport& report, bool large, BenchRow& row) {
  const std::vector<std::string>& rows = standing_rows(large);
  if (std::find(rows.begin() + 1, rows.end(), row.scene) == rows.end()) return;
  const BenchRow* matching = find_row(report, rows.front(), "pliant", 1);
  if (!matching || !(matching->ms_mean > 0)) return;
  if (row.quality.sag && matching->quality.sag)
    between(row, "sag, of shape matching's", *row.quality.sag / *matching->quality.sag,
            1 - k_same_sag, 1 + k_same_sag);
  row.bars.push_back({"times shape matching", row.ms_mean / matching->ms_mean, 5, true});
}

// How well the times of rows are c times their vertices: 1 - residual / spread, c by least squares.
// None where rows are missing.
std::optional<double> fit_of_proportion(const BenchReport& report,
                                        const std::vector<std::string>& names) {
  double vt = 0, vv = 0, sum = 0, count = 0;
  for (const std::string& name : names) {
    const BenchRow* row = find_row(report, name, "pliant", 1);
    if (!row || !(row->ms_mean > 0)) return std::nullopt;
    vt += row->vertices * row->ms_mean, vv += double(row->vertices) * row->vertices;
    sum += row->ms_mean, count += 1;
  }
  double residual = 0, spread = 0;
  for (const std::string& name : names) {
    const BenchRow& row = *find_row(report, name, "pliant", 1);
    const double off = row.ms_mean - vt / vv * row.vertices, from_mean = row.ms_mean - sum / count;
    residual += off * off, spread += from_mean * from_mean;
  }
  return 1 - residual / spread;
}

}  // namespace

const std::vector<std::string>& detection_rows() {
  static const std::vector<std::string> names{
      "deformable_A10_1k",  "deformable_A10_2k",  "deformable_A10_4k", "deformable_A10_8k",
      "deformable_A10_16k", "deformable_A10_32k", "deformable_A10_64k"};
  return names;
}

const std::vector<std::string>& matching_rows() {
  static const std::vector<std::string> names{"elastic_A10_1598", "elastic_A10_6308",
                                              "elastic_A10_25k", "elastic_A10_100k",
                                              "elastic_A10_400k"};
  return names;
}

const std::vector<std::string>& spring_rows(bool large) {
  static const std::vector<std::string> small{"elastic_A17_edges", "elastic_A17_5k",
                                              "elastic_A17_10k", "elastic_A17_20k",
                                              "elastic_A17_40k"};
  static const std::vector<std::string> big{"elastic_A17_6308_edges", "elastic_A17_6308_20k",
                                            "elastic_A17_6308_40k", "elastic_A17_6308_80k"};
  return large ? big : small;
}

const std::vector<std::string>& standing_rows(bool large) {
  const auto names = [](std::span<const StandingRow> rows) {
    std::vector<std::string> out;
    for (const StandingRow& row : rows) out.emplace_back(row.name);
    return out;
  };
  static const std::vector<std::string> small = names(k_small_standing);
  static const std::vector<std::string> big = names(k_large_standing);
  return large ? big : small;
}

void add_solid_checks(std::vector<Benchmark>& out) {
  for (const std::string& model : solid_models())
    for (const char* contact : {"position", "pressure", "penalty"})
      out.push_back(row_of(fmt::format("four_animals_{}_{}", model, contact), "four_animals",
                           animals_with(model, contact), "four_animals"));
  out.push_back(row_of("deformable_A18", "three_cubes",
                       {"solids.cube.model=\"mass_spring\"", "world.solid_contact=\"pressure\""},
                       "three_cubes"));
  out.back().minutes = 1;
  out.push_back(row_of("deformable_A19", "four_animals", animals_with("mass_spring", "pressure"),
                       "four_animals"));
  out.back().minutes = 1;
  add_detection(out);
  add_matching(out);
  add_springs(out, false);
  add_springs(out, true);
  add_standing(out, false);
  add_standing(out, true);
}

void add_solid_check_bars(const BenchReport& report, BenchRow& row) {
  if (row.threads != 1 || !(row.ms_mean > 0)) return;
  if (row.scene == k_rotation_row)
    row.bars.push_back({"us for 8 rotations", 1e3 * row.ms_mean / RotationLoop::k_groups,
                        k_longest_rotation, false});
  add_doubling(report, detection_rows(), 0, row);
  for (const bool large : {false, true}) {
    const std::vector<std::string>& rows = spring_rows(large);
    add_doubling(report, rows, 1, row);
    add_standing_bars(report, large, row);
    const BenchRow* matching = find_row(report, matching_rows()[large ? 1 : 0], "pliant", 1);
    if (!matching || !(matching->ms_mean > 0)) continue;
    if (row.scene == rows.front())
      row.bars.push_back({"times shape matching", row.ms_mean / matching->ms_mean, 3, false});
  }
  const BenchRow* first = find_row(report, matching_rows().front(), "pliant", 1);
  if (row.scene == matching_rows().back() && first && first->ms_mean > 0)
    between(row, "ns per vertex, of 1598's", ns_per_vertex(row) / ns_per_vertex(*first), 0.7, 2);
  // Of those that fit into a cache: twice the time, which the item allows above, is no straight
  // line with the others.
  const std::vector<std::string> cached(matching_rows().begin(), matching_rows().end() - 1);
  if (row.scene == cached.back())
    if (const auto fit = fit_of_proportion(report, cached))
      row.bars.push_back({"R2 of time by vertices", *fit, 0.99, true});
  const BenchRow* usual = find_row(report, matching_rows()[k_other_size], "pliant", 1);
  for (const MatchingRow& other : k_other_matching)
    if (row.scene == other.name && usual && usual->ms_mean > 0)
      between(row, "times " + usual->scene, row.ms_mean / usual->ms_mean, 0.9, 1.1);
  if (row.scene == "deformable_A18") {
    row.bars.push_back({"frames per second", 1000 / row.ms_mean, 31, true});
    row.bars.push_back({"the slowest", 1000 / row.ms_most, 29, true});
    row.bars.push_back({"ms a substep", row.ms_mean / row.substeps, 2, false});
    add_counts(row, {92, 147, 370, 575});
    if (row.phases)
      between(row, "share of the surface", row.phases->triangles_mean / k_cubes_surface, 0.4, 0.5);
  }
  if (row.scene == "deformable_A19") {
    row.bars.push_back({"frames per second", 1000 / row.ms_mean, 30, true});
    row.bars.push_back({"the slowest", 1000 / row.ms_most, 25, true});
    row.bars.push_back({"s simulated a second", 1000 / row.ms_most / 60, 0.9, true});
    add_counts(row, {105, 142, 451, 596});
  }
}

}  // namespace pliant::bench
