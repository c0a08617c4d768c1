// The meshes of the shared test data: every broken file by its kind, every format alike, all load.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "geometry/lattice.h"
#include "geometry/topology.h"
#include "io/file_bytes.h"
#include "io_test_data.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

bool missing() { return !fs::exists(shared_data()); }

std::set<std::string> kinds(const std::vector<MeshDefect>& defects) {
  std::set<std::string> found;
  for (const MeshDefect& d : defects) found.insert(d.what);
  return found;
}

// The defect that each broken file was made for.
const std::map<std::string, std::string> k_expected = {
    {"duplicated_faces.obj", "duplicate_faces"},
    {"duplicated_vertices.obj", "duplicate_vertices"},
    {"far_away.obj", "lost_in_single_precision"},
    {"flat_volume.obj", "zero_volume"},
    {"flipped_face.obj", "flipped_triangle"},
    {"huge_coordinates.obj", "duplicate_vertices"},
    {"inside_out.obj", "inside_out"},
    {"long_line.obj", "repeated_index"},
    {"moebius.obj", "not_orientable"},
    {"msh_surface_only.msh", "no_tetrahedra"},
    {"nearly_duplicated_vertices.obj", "near_duplicate_vertices"},
    {"needle_triangles.obj", "needle"},
    {"nested_shells.obj", "nested_shells"},
    {"nonmanifold_edge.obj", "nonmanifold_edge"},
    {"nonmanifold_two_cubes_edge.obj", "duplicate_vertices"},
    {"nonmanifold_vertex.obj", "nonmanifold_vertex"},
    {"open_hole.obj", "hole"},
    {"repeated_index.obj", "repeated_index"},
    {"self_intersecting.obj", "self_intersection"},
    {"tets_all_inverted.node", "inverted_tetrahedron"},
    {"tets_count_too_small.node", "count_mismatch"},
    {"tets_duplicate.node", "duplicate_tetrahedra"},
    {"tets_flat.node", "flat_tetrahedron"},
    {"tets_inverted.node", "inverted_tetrahedron"},
    {"tets_overlap.node", "overlapping_tetrahedra"},
    {"tets_repeated_vertex.node", "repeated_index"},
    {"tiny.obj", "tiny"},
    {"unused_vertices.obj", "unused_vertices"},
    {"vtk_wrong_type.vtk", "wrong_cell_type"},
    {"zero_area_triangles.obj", "zero_area"},
};

// Legal oddities that are also open by their nature.
const std::map<std::string, std::set<std::string>> k_inherent = {
    {"nonplanar_quad.obj", {"border"}},
};

class BrokenMeshes : public testing::Test {
 protected:
  void SetUp() override {
    if (missing()) GTEST_SKIP() << "no shared data beside the project";
    std::ifstream in(shared_data() / "broken" / "manifest.json");
    manifest_ = nlohmann::json::parse(in);
  }
  std::string path(const std::string& name) const {
    return (shared_data() / "broken" / name).string();
  }
  nlohmann::json manifest_;
};

TEST_F(BrokenMeshes, errors_are_refused_and_name_the_place) {
  int count = 0;
  for (const auto& [name, entry] : manifest_.items()) {
    if (entry["kind"] != "error") continue;
    ++count;
    const auto result = check_mesh_file(path(name));
    ASSERT_FALSE(result.ok()) << name;
    const Error& error = result.error();
    // The file itself, or its partner of .node and .ele.
    const std::string stem = fs::path(name).stem().string();
    EXPECT_NE(error.place.find(stem), std::string::npos) << error.text();
    EXPECT_GT(error.message.size(), 10u) << error.text();
    const std::uintmax_t size = fs::file_size(path(name));
    const bool is_whole_file_matter =
        size < 20 || error.message.find("no faces") == 0 || error.message.find("cannot") == 0;
    const bool names_place = error.place.find(", line ") != std::string::npos ||
                             error.place.find(", byte ") != std::string::npos;
    EXPECT_TRUE(names_place || is_whole_file_matter) << error.text();
  }
  EXPECT_GE(count, 40);
}

