// Each defect put into a sound mesh is found under its name, and the sound mesh has none.
#include <gtest/gtest.h>

#include <pliant/mesh_repair.h>

#include <algorithm>
#include <random>
#include <set>

#include "geometry/self_intersection.h"
#include "geometry/shells.h"

namespace pliant {
namespace {

template <class Mesh>
std::set<std::string> kinds(const Mesh& mesh) {
  std::set<std::string> found;
  for (const MeshDefect& d : find_defects(mesh)) {
    EXPECT_FALSE(d.where.empty());
    found.insert(d.what);
  }
  return found;
}

using Kinds = std::set<std::string>;

void append(TriMesh& mesh, const TriMesh& other, const Vec3& shift, bool inward = false) {
  const std::int32_t n = std::int32_t(mesh.vertices.size());
  for (const Vec3& v : other.vertices) mesh.vertices.push_back(v + shift);
  for (const auto& [a, b, c] : other.triangles) {
    mesh.triangles.push_back(inward ? Triangle{a + n, c + n, b + n}
                                    : Triangle{a + n, b + n, c + n});
  }
}

TEST(TriDefects, sound_meshes_have_none) {
  EXPECT_EQ(kinds(make_sphere(0.1, 0)), Kinds{});
  EXPECT_EQ(kinds(make_sphere(2.0, 4)), Kinds{});
  EXPECT_EQ(kinds(make_box({0.5, 0.2, 3}, 7)), Kinds{});
  TriMesh two = make_sphere(1, 2);
  append(two, make_box({1, 1, 1}, 2), {5, 0, 0});
  EXPECT_EQ(kinds(two), Kinds{});
  TriMesh cavity = make_sphere(1, 3);
  append(cavity, make_sphere(0.5, 2), {}, true);
  EXPECT_EQ(kinds(cavity), Kinds{});
}

TEST(TriDefects, an_open_sheet_has_only_its_border) {
  EXPECT_EQ(kinds(make_grid(8, 6, 1, 1)), Kinds{"border"});
  EXPECT_TRUE(find_defects(make_grid(8, 6, 1, 1))[0].harmless);
  EXPECT_EQ(kinds(make_grid(1, 1, 1, 1)), Kinds{"border"});
  EXPECT_NE(find_defects(make_grid(8, 6, 1, 1))[0].where.find("28 in all"), std::string::npos);
}

TEST(TriDefects, each_is_found) {
  const TriMesh sound = make_sphere(1, 2);
  TriMesh m = sound;
  m.triangles.pop_back();
  EXPECT_EQ(kinds(m), Kinds{"hole"});
  EXPECT_FALSE(find_defects(m)[0].harmless);
  m = sound;
  m.triangles.push_back(m.triangles[5]);
  EXPECT_EQ(kinds(m), Kinds{"duplicate_faces"});
  m = sound;
  std::swap(m.triangles[9][0], m.triangles[9][1]);
  EXPECT_EQ(kinds(m), Kinds{"flipped_triangle"});
  m = sound;
  for (Triangle& t : m.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(kinds(m), Kinds{"inside_out"});
  m = sound;
  m.vertices.push_back({9, 9, 9});
  EXPECT_EQ(kinds(m), Kinds{"unused_vertices"});
  m = sound;
  m.triangles.push_back({4, 4, 9});
  EXPECT_EQ(kinds(m), Kinds{"repeated_index"});
  m = sound;
  for (Vec3& v : m.vertices) v *= 1e-10;
  EXPECT_EQ(kinds(m), Kinds{"tiny"});
  m = sound;
  for (Vec3& v : m.vertices) v += Vec3{1e7, 0, 0};
  EXPECT_EQ(kinds(m), Kinds{"lost_in_single_precision"});
  m = sound;
  append(m, make_sphere(0.5, 1), {});
  EXPECT_EQ(kinds(m), Kinds{"nested_shells"});
  m = sound;
  append(m, sound, {0.7, 0.1, 0.2});
  EXPECT_EQ(kinds(m), Kinds{"self_intersection"});
  m = sound;
  m.triangles[3][1] = 5000;
  EXPECT_EQ(kinds(m), Kinds{"index_out_of_range"});
  m = sound;
  m.vertices[3].x = std::nan("");
  EXPECT_EQ(kinds(m), Kinds{"not_finite"});
  EXPECT_EQ(kinds(TriMesh{}), Kinds{"no_triangles"});
}

TEST(TriDefects, welding_is_called_for) {
  // A sphere as a soup, its copies apart by nothing or by next to nothing.
  const TriMesh sound = make_sphere(1, 1);
  for (const double gap : {0.0, 1e-9}) {
    TriMesh soup;
    for (const Triangle& t : sound.triangles) {
      const std::int32_t n = std::int32_t(soup.vertices.size());
      for (const std::int32_t v : t) {
        soup.vertices.push_back(sound.vertices[v] + Vec3{gap * n, 0, 0});
      }
      soup.triangles.push_back({n, n + 1, n + 2});
    }
    const Kinds found = kinds(soup);
    EXPECT_TRUE(found.contains(gap == 0 ? "duplicate_vertices" : "near_duplicate_vertices"));
    EXPECT_TRUE(found.contains("border"));
  }
}

TEST(TriDefects, hollow_shells_nest_in_turn) {
  TriMesh m = make_sphere(1, 2);
  append(m, make_sphere(0.7, 2), {}, true);
  append(m, make_sphere(0.4, 2), {});
  const std::vector<Shell> shells = closed_shells(m);
  ASSERT_EQ(shells.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(shells[i].depth, i);
  EXPECT_LT(shells[1].volume, 0);
  EXPECT_EQ(kinds(m), Kinds{});
}

TEST(TetDefects, sound_meshes_have_none) { EXPECT_EQ(kinds(make_lattice(3, 2, 4, 0.1)), Kinds{}); }

TEST(TetDefects, each_is_found) {
  const TetMesh sound = make_lattice(2, 2, 2, 1);
  TetMesh m = sound;
  std::swap(m.tetrahedra[7][0], m.tetrahedra[7][1]);
  EXPECT_EQ(kinds(m), Kinds{"inverted_tetrahedron"});
  m = sound;
  m.tetrahedra.push_back(m.tetrahedra[0]);
  EXPECT_EQ(kinds(m), Kinds{"duplicate_tetrahedra"});
  m = sound;
  m.tetrahedra.push_back({0, 1, 1, 2});
  EXPECT_EQ(kinds(m), Kinds{"repeated_index"});
  m = sound;
  m.tetrahedra.push_back({0, 1, 3, 4});  // four corners of one square
  EXPECT_EQ(kinds(m), Kinds{"flat_tetrahedron"});
  m = sound;
  m.vertices.push_back({0, 0, 9});
  EXPECT_EQ(kinds(m), Kinds{"unused_vertices"});
  m = sound;
  m.tetrahedra[0][2] = -4;
  EXPECT_EQ(kinds(m), Kinds{"index_out_of_range"});
  EXPECT_EQ(kinds(TetMesh{}), Kinds{"no_tetrahedra"});
  m = sound;
  const std::int32_t n = std::int32_t(m.vertices.size());
  for (const Vec3& v : sound.vertices) m.vertices.push_back(v + Vec3{0.31, 0.23, 0.17});
  for (const auto& [a, b, c, d] : sound.tetrahedra) {
    m.tetrahedra.push_back({a + n, b + n, c + n, d + n});
  }
  EXPECT_EQ(kinds(m), Kinds{"self_intersection"});
}

Kinds kinds_of(const std::vector<MeshDefect>& defects) {
  Kinds found;
  for (const MeshDefect& d : defects) found.insert(d.what);
  return found;
}

TEST(TetRepair, a_sound_mesh_is_left_alone) {
  const TetMesh sound = make_lattice(3, 2, 4, 0.1);
  TetMesh m = sound;
  const TetRepair done = repair(m);
  EXPECT_TRUE(done.repaired.empty() && done.left.empty());
  EXPECT_EQ(m.vertices, sound.vertices);
  EXPECT_EQ(m.tetrahedra, sound.tetrahedra);
}

TEST(TetRepair, each_is_mended_and_told_of) {
  const TetMesh sound = make_lattice(2, 2, 2, 1);
  TetMesh m = sound;
  std::swap(m.tetrahedra[7][0], m.tetrahedra[7][1]);
  for (Tetrahedron& t : m.tetrahedra) std::swap(t[0], t[3]);  // now all but one
  EXPECT_EQ(repair(m).lines(),
            (std::vector<std::string>{"inverted_tetrahedron: tetrahedron 0; 39 in all, repaired"}));
  EXPECT_EQ(kinds(m), Kinds{});
  EXPECT_DOUBLE_EQ(volume(m), volume(sound));

  m = sound;
  m.tetrahedra.push_back(m.tetrahedra[0]);
  m.tetrahedra.push_back({0, 1, 1, 2});
  m.tetrahedra.push_back({0, 1, 3, 4});  // four corners of one square
  const TetRepair done = repair(m);
  EXPECT_EQ(kinds_of(done.repaired),
            (Kinds{"duplicate_tetrahedra", "repeated_index", "flat_tetrahedron"}));
  EXPECT_TRUE(done.left.empty());
  EXPECT_EQ(m.tetrahedra, sound.tetrahedra);

  // A vertex that only a flat tetrahedron uses goes with it, and the numbers close up.
  m = sound;
  m.vertices.insert(m.vertices.begin(), Vec3{0.5, -1, 0.5});
  for (Tetrahedron& t : m.tetrahedra)
    for (std::int32_t& v : t) ++v;
  m.tetrahedra.push_back({0, 1, 2, 1});
  EXPECT_EQ(kinds_of(repair(m).repaired), (Kinds{"repeated_index", "unused_vertices"}));
  EXPECT_EQ(m.vertices, sound.vertices);
  EXPECT_EQ(m.tetrahedra, sound.tetrahedra);
}

TEST(TetRepair, what_cannot_be_mended_is_told_of) {
  const TetMesh sound = make_lattice(1, 1, 1, 1);
  // One corner pushed through the face across from it: its tetrahedron is truly inside out, and
  // lies in its neighbour when it is turned.
  TetMesh m = sound;
  m.vertices[0] = {0.4, 0.4, 0.4};
  EXPECT_EQ(kinds_of(repair(m).left), Kinds{"overlapping_tetrahedra"});
  EXPECT_EQ(m.tetrahedra.size(), sound.tetrahedra.size());
  m = sound;
  m.tetrahedra[2][1] = 99;
  EXPECT_EQ(kinds_of(repair(m).left), Kinds{"index_out_of_range"});
  EXPECT_EQ(m.tetrahedra[2][1], 99);
  m = sound;
  m.vertices[3].y = std::nan("");
  EXPECT_EQ(kinds_of(repair(m).left), Kinds{"not_finite"});
}

// Triangles of their own corners, then such that share many.
TEST(SelfIntersection, tree_equals_all_pairs_by_other_algebra) {
  std::mt19937 random(3);
  const auto next = [&] { return double(random()) / 4294967295.0; };
  for (const double size : {0.05, 0.3, 1.0}) {
    TriMesh soup;
    for (std::int32_t t = 0; t < 300; ++t) {
      const Vec3 centre{next(), next(), next()};
      for (int c = 0; c < 3; ++c) {
        soup.vertices.push_back(centre + size * Vec3{next(), next(), next()});
      }
      soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    EXPECT_GT(self_intersections(soup).size(), 0u);
    EXPECT_EQ(self_intersections(soup), self_intersections_brute(soup));
    for (Triangle& t : soup.triangles) {
      const auto first = std::int32_t(random() % 40);
      t = {first, first + 1 + std::int32_t(random() % 3), first + 4 + std::int32_t(random() % 3)};
    }
    EXPECT_GT(self_intersections(soup).size(), 0u);
    EXPECT_EQ(self_intersections(soup), self_intersections_brute(soup));
  }
}

TEST(SelfIntersection, neighbours) {
  // Two triangles with a common corner, one passing through the other, and a pair folded flat.
  const TriMesh corner{{{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {1, 0.5, -1}, {1, 0.5, 1}},
                       {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_EQ(self_intersections(corner).size(), 1u);
  EXPECT_EQ(self_intersections_brute(corner).size(), 1u);
  const TriMesh fold{{{0, 0, 0}, {1, 0, 0}, {0.4, 1, 0}, {0.6, 0.7, 0}}, {{0, 1, 2}, {1, 0, 3}}};
  EXPECT_EQ(self_intersections(fold).size(), 1u);
  EXPECT_EQ(self_intersections_brute(fold).size(), 1u);
  const TriMesh flat{{{0, 0, 0}, {1, 0, 0}, {0.4, 1, 0}, {0.6, -0.7, 0}}, {{0, 1, 2}, {1, 0, 3}}};
  EXPECT_EQ(self_intersections(flat).size(), 0u);
  EXPECT_EQ(self_intersections_brute(flat).size(), 0u);
}

}  // namespace
}  // namespace pliant
