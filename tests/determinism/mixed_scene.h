// A scene with everything in it, small enough to step hundreds of times in a second.
#pragma once

#include <pliant/pliant.h>

#include <cmath>
#include <memory>
#include <vector>

namespace pliant {

struct MixedScene {
  World world;
  BodyId floor, lift, ball, rod, pendulum;
  std::vector<BodyId> boxes;
  ClothId flag, sheet;
  SolidId jelly, bunny;
  std::vector<AnchorId> anchors;
};

inline constexpr double k_scene_dt = 1.0 / 60;

// What makes two scenes differ in the tests.
struct MixedOptions {
  int threads = 0;  // 0: no pool
  bool distant_first = false, distant_last = false;
};

// Nothing that reaches the state may come from libm but the square root: directions of the scene
// are plain numbers.
inline void add_distant(World& world) {
  world.add_body({.shape = Box{{2, 1, 3}}, .position = {300, 5, 40}, .velocity = {0, 0, 20}})
      .value();
  ClothDef cloth;
  cloth.mesh = make_grid(12, 12, 2, 2);
  cloth.position = {-250, 3, 60};
  world.add_cloth(cloth).value();
}

inline void add_rigid_part(MixedScene& s) {
  World& w = s.world;
  s.floor = w.add_body({.name = "floor", .motion = Motion::fixed, .shape = HalfSpace{}}).value();
  for (int i = 0; i < 4; ++i)
    s.boxes.push_back(w.add_body({.shape = Box{{0.2, 0.2, 0.2}},
                                  .position = {3.0 + 0.01 * i, 0.2 + 0.4 * i, 0},
                                  .density = 500})
                          .value());
  s.ball = w.add_body({.shape = Sphere{0.15},
                       .position = {-0.1, 1.6, 0.05},
                       .velocity = {0.3, -1, 0},
                       .surface = {0.5, 0.4, 0.3},
                       .drag_coefficient = 0.5})
               .value();
  s.rod = w.add_body({.shape = Capsule{0.1, 0.2},
                      .position = {0.1, 2.3, -0.1},
                      .angular_velocity = {1, 2, 3}})
              .value();
  s.lift =
      w.add_body({.motion = Motion::kinematic,
                  .shape = Box{{0.4, 0.05, 0.4}},
                  .position = {-3, 0.2, 0},
                  .path = {{0, {-3, 0.2, 0}, {}}, {1, {-3, 0.7, 0}, {}}, {2, {-3, 0.2, 0}, {}}}})
          .value();
  w.add_body({.shape = Box{{0.1, 0.1, 0.1}}, .position = {-3, 0.36, 0}}).value();
  s.pendulum =
      w.add_body({.shape = Sphere{0.1}, .position = {5, 1.5, 0}, .mass = 1, .allow_sleep = false})
          .value();
}

inline void add_soft_part(MixedScene& s) {
  World& w = s.world;
  ClothDef flag;
  flag.mesh = make_grid(14, 10, 1.0, 0.7);
  flag.position = {0, 1.2, 0};
  flag.pins = {
      {.vertices = {0, 14}, .path = {}, .pivot = {}},
      {.vertices = {150, 164}, .path = {{0, {0, 0, 0}, {}}, {1, {0, 0.2, 0}, {}}}, .pivot = {}}};
  s.flag = w.add_cloth(flag).value();
  ClothDef sheet;
  sheet.mesh = make_grid(10, 10, 0.6, 0.6);
  sheet.position = {-1.5, 0.8, 1};
  sheet.wind_drag = sheet.wind_lift = 0;
  s.sheet = w.add_cloth(sheet).value();
  SolidDef jelly;
  jelly.tets = make_lattice(3, 3, 3, 0.12);
  jelly.position = {-1.5, 0.4, 1};
  s.jelly = w.add_solid(jelly).value();
  SolidDef embedded;
  embedded.mesh = make_sphere(0.25, 2);
  embedded.cells = 4;
  embedded.position = {1.2, 0.6, 1.5};
  embedded.angular_velocity = {0, 0, 1};
  s.bunny = w.add_solid(embedded).value();
}

inline void add_anchors(MixedScene& s) {
  World& w = s.world;
  const auto add = [&](const AnchorPoint& a, const AnchorPoint& b, double compliance) {
    s.anchors.push_back(w.add_anchor({.a = a, .b = b, .compliance = compliance}).value());
  };
  add(BodyPoint{s.pendulum, {0.5, 0, 0}}, WorldPoint{{5.5, 1.5, 0}}, 0);
  add(ClothVertex{s.sheet, 60}, SolidVertex{s.jelly, 63}, 1e-3);
  add(SolidTrianglePoint{s.bunny, 3}, WorldPoint{{1.2, 1.4, 1.5}}, 1e-2);
  add(ClothTrianglePoint{s.flag, 40}, BodyPoint{s.rod, {0, 0.2, 0}}, 1e-3);
}

inline MixedScene make_mixed(const MixedOptions& options = {}) {
  WorldDef def;
  def.substeps = 6;
  def.medium_density = 1.2;
  def.wind = {2, 0, 1};
  std::shared_ptr<TaskPool> pool;
  if (options.threads > 0) pool = make_task_pool(options.threads);
  MixedScene s{World(def, pool), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  if (options.distant_first) add_distant(s.world);
  add_rigid_part(s);
  add_soft_part(s);
  add_anchors(s);
  if (options.distant_last) add_distant(s.world);
  return s;
}

// The commands of a run, as a user would give them between the steps.
inline void command_mixed(MixedScene& s, int step) {
  if (step == 20) s.world.apply_impulse(s.ball, {0, 2, 0.5}, {0, 1, 0});
  if (step == 35) s.world.set_wind({-1, 0, 2});
  if (step >= 40 && step < 60) s.world.apply_force(s.rod, {0, 20, 0}, {0.1, 1, 0});
  if (step == 90) s.world.set_velocity(s.boxes[3], {0.5, 1, 0}, {0, 3, 0});
  if (step == 100) s.world.set_pin_target(s.flag, 77, {0.1, 1.4, 0.1});
  if (step == 120) s.world.set_gravity({0.5, -9, 0});
}

inline void step_mixed(MixedScene& s, int step) {
  command_mixed(s, step);
  s.world.step(k_scene_dt);
}

// Everything that can be read of a body's place and speed.
inline void append_state(const World& w, BodyId id, std::vector<Vec3>& out) {
  const Transform t = w.pose(id);
  out.insert(out.end(), {t.position,
                         {t.rotation.x, t.rotation.y, t.rotation.z},
                         w.velocity(id),
                         w.angular_velocity(id)});
}
template <class Id>
void append_particles(const World& w, Id id, std::vector<Vec3>& out) {
  std::vector<Vec3> part;
  w.copy_positions(id, part);
  out.insert(out.end(), part.begin(), part.end());
  w.copy_velocities(id, part);
  out.insert(out.end(), part.begin(), part.end());
}
inline std::vector<Vec3> state_of(const MixedScene& s) {
  std::vector<Vec3> out;
  for (const BodyId id : {s.floor, s.lift, s.ball, s.rod, s.pendulum})
    append_state(s.world, id, out);
  for (const BodyId id : s.boxes) append_state(s.world, id, out);
  append_particles(s.world, s.flag, out);
  append_particles(s.world, s.sheet, out);
  append_particles(s.world, s.jelly, out);
  append_particles(s.world, s.bunny, out);
  return out;
}

}  // namespace pliant
