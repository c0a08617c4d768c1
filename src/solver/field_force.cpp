#include "solver/field_force.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

// A source of attraction at a point; explosions have a negative strength.
struct Source {
  Vec3 position;
  double strength = 0, softening = 0;
};

bool in_range(const FieldDef& def, const Vec3& position, const Vec3& from) {
  return def.range <= 0 || length_sq(position - from) <= def.range * def.range;
}

// False for a field that has no source, or does not act on the sample.
bool source_of(const FieldDef& def, const FieldSample& sample, Source& out) {
  if (const auto* p = std::get_if<PointGravity>(&def.kind)) {
    out = {p->position, p->strength, p->softening};
  } else if (const auto* e = std::get_if<Explosion>(&def.kind)) {
    out = {e->position, -e->strength, e->softening};
  } else if (const auto* m = std::get_if<Magnet>(&def.kind)) {
    if (sample.material == nullptr || *sample.material != m->material) return false;
    out = {m->position, m->strength, m->softening};
  } else {
    return false;
  }
  return in_range(def, sample.position, out.position);
}

// m/s: v after the time h against F = -1/2 C rho S |v| v. Its exact solution is
//   v / (1 + k |v| h / m), k = 1/2 C rho S.
Vec3 after_drag(const Drag& drag, const FieldSample& sample, double h) {
  const Vec3 relative = sample.velocity - drag.velocity;
  const double k = 0.5 * drag.coefficient * drag.density * sample.drag_area;
  return drag.velocity + relative * (1 / (1 + k * length(relative) * h / sample.mass));
}

Vec3 medium_velocity(const Vortex& vortex, const Vec3& position) {
  const Vec3 axis = normalized(vortex.axis);
  const Vec3 from = position - vortex.position;
  const Vec3 round = cross(axis, from);  // as long as the distance from the axis
  const double squared = length_sq(round), core = vortex.radius * vortex.radius;
  const double rate = vortex.speed * vortex.radius / std::max(squared, core);
  return round * rate;
}

}  // namespace

double covered_share(const FieldDef& def, double time, double h) {
  const double from = std::max(time, def.begin);
  const double to = def.duration > 0 ? std::min(time + h, def.begin + def.duration) : time + h;
  return std::clamp((to - from) / h, 0.0, 1.0);
}

bool comes_or_goes(const FieldDef& def, double time, double h) {
  const auto within = [&](double t) { return t >= time && t < time + h; };
  return within(def.begin) || (def.duration > 0 && within(def.begin + def.duration));
}

bool drags(const FieldDef& def) {
  return std::holds_alternative<Drag>(def.kind) || std::holds_alternative<Vortex>(def.kind);
}

Vec3 field_acceleration(const FieldDef& def, const FieldSample& sample) {
  if (const auto* g = std::get_if<UniformGravity>(&def.kind)) return g->acceleration;
  Source source;
  if (!source_of(def, sample, source)) return {};
  const Vec3 r = source.position - sample.position;
  const double squared = length_sq(r) + source.softening * source.softening;
  if (!(squared > 0)) return {};  // at the very centre of what is not softened
  return r * (source.strength / (squared * std::sqrt(squared)));
}

double field_energy(const FieldDef& def, const FieldSample& sample) {
  if (const auto* g = std::get_if<UniformGravity>(&def.kind))
    return -sample.mass * dot(g->acceleration, sample.position);
  Source source;
  if (!source_of(def, sample, source)) return 0;
  const double soft = source.softening * source.softening;
  const auto inverse = [&](double squared) {
    return squared + soft > 0 ? 1 / std::sqrt(squared + soft) : 0.0;
  };
  const double end = def.range > 0 ? inverse(def.range * def.range) : 0;
  const double here = inverse(length_sq(source.position - sample.position));
  return -sample.mass * source.strength * (here - end);
}

Vec3 carried_velocity(const FieldDef& def, const FieldSample& sample, double h) {
  if (const auto* drag = std::get_if<Drag>(&def.kind)) return after_drag(*drag, sample, h);
  const auto& vortex = std::get<Vortex>(def.kind);
  if (!in_range(def, sample.position, vortex.position)) return sample.velocity;
  const double pull = vortex.rate * h;
  return (sample.velocity + medium_velocity(vortex, sample.position) * pull) * (1 / (1 + pull));
}

}  // namespace pliant
