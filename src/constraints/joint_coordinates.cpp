#include "constraints/joint_coordinates.h"

#include <cmath>

#include "math/trig.h"

namespace pliant {
namespace {

constexpr double k_pi = 3.14159265358979323846;
// Below this angle the swing has no axis of its own, and its y and z parts are what the y and z
// axes see.
constexpr double k_no_swing = 1e-9;

struct Swing {
  Vec3 n, m;       // world axes: of the swing, and across it; m = x' x n
  double phi = 0;  // rad
  double cosine = 1, sine = 0;
};

// Of q = Q_a^-1 Q_b, whose x axis of b is X = q x'.
Swing swing_of(const Quat& axes_a, const Quat& q) {
  Swing s;
  const Vec3 x = rotate(q, Vec3{1, 0, 0});
  s.sine = std::sqrt(x.y * x.y + x.z * x.z);
  s.cosine = x.x;
  s.phi = det_atan2(s.sine, s.cosine);
  const Vec3 n = s.sine > k_no_swing ? Vec3{0, -x.z / s.sine, x.y / s.sine} : Vec3{0, 1, 0};
  s.n = rotate(axes_a, n);
  s.m = rotate(axes_a, Vec3{0, -n.z, n.y});
  return s;
}

Quat relative(const JointFrames& frames) {
  const Quat q = conjugate(frames.a.axes) * frames.b.axes;
  return q.w < 0 ? Quat{-q.x, -q.y, -q.z, -q.w} : q;
}

JointGradient along(const JointFrames& frames, const Vec3& e) {
  const Vec3& x = frames.b.point;
  return {e, cross(x - frames.a.centre, e), cross(x - frames.b.centre, e)};
}

}  // namespace

double wrapped(double angle) {
  if (angle > k_pi) return angle - 2 * k_pi;
  return angle < -k_pi ? angle + 2 * k_pi : angle;
}

JointCoordinates joint_coordinates(const Joint& joint, const JointFrames& frames) {
  JointCoordinates out{};
  const Vec3 d = frames.b.point - frames.a.point;
  if (joint.distance) {
    out[0] = length(d);
  } else {
    const Vec3 local = rotate_inverse(frames.a.axes, d);
    for (int k = 0; k < 3; ++k) out[std::size_t(k)] = local[k];
  }
  if (!joint.turns) return out;
  const Quat q = relative(frames);
  out[3] = wrapped(2 * det_atan2(q.x, q.w));
  const Swing s = swing_of(frames.a.axes, q);
  const Vec3 sigma = rotate_inverse(frames.a.axes, s.n) * s.phi;
  out[4] = sigma.y;
  out[5] = sigma.z;
  out[6] = s.phi;
  return out;
}

JointGradients joint_gradients(const Joint& joint, const JointFrames& frames) {
  JointGradients out;
  const Vec3 d = frames.b.point - frames.a.point;
  const double l = length(d);
  Vec3 e[3];
  for (int k = 0; k < 3; ++k) {
    Vec3 unit;
    unit[k] = 1;
    e[k] = rotate(frames.a.axes, unit);
    const bool has_direction = joint.distance && l > 1e-12;
    out[std::size_t(k)] = along(frames, has_direction ? d / l : e[k]);
  }
  if (!joint.turns) return out;
  const Swing s = swing_of(frames.a.axes, relative(frames));
  const auto set = [&](std::size_t k, const Vec3& about) { out[k] = {{}, about, about}; };
  set(3, 1 + s.cosine > k_no_swing ? e[0] - (s.sine / (1 + s.cosine)) * s.m : Vec3{});
  const double across = s.sine > k_no_swing ? s.phi * s.cosine / s.sine : 1;
  for (std::size_t k = 1; k < 3; ++k)
    set(k + 3, dot(e[k], s.n) * s.n + dot(e[k], s.m) * (s.phi * e[0] + across * s.m));
  set(6, s.n);
  return out;
}

}  // namespace pliant
