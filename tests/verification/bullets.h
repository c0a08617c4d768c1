// Fast bodies against thin plates: none may come out on the other side.
#pragma once

#include <gtest/gtest.h>
#include <pliant/pliant.h>

#include "random_points.h"
#include "verification/bodies.h"

namespace pliant {

// Shoots at a plate that is larger than any way round it. Returns whether the bullet is still on
// its side after two steps.
inline bool plate_stops_bullet(test::Random& random, int number) {
  WorldDef def;
  def.gravity = {};
  def.impacts = number % 2 == 0 ? Impacts::together : Impacts::ordered;
  World world(def);
  BodyDef plate;
  plate.motion = Motion::fixed;
  plate.shape = number % 3 == 0 ? Shape{Rectangle{60, 60}}
                                : Shape{Box{{60, number % 3 == 1 ? 5e-4 : 0.01, 60}}};
  plate.surface.restitution = 0.5 + random.number(0.5);
  world.add_body(plate).value();
  BodyDef bullet;
  const double size = 0.03 + random.number(0.025);
  const Shape shapes[] = {Sphere{size}, Box{{size, size, size}}, Capsule{size, size},
                          Cylinder{size, size}};
  bullet.shape = shapes[number % 4];
  bullet.mass = 0.1;
  bullet.rotation = random.rotation();
  bullet.angular_velocity = random.point(50);
  bullet.position = {0, 2.6 + random.number(2.4), 0};
  const double speed = 500 + random.number(450);
  bullet.velocity = normalized(Vec3{random.number(1), -1, random.number(1)}) * speed;
  const BodyId id = world.add_body(bullet).value();
  for (int n = 0; n < 2; ++n) world.step(1.0 / 60);
  return world.pose(id).position.y > 0;
}

}  // namespace pliant
