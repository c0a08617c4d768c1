// The order in which joints are eliminated: every joint once, from the ends of the tree inwards.
#include "build/joint_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

struct Net {
  RigidBodies rigid;
  std::vector<Joint> joints;
  std::vector<std::int32_t> group;

  explicit Net(int bodies) { rigid.kind.assign(std::size_t(bodies), Motion::dynamic); }
  void join(std::int32_t a, std::int32_t b) {  // b -1: a point of the world
    Joint joint;
    joint.a.rigid = a;
    joint.b.rigid = b;
    group.push_back(std::int32_t(joints.size()));
    joints.push_back(joint);
  }
  std::vector<std::int32_t> order() const { return tree_order(joints, group, rigid); }
};

bool share(const Joint& p, const Joint& q) {
  for (const std::int32_t i : {p.a.rigid, p.b.rigid})
    for (const std::int32_t j : {q.a.rigid, q.b.rigid})
      if (i >= 0 && i == j) return true;
  return false;
}

// Entries of the factor that are not of two joints that share a body.
int fill(const Net& net, const std::vector<std::int32_t>& order) {
  const std::size_t n = order.size();
  std::vector<std::vector<bool>> full(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      full[i][j] = share(net.joints[std::size_t(order[i])], net.joints[std::size_t(order[j])]);
  int more = 0;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < i; ++j)
        if (full[i][k] && full[j][k] && !full[i][j]) {
          full[i][j] = full[j][i] = true;
          ++more;
        }
  return more;
}

TEST(JointOrder, trees_are_eliminated_without_fill) {
  std::mt19937 random(3);
  int filled_before = 0;
  for (int n = 0; n < 200; ++n) {
    const int bodies = 2 + int(random() % 30);
    Net net(bodies);
    for (std::int32_t b = 1; b < bodies; ++b) net.join(std::int32_t(random() % unsigned(b)), b);
    if (n % 3 == 0) net.join(std::int32_t(random() % unsigned(bodies)), -1);
    std::vector<std::int32_t> order = net.order(), sorted = order;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(sorted, net.group);
    EXPECT_EQ(fill(net, order), 0);
    filled_before += fill(net, net.group);
  }
  EXPECT_GT(filled_before, 1000);  // the order of creation does fill
}

TEST(JointOrder, loops_have_every_joint_once) {
  Net net(6);
  for (std::int32_t b = 0; b < 6; ++b) net.join(b, (b + 1) % 6);
  net.join(0, 3);
  std::vector<std::int32_t> order = net.order();
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, net.group);
}

}  // namespace
}  // namespace pliant
