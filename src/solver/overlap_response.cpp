#include "solver/overlap_response.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double k_dead_band = 0.3;  // of the pressures, within which nothing moves
constexpr double k_compared = 1000;  // times the least depth that counts: a thousandth of a cell
constexpr int k_sweeps = 4;          // over the impulses

// `visit(particle, weight, sign)` for the particles of both sides.
template <class Visit>
void each_corner(const OverlapContact& c, const Visit& visit) {
  for (const auto& [side, sign] : {std::pair{&c.a, 1.0}, std::pair{&c.b, -1.0}})
    for (std::size_t k = 0; k < 4; ++k)
      if (side->weight[k] > 0) visit(std::size_t(side->particle[k]), side->weight[k], sign);
}

Vec3 relative_velocity(const OverlapContact& c, const OverlapField& field) {
  Vec3 v;
  each_corner(c,
              [&](std::size_t p, double w, double sign) { v += (sign * w) * field.velocity[p]; });
  return v;
}

// 1/kg, of a contact by itself.
double give_of(const OverlapContact& c, const OverlapField& field) {
  double give = 0;
  each_corner(c, [&](std::size_t p, double w, double) { give += w * w * field.inverse_mass[p]; });
  return give;
}

bool gives_way(const OverlapSide& side, const OverlapField& field) {
  for (std::size_t k = 0; k < 4; ++k)
    if (side.weight[k] > 0 && field.inverse_mass[std::size_t(side.particle[k])] > 0) return true;
  return false;
}

Vec3 pressure_of(const OverlapSide& side, const OverlapField& field) {
  Vec3 p;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = std::size_t(side.particle[k]);
    if (side.weight[k] > 0 && field.area[i] > 0)
      p += (side.weight[k] / field.area[i]) * field.force[i];
  }
  return p;
}

void give_impulse(const OverlapContact& c, const Vec3& impulse, OverlapField& field) {
  each_corner(c, [&](std::size_t p, double w, double sign) {
    field.velocity[p] += (sign * w * field.inverse_mass[p]) * impulse;
  });
}

// Within the cone of friction.
Vec3 in_cone(const Vec3& impulse, const OverlapFriction& friction, double normal) {
  const double size = length(impulse);
  if (size <= friction.still * normal) return impulse;
  return std::min(1.0, friction.sliding * normal / size) * impulse;
}

// Friction alone, contact by contact: were it given to all at once, each with its share of what the
// particle has, heaps would creep.
void rub(std::span<const OverlapContact> contacts, std::span<const OverlapFriction> friction,
         OverlapField& field, OverlapImpulses& impulses) {
  for (int sweep = 0; sweep < k_sweeps; ++sweep)
    for (std::size_t n = 0; n < contacts.size(); ++n) {
      const OverlapContact& c = contacts[n];
      const double give = give_of(c, field);
      if (give <= 0) continue;
      const Vec3 v = relative_velocity(c, field);
      const Vec3 across = v - dot(v, c.normal) * c.normal;
      const Vec3 held =
          in_cone(impulses.friction[n] - across / give, friction[n], impulses.normal[n]);
      give_impulse(c, held - impulses.friction[n], field);
      impulses.friction[n] = held;
    }
}

}  // namespace

void list_touched(std::span<const OverlapContact> contacts, std::size_t particles,
                  OverlapField& field) {
  for (std::vector<double>* list :
       {&field.inverse_mass, &field.area, &field.reach, &field.weight, &field.moved})
    list->resize(particles);
  for (std::vector<Vec3>* list : {&field.velocity, &field.force, &field.shift})
    list->resize(particles);
  field.count.assign(particles, 0);
  field.touched.clear();
  for (const OverlapContact& c : contacts)
    each_corner(c, [&](std::size_t p, double, double) {
      if (field.count[p]++ == 0) field.touched.push_back(std::int32_t(p));
    });
  std::sort(field.touched.begin(), field.touched.end());
}

bool is_compared(const OverlapContact& contact) {
  return contact.depth > k_compared * contact.least;
}

void begin_shares(std::span<const OverlapContact> contacts, const OverlapField& field,
                  std::vector<double>& share) {
  share.resize(contacts.size());
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const bool a = gives_way(contacts[n].a, field), b = gives_way(contacts[n].b, field);
    share[n] = a == b ? 0.5 : a ? 1 : 0;
  }
}

