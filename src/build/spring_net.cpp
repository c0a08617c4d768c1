#include "build/spring_net.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "geometry/renumber.h"
#include "model/batches.h"

namespace pliant {
namespace {

constexpr int k_power_steps = 40;
constexpr double k_power_margin = 1.1;  // power iteration comes from below

// Adds the particles of lane `n` of a list of batches to the slots.
struct Slot {
  std::int32_t particle, slot;
};
void add_slot(std::int32_t particle, std::size_t place, std::size_t lane, bool taken_off,
              std::vector<Slot>& slots) {
  slots.push_back(
      {particle, (std::int32_t(place) * k_lanes + std::int32_t(lane)) * 2 + (taken_off ? 1 : 0)});
}

// Rows by their particles, and corners likewise: the same net in whatever order they come. A
// spring's force is the same to the last bit from either end.
template <class Row, class Key>
void sort_rows(std::vector<Row>& rows, const Key& key) {
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Row& a, const Row& b) { return key(a) < key(b); });
}
void put_in_order(SpringRows& rows) {
  for (SpringRow& row : rows.springs) std::sort(row.particle.begin(), row.particle.end());
  for (AreaRow& row : rows.areas) row.particle = in_rising_order(row.particle);
  for (SpringVolumeRow& row : rows.volumes) row.particle = in_rising_order(row.particle);
  const auto corners = [](const auto& row) {
    return std::tuple(row.particle, row.rest, row.stiffness);
  };
  sort_rows(rows.springs, [](const SpringRow& row) {
    return std::tuple(row.particle, row.rest, row.stiffness, row.damping);
  });
  sort_rows(rows.areas, corners);
  sort_rows(rows.volumes, corners);
}

template <class Row, class Batch, class Fill>
void pack(const std::vector<Row>& rows, std::vector<Batch>& batches, const Fill& fill) {
  batches.assign((rows.size() + k_lanes - 1) / k_lanes, Batch{});
  for (std::size_t n = 0; n < rows.size(); ++n)
    fill(rows[n], batches[n / k_lanes], n % k_lanes, n / k_lanes);
}

void pack_springs(const std::vector<SpringRow>& rows, SpringNet& net, std::vector<Slot>& slots) {
  pack(rows, net.springs,
       [&](const SpringRow& row, SpringBatch& b, std::size_t lane, std::size_t place) {
         const int k = int(lane);
         b.i[lane] = row.particle[0], b.j[lane] = row.particle[1];
         b.rest[k] = Real(row.rest);
         b.stiffness[k] = Real(row.stiffness);
         b.damping[k] = Real(row.damping);
         add_slot(row.particle[0], place, lane, false, slots);
         add_slot(row.particle[1], place, lane, true, slots);
       });
}

// Areas and volumes, whose corners have a place in `force` each.
template <std::size_t corners, class Row, class Batch>
void pack_corners(const std::vector<Row>& rows, std::vector<Batch>& batches, std::size_t first,
                  std::vector<Slot>& slots) {
  pack(rows, batches, [&](const Row& row, Batch& b, std::size_t lane, std::size_t place) {
    const int k = int(lane);
    b.rest[k] = Real(row.rest);
    b.stiffness[k] = Real(row.stiffness);
    for (std::size_t n = 0; n < corners; ++n) {
      b.i[n][lane] = row.particle[n];
      add_slot(row.particle[n], first + corners * place + n, lane, false, slots);
    }
  });
}

// --- the greatest eigenvalues of M^-1 K
// Particles of an element, and the gradient of its length, area or volume at rest.
struct Element {
  std::array<std::int32_t, 4> particle{};
  std::array<Vec3, 4> gradient{};
  std::size_t corners = 0;
  double stiffness = 0;
};
using Elements = std::vector<Element>;

Element spring_element(const SpringRow& row, const std::vector<Vec3>& rest, double stiffness) {
  const auto [a, b] = row.particle;
  const Vec3 n = normalized(rest[std::size_t(b)] - rest[std::size_t(a)]);
  return {{a, b}, {-n, n}, 2, stiffness};
}

Element area_element(const AreaRow& row, const std::vector<Vec3>& rest) {
  const auto x = [&](std::size_t n) { return rest[std::size_t(row.particle[n])]; };
  const Vec3 e1 = x(1) - x(0), e2 = x(2) - x(0), n = normalized(cross(e1, e2));
  const Vec3 g1 = cross(e2, n) / 2.0, g2 = cross(n, e1) / 2.0;
  return {
      {row.particle[0], row.particle[1], row.particle[2]}, {-(g1 + g2), g1, g2}, 3, row.stiffness};
}

