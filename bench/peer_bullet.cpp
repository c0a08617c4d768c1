// Bullet as a peer: rigid bodies and soft bodies in one btSoftRigidDynamicsWorld, or in a plain
// btDiscreteDynamicsWorld where the scene has no deformable. Debian's build of Bullet is single
// precision and has no task scheduler, so more than one thread is refused.
#include "bench/engine.h"

#ifdef PLIANT_HAVE_BULLET

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "bench/peer_bullet_soft.h"
#include "bench/topology.h"

namespace pliant::bench {
namespace {

constexpr int k_rigid_iterations = 10;  // Bullet's own default
// m, of the grid by which nodes find rigid shapes; with the default of 0.25 a cloth sinks 65 mm
// into boxes of 0.2 m, with this 15 mm.
constexpr double k_voxel = 0.03;
constexpr double k_thin = 0.01;  // m, half of the thickness of a rectangle

btTransform placement(const Vec3& position, const Quat& q) {
  return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                     to_bullet(position));
}

std::unique_ptr<btCollisionShape> make_shape(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape))
    return std::make_unique<btSphereShape>(btScalar(s->radius));
  if (const auto* b = std::get_if<Box>(&shape))
    return std::make_unique<btBoxShape>(to_bullet(b->half));
  if (const auto* c = std::get_if<Capsule>(&shape))
    return std::make_unique<btCapsuleShape>(btScalar(c->radius), btScalar(2 * c->half_height));
  if (const auto* h = std::get_if<Hull>(&shape)) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const Vec3& p : h->points) hull->addPoint(to_bullet(p), false);
    hull->recalcLocalAabb();
    return hull;
  }
  if (const auto* r = std::get_if<Rectangle>(&shape))  // as thin as its collision margin
    return std::make_unique<btBoxShape>(
        btVector3(btScalar(r->half_x), btScalar(k_thin), btScalar(r->half_z)));
  return nullptr;
}

// A moving mesh is one of its GImpact library.
struct BulletMesh {
  btTriangleMesh triangles;
  std::unique_ptr<btGImpactMeshShape> shape;
};
std::unique_ptr<BulletMesh> make_mesh(const TriMesh& mesh) {
  auto out = std::make_unique<BulletMesh>();
  for (const Triangle& t : mesh.triangles)
    out->triangles.addTriangle(to_bullet(mesh.vertices[std::size_t(t[0])]),
                               to_bullet(mesh.vertices[std::size_t(t[1])]),
                               to_bullet(mesh.vertices[std::size_t(t[2])]));
  out->shape = std::make_unique<btGImpactMeshShape>(&out->triangles);
  out->shape->updateBound();
  return out;
}

// A half-space becomes a large box with its top face in the plane: clusters meet convex shapes
// only, and boxes lie better and faster on a box than on Bullet's plane, which finds one point at a
// time.
BodyDef as_box(const BodyDef& half_space, double size) {
  const Vec3 half{size, 5, size};
  BodyDef def = half_space;
  def.shape = Box{half};
  def.position = def.position - rotate(def.rotation, Vec3{0, half.y, 0});
  return def;
}

// m, to each side: under everything that there is.
double floor_size(const Scene& scene) {
  double size = 20;
  for (const BodyDef& def : scene.bodies)
    size = std::max({size, std::abs(def.position.x) + 5, std::abs(def.position.z) + 5});
  return size;
}

