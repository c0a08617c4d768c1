// `pliant run`: summary, expectations, overrides and outputs.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/child.h"

namespace pliant::cli_test {
namespace {

using CliRun = Program;
using Json = nlohmann::json;

// Resting on the floor the centre is one radius above it.
constexpr const char* k_at_rest =
    R"({"at": 2, "body": "ball", "height": {"near": 0.1, "within": 0.005}})";
constexpr const char* k_wrong =
    R"({"at": 0.25, "body": "ball", "height": {"near": 5, "within": 0.1}})";

TEST_F(CliRun, JsonHasEveryField) {
  const Outcome outcome =
      run({"run", write("ball.json", ball_scene(k_at_rest, 2)), "--json", "--threads", "1"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("frames"), 120);
  EXPECT_NEAR(json.at("seconds").get<double>(), 2, 1e-9);
  EXPECT_EQ(json.at("threads"), 1);
  EXPECT_GT(json.at("ms_mean").get<double>(), 0);
  EXPECT_GE(json.at("ms_p95").get<double>(), 0);
  EXPECT_GT(json.at("real_time_factor").get<double>(), 0);
  EXPECT_EQ(json.at("state_hash").get<std::string>().size(), 16u);
  EXPECT_EQ(json.at("stages").size(), 14u);
  ASSERT_EQ(json.at("expectations").size(), 1u);
  EXPECT_EQ(json.at("expectations")[0].at("ok"), true);
  EXPECT_FALSE(json.at("interrupted").get<bool>());
}

TEST_F(CliRun, HashDoesNotDependOnThreads) {
  const std::string scene = write("ball.json", ball_scene("", 0.2));  // still in flight
  const Outcome one = run({"run", scene, "--json", "--threads", "1"});
  const Outcome three = run({"run", scene, "--json", "--threads", "3"});
  EXPECT_EQ(Json::parse(one.out).at("state_hash"), Json::parse(three.out).at("state_hash"));
  const Outcome other = run({"run", scene, "--json", "--set", "bodies.ball.position=[0,1.1,0]"});
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_NE(Json::parse(one.out).at("state_hash"), Json::parse(other.out).at("state_hash"));
}

TEST_F(CliRun, FailingExpectationIsOne) {
  const Outcome outcome = run({"run", write("ball.json", ball_scene(k_wrong)), "--json"});
  EXPECT_EQ(outcome.code, 1);
  const Json expectation = Json::parse(outcome.out).at("expectations")[0];
  EXPECT_EQ(expectation.at("ok"), false);
  // A fall of a quarter of a second from 1 m.
  EXPECT_NEAR(expectation.at("value").get<double>(), 1 - 0.5 * 9.81 * 0.25 * 0.25, 0.03);
  EXPECT_NE(outcome.err.find("FAILED"), std::string::npos);
}

TEST_F(CliRun, ExpectationBeyondAShorterRunIsUnknown) {
  const Outcome outcome =
      run({"run", write("ball.json", ball_scene(k_at_rest, 2)), "--json", "--seconds", "0.1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const Json json = Json::parse(outcome.out);
  EXPECT_EQ(json.at("frames"), 6);
  EXPECT_TRUE(json.at("expectations")[0].at("ok").is_null());
}

TEST_F(CliRun, SetChangesAValueAndSuggests) {
  const std::string scene = write("ball.json", ball_scene());
  const Outcome shorter =
      run({"run", scene, "--json", "--set", "seconds=0.05", "--set", "world.gravity=[0,-1,0]"});
  ASSERT_EQ(shorter.code, 0) << shorter.err;
  EXPECT_EQ(Json::parse(shorter.out).at("frames"), 3);
  const Outcome wrong = run({"run", scene, "--set", "world.substep=20"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.err.find("substeps"), std::string::npos) << wrong.err;
  EXPECT_EQ(run({"run", scene, "--set", "world.substeps"}).code, 1);
}

TEST_F(CliRun, BadSceneNamesThePlaceAndGivesOne) {
  std::string text = ball_scene();
  text.replace(text.find("\"radius\": 0.1"), 13, "\"radius\": -1");
  const Outcome outcome = run({"run", write("bad.json", text), "--json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("radius"), std::string::npos) << outcome.err;
  EXPECT_GE(Json::parse(outcome.out).at("errors").size(), 1u);
}

TEST_F(CliRun, OutHoldsReportPictureAndFrames) {
  const Outcome outcome = run({"run", write("ball.json", ball_scene("", 0.1)), "--out", path("out"),
                               "--export", "vtu,obj", "--render", "--scene-out", path("end.json")});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"report.html", "picture.png", "film.mp4", "frames.pvd",
                           "measurements.csv", "recording.plr"}) {
    EXPECT_TRUE(exists(std::string("out/") + name)) << name;
  }
  EXPECT_EQ(list("out/vtu").size(), 7u);  // six steps and the start
  EXPECT_EQ(list("out/obj").size(), 7u);
  const std::string report = read("out/report.html");
  EXPECT_NE(report.find("data:image/png;base64,"), std::string::npos);
  EXPECT_NE(report.find("Time by stage"), std::string::npos);
  EXPECT_NE(report.find("<polyline"), std::string::npos);
  EXPECT_EQ(report.find("src=\"http"), std::string::npos);
  const std::string csv = read("out/measurements.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);  // a heading and six steps
  EXPECT_EQ(run({"check", path("end.json"), path("out/recording.plr")}).code, 0);
  EXPECT_EQ(run({"info", path("out/recording.plr")}).code, 0);
}

TEST_F(CliRun, SceneOutGoesOn) {
  const std::string scene = write("ball.json", ball_scene("", 0.2));
  ASSERT_EQ(run({"run", scene, "--scene-out", path("end.json")}).code, 0);
  const Json end = Json::parse(read("end.json"));
  EXPECT_NEAR(end.at("bodies")[1].at("position")[1].get<double>(), 1 - 0.5 * 9.81 * 0.04, 0.03);
  EXPECT_NEAR(end.at("bodies")[1].at("velocity")[1].get<double>(), -9.81 * 0.2, 1e-3);
}

// h sqrt(E / rho) / cell = 1/480 s * 31.6 m/s / 0.05 m = 1.318: E / (1 + 1.736) is left.
TEST_F(CliRun, AStiffSolidIsToldWithItsEffectiveModulus) {
  const std::string scene = write("stiff.json", R"({"seconds": 0.05, "solids": [{"name": "block",
      "model": "fem", "tets": {"lattice": {"cells": [2, 2, 2], "cell": 0.05}}, "density": 1000}]})");
  const auto warnings = [&](const char* modulus) {
    const Outcome outcome = run({"run", scene, "--json", "--set", "world.substeps=8", "--set",
                                 std::string("solids.block.youngs_modulus=") + modulus});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("warnings").dump();
  };
  EXPECT_NE(warnings("1e6").find("acts as with about 3.65e+05 of its 1e+06 Pa"), std::string::npos)
      << warnings("1e6");
  EXPECT_EQ(warnings("1e5"), "[]");
}

}  // namespace
}  // namespace pliant::cli_test
