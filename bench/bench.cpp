#include "bench/bench.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "bench/work.h"

namespace pliant::bench {
namespace {

struct Benchmark {
  const char* name;
  Standing rule;
};
constexpr Benchmark k_benchmarks[] = {
    {"cloth64", Standing::in_place},   {"cloth128", Standing::in_place},
    {"softcubes", Standing::in_place}, {"pyramid", Standing::in_place},
    {"boxes", Standing::contained},    {"spheres", Standing::contained},
    {"mix", Standing::in_place},
};

struct EngineKind {
  const char* name;
  EngineResult (*make)(const Scene& scene, int threads);
};
constexpr EngineKind k_engines[] = {
    {"pliant", make_pliant_engine}, {"bullet", make_bullet_engine}, {"ode", make_ode_engine}};

const Benchmark* find_benchmark(const std::string& name) {
  for (const Benchmark& b : k_benchmarks)
    if (name == b.name) return &b;
  return nullptr;
}
const EngineKind* find_engine(const std::string& name) {
  for (const EngineKind& e : k_engines)
    if (name == e.name) return &e;
  return nullptr;
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

double now_ms(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

struct Timing {
  double mean = 0;  // ms
  double p95 = 0;   // ms
};

Timing timing_of(std::vector<double> frames) {
  if (frames.empty()) return {};
  double sum = 0;
  for (const double ms : frames) sum += ms;
  std::sort(frames.begin(), frames.end());
  const std::size_t rank = (frames.size() * 95 + 99) / 100;  // nearest rank
  return {sum / double(frames.size()), frames[rank - 1]};
}

// One run from the beginning; `meter` looks at every frame outside the timed part.
Timing run_once(BenchEngine& engine, const Scene& scene, const BenchOptions& options, int threads,
                QualityMeter* meter) {
  const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  std::vector<double> frames;
  for (int frame = 0; frame < options.last_frame; ++frame) {
    const bool measured = frame >= options.first_frame;
    const double before = now_ms(clock);
    engine.step(scene.dt);
    const double after = now_ms(clock);
    if (measured) frames.push_back(after - before);
    if (meter) meter->sample(engine, measured);
  }
  return timing_of(std::move(frames));
}

struct Contest {
  const BenchOptions& options;
  const Scene& scene;
  Standing rule;
  BenchReport& report;
};

void add_note(BenchReport& report, std::string note) {
  if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
    report.notes.push_back(std::move(note));
}

// All engines on one scene with one number of threads, taking turns.
void run_contest(const Contest& contest, const std::vector<const EngineKind*>& engines,
                 int threads) {
  std::vector<BenchRow> rows(engines.size());
  for (int repeat = 0; repeat < contest.options.repeats; ++repeat) {
    for (std::size_t i = 0; i < engines.size(); ++i) {
      BenchRow& row = rows[i];
      if (repeat > 0 && row.engine.empty()) continue;  // refused
      EngineResult made = engines[i]->make(contest.scene, threads);
      if (!made) {
        add_note(contest.report, fmt::format("{} is left out where it cannot run: {}",
                                             engines[i]->name, made.error().message));
        continue;
      }
      if (contest.options.progress)
        contest.options.progress(
            fmt::format("{}: {}, {} thread{}, run {} of {}", contest.scene.name, engines[i]->name,
                        threads, threads == 1 ? "" : "s", repeat + 1, contest.options.repeats));
      BenchEngine& engine = *made.value();
      QualityMeter meter(contest.scene, contest.rule);
      const Timing timing =
          run_once(engine, contest.scene, contest.options, threads, repeat == 0 ? &meter : nullptr);
      if (repeat == 0) {
        row = {contest.scene.name,  engines[i]->name,  threads,
               timing.mean,         timing.p95,        engine.substeps(),
               engine.sweeps(),     engine.settings(), 0,
               meter.result(engine)};
      } else if (timing.mean < row.ms_mean) {
        row.ms_mean = timing.mean;
        row.ms_p95 = timing.p95;
      }
    }
  }
  for (BenchRow& row : rows)
    if (!row.engine.empty()) contest.report.rows.push_back(std::move(row));
}

void compare_with_bullet(BenchReport& report) {
  for (BenchRow& row : report.rows)
    for (const BenchRow& other : report.rows)
      if (other.scene == row.scene && other.engine == "bullet" && other.threads == 1 &&
          row.ms_mean > 0)
        row.times_bullet = other.ms_mean / row.ms_mean;
}

Result<Scene> load(const std::string& name, const BenchOptions& options) {
  const std::string directory = options.directory.empty() ? PLIANT_BENCH_SCENES : options.directory;
  SceneProblems problems;
  std::optional<Scene> scene =
      load_scene(directory + "/" + name + ".json", options.overrides, problems);
  if (!scene) {
    if (problems.errors.empty()) return Error{name, "the scene could not be read"};
    return problems.errors.front();
  }
  scene->name = name;
  scene->world.sleep = false;
  for (const BodyDef& body : scene->bodies)
    if (!has_depth(body.shape))
      return Error{name + ": " + body.name, "capsules cannot be measured here"};
  return std::move(*scene);
}

}  // namespace

std::vector<std::string> bench_scene_names() {
  std::vector<std::string> names;
  for (const Benchmark& b : k_benchmarks) names.push_back(b.name);
  return names;
}

std::vector<std::string> bench_engine_names() {
  std::vector<std::string> names;
  for (const EngineKind& e : k_engines) names.push_back(e.name);
  return names;
}

namespace {

std::optional<Error> wrong_options(const BenchOptions& options) {
  for (const std::string& name : options.scenes)
    if (!find_benchmark(name))
      return Error{"bench", fmt::format("no benchmark \"{}\"; there are {}", name,
                                        joined(bench_scene_names()))};
  for (const std::string& name : options.engines)
    if (!find_engine(name))
      return Error{"bench", fmt::format("no engine \"{}\"; there are {}", name,
                                        joined(bench_engine_names()))};
  for (const int threads : options.threads)
    if (threads < 1)
      return Error{"bench", fmt::format("found {} threads; at least 1 is accepted", threads)};
  if (options.repeats < 1 || options.first_frame < 0 || options.last_frame <= options.first_frame)
    return Error{"bench", fmt::format("found {} repeats of frames {} to {}; at least one of each "
                                      "is accepted",
                                      options.repeats, options.first_frame, options.last_frame)};
  return std::nullopt;
}

}  // namespace

Result<BenchReport> run_bench(const BenchOptions& options) {
  if (const auto error = wrong_options(options)) return *error;
  const auto scenes = options.scenes.empty() ? bench_scene_names() : options.scenes;
  std::vector<const EngineKind*> engines;
  for (const std::string& name : options.engines.empty() ? bench_engine_names() : options.engines)
    engines.push_back(find_engine(name));
  BenchReport report;
  for (const std::string& name : scenes) {
    Result<Scene> scene = load(name, options);
    if (!scene) return scene.error();
    report.scenes.push_back({name, describe_work(scene.value())});
    const Contest contest{options, scene.value(), find_benchmark(name)->rule, report};
    for (const int threads : options.threads) run_contest(contest, engines, threads);
  }
  compare_with_bullet(report);
  return report;
}

}  // namespace pliant::bench
