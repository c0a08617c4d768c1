// `pliant bench` on cloths of 8 x 8 vertices for two frames: the rows are there; no time is judged.
#include <set>

#include <nlohmann/json.hpp>

#include "cli/child.h"

namespace pliant::cli_test {
namespace {

using CliBench = Program;

std::vector<std::string> tiny(std::vector<std::string> names) {
  std::vector<std::string> out{"bench"};
  out.insert(out.end(), names.begin(), names.end());
  for (const char* word :
       {"--json", "--frames", "0,2", "--repeats", "1", "--set", "cloths.cloth.mesh.grid.columns=7",
        "--set", "cloths.cloth.mesh.grid.rows=7", "--set",
        "cloths.cloth.pins=[{\"vertices\": [0, 7]}]"})
    out.push_back(word);
  return out;
}

std::set<std::string> scenes_of(const nlohmann::json& rows, const std::string& engine) {
  std::set<std::string> out;
  for (const auto& row : rows)
    if (row.at("engine") == engine) out.insert(row.at("scene").get<std::string>());
  return out;
}

TEST_F(CliBench, TheClothGroupHasItsRows) {
  const Outcome outcome = run(tiny({"cloth"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  const auto ours = scenes_of(rows, "pliant");
  for (const char* name :
       {"cloth64", "cloth64_self", "cloth128", "cloth128_self", "drape128", "drape128_features",
        "cloth32", "cloth256", "cloth512", "cloth_A25_900", "cloth_A25_10k", "cloth_A25_simd"})
    EXPECT_EQ(ours.count(name), 1u) << name;
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("vertices"), 64);
    EXPECT_EQ(row.at("frames"), nlohmann::json({0, 2}));
    EXPECT_GT(row.at("ms_mean"), 0);
    EXPECT_TRUE(row.at("finite"));
    EXPECT_TRUE(row.contains("stretch_mean_worst"));
  }
  // Bullet, where it is built in, runs the plain cloths alone.
  const auto peers = scenes_of(rows, "bullet");
  if (!peers.empty()) {
    EXPECT_EQ(peers, (std::set<std::string>{"cloth64", "cloth128"}));
  }
  EXPECT_NE(outcome.err.find("scaling at fixed substeps"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("wanted"), std::string::npos) << outcome.err;
}

// Its bar needs Bullet's row of the same run.
TEST_F(CliBench, ASceneBringsWhatItIsComparedWith) {
  const Outcome outcome = run(tiny({"drape128", "--threads", "1"}));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto rows = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(scenes_of(rows, "pliant"), std::set<std::string>{"drape128"});
  const auto peers = scenes_of(rows, "bullet");
  if (peers.empty()) GTEST_SKIP() << "built without Bullet";
  EXPECT_EQ(peers, std::set<std::string>{"cloth128"});
  EXPECT_EQ(rows[0].at("scene"), "drape128");
  EXPECT_EQ(rows[0].at("bars")[0].at("at_most"), 0.4);
}

TEST_F(CliBench, FramesAreTwoRisingNumbers) {
  EXPECT_EQ(run({"bench", "cloth64", "--frames", "5"}).code, 2);
  EXPECT_EQ(run({"bench", "cloth64", "--frames", "5,5"}).code, 2);
  EXPECT_EQ(run({"bench", "cloth64", "--frames", "-1,5"}).code, 2);
}

}  // namespace
}  // namespace pliant::cli_test
