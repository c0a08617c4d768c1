// Fields of joints.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

template <>
std::span<const Field<JointFreedom>> fields_of<JointFreedom>() {
  using F = JointFreedom;
  static const std::vector<Field<F>> table = {
      {"motion", &F::motion, "",
       "automatic: what the kind says, free but for the length of a distance and for six_dof"},
      {"min", &F::min, "m, rad", "least value where motion is limited", k_place},
      {"max", &F::max, "m, rad", "greatest value where motion is limited", k_place},
      {"compliance", &F::compliance, "m/N, rad/(N m)", "of the lock or the limits; 0 = rigid",
       k_not_negative},
      {"rest", &F::rest, "m, rad", "where the spring has no force", k_place},
      {"stiffness", &F::stiffness, "N/m, N m/rad", "of the spring; 0 = none", k_not_negative},
      {"damping", &F::damping, "N s/m, N m s/rad", "of the motion", k_not_negative},
      {"motor", &F::motor, "", "speed: holds a speed; position: goes to a place and holds it"},
      {"target", &F::target, "m/s, rad/s, m, rad", "speed or place that the motor is to reach",
       k_speed},
      {"max_speed", &F::max_speed, "m/s, rad/s", "of a motor that goes to a position", k_positive},
      {"max_force", &F::max_force, "N, N m", "greatest force or torque of the motor",
       k_not_negative},
      {"friction", &F::friction, "N, N m", "greatest force or torque against any motion",
       k_not_negative},
  };
  return table;
}

template <>
std::span<const Field<JointDef>> fields_of<JointDef>() {
  using D = JointDef;
  static const std::vector<Field<D>> table = {
      {"name", &D::name, "", "unique in the scene; joint_<number> where it is left out"},
      {"kind", &D::kind, "",
       "fixed: nothing moves; ball: turns; hinge: turns about x; slider: moves along x; distance: "
       "keeps a length; cone_twist: twist about x, swing of x within a cone; six_dof: each "
       "coordinate by itself"},
      {"a", std::monostate{}, "", "one side", k_any, true, "anchor_end"},
      {"b", std::monostate{}, "", "the other side", k_any, true, "anchor_end"},
      {"axis", std::monostate{}, "",
       "direction of the joint's x axis in the frame of a; in place of frame_a", k_any, false,
       "direction"},
      {"frame_a", &D::frame_a, "", "from the joint's axes to those of a"},
      {"frame_b", std::monostate{}, "",
       "from the joint's axes to those of b; left out: the axes of both sides agree at the "
       "beginning",
       k_any, false, "rotation"},
      {"freedom", &D::freedom, "",
       "of the angle of a hinge, the offset of a slider, the length of a distance, the twist of a "
       "cone_twist"},
      {"swing", &D::swing, "",
       "of a cone_twist: max is the half angle of the cone; the spring acts on both angles of "
       "swing"},
      {"linear", &D::linear, "", "of six_dof: offsets along x, y and z"},
      {"angular", &D::angular, "", "of six_dof: twist about x, swing about y and about z"},
      {"length",
       &D::length,
       "m",
       "of a distance; 0 = as far as the points are at the beginning",
       {0, 1e6}},
      {"compliance", &D::compliance, "m/N", "of the offsets that the kind holds; 0 = rigid",
       k_not_negative},
      {"angular_compliance", &D::angular_compliance, "rad/(N m)",
       "of the angles that the kind holds; 0 = rigid", k_not_negative},
      {"break_force", &D::break_force, "N",
       "mean force of a step that breaks the joint; 0 = none does", k_not_negative},
      {"break_torque", &D::break_torque, "N m",
       "mean torque of a step that breaks the joint; 0 = none does", k_not_negative},
      {"collide", &D::collide, "", "whether the two rigid bodies that are joined meet each other"},
  };
  return table;
}

}  // namespace pliant
