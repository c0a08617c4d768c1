// ODE as a peer for the rigid scenes: quick step, which is its fast solver for many bodies.
#include "bench/engine.h"

#ifdef PLIANT_HAVE_ODE

#include <ode/ode.h>

#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "bench/polytope.h"
#include "bench/topology.h"

namespace pliant::bench {
namespace {

constexpr int k_iterations = 20;    // ODE's own default
constexpr int k_contacts_most = 8;  // of a pair of bodies
constexpr double k_thin = 0.01;     // m, half of the thickness of a rectangle

struct OdeLibrary {
  OdeLibrary() { dInitODE2(0); }
  ~OdeLibrary() { dCloseODE(); }
};

// Hulls as well as meshes: a convex body of ODE's has one contact with another and tips.
struct OdeMesh {
  std::vector<dReal> vertices;  // four each
  std::vector<dTriIndex> indices;
  dTriMeshDataID data = dGeomTriMeshDataCreate();

  explicit OdeMesh(const TriMesh& mesh) {
    for (const Vec3& v : mesh.vertices) vertices.insert(vertices.end(), {v.x, v.y, v.z, 0});
    for (const Triangle& t : mesh.triangles)
      for (const std::int32_t corner : t) indices.push_back(dTriIndex(corner));
    dGeomTriMeshDataBuildSimple(data, vertices.data(), int(mesh.vertices.size()), indices.data(),
                                int(indices.size()));
  }
  ~OdeMesh() { dGeomTriMeshDataDestroy(data); }
  OdeMesh(const OdeMesh&) = delete;
  OdeMesh& operator=(const OdeMesh&) = delete;
};
bool is_mesh(const Shape& shape) {
  return std::holds_alternative<Hull>(shape) || std::holds_alternative<Mesh>(shape);
}
bool alike(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  if (const auto* hull = std::get_if<Hull>(&a)) return hull->points == std::get<Hull>(b).points;
  const TriMesh &x = std::get<Mesh>(a).mesh, &y = std::get<Mesh>(b).mesh;
  return x.vertices == y.vertices && x.triangles == y.triangles;
}
std::unique_ptr<OdeMesh> make_mesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<Mesh>(&shape)) return std::make_unique<OdeMesh>(mesh->mesh);
  return std::make_unique<OdeMesh>(polytope_mesh(make_polytope(shape)));
}

dGeomID make_geom(dSpaceID space, const BodyDef& def) {
  if (const auto* s = std::get_if<Sphere>(&def.shape)) return dCreateSphere(space, s->radius);
  if (const auto* b = std::get_if<Box>(&def.shape))
    return dCreateBox(space, 2 * b->half.x, 2 * b->half.y, 2 * b->half.z);
  if (const auto* c = std::get_if<Capsule>(&def.shape))
    return dCreateCapsule(space, c->radius, 2 * c->half_height);
  if (const auto* r = std::get_if<Rectangle>(&def.shape))
    return dCreateBox(space, 2 * r->half_x, 2 * k_thin, 2 * r->half_z);
  const Vec3 n = rotate(def.rotation, Vec3{0, 1, 0});
  return dCreatePlane(space, n.x, n.y, n.z, dot(n, def.position));
}

