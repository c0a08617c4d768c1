// Definition of an elastic solid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/mesh.h>
#include <pliant/path.h>
#include <pliant/surface.h>

namespace pliant {

// What holds the solid together.
enum class SolidModel {
  xpbd,  // lengths of edges and volumes: cheapest
  fem,   // finite elements: the moduli are those of the material, whatever the mesh
  // The same with explicit forces, on tetrahedra: needs substeps shorter than a wave's way through
  // an element, and blows up where they are not.
  explicit_fem,
  mass_spring,     // explicit springs along edges, and volumes of tetrahedra: `springs`
  shape_matching,  // clusters of particles that go back to their shape: `matching`
};
// What `mass_spring` is made of.
enum class SpringPlacement {
  random,    // between any two vertices
  opposite,  // between vertices whose normals look away from each other
  nearest,   // of some candidates that do, the one that is nearest
};
enum class SpringIntegrator { verlet, semi_implicit };
// How the stiffness of a spring, in N/m, follows from `distance` and its length l0; all agree for
// springs as long as the mean.
enum class SpringLaw {
  energy,  // k / l0^2: equal relative changes of length have equal energies
  length,  // k / (l0 mean): as of bars of one material and thickness; long springs are softer
  equal,   // k / mean^2
};
struct Springs {
  // J: energies are k / 2 ((l - l0) / l0)^2 of lengths, and likewise of areas of triangles on the
  // surface and volumes of tetrahedra.
  double distance = 60, area = 0, volume = 20;
  // Pa; besides `volume`: energies bulk / 2 V0 ((V - V0) / V0)^2 of tetrahedra of any size.
  double bulk = 0;
  double damping = 0.5;  // J s: along a spring, of its rate as `distance` is of its length
  SpringLaw law = SpringLaw::energy;
  double surface_factor = 1;  // stiffness of springs on the surface, times that of the others
  bool lattice = true;        // false: springs on the edges of `mesh` itself, and through it
  int inner = 0;              // springs through the inside of `mesh`, without a lattice
  SpringPlacement placement = SpringPlacement::nearest;
  int candidates = 5;  // that `nearest` chooses from
  int limit = 10;      // tries for a candidate
  int seed = 1;
  SpringIntegrator integrator = SpringIntegrator::verlet;
};
// What `shape_matching` is made of.
enum class MatchingMode { rigid, linear, quadratic };
struct Matching {
  MatchingMode mode = MatchingMode::linear;
  // Hz, with which what deforms swings about its shape. A substep h goes the share alpha =
  // sin^2(2 pi f h) of the way there, all of it from 2 pi f h = pi / 2 on; its damping is that of
  // Rayleigh's factor h.
  double frequency = 20;
  double freedom = 0;       // beta: the share of the linear or quadratic map in that shape
  bool keep_volume = true;  // that map does not change the volume
  int cluster_cells = 0;    // lattice cells along the side of a cluster; 0 = one cluster
  // Plasticity: a cluster whose stretch is farther than `yield` from none takes the share `creep`
  // of it into its rest shape each second, up to `max_creep`; volume is kept. 0 = elastic.
  double yield = 0, creep = 0;  // creep in 1/s
  double max_creep = 1;
};
// Of finite elements: how energy depends on deformation. All are Hooke's law where little deforms.
enum class Energy {
  neo_hookean,  // rubber and flesh; keeps the volume under large deformation
  corotated,    // Hooke's law in a frame that turns along
  green,        // Hooke's law for Green's strain; gives way when pressed flat. explicit_fem only
  cauchy,       // Hooke's law for small strain: rotation counts as strain. explicit_fem only
};
enum class Element {
  tetrahedra,  // too stiff in bending and torsion where few are across
  hexahedra,   // cubes of a lattice as one element each, which are not; tetrahedra elsewhere
};

struct SolidDef {
  std::string name{};
  // Either a closed surface, which is wrapped in a lattice of cubes and carried by it ...
  TriMesh mesh{};
  int cells = 8;         // cubes along the longest side of the mesh's box
  double cell_size = 0;  // m, edge of a cube, instead of `cells`; 0 = by `cells`
  // ... or tetrahedra, simulated as they are. With both, the surface is what meets others, and is
  // carried by the tetrahedra.
  TetMesh tets{};
  // Drawn in place of the surface that meets others, and carried along; may be empty.
  TriMesh skin{};
  Vec3 position{};
  Quat rotation{};
  // Of the places where the vertices begin, about the mesh's origin, along its axes. The shape at
  // rest is that without: 0 begins flat, a negative factor inside out.
  Vec3 initial_scale{1, 1, 1};
  Vec3 velocity{};          // m/s
  Vec3 angular_velocity{};  // rad/s, about the centre of mass
  SolidModel model = SolidModel::xpbd;
  Energy energy = Energy::neo_hookean;    // of finite elements
  Element element = Element::tetrahedra;  // under `fem`
  // s, of finite elements: Rayleigh's factor of the stiffness, stress = E (strain + damping *
  // rate); his factor of the mass is `linear_drag`.
  double damping = 0;
  Springs springs{};
  Matching matching{};
  double density = 1000;        // kg/m3
  double node_mass = 0;         // kg, of every node, whatever the density; 0 = by the density
  double youngs_modulus = 1e5;  // Pa
  // Under `xpbd` 0.25 is what the edges alone give; more adds volume stiffness.
  double poisson_ratio = 0.45;
  double linear_drag = 0.1;   // 1/s
  double thickness = 2e-3;    // m; contact keeps half of it around the surface
  bool self_contact = false;  // whether the solid meets itself
  Surface surface{};
  Filter filter{};
  std::vector<Pin> pins{};  // of lattice nodes or tetrahedron vertices
  bool allow_sleep = true;
  std::int32_t colour = -1;  // 0xrrggbb, of pictures; -1 = one of a row
  // As in ClothDef, of the lattice nodes or tetrahedron vertices.
  std::vector<Vec3> initial_positions{};
  std::vector<Vec3> initial_velocities{};
};

}  // namespace pliant
