#include "model/path.h"

#include "math/trig.h"

namespace pliant {
namespace {

// q(s) = a exp(s log(a^-1 b)), the shorter way.
Quat turn_between(const Quat& a, const Quat& b, double s) {
  Quat relative = conjugate(a) * b;
  if (relative.w < 0) relative = {-relative.x, -relative.y, -relative.z, -relative.w};
  const Vec3 axis{relative.x, relative.y, relative.z};
  const double sine = length(axis);
  if (sine < 1e-12) return a;
  const double half_angle = det_atan2(sine, relative.w);
  return normalized(a * exp_quat(axis * (s * half_angle / sine)));
}

}  // namespace

Transform path_at(const Path& path, double time) {
  if (path.empty()) return {};
  if (time <= path.front().time) return {path.front().position, normalized(path.front().rotation)};
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (time > path[i].time) continue;
    const Keyframe &a = path[i - 1], &b = path[i];
    const double s = (time - a.time) / (b.time - a.time);
    return {a.position + s * (b.position - a.position),
            turn_between(normalized(a.rotation), normalized(b.rotation), s)};
  }
  return {path.back().position, normalized(path.back().rotation)};
}

}  // namespace pliant