// The axis of a capsule is z there and y here.
const Quat k_z_to_y{-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
Quat to_ode(const Shape& shape, const Quat& q) {
  return std::holds_alternative<Capsule>(shape) ? q * k_z_to_y : q;
}
Quat from_ode(const Shape& shape, const Quat& q) {
  return std::holds_alternative<Capsule>(shape) ? q * conjugate(k_z_to_y) : q;
}

void set_mass(dBodyID body, dGeomID geom, const BodyDef& def) {
  dMass mass;
  const double m = body_mass(def);
  if (const auto* s = std::get_if<Sphere>(&def.shape)) dMassSetSphereTotal(&mass, m, s->radius);
  if (const auto* b = std::get_if<Box>(&def.shape))
    dMassSetBoxTotal(&mass, m, 2 * b->half.x, 2 * b->half.y, 2 * b->half.z);
  if (const auto* c = std::get_if<Capsule>(&def.shape))
    dMassSetCapsuleTotal(&mass, m, 3, c->radius, 2 * c->half_height);
  if (is_mesh(def.shape)) {
    dMassSetTrimeshTotal(&mass, m, geom);
    dMassTranslate(&mass, -mass.c[0], -mass.c[1], -mass.c[2]);
  }
  dBodySetMass(body, &mass);
}

class OdeEngine final : public BenchEngine {
 public:
  OdeEngine(const Scene& scene, int threads) : scene_(scene) {
    static const OdeLibrary library;
    dRandSetSeed(1);  // quick step shuffles its rows; every run the same way
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    const Vec3& g = scene.world.gravity;
    dWorldSetGravity(world_, g.x, g.y, g.z);
    dWorldSetQuickStepNumIterations(world_, k_iterations);
    dWorldSetAutoDisableFlag(world_, 0);
    if (threads > 1) start_threads(threads);
    for (const BodyDef& def : scene_.bodies) add(def);
    for (const SceneJoint& joint : scene_.joints) add(joint);
  }

  ~OdeEngine() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
    if (threading_) {
      dThreadingImplementationShutdownProcessing(threading_);
      dThreadingFreeThreadPool(pool_);
      dThreadingFreeImplementation(threading_);
    }
  }

  void step(double dt) override {
    dSpaceCollide(space_, this, &OdeEngine::meet);
    dWorldQuickStep(world_, dt);
    dJointGroupEmpty(contacts_);
  }

  void poses(std::vector<Transform>& out) const override {
    out.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const BodyDef& def = scene_.bodies[i];
      if (!bodies_[i]) {
        out.push_back({def.position, def.rotation});
        continue;
      }
      const dReal* p = dBodyGetPosition(bodies_[i]);
      const dReal* q = dBodyGetQuaternion(bodies_[i]);
      const Quat turn{q[1], q[2], q[3], q[0]};
      out.push_back({Vec3{p[0], p[1], p[2]}, from_ode(def.shape, turn)});
    }
  }
  void cloth_positions(std::size_t, std::vector<Vec3>& out) const override { out.clear(); }
  void solid_positions(std::size_t, std::vector<Vec3>& out) const override { out.clear(); }
  int substeps() const override { return 1; }
  int sweeps() const override { return k_iterations; }
  std::string settings() const override {
    return fmt::format("quick step, up to {} contacts a pair", k_contacts_most);
  }

 private:
  void start_threads(int threads) {
    threading_ = dThreadingAllocateMultiThreadedImplementation();
    pool_ = dThreadingAllocateThreadPool(unsigned(threads), 0, dAllocateFlagBasicData, nullptr);
    dThreadingThreadPoolServeMultiThreadedImplementation(pool_, threading_);
    dWorldSetStepThreadingImplementation(world_, dThreadingImplementationGetFunctions(threading_),
                                         threading_);
  }

  void add(const BodyDef& def) {
    dGeomID geom = nullptr;
    if (is_mesh(def.shape)) {
      if (!last_mesh_ || !alike(last_mesh_->shape, def.shape)) {
        meshes_.push_back(make_mesh(def.shape));
        last_mesh_ = &def;
      }
      geom = dCreateTriMesh(space_, meshes_.back()->data, nullptr, nullptr, nullptr);
    } else {
      geom = make_geom(space_, def);
    }
    dGeomSetData(geom, const_cast<Surface*>(&def.surface));  // of scene_, which outlives it
    dBodyID body = nullptr;
    const Quat turn = to_ode(def.shape, def.rotation);
    const dQuaternion q = {turn.w, turn.x, turn.y, turn.z};
    const Vec3& p = def.position;
    if (def.motion == Motion::dynamic) {
      body = dBodyCreate(world_);
      set_mass(body, geom, def);
      dGeomSetBody(geom, body);
      dBodySetPosition(body, p.x, p.y, p.z);
      dBodySetQuaternion(body, q);
      dBodySetLinearVel(body, def.velocity.x, def.velocity.y, def.velocity.z);
      dBodySetLinearDamping(body, 1 - std::exp(-def.linear_drag * scene_.dt));
      dBodySetAngularDamping(body, 1 - std::exp(-def.angular_drag * scene_.dt));
      dBodySetLinearDampingThreshold(body, 0);
      dBodySetAngularDampingThreshold(body, 0);
    } else if (!std::holds_alternative<HalfSpace>(def.shape)) {
      dGeomSetPosition(geom, p.x, p.y, p.z);
      dGeomSetQuaternion(geom, q);
    }
    bodies_.push_back(body);
  }

  void add(const SceneJoint& joint) {
    const auto at = [&](const SceneAnchorEnd& end) {
      std::size_t n = 0;
      while (scene_.bodies[n].name != end.name) ++n;
      return n;
    };
    const std::size_t a = at(joint.a), b = at(joint.b);
    const dJointID ball = dJointCreateBall(world_, nullptr);
    dJointAttach(ball, bodies_[a], bodies_[b]);
    const BodyDef& def = scene_.bodies[a];
    const Vec3 p = to_world({def.position, def.rotation}, joint.a.position);
    dJointSetBallAnchor(ball, p.x, p.y, p.z);
  }

  static const Surface& surface_of(dGeomID geom) {
    return *static_cast<const Surface*>(dGeomGetData(geom));
  }

  static void meet(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<OdeEngine*>(data);
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
    std::array<dContact, k_contacts_most> contacts;
    const int count = dCollide(a, b, k_contacts_most, &contacts[0].geom, sizeof(dContact));
    const Surface &sa = surface_of(a), &sb = surface_of(b);
    for (int i = 0; i < count; ++i) {
      dContact& contact = contacts[std::size_t(i)];
      contact.surface.mode = dContactApprox1;
      contact.surface.mu = std::sqrt(sa.friction_kinetic * sb.friction_kinetic);
      dJointAttach(dJointCreateContact(self.world_, self.contacts_, &contact), body_a, body_b);
    }
  }

  const Scene scene_;
  dWorldID world_ = nullptr;
  dSpaceID space_ = nullptr;
  dJointGroupID contacts_ = nullptr;
  dThreadingImplementationID threading_ = nullptr;
  dThreadingThreadPoolID pool_ = nullptr;
  std::vector<dBodyID> bodies_;
  std::vector<std::unique_ptr<OdeMesh>> meshes_;
  const BodyDef* last_mesh_ = nullptr;  // of scene_: bodies that follow each other share a mesh
};

