// Adds the time of a scope to an entry of StepStats, in ms.
#pragma once

#include <chrono>

namespace pliant {

class StageTimer {
 public:
  explicit StageTimer(double& ms) : ms_(ms), begin_(std::chrono::steady_clock::now()) {}
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
