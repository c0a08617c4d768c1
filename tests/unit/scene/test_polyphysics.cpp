// PolyPhysics XML: import, export, decimal commas in any locale, errors with lines, what is kept.
#include <gtest/gtest.h>
#include <pliant/scene.h>

#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <locale>
#include <sstream>

#include "scene/polyphysics.h"

using namespace pliant;

namespace {

const std::string k_scene = PLIANT_SOURCE_DIR "/scenes/polyphysics.xml";

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Skips the test where Pliant was built without pugixml.
#ifdef PLIANT_PUGIXML
#define NEEDS_XML()
#else
#define NEEDS_XML() GTEST_SKIP() << "built without pugixml"
#endif

Scene read(const std::string& text) {
  SceneProblems problems;
  std::optional<Scene> scene = parse_polyphysics(text, "test.xml", problems);
  for (const Error& e : problems.errors) ADD_FAILURE() << e.text();
  return scene ? *scene : Scene{};
}

std::string wrap(const std::string& forces, const std::string& bodies) {
  return "<PolyPhysicsXml Version=\"1.0\">\n<Simulation><Forces>\n" + forces +
         "\n</Forces></Simulation>\n<Primitives>\n" + bodies + "\n</Primitives>\n</PolyPhysicsXml>";
}

std::string ball(const std::string& extra) {
  return "<SoftObject UserID=\"7\"><Translation X=\"5\" Y=\"4\" Z=\"1\"/><Bounce F32=\"1\"/>"
         "<Weight F32=\"1\"/><Sphere><Radius F32=\"1\"/></Sphere>" +
         extra + "</SoftObject>";
}

// The normal of a rectangle is our y axis.
Vec3 normal_of(const Scene& scene, const std::string& name) {
  for (const BodyDef& def : scene.bodies)
    if (def.name == name) return rotate(def.rotation, {0, 1, 0});
  return {};
}

void expect_same(const Scene& a, const Scene& b) {
  // Everything but the last digits of rotations, which go through angles.
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  ASSERT_EQ(a.fields.size(), b.fields.size());
  Scene x = a, y = b;
  for (std::size_t i = 0; i < x.bodies.size(); ++i) {
    const Quat p = normalized(x.bodies[i].rotation), q = normalized(y.bodies[i].rotation);
    EXPECT_NEAR(std::abs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w), 1, 1e-13) << i;
    x.bodies[i].rotation = y.bodies[i].rotation = {};
  }
  EXPECT_EQ(scene_to_json(x), scene_to_json(y));
  EXPECT_EQ(x.world.tiles.high, y.world.tiles.high);
  EXPECT_EQ(x.world.tiles.count, y.world.tiles.count);
  EXPECT_EQ(x.world.time_speed, y.world.time_speed);
  ASSERT_EQ(x.kept_xml.size(), y.kept_xml.size());
  for (std::size_t i = 0; i < x.kept_xml.size(); ++i) {
    EXPECT_EQ(x.kept_xml[i].parent, y.kept_xml[i].parent);
    EXPECT_EQ(x.kept_xml[i].text, y.kept_xml[i].text);
  }
}

struct CommaPunctuation final : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST(PolyPhysics, NumbersHaveCommasOrDots) {
  EXPECT_EQ(parse_decimal("-1,570796"), -1.570796);
  EXPECT_EQ(parse_decimal("-1.570796"), -1.570796);
  EXPECT_EQ(parse_decimal(" +2,5e-3 "), 0.0025);
  EXPECT_EQ(parse_decimal("12"), 12);
  for (const char* bad :
       {"", " ", "1,2,3", "1.2,3", "1 2", "x", "1x", "nan", "inf", "--1", "1e999"})
    EXPECT_FALSE(parse_decimal(bad)) << bad;
  EXPECT_EQ(decimal_text(-1.570796, true), "-1,570796");
  EXPECT_EQ(decimal_text(-1.570796, false), "-1.570796");
  EXPECT_EQ(decimal_text(3, true), "3");
}

