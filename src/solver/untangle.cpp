#include "solver/untangle.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_turn = 0.3;  // g: what bends less is left alone
constexpr double k_least_cosine =
    1e-3;  // between an edge in the plane of the triangle and its normal

Vec3 in_double(const Vec4& v) { return {double(v.x), double(v.y), double(v.z)}; }

Vec3 unit(const Vec3& v) {
  const double size = length(v);
  return size > 0 ? v / size : Vec3{};
}

// The edge against the triangle, by inverse mass; velocities stay as they are.
void shift(const SheetPiercing& x, const Vec3& by, Particles& particles) {
  const auto inverse_mass = [&](std::size_t k) {
    return double(particles.d[std::size_t(x.particle[k])].w);
  };
  double weight = 0;
  for (std::size_t k = 0; k < 5; ++k) weight += inverse_mass(k) * x.weight[k] * x.weight[k];
  if (!(weight > 0)) return;
  for (std::size_t k = 0; k < 5; ++k) {
    const Vec3 moved = by * (inverse_mass(k) * x.weight[k] / weight);
    for (std::vector<Vec4>* array : {&particles.d, &particles.d_before}) {
      Vec4& d = (*array)[std::size_t(x.particle[k])];
      d = {d.x + Real(moved.x), d.y + Real(moved.y), d.z + Real(moved.z), d.w};
    }
  }
}

// Marks the corners of triangles that have a corner marked already.
void widen(const Deformable& body, std::uint8_t from, std::vector<std::uint8_t>& loose) {
  const auto particle = [&](std::int32_t vertex) {
    return std::size_t(body.begin + body.surface.vertices[std::size_t(vertex)].particle[0]);
  };
  for (const Triangle& t : body.surface.triangles) {
    const auto marked = [&](std::int32_t v) {
      return loose[particle(v)] != 0 && loose[particle(v)] <= from;
    };
    if (std::none_of(t.begin(), t.end(), marked)) continue;
    for (const std::int32_t v : t)
      if (loose[particle(v)] == 0) loose[particle(v)] = std::uint8_t(from + 1);
  }
}

}  // namespace

Vec3 contour_shortening(const std::array<Vec3, 5>& place, std::span<const Vec3> wings) {
  const Vec3 e = unit(place[1] - place[0]);
  const Vec3 n = unit(cross(place[3] - place[2], place[4] - place[2]));
  const double cosine = dot(e, n);
  const double en = std::copysign(std::max(std::abs(cosine), k_least_cosine), cosine);
  Vec3 sum;
  for (const Vec3& wing : wings) {
    const Vec3 side = wing - place[0];
    Vec3 r = unit(cross(cross(e, side), n));
    if (dot(r, side - e * dot(e, side)) < 0) r = -r;
    sum += r - n * (dot(e, r) / en);
  }
  return sum;
}

void mark_loose(std::span<const Deformable> bodies, std::span<const std::int32_t> members,
                std::span<const SheetPiercing> piercings, std::vector<std::uint8_t>& loose) {
  for (const SheetPiercing& x : piercings)
    for (const std::int32_t p : x.particle) loose[std::size_t(p)] = 1;
  for (const std::int32_t n : members) widen(bodies[std::size_t(n)], 1, loose);
}

void untangle(std::span<const SheetPiercing> piercings, std::span<const Vec4> begin, double most,
              Particles& particles) {
  const auto at = [&](std::int32_t p) {
    return in_double(particles.base[std::size_t(p)]) + in_double(begin[std::size_t(p)]);
  };
  for (const SheetPiercing& x : piercings) {
    std::array<Vec3, 5> place;
    for (std::size_t k = 0; k < 5; ++k) place[k] = at(x.particle[k]);
    std::array<Vec3, 2> wings;
    std::size_t count = 0;
    for (const std::int32_t wing : x.wing)
      if (wing >= 0) wings[count++] = at(wing);
    const Vec3 g = contour_shortening(place, {wings.data(), count});
    shift(x, g * (most / std::sqrt(dot(g, g) + k_turn * k_turn)), particles);
  }
}

}  // namespace pliant
