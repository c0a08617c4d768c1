// Bodies of a file made many times over, and a surface in place of a file's.
#include <map>
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

TriMesh make_shell(const std::array<int, 3>& cells) {
  TriMesh mesh;
  std::map<std::array<int, 3>, std::int32_t> numbers;
  const auto vertex = [&](const std::array<int, 3>& at) {
    const auto [place, fresh] = numbers.try_emplace(at, std::int32_t(mesh.vertices.size()));
    if (fresh)
      mesh.vertices.push_back({double(at[0]) / cells[0] - 0.5, double(at[1]) / cells[1] - 0.5,
                               double(at[2]) / cells[2] - 0.5});
    return place->second;
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const int side : {0, 1}) {
      // Counter-clockwise from outside: u x v is along the axis on the far side.
      const std::size_t u = (axis + (side ? 1 : 2)) % 3, v = (axis + (side ? 2 : 1)) % 3;
      for (int i = 0; i < cells[u]; ++i)
        for (int j = 0; j < cells[v]; ++j) {
          const auto corner = [&](int di, int dj) {
            std::array<int, 3> at{};
            at[axis] = side * cells[axis];
            at[u] = i + di;
            at[v] = j + dj;
            return vertex(at);
          };
          mesh.triangles.push_back({corner(0, 0), corner(1, 0), corner(1, 1)});
          mesh.triangles.push_back({corner(0, 0), corner(1, 1), corner(0, 1)});
        }
    }
  return mesh;
}

void set_shell(const std::array<int, 3>& cells, SolidDef& solid) {
  const TriMesh shell = make_shell(cells);
  solid.node_mass = solid.density / double(shell.vertices.size());  // of a cubic metre
  solid.mesh = {};
  solid.tets = {};
  if (solid.model != SolidModel::shape_matching) {
    solid.mesh = shell;
    return;
  }
  const auto middle = std::int32_t(shell.vertices.size());
  solid.tets.vertices = shell.vertices;
  solid.tets.vertices.push_back({});
  for (const Triangle& t : shell.triangles)
    solid.tets.tetrahedra.push_back({middle, t[0], t[1], t[2]});
}

}  // namespace pliant::bench