// The third column of R = Rx Ry Rz, printed in the specification for the rectangles of its scene.
TEST(PolyPhysics, RectanglesFaceWhereTheirAnglesSay) {
  NEEDS_XML();
  SceneProblems problems;
  const std::optional<Scene> scene = load_scene(k_scene, {}, problems);
  ASSERT_TRUE(scene);
  EXPECT_TRUE(problems.warnings.empty());
  const auto expect = [&](const char* name, const Vec3& n) {
    EXPECT_LT(length(normal_of(*scene, name) - n), 1e-4) << name;
  };
  expect("32285", {-1, 0, 0});
  expect("8365", {1, 0, 0});
  expect("11797", {0, 0, -1});
  expect("8855", {0, 1, 0});
  expect("6334", {0, 0, 1});
  expect("30612", {0, -1, 0});
  expect("28100", {0.4794, 0, 0.8776});
  expect("1142", {0, -0.1987, 0.9801});
  expect("281", {0.8415, -0.4232, 0.3359});
  expect("20537", {0.8415, -0.5389, 0.0382});
  // Half sides lie along the local axes of the format: x along the first column of R.
  for (const BodyDef& def : scene->bodies)
    if (def.name == "281") {
      EXPECT_EQ(std::get<Rectangle>(def.shape).half_x, 2);
      EXPECT_EQ(std::get<Rectangle>(def.shape).half_z, 1);
      const Vec3 x = rotate(def.rotation, {1, 0, 0});
      EXPECT_LT(length(x - Vec3{std::cos(1.0) * std::cos(0.3),
                                std::sin(0.9) * std::sin(1.0) * std::cos(0.3) +
                                    std::cos(0.9) * std::sin(0.3),
                                -std::cos(0.9) * std::sin(1.0) * std::cos(0.3) +
                                    std::sin(0.9) * std::sin(0.3)}),
                1e-12);
    }
  EXPECT_EQ(scene->world.tiles.high, (Vec3{10, 10, 10}));
  EXPECT_EQ(scene->world.gravity, Vec3{});
  EXPECT_EQ(std::get<UniformGravity>(scene->fields[0].kind).acceleration, (Vec3{0, -3, 0}));
  EXPECT_EQ(std::get<PointGravity>(scene->fields[1].kind).strength, 8);
}

TEST(PolyPhysics, EulerAnglesComeBackInFewDigits) {
  for (const Vec3 angles : {Vec3{0, -1.570796, 0},
                            {3.14159, 0, 0},
                            {1.570796, 0, 3.141592},
                            {0.9, 1, 0.3},
                            {1.5, 1, 1},
                            {-2.5, 0.001, 3}})
    EXPECT_EQ(euler_from_quat(quat_from_euler(angles)), angles);
  // Beyond a quarter turn about y another triple says the same.
  const Quat q = quat_from_euler({0.1, 2.5, 0.2});
  const Quat back = quat_from_euler(euler_from_quat(q));
  EXPECT_NEAR(std::abs(q.x * back.x + q.y * back.y + q.z * back.z + q.w * back.w), 1, 1e-12);
}

TEST(PolyPhysics, rigid_A25_import_of_export_is_the_same_in_any_locale) {
  NEEDS_XML();
  SceneProblems problems;
  const Scene scene = *load_scene(k_scene, {}, problems);
  const std::string text = scene_to_polyphysics(scene).value();
  EXPECT_NE(text.find("Y=\"-1,570796\""), std::string::npos);
  EXPECT_NE(text.find("Version=\"1.0\""), std::string::npos);
  const std::string had = std::setlocale(LC_ALL, nullptr);
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPunctuation));
  // Where the machine has the locale, the C library's numbers have commas as well.
  for (const char* name : {"C", "cs_CZ.UTF-8"}) {
    std::setlocale(LC_ALL, name);
    EXPECT_EQ(scene_to_polyphysics(scene).value(), text) << name;
    expect_same(read(text), scene);
    expect_same(read(file_text(k_scene)), scene);
    expect_same(read(scene_to_polyphysics(scene, false).value()), scene);
  }
  std::locale::global(before);
  std::setlocale(LC_ALL, had.c_str());
  EXPECT_EQ(scene_to_polyphysics(read(text)).value(), text);
}