void find_shifts(std::span<const OverlapContact> contacts, std::span<const double> share,
                 OverlapField& field) {
  for (const std::int32_t p : field.touched)
    field.shift[std::size_t(p)] = {}, field.weight[std::size_t(p)] = 0;
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const OverlapContact& c = contacts[n];
    if (c.depth <= 0 || c.led) continue;
    each_corner(c, [&](std::size_t p, double w, double sign) {
      const double part = sign > 0 ? share[n] : share[n] - 1;
      field.shift[p] += (w * part * c.depth) * c.normal;
      field.weight[p] += w;
    });
  }
  for (const std::int32_t i : field.touched) {
    const std::size_t p = std::size_t(i);
    if (field.inverse_mass[p] <= 0 || field.weight[p] <= 0) {
      field.shift[p] = {};
      continue;
    }
    field.shift[p] = field.shift[p] / field.weight[p];
    const double size = length(field.shift[p]);
    if (size > field.reach[p]) field.shift[p] *= field.reach[p] / size;
  }
}

void compare_pressures(std::span<const OverlapContact> contacts, const OverlapField& field,
                       double step, std::span<double> share) {
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const OverlapContact& c = contacts[n];
    if (!is_compared(c) || !gives_way(c.a, field) || !gives_way(c.b, field)) continue;
    const double a = dot(pressure_of(c.a, field), c.normal);
    const double b = dot(pressure_of(c.b, field), c.normal);
    if (std::abs(a + b) <= k_dead_band * (std::abs(a) + std::abs(b))) continue;
    share[n] += a + b > 0 ? step : -step;
  }
}

void stop_approach(std::span<const OverlapContact> contacts,
                   std::span<const OverlapFriction> friction, OverlapField& field,
                   OverlapImpulses& impulses) {
  impulses.normal.assign(contacts.size(), 0);
  impulses.friction.assign(contacts.size(), Vec3{});
  for (int sweep = 0; sweep < k_sweeps; ++sweep)
    for (std::size_t n = 0; n < contacts.size(); ++n) {
      const OverlapContact& c = contacts[n];
      const double give = give_of(c, field);
      if (give <= 0) continue;
      const Vec3 v = relative_velocity(c, field);
      const double speed = dot(v, c.normal);
      const double normal = std::max(0.0, impulses.normal[n] - speed / give);
      const Vec3 across = v - speed * c.normal;
      const Vec3 held = in_cone(impulses.friction[n] - across / give, friction[n], normal);
      give_impulse(c, (normal - impulses.normal[n]) * c.normal + (held - impulses.friction[n]),
                   field);
      impulses.normal[n] = normal;
      impulses.friction[n] = held;
    }
}

double take_off(std::span<OverlapContact> contacts, std::span<const Vec3> before,
                const OverlapField& field, double h) {
  double most = 0;
  for (OverlapContact& c : contacts) {
    Vec3 parted;
    each_corner(c, [&](std::size_t p, double w, double sign) {
      parted += (sign * w * h * field.moved[p]) * (field.velocity[p] - before[p]);
    });
    c.depth -= dot(parted, c.normal);
    if (c.depth <= c.least) c.depth = 0;
    if (!c.led) most = std::max(most, c.depth);
  }
  return most;
}

void spring_apart(std::span<const OverlapContact> contacts,
                  std::span<const OverlapFriction> friction, const PenaltySettings& settings,
                  OverlapField& field, OverlapImpulses& impulses) {
  impulses.normal.assign(contacts.size(), 0);
  impulses.friction.assign(contacts.size(), Vec3{});
  const double damping = std::min(1.0, 2 * std::sqrt(settings.share));
  for (const std::int32_t p : field.touched) field.weight[std::size_t(p)] = 0;
  for (const OverlapContact& c : contacts)
    each_corner(c, [&](std::size_t p, double w, double) { field.weight[p] += w; });
  for (std::size_t n = 0; n < contacts.size(); ++n) {
    const OverlapContact& c = contacts[n];
    double give = 0;
    each_corner(c, [&](std::size_t p, double w, double) {
      give += w * field.weight[p] * field.inverse_mass[p];
    });
    if (give <= 0) continue;
    const double speed = dot(relative_velocity(c, field), c.normal);
    const double wanted = settings.share * c.depth / settings.h - damping * speed;
    const double most = settings.push_speed - speed;
    const double normal = std::max(0.0, std::min(wanted, most) / give);
    impulses.normal[n] = normal;
  }
  for (std::size_t n = 0; n < contacts.size(); ++n)
    give_impulse(contacts[n], impulses.normal[n] * contacts[n].normal, field);
  rub(contacts, friction, field, impulses);
}

}  // namespace pliant
