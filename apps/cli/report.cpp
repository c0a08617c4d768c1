#include "apps/cli/report.h"

#include <fmt/core.h>

#include <algorithm>

#include "apps/cli/files.h"
#include "apps/cli/svg_plot.h"

namespace pliant::cli {
namespace {

constexpr const char* k_head = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{0}</title>
<style>
body {{ font: 15px/1.5 sans-serif; margin: 2em auto; max-width: 800px; padding: 0 1em; color: #222; }}
img, svg {{ max-width: 100%; height: auto; }}
table {{ border-collapse: collapse; }}
td {{ padding: 2px 14px 2px 0; border-bottom: 1px solid #ddd; }}
td:nth-child(2) {{ font-variant-numeric: tabular-nums; }}
pre {{ background: #f5f5f5; padding: 1em; overflow: auto; font-size: 12px; max-height: 40em; }}
.failed {{ color: #b00020; font-weight: bold; }}
</style></head><body>
<h1>{0}</h1>
)";

std::string table(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::string html = "<table>\n";
  for (const auto& [name, value] : rows) {
    html += fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", escape_html(name), escape_html(value));
  }
  return html + "</table>\n";
}

std::string expectations(const RunSummary& summary) {
  if (summary.expectations.empty()) return {};
  std::string html = "<h2>Expectations</h2>\n<table>\n";
  for (const ExpectationResult& result : summary.expectations) {
    const char* verdict = failed(summary, result) ? "<span class=\"failed\">failed</span>"
                          : result.reached        ? "ok"
                                                  : "not reached";
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", verdict,
                        escape_html(describe(result)), escape_html(result.expectation.reason));
  }
  return html + "</table>\n";
}

std::string stage_plot(const RunSummary& summary) {
  std::vector<std::pair<std::string, double>> bars;
  bars.reserve(std::size_t(k_stage_count));
  for (int i = 0; i < k_stage_count; ++i) {
    bars.emplace_back(stage_name(static_cast<Stage>(i)),
                      summary.stage_ms[static_cast<std::size_t>(i)]);
  }
  return bar_plot("Time by stage", "ms per frame, mean", bars);
}

// One value of every step as a line.
template <class Value>
PlotLine line_of(const RunSummary& summary, const std::string& name, Value value) {
  PlotLine line{name, {}};
  for (const StepRecord& step : summary.steps) line.y.push_back(value(step));
  return line;
}

std::string plots(const Scene& scene, const RunSummary& summary) {
  std::vector<double> time;
  for (const StepRecord& step : summary.steps) time.push_back(step.measurements.time);
  std::string html = line_plot(
      "Energy", "time, s", "energy, J", time,
      {line_of(summary, "kinetic", [](auto& s) { return s.measurements.kinetic_energy; }),
       line_of(summary, "potential", [](auto& s) { return s.measurements.potential_energy; }),
       line_of(summary, "elastic", [](auto& s) { return s.measurements.elastic_energy; })});
  std::vector<PlotLine> volumes, stretches;
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    volumes.push_back(
        line_of(summary, scene.solids[i].name, [i](auto& s) { return s.volume_ratios.at(i); }));
  }
  for (std::size_t i = 0; i < scene.cloths.size(); ++i) {
    stretches.push_back(
        line_of(summary, scene.cloths[i].name, [i](auto& s) { return s.stretches.at(i); }));
  }
  html += line_plot("Volume of the solids", "time, s", "volume / rest volume", time, volumes);
  html += line_plot("Greatest stretch of the cloths", "time, s", "length / rest length", time,
                    stretches);
  html += line_plot("Time of a frame", "time, s", "ms", time,
                    {line_of(summary, "step", [](auto& s) { return s.ms; })});
  return html;
}

// A scene with meshes written out would drown the page.
std::string settings_text(const Scene& scene) {
  constexpr std::size_t limit = 100000;
  std::string text = scene_to_json(scene);
  if (text.size() <= limit) return text;
  text.resize(limit);
  return text + "\n... and so on";
}

}  // namespace

std::string report_html(const Scene& scene, const RunSummary& summary, const std::string& picture) {
  const std::string title = scene.name.empty() ? summary.scene : scene.name;
  std::string html = fmt::format(k_head, escape_html(title));
  if (!scene.description.empty()) html += "<p>" + escape_html(scene.description) + "</p>\n";
  if (summary.interrupted) html += "<p class=\"failed\">This run was ended before its time.</p>\n";
  if (!picture.empty()) {
    html += "<img alt=\"the last frame\" src=\"data:image/png;base64," + base64(picture) + "\">\n";
  }
  html += "<h2>Summary</h2>\n" + table(summary_rows(summary));
  for (const std::string& line : trouble_lines(summary)) {
    html += "<p class=\"failed\">" + escape_html(line) + "</p>\n";
  }
  html += expectations(summary);
  html += "<h2>Time</h2>\n" + stage_plot(summary);
  html += "<h2>Measurements</h2>\n" + plots(scene, summary);
  html += "<h2>Settings of the scene</h2>\n<pre>" + escape_html(settings_text(scene)) + "</pre>\n";
  return html + "</body></html>\n";
}

}  // namespace pliant::cli
