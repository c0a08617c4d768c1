// `pliant check`, `convert`, `info` and `render` on files good and bad.
#include <pliant/mesh.h>
#include <pliant/scene.h>

#include "cli/child.h"

namespace pliant::cli_test {
namespace {

using CliFiles = Program;

TEST_F(CliFiles, CheckAcceptsGoodAndNamesEveryProblem) {
  const std::string scene = write("ball.json", ball_scene());
  ASSERT_TRUE(save_mesh(path("box.obj"), make_box({1, 1, 1})).ok());
  const Outcome good = run({"check", scene, path("box.obj")});
  EXPECT_EQ(good.code, 0) << good.out;

  std::string text = ball_scene();
  text.replace(text.find("\"radius\": 0.1"), 13, "\"raduis\": 0.1");
  text.replace(text.find("\"fixed\""), 7, "\"fixd\"");
  const Outcome bad = run({"check", write("bad.json", text), path("box.obj")});
  EXPECT_EQ(bad.code, 1);
  for (const char* word : {"bad.json", "raduis", "radius", "fixd", "box.obj: ok"}) {
    EXPECT_NE(bad.out.find(word), std::string::npos) << word << " in " << bad.out;
  }
}

TEST_F(CliFiles, CheckFindsDefectsOfMeshes) {
  TriMesh open_box = make_box({1, 1, 1});
  open_box.triangles.pop_back();
  ASSERT_TRUE(save_mesh(path("open.obj"), open_box).ok());
  const Outcome hole = run({"check", path("open.obj")});
  EXPECT_EQ(hole.code, 1);
  EXPECT_NE(hole.out.find("open.obj"), std::string::npos);
  ASSERT_TRUE(save_mesh(path("sheet.obj"), make_grid(3, 3, 1, 1)).ok());
  const Outcome sheet = run({"check", path("sheet.obj")});
  EXPECT_EQ(sheet.code, 0) << "a cloth has a border";
  EXPECT_NE(sheet.out.find("note: border"), std::string::npos) << sheet.out;
  EXPECT_EQ(run({"check", write("text.obj", "v 1 2\n")}).code, 1);
  EXPECT_EQ(run({"check", write("file.doc", "text")}).code, 1);
  EXPECT_EQ(run({"check", path("")}).code, 1);
}

// One in the corner of another; beside it for control.
TEST_F(CliFiles, CheckNotesSolidsThatStartInEachOther) {
  const auto scene = [](double x) {
    return R"({"solids": [
      {"name": "large", "tets": {"lattice": {"cells": [4, 4, 4], "cell": 0.1}}},
      {"name": "small", "tets": {"lattice": {"cells": [2, 2, 2], "cell": 0.1}}, "position": [)" +
           std::to_string(x) + ", 0.2, 0.2]}]}";
  };
  const Outcome in = run({"check", write("in.json", scene(0.2))});
  EXPECT_EQ(in.code, 0) << in.out;
  EXPECT_NE(in.out.find("note: solids 'large' and 'small' are in each other"), std::string::npos)
      << in.out;
  const Outcome apart = run({"check", write("beside.json", scene(0.31))});
  EXPECT_EQ(apart.out.find("in each other"), std::string::npos) << apart.out;
}

// The corners of a box have ten pairs that are no edge of its mesh.
TEST_F(CliFiles, CheckAndInfoTellOfSpringsThatFoundNoPlace) {
  const auto scene = [](int inner) {
    return R"({"solids": [{"name": "net", "mesh": {"box": {}}, "model": "mass_spring",
      "springs": {"lattice": false, "placement": "random", "inner": )" +
           std::to_string(inner) + "}}]}";
  };
  const std::string many = write("many.json", scene(1000)), few = write("few.json", scene(5));
  const Outcome told = run({"check", many});
  EXPECT_EQ(told.code, 0) << told.out;
  EXPECT_NE(told.out.find("solid 'net' has 10 of 1000 inner springs"), std::string::npos)
      << told.out;
  EXPECT_NE(run({"info", many}).out.find("10 of 1000"), std::string::npos);
  EXPECT_EQ(run({"check", few}).out.find("inner springs"), std::string::npos);
  EXPECT_EQ(run({"info", few}).out.find("inner springs"), std::string::npos);
}

// Upright through a level one; beside it for control.
TEST_F(CliFiles, CheckNotesClothsThatStartTangled) {
  const auto scene = [](double x) {
    return R"({"cloths": [
      {"name": "level", "mesh": {"grid": {"columns": 6, "rows": 6, "width": 1, "depth": 1}}},
      {"name": "upright", "mesh": {"grid": {"columns": 5, "rows": 5, "width": 1, "depth": 1}},
       "rotation": {"euler_degrees": [90, 0, 0]}, "position": [)" +
           std::to_string(x) + ", 0.1, 0.03]}]}";
  };
  const Outcome tangled = run({"check", write("tangled.json", scene(0.01))});
  EXPECT_EQ(tangled.code, 0) << tangled.out;
  EXPECT_NE(tangled.out.find("note: cloth 'level' crosses cloth 'upright'"), std::string::npos)
      << tangled.out;
  const Outcome apart = run({"check", write("apart.json", scene(2))});
  EXPECT_EQ(apart.out.find("crosses"), std::string::npos) << apart.out;
}

TEST_F(CliFiles, ConvertGoesThereAndBack) {
  const TriMesh sphere = make_sphere(1, 2);
  ASSERT_TRUE(save_mesh(path("a.obj"), sphere).ok());
  std::string from = path("a.obj");
  for (const char* name : {"b.ply", "c.stl", "d.vtk", "e.obj"}) {
    const Outcome outcome = run({"convert", from, path(name)});
    ASSERT_EQ(outcome.code, 0) << name << ": " << outcome.err;
    from = path(name);
  }
  const Result<TriMesh> last = load_tri_mesh(from);
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last.value().vertices.size(), sphere.vertices.size());
  EXPECT_EQ(last.value().triangles.size(), sphere.triangles.size());
  EXPECT_NEAR(volume(last.value()), volume(sphere), 1e-5);
}

TEST_F(CliFiles, ConvertTetrahedraToTheirSurface) {
  const TetMesh lattice = make_lattice(2, 2, 2, 0.5);
  ASSERT_TRUE(save_mesh(path("a.node"), lattice).ok());
  ASSERT_EQ(run({"convert", path("a.node"), path("b.obj")}).code, 0);
  const Result<TriMesh> surface = load_tri_mesh(path("b.obj"));
  ASSERT_TRUE(surface.ok());
  // A cube with edge 1 whose six sides have four squares of two triangles.
  EXPECT_TRUE(is_closed(surface.value()));
  EXPECT_EQ(surface.value().triangles.size(), 48u);
  EXPECT_NEAR(volume(surface.value()), 1, 1e-6);
  EXPECT_NEAR(area(surface.value()), 6, 1e-6);
  EXPECT_EQ(run({"convert", path("a.node"), path("c.node")}).code, 0);
  EXPECT_TRUE(exists("c.ele"));
}

TEST_F(CliFiles, ConvertMendsTetrahedraAndSaysSo) {
  TetMesh lattice = make_lattice(2, 2, 2, 0.5);
  std::swap(lattice.tetrahedra[5][0], lattice.tetrahedra[5][1]);
  ASSERT_TRUE(save_mesh(path("a.node"), lattice).ok());
  EXPECT_EQ(run({"check", path("a.node")}).code, 1);
  const Outcome outcome = run({"convert", path("a.node"), path("b.node")});
  ASSERT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("inverted_tetrahedron: tetrahedron 5, repaired"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(run({"check", path("b.node")}).code, 0);
}

TEST_F(CliFiles, ConvertRefusesWithoutLeavingAFile) {
  ASSERT_TRUE(save_mesh(path("a.obj"), make_box({1, 1, 1})).ok());
  const std::size_t before = list().size();
  EXPECT_EQ(run({"convert", path("a.obj"), path("a.node")}).code, 1);
  EXPECT_EQ(run({"convert", path("a.obj"), path("none/a.ply")}).code, 1);
  EXPECT_EQ(run({"convert", path("a.obj"), path("a.json")}).code, 1);
  EXPECT_EQ(list().size(), before + 2);  // what the program said: stdout.txt and stderr.txt
}

TEST_F(CliFiles, ConvertSceneKeepsItsMeaning) {
  const std::string scene = write("ball.json", ball_scene());
  ASSERT_EQ(run({"convert", scene, path("b.json")}).code, 0);
  ASSERT_EQ(run({"convert", path("b.json"), path("c.json")}).code, 0);
  EXPECT_EQ(read("b.json"), read("c.json"));
  SceneProblems problems;
  const std::optional<Scene> loaded = load_scene(path("b.json"), {}, problems);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->bodies.at(1).position.y, 1);
}

TEST_F(CliFiles, InfoGivesMassesAndSizes) {
  const Outcome scene = run({"info", write("ball.json", ball_scene())});
  EXPECT_EQ(scene.code, 0) << scene.err;
  // 1000 kg/m3 in a sphere of 0.1 m: 4.18879 kg.
  EXPECT_NE(scene.out.find("4.18879 kg"), std::string::npos) << scene.out;
  ASSERT_TRUE(save_mesh(path("a.obj"), make_box({0.5, 0.5, 0.5})).ok());
  const Outcome mesh = run({"info", path("a.obj")});
  EXPECT_EQ(mesh.code, 0) << mesh.err;
  EXPECT_NE(mesh.out.find("volume                 1 m3"), std::string::npos) << mesh.out;
}

TEST_F(CliFiles, RenderWritesAPictureOfTheSizeAskedFor) {
  const std::string scene = write("ball.json", ball_scene());
  const Outcome outcome =
      run({"render", scene, "-o", path("a.png"), "--size", "64x48", "--at", "0.1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string png = read("a.png");
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(png.substr(1, 3), "PNG");
  // Width and height follow the eight bytes of the signature and the name of the first chunk.
  EXPECT_EQ(static_cast<unsigned char>(png[19]), 64);
  EXPECT_EQ(static_cast<unsigned char>(png[23]), 48);
  EXPECT_EQ(run({"render", scene, "-o", path("none/a.png"), "--size", "64x48"}).code, 1);
}

}  // namespace
}  // namespace pliant::cli_test
