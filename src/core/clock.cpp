#include <pliant/clock.h>

#include <algorithm>
#include <cmath>

namespace pliant {

int Clock::advance(double frame_seconds) {
  if (paused_ || !(frame_seconds > 0) || !(speed_ > 0)) return 0;
  pending_ += std::min(frame_seconds, longest_frame) * speed_;
  // Frames that are whole parts of a step come to a whole step, not to a hair less.
  const double due = std::floor(pending_ / step_ + 1e-9);
  pending_ = std::max(0.0, pending_ - due * step_);
  return int(due);
}

}  // namespace pliant