TEST(PolyPhysics, MoreThanVersionOneIsWrittenAsOneOne) {
  NEEDS_XML();
  Scene scene = read(wrap("", ball("")));
  scene.bodies[0].name = "iron \"ball\" <&>";
  scene.bodies[0].material = "iron";
  scene.bodies[0].angular_velocity = {1, 2, 3};
  scene.bodies[0].rotation = normalized(Quat{0.1, -0.7, 0.3, 0.2});
  scene.bodies[0].surface.friction_static = 0.6;
  scene.bodies[0].surface.friction_kinetic = 0.4;
  scene.bodies[0].surface.rolling_resistance = 1e-3;
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "box";
  scene.bodies[1].shape = Box{{1, 2, 3}};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[2].name = "1";  // as an id that others might get
  scene.bodies[2].shape = Cylinder{0.25, 0.75};
  scene.fields = {
      {.name = "air", .kind = Drag{1.2, 0.47, {1, 0, 0}}},
      {.name = "pull", .kind = Magnet{{1, 2, 3}, 39.2, 0.02, "iron"}, .range = 4},
      {.name = "bang", .kind = Explosion{{0, 1, 0}, 500, 0.01}, .begin = 3, .duration = 0.05}};
  const std::string text = scene_to_polyphysics(scene).value();
  EXPECT_NE(text.find("Version=\"1.1\""), std::string::npos);
  expect_same(read(text), scene);
}

// A hammer of 1 kg and 3 kg (ACCEPTANCE 21): its centre is where the weights put it.
TEST(PolyPhysics, SeveralShapesAreACompound) {
  NEEDS_XML();
  const std::string hammer =
      "<SoftObject UserID=\"7\"><Translation X=\"5\" Y=\"4\" Z=\"1\"/>"
      "<Box><HalfSideX F32=\"1\"/><HalfSideY F32=\"0,1\"/><HalfSideZ F32=\"0,1\"/>"
      "<Weight F32=\"1\"/></Box>"
      "<Box><HalfSideX F32=\"0,2\"/><HalfSideY F32=\"0,4\"/><HalfSideZ F32=\"0,2\"/>"
      "<Offset X=\"1,2\" Y=\"0\" Z=\"0\"/><Weight F32=\"3\"/><Label/></Box></SoftObject>";
  const Scene scene = read(wrap("", hammer));
  ASSERT_EQ(scene.bodies.size(), 1u);
  EXPECT_EQ(scene.bodies[0].mass, 4);
  const auto& compound = std::get<Compound>(scene.bodies[0].shape);
  ASSERT_EQ(compound.parts.size(), 2u);
  EXPECT_EQ(compound.parts[1].position, (Vec3{1.2, 0, 0}));
  EXPECT_LT(length(centre_of_mass(compound) - Vec3{0.9, 0, 0}), 1e-12);
  // What is not known stays with the part that it was in.
  const std::string again = scene_to_polyphysics(scene).value();
  EXPECT_NE(again.find("Version=\"1.1\""), std::string::npos);
  const std::size_t label = again.find("<Label");
  ASSERT_NE(label, std::string::npos);
  EXPECT_GT(label, again.rfind("<Box>"));
  EXPECT_EQ(again.find("<Label", label + 1), std::string::npos);
  const Scene back = read(again);
  const auto& parts = std::get<Compound>(back.bodies[0].shape).parts;
  ASSERT_EQ(parts.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(std::get<Box>(parts[i].shape).half, std::get<Box>(compound.parts[i].shape).half);
    EXPECT_EQ(parts[i].position, compound.parts[i].position);
    EXPECT_NEAR(parts[i].density / compound.parts[i].density, 1, 1e-12);
  }
  EXPECT_EQ(back.bodies[0].mass, 4);
}

