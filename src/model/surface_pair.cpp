#include "model/surface_pair.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

double combine(Combine rule, double a, double b) {
  switch (rule) {
    case Combine::mean:
      return 0.5 * (a + b);
    case Combine::least:
      return std::min(a, b);
    case Combine::product:
      return a * b;
    case Combine::greatest:
      return std::max(a, b);
    default:
      return std::sqrt(a * b);
  }
}

Combine rule_of(Combine a, Combine b, Combine automatic) {
  const Combine later = std::max(a, b);
  return later == Combine::automatic ? automatic : later;
}

}  // namespace

SurfacePair combined(const Surface& a, const Surface& b) {
  const Combine friction = rule_of(a.friction_combine, b.friction_combine, Combine::geometric);
  const Combine restitution =
      rule_of(a.restitution_combine, b.restitution_combine, Combine::greatest);
  return {combine(friction, a.friction_static, b.friction_static),
          combine(friction, a.friction_kinetic, b.friction_kinetic),
          combine(restitution, a.restitution, b.restitution),
          combine(friction, a.rolling_resistance, b.rolling_resistance),
          combine(friction, a.spinning_resistance, b.spinning_resistance)};
}

}  // namespace pliant
