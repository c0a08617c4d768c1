// Joints: what holds two things together and lets them move in some ways.
#pragma once

#include <array>
#include <optional>
#include <string>

#include <pliant/defs.h>

namespace pliant {

// A joint has a frame of axes on each side. Its coordinates are where side b is, seen from side a:
// three offsets along the axes of a (m) and three angles (rad): the twist about x, and the y and z
// parts of the rotation vector that swings the x axis of a onto that of b.
enum class JointKind {
  fixed,       // nothing moves
  ball,        // turns freely
  hinge,       // turns about x
  slider,      // moves along x
  distance,    // keeps the length between the two points
  cone_twist,  // turns: twist about x, swing of the x axis within a cone
  six_dof,     // each of the six coordinates by itself
};

// Automatic: what the kind says, which is free, but locked for the length of a distance and for
// the coordinates of six_dof.
enum class JointMotion { automatic, free, limited, locked };

// Speed: holds a speed. Position: goes to a place and holds it.
enum class MotorKind { none, speed, position };

// One coordinate of a joint. Units are those of motion along an axis | about an axis.
struct JointFreedom {
  JointMotion motion = JointMotion::automatic;
  double min = 0, max = 0;  // m | rad, of `limited`
  double compliance = 0;    // m/N | rad/(N m), of a lock or a limit; 0 = rigid
  double rest = 0;          // m | rad, where the spring has no force
  double stiffness = 0;     // N/m | N m/rad, of the spring; 0 = none
  double damping = 0;       // N s/m | N m s/rad
  MotorKind motor = MotorKind::none;
  double target = 0;     // of the motor: m/s | rad/s, or m | rad
  double max_speed = 1;  // m/s | rad/s, of a motor that goes to a position
  double max_force = 0;  // N | N m, of the motor
  double friction = 0;   // N | N m, against any motion, at most
  bool operator==(const JointFreedom&) const = default;
};

// The frame of a point of a triangle of a cloth or a solid turns with the triangle: its x axis goes
// along the first side, its y axis along the normal. A vertex of a cloth or a solid has no axes:
// ball, distance, and six_dof whose angles are free take such sides; of six_dof only b may be one.
struct JointDef {
  std::string name{};
  JointKind kind = JointKind::ball;
  AnchorPoint a{};
  AnchorPoint b{};
  Quat frame_a{};                 // of the joint's axes in the frame of a; see joint_frame
  std::optional<Quat> frame_b{};  // in the frame of b; none = so that the two agree when made
  JointFreedom freedom{};         // of hinge (angle), slider (offset), distance (length) and
                                  // cone_twist (twist)
  JointFreedom swing{};           // of cone_twist: `max` is the half angle of the cone; its
                                  // spring acts on both angles of swing
  std::array<JointFreedom, 3> linear{};   // of six_dof, along x, y and z
  std::array<JointFreedom, 3> angular{};  // of six_dof: twist, swing about y, swing about z
  double length = 0;                      // m, of a distance that is locked; 0 = as when it is made
  double compliance = 0;                  // m/N, of the offsets that the kind holds
  double angular_compliance = 0;          // rad/(N m), of the angles that it holds
  double break_force = 0;                 // N, mean of a step, that breaks the joint; 0 = none does
  double break_torque = 0;                // N m
  bool collide = false;                   // whether the joined rigid bodies meet each other
};

// Axes whose x axis is the given direction, for frame_a.
Quat joint_frame(const Vec3& x_axis);

// What a joint does now.
struct JointStatus {
  bool broken = false;
  Vec3 offset;              // m, of b from a, along the axes of a; of a distance x is the length
  Vec3 angle;               // rad: twist, swing about y, swing about z
  Vec3 force, torque;       // N and N m in world axes, on side a, mean over the last step
  Vec3 motor, motor_angle;  // N and N m, of the motors along and about each axis
};

}  // namespace pliant
