// The benchmarks behind `pliant bench`: the same scenes under Pliant and, where they are installed,
// under Bullet and ODE, with their times and how well they did the work.
// Rules: sleeping off; every engine is built from the scene file; CPU time of the process for one
// thread, wall time for more; engines take turns, run by run; of the repeats the fastest counts.
// A run of more than k_long_run seconds is not repeated.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pliant/diagnostics.h>
#include <pliant/result.h>

#include "bench/quality.h"

namespace pliant::bench {

inline constexpr double k_long_run = 30;  // s

struct BenchOptions {
  std::vector<std::string> scenes;   // or groups of them; empty = the first of the groups
  std::vector<std::string> engines;  // empty = all of bench_engine_names()
  std::vector<int> threads{1, 2};
  int first_frame = 60;  // the frames before are not measured
  int last_frame = 360;  // the first frame that is not run
  int repeats = 3;
  std::vector<std::string> overrides;  // of scene values, as for load_scene
  std::string directory;               // of the scene files; empty = where the build found them
  std::function<void(const std::string&)> progress;  // called with one line before each run
};

// What a row is asked for.
struct Bar {
  std::string what;
  double value = 0;
  double limit = 0;
  bool at_least = true;                                                      // else at most
  bool holds() const { return at_least ? value >= limit : value <= limit; }  // a NaN does not
};

// What the stages of Pliant's step take, and how much overlaps in them, over the measured frames.
struct Phases {
  std::array<double, k_stage_count> ms{}, most_ms{};  // of a frame: in the mean, in the slowest
  std::array<double, k_overlap_phase_count> overlap_ms{}, overlap_most_ms{};
  // Of solids: in another or in a half-space, or under `position` in loaded contacts.
  double vertices_mean = 0, triangles_mean = 0;
  int vertices_max = 0, triangles_max = 0;
};

struct BenchRow {
  std::string scene;
  std::string engine;
  int threads = 1;
  double ms_mean = 0;  // of a frame
  double ms_p95 = 0;
  double ms_most = 0;
  int substeps = 1;
  int sweeps = 1;
  std::string settings;     // of the engine, beyond the scene's
  double times_bullet = 0;  // Bullet's ms_mean on one thread over this one; 0 = no such row
  Quality quality;
  int vertices = 0;     // of cloth and solids
  int tetrahedra = 0;   // of solids
  int first_frame = 0;  // measured
  int last_frame = 0;   // the first that is not run
  int repeats = 1;      // of which the fastest counts
  std::vector<Bar> bars;
  std::optional<Phases> phases;  // of the first run
};

struct BenchScene {
  std::string name;
  std::string work;  // masses, sizes, stiffness, damping and the rest, in one line
};

struct BenchReport {
  std::vector<BenchRow> rows;
  std::vector<BenchScene> scenes;
  std::vector<std::string> notes;  // rows that are not there, and why
};

std::vector<std::string> bench_scene_names();
std::vector<std::string> bench_group_names();
std::vector<std::string> bench_engine_names();

Result<BenchReport> run_bench(const BenchOptions& options);

std::string bench_table(const BenchReport& report);
// An array of rows; a quality that the scene does not have is left out.
std::string bench_json(const BenchReport& report);

}  // namespace pliant::bench
