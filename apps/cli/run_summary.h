// What a run amounted to: times, expectations and the table and JSON made of them.
#pragma once

#include <pliant/diagnostics.h>
#include <pliant/scene.h>

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace pliant::cli {

struct ExpectationResult {
  Expectation expectation;
  bool reached = false;
  bool ok = false;
  double value = 0;
  std::string message;  // why it could not be measured
};
// "ball height = 0.5012 at 5 s, expected 0.5 within 0.01"
std::string describe(const ExpectationResult& result);

// Everything that is kept of one step, for the plots and the table.
struct StepRecord {
  double ms = 0;  // wall time of the step
  Measurements measurements;
  std::vector<double> volume_ratios;  // of the scene's solids, in their order
  std::vector<double> stretches;      // of the scene's cloths
};

struct RunSummary {
  std::string scene;
  int threads = 0;
  double dt = 0;       // s
  double seconds = 0;  // s, simulated
  double wall = 0;     // s, of the simulation with its outputs
  bool interrupted = false;
  bool cut_short = false;  // the user asked for less than the scene's own time
  std::uint64_t state_hash = 0;
  std::array<double, k_stage_count> stage_ms{};  // mean per step
  std::vector<StepRecord> steps;
  std::vector<ExpectationResult> expectations;
  std::int64_t tangled = 0;  // edges of cloth through cloth, in the last step
  std::int64_t parting = 0;  // pairs of solids in each other, likewise
  std::int64_t frozen = 0, searched_again = 0, held_back = 0,
               stiff_steps = 0;      // trouble, summed over the steps
  std::vector<std::string> stiff;    // what solids act like that are too stiff for the substep
  std::vector<std::string> outputs;  // files that were written
};

double ms_mean(const RunSummary& summary);
double ms_p95(const RunSummary& summary);
double real_time_factor(const RunSummary& summary);
// An expectation that was missed counts as failed unless the user ended the run before it.
bool failed(const RunSummary& summary, const ExpectationResult& result);
bool all_expectations_hold(const RunSummary& summary);

std::string summary_table(const RunSummary& summary);
nlohmann::json summary_json(const RunSummary& summary);
// The rows of the table, for people: name and value.
std::vector<std::pair<std::string, std::string>> summary_rows(const RunSummary& summary);
std::vector<std::string> trouble_lines(const RunSummary& summary);

}  // namespace pliant::cli
