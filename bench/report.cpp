// The rows of a benchmark as a table for people and as JSON for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/bars.h"
#include "bench/catalogue.h"

namespace pliant::bench {
namespace {

std::string quality_words(const Quality& q) {
  std::string out;
  const auto add = [&](const char* name, const std::optional<double>& value, const char* unit,
                       double scale) {
    if (value)
      out += fmt::format("{}{} {:.4g}{}", out.empty() ? "" : ", ", name, *value * scale, unit);
  };
  add("stretch mean", q.stretch_mean_worst, "", 1);
  add("max", q.stretch_max_worst, "", 1);
  add("in bodies", q.cloth_deepest, " mm", 1e3);
  add("volume", q.volume_min, "", 1);
  add("at impact", q.volume_min_all, "", 1);
  add("deepest", q.deepest, " cells", 1);
  add("sag", q.sag, " mm", 1e3);
  add("penetration max", q.penetration_max, " mm", 1e3);
  add("mean", q.penetration_mean, " mm", 1e3);
  if (q.standing) out += *q.standing ? ", standing" : ", FALLEN";
  if (!q.finite) out += ", NOT FINITE";
  return out;
}

const char* verdict(const Bar& bar) { return bar.holds() ? "holds" : "fails"; }

// The frames and repeats of a row where they are not those of the first.
std::string shortened(const BenchRow& row, const BenchRow& first) {
  std::string out;
  if (row.last_frame != first.last_frame)
    out += fmt::format("; frames {} to {} only", row.first_frame, row.last_frame - 1);
  if (row.repeats != first.repeats) out += fmt::format("; best of {} only", row.repeats);
  return out;
}

std::string rows_table(const BenchReport& report, const std::string& scene) {
  std::string out = fmt::format("  {:<8}{:>8}{:>10}{:>10}{:>10}  {:<10}{}\n", "engine", "threads",
                                "ms mean", "ms p95", "x Bullet", "steps", "quality; settings");
  for (const BenchRow& row : report.rows) {
    if (row.scene != scene) continue;
    const std::string times = row.times_bullet > 0 ? fmt::format("{:.2f}", row.times_bullet) : "-";
    out += fmt::format("  {:<8}{:>8}{:>10.3f}{:>10.3f}{:>10}  {:<10}{}; {}{}\n", row.engine,
                       row.threads, row.ms_mean, row.ms_p95, times,
                       fmt::format("{} x {}", row.substeps, row.sweeps), quality_words(row.quality),
                       row.settings, shortened(row, report.rows.front()));
  }
  return out;
}

// What a vertex costs in cloths of rising size, against the smallest; empty where fewer than two of
// them ran.
std::string scaling_table(const BenchReport& report, const char* title,
                          const std::vector<std::string>& names) {
  std::string out;
  double smallest = 0;
  int count = 0;
  for (const std::string& name : names) {
    const BenchRow* row = find_row(report, name, "pliant", 1);
    if (!row) continue;
    if (++count == 1) smallest = ns_per_vertex(*row);
    out += fmt::format("  {:<16}{:>9}{:>10}{:>14.3f}{:>15.1f}{:>9.2f}\n", name, row->vertices,
                       row->substeps, row->quality.stretch_mean_worst.value_or(0),
                       ns_per_vertex(*row), ns_per_vertex(*row) / smallest);
  }
  if (count < 2) return "";
  return fmt::format("{}, one thread\n  {:<16}{:>9}{:>10}{:>14}{:>15}{:>9}\n", title, "scene",
                     "vertices", "substeps", "stretch mean", "ns per vertex", "times") +
         out;
}

// "name mean (most)" of what takes something.
template <std::size_t N, class Name>
std::string times_words(const std::array<double, N>& mean, const std::array<double, N>& most,
                        const Name& name) {
  std::string out;
  for (std::size_t k = 0; k < N; ++k)
    if (mean[k] >= 0.0005)
      out += fmt::format("{}{} {:.3f} ({:.3f})", out.empty() ? "" : ", ", name(int(k)), mean[k],
                         most[k]);
  return out;
}

// What the stages of solids take, in the mean and at most; empty where none ran. Stages that take
// nothing are left out.
std::string phases_table(const BenchReport& report) {
  std::string out;
  for (const BenchRow& row : report.rows) {
    if (!row.phases || row.threads != 1) continue;
    if (row.tetrahedra == 0 && !row.quality.sag) continue;  // springs through a surface have none
    std::string stages = times_words(row.phases->ms, row.phases->most_ms,
                                     [](int k) { return stage_name(Stage(k)); });
    const std::string parts =
        times_words(row.phases->overlap_ms, row.phases->overlap_most_ms,
                    [](int k) { return overlap_phase_name(OverlapPhase(k)); });
    if (!parts.empty()) stages += "; of project: " + parts;
    std::string overlap;
    if (row.phases->vertices_max > 0)
      overlap = fmt::format("; touching: {:.0f} vertices (at most {}), {:.0f} triangles ({})",
                            row.phases->vertices_mean, row.phases->vertices_max,
                            row.phases->triangles_mean, row.phases->triangles_max);
    const double per_tet = row.tetrahedra > 0 ? 1e6 * row.ms_mean / row.tetrahedra : 0;
    out += fmt::format("  {:<36}{:>8}{:>9.0f}{:>9.1f}  {}{}\n", row.scene, row.tetrahedra,
                       row.ms_mean > 0 ? 1000 / row.ms_mean : 0, per_tet, stages, overlap);
  }
  if (out.empty()) return out;
  return fmt::format("solids, one thread\n  {:<36}{:>8}{:>9}{:>9}  {}\n", "scene", "tets",
                     "frames/s", "ns/tet", "ms by stage") +
         out;
}

std::string bars_table(const BenchReport& report) {
  std::string out;
  for (const BenchRow& row : report.rows)
    for (const Bar& bar : row.bars)
      out += fmt::format(
          "  {:<20}{:>7}  {:<30}{:>9.3f}  {:<15}{}\n", row.scene, row.threads, bar.what, bar.value,
          fmt::format("{} {:.4g}", bar.at_least ? "at least" : "at most", bar.limit), verdict(bar));
  if (out.empty()) return out;
  return fmt::format("bars\n  {:<20}{:>7}  {:<30}{:>9}  {}\n", "scene", "threads", "what", "found",
                     "wanted") +
         out;
}

nlohmann::ordered_json bars_json(const std::vector<Bar>& bars) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const Bar& bar : bars)
    out.push_back({{"what", bar.what},
                   {"value", bar.value},
                   {bar.at_least ? "at_least" : "at_most", bar.limit},
                   {"holds", bar.holds()}});
  return out;
}

