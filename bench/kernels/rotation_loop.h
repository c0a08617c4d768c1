// The rotations of shape matching alone: of random matrices, eight clusters at a time, by the
// kernel that the engine runs.
#pragma once

#include <array>
#include <memory>

namespace pliant::bench {

class RotationLoop {
 public:
  // How many times a run takes the rotations of eight matrices: sums of moments of bodies that are
  // turned anyhow and stretched by up to a half; every tenth is flat, every tenth mirrored.
  static constexpr int k_groups = 1000;

  RotationLoop();
  ~RotationLoop();
  void run();
  // The matrix of a lane of a group and the rotation that the last run found, row by row.
  std::array<double, 9> matrix(int group, int lane) const;
  std::array<double, 9> rotation(int group, int lane) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant::bench
