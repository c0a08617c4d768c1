// Shapes of rigid bodies, in the body's frame. The first seven are centred on their centre of mass.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include <pliant/math.h>
#include <pliant/mesh.h>

namespace pliant {

struct Sphere {
  double radius = 0.5;  // m
};
struct Box {
  Vec3 half{0.5, 0.5, 0.5};  // m, half of each side
};
struct Capsule {
  double radius = 0.25;       // m
  double half_height = 0.25;  // m, half the length of the axis, which is the body's y axis
};
// Everything on the side of the body's origin that its y axis points away from. Never dynamic.
struct HalfSpace {};
struct Cylinder {
  double radius = 0.25;      // m
  double half_height = 0.5;  // m, half the length of the axis, which is the body's y axis
};
// The tip is on the body's y axis, 3/4 of the height above the origin; the base 1/4 below it.
struct Cone {
  double radius = 0.25;  // m, of the base
  double height = 0.5;   // m, from the base to the tip
};
struct Ellipsoid {
  Vec3 half{0.5, 0.25, 0.5};  // m, half of each axis
};

// A part of the body's xz plane around its origin, met from both sides. Never dynamic.
struct Rectangle {
  double half_x = 0.5, half_z = 0.5;  // m, half of each side
};
// The smallest convex body that holds the points.
struct Hull {
  std::vector<Vec3> points{};  // m
};
// Triangles. A closed mesh is a solid, an open one a surface that is met from both sides and is
// never dynamic.
struct Mesh {
  TriMesh mesh{};
};
// Heights over a grid in the xz plane, centred on the origin; all that is below is solid. Vertex
// (i, j) has place j * (columns + 1) + i. Never dynamic.
struct HeightField {
  int columns = 1, rows = 1;      // cells along x and along z
  double width = 1, depth = 1;    // m, along x and along z
  std::vector<double> heights{};  // m, (columns + 1) * (rows + 1)
};
// A convex shape of the user's. Called from several threads at once.
class SupportFunction {
 public:
  virtual ~SupportFunction() = default;
  // The point that is furthest along the direction, which has any length.
  virtual Vec3 support(const Vec3& direction) const = 0;
};
// A solid of the user's that may be of any form. Called from several threads at once.
class DistanceFunction {
 public:
  virtual ~DistanceFunction() = default;
  virtual double distance(const Vec3& point) const = 0;  // m, negative inside
  // A box that holds the solid.
  virtual Vec3 low() const = 0;
  virtual Vec3 high() const = 0;
};
// By one of the two. Contact with rigid bodies, mass and pictures of what is known by its distance
// are those of triangles that follow it within a thirtieth of the box.
struct UserShape {
  std::shared_ptr<const SupportFunction> support{};
  std::shared_ptr<const DistanceFunction> distance{};
};
struct CompoundPart;
// Shapes that are one body. Where they overlap, their masses add up.
struct Compound {
  std::vector<CompoundPart> parts;
};

using Shape = std::variant<Sphere, Box, Capsule, HalfSpace, Cylinder, Cone, Ellipsoid, Rectangle,
                           Hull, Mesh, HeightField, Compound, UserShape>;

struct CompoundPart {
  Shape shape = Sphere{};
  Vec3 position{};     // m, of the shape's origin in the body's frame
  Quat rotation{};     // unit
  double density = 0;  // kg/m3; 0 = that of the body
};

// m, in the body's frame: where the body's centre of mass is if the body is dynamic.
Vec3 centre_of_mass(const Shape& shape);
// The triangles that stand for a user's shape.
TriMesh user_mesh(const UserShape& shape);

}  // namespace pliant
