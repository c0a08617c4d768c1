#include <fmt/format.h>

#include "bench/engine.h"

namespace pliant::bench {
namespace {

class PliantEngine final : public BenchEngine {
 public:
  PliantEngine(const Scene& scene, SceneWorld world) : built_(std::move(world)) {
    for (const BodyDef& def : scene.bodies) bodies_.push_back(built_.bodies.at(def.name));
    for (const ClothDef& def : scene.cloths) cloths_.push_back(built_.cloths.at(def.name));
    for (const SolidDef& def : scene.solids) solids_.push_back(built_.solids.at(def.name));
  }

  void step(double dt) override { built_.world.step(dt); }

  void poses(std::vector<Transform>& out) const override {
    out.clear();
    for (const BodyId id : bodies_) out.push_back(built_.world.pose(id));
  }
  void cloth_positions(std::size_t cloth, std::vector<Vec3>& out) const override {
    built_.world.copy_positions(cloths_[cloth], out);
  }
  void solid_positions(std::size_t solid, std::vector<Vec3>& out) const override {
    built_.world.copy_positions(solids_[solid], out);
  }
  int substeps() const override { return built_.world.def().substeps; }
  int sweeps() const override { return built_.world.def().sweeps; }
  std::string settings() const override { return "as in the scene"; }
  const StepStats* stats() const override { return &built_.world.stats(); }
  Touched touched() const override {
    if (solids_.empty()) return {};
    if (built_.world.def().solid_contact == SolidContact::position) {
      const Measurements& m = built_.world.measurements();
      return {m.touching_vertices, m.touching_triangles};
    }
    return {built_.world.stats().overlap_vertices, built_.world.stats().overlap_triangles};
  }

 private:
  SceneWorld built_;
  std::vector<BodyId> bodies_;
  std::vector<ClothId> cloths_;
  std::vector<SolidId> solids_;
};

}  // namespace

EngineResult make_pliant_engine(const Scene& scene, int threads) {
  std::shared_ptr<TaskPool> pool;
  if (threads > 1) pool = make_task_pool(threads);
  Result<SceneWorld> world = build_world(scene, pool);
  if (!world) return world.error();
  return std::unique_ptr<BenchEngine>(
      std::make_unique<PliantEngine>(scene, std::move(world).value()));
}

}  // namespace pliant::bench
