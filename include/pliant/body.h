// Definition of a rigid body.
#pragma once

#include <array>
#include <memory>
#include <string>

#include <pliant/ids.h>
#include <pliant/path.h>
#include <pliant/shape.h>
#include <pliant/surface.h>

namespace pliant {

enum class Motion { fixed, kinematic, dynamic };

// A law of motion of the user's, in place of Newton's. Called in every substep, from several
// threads at once.
struct LawSample {
  Transform pose{};         // of the centre of mass
  Vec3 velocity{};          // m/s
  Vec3 angular_velocity{};  // rad/s
  Vec3 force{}, torque{};   // N, N m: all but those of contacts and joints
  double mass = 0;          // kg
  double time = 0, h = 0;   // s: when the substep begins, and how long it is
};
struct LawResult {
  Vec3 velocity{};          // m/s, that the contacts and joints of the substep begin with
  Vec3 angular_velocity{};  // rad/s
};
class MotionLaw {
 public:
  virtual ~MotionLaw() = default;
  virtual LawResult advance(const LawSample& sample) const = 0;
};

struct BodyDef {
  std::string name{};  // unique in a scene; may be empty in code
  Motion motion = Motion::dynamic;
  Shape shape = Sphere{};
  Vec3 position{};          // m, of the shape's origin
  Quat rotation{};          // unit
  Vec3 velocity{};          // m/s, of the centre of mass
  Vec3 angular_velocity{};  // rad/s, in world axes
  double density = 1000;    // kg/m3; used where mass is 0
  double mass = 0;          // kg; 0 = from the density
  Vec3 inertia{};           // kg m2 about the body's own axes; 0 = from the shape
  Surface surface{};
  double drag_coefficient = 0;  // of the quadratic drag 1/2 C rho S v^2 in the medium; sphere 0.5
  double linear_drag = 0;       // 1/s; the velocity's rate of decay
  double angular_drag = 0;      // 1/s
  bool allow_sleep = true;
  Path path{};             // kinematic only: where the body is at each time
  std::string material{};  // a word that fields may ask for: "iron"
  Filter filter{};
  bool sensor = false;                  // meets nothing, but reports what overlaps it
  bool ordered_impacts = false;         // of its island, whatever the world's `impacts`
  double gravity_scale = 1;             // of the world's gravity
  double max_speed = 0;                 // m/s; 0 = none
  std::array<bool, 3> lock_position{};  // along the world's x, y, z: keeps its place
  std::array<bool, 3> lock_rotation{};  // about the world's x, y, z: does not turn
  std::shared_ptr<const MotionLaw> law{};
};

}  // namespace pliant
