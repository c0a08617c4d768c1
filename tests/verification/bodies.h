// Bodies that several of these tests need.
#pragma once

#include <pliant/pliant.h>

namespace pliant {

inline BodyDef ball(double radius, double mass, const Vec3& position, const Vec3& velocity) {
  BodyDef body;
  body.shape = Sphere{radius};
  body.mass = mass;
  body.position = position;
  body.velocity = velocity;
  return body;
}

}  // namespace pliant
