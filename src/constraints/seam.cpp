#include "constraints/seam.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

void shift(Vec4& d, const Vec3& by) {
  d.x += Real(by.x);
  d.y += Real(by.y);
  d.z += Real(by.z);
}

// A stitch of which both ends have become one, or whose end is a corner of the edge that it is sewn
// to, has nothing left to do.
bool is_void(const Deformable& body, const Stitch& s) {
  const std::int32_t a = body.root(s.a);
  return s.state == Stitch::State::merged || a == body.root(s.b[0]) ||
         (s.to_edge() && a == body.root(s.b[1]));
}

// Returns the change of the multiplier.
Vec3 project_stitch(Particles& particles, const Deformable& body, double softness, const Stitch& s,
                    const Vec3& multiplier) {
  const Vec3 c = stitch_gap(particles, body, s);
  const double distance = length(c);
  if (!(distance > 0)) return {};
  Vec4* d = particles.d.data() + body.begin;
  Vec4& a = d[body.root(s.a)];
  Vec4& b0 = d[body.root(s.b[0])];
  Vec4& b1 = d[body.root(s.b[1])];
  const double yields = double(a.w) + double(b0.w) * s.weight[0] * s.weight[0] +
                        double(b1.w) * s.weight[1] * s.weight[1];
  if (!(yields > 0)) return {};
  const Vec3 change =
      (c * (1 - s.gap / distance) + softness * multiplier) * (-1 / (yields + softness));
  shift(a, -double(a.w) * change);
  shift(b0, double(b0.w) * s.weight[0] * change);
  if (s.to_edge()) shift(b1, double(b1.w) * s.weight[1] * change);
  return change;
}

}  // namespace

Vec3 stitch_gap(const Particles& particles, const Deformable& body, const Stitch& s) {
  const Vec4* base = particles.base.data() + body.begin;
  const Vec4* d = particles.d.data() + body.begin;
  const auto from_a = [&](std::int32_t particle) {
    const std::int32_t a = body.root(s.a), b = body.root(particle);
    return (in_double(base[b]) - in_double(base[a])) + (in_double(d[b]) - in_double(d[a]));
  };
  Vec3 c = from_a(s.b[0]) * s.weight[0];
  if (s.to_edge()) c += from_a(s.b[1]) * s.weight[1];
  return c;
}

void project_seam(Particles& particles, const Deformable& body, double h, int sweeps, Seam& seam) {
  const double softness = seam.def.compliance / (h * h);
  for (Stitch& s : seam.stitches) {
    if (is_void(body, s)) continue;
    s.gap = std::max(0.0, s.gap - seam.def.speed * h);
    Vec3 multiplier;
    for (int sweep = 0; sweep < sweeps; ++sweep)
      multiplier += project_stitch(particles, body, softness, s, multiplier);
    seam.impulse += length(multiplier) / h;
  }
}

}  // namespace pliant
