// The rotations of shape matching alone: a step takes those of many matrices; nothing moves.
#include <fmt/format.h>

#include "bench/engine.h"
#include "bench/kernels/rotation_loop.h"

namespace pliant::bench {
namespace {

class RotationEngine final : public BenchEngine {
 public:
  explicit RotationEngine(const SolidDef& solid) : rest_(solid.tets.vertices) {}

  void step(double) override { loop_.run(); }

  void poses(std::vector<Transform>& out) const override { out.clear(); }
  void cloth_positions(std::size_t, std::vector<Vec3>& out) const override { out.clear(); }
  void solid_positions(std::size_t, std::vector<Vec3>& out) const override { out = rest_; }
  int substeps() const override { return 1; }
  int sweeps() const override { return 1; }
  std::string settings() const override {
    return fmt::format("{} times the rotations of 8 matrices", RotationLoop::k_groups);
  }

 private:
  RotationLoop loop_;
  std::vector<Vec3> rest_;
};

}  // namespace

EngineResult make_rotation_loop(const Scene& scene, int threads) {
  if (threads > 1) return Error{scene.name, "the rotations alone run on one thread"};
  if (scene.solids.size() != 1) return Error{scene.name, "the rotations alone are of one solid"};
  return std::unique_ptr<BenchEngine>(std::make_unique<RotationEngine>(scene.solids[0]));
}

}  // namespace pliant::bench
