// The commands of the `pliant` program and their options. Each returns the exit code: 0 done, 1 the
// input was bad or an expectation failed; wrong usage (2) is found before they are called.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pliant::cli {

struct RunOptions {
  std::string scene;
  std::optional<double> seconds;     // s; the scene's own where absent
  std::string out;                   // directory of all outputs; empty = none
  int threads = 0;                   // 0 = the machine's number
  std::vector<std::string> set;      // overrides of scene values
  std::string record;                // recording, empty = DIR/recording.plr where there is `out`
  std::vector<std::string> formats;  // of exported frames: vtu, obj
  std::string scene_out;             // the final state as a scene; empty = not written
  bool render = false;               // a film too
  bool json = false;
};
int cmd_run(const RunOptions& options);

struct CheckOptions {
  std::vector<std::string> files;
  bool json = false;
};
int cmd_check(const CheckOptions& options);

struct RenderOptions {
  std::string input;   // scene or recording
  std::string output;  // .png or .mp4
  std::optional<double> at;
  int width = 1280;
  int height = 720;
  int threads = 0;
  std::vector<std::string> set;
};
int cmd_render(const RenderOptions& options);

struct BenchOptions {
  std::vector<std::string> names;    // of scenes or groups; empty = the first group
  std::vector<std::string> engines;  // empty = all
  std::vector<int> threads;          // empty = 1 and 2
  std::vector<int> frames;           // first measured, first not run; empty = 60 and 360
  int repeats = 3;                   // of which the fastest counts
  std::vector<std::string> set;
  bool json = false;
};
int cmd_bench(const BenchOptions& options);

struct ConvertOptions {
  std::string input, output;
};
int cmd_convert(const ConvertOptions& options);

struct InfoOptions {
  std::string file;  // empty = the build and the machine
};
int cmd_info(const InfoOptions& options);

}  // namespace pliant::cli
