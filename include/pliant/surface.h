// What contacts need of a thing: friction, restitution, and whom it meets.
#pragma once

#include <cstdint>

namespace pliant {

// How a property of two surfaces is made from those of each. Where they name different rules, the
// one that stands later in this list holds.
enum class Combine { automatic, mean, geometric, least, product, greatest };

struct Surface {
  double friction_static = 0.5;      // Coulomb coefficient at rest; at least the kinetic one
  double friction_kinetic = 0.5;     // Coulomb coefficient while sliding
  double restitution = 0.0;          // 0 stays, 1 gives the approach speed back
  double rolling_resistance = 0.0;   // m; of rigid bodies: torque against rolling / normal force
  double spinning_resistance = 0.0;  // m; torque against turning about the normal / normal force
  Combine friction_combine = Combine::automatic;     // geometric; also of the two resistances
  Combine restitution_combine = Combine::automatic;  // greatest
  bool operator==(const Surface&) const = default;
};

// What meets what: two things meet where each is in a group that the other's mask holds.
struct Filter {
  std::uint32_t groups = 1;          // bits: the groups that it is in
  std::uint32_t mask = 0xffffffffu;  // bits: the groups that it meets
  bool operator==(const Filter&) const = default;
};

}  // namespace pliant
