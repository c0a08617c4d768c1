// What the benchmarks need of an engine: step, and give positions in the order of the scene's
// lists. Every engine is built from the same Scene, so that all do the same work.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pliant/scene.h>

namespace pliant::bench {

// Vertices and triangles of solids that are in something or, where solids meet by contacts, in
// loaded ones.
struct Touched {
  int vertices = 0, triangles = 0;
};

class BenchEngine {
 public:
  virtual ~BenchEngine() = default;
  virtual void step(double dt) = 0;
  virtual void poses(std::vector<Transform>& out) const = 0;
  virtual void cloth_positions(std::size_t cloth, std::vector<Vec3>& out) const = 0;
  virtual void solid_positions(std::size_t solid, std::vector<Vec3>& out) const = 0;
  virtual int substeps() const = 0;
  virtual int sweeps() const = 0;
  // What this engine was told beyond the scene, in a few words, for the printed table.
  virtual std::string settings() const = 0;
  virtual const StepStats* stats() const { return nullptr; }  // of the last step
  virtual Touched touched() const { return {}; }              // at its end
};

using EngineResult = Result<std::unique_ptr<BenchEngine>>;

// An Error where the scene or the number of threads is beyond the engine, or where the build lacks
// the peer's library.
EngineResult make_pliant_engine(const Scene& scene, int threads);
EngineResult make_bullet_engine(const Scene& scene, int threads);
EngineResult make_ode_engine(const Scene& scene, int threads);
// Bullet's finite elements.
EngineResult make_bullet_fem_engine(const Scene& scene, int threads);
// The inner loop alone, eight edges at a time and one by one; see engine_sweep.cpp.
EngineResult make_wide_sweep(const Scene& scene, int threads);
EngineResult make_single_sweep(const Scene& scene, int threads);
// The rotations of shape matching alone; see engine_rotations.cpp.
EngineResult make_rotation_loop(const Scene& scene, int threads);

}  // namespace pliant::bench
