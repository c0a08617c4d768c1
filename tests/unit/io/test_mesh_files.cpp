// Round trips of every writer, and what happens when writing fails.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <csignal>

#include "io/file_bytes.h"
#include "io_test_data.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

// Positions that do not fit into few digits.
TriMesh odd_sphere() {
  TriMesh mesh = make_sphere(1.0 / 3, 2);
  for (Vec3& v : mesh.vertices) v += Vec3{0.1, -1e-7, 1234.5678901234567};
  return mesh;
}

TEST(MeshFiles, surfaces_come_back_bit_for_bit) {
  const ScratchFolder folder;
  const TriMesh mesh = odd_sphere();
  for (const char* name : {"a.obj", "a.ply", "a.vtk", "UPPER.OBJ"}) {
    ASSERT_TRUE(save_mesh(folder.file(name), mesh).ok());
    const TriMesh back = load_tri_mesh(folder.file(name)).value();
    EXPECT_EQ(back.vertices, mesh.vertices) << name;
    EXPECT_EQ(back.triangles, mesh.triangles) << name;
  }
}

TEST(MeshFiles, stl_comes_back_welded_in_single_precision) {
  const ScratchFolder folder;
  const TriMesh mesh = make_sphere(1.0 / 3, 2);
  ASSERT_TRUE(save_mesh(folder.file("a.stl"), mesh).ok());
  const TriMesh back = load_tri_mesh(folder.file("a.stl")).value();
  EXPECT_TRUE(is_closed(back));
  EXPECT_LT(corner_distance(back, mesh), 1e-7);
}

TEST(MeshFiles, tetrahedra_come_back_bit_for_bit) {
  const ScratchFolder folder;
  TetMesh mesh = make_lattice(2, 3, 1, 1.0 / 7);
  for (const char* name : {"a.node", "b.ele", "a.vtk", "a.msh"}) {
    ASSERT_TRUE(save_mesh(folder.file(name), mesh).ok());
    const TetMesh back = load_tet_mesh(folder.file(name)).value();
    EXPECT_EQ(back.vertices, mesh.vertices) << name;
    EXPECT_EQ(back.tetrahedra, mesh.tetrahedra) << name;
  }
  EXPECT_TRUE(fs::exists(folder.file("a.ele")));
  EXPECT_TRUE(fs::exists(folder.file("b.node")));
}

TEST(MeshFiles, unknown_extensions_and_missing_files_are_errors) {
  const ScratchFolder folder;
  const auto unknown = load_tri_mesh("mesh.xyz");
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find(".ply"), std::string::npos);
  EXPECT_FALSE(load_tet_mesh("mesh.obj").ok());
  EXPECT_FALSE(load_tri_mesh(folder.file("absent.obj")).ok());
  EXPECT_FALSE(load_tet_mesh(folder.file("absent.node")).ok());
  EXPECT_FALSE(check_mesh_file(folder.file("absent.vtk")).ok());
  fs::create_directory(folder.path() / "folder.obj");
  EXPECT_FALSE(load_tri_mesh(folder.file("folder.obj")).ok());
  EXPECT_FALSE(save_mesh(folder.file("folder.obj"), odd_sphere()).ok());
  EXPECT_FALSE(save_mesh(folder.file("a.txt"), odd_sphere()).ok());
  EXPECT_FALSE(save_mesh(folder.file("a.obj"), make_lattice(1, 1, 1, 1)).ok());
}

TEST(MeshFiles, meshes_that_no_reader_would_take_are_not_written) {
  const ScratchFolder folder;
  TriMesh mesh = odd_sphere();
  mesh.triangles[3][1] = 100000;
  EXPECT_FALSE(save_mesh(folder.file("a.obj"), mesh).ok());
  mesh = odd_sphere();
  mesh.vertices[7].y = std::nan("");
  EXPECT_FALSE(save_mesh(folder.file("a.obj"), mesh).ok());
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(MeshFiles, unwritable_place_is_an_error) {
  const ScratchFolder folder;
  const Status status = save_mesh(folder.file("no/such/folder/a.obj"), odd_sphere());
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().place.find("no/such/folder/a.obj"), std::string::npos);
  EXPECT_EQ(status.error().place.find(".part"), std::string::npos);
}

TEST(MeshFiles, full_disk_leaves_the_old_file_and_nothing_else) {
  const ScratchFolder folder;
  ASSERT_TRUE(save_mesh(folder.file("a.obj"), make_box({1, 1, 1})).ok());
  const std::string before = read_file(folder.file("a.obj")).value();
  // A limit on file size stands in for the full disk; without the signal the write just fails.
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  auto* old_handler = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = old;
  small.rlim_cur = 4096;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = save_mesh(folder.file("a.obj"), make_sphere(1, 4));
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(read_file(folder.file("a.obj")).value(), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(MeshFiles, device_that_is_full_is_an_error) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Status status = write_file("/dev/full", std::string(100000, 'x'));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().message.find("space"), std::string::npos) << status.error().text();
}

}  // namespace
}  // namespace pliant