TEST(PolyPhysics, MeshesAndCompoundsComeBack) {
  NEEDS_XML();
  Scene scene = read(wrap("", ball("")));
  scene.bodies[0].shape = Mesh{make_box({0.5, 0.25, 1}, 2)};
  scene.bodies.push_back(scene.bodies[0]);
  scene.bodies[1].name = "8";
  scene.bodies[1].motion = Motion::fixed;
  scene.bodies[1].mass = 0;
  scene.bodies[1].shape = Compound{{{Rectangle{1, 2}, {1, 0, 0}, quat_from_euler({0.3, 0, 0.1}), 0},
                                    {Cylinder{0.1, 0.2}, {0, 1, 0}, {}, 0},
                                    {Mesh{make_grid(2, 2, 1, 1)}, {}, {}, 0}}};
  const Scene back = read(scene_to_polyphysics(scene).value());
  ASSERT_EQ(back.bodies.size(), 2u);
  const TriMesh &was = std::get<Mesh>(scene.bodies[0].shape).mesh,
                &is = std::get<Mesh>(back.bodies[0].shape).mesh;
  EXPECT_EQ(is.vertices, was.vertices);
  EXPECT_EQ(is.triangles, was.triangles);
  const auto &a = std::get<Compound>(scene.bodies[1].shape).parts,
             &b = std::get<Compound>(back.bodies[1].shape).parts;
  ASSERT_EQ(b.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(a[i].shape.index(), b[i].shape.index());
    EXPECT_EQ(a[i].position, b[i].position);
    for (const Vec3& v : {Vec3{1, 0, 0}, Vec3{0, 1, 0}})
      EXPECT_LT(length(rotate(a[i].rotation, v) - rotate(b[i].rotation, v)), 1e-12) << i;
  }
  EXPECT_EQ(std::get<Rectangle>(b[0].shape).half_z, 2);
  EXPECT_EQ(std::get<Mesh>(b[2].shape).mesh.vertices, std::get<Mesh>(a[2].shape).mesh.vertices);
}

// A compound in a compound: the same body, with its parts side by side.
TEST(PolyPhysics, InnerCompoundsAreTakenApart) {
  NEEDS_XML();
  Scene scene = read(wrap("", ball("")));
  const Quat turn = quat_from_euler({0, 0.5, 0});
  const Compound inner{{{Box{{0.1, 0.2, 0.3}}, {0.5, 0, 0}, quat_from_euler({0.2, 0, 0}), 0},
                        {Sphere{0.2}, {0, 0.4, 0}, {}, 3000}}};
  scene.bodies[0].shape = Compound{{{inner, {1, 0, 0}, turn, 700}, {Sphere{0.3}, {}, {}, 1000}}};
  scene.bodies[0].mass = 0;
  const Scene back = read(scene_to_polyphysics(scene).value());
  const BodyDef& def = back.bodies[0];
  EXPECT_EQ(std::get<Compound>(def.shape).parts.size(), 3u);
  const double pi = 3.14159265358979323846;
  const double weights[] = {700 * 8 * 0.1 * 0.2 * 0.3, 3000 * 4 / 3.0 * pi * 0.008,
                            1000 * 4 / 3.0 * pi * 0.027};
  EXPECT_NEAR(def.mass, weights[0] + weights[1] + weights[2], 1e-9);
  EXPECT_LT(length(centre_of_mass(def.shape) - centre_of_mass(scene.bodies[0].shape)), 1e-9);
  EXPECT_LT(length(std::get<Compound>(def.shape).parts[1].position -
                   (Vec3{1, 0, 0} + rotate(turn, {0, 0.4, 0}))),
            1e-12);
}

TEST(PolyPhysics, MeshFilesLieBesideTheScene) {
  NEEDS_XML();
  const std::string folder = testing::TempDir();
  ASSERT_TRUE(save_mesh(folder + "pliant_xml_mesh.obj", make_box({0.5, 0.5, 0.5}, 1)).ok());
  const auto body = [](const std::string& inside) {
    return wrap(
        "", "<SoftObject UserID=\"1\"><Weight F32=\"2\"/><Mesh>" + inside + "</Mesh></SoftObject>");
  };
  const auto parse = [&](const std::string& inside) {
    SceneProblems problems;
    const auto scene = parse_polyphysics(body(inside), folder + "scene.xml", problems);
    return scene ? std::to_string(std::get<Mesh>(scene->bodies[0].shape).mesh.triangles.size())
                 : problems.errors.at(0).text();
  };
  const auto holds = [&](const std::string& inside, const std::string& what) {
    const std::string found = parse(inside);
    EXPECT_NE(found.find(what), std::string::npos) << found;
  };
  EXPECT_EQ(parse("<File Text=\"pliant_xml_mesh.obj\"/>"), "12");
  holds("<File Text=\"pliant_no_such.obj\"/>", "<File>: cannot be used");
  holds("<File/>", "<File>: has no attribute Text");
  holds("<File Text=\"pliant_xml_mesh.obj\"/><File Text=\"pliant_xml_mesh.obj\"/>", "one of them");
  holds("<Vertex X=\"0\" Y=\"0\" Z=\"0\"/><Triangle A=\"0\" B=\"0,5\" C=\"1\"/>", "B: found 0.5");
  holds("<Vertex X=\"0\" Y=\"0\" Z=\"0\"/><Triangle A=\"0\" B=\"1\" C=\"2\"/>", "triangles[0]");
  // One triangle: open, so it has no inside.
  holds(
      "<Vertex X=\"0\" Y=\"0\" Z=\"0\"/><Vertex X=\"1\" Y=\"0\" Z=\"0\"/>"
      "<Vertex X=\"0\" Y=\"1\" Z=\"0\"/><Triangle A=\"0\" B=\"1\" C=\"2\"/>",
      "not closed");
  std::filesystem::remove(folder + "pliant_xml_mesh.obj");
}

