// The rows of a benchmark as a table for people and as JSON for programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/bench.h"

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
  add("penetration max", q.penetration_max, " mm", 1e3);
  add("mean", q.penetration_mean, " mm", 1e3);
  if (q.standing) out += *q.standing ? ", standing" : ", FALLEN";
  if (!q.finite) out += ", NOT FINITE";
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
    out += fmt::format("  {:<8}{:>8}{:>10}{:>10}{:>10}  {:<10}{}\n", "engine", "threads", "ms mean",
                       "ms p95", "x Bullet", "steps", "quality; settings");
    for (const BenchRow& row : report.rows) {
      if (row.scene != scene.name) continue;
      const std::string times =
          row.times_bullet > 0 ? fmt::format("{:.2f}", row.times_bullet) : "-";
      out += fmt::format("  {:<8}{:>8}{:>10.3f}{:>10.3f}{:>10}  {:<10}{}; {}\n", row.engine,
                         row.threads, row.ms_mean, row.ms_p95, times,
                         fmt::format("{} x {}", row.substeps, row.sweeps),
                         quality_words(row.quality), row.settings);
    }
  }
  for (const std::string& note : report.notes) out += "note: " + note + "\n";
  return out;
}

std::string bench_json(const BenchReport& report) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const BenchRow& r : report.rows) {
    nlohmann::ordered_json row = {
        {"scene", r.scene},      {"engine", r.engine},
        {"threads", r.threads},  {"ms_mean", r.ms_mean},
        {"ms_p95", r.ms_p95},    {"substeps", r.substeps},
        {"sweeps", r.sweeps},    {"clock", r.threads == 1 ? "cpu" : "wall"},
        {"settings", r.settings}};
    if (r.times_bullet > 0) row["times_bullet"] = r.times_bullet;
    put(row, "stretch_mean_worst", r.quality.stretch_mean_worst);
    put(row, "stretch_max_worst", r.quality.stretch_max_worst);
    put(row, "cloth_deepest", r.quality.cloth_deepest);
    put(row, "volume_min", r.quality.volume_min);
    put(row, "volume_min_all", r.quality.volume_min_all);
    put(row, "deepest", r.quality.deepest);
    put(row, "penetration_max", r.quality.penetration_max);
    put(row, "penetration_mean", r.quality.penetration_mean);
    if (r.quality.standing) row["standing"] = *r.quality.standing;
    row["finite"] = r.quality.finite;
    rows.push_back(std::move(row));
  }
  return rows.dump(2);
}

}  // namespace pliant::bench
