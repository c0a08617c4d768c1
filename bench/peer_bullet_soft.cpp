#include "bench/peer_bullet_soft.h"

#include <BulletSoftBody/btSoftBodyHelpers.h>

#include <cmath>

#include <fmt/format.h>

#include "bench/topology.h"

namespace pliant::bench {
namespace {

constexpr int k_position_iterations = 10;  // with its default of 1 the solids collapse to nothing
constexpr int k_clusters = 16;             // of each solid, as in Bullet's own example of a cube

void add_nodes(btSoftBody& body, const std::vector<Vec3>& x, const std::vector<double>& masses,
               const std::vector<Pin>& pins) {
  body.appendMaterial()->m_kLST = 1;  // the nodes and links below refer to it
  for (std::size_t i = 0; i < x.size(); ++i) body.appendNode(to_bullet(x[i]), btScalar(masses[i]));
  for (const Pin& pin : pins)
    for (const std::int32_t v : pin.vertices) body.setMass(v, 0);
}

void add_links(btSoftBody& body, const std::vector<Edge>& edges) {
  for (const Edge& e : edges) body.appendLink(e[0], e[1], body.m_materials[0]);
}

void add_faces(btSoftBody& body, const std::vector<Triangle>& triangles) {
  for (const Triangle& t : triangles) body.appendFace(t[0], t[1], t[2], body.m_materials[0]);
}

// v is multiplied by 1 - kDP in every step.
btScalar damping(double drag, double dt) { return btScalar(1 - std::exp(-drag * dt)); }

void configure(btSoftBody& body, double drag, double dt, const Surface& surface) {
  body.m_cfg.piterations = k_position_iterations;
  body.m_cfg.kDP = damping(drag, dt);
  body.m_cfg.kDF = btScalar(std::sqrt(surface.friction_kinetic));
  body.getCollisionShape()->setMargin(btScalar(k_soft_margin));
  body.setActivationState(DISABLE_DEACTIVATION);
}

}  // namespace

std::unique_ptr<btSoftBody> make_soft_cloth(const ClothDef& def, double dt,
                                            btSoftBodyWorldInfo& info) {
  auto body = std::make_unique<btSoftBody>(&info);
  add_nodes(*body, placed_vertices(def), lumped_masses(def), def.pins);
  add_links(*body, unique_edges(def.mesh.triangles));
  add_faces(*body, def.mesh.triangles);
  configure(*body, def.linear_drag, dt, def.surface);
  body->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
  btSoftBodyHelpers::ReoptimizeLinkOrder(body.get());  // same result, up to 1.6 times as fast
  return body;
}

std::unique_ptr<btSoftBody> make_soft_solid(const SolidDef& def, double dt,
                                            btSoftBodyWorldInfo& info) {
  auto body = std::make_unique<btSoftBody>(&info);
  add_nodes(*body, placed_vertices(def), lumped_masses(def), def.pins);
  add_links(*body, unique_edges(def.tets.tetrahedra));
  add_faces(*body, boundary(def.tets.tetrahedra));
  for (const Tetrahedron& t : def.tets.tetrahedra)
    body->appendTetra(t[0], t[1], t[2], t[3], body->m_materials[0]);
  configure(*body, def.linear_drag, dt, def.surface);
  btSoftBodyHelpers::ReoptimizeLinkOrder(body.get());  // same result, up to 1.6 times as fast
  body->generateClusters(k_clusters);
  body->m_cfg.collisions = btSoftBody::fCollision::CL_SS | btSoftBody::fCollision::CL_RS;
  return body;
}

std::string soft_settings(const Scene& scene) {
  if (scene.solids.empty())
    return fmt::format("links kLST 1, {} position iterations", k_position_iterations);
  return fmt::format("links kLST 1, {} position iterations, {} clusters", k_position_iterations,
                     k_clusters);
}

void copy_nodes(const btSoftBody& body, std::vector<Vec3>& out) {
  out.clear();
  for (int i = 0; i < body.m_nodes.size(); ++i) out.push_back(from_bullet(body.m_nodes[i].m_x));
}

}  // namespace pliant::bench
