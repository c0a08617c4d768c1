// `pliant run`: simulates a scene, checks its expectations, writes what was asked for.
#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/cli/commands.h"
#include "apps/cli/derived.h"
#include "apps/cli/files.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/pictures.h"
#include "apps/cli/progress.h"
#include "apps/cli/report.h"
#include "apps/cli/run_outputs.h"
#include "apps/cli/run_summary.h"
#include "apps/cli/scene_input.h"

namespace pliant::cli {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

bool within_limits(const Expectation& e, double value) {
  if (!std::isfinite(value)) return false;
  if (e.near && !(std::abs(value - *e.near) <= e.within)) return false;
  if (e.min && !(value >= *e.min)) return false;
  if (e.max && !(value <= *e.max)) return false;
  return true;
}

// Measures the expectations whose time has come; the step nearest to it counts.
void check_expectations(const SceneWorld& world, double dt, bool at_end, RunSummary& summary) {
  for (ExpectationResult& result : summary.expectations) {
    const Expectation& e = result.expectation;
    const bool due = e.at < 0 ? at_end : world.world.time() >= e.at - dt / 2;
    if (result.reached || !due) continue;
    result.reached = true;
    const Result<double> value = measure(world, e.subject, e.quantity);
    if (value.ok()) {
      result.value = value.value();
      result.ok = within_limits(e, result.value);
    } else {
      result.message = value.error().text();
    }
  }
}

StepRecord take_step(LoadedScene& loaded, RunSummary& summary) {
  World& world = loaded.world.world;
  StepRecord record;
  const Clock::time_point begin = Clock::now();
  const StepReport report = world.step(loaded.scene.dt);
  record.ms = 1000 * seconds_since(begin);
  record.measurements = world.measurements();
  for (const SolidDef& solid : loaded.scene.solids) {
    const SolidId id = loaded.world.solids.at(solid.name);
    record.volume_ratios.push_back(world.volume(id) / world.rest_volume(id));
  }
  for (const ClothDef& cloth : loaded.scene.cloths) {
    record.stretches.push_back(world.stretch_max(loaded.world.cloths.at(cloth.name)));
  }
  for (std::size_t i = 0; i < k_stage_count; ++i) summary.stage_ms[i] += world.stats().stage_ms[i];
  summary.frozen += report.frozen;
  summary.searched_again += report.searched_again;
  summary.held_back += report.held_back;
  summary.tangled = report.tangled;
  summary.parting = report.parting;
  summary.stiff_steps += report.stiff_warning > 0 ? 1 : 0;
  return record;
}

// Steps until the end, Ctrl-C or an output that cannot be written.
Status simulate(LoadedScene& loaded, int steps, RunOutputs& outputs, RunSummary& summary) {
  World& world = loaded.world.world;
  const FrameLayout layout = world.frame_layout();
  const Clock::time_point begin = Clock::now();
  Frame frame;
  Status status = Done{};
  auto write_frame = [&] {
    if (!outputs.wants_frames()) return;
    world.capture(frame);
    status = outputs.write_frame(layout, frame);
  };
  write_frame();
  check_expectations(loaded.world, loaded.scene.dt, false, summary);
  Progress progress("simulate", steps);
  for (int i = 0; i < steps && status.ok(); ++i) {
    if (interrupted()) {
      summary.interrupted = true;
      break;
    }
    summary.steps.push_back(take_step(loaded, summary));
    status = outputs.write_measurements(summary.steps.back(), world.stats());
    if (status.ok()) write_frame();
    check_expectations(loaded.world, loaded.scene.dt, i + 1 == steps, summary);
    progress.update(
        i + 1, fmt::format("t {:.2f} s  {:.2f} ms/frame", world.time(), summary.steps.back().ms));
  }
  for (double& ms : summary.stage_ms) {
    ms /= static_cast<double>(std::max<std::size_t>(1, summary.steps.size()));
  }
  summary.seconds = world.time();
  summary.state_hash = world.state_hash();
  summary.wall = seconds_since(begin);
  return status;
}

// The directory of the outputs: the user's, or out/<scene> where a film or frames have no other.
OutputPaths output_paths(const RunOptions& options) {
  OutputPaths paths;
  paths.directory = options.out;
  for (const std::string& format : options.formats) {
    paths.vtu |= format == "vtu";
    paths.obj |= format == "obj";
  }
  if (paths.directory.empty() && (options.render || paths.vtu || paths.obj)) {
    paths.directory = (fs::path("out") / fs::path(options.scene).stem()).string();
  }
  paths.recording = options.record;
  if (paths.recording.empty() && !paths.directory.empty()) {
    paths.recording = (fs::path(paths.directory) / "recording.plr").string();
  }
  return paths;
}

Status write_pictures(const LoadedScene& loaded, const OutputPaths& paths, bool film,
                      RunSummary& summary, std::string& picture_bytes) {
  const fs::path directory(paths.directory);
  PictureSettings settings;
  settings.threads = summary.threads;
  settings.camera = loaded.scene.camera;
  const std::string picture = (directory / "picture.png").string();
  Frame frame;
  loaded.world.world.capture(frame);
  Status status = save_picture(picture, loaded.world.world.frame_layout(), frame, settings);
  if (!status.ok()) return status;
  summary.outputs.push_back(picture);
  if (Result<std::string> bytes = read_bytes(picture); bytes.ok()) picture_bytes = bytes.value();
  if (!film) return Done{};
  Result<FrameReader> recording = FrameReader::open(paths.recording);
  if (!recording.ok()) return recording.error();
  // A film is looked at in motion: half the size is enough, and four times as fast.
  settings.width /= 2;
  settings.height /= 2;
  const std::string path = (directory / "film.mp4").string();
  status = save_film(path, recording.value(), settings);
  if (status.ok()) summary.outputs.push_back(path);
  return status;
}

Status write_results(const RunOptions& options, const OutputPaths& paths, const LoadedScene& loaded,
                     RunSummary& summary) {
  if (!options.scene_out.empty()) {
    const Scene now = describe_world(loaded.world, loaded.scene);
    Status status = write_whole(options.scene_out, [&](const std::string& temporary) {
      return save_scene(temporary, now);
    });
    if (!status.ok()) return status;
    summary.outputs.push_back(options.scene_out);
  }
  if (paths.directory.empty()) return Done{};
  std::string picture;
  Status pictures =
      write_pictures(loaded, paths, options.render && !interrupted(), summary, picture);
  // The report is written also where a picture could not be.
  const std::string report = (fs::path(paths.directory) / "report.html").string();
  Status status = write_text(report, report_html(loaded.scene, summary, picture));
  if (!status.ok()) return status;
  summary.outputs.push_back(report);
  return pictures;
}

RunSummary begin_summary(const RunOptions& options, const Scene& scene, double seconds) {
  RunSummary summary;
  summary.scene = options.scene;
  summary.threads = options.threads > 0
                        ? options.threads
                        : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  summary.dt = scene.dt;
  summary.cut_short = seconds < scene.seconds;
  for (const Expectation& e : scene.expect)
    summary.expectations.push_back({e, false, false, 0, {}});
  for (const SolidDef& solid : scene.solids)
    if (std::optional<std::string> note = stiff_note(scene, solid))
      summary.stiff.push_back(std::move(*note));
  return summary;
}

nlohmann::json problems_json(const std::vector<Error>& problems) {
  nlohmann::json list = nlohmann::json::array();
  for (const Error& problem : problems) {
    list.push_back({{"place", problem.place}, {"message", problem.message}});
  }
  return {{"errors", list}};
}

// JSON owns standard output, people then read standard error.
void print_summary(const RunSummary& summary, const std::vector<Error>& errors, bool json) {
  fmt::print(json ? stderr : stdout, "{}", summary_table(summary));
  if (!json) return;
  nlohmann::json text = summary_json(summary);
  if (!errors.empty()) text.update(problems_json(errors));
  fmt::print("{}\n", text.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int cmd_run(const RunOptions& options) {
  std::vector<Error> errors;
  std::optional<LoadedScene> loaded =
      load_for_run(options.scene, options.set, options.threads, errors);
  if (!loaded) {
    if (options.json) fmt::print("{}\n", problems_json(errors).dump(2));
    return 1;
  }
  const double seconds = options.seconds.value_or(loaded->scene.seconds);
  RunSummary summary = begin_summary(options, loaded->scene, seconds);
  const OutputPaths paths = output_paths(options);
  RunOutputs outputs;
  const Status opened = outputs.open(paths, loaded->scene, loaded->world.world.frame_layout());
  if (!opened.ok()) {
    if (options.json) fmt::print("{}\n", problems_json({opened.error()}).dump(2));
    return fail(opened.error());
  }

  const InterruptGuard guard;
  Status status = simulate(*loaded, step_count(loaded->scene, seconds), outputs, summary);
  const Status closed = outputs.close(summary.outputs);
  if (status.ok()) status = closed;
  if (status.ok()) status = write_results(options, paths, *loaded, summary);
  if (!status.ok()) errors.push_back(status.error());
  print_summary(summary, errors, options.json);
  if (!status.ok()) return fail(status.error());
  return all_expectations_hold(summary) ? 0 : 1;
}

}  // namespace pliant::cli
