// Adds the time of a scope to a stage's entry of StepStats.
#pragma once

#include <pliant/diagnostics.h>
#include <chrono>

namespace pliant {

class StageTimer {
 public:
  StageTimer(StepStats& stats, Stage stage)
      : ms_(stats.stage_ms[std::size_t(stage)]), begin_(std::chrono::steady_clock::now()) {}
  ~StageTimer() {
    ms_ += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_)
               .count();
  }
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  double& ms_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace pliant