TEST(PolyPhysics, WeightsOfPartsMustAddUp) {
  NEEDS_XML();
  const auto expect = [](const std::string& inside, const std::string& what) {
    SceneProblems problems;
    const std::string text = wrap("", "<SoftObject UserID=\"1\">" + inside + "</SoftObject>");
    EXPECT_FALSE(parse_polyphysics(text, "bad.xml", problems)) << what;
    ASSERT_FALSE(problems.errors.empty());
    EXPECT_NE(problems.errors[0].text().find(what), std::string::npos) << problems.errors[0].text();
  };
  const auto sphere = [](const std::string& extra) {
    return "<Sphere><Radius F32=\"1\"/>" + extra + "</Sphere>";
  };
  const std::string kilogram = "<Weight F32=\"1\"/>";
  expect(kilogram + sphere(kilogram) + sphere(kilogram), "weighs 1 kg, but its shapes 2 kg");
  expect(sphere(kilogram) + sphere(""), "1 of its 2 shapes");
  expect(sphere("") + sphere(""), "weighs 0 kg");
  expect(sphere("<Weight F32=\"0\"/>"), "greater than 0");
  expect(sphere(kilogram) + "<Plane><HalfSideX F32=\"1\"/><HalfSideY F32=\"1\"/>" + kilogram +
             "</Plane>",
         "a rectangle");
}

TEST(PolyPhysics, UnknownThingsAreKeptWithAWarning) {
  NEEDS_XML();
  const std::string text = wrap(
      "<GravityPlane UserID=\"5\"><Translation X=\"6\" Y=\"0\" Z=\"3\"/><Gravity X=\"0\" "
      "Y=\"-9,8\" Z=\"0\"/></GravityPlane><Tide UserID=\"9\"/>",
      ball("<Colour R=\"1\"><Shade/></Colour>"));
  SceneProblems problems;
  const std::optional<Scene> scene = parse_polyphysics(text, "test.xml", problems);
  ASSERT_TRUE(scene);
  ASSERT_EQ(problems.warnings.size(), 2u);
  EXPECT_EQ(problems.warnings[0].place, "test.xml: line 3, <Tide>");
  EXPECT_EQ(problems.warnings[1].place, "test.xml: line 6, <Colour>");
  ASSERT_EQ(scene->kept_xml.size(), 3u);  // with where the plane's gravity is drawn
  const std::string again = scene_to_polyphysics(*scene).value();
  EXPECT_NE(again.find("<Colour R=\"1\"><Shade"), std::string::npos);
  EXPECT_NE(again.find("<Tide UserID=\"9\""), std::string::npos);
  EXPECT_NE(again.find("<Translation X=\"6\" Y=\"0\" Z=\"3\""), std::string::npos);
  expect_same(read(again), *scene);
}

