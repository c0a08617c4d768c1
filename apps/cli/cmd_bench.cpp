// `pliant bench`: times of the benchmark scenes, beside other engines where they are built in.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>

#include "apps/cli/commands.h"
#include "apps/cli/files.h"
#include "bench/bench.h"

namespace pliant::cli {
namespace {

// An unknown word is wrong usage; says what is accepted.
bool all_known(const std::vector<std::string>& words, const std::vector<std::string>& known,
               const char* what) {
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    std::string accepted;
    for (const std::string& name : known) accepted += " " + name;
    fmt::print(stderr, "pliant: there is no {} '{}'; accepted are{}\n", what, word, accepted);
    return false;
  }
  return true;
}

bool frames_are_two(const std::vector<int>& frames) {
  if (frames.empty() || (frames.size() == 2 && frames[0] < frames[1])) return true;
  fmt::print(stderr, "pliant: --frames takes two rising numbers with a comma, as 60,360\n");
  return false;
}

}  // namespace

int cmd_bench(const BenchOptions& options) {
  std::vector<std::string> names = bench::bench_scene_names();
  for (const std::string& group : bench::bench_group_names()) names.push_back(group);
  if (!all_known(options.names, names, "benchmark") ||
      !all_known(options.engines, bench::bench_engine_names(), "engine")) {
    return 2;
  }
  if (!frames_are_two(options.frames)) return 2;
  bench::BenchOptions bench;
  bench.scenes = options.names;
  bench.engines = options.engines;
  if (!options.threads.empty()) bench.threads = options.threads;
  if (!options.frames.empty()) {
    bench.first_frame = options.frames[0];
    bench.last_frame = options.frames[1];
  }
  bench.repeats = options.repeats;
  bench.overrides = options.set;
  bench.progress = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const Result<bench::BenchReport> report = bench::run_bench(bench);
  if (!report.ok()) return fail(report.error());
  fmt::print(options.json ? stderr : stdout, "{}", bench::bench_table(report.value()));
  if (options.json) fmt::print("{}\n", bench::bench_json(report.value()));
  return 0;
}

}  // namespace pliant::cli