TEST_F(BrokenMeshes, lines_are_the_right_ones) {
  const std::map<std::string, std::string> places = {
      {"comma_decimals.obj", ", line 2"},    {"index_zero.obj", ", line 34"},
      {"nan_coordinate.obj", ", line 6"},    {"truncated.obj", ", line 1126"},
      {"tets_nan.node", ", line 6"},         {"vtk_index_out_of_range.vtk", ", line 14"},
      {"stl_wrong_count.stl", ", byte 80"},  {"msh_unknown_node.msh", ", line 15"},
      {"vtk_too_few_points.vtk", ", line 9"}};
  for (const auto& [name, place] : places) {
    const auto result = check_mesh_file(path(name));
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_TRUE(result.error().place.ends_with(place)) << result.error().text();
  }
}

TEST_F(BrokenMeshes, defects_are_found_by_name) {
  int count = 0;
  for (const auto& [name, entry] : manifest_.items()) {
    if (entry["kind"] != "defect") continue;
    ++count;
    const auto result = check_mesh_file(path(name));
    ASSERT_TRUE(result.ok()) << name << ": " << result.error().text();
    EXPECT_FALSE(result.value().empty()) << name;
    const bool is_ele = fs::path(name).extension() == ".ele";
    const auto expected = k_expected.find(is_ele ? fs::path(name).stem().string() + ".node" : name);
    ASSERT_NE(expected, k_expected.end()) << name;
    EXPECT_TRUE(kinds(result.value()).contains(expected->second)) << name;
  }
  EXPECT_GE(count, 35);
}

TEST_F(BrokenMeshes, oddities_load_without_defects) {
  int count = 0;
  for (const auto& [name, entry] : manifest_.items()) {
    if (entry["kind"] != "odd") continue;
    ++count;
    const auto result = check_mesh_file(path(name));
    ASSERT_TRUE(result.ok()) << result.error().text();
    const auto inherent = k_inherent.find(name);
    EXPECT_EQ(kinds(result.value()),
              inherent == k_inherent.end() ? std::set<std::string>() : inherent->second)
        << name;
  }
  EXPECT_GE(count, 24);
}

TEST_F(BrokenMeshes, oddities_are_read_as_meant) {
  const TriMesh good = load_tri_mesh(path("good_icosahedron.obj")).value();
  for (const char* name :
       {"bom_utf8.obj", "crlf_tabs.obj", "line_continuation.obj", "all_attributes.obj",
        "lines_and_points.obj", "no_final_newline.obj", "ply_good.ply"}) {
    EXPECT_LT(corner_distance(load_tri_mesh(path(name)).value(), good), 1e-12) << name;
  }
  // Binary STL is single precision.
  for (const char* name : {"stl_good.stl", "stl_solid_binary.stl"}) {
    EXPECT_LT(corner_distance(load_tri_mesh(path(name)).value(), good), 1e-8) << name;
  }
  const TriMesh l = load_tri_mesh(path("concave_polygon.obj")).value();
  EXPECT_NEAR(volume(l), (0.1 * 0.03 + 0.07 * 0.03) * 0.02, 1e-15);
  EXPECT_NEAR(area(l), 2 * (0.1 * 0.03 + 0.07 * 0.03) + 0.4 * 0.02, 1e-15);
  for (const char* name :
       {"tets_good.node", "tets_from_one.ele", "msh_good.msh", "msh_sparse_numbers.msh",
        "vtk_good.vtk", "vtk_bad_header.vtk", "vtk_binary_good.vtk"}) {
    const TetMesh tets = load_tet_mesh(path(name)).value();
    EXPECT_EQ(tets.vertices.size(), 5u) << name;
    EXPECT_NEAR(volume(tets), 1e-3 / 6 + 1e-3 / 3, 1e-9) << name;
  }
}

