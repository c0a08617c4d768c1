// Definition of a cloth.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pliant/mesh.h>
#include <pliant/path.h>
#include <pliant/surface.h>

namespace pliant {

// How the cloth resists being stretched in its plane.
enum class Membrane {
  edges,   // distances along the edges: alike in all directions, Poisson ratio about 1/3; cheapest
  strain,  // orthotropic triangles with the moduli of `sheet`
};
// How it resists being bent. Quadratic hinges want to be flat and are cheap; signed hinges keep the
// angles of the rest shape. Automatic takes the one where the rest shape is flat, else the other.
enum class Bending { automatic, quadratic, hinge };
// How constraints act: extended position based dynamics in units of stiffness, or the older
// position based dynamics, whose stiffness is a share and depends on the length of the substep.
enum class Method { xpbd, pbd };

// In which order the constraints of a cloth run, and what runs beside what on threads. Each has its
// own bits, which are the same for any number of threads. docs/parallel.md compares them.
enum class Schedule {
  clusters,  // patches of the cloth side by side: fastest
  colours,   // colour by colour over the whole cloth; regular grids by a formula
  split,     // vertices have copies of a part of their mass: fewer colours, slower convergence
};

// How a cloth meets itself.
enum class SelfContact {
  features,   // vertices with triangles, edges with edges: a thickness apart, and never crosses
  particles,  // spheres around vertices: about an edge length apart; some ten times cheaper
};

// An orthotropic elastic sheet; modulus times thickness is the membrane stiffness in N/m.
struct Sheet {
  double warp_modulus = 5e6;   // Pa, Young's modulus along the warp
  double weft_modulus = 5e6;   // Pa, across it
  double shear_modulus = 2e6;  // Pa
  double poisson_ratio = 0.2;  // contraction along the weft / stretch along the warp, pulled there
  double thickness = 1e-3;     // m, of the sheet itself; contact has its own thickness
  Vec3 warp{0, 0, 1};          // direction in the mesh; laid onto each triangle
};

// A crease that folds to an angle.
struct Fold {
  std::vector<std::int32_t> vertices{};  // of the crease: all inner edges between two of them
  // rad, between the normals of the two sides: 0 = flat, negative where the sides lift to the side
  // that the normals point to.
  double angle = 0;
  double stiffness = 0;  // N m / rad for a metre of crease; 0 = as stiff as the solver can
  double begin = 0;      // s, when it begins to fold from its rest angle
  double duration = 1;   // s, until it has its angle
};

struct ClothDef {
  std::string name{};
  TriMesh mesh{};  // rest shape, m; also the initial shape, placed by position and rotation
  Vec3 position{};
  Quat rotation{};
  Vec3 velocity{};             // m/s
  double areal_density = 0.2;  // kg/m2
  double stretch_stiffness =
      5e3;  // N/m, membrane stiffness E h of `edges`; they get k = this * width / length
  Membrane membrane = Membrane::edges;
  Sheet sheet{};            // what `strain` is made of
  double strain_limit = 0;  // greatest stretch of any direction: 0.1 = to 1.1 times; 0 = no limit
  double bend_rigidity = 1e-5;  // N m, flexural rigidity B; 0 = none
  Bending bending = Bending::automatic;
  std::vector<Fold> folds{};
  Method method = Method::xpbd;
  double pbd_stretch = 1;  // share of an error in length that a substep removes, under `pbd`
  double pbd_bend = 0.1;   // likewise of bending
  Schedule schedule = Schedule::clusters;
  int split_colours = 6;      // under `split`: constraints that a copy of a vertex serves, at most
  double thickness = 4e-3;    // m; mid-surfaces keep this distance
  bool self_contact = false;  // whether the cloth meets itself; other cloth it always meets
  SelfContact self_contact_by = SelfContact::features;  // other cloth it always meets by features
  // Place in an order of cloths, > 0: a higher one stays on the side of a lower one to which its
  // normals point, and is brought there if it begins near the other side. 0 = in no order.
  int layer = 0;
  double linear_drag = 0.1;  // 1/s
  double max_speed = 0;      // m/s, of its vertices at the end of a substep; 0 = none
  double wind_drag = 1.0;    // coefficient of the force along the relative wind, per triangle
  double wind_lift = 0.5;    // coefficient of the force along the normal
  // Long-range limits for stiff cloth: of the distance to the nearest pins and, in a flat cloth,
  // between its patches.
  bool tethers = false;
  double tether_slack = 0.02;  // 0.02 lets the cloth reach 1.02 times the rest distance
  Surface surface{};
  Filter filter{};
  std::vector<Pin> pins{};
  bool allow_sleep = true;
  // Where a saved state goes on: world positions and velocities of the mesh's vertices; empty =
  // from the placement and `velocity`.
  std::vector<Vec3> initial_positions{};
  std::vector<Vec3> initial_velocities{};
};

}  // namespace pliant
