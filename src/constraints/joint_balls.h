// Groups of ball joints: joints that hold two points together and nothing else, between rigid
// bodies. Chains, bridges and ragdolls are made of them, so what the general way does row by row
// (joint.h has the equations) is done here in blocks of three by three, in world axes.
//
//   (K + S) x = -t,  K_mn = J_m M^-1 J_n^T, S = softness, t target, of each joint
// With r from a body's centre to the joint's point (that of side b), w its inverse mass and J its
// inverse inertia, joints m and n of one body have K_mn = +-(w 1 - [r_m] J [r_n]); the signs differ
// where it is side a of one and side b of the other. Solved by L D L^T in blocks, inside the
// envelope of K.
#pragma once

#include <vector>

#include "constraints/joint.h"

namespace pliant {

// Locks its three offsets, rigidly, and asks for nothing else.
bool is_ball_joint(const Joint& joint);

// A group, as it is until the joints are listed anew, and its impulses while it holds them: the
// joints themselves are large and lie apart.
struct BallGroup {
  struct Link {
    std::int32_t a = -1, b = -1;  // bodies of the group; -1: a point of the world
    Vec3 point_a, point_b;        // in their frames
    Quat frame;                   // of side a
    Vec3 at;                      // m, where the offsets are locked
    Vec3 held, relaxed;           // N s along the offsets, on side b: as in JointMemory
    Vec3 given;                   // N s in world axes, of the step so far
  };
  std::vector<std::int32_t> bodies;
  std::vector<Link> links;
  std::vector<std::int32_t> first;  // of each link: the first that its row of blocks reaches
  std::vector<std::int32_t> start;  // of each link: where that row begins
  std::int32_t blocks = 0;
  bool holds = false;
};
void list_balls(JointPart part, BallGroup& group);
// From the joints, and back to them.
void take_impulses(JointPart part, BallGroup& group);
void return_impulses(JointPart part, BallGroup& group);

// All that solve_joints and relax_joints do, with what comes before and after them.
void solve_balls(const JointContext& context, int sweeps, BallGroup& group);
void relax_balls(const JointContext& context, int sweeps, BallGroup& group);

}  // namespace pliant