// Same numbers as the scene's: mass or density, and a damping that decays like exp(-drag t).
std::unique_ptr<btRigidBody> make_body(const BodyDef& def, btCollisionShape& shape, bool has_soft) {
  const double mass = def.motion == Motion::dynamic ? body_mass(def) : 0;
  btVector3 inertia(0, 0, 0);
  if (mass > 0) shape.calculateLocalInertia(btScalar(mass), inertia);
  if (mass > 0 && length(def.inertia) > 0) inertia = to_bullet(def.inertia);
  btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, &shape, inertia);
  info.m_startWorldTransform = placement(def.position, def.rotation);
  // Bullet multiplies the two frictions; the scene takes the root of the product.
  info.m_friction = btScalar(std::sqrt(def.surface.friction_kinetic));
  info.m_restitution = btScalar(def.surface.restitution);
  info.m_linearDamping = btScalar(1 - std::exp(-def.linear_drag));
  info.m_angularDamping = btScalar(1 - std::exp(-def.angular_drag));
  if (has_soft) shape.setMargin(btScalar(k_soft_margin));
  auto body = std::make_unique<btRigidBody>(info);
  body->setLinearVelocity(to_bullet(def.velocity));
  body->setAngularVelocity(to_bullet(def.angular_velocity));
  body->setActivationState(DISABLE_DEACTIVATION);
  return body;
}

class BulletEngine final : public BenchEngine {
 public:
  explicit BulletEngine(const Scene& scene) : sweeps_(k_rigid_iterations) {
    has_soft_ = !scene.cloths.empty() || !scene.solids.empty();
    make_world(scene.world);
    for (const BodyDef& def : scene.bodies) {
      const bool plane = std::holds_alternative<HalfSpace>(def.shape);
      add(plane ? as_box(def, floor_size(scene)) : def);
    }
    for (const SceneJoint& joint : scene.joints) add(joint);
    for (const ClothDef& def : scene.cloths) add(make_soft_cloth(def, scene.dt, *soft_info()));
    for (const SolidDef& def : scene.solids) add(make_soft_solid(def, scene.dt, *soft_info()));
    cloth_count_ = scene.cloths.size();
    settings_ =
        has_soft_ ? soft_settings(scene) : "sequential impulse, split impulse, floor as a box";
  }

  ~BulletEngine() override {
    for (auto& body : soft_) soft_world()->removeSoftBody(body.get());
    for (auto& body : bodies_) world_->removeRigidBody(body.get());
  }

  void step(double dt) override { world_->stepSimulation(btScalar(dt), 0); }

  void poses(std::vector<Transform>& out) const override {
    out.clear();
    for (const auto& body : bodies_) {
      const btTransform& t = body->getWorldTransform();
      const btQuaternion q = t.getRotation();
      out.push_back({from_bullet(t.getOrigin()), Quat{q.x(), q.y(), q.z(), q.w()}});
    }
  }
  void cloth_positions(std::size_t cloth, std::vector<Vec3>& out) const override {
    copy_nodes(*soft_[cloth], out);
  }
  void solid_positions(std::size_t solid, std::vector<Vec3>& out) const override {
    copy_nodes(*soft_[cloth_count_ + solid], out);
  }
  int substeps() const override { return 1; }
  int sweeps() const override { return sweeps_; }
  std::string settings() const override { return settings_; }

 private:
  void make_world(const WorldDef& def) {
    if (has_soft_)
      configuration_ = std::make_unique<btSoftBodyRigidBodyCollisionConfiguration>();
    else
      configuration_ = std::make_unique<btDefaultCollisionConfiguration>();
    dispatcher_ = std::make_unique<btCollisionDispatcher>(configuration_.get());
    broadphase_ = std::make_unique<btDbvtBroadphase>();
    solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    if (has_soft_)
      world_ = std::make_unique<btSoftRigidDynamicsWorld>(dispatcher_.get(), broadphase_.get(),
                                                          solver_.get(), configuration_.get());
    else
      world_ = std::make_unique<btDiscreteDynamicsWorld>(dispatcher_.get(), broadphase_.get(),
                                                         solver_.get(), configuration_.get());
    world_->setGravity(to_bullet(def.gravity));
    world_->getSolverInfo().m_numIterations = k_rigid_iterations;
    if (!has_soft_) return;
    btSoftBodyWorldInfo& info = soft_world()->getWorldInfo();
    info.m_broadphase = broadphase_.get();
    info.m_dispatcher = dispatcher_.get();
    info.m_gravity = to_bullet(def.gravity);
    info.air_density = btScalar(def.medium_density);
    info.m_sparsesdf.Initialize();
    info.m_sparsesdf.setDefaultVoxelsz(btScalar(k_voxel));
    info.m_sparsesdf.Reset();
  }

