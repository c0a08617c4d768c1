// Bodies of a file made many times over.
#include <set>

#include <fmt/format.h>

#include "bench/catalogue.h"

namespace pliant::bench {

void make_copies(const Copies& copies, Scene& scene) {
  if (copies.what == Copies::What::nothing) return;
  const bool dynamic = copies.what == Copies::What::dynamic;
  const std::vector<BodyDef> bodies = scene.bodies;
  const std::vector<SceneJoint> joints = scene.joints;
  int number = 0;
  for (int i = 0; i < copies.count[0]; ++i)
    for (int j = 0; j < copies.count[1]; ++j)
      for (int k = 0; k < copies.count[2]; ++k) {
        if (i + j + k == 0) continue;
        const std::string tag = fmt::format("_copy_{}", ++number);
        const Vec3 shift = scaled(copies.spacing, Vec3{double(i), double(j), double(k)});
        for (BodyDef body : bodies) {
          if (dynamic ? body.motion != Motion::dynamic
                      : !std::holds_alternative<Rectangle>(body.shape))
            continue;
          body.name += tag;
          body.position += shift;
          scene.bodies.push_back(std::move(body));
        }
        for (SceneJoint joint : joints) {
          if (!dynamic) continue;
          joint.name += tag;
          joint.a.name += tag;
          joint.b.name += tag;
          scene.joints.push_back(std::move(joint));
        }
      }
}

}  // namespace pliant::bench
