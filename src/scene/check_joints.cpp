// What the fields of a joint mean together.
#include <fmt/format.h>

#include "scene/check_definitions.h"
#include "scene/check_fields.h"

namespace pliant {
namespace {

// A coordinate of a joint: its place in the definition and the values that limits can have.
struct Coordinate {
  const char* place;
  const JointFreedom* freedom;
  double min, max;
};

// Rounded up, so that a limit written as 3.14159265 is one.
constexpr double k_half_turn = 3.1415927;

void check_freedom(const Coordinate& c, Errors& errors) {
  const JointFreedom& f = *c.freedom;
  const std::string place = c.place;
  const bool limited = f.motion == JointMotion::limited;
  if (limited && !(f.min <= f.max))
    errors.push_back(
        {place + ".min", fmt::format("found {}; accepted: at most max, {}", f.min, f.max)});
  if (limited && (f.min < c.min || f.max > c.max))
    errors.push_back({place + (f.min < c.min ? ".min" : ".max"),
                      fmt::format("found {}; accepted: from {} to {}",
                                  f.min < c.min ? f.min : f.max, c.min, c.max)});
  if (!limited && (f.min != 0 || f.max != 0))
    errors.push_back({place + ".motion",
                      "has min or max, which say nothing unless it is limited; "
                      "accepted: limited, or neither"});
  if (f.motor != MotorKind::none && !(f.max_force > 0))
    errors.push_back({place + ".max_force",
                      "is 0, so that the motor does nothing; accepted: "
                      "greater than 0"});
  const bool driven =
      f.stiffness > 0 || f.damping > 0 || f.motor != MotorKind::none || f.friction > 0;
  if (f.motion == JointMotion::locked && driven)
    errors.push_back(
        {place, "is locked and has a spring, a motor or friction; accepted: one of the two"});
}

bool is_vertex(const AnchorPoint& point) {
  return std::holds_alternative<ClothVertex>(point) || std::holds_alternative<SolidVertex>(point);
}

bool turns_freely(const JointDef& def) {
  for (const JointFreedom& f : def.angular)
    if (f.motion != JointMotion::free || f.stiffness > 0 || f.damping > 0 ||
        f.motor != MotorKind::none || f.friction > 0)
      return false;
  return true;
}

void check_sides(const JointDef& def, Errors& errors) {
  const bool vertex_a = is_vertex(def.a), vertex_b = is_vertex(def.b);
  if (!vertex_a && !vertex_b) return;
  if (def.kind == JointKind::ball || def.kind == JointKind::distance) return;
  if (def.kind == JointKind::six_dof && turns_freely(def)) {
    if (vertex_a)
      errors.push_back({"a",
                        "is a vertex of a cloth or solid, which has no axes to measure offsets "
                        "along; accepted: a vertex as side b only, or a point of a triangle"});
    return;
  }
  errors.push_back({vertex_a ? "a" : "b",
                    "is a vertex of a cloth or solid, which has no axes; accepted: a point of a "
                    "triangle, or kind ball or distance, or six_dof whose three angular motions "
                    "are free"});
}

// What the kind has no use for.
void check_unused(const JointDef& def, Errors& errors) {
  const auto refuse = [&](bool used, const char* place, bool given, const char* kinds) {
    if (!used && given)
      errors.push_back(
          {place, fmt::format("means nothing for this kind; accepted for: {}", kinds)});
  };
  const JointFreedom none;
  const bool one = def.kind == JointKind::hinge || def.kind == JointKind::slider ||
                   def.kind == JointKind::distance || def.kind == JointKind::cone_twist;
  refuse(one, "freedom", !(def.freedom == none), "hinge, slider, distance, cone_twist");
  refuse(def.kind == JointKind::cone_twist, "swing", !(def.swing == none), "cone_twist");
  const bool six = def.kind == JointKind::six_dof;
  const std::array<JointFreedom, 3> three;
  refuse(six, "linear", def.linear != three, "six_dof");
  refuse(six, "angular", def.angular != three, "six_dof");
  refuse(def.kind == JointKind::distance, "length", def.length != 0, "distance");
}

}  // namespace

std::vector<Error> check(const JointDef& def) {
  Errors errors;
  check_fields(def, "", errors);
  if (def.frame_b) check_value(*def.frame_b, "frame_b", errors);
  check_ends(def.a, def.b, errors);
  if (!errors.empty()) return errors;
  const double far = 1e7;
  if (def.kind == JointKind::hinge || def.kind == JointKind::cone_twist)
    check_freedom({"freedom", &def.freedom, -k_half_turn, k_half_turn}, errors);
  if (def.kind == JointKind::slider) check_freedom({"freedom", &def.freedom, -far, far}, errors);
  if (def.kind == JointKind::distance) check_freedom({"freedom", &def.freedom, 0, far}, errors);
  if (def.kind == JointKind::cone_twist) {
    check_freedom({"swing", &def.swing, 0, k_half_turn}, errors);
    if (def.swing.motor != MotorKind::none)
      errors.push_back({"swing.motor", "a cone has none; accepted: none, or kind six_dof"});
  }
  if (def.kind == JointKind::six_dof) {
    static constexpr const char* k_linear[] = {"linear[0]", "linear[1]", "linear[2]"};
    static constexpr const char* k_angular[] = {"angular[0]", "angular[1]", "angular[2]"};
    for (std::size_t k = 0; k < 3; ++k) {
      check_freedom({k_linear[k], &def.linear[k], -far, far}, errors);
      check_freedom({k_angular[k], &def.angular[k], -k_half_turn, k_half_turn}, errors);
    }
  }
  check_sides(def, errors);
  check_unused(def, errors);
  return errors;
}

}  // namespace pliant
