// Steps of equal length for a host whose frames are not: the same steps, whatever the frames.
#pragma once

namespace pliant {

// for (int n = clock.advance(frame_seconds); n > 0; --n) world.step(clock.step());
// then draw world.pose(id, clock.share()).
class Clock {
 public:
  explicit Clock(double step = 1.0 / 60, double speed = 1) : step_(step), speed_(speed) {}
  // Takes the time of a frame of the host (s) and returns how many steps are due. A frame longer
  // than `longest_frame` counts as that; while paused none counts.
  int advance(double frame_seconds);
  double step() const { return step_; }              // s
  double share() const { return pending_ / step_; }  // of a step, that is pending
  double speed() const { return speed_; }
  void set_speed(double speed) { speed_ = speed; }  // s of the world for a second of the host
  bool paused() const { return paused_; }
  void set_paused(bool paused) { paused_ = paused; }
  double longest_frame = 0.25;  // s

 private:
  double step_, speed_, pending_ = 0;
  bool paused_ = false;
};

}  // namespace pliant