  btSoftRigidDynamicsWorld* soft_world() {
    return static_cast<btSoftRigidDynamicsWorld*>(world_.get());
  }
  btSoftBodyWorldInfo* soft_info() { return &soft_world()->getWorldInfo(); }

  void add(const BodyDef& def) {
    if (const auto* mesh = std::get_if<Mesh>(&def.shape)) {
      if (meshes_.empty()) btGImpactCollisionAlgorithm::registerAlgorithm(dispatcher_.get());
      meshes_.push_back(make_mesh(mesh->mesh));
      bodies_.push_back(make_body(def, *meshes_.back()->shape, has_soft_));
    } else {
      shapes_.push_back(make_shape(def.shape));
      bodies_.push_back(make_body(def, *shapes_.back(), has_soft_));
    }
    places_[def.name] = bodies_.size() - 1;
    world_->addRigidBody(bodies_.back().get());
  }
  void add(const SceneJoint& joint) {
    joints_.push_back(std::make_unique<btPoint2PointConstraint>(
        *bodies_[places_.at(joint.a.name)], *bodies_[places_.at(joint.b.name)],
        to_bullet(joint.a.position), to_bullet(joint.b.position)));
    world_->addConstraint(joints_.back().get(), true);
  }
  void add(std::unique_ptr<btSoftBody> body) {
    soft_.push_back(std::move(body));
    soft_world()->addSoftBody(soft_.back().get());
  }

  bool has_soft_ = false;
  int sweeps_ = 0;
  std::size_t cloth_count_ = 0;
  std::string settings_;
  std::unique_ptr<btDefaultCollisionConfiguration> configuration_;
  std::unique_ptr<btCollisionDispatcher> dispatcher_;
  std::unique_ptr<btBroadphaseInterface> broadphase_;
  std::unique_ptr<btSequentialImpulseConstraintSolver> solver_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<BulletMesh>> meshes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::map<std::string, std::size_t> places_;  // of bodies by name
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<std::unique_ptr<btSoftBody>> soft_;
  std::unique_ptr<btDiscreteDynamicsWorld> world_;
};

std::optional<Error> refusal(const Scene& scene, int threads) {
  if (threads > 1 && !btCreateDefaultTaskScheduler())
    return Error{scene.name, "the installed Bullet is built without threads; it runs on one only"};
  if (threads > 1) return Error{scene.name, "Bullet is compared on one thread only"};
  if (!scene.anchors.empty()) return Error{scene.name, "anchors are not built for Bullet"};
  for (const SceneJoint& joint : scene.joints)
    if (joint.settings.kind != JointKind::ball || joint.a.kind != SceneAnchorEnd::Kind::body ||
        joint.b.kind != SceneAnchorEnd::Kind::body)
      return Error{scene.name, "of joints only balls between bodies are built for Bullet"};
  if (!scene.seams.empty()) return Error{scene.name, "seams are not built for Bullet"};
  for (const BodyDef& def : scene.bodies)
    if (def.motion == Motion::kinematic)
      return Error{scene.name, "kinematic bodies are not built for Bullet"};
  for (const SolidDef& def : scene.solids)
    if (def.tets.vertices.empty())
      return Error{scene.name, "a solid given by its surface is not built for Bullet"};
  return std::nullopt;
}

}  // namespace

EngineResult make_bullet_engine(const Scene& scene, int threads) {
  if (const auto error = refusal(scene, threads)) return *error;
  return std::unique_ptr<BenchEngine>(std::make_unique<BulletEngine>(scene));
}

}  // namespace pliant::bench

#else

namespace pliant::bench {

EngineResult make_bullet_engine(const Scene& scene, int) {
  return Error{scene.name, "built without Bullet (Debian package libbullet-dev)"};
}

}  // namespace pliant::bench

#endif