void put(nlohmann::ordered_json& row, const char* key, const std::optional<double>& value) {
  if (value) row[key] = *value;
}

}  // namespace

std::string bench_table(const BenchReport& report) {
  std::string out;
  for (const BenchScene& scene : report.scenes) {
    out += fmt::format("{}: {}\n", scene.name, scene.work);
    out += rows_table(report, scene.name);
  }
  out += scaling_table(report, "scaling at fixed substeps", scaling_at_fixed_substeps());
  out += scaling_table(report, "scaling at equal stretch", scaling_at_equal_stretch());
  out += phases_table(report);
  out += bars_table(report);
  for (const std::string& note : report.notes) out += "note: " + note + "\n";
  return out;
}

std::string bench_json(const BenchReport& report) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const BenchRow& r : report.rows) {
    nlohmann::ordered_json row = {{"scene", r.scene},
                                  {"engine", r.engine},
                                  {"threads", r.threads},
                                  {"ms_mean", r.ms_mean},
                                  {"ms_p95", r.ms_p95},
                                  {"ms_most", r.ms_most},
                                  {"substeps", r.substeps},
                                  {"sweeps", r.sweeps},
                                  {"clock", r.threads == 1 ? "cpu" : "wall"},
                                  {"settings", r.settings},
                                  {"frames", {r.first_frame, r.last_frame}},
                                  {"repeats", r.repeats}};
    if (r.times_bullet > 0) row["times_bullet"] = r.times_bullet;
    put(row, "stretch_mean_worst", r.quality.stretch_mean_worst);
    put(row, "stretch_max_worst", r.quality.stretch_max_worst);
    put(row, "cloth_deepest", r.quality.cloth_deepest);
    put(row, "volume_min", r.quality.volume_min);
    put(row, "volume_min_all", r.quality.volume_min_all);
    put(row, "deepest", r.quality.deepest);
    put(row, "sag", r.quality.sag);
    put(row, "penetration_max", r.quality.penetration_max);
    put(row, "penetration_mean", r.quality.penetration_mean);
    if (r.quality.standing) row["standing"] = *r.quality.standing;
    row["finite"] = r.quality.finite;
    if (r.vertices > 0) {
      row["vertices"] = r.vertices;
      row["ns_per_vertex"] = ns_per_vertex(r);
    }
    if (r.tetrahedra > 0) row["tetrahedra"] = r.tetrahedra;
    if (r.phases) {
      for (std::size_t k = 0; k < std::size_t(k_stage_count); ++k) {
        const std::string name(stage_name(Stage(k)));
        row["stage_ms"][name] = r.phases->ms[k];
        row["stage_most_ms"][name] = r.phases->most_ms[k];
      }
      for (std::size_t k = 0; k < std::size_t(k_overlap_phase_count); ++k) {
        const std::string name(overlap_phase_name(OverlapPhase(k)));
        row["overlap_ms"][name] = r.phases->overlap_ms[k];
        row["overlap_most_ms"][name] = r.phases->overlap_most_ms[k];
      }
      row["overlap"] = {{"vertices_mean", r.phases->vertices_mean},
                        {"vertices_max", r.phases->vertices_max},
                        {"triangles_mean", r.phases->triangles_mean},
                        {"triangles_max", r.phases->triangles_max}};
    }
    if (!r.bars.empty()) row["bars"] = bars_json(r.bars);
    rows.push_back(std::move(row));
  }
  return rows.dump(2);
}

}  // namespace pliant::bench
