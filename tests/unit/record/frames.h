// A small hand-made layout and frames for the tests of recordings and exports.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <pliant/record.h>

namespace pliant {

inline FrameLayout small_layout() {
  FrameLayout layout;
  layout.bodies = {{"ground", Motion::fixed, HalfSpace{}},
                   {"ball one", Motion::dynamic, Sphere{0.25}},
                   {"", Motion::kinematic, Box{{0.1, 0.2, 0.3}}},
                   {"pill", Motion::dynamic, Capsule{0.1, 0.2}}};
  layout.surfaces = {{"flag", FrameSurface::Kind::cloth, 4, {{0, 1, 2}, {0, 2, 3}}},
                     {"jelly", FrameSurface::Kind::solid, 3, {{2, 1, 0}}, 0x8040ff}};
  return layout;
}

// Numbers without short binary forms, different for every frame.
inline Frame small_frame(int i) {
  Frame frame;
  frame.time = i / 60.0;
  for (int b = 0; b < 4; ++b) {
    frame.poses.push_back({{0.1 * b, 1.0 / (i + 3), -0.3}, normalized(Quat{0.1 * i, 0.2, 0.3, 1})});
  }
  const float s = 0.1f * static_cast<float>(i + 1);
  frame.positions = {{{s, 0, 0}, {s, 1, 0}, {s, 1, 1}, {s, 0, 1}},
                     {{0, s, 0}, {1, s, -0.0f}, {1, s, 1.0f / 3}}};
  return frame;
}

inline bool same(const Frame& a, const Frame& b) {
  bool equal = a.time == b.time && a.positions == b.positions && a.poses.size() == b.poses.size();
  for (std::size_t i = 0; equal && i < a.poses.size(); ++i) {
    equal =
        a.poses[i].position == b.poses[i].position && a.poses[i].rotation == b.poses[i].rotation;
  }
  return equal;
}

// A directory of its own for each test, removed at the end.
class RecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("pliant_") + test->name() + "_" + std::to_string(::getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  std::filesystem::path directory_;
};

inline std::string load_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
inline void store_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace pliant