std::optional<Error> refusal(const Scene& scene) {
  if (!scene.cloths.empty() || !scene.solids.empty())
    return Error{scene.name, "ODE has rigid bodies only"};
  if (!scene.anchors.empty()) return Error{scene.name, "anchors are not built for ODE"};
  for (const SceneJoint& joint : scene.joints)
    if (joint.settings.kind != JointKind::ball || joint.a.kind != SceneAnchorEnd::Kind::body ||
        joint.b.kind != SceneAnchorEnd::Kind::body)
      return Error{scene.name, "of joints only balls between bodies are built for ODE"};
  if (!scene.seams.empty()) return Error{scene.name, "seams are not built for ODE"};
  for (const BodyDef& def : scene.bodies) {
    if (def.motion == Motion::kinematic)
      return Error{scene.name, "kinematic bodies are not built for ODE"};
  }
  return std::nullopt;
}

}  // namespace

EngineResult make_ode_engine(const Scene& scene, int threads) {
  if (const auto error = refusal(scene)) return *error;
  return std::unique_ptr<BenchEngine>(std::make_unique<OdeEngine>(scene, threads));
}

}  // namespace pliant::bench

#else

namespace pliant::bench {

EngineResult make_ode_engine(const Scene& scene, int) {
  return Error{scene.name, "built without ODE (Debian package libode-dev)"};
}

}  // namespace pliant::bench

#endif
