// Bullet's deformable bodies as a peer: neo-Hookean tetrahedra, implicit, in a
// btDeformableMultiBodyDynamicsWorld. Without contact: between such bodies and a floor it either
// let them through (nodes) or threw them about (faces).
#include "bench/engine.h"

#ifdef PLIANT_HAVE_BULLET

#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>

#include <fmt/format.h>

#include "bench/peer_bullet_soft.h"
#include "bench/topology.h"

namespace pliant::bench {
namespace {

constexpr double k_steps = 240;    // per second: as in Bullet's own examples of such bodies
constexpr double k_damping = .01;  // of the Lame parameters, likewise

class BulletFemEngine final : public BenchEngine {
 public:
  explicit BulletFemEngine(const Scene& scene) {
    world_.setGravity(to_bullet(scene.world.gravity));
    btSoftBodyWorldInfo& info = world_.getWorldInfo();
    info.m_gravity = to_bullet(scene.world.gravity);
    info.m_sparsesdf.setDefaultVoxelsz(btScalar(0.25));
    info.m_sparsesdf.Reset();
    world_.setImplicit(true);
    world_.setLineSearch(false);
    world_.setUseProjection(true);
    for (const SolidDef& def : scene.solids) add(def, scene.world.gravity);
    substeps_ = int(std::lround(scene.dt * k_steps));
  }
  ~BulletFemEngine() override {
    for (auto& body : solids_) world_.removeSoftBody(body.get());
  }

  void step(double dt) override {
    world_.stepSimulation(btScalar(dt), substeps_, btScalar(dt / substeps_));
  }
  void poses(std::vector<Transform>& out) const override { out.clear(); }
  void cloth_positions(std::size_t, std::vector<Vec3>& out) const override { out.clear(); }
  void solid_positions(std::size_t solid, std::vector<Vec3>& out) const override {
    copy_nodes(*solids_[solid], out);
  }
  int substeps() const override { return substeps_; }
  int sweeps() const override { return 1; }
  std::string settings() const override {
    return fmt::format("neo-Hookean elements, implicit, {:.0f} steps a second", k_steps);
  }

 private:
  void add(const SolidDef& def, const Vec3& gravity) {
    auto body = std::make_unique<btSoftBody>(&world_.getWorldInfo());
    body->appendMaterial();
    const std::vector<Vec3> x = placed_vertices(def);
    const std::vector<double> masses = lumped_masses(def);
    for (std::size_t i = 0; i < x.size(); ++i)
      body->appendNode(to_bullet(x[i]), btScalar(masses[i]));
    for (const Tetrahedron& t : def.tets.tetrahedra)
      body->appendTetra(t[0], t[1], t[2], t[3], body->m_materials[0]);
    // Its trees of nodes are made along the links, which have no force.
    for (const Edge& e : unique_edges(def.tets.tetrahedra))
      body->appendLink(e[0], e[1], body->m_materials[0]);
    btSoftBodyHelpers::generateBoundaryFaces(body.get());
    body->initializeDmInverse();
    body->m_tetraScratches.resize(body->m_tetras.size());
    body->m_tetraScratchesTn.resize(body->m_tetras.size());
    body->getCollisionShape()->setMargin(btScalar(k_soft_margin));
    for (const Pin& pin : def.pins)
      for (const std::int32_t v : pin.vertices) body->setMass(v, 0);
    body->m_cfg.collisions = 0;
    body->m_sleepingThreshold = 0;
    body->setActivationState(DISABLE_DEACTIVATION);
    world_.addSoftBody(body.get());
    const double e = def.youngs_modulus, nu = def.poisson_ratio;
    elastic_.push_back(std::make_unique<btDeformableNeoHookeanForce>(
        btScalar(e / (2 * (1 + nu))), btScalar(e * nu / ((1 + nu) * (1 - 2 * nu))),
        btScalar(k_damping)));
    weight_.push_back(std::make_unique<btDeformableGravityForce>(to_bullet(gravity)));
    world_.addForce(body.get(), elastic_.back().get());
    world_.addForce(body.get(), weight_.back().get());
    solids_.push_back(std::move(body));
  }

  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btDeformableBodySolver deformable_solver_;
  struct Solver : btDeformableMultiBodyConstraintSolver {
    explicit Solver(btDeformableBodySolver& solver) { setDeformableSolver(&solver); }
  } solver_{deformable_solver_};
  std::vector<std::unique_ptr<btSoftBody>> solids_;
  std::vector<std::unique_ptr<btDeformableNeoHookeanForce>> elastic_;
  std::vector<std::unique_ptr<btDeformableGravityForce>> weight_;
  btDeformableMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_,
                                            &deformable_solver_};
  int substeps_ = 4;
};

}  // namespace

EngineResult make_bullet_fem_engine(const Scene& scene, int threads) {
  if (threads > 1) return Error{scene.name, "Bullet is compared on one thread only"};
  if (!scene.bodies.empty() || !scene.cloths.empty())
    return Error{scene.name, "only solids by themselves are built for Bullet's elements"};
  for (const SolidDef& def : scene.solids)
    if (def.tets.vertices.empty())
      return Error{scene.name, "a solid given by its surface is not built for Bullet"};
  return std::unique_ptr<BenchEngine>(std::make_unique<BulletFemEngine>(scene));
}

}  // namespace pliant::bench

#else

namespace pliant::bench {

EngineResult make_bullet_fem_engine(const Scene& scene, int) {
  return Error{scene.name, "built without Bullet (Debian package libbullet-dev)"};
}

}  // namespace pliant::bench

#endif
