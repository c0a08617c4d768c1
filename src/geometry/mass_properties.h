// Volume, centre of mass and inertia of bodies of density 1 kg/m3; multiply volume and inertia by
// the density.
#pragma once

#include <pliant/math.h>
#include <pliant/mesh.h>

namespace pliant {

struct MassProperties {
  double volume = 0;  // m3
  Vec3 centre;        // m
  Mat3 inertia;       // m5, about the centre, symmetric
};

// Of a closed mesh; check is_closed first.
MassProperties mass_properties(const TriMesh& mesh);
MassProperties mass_properties(const TetMesh& mesh);
MassProperties sphere_mass_properties(double radius);
MassProperties box_mass_properties(const Vec3& half);
// A cylinder of length 2 half_height along y with a half sphere on each end.
MassProperties capsule_mass_properties(double radius, double half_height);

}  // namespace pliant
