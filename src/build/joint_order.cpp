#include "build/joint_order.h"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

struct Incidence {
  std::int32_t body, joint;
  auto operator<=>(const Incidence&) const = default;
};

// A body that was entered through a joint, and the next of its joints to look at.
struct Visit {
  std::int32_t body, joint;
  std::size_t next;
};

std::array<std::int32_t, 2> moving_sides(const Joint& joint, const RigidBodies& rigid) {
  const auto moving = [&](const AnchorSide& side) {
    return side.rigid >= 0 && rigid.dynamic(side.rigid) ? side.rigid : -1;
  };
  return {moving(joint.a), moving(joint.b)};
}

}  // namespace

std::vector<std::int32_t> tree_order(std::span<const Joint> joints,
                                     std::span<const std::int32_t> group,
                                     const RigidBodies& rigid) {
  std::vector<Incidence> incidences;  // by body, then by creation
  for (const std::int32_t n : group)
    for (const std::int32_t body : moving_sides(joints[std::size_t(n)], rigid))
      if (body >= 0) incidences.push_back({body, n});
  std::sort(incidences.begin(), incidences.end());
  const auto first_of = [&](std::int32_t body) {
    return std::size_t(std::lower_bound(incidences.begin(), incidences.end(), Incidence{body, -1}) -
                       incidences.begin());
  };
  std::vector<std::int32_t> order;
  std::vector<bool> used(joints.size());
  std::vector<Visit> stack;
  const auto enter = [&](std::int32_t body, std::int32_t joint) {
    stack.push_back({body, joint, first_of(body)});
  };
  if (!incidences.empty()) enter(incidences[0].body, -1);
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next == incidences.size() || incidences[top.next].body != top.body) {
      if (top.joint >= 0) order.push_back(top.joint);
      stack.pop_back();
      continue;
    }
    const std::int32_t joint = incidences[top.next++].joint, here = top.body;
    if (used[std::size_t(joint)]) continue;
    used[std::size_t(joint)] = true;
    const auto [a, b] = moving_sides(joints[std::size_t(joint)], rigid);
    const std::int32_t other = a == here ? b : a;
    if (other >= 0)
      enter(other, joint);
    else
      order.push_back(joint);
  }
  return order;
}

}  // namespace pliant
