// Edges that pass through triangles, found through the trees, against trying all of both by solving
// for the common point.
#include "narrowphase/sheet_piercings.h"

#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include <random>
#include <set>

#include "build/deformable_build.h"

namespace pliant {
namespace {

using Key = std::array<std::int32_t, 5>;

struct Rig {
  std::vector<Deformable> bodies;
  SheetMotion motion;
  std::vector<std::vector<SheetBox>> boxes;

  // A grid of 20 cm, each vertex somewhere within 3 cm of its place.
  void add(int cells, std::mt19937& engine) {
    std::uniform_real_distribution<double> shake(-0.03, 0.03);
    ClothDef def;
    def.mesh = make_grid(cells, cells, 0.2, 0.2);
    DeformableBuild build = build_cloth(def);
    Deformable& body = build.body;
    body.begin = std::int32_t(motion.place.size());
    motion.place.resize(motion.place.size() + def.mesh.vertices.size() + 1);
    for (std::size_t v = 0; v < def.mesh.vertices.size(); ++v) {
      const Vec3& at = def.mesh.vertices[v];
      motion.place[std::size_t(body.begin + body.order[v])] = {
          Real(at.x + shake(engine)), Real(shake(engine)), Real(at.z + shake(engine)), 0};
    }
    bodies.push_back(std::move(body));
  }
  void box() {
    motion.motion.assign(motion.place.size(), Vec4{});
    boxes.resize(bodies.size());
    for (std::size_t n = 0; n < bodies.size(); ++n) box_sheet(bodies[n], motion, nullptr, boxes[n]);
  }
  Vec3 at(std::int32_t p) const {
    const Vec4& v = motion.place[std::size_t(p)];
    return {double(v.x), double(v.y), double(v.z)};
  }
  std::int32_t particle(std::size_t body, std::int32_t vertex) const {
    const Deformable& of = bodies[body];
    return of.begin + of.surface.vertices[std::size_t(vertex)].particle[0];
  }
};

// p + s (q - p) = a + u (b - a) + v (c - a), by Cramer's rule.
bool pierces(const Rig& rig, const Key& k) {
  const Vec3 a = rig.at(k[2]), d = rig.at(k[1]) - rig.at(k[0]), r = rig.at(k[0]) - a;
  const Vec3 e = rig.at(k[3]) - a, f = rig.at(k[4]) - a;
  const double det = -dot(d, cross(e, f));
  const double s = dot(r, cross(e, f)) / det, u = -dot(d, cross(r, f)) / det,
               v = -dot(d, cross(e, r)) / det;
  return s > 0 && s < 1 && u > 0 && v > 0 && u + v < 1;
}

std::set<Key> brute(const Rig& rig, std::size_t of_edge, std::size_t of_triangle) {
  std::set<Key> found;
  for (const auto& edge : rig.bodies[of_edge].surface.edges)
    for (const Triangle& t : rig.bodies[of_triangle].surface.triangles) {
      const Key k{rig.particle(of_edge, edge[0]), rig.particle(of_edge, edge[1]),
                  rig.particle(of_triangle, t[0]), rig.particle(of_triangle, t[1]),
                  rig.particle(of_triangle, t[2])};
      const bool shared = std::count(k.begin() + 2, k.end(), k[0]) > 0 ||
                          std::count(k.begin() + 2, k.end(), k[1]) > 0;
      if (!shared && pierces(rig, k)) found.insert(k);
    }
  return found;
}

std::vector<SheetPiercing> search(const Rig& rig, std::size_t b, std::size_t a) {
  std::vector<LeafPair> leaves;
  std::vector<SheetPiercing> found;
  const SheetSide of_b{rig.bodies[b], rig.boxes[b], {}}, of_a{rig.bodies[a], rig.boxes[a], {}};
  find_piercings(b == a ? of_a : of_b, of_a, 7, rig.motion.place, leaves, found);
  return found;
}

std::set<Key> keys(const std::vector<SheetPiercing>& piercings) {
  std::set<Key> out;
  for (const SheetPiercing& x : piercings) EXPECT_TRUE(out.insert(x.particle).second);
  return out;
}

TEST(SheetPiercings, are_those_of_all_edges_and_triangles) {
  std::mt19937 engine(5);
  Rig rig;
  rig.add(9, engine);
  rig.add(11, engine);
  rig.box();
  std::set<Key> expected = brute(rig, 0, 1);
  expected.merge(brute(rig, 1, 0));
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(keys(search(rig, 0, 1)), expected);
  EXPECT_GT(brute(rig, 0, 0).size(), 50u);
  EXPECT_EQ(keys(search(rig, 0, 0)), brute(rig, 0, 0));
}

// Both sides' weights give the same place.
TEST(SheetPiercings, have_a_point_in_common) {
  std::mt19937 engine(6);
  Rig rig;
  rig.add(9, engine);
  rig.add(11, engine);
  rig.box();
  for (const SheetPiercing& x : search(rig, 0, 1)) {
    Vec3 sum;
    for (std::size_t k = 0; k < 5; ++k) sum += x.weight[k] * rig.at(x.particle[k]);
    EXPECT_LT(length(sum), 1e-12);
    EXPECT_NEAR(x.weight[0] + x.weight[1], 1, 1e-12);
    EXPECT_EQ(x.pair, 7);
    EXPECT_GE(x.wing[0], 0);  // every edge has a triangle
  }
}

}  // namespace
}  // namespace pliant