TEST(PolyPhysics, ErrorsNameFileLineAndElement) {
  NEEDS_XML();
  const auto first = [](const std::string& text) {
    SceneProblems problems;
    EXPECT_FALSE(parse_polyphysics(text, "bad.xml", problems));
    return problems.errors.empty() ? std::string("none") : problems.errors[0].text();
  };
  const auto expect = [&](const std::string& text, const std::string& a, const std::string& b) {
    const std::string found = first(text);
    EXPECT_NE(found.find(a), std::string::npos) << found;
    EXPECT_NE(found.find(b), std::string::npos) << found;
  };
  expect("<PolyPhysicsXml", "bad.xml: line 1", "not valid XML");
  expect("", "bad.xml", "not valid XML");
  expect("<Scene/>", "line 1, <Scene>", "PolyPhysicsXml");
  expect("\n<PolyPhysicsXml Version=\"2\"/>", "line 2, <PolyPhysicsXml>", "accepted: 1.0");
  expect(wrap("", ball("\n<InitialVelocity X=\"1\" Y=\"fast\" Z=\"0\"/>")),
         "bad.xml: line 7, <InitialVelocity>", "Y: found \"fast\"");
  expect(wrap("", ball("\n<InitialVelocity X=\"1\" Y=\"2\"/>")), "line 7, <InitialVelocity>",
         "no attribute Z");
  expect(wrap("", ball("") + "\n" + ball("")), "line 7, <SoftObject>", "line 6");
  expect(wrap("", "<SoftObject UserID=\"1\"><Weight F32=\"1\"/></SoftObject>"),
         "line 6, <SoftObject>", "no shape");
  expect(wrap("", "<SoftObject UserID=\"-1\"/>"), "<SoftObject>", "whole number");
  expect(wrap("",
              "<SoftObject UserID=\"1\"><Weight F32=\"1\"/><Plane><HalfSideX F32=\"1\"/>"
              "<HalfSideY F32=\"1\"/></Plane></SoftObject>"),
         "line 6, <SoftObject>", "dynamic");
  expect(wrap("", ball("<Bounce F32=\"2\"/>")), "<SoftObject>", "restitution");
  expect(
      "<PolyPhysicsXml Version=\"1.0\"><Map><Tiles X=\"0\" Y=\"1\" Z=\"1\"/></Map>"
      "</PolyPhysicsXml>",
      "<Tiles>", "from 1 to 4096");
}

TEST(PolyPhysics, WhatTheFormatCannotSayIsNamed) {
  Scene scene;
  scene.bodies.push_back({.name = "a", .shape = Capsule{}});
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "bodies[0].shape");
  scene.bodies[0] = {.name = "a", .motion = Motion::kinematic};
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "bodies[0].motion");
  scene.bodies[0] = {.name = "a", .linear_drag = 0.1};
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "bodies[0].linear_drag");
  scene.bodies[0] = {.name = "a", .sensor = true};
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "bodies[0].sensor");
  scene.bodies[0] = {.name = "a", .shape = Compound{{{Sphere{}, {}, {}, 0}, {Cone{}, {}, {}, 0}}}};
  EXPECT_EQ(scene_to_polyphysics(scene).error().text().find(
                "bodies[0].shape.compound.parts[1].shape: is a cone"),
            0u);
  scene.bodies.clear();
  scene.fields.push_back({.name = "v", .kind = Vortex{}});
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "fields[0].kind");
  scene.fields.clear();
  scene.cloths.emplace_back();
  EXPECT_EQ(scene_to_polyphysics(scene).error().place, "cloths");
}

TEST(PolyPhysics, FilesAreReadAndWrittenByTheirExtension) {
  NEEDS_XML();
  const std::string path = testing::TempDir() + "pliant_polyphysics.xml";
  SceneProblems problems;
  const Scene scene = *load_scene(k_scene, {}, problems);
  ASSERT_TRUE(save_scene(path, scene).ok());
  expect_same(*load_scene(path, {}, problems), scene);
  const std::optional<Scene> changed = load_scene(
      path, {"seconds=2", "fields.9318.kind.uniform_gravity.acceleration=[0,-1,0]"}, problems);
  ASSERT_TRUE(changed);
  EXPECT_EQ(changed->seconds, 2);
  EXPECT_EQ(std::get<UniformGravity>(changed->fields[0].kind).acceleration.y, -1);
  EXPECT_EQ(changed->kept_xml.size(), scene.kept_xml.size());
  std::filesystem::remove(path);
}
