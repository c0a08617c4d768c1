#include "bench/bench.h"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

#include "bench/bars.h"
#include "bench/catalogue.h"
#include "bench/work.h"

namespace pliant::bench {
namespace {

struct EngineKind {
  const char* name;
  EngineResult (*make)(const Scene& scene, int threads);
};
constexpr EngineKind k_engines[] = {{"pliant", make_pliant_engine},
                                    {"bullet", make_bullet_engine},
                                    {"ode", make_ode_engine},
                                    {"bullet_fem", make_bullet_fem_engine}};

const EngineKind* find_engine(const std::string& name) {
  for (const EngineKind& e : k_engines)
    if (name == e.name) return &e;
  return nullptr;
}
constexpr EngineKind k_rotations[] = {{"pliant", make_rotation_loop}};
constexpr EngineKind k_sweeps[] = {{"pliant", make_wide_sweep}, {"scalar", make_single_sweep}};

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
  double most = 0;  // ms
};

Timing timing_of(std::vector<double> frames) {
  if (frames.empty()) return {};
  double sum = 0;
  for (const double ms : frames) sum += ms;
  std::sort(frames.begin(), frames.end());
  const std::size_t rank = (frames.size() * 95 + 99) / 100;  // nearest rank
  return {sum / double(frames.size()), frames[rank - 1], frames.back()};
}

struct Frames {
  int first = 0;  // measured
  int last = 0;   // the first that is not run
};

Frames frames_of(const Benchmark& benchmark, const BenchOptions& options) {
  const BenchOptions usual;
  const bool asked =
      options.first_frame != usual.first_frame || options.last_frame != usual.last_frame;
  if (benchmark.minutes > 0 && !asked) return {0, 3600 * benchmark.minutes};
  const bool shorter = benchmark.last_frame > options.first_frame;
  return {options.first_frame,
          shorter ? std::min(benchmark.last_frame, options.last_frame) : options.last_frame};
}

template <std::size_t N>
void add_times(const std::array<double, N>& ms, int frames, std::array<double, N>& mean,
               std::array<double, N>& most) {
  for (std::size_t k = 0; k < N; ++k) {
    mean[k] += ms[k] / frames;
    most[k] = std::max(most[k], ms[k]);
  }
}

void add_phases(const StepStats& stats, const Touched& touched, int frames, Phases& phases) {
  add_times(stats.stage_ms, frames, phases.ms, phases.most_ms);
  add_times(stats.overlap_ms, frames, phases.overlap_ms, phases.overlap_most_ms);
  phases.vertices_mean += double(touched.vertices) / frames;
  phases.triangles_mean += double(touched.triangles) / frames;
  phases.vertices_max = std::max(phases.vertices_max, touched.vertices);
  phases.triangles_max = std::max(phases.triangles_max, touched.triangles);
}

// One run from the beginning; `meter` looks at every frame outside the timed part.
Timing run_once(BenchEngine& engine, double dt, const Frames& run, int threads, QualityMeter* meter,
                Phases& phases) {
  const clockid_t clock = threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  std::vector<double> frames;
  for (int frame = 0; frame < run.last; ++frame) {
    const bool measured = frame >= run.first;
    const double before = now_ms(clock);
    engine.step(dt);
    const double after = now_ms(clock);
    if (measured) frames.push_back(after - before);
    if (meter) meter->sample(engine, measured);
    if (measured && engine.stats())
      add_phases(*engine.stats(), engine.touched(), run.last - run.first, phases);
  }
  return timing_of(std::move(frames));
}

void add_note(BenchReport& report, std::string note) {
  if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
    report.notes.push_back(std::move(note));
}

// One engine on one scene.
struct Entry {
  const Scene* scene;
  const Benchmark* benchmark;
  const EngineKind* engine;
};

// Those that take turns.
struct Contest {
  const BenchOptions& options;
  std::vector<Entry> entries;
  BenchReport& report;
};

int vertices_of(const Scene& scene) {
  std::size_t sum = 0;
  for (const ClothDef& cloth : scene.cloths) sum += cloth.mesh.vertices.size();
  for (const SolidDef& solid : scene.solids)
    sum += solid.tets.vertices.empty() ? solid.mesh.vertices.size() : solid.tets.vertices.size();
  return int(sum);
}

int tetrahedra_of(const Scene& scene) {
  std::size_t sum = 0;
  for (const SolidDef& solid : scene.solids) sum += solid.tets.tetrahedra.size();
  return int(sum);
}

// Puts one more run of an entry into its row; an empty row is an engine that refused.
void run_entry(const Contest& contest, const Entry& entry, int threads, int repeat, BenchRow& row) {
  const BenchOptions& options = contest.options;
  EngineResult made = entry.engine->make(*entry.scene, threads);
  if (!made) {
    add_note(contest.report, fmt::format("{} is left out where it cannot run: {}",
                                         entry.engine->name, made.error().message));
    return;
  }
  if (options.progress)
    options.progress(fmt::format("{}: {}, {} thread{}, run {} of {}", entry.scene->name,
                                 entry.engine->name, threads, threads == 1 ? "" : "s", repeat + 1,
                                 std::max(options.repeats, entry.benchmark->repeats)));
  BenchEngine& engine = *made.value();
  const Frames frames = frames_of(*entry.benchmark, options);
  QualityMeter meter(*entry.scene, entry.benchmark->rule);
  Phases phases;
  const Timing timing =
      run_once(engine, entry.scene->dt, frames, threads, repeat == 0 ? &meter : nullptr, phases);
  if (repeat == 0)
    row = {.scene = entry.scene->name,
           .engine = entry.engine->name,
           .threads = threads,
           .ms_mean = timing.mean,
           .ms_p95 = timing.p95,
           .ms_most = timing.most,
           .substeps = engine.substeps(),
           .sweeps = engine.sweeps(),
           .settings = engine.settings(),
           .times_bullet = 0,
           .quality = meter.result(engine),
           .vertices = vertices_of(*entry.scene),
           .tetrahedra = tetrahedra_of(*entry.scene),
           .first_frame = frames.first,
           .last_frame = frames.last,
           .repeats = 1,
           .bars = {},
           .phases = engine.stats() ? std::optional(phases) : std::nullopt};
  if (repeat == 0 && entry.benchmark->stands) {
    std::vector<Vec3> positions;
    engine.solid_positions(0, positions);
    row.quality.sag = sag_of(entry.scene->solids.front(), positions);
  }
  row.repeats = repeat + 1;
  if (timing.mean < row.ms_mean) {
    row.ms_mean = timing.mean;
    row.ms_p95 = timing.p95;
    row.ms_most = timing.most;
  }
}

bool is_loop(const Benchmark& benchmark) { return benchmark.sweep || benchmark.rotations; }

// All entries with one number of threads.
void run_contest(const Contest& contest, int threads) {
  std::vector<BenchRow> rows(contest.entries.size());
  std::vector<char> done(rows.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    done[i] = is_loop(*contest.entries[i].benchmark) && threads > 1;  // it has one thread
  const auto repeats_of = [&](const Entry& entry) {
    return std::max(contest.options.repeats, entry.benchmark->repeats);
  };
  int most = 0;
  for (const Entry& entry : contest.entries) most = std::max(most, repeats_of(entry));
  for (int repeat = 0; repeat < most; ++repeat)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (done[i] || repeat >= repeats_of(contest.entries[i])) continue;
      const double before = now_ms(CLOCK_MONOTONIC);
      run_entry(contest, contest.entries[i], threads, repeat, rows[i]);
      done[i] = rows[i].engine.empty() || now_ms(CLOCK_MONOTONIC) - before > 1e3 * k_long_run;
    }
  for (BenchRow& row : rows)
    if (!row.engine.empty()) contest.report.rows.push_back(std::move(row));
}

Result<Scene> load(const Benchmark& benchmark, const BenchOptions& options) {
  const std::string directory = options.directory.empty() ? PLIANT_BENCH_SCENES : options.directory;
  std::vector<std::string> overrides = benchmark.overrides;
  overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
  SceneProblems problems;
  std::optional<Scene> scene =
      load_scene(directory + "/" + benchmark.file + ".json", overrides, problems);
  if (!scene) {
    if (problems.errors.empty()) return Error{benchmark.name, "the scene could not be read"};
    return problems.errors.front();
  }
  scene->name = benchmark.name;
  scene->world.sleep = benchmark.sleep;
  make_copies(benchmark.copies, *scene);
  if (benchmark.shell[0] > 0) set_shell(benchmark.shell, scene->solids.at(0));
  for (const BodyDef& body : scene->bodies)
    if (!has_depth(body.shape))
      return Error{
          benchmark.name + ": " + body.name,
          "only spheres, boxes, capsules, rectangles, hulls, meshes and half-spaces can be "
          "measured here"};
  return std::move(*scene);
}

}  // namespace

