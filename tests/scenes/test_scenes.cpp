// Every scene of the project runs to its end and keeps what it says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <pliant/scene.h>

namespace pliant {
namespace {

std::vector<std::string> scene_files() {
  const std::filesystem::path folder = PLIANT_SOURCE_DIR "/scenes";
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".json")
      out.push_back(std::filesystem::relative(entry.path(), folder).generic_string());
  std::sort(out.begin(), out.end());
  return out;
}

class Scenes : public testing::TestWithParam<std::string> {};

void expect_held(const SceneWorld& in, const Expectation& e) {
  const auto measured = measure(in, e.subject, e.quantity);
  ASSERT_TRUE(measured.ok()) << measured.error().text();
  const double value = measured.value();
  const std::string what = e.subject + " " + e.quantity + " (" + e.reason + ")";
  if (e.near) {
    EXPECT_NEAR(value, *e.near, e.within) << what;
  }
  EXPECT_GE(value, e.min.value_or(value)) << what;
  EXPECT_LE(value, e.max.value_or(value)) << what;
}

TEST_P(Scenes, keep_their_expectations) {
  SceneProblems problems;
  const auto scene = load_scene(PLIANT_SOURCE_DIR "/scenes/" + GetParam(), {}, problems);
  for (const Error& e : problems.errors) ADD_FAILURE() << e.text();
  ASSERT_TRUE(scene.has_value());
  ASSERT_FALSE(scene->expect.empty());
  auto built = build_world(*scene, make_task_pool(0));
  ASSERT_TRUE(built.ok()) << built.error().text();
  SceneWorld in = std::move(built).value();
  const auto step_of = [&](double time) { return std::lround(time / scene->dt); };
  const auto last = step_of(scene->seconds);
  for (long step = 0; step <= last; ++step) {
    if (step > 0) {
      ASSERT_TRUE(in.world.step(scene->dt).ok()) << "something went non-finite at step " << step;
    }
    for (const Expectation& e : scene->expect)
      if ((e.at < 0 ? last : step_of(e.at)) == step) expect_held(in, e);
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Project, Scenes, testing::ValuesIn(scene_files()), test_name);

}  // namespace
}  // namespace pliant
