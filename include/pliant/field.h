// Fields of force by name. All act on rigid bodies, and those that are not of a material also on
// cloth and solids. A user's own is a ForceField.
#pragma once

#include <string>
#include <variant>

#include <pliant/defs.h>

namespace pliant {

struct UniformGravity {
  Vec3 acceleration{0, -9.81, 0};  // m/s2
};
// a = strength r / (|r|^2 + softening^2)^(3/2), r towards the point.
struct PointGravity {
  Vec3 position{};          // m
  double strength = 1;      // m3/s2; negative pushes away
  double softening = 0.01;  // m
};
// F = -1/2 C rho S |v| v of a rigid body, whose cross-section is S, against a medium in motion.
struct Drag {
  double density = 1.276;    // kg/m3
  double coefficient = 0.5;  // C
  Vec3 velocity{};           // m/s, of the medium
};
// Pushes away from a point for a while, as a PointGravity that is negative.
struct Explosion {
  Vec3 position{};          // m
  double strength = 100;    // m3/s2
  double softening = 0.01;  // m
};
// Attracts bodies of a material as PointGravity does.
struct Magnet {
  Vec3 position{};               // m
  double strength = 1;           // m3/s2
  double softening = 0.01;       // m
  std::string material{"iron"};  // of the bodies that it acts on
};
// Drags bodies round an axis: the medium turns as a rigid core within the radius, and beyond as a
// free vortex, whose speed falls as 1 / distance.
struct Vortex {
  Vec3 position{};     // m, of a point of the axis
  Vec3 axis{0, 1, 0};  // unit
  double speed = 1;    // m/s, at the radius
  double radius = 1;   // m
  double rate = 1;     // 1/s, at which bodies take on the speed of the medium
};
using FieldKind = std::variant<UniformGravity, PointGravity, Drag, Explosion, Magnet, Vortex>;

struct FieldDef {
  std::string name{};
  FieldKind kind = UniformGravity{};
  double begin = 0;     // s, of the world's time
  double duration = 0;  // s; 0 = for ever. Substeps that it covers in part count by their part
  double range = 0;     // m, from its position; 0 = everywhere
};

}  // namespace pliant
