// The inner loop of a cloth alone: a step is one sweep over its edges, without gravity or motion.
#include <cmath>

#include <fmt/format.h>

#include "bench/engine.h"
#include "bench/kernels/edge_sweep.h"
#include "bench/topology.h"

namespace pliant::bench {
namespace {

class SweepEngine final : public BenchEngine {
 public:
  SweepEngine(const ClothDef& cloth, bool wide)
      : sweep_(placed_vertices(cloth), vertex_mass(cloth)), wide_(wide) {}

  void step(double) override { wide_ ? sweep_.run_wide() : sweep_.run_one_by_one(); }

  void poses(std::vector<Transform>& out) const override { out.clear(); }
  void cloth_positions(std::size_t, std::vector<Vec3>& out) const override {
    sweep_.positions(out);
  }
  void solid_positions(std::size_t, std::vector<Vec3>& out) const override { out.clear(); }
  int substeps() const override { return 1; }
  int sweeps() const override { return 1; }
  std::string settings() const override {
    return fmt::format("a sweep of {} edges, {} at a time", sweep_.edges(), wide_ ? 8 : 1);
  }

 private:
  static double vertex_mass(const ClothDef& cloth) {
    return cloth.areal_density * area(cloth.mesh) / double(cloth.mesh.vertices.size());
  }

  EdgeSweep sweep_;
  bool wide_;
};

EngineResult make(const Scene& scene, int threads, bool wide) {
  if (threads > 1) return Error{scene.name, "the sweep alone runs on one thread"};
  if (scene.cloths.size() != 1 || !scene.bodies.empty() || !scene.solids.empty())
    return Error{scene.name, "the sweep alone is of one cloth and nothing else"};
  const std::size_t count = scene.cloths[0].mesh.vertices.size();
  const auto n = std::size_t(std::lround(std::sqrt(double(count))));
  if (n < 2 || n * n != count) return Error{scene.name, "the sweep alone is of a square grid"};
  return std::unique_ptr<BenchEngine>(std::make_unique<SweepEngine>(scene.cloths[0], wide));
}

}  // namespace

EngineResult make_wide_sweep(const Scene& scene, int threads) { return make(scene, threads, true); }
EngineResult make_single_sweep(const Scene& scene, int threads) {
  return make(scene, threads, false);
}

}  // namespace pliant::bench
