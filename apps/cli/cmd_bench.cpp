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

}  // namespace

int cmd_bench(const BenchOptions& options) {
  if (!all_known(options.names, bench::bench_scene_names(), "benchmark") ||
      !all_known(options.engines, bench::bench_engine_names(), "engine")) {
    return 2;
  }
  bench::BenchOptions bench;
  bench.scenes = options.names;
  bench.engines = options.engines;
  if (!options.threads.empty()) bench.threads = options.threads;
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
