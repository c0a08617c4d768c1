// The `pliant` program: reads the command line and calls one command. Wrong usage ends with 2.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>

#include "apps/cli/commands.h"

namespace pliant::cli {
namespace {

constexpr int k_max_threads = 256;
constexpr int k_max_pixels = 8192;

using Command = std::function<int()>;

void add_set(CLI::App& command, std::vector<std::string>& set) {
  command.add_option("--set", set, "override a scene value: world.substeps=20 (repeatable)")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

void add_threads(CLI::App& command, int& threads) {
  command.add_option("--threads", threads, "threads; the machine's number where not given")
      ->check(CLI::Range(1, k_max_threads));
}

// Splits and checks the list of --export; an unknown word is wrong usage.
std::string check_formats(const std::string& word) {
  if (word == "vtu" || word == "obj") return {};
  if (word == "usd") return "usd cannot be written yet; accepted are vtu and obj";
  return fmt::format("'{}' is no frame format; accepted are vtu and obj", word);
}

void add_run(CLI::App& app, RunOptions& options, Command& chosen) {
  CLI::App& run = *app.add_subcommand("run", "simulate a scene and check its expectations");
  run.add_option("SCENE", options.scene, "scene file (.json)")->required();
  run.add_option("--seconds", options.seconds, "how long; the scene's own where not given")
      ->check(CLI::PositiveNumber);
  run.add_option("--out", options.out,
                 "directory for report.html, picture.png, measurements.csv and recording.plr");
  add_threads(run, options.threads);
  add_set(run, options.set);
  run.add_option("--record", options.record, "write all frames into this recording");
  run.add_option("--export", options.formats, "frames as vtu (with a .pvd) or obj, into --out")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Validator(check_formats, "vtu,obj"));
  run.add_flag("--render", options.render, "film.mp4 too, into --out");
  run.add_option("--scene-out", options.scene_out, "write the final state as a scene");
  run.add_flag("--json", options.json, "summary as JSON on standard output");
  run.callback([&] { chosen = [&] { return cmd_run(options); }; });
}

void add_check(CLI::App& app, CheckOptions& options, Command& chosen) {
  CLI::App& check = *app.add_subcommand("check", "every problem of scenes and meshes");
  check.add_option("FILE", options.files, "scenes and meshes")->required();
  check.add_flag("--json", options.json, "list of problems as JSON on standard output");
  check.callback([&] { chosen = [&] { return cmd_check(options); }; });
}

std::string check_picture(const std::string& path) {
  if (path.ends_with(".png") || path.ends_with(".mp4")) return {};
  return fmt::format("'{}' is neither .png nor .mp4", path);
}

std::string parse_size(const std::string& text, RenderOptions& options) {
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &options.width, &options.height, &rest) == 2 &&
      std::min(options.width, options.height) >= 16 &&
      std::max(options.width, options.height) <= k_max_pixels) {
    return {};
  }
  return fmt::format("'{}' is no size such as 1280x720, each from 16 to {}", text, k_max_pixels);
}

void add_render(CLI::App& app, RenderOptions& options, Command& chosen) {
  CLI::App& render = *app.add_subcommand("render", "a picture or a film of a scene or recording");
  render.add_option("SCENE|RECORDING", options.input, "scene (.json) or recording")->required();
  render.add_option("-o,--output", options.output, "picture.png or film.mp4")
      ->required()
      ->check(CLI::Validator(check_picture, ".png|.mp4"));
  render
      .add_option("--at", options.at,
                  "time of the picture; the start of a scene, the end of a recording otherwise")
      ->check(CLI::NonNegativeNumber);
  render
      .add_option_function<std::string>(
          "--size", [](const std::string&) {},
          "width and height in pixels; 1280x720 where not given")
      ->check(CLI::Validator([&](const std::string& text) { return parse_size(text, options); },
                             "WxH"));
  add_threads(render, options.threads);
  add_set(render, options.set);
  render.callback([&] { chosen = [&] { return cmd_render(options); }; });
}

void add_bench(CLI::App& app, BenchOptions& options, Command& chosen) {
  CLI::App& bench =
      *app.add_subcommand("bench", "time scenes, beside Bullet and ODE where built in");
  bench.add_option("NAME", options.names,
                   "scenes, or the groups first, cloth, rigid, solids, search and broad_phases; "
                   "first where none is named");
  bench
      .add_option("--engines", options.engines,
                  "pliant, bullet, ode, bullet_fem; all where not given")
      ->delimiter(',')
      ->allow_extra_args(false);
  bench.add_option("--threads", options.threads, "numbers of threads; 1,2 where not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(1, k_max_threads));
  bench.add_option("--repeats", options.repeats, "the fastest counts; 3 where not given")
      ->check(CLI::Range(1, 100));
  bench
      .add_option("--frames", options.frames,
                  "FIRST,LAST: the first measured and the first not run; 60,360 where not given")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::Range(0, 1000000));
  add_set(bench, options.set);
  bench.add_flag("--json", options.json, "rows as JSON on standard output");
  bench.callback([&] { chosen = [&] { return cmd_bench(options); }; });
}

void add_convert(CLI::App& app, ConvertOptions& options, Command& chosen) {
  CLI::App& convert = *app.add_subcommand("convert", "a mesh or scene into another format");
  convert.add_option("IN", options.input, "mesh or scene")->required();
  convert.add_option("OUT", options.output, "its extension says the format")->required();
  convert.callback([&] { chosen = [&] { return cmd_convert(options); }; });
}

void add_info(CLI::App& app, InfoOptions& options, Command& chosen) {
  CLI::App& info = *app.add_subcommand(
      "info", "what a scene, mesh or recording amounts to; without FILE the build and machine");
  info.add_option("FILE", options.file, "scene, mesh or recording");
  info.callback([&] { chosen = [&] { return cmd_info(options); }; });
}

int run_program(int argc, char** argv) {
  RunOptions run;
  CheckOptions check;
  RenderOptions render;
  BenchOptions bench;
  ConvertOptions convert;
  InfoOptions info;
  Command chosen;

  CLI::App app{"Pliant: rigid bodies, cloth and elastic solids in one world", "pliant"};
  app.set_version_flag("--version", "pliant " PLIANT_VERSION);
  app.require_subcommand(1);
  add_run(app, run, chosen);
  add_check(app, check, chosen);
  add_render(app, render, chosen);
  add_bench(app, bench, chosen);
  add_convert(app, convert, chosen);
  add_info(app, info, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return chosen();
}

}  // namespace
}  // namespace pliant::cli

int main(int argc, char** argv) {
  // A closed pipe (ffmpeg's, or `| head`) is an error of the write, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
  int code = 1;
  try {
    code = pliant::cli::run_program(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "pliant: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "pliant: {}\n", error.what());
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    std::fputs("pliant: standard output could not be written\n", stderr);
    return 1;
  }
  return code;
}
