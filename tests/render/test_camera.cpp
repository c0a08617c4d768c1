// The camera shows everything, close up.
#include <limits>

#include <gtest/gtest.h>

#include "render/hand_made.h"
#include "render/render.h"

namespace pliant {
namespace {

// The greatest |x| and |y| on a picture that reaches from -1 to 1; infinite behind the camera.
Vec3 reach(const MadeFrame& made, const Camera& camera, double aspect) {
  const Vec3 forward = normalized(camera.target - camera.eye);
  const Vec3 right = normalized(cross(forward, Vec3{0, 1, 0}));
  const Vec3 up = cross(right, forward);
  const double tan = std::tan(camera.field_of_view / 2);
  Vec3 most;
  const auto look = [&](const Vec3& p) {
    const Vec3 d = p - camera.eye;
    const double depth = dot(d, forward);
    if (depth <= 0) most = {1e9, 1e9, 0};
    const double x = std::abs(dot(d, right)) / (depth * tan * aspect);
    const double y = std::abs(dot(d, up)) / (depth * tan);
    most = {std::max(most.x, x), std::max(most.y, y), 0};
  };
  for (std::size_t i = 0; i < made.layout.bodies.size(); ++i) {
    if (std::holds_alternative<HalfSpace>(made.layout.bodies[i].shape)) continue;
    for (const Vec3& v : shape_mesh(made.layout.bodies[i].shape).vertices) {
      look(to_world(made.frame.poses[i], v));
    }
  }
  for (const std::vector<Vec3f>& surface : made.frame.positions) {
    for (const Vec3f& p : surface) look(cast<double>(p));
  }
  return most;
}

TEST(FitCamera, contains_all_bodies_with_little_room_left) {
  const MadeFrame made = showcase();
  for (const double aspect : {16.0 / 9, 1.0, 9.0 / 16}) {
    const Camera camera = fit_camera(made.layout, {&made.frame, 1}, aspect);
    EXPECT_TRUE(camera.given);
    const Vec3 most = reach(made, camera, aspect);
    EXPECT_LE(most.x, 0.95) << aspect;
    EXPECT_LE(most.y, 0.95) << aspect;
    EXPECT_GE(std::max(most.x, most.y), 0.8) << aspect;
    EXPECT_GT(camera.eye.y, camera.target.y);
  }
}

TEST(FitCamera, one_camera_for_several_frames) {
  MadeFrame first, second;
  first.add("ball", Motion::dynamic, Sphere{0.3}, {0, 0, 0});
  second.add("ball", Motion::dynamic, Sphere{0.3}, {7, 1, -2});
  const Frame frames[] = {first.frame, second.frame};
  const Camera both = fit_camera(first.layout, frames, 1.5);
  for (const MadeFrame* made : {&first, &second}) {
    const Vec3 most = reach(*made, both, 1.5);
    EXPECT_LE(std::max(most.x, most.y), 0.95);
  }
  const Vec3 most = reach(second, fit_camera(first.layout, {frames, 1}, 1.5), 1.5);
  EXPECT_GT(std::max(most.x, most.y), 1);  // the first frame alone does not see the second
}

TEST(FitCamera, floors_and_broken_bodies_do_not_count) {
  MadeFrame made;
  made.add("ball", Motion::dynamic, Sphere{0.3}, {0, 1, 0});
  const Camera alone = fit_camera(made.layout, {&made.frame, 1}, 1.5);
  made.add("ground", Motion::fixed, HalfSpace{}, {0, 0, 0});
  made.add("floor", Motion::fixed, Box{{50, 1, 50}}, {0, -1, 0});
  made.add("lost", Motion::dynamic, Sphere{1}, {std::numeric_limits<double>::quiet_NaN(), 0, 0});
  const Camera camera = fit_camera(made.layout, {&made.frame, 1}, 1.5);
  EXPECT_EQ(camera.eye, alone.eye);
  EXPECT_EQ(camera.target, alone.target);
  made.add("post", Motion::fixed, Box{{0.1, 0.5, 0.1}}, {1, 0.5, 0});
  EXPECT_NE(fit_camera(made.layout, {&made.frame, 1}, 1.5).eye, alone.eye);
}

TEST(FitCamera, empty_worlds_and_points_have_a_camera) {
  const Camera none = fit_camera({}, {}, 1.5);
  EXPECT_NE(none.eye, none.target);
  MadeFrame made;
  made.add("dot", FrameSurface::Kind::cloth, {{1, 1, 1}}, {});
  const Camera dot = fit_camera(made.layout, {&made.frame, 1}, 1.5);
  EXPECT_TRUE(finite(dot.eye) && finite(dot.target));
  EXPECT_NE(dot.eye, dot.target);
}

}  // namespace
}  // namespace pliant