std::vector<std::string> bench_scene_names() {
  std::vector<std::string> names;
  for (const Benchmark& b : all_benchmarks()) names.push_back(b.name);
  return names;
}

std::vector<std::string> bench_group_names() {
  std::vector<std::string> names;
  for (const BenchGroup& g : all_groups()) names.push_back(g.name);
  return names;
}

std::vector<std::string> bench_engine_names() {
  std::vector<std::string> names;
  for (const EngineKind& e : k_engines) names.push_back(e.name);
  return names;
}

namespace {

std::optional<Error> wrong_options(const BenchOptions& options) {
  for (const std::string& name : expand_groups(options.scenes))
    if (!find_benchmark(name))
      return Error{"bench",
                   fmt::format("no benchmark \"{}\"; there are {}, and the groups {}", name,
                               joined(bench_scene_names()), joined(bench_group_names()))};
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

bool named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool runs(const Benchmark& benchmark, const std::string& engine) {
  if (engine == "pliant") return true;
  return benchmark.peers && (engine == "bullet_fem") == benchmark.elements;
}

// Which engines run a benchmark that was asked for.
std::vector<const EngineKind*> engines_of(const Benchmark& benchmark, const BenchOptions& options) {
  std::vector<const EngineKind*> out;
  if (benchmark.sweep) {
    for (const EngineKind& kind : k_sweeps) out.push_back(&kind);
    return out;
  }
  if (benchmark.rotations) return {&k_rotations[0]};
  for (const std::string& name : options.engines.empty() ? bench_engine_names() : options.engines)
    if (runs(benchmark, name)) out.push_back(find_engine(name));
  return out;
}

// A benchmark and the scene that it loads.
struct Loaded {
  const Benchmark* benchmark;
  Scene scene;
  std::vector<const EngineKind*> engines;
};

// What is asked for and, where it is not among them, what it is measured against: under Bullet.
Result<std::vector<Loaded>> load_all(const BenchOptions& options) {
  std::vector<Loaded> out;
  const auto add = [&](const std::string& name, std::vector<const EngineKind*> engines) {
    const Benchmark& benchmark = *find_benchmark(name);
    Result<Scene> scene = load(benchmark, options);
    if (!scene) return std::optional<Error>(scene.error());
    out.push_back({&benchmark, std::move(scene).value(), std::move(engines)});
    return std::optional<Error>();
  };
  const auto names =
      expand_groups(options.scenes.empty() ? all_groups().front().members : options.scenes);
  std::vector<std::string> added = names;
  for (const std::string& name : names) {
    const Benchmark& benchmark = *find_benchmark(name);
    if (const auto error = add(name, engines_of(benchmark, options))) return *error;
    const std::string& reference = benchmark.reference;
    if (reference.empty() || named(added, reference)) continue;
    added.push_back(reference);
    if (!options.engines.empty() && !named(options.engines, "bullet")) continue;
    if (const auto error = add(reference, {find_engine("bullet")})) return *error;
  }
  return out;
}

}  // namespace

Result<BenchReport> run_bench(const BenchOptions& options) {
  if (const auto error = wrong_options(options)) return *error;
  const Result<std::vector<Loaded>> loaded = load_all(options);
  if (!loaded) return loaded.error();
  BenchReport report;
  std::vector<std::string> turns;
  for (const Loaded& l : loaded.value()) {
    report.scenes.push_back({l.scene.name, describe_work(l.scene)});
    if (!named(turns, l.benchmark->turn)) turns.push_back(l.benchmark->turn);
  }
  for (const std::string& turn : turns) {
    Contest contest{options, {}, report};
    for (const Loaded& l : loaded.value())
      for (const EngineKind* engine : l.engines)
        if (l.benchmark->turn == turn) contest.entries.push_back({&l.scene, l.benchmark, engine});
    for (const int threads : options.threads) run_contest(contest, threads);
  }
  compare_rows(report);
  return report;
}

}  // namespace pliant::bench