TEST(SharedMeshes, all_formats_give_the_same_mesh) {
  if (missing()) GTEST_SKIP() << "no shared data beside the project";
  const TriMesh reference = load_tri_mesh((shared_data() / "formats/spot_2k.obj").string()).value();
  EXPECT_EQ(reference.triangles.size(), 2000u);
  // A triangle as its three rounded corners, the least first: free of numbering and order.
  const auto triangles_of = [](const TriMesh& mesh) {
    std::multiset<std::array<std::array<std::int64_t, 3>, 3>> set;
    for (const Triangle& t : mesh.triangles) {
      std::array<std::array<std::int64_t, 3>, 3> corners;
      for (int c = 0; c < 3; ++c) {
        const Vec3& p = mesh.vertices[t[c]];
        corners[c] = {std::llround(p.x * 1e6), std::llround(p.y * 1e6), std::llround(p.z * 1e6)};
      }
      std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
      set.insert(corners);
    }
    return set;
  };
  const auto expected = triangles_of(reference);
  int count = 0;
  for (const auto& entry : fs::directory_iterator(shared_data() / "formats")) {
    const auto mesh = load_tri_mesh(entry.path().string());
    ASSERT_TRUE(mesh.ok()) << mesh.error().text();
    EXPECT_EQ(mesh.value().vertices.size(), 1002u) << entry.path();
    EXPECT_EQ(triangles_of(mesh.value()), expected) << entry.path();
    ++count;
  }
  EXPECT_EQ(count, 10);
}

TEST(SharedMeshes, every_surface_loads_and_the_closed_ones_are_closed) {
  if (missing()) GTEST_SKIP() << "no shared data beside the project";
  const std::map<std::string, bool> folders = {
      {"surfaces", true}, {"hip_bodyparts3d", true}, {"hip_opensim", true}, {"cloth", false}};
  for (const auto& [folder, closed] : folders) {
    for (const auto& entry : fs::directory_iterator(shared_data() / folder)) {
      if (entry.path().extension() != ".obj") continue;
      const auto mesh = load_tri_mesh(entry.path().string());
      if (entry.path().filename() == "muscle_paths.obj") {
        EXPECT_FALSE(mesh.ok());  // polylines only
        continue;
      }
      ASSERT_TRUE(mesh.ok()) << mesh.error().text();
      EXPECT_EQ(is_closed(mesh.value()), closed) << entry.path();
    }
  }
}

TEST(SharedMeshes, tetrahedra_of_all_formats_are_alike) {
  if (missing()) GTEST_SKIP() << "no shared data beside the project";
  const TetMesh reference = load_tet_mesh((shared_data() / "tets/bunny_1k.node").string()).value();
  EXPECT_EQ(reference.vertices.size(), 319u);
  for (const char* name :
       {"bunny_1k.ele", "bunny_1k.vtk", "bunny_1k_v22.msh", "bunny_1k_v41.msh"}) {
    const TetMesh mesh = load_tet_mesh((shared_data() / "tets" / name).string()).value();
    EXPECT_EQ(mesh.tetrahedra, reference.tetrahedra) << name;
    ASSERT_EQ(mesh.vertices.size(), reference.vertices.size());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      EXPECT_LT(length(mesh.vertices[v] - reference.vertices[v]), 1e-8) << name;
    }
  }
  for (const auto& entry : fs::directory_iterator(shared_data() / "tets")) {
    const auto defects = check_mesh_file(entry.path().string());
    ASSERT_TRUE(defects.ok()) << defects.error().text();
    EXPECT_TRUE(defects.value().empty()) << entry.path() << " " << defects.value()[0].what;
  }
}

TEST(SharedMeshes, real_surfaces_go_into_lattices) {
  if (missing()) GTEST_SKIP() << "no shared data beside the project";
  for (const char* name : {"surfaces/bunny_3k.obj", "surfaces/duck_ring.obj",
                           "hip_opensim/hip_r.obj", "surfaces/spot.obj"}) {
    const TriMesh mesh = load_tri_mesh((shared_data() / name).string()).value();
    for (const int cells : {4, 12}) {
      const auto wrapped = wrap_in_lattice(mesh, cells);
      ASSERT_TRUE(wrapped.ok()) << wrapped.error().text();
      EXPECT_EQ(wrapped.value().lattice_pieces, 1) << name;
      EXPECT_GT(volume(wrapped.value().lattice), volume(mesh));
      for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const EmbeddedVertex& e = wrapped.value().embedding[v];
        for (const double w : e.weights) EXPECT_TRUE(w >= -1e-9 && w <= 1 + 1e-9);
        EXPECT_LT(length(carried_position(e, wrapped.value().lattice) - mesh.vertices[v]), 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace pliant
