#include "apps/cli/run_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace pliant::cli {
namespace {

std::vector<double> step_times(const RunSummary& summary) {
  std::vector<double> times;
  for (const StepRecord& step : summary.steps) times.push_back(step.ms);
  return times;
}

std::string expected_text(const Expectation& e) {
  if (e.near) return fmt::format("{:.6g} within {:.3g}", *e.near, e.within);
  if (e.min && e.max) return fmt::format("{:.6g} to {:.6g}", *e.min, *e.max);
  if (e.min) return fmt::format("at least {:.6g}", *e.min);
  if (e.max) return fmt::format("at most {:.6g}", *e.max);
  return "anything";
}

nlohmann::json to_json(const RunSummary& summary, const ExpectationResult& result) {
  const Expectation& e = result.expectation;
  nlohmann::json json = {{"at", e.at},
                         {"subject", e.subject},
                         {"quantity", e.quantity},
                         {"reached", result.reached},
                         {"text", describe(result)}};
  // Unknown is neither true nor false: the user ended the run before it.
  if (result.reached || failed(summary, result)) {
    json["ok"] = result.ok;
  } else {
    json["ok"] = nullptr;
  }
  if (result.reached && result.message.empty()) json["value"] = result.value;
  if (e.near) json["near"] = *e.near, json["within"] = e.within;
  if (e.min) json["min"] = *e.min;
  if (e.max) json["max"] = *e.max;
  return json;
}

}  // namespace

std::string describe(const ExpectationResult& result) {
  const Expectation& e = result.expectation;
  const std::string what = e.subject.empty() ? e.quantity : e.subject + " " + e.quantity;
  const std::string when = e.at < 0 ? "at the end" : fmt::format("at {:g} s", e.at);
  if (!result.reached) return fmt::format("{} {}: not reached", what, when);
  if (!result.message.empty()) return fmt::format("{} {}: {}", what, when, result.message);
  return fmt::format("{} = {:.6g} {}, expected {}", what, result.value, when, expected_text(e));
}

double ms_mean(const RunSummary& summary) {
  const std::vector<double> times = step_times(summary);
  if (times.empty()) return 0;
  return std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
}

double ms_p95(const RunSummary& summary) {
  std::vector<double> times = step_times(summary);
  if (times.empty()) return 0;
  std::sort(times.begin(), times.end());
  // The least time that 95 % of the steps do not exceed.
  return times[(times.size() * 95 + 99) / 100 - 1];
}

double real_time_factor(const RunSummary& summary) {
  const double mean = ms_mean(summary);
  return mean > 0 ? 1000 * summary.dt / mean : 0;
}

bool failed(const RunSummary& summary, const ExpectationResult& result) {
  if (result.reached) return !result.ok;
  return !summary.interrupted && !summary.cut_short;
}

bool all_expectations_hold(const RunSummary& summary) {
  return std::none_of(summary.expectations.begin(), summary.expectations.end(),
                      [&](const ExpectationResult& result) { return failed(summary, result); });
}

std::vector<std::pair<std::string, std::string>> summary_rows(const RunSummary& summary) {
  return {{"frames", fmt::format("{}", summary.steps.size())},
          {"simulated", fmt::format("{:.3f} s", summary.seconds)},
          {"ms per frame, mean", fmt::format("{:.3f}", ms_mean(summary))},
          {"ms per frame, 95th percentile", fmt::format("{:.3f}", ms_p95(summary))},
          {"times real time", fmt::format("{:.2f}", real_time_factor(summary))},
          {"threads", fmt::format("{}", summary.threads)},
          {"state hash", fmt::format("{:016x}", summary.state_hash)}};
}

std::vector<std::string> trouble_lines(const RunSummary& summary) {
  std::vector<std::string> lines;
  if (summary.frozen > 0) {
    lines.push_back(fmt::format("{} bodies went non-finite and were frozen: raise world.substeps",
                                summary.frozen));
  }
  if (summary.searched_again > 0) {
    lines.push_back(fmt::format(
        "bodies left their searched box {} times and were searched again: lower dt to save that",
        summary.searched_again));
  }
  if (summary.held_back > 0) {
    lines.push_back(fmt::format(
        "contacts would have let something through {} times and held it back: raise world.substeps",
        summary.held_back));
  }
  if (summary.tangled > 0) {
    lines.push_back(fmt::format(
        "cloth passes through cloth at the end, {} edges: begin without, or give the cloths layers",
        summary.tangled));
  }
  if (summary.parting > 0) {
    lines.push_back(fmt::format(
        "{} pairs of solids are in each other at the end: begin apart, or give them time",
        summary.parting));
  }
  lines.insert(lines.end(), summary.stiff.begin(), summary.stiff.end());
  if (summary.stiff_steps > 0 && summary.stiff.empty()) {
    lines.push_back("a solid is too stiff for the substep and acts softer: raise world.substeps");
  }
  return lines;
}

std::string summary_table(const RunSummary& summary) {
  std::string text =
      fmt::format("{}{}\n", summary.scene, summary.interrupted ? " (ended early)" : "");
  for (const auto& [name, value] : summary_rows(summary)) {
    text += fmt::format("  {:<30} {:>16}\n", name, value);
  }
  text += "  time by stage, ms per frame\n";
  const double total = std::accumulate(summary.stage_ms.begin(), summary.stage_ms.end(), 0.0);
  for (int i = 0; i < k_stage_count; ++i) {
    const double ms = summary.stage_ms[static_cast<std::size_t>(i)];
    text += fmt::format("    {:<28} {:>16.3f} {:>5.1f} %\n", stage_name(static_cast<Stage>(i)), ms,
                        total > 0 ? 100 * ms / total : 0.0);
  }
  for (const std::string& line : trouble_lines(summary)) text += "  warning: " + line + "\n";
  for (const ExpectationResult& result : summary.expectations) {
    const char* verdict = failed(summary, result) ? "FAILED" : result.reached ? "ok" : "-";
    text += fmt::format("  {:<6} {}\n", verdict, describe(result));
  }
  for (const std::string& path : summary.outputs) text += "  wrote " + path + "\n";
  return text;
}

nlohmann::json summary_json(const RunSummary& summary) {
  nlohmann::json stages = nlohmann::json::object();
  for (int i = 0; i < k_stage_count; ++i) {
    stages[std::string(stage_name(static_cast<Stage>(i)))] =
        summary.stage_ms[static_cast<std::size_t>(i)];
  }
  nlohmann::json expectations = nlohmann::json::array();
  for (const ExpectationResult& result : summary.expectations) {
    expectations.push_back(to_json(summary, result));
  }
  return {{"scene", summary.scene},
          {"frames", summary.steps.size()},
          {"seconds", summary.seconds},
          {"wall_seconds", summary.wall},
          {"ms_mean", ms_mean(summary)},
          {"ms_p95", ms_p95(summary)},
          {"real_time_factor", real_time_factor(summary)},
          {"threads", summary.threads},
          {"state_hash", fmt::format("{:016x}", summary.state_hash)},
          {"interrupted", summary.interrupted},
          {"stages", stages},
          {"expectations", expectations},
          {"warnings", trouble_lines(summary)},
          {"frozen", summary.frozen},
          {"searched_again", summary.searched_again},
          {"held_back", summary.held_back},
          {"tangled", summary.tangled},
          {"parting", summary.parting},
          {"outputs", summary.outputs}};
}

}  // namespace pliant::cli