Element volume_element(const SpringVolumeRow& row, const std::vector<Vec3>& rest) {
  const auto x = [&](std::size_t n) { return rest[std::size_t(row.particle[n])]; };
  const Vec3 e1 = x(1) - x(0), e2 = x(2) - x(0), e3 = x(3) - x(0);
  const Vec3 g1 = cross(e2, e3) / 6.0, g2 = cross(e3, e1) / 6.0, g3 = cross(e1, e2) / 6.0;
  return {row.particle, {-(g1 + g2 + g3), g1, g2, g3}, 4, row.stiffness};
}

double bound_of(const Elements& elements, const std::vector<double>& mass) {
  std::vector<double> sum(mass.size(), 0.0);
  for (const Element& e : elements) {
    double all = 0;
    for (std::size_t k = 0; k < e.corners; ++k) all += length(e.gradient[k]);
    for (std::size_t k = 0; k < e.corners; ++k)
      sum[std::size_t(e.particle[k])] += e.stiffness * length(e.gradient[k]) * all;
  }
  double greatest = 0;
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (mass[i] > 0) greatest = std::max(greatest, sum[i] / mass[i]);
  return greatest;
}

// v <- M^-1 K v, of size 1; returns the size that it had.
double turn_once(const Elements& elements, const std::vector<double>& mass, std::vector<Vec3>& v) {
  std::vector<Vec3> force(v.size());
  for (const Element& e : elements) {
    double rate = 0;
    for (std::size_t k = 0; k < e.corners; ++k)
      rate += dot(e.gradient[k], v[std::size_t(e.particle[k])]);
    for (std::size_t k = 0; k < e.corners; ++k)
      force[std::size_t(e.particle[k])] += e.gradient[k] * (e.stiffness * rate);
  }
  double size = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = mass[i] > 0 ? force[i] / mass[i] : Vec3{};
    size += length_sq(v[i]);
  }
  size = std::sqrt(size);
  for (Vec3& x : v) x = size > 0 ? x / size : x;
  return size;
}

double greatest_eigenvalue(const Elements& elements, const std::vector<double>& mass) {
  std::vector<Vec3> v(mass.size());
  std::uint32_t number = 1;
  const auto next = [&] {
    number = number * 1664525u + 1013904223u;
    return double(number >> 8) / 16777216.0 - 0.5;
  };
  for (Vec3& x : v) x = {next(), next(), next()};
  double value = 0;
  for (int n = 0; n < k_power_steps; ++n) value = turn_once(elements, mass, v);
  return std::min(k_power_margin * value, bound_of(elements, mass));
}

void bound_springs(const SpringRows& rows, const std::vector<Vec3>& rest,
                   const std::vector<double>& mass, SpringNet& net) {
  Elements elements;
  for (const SpringRow& row : rows.springs)
    elements.push_back(spring_element(row, rest, row.damping));
  net.damping_bound = greatest_eigenvalue(elements, mass);
  for (std::size_t n = 0; n < rows.springs.size(); ++n)
    elements[n].stiffness = rows.springs[n].stiffness;
  for (const AreaRow& row : rows.areas) elements.push_back(area_element(row, rest));
  for (const SpringVolumeRow& row : rows.volumes) elements.push_back(volume_element(row, rest));
  net.stiffness_bound = greatest_eigenvalue(elements, mass);
}

}  // namespace

SpringNet make_spring_net(SpringRows rows, const std::vector<Vec3>& rest,
                          const std::vector<double>& mass, SpringIntegrator integrator) {
  put_in_order(rows);
  SpringNet net;
  net.integrator = integrator;
  net.missing = rows.missing;
  std::vector<Slot> slots;
  pack_springs(rows.springs, net, slots);
  pack_corners<3>(rows.areas, net.areas, net.springs.size(), slots);
  pack_corners<4>(rows.volumes, net.volumes, net.springs.size() + 3 * net.areas.size(), slots);
  net.force.resize((net.springs.size() + 3 * net.areas.size() + 4 * net.volumes.size()) *
                   std::size_t(k_lanes));
  std::stable_sort(slots.begin(), slots.end(),
                   [](const Slot& a, const Slot& b) { return a.particle < b.particle; });
  net.slot_begin.assign(rest.size() + 1, 0);
  for (const Slot& s : slots) {
    ++net.slot_begin[std::size_t(s.particle) + 1];
    net.slot.push_back(s.slot);
  }
  std::partial_sum(net.slot_begin.begin(), net.slot_begin.end(), net.slot_begin.begin());
  net.moved.resize(rest.size());
  bound_springs(rows, rest, mass, net);
  return net;
}

}  // namespace pliant
