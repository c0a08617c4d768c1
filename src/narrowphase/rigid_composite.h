// Bodies that are made of parts or of triangles: several manifolds for one pair of bodies.
#pragma once

#include <vector>

#include "narrowphase/rigid_pair.h"

namespace pliant {

using ContactList = std::vector<PairContact>;

// Appends the contacts of a pair of which at least one is a compound or a mesh. Features are
// different over all of them. The half-space, if there is one, may be either side; the offset of a
// half-space is to its foot (see find_manifold).
void collide_composite(const PairGeometry& g, ContactList& out);

// Points with nearly the same normal, found one by one. Keeps its memory.
class Patches {
 public:
  void begin(double alike, double tolerance);
  // Points that are there already are left out.
  void add(const Vec3& normal, const PairPoint& point);
  // Appends a contact of at most four points for each patch.
  void finish(ContactList& out) const;

 private:
  struct Patch {
    Vec3 normal;
    std::vector<PairPoint> points;
  };
  double alike_ = 1;      // cosine of the angle within which normals are one
  double tolerance_ = 0;  // m
  std::vector<Patch> patches_;
  std::size_t count_ = 0;  // of them that are in use
};

// a is a mesh, b convex but no half-space.
void collide_mesh_convex(const PairGeometry& g, ContactList& out);
// a is a mesh, b a half-space.
void collide_mesh_half_space(const PairGeometry& g, ContactList& out);
// Points of the surface of each in the distance of the other.
void collide_mesh_mesh(const PairGeometry& g, ContactList& out);

}  // namespace pliant
