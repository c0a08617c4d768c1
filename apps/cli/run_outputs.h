// The files that grow during a run: recording, frames for other programs, measurements. Whatever
// ends the run, what was written until then can be read.
#pragma once

#include <pliant/frame.h>
#include <pliant/record.h>
#include <pliant/scene.h>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/cli/run_summary.h"

namespace pliant::cli {

struct OutputPaths {
  std::string directory;  // empty = only the recording
  std::string recording;  // empty = none
  bool vtu = false;
  bool obj = false;
};

class RunOutputs {
 public:
  // Makes the directory and opens the files that grow.
  Status open(const OutputPaths& paths, const Scene& scene, const FrameLayout& layout);
  bool wants_frames() const { return writer_.has_value() || paths_.vtu || paths_.obj; }
  Status write_frame(const FrameLayout& layout, const Frame& frame);
  Status write_measurements(const StepRecord& step, const StepStats& stats);
  // Writes what only the end can complete, and adds the names of all files to `outputs`.
  Status close(std::vector<std::string>& outputs);

 private:
  Status open_csv(const Scene& scene);
  Status write_vtu(const FrameLayout& layout, const Frame& frame);
  Status write_collection();

  OutputPaths paths_;
  std::optional<FrameWriter> writer_;
  std::ofstream csv_;
  int frames_ = 0;
  std::vector<std::pair<double, std::string>> vtu_files_;
  std::chrono::steady_clock::time_point next_collection_{};
};

}  // namespace pliant::cli
