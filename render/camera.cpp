// The camera that shows everything: a fixed direction, moved and set back until all of it fits.
#include <algorithm>
#include <cmath>

#include <pliant/record.h>

#include "render/render.h"

namespace pliant {
namespace {

const Vec3 k_direction = normalized(Vec3{0.50, 0.46, 1.0});  // from the target to the eye
constexpr double k_margin = 1.12;                            // room around what is shown

// A ball around something that must be seen.
struct Ball {
  Vec3 centre;
  double radius = 0;
};

void add_corners(const Box& box, const Transform& pose, std::vector<Ball>& out) {
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner{(i & 1) != 0 ? box.half.x : -box.half.x,
                      (i & 2) != 0 ? box.half.y : -box.half.y,
                      (i & 4) != 0 ? box.half.z : -box.half.z};
    out.push_back({to_world(pose, corner), 0});
  }
}

void add_body(const FrameBody& body, const Transform& pose, std::vector<Ball>& out) {
  if (!finite(pose.position) || !finite(rotate(pose.rotation, Vec3{1, 1, 1}))) return;
  if (const auto* sphere = std::get_if<Sphere>(&body.shape)) {
    out.push_back({pose.position, sphere->radius});
  } else if (const auto* capsule = std::get_if<Capsule>(&body.shape)) {
    for (const double side : {-1.0, 1.0}) {
      out.push_back({to_world(pose, {0, side * capsule->half_height, 0}), capsule->radius});
    }
  } else if (const auto* box = std::get_if<Box>(&body.shape)) {
    add_corners(*box, pose, out);
  } else if (!std::holds_alternative<HalfSpace>(body.shape)) {
    for (const Vec3& v : shape_mesh(body.shape).vertices) out.push_back({to_world(pose, v), 0});
  }
}

double extent(const std::vector<Ball>& balls) {
  if (balls.empty()) return 0;
  Vec3 low = balls[0].centre, high = low;
  for (const Ball& b : balls) {
    low = min(low, b.centre - Vec3{b.radius, b.radius, b.radius});
    high = max(high, b.centre + Vec3{b.radius, b.radius, b.radius});
  }
  return length(high - low);
}

std::vector<Ball> gather(const FrameLayout& layout, std::span<const Frame> frames) {
  std::vector<Ball> moving;
  for (const Frame& frame : frames) {
    for (std::size_t i = 0; i < layout.bodies.size(); ++i) {
      if (layout.bodies[i].motion != Motion::fixed) {
        add_body(layout.bodies[i], frame.poses[i], moving);
      }
    }
    for (const std::vector<Vec3f>& surface : frame.positions) {
      for (const Vec3f& p : surface) {
        if (finite(p)) moving.push_back({cast<double>(p), 0});
      }
    }
  }
  const double size = extent(moving);
  std::vector<Ball> all = moving;
  for (std::size_t i = 0; !frames.empty() && i < layout.bodies.size(); ++i) {
    if (layout.bodies[i].motion != Motion::fixed) continue;
    std::vector<Ball> fixed;
    add_body(layout.bodies[i], frames.front().poses[i], fixed);
    if (moving.empty() || extent(fixed) < 2.5 * size) {
      all.insert(all.end(), fixed.begin(), fixed.end());
    }
  }
  return all;
}

}  // namespace

Camera fit_camera(const FrameLayout& layout, std::span<const Frame> frames, double aspect) {
  Camera camera;
  camera.given = true;
  camera.field_of_view = 0.55;
  camera.target = {0, 0, 0};
  camera.eye = k_direction * 4.0;
  const std::vector<Ball> balls = gather(layout, frames);
  if (balls.empty()) return camera;
  const Vec3 right = normalized(cross(Vec3{0, 1, 0}, k_direction));
  const Vec3 up = cross(k_direction, right);
  const double tan_y = std::tan(camera.field_of_view / 2) / k_margin, tan_x = tan_y * aspect;
  // Each side of the picture is a plane through the eye that all balls lie behind. In the camera's
  // axes (x right, y up, z towards the eye) a side holds when  +-x + t z + r sqrt(1 + t^2) <=
  // t z_eye +- x_eye, so the four greatest left sides give the smallest z_eye that serves both
  // pairs, and then the middle between the sides.
  double side[4];
  std::fill(side, side + 4, -1e300);
  double nearest = -1e300;
  for (const Ball& b : balls) {
    const double x = dot(b.centre, right), y = dot(b.centre, up), z = dot(b.centre, k_direction);
    const double rx = b.radius * std::sqrt(1 + tan_x * tan_x);
    const double ry = b.radius * std::sqrt(1 + tan_y * tan_y);
    side[0] = std::max(side[0], x + tan_x * z + rx);
    side[1] = std::max(side[1], -x + tan_x * z + rx);
    side[2] = std::max(side[2], y + tan_y * z + ry);
    side[3] = std::max(side[3], -y + tan_y * z + ry);
    nearest = std::max(nearest, z + b.radius);
  }
  const double z_x = (side[0] + side[1]) / (2 * tan_x), z_y = (side[2] + side[3]) / (2 * tan_y);
  const double size = std::max(extent(balls), 1e-3);
  const double z_eye = std::max({z_x, z_y, nearest + 0.1 * size});
  const double x_eye = (side[0] - side[1]) / 2, y_eye = (side[2] - side[3]) / 2;
  camera.eye = right * x_eye + up * y_eye + k_direction * z_eye;
  Vec3 middle;
  for (const Ball& b : balls) middle += b.centre;
  const double z_target = dot(middle / double(balls.size()), k_direction);
  camera.target = camera.eye - k_direction * (z_eye - z_target);
  return camera;
}

}  // namespace pliant
