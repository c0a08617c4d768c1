// Groups of ball joints in blocks against the general way, row by row.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "build/joint_order.h"
#include "build/joint_rules.h"
#include "constraints/joint_balls.h"
#include "model/rigid.h"
#include "random_points.h"

namespace pliant {
namespace {

constexpr double k_h = 1.0 / 480;
// Velocities of up to 20 m/s are rounded to Real some ten times; where something is held twice, the
// softness of 1e-4 makes up to ten thousand times as much of one such rounding, of 1e-6 m/s. In
// double it is the elimination that counts there: K has levers that make its greatest eigenvalue a
// hundred times what a body yields, so that the condition is 1e6, and of 20 m/s * 1e-16 some ten
// roundings are 2e-8 m/s.
constexpr double k_good = sizeof(Real) == 8 ? 1e-12 : 1e-4;
constexpr double k_good_in_loops = sizeof(Real) == 8 ? 1e-7 : 1e-2;

struct Rig {
  RigidBodies rigid;
  std::vector<Joint> joints;
  std::vector<std::int32_t> order, first;

  JointContext context() { return {{k_h, {}, nullptr, &rigid, {}}, 1}; }
  JointPart part() { return {joints, order, first}; }
  // A body, and a joint to one before it or (-1) to a point of the world, some micrometres open.
  void add(test::Random& random, std::int32_t to, Motion motion, bool locked) {
    BodyDef def{.shape = Box{{0.5, 0.6, 0.8}}, .position = random.point(1)};
    def.rotation = random.rotation();
    def.motion = motion;
    def.velocity = random.point(2);
    def.angular_velocity = random.point(3);
    if (locked) def.lock_position = {false, true, false};
    const std::int32_t body = append_body(rigid, def, std::uint32_t(rigid.size()));
    join(random, to, body);
  }
  void join(test::Random& random, std::int32_t from, std::int32_t to) {
    Joint joint;
    joint.def.kind = JointKind::ball;
    const Vec3 place = random.point(1);
    joint.a.rigid = from;
    joint.b.rigid = to;
    const auto local = [&](std::int32_t i, const Vec3& p) {
      return i < 0 ? p
                   : rotate_inverse(rigid.rotation[std::size_t(i)],
                                    p - rigid.position[std::size_t(i)]);
    };
    joint.a.point = local(from, place);
    joint.b.point = local(to, place + random.point(1e-4));
    joint.frame_a = random.rotation();
    build_joint_rules(joint, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      joint.memory.held[k] = random.number(0.1);
      joint.memory.relaxed[k] = random.number(0.1);
    }
    joints.push_back(joint);
  }
  // As the world lists them: a tree from its ends, each from the first with which it shares a body.
  void list() {
    std::vector<std::int32_t> all;
    for (std::size_t n = 0; n < joints.size(); ++n) all.push_back(std::int32_t(n));
    order = tree_order(joints, all, rigid);
    ASSERT_EQ(order.size(), joints.size());
    for (std::size_t m = 0; m < order.size(); ++m) {
      std::int32_t lowest = std::int32_t(m);
      for (std::size_t n = m; n-- > 0;) {
        const Joint &p = joints[std::size_t(order[m])], &q = joints[std::size_t(order[n])];
        for (const std::int32_t i : {p.a.rigid, p.b.rigid})
          if (i >= 0 && rigid.dynamic(i) && (i == q.a.rigid || i == q.b.rigid))
            lowest = std::int32_t(n);
      }
      first.push_back(lowest);
    }
  }
};

// A tree of bodies; with `loops`, some are joined twice, one is kinematic and one keeps its height:
// what is held twice gives way by the softness alone, so that impulses say little there.
Rig random_rig(test::Random& random, int bodies, bool loops) {
  Rig rig;
  for (int n = 0; n < bodies; ++n) {
    const int to = n == 0 ? -1 : int(std::abs(random.number(1)) * n) % n;
    // The kinematic one would part the group.
    rig.add(random, to == 2 ? 1 : to, loops && n == 2 ? Motion::kinematic : Motion::dynamic,
            loops && n == 4);
  }
  for (int n = 3; loops && n < bodies; n += 4) rig.join(random, n, n - 1);
  rig.list();
  return rig;
}

void general_way(Rig& rig, bool relax) {
  const JointContext context = rig.context();
  JointSystem system;
  for (Joint& joint : rig.joints) {
    if (relax)
      begin_relaxing(context, joint);
    else
      begin_joint(context, joint), warm_start_joint(context, joint);
  }
  (relax ? relax_joints : solve_joints)(context, rig.part(), system);
  for (Joint& joint : rig.joints) relax ? note_relaxed(joint) : note_solved(joint, k_h);
}

void in_blocks(Rig& rig, bool relax) {
  BallGroup group;
  list_balls(rig.part(), group);
  take_impulses(rig.part(), group);
  (relax ? relax_balls : solve_balls)(rig.context(), 1, group);
  return_impulses(rig.part(), group);
}

double difference(const Rig& a, const Rig& b, bool impulses) {
  double worst = 0;
  const auto look = [&](const Vec3& p, const Vec3& q) { worst = std::max(worst, length(p - q)); };
  for (std::size_t i = 0; i < a.rigid.motion.size(); ++i) {
    look(cast<double>(xyz(a.rigid.motion[i].velocity)),
         cast<double>(xyz(b.rigid.motion[i].velocity)));
    look(cast<double>(xyz(a.rigid.motion[i].spin)), cast<double>(xyz(b.rigid.motion[i].spin)));
  }
  for (std::size_t n = 0; impulses && n < a.joints.size(); ++n) {
    const JointMemory &p = a.joints[n].memory, &q = b.joints[n].memory;
    const double mass = a.rigid.mass[0].mass;  // impulses by a mass are velocities
    for (std::size_t k = 0; k < k_joint_axes; ++k) {
      worst = std::max(worst, std::abs(p.held[k] - q.held[k]) / mass);
      worst = std::max(worst, std::abs(p.relaxed[k] - q.relaxed[k]) / mass);
    }
    look(a.joints[n].impulse / mass, b.joints[n].impulse / mass);
  }
  return worst;
}

TEST(JointBalls, blocks_do_what_rows_do) {
  test::Random random(12);
  for (int n = 0; n < 60; ++n) {
    for (const bool relax : {false, true}) {
      const bool loops = n % 3 == 0;
      const Rig rig = random_rig(random, 2 + n % 12, loops);
      for (const Joint& joint : rig.joints) ASSERT_TRUE(is_ball_joint(joint));
      Rig rows = rig, blocks = rig;
      general_way(rows, relax);
      in_blocks(blocks, relax);
      EXPECT_GT(difference(rows, rig, false), 0.1);
      EXPECT_LT(difference(rows, blocks, !loops), loops ? k_good_in_loops : k_good)
          << n << (relax ? " relaxing" : "");
    }
  }
}

TEST(JointBalls, other_joints_are_none) {
  const auto is_ball = [](const JointDef& def) {
    Joint joint;
    joint.def = def;
    build_joint_rules(joint, 1);
    return is_ball_joint(joint);
  };
  EXPECT_TRUE(is_ball({.kind = JointKind::ball}));
  for (const JointKind kind :
       {JointKind::fixed, JointKind::hinge, JointKind::slider, JointKind::distance})
    EXPECT_FALSE(is_ball({.kind = kind})) << int(kind);
  JointDef soft{.kind = JointKind::ball};
  soft.compliance = 1e-6;
  EXPECT_FALSE(is_ball(soft));
}

}  // namespace
}  // namespace pliant
