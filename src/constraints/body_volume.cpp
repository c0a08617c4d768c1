#include "constraints/body_volume.h"

#include <algorithm>

#include "math/wide.h"

namespace pliant {
namespace {

// Of the volume: as long as contacts sweep less, it is left to the cells. From there on to twice as
// much more and more is given back, so that nothing jumps where a body rests.
constexpr double k_left = 5e-3;
// Of all of the surface: what contacts have not moved counts at least as so much of it.
constexpr Real k_least_free = Real(0.25);

Real4V turned(Real4V v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
Real4V cross4(Real4V a, Real4V b) { return turned(a * turned(b) - turned(a) * b); }
Real4V abs4(Real4V v) { return v < 0 ? -v : v; }
Real sum3(Real4V v) { return v[0] + v[1] + v[2]; }

// At most how much the contacts have taken: each vertex has about a cell's face.
double swept_volume(const Deformable& body, const PressedBody& x) {
  const BodyShell& shell = body.shell;
  Real4V sum{};
  for (std::size_t n = 0; n < shell.particle.size(); ++n)
    sum += abs4(load4(x.d + shell.particle[n]) - load4(x.from + n));
  return double(sum3(sum)) * body.cell * body.cell;
}

void find_gradients(const BodyShell& shell, const PressedBody& x) {
  const std::size_t count = shell.particle.size();
  std::fill(x.gradient, x.gradient + count, Vec4{});
  const Real4V base = load4(x.base + shell.particle[0]), d = load4(x.d + shell.particle[0]);
  for (std::size_t n = 0; n < count; ++n)
    store4(x.place + n,
           (load4(x.base + shell.particle[n]) - base) + (load4(x.d + shell.particle[n]) - d));
  const Vec4* place = x.place;
  Vec4* gradient = x.gradient;
  for (const Triangle& t : shell.triangles) {
    const Real4V a = load4(place + t[0]);
    const Real4V share = cross4(load4(place + t[1]) - a, load4(place + t[2]) - a) * Real(1. / 6);
    for (const std::int32_t v : t) store4(gradient + v, load4(gradient + v) + share);
  }
}

}  // namespace

void note_shell(const BodyShell& shell, const PressedBody& x) {
  for (std::size_t n = 0; n < shell.particle.size(); ++n) x.from[n] = x.d[shell.particle[n]];
}

bool keep_volume(const Deformable& body, const PressedBody& x, double h) {
  const BodyShell& shell = body.shell;
  const double share = swept_volume(body, x) / (k_left * body.rest_volume) - 1;
  if (share <= 0) return false;
  find_gradients(shell, x);
  // Of what the contacts have moved, they will put back the part along that way.
  Real gained = 0, all = 0, held = 0;
  for (std::size_t n = 0; n < shell.particle.size(); ++n) {
    const Real4V d = load4(x.d + shell.particle[n]), way = d - load4(x.from + n);
    const Real4V g = load4(x.gradient + n);
    const Real along = sum3(g * way), moved = sum3(way * way);
    gained += along;
    all += d[3] * sum3(g * g);
    if (moved > 0) held += d[3] * along * along / moved;
  }
  const double wanted = -double(gained) * std::min(share, 1.0);
  if (wanted <= 0) return false;
  const double softness = body.rest_volume / (shell.bulk_modulus * h * h);
  const double weight = double(std::max(all - held, k_least_free * all)) + softness;
  const Real dlam = Real(wanted / weight);
  for (std::size_t n = 0; n < shell.particle.size(); ++n) {
    Vec4* place = x.d + shell.particle[n];
    const Real4V d = load4(place);
    store4(place, d + load4(x.gradient + n) * (d[3] * dlam));
  }
  return true;
}

}  // namespace pliant
