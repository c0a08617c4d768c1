// Cloths and solids of a scene as Bullet soft bodies.
#pragma once

#include <BulletSoftBody/btSoftBody.h>

#include <memory>
#include <string>
#include <vector>

#include <pliant/scene.h>

namespace pliant::bench {

constexpr double k_soft_margin = 0.005;  // m, collision margin where soft bodies are involved

inline btVector3 to_bullet(const Vec3& v) {
  return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}
inline Vec3 from_bullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

std::unique_ptr<btSoftBody> make_soft_cloth(const ClothDef& def, double dt,
                                            btSoftBodyWorldInfo& info);
std::unique_ptr<btSoftBody> make_soft_solid(const SolidDef& def, double dt,
                                            btSoftBodyWorldInfo& info);
std::string soft_settings(const Scene& scene);
void copy_nodes(const btSoftBody& body, std::vector<Vec3>& out);

}  // namespace pliant::bench
