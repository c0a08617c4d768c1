// Definitions: what makes a world. Plain structs with defaults, SI units, copied at creation; use
// them with designated initialisers. A scene file is a list of these.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <pliant/ids.h>
#include <pliant/math.h>
#include <pliant/mesh.h>

namespace pliant {

// --- shapes, in the body's frame. The first seven are centred on their centre of mass -----------
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

// --- what contacts need
// ---------------------------------------------------------------------------
// How a property of two surfaces is made from those of each. Where they name different rules, the
// one that stands later in this list holds.
enum class Combine { automatic, mean, geometric, least, product, greatest };

struct Surface {
  double friction_static = 0.5;      // Coulomb coefficient at rest; at least the kinetic one
  double friction_kinetic = 0.5;     // Coulomb coefficient while sliding
  double restitution = 0.0;          // 0 stays, 1 gives the approach speed back
  double rolling_resistance = 0.0;   // m; of rigid bodies: torque against rolling / normal force
  double spinning_resistance = 0.0;  // m; torque against turning about the normal / normal force
  Combine friction_combine = Combine::automatic;     // geometric; also of the two resistances
  Combine restitution_combine = Combine::automatic;  // greatest
  bool operator==(const Surface&) const = default;
};

// What meets what: two things meet where each is in a group that the other's mask holds.
struct Filter {
  std::uint32_t groups = 1;          // bits: the groups that it is in
  std::uint32_t mask = 0xffffffffu;  // bits: the groups that it meets
  bool operator==(const Filter&) const = default;
};

// --- motion given by the user
// ---------------------------------------------------------------------
struct Keyframe {
  double time = 0;  // s, increasing
  Vec3 position{};  // m
  Quat rotation{};
};
// Between keyframes positions are linear and rotations turn at constant speed; outside they hold.
using Path = std::vector<Keyframe>;

// --- rigid bodies
// ---------------------------------------------------------------------------------
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

// --- cloth
// ---------------------------------------------------------------------------------------- Vertices
// that the user holds. Without a path they stay where they begin; with one the vertices are carried
// by it: p(t) = position + rotate(rotation, p(0) - pivot) + pivot.
struct Pin {
  std::vector<std::int32_t> vertices{};
  Path path{};
  Vec3 pivot{};  // m, in the world
};

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
  // Place in an order of cloths, > 0: a higher one stays on the side of a lower one to which its
  // normals point, and is brought there if it begins near the other side. 0 = in no order.
  int layer = 0;
  double linear_drag = 0.1;  // 1/s
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

// --- elastic solids
// -------------------------------------------------------------------------------
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
  int cells = 8;  // cubes along the longest side of the mesh's box
  // ... or tetrahedra, simulated as they are. With both, the surface is what meets others, and is
  // carried by the tetrahedra.
  TetMesh tets{};
  // Drawn in place of the surface that meets others, and carried along; may be empty.
  TriMesh skin{};
  Vec3 position{};
  Quat rotation{};
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

// --- anchors
// --------------------------------------------------------------------------------------
struct WorldPoint {
  Vec3 position{};
};
struct BodyPoint {
  BodyId body{};
  Vec3 local{};  // m, in the body's frame
};
// A vertex of a cloth or of a solid, in the user's numbering.
struct ClothVertex {
  ClothId cloth{};
  std::int32_t vertex = 0;
};
struct SolidVertex {
  SolidId solid{};
  std::int32_t vertex = 0;
};
// A point of a triangle of a cloth, by its barycentric coordinates, which add up to 1.
struct ClothTrianglePoint {
  ClothId cloth{};
  std::int32_t triangle = 0;
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
// A point of a triangle of a solid's surface.
struct SolidTrianglePoint {
  SolidId solid{};
  std::int32_t triangle = 0;
  std::array<double, 3> weights{1.0 / 3, 1.0 / 3, 1.0 / 3};
};
using AnchorPoint = std::variant<WorldPoint, BodyPoint, ClothVertex, SolidVertex,
                                 ClothTrianglePoint, SolidTrianglePoint>;

struct AnchorDef {
  std::string name{};
  AnchorPoint a{};
  AnchorPoint b{};
  double compliance = 0;  // m/N
  double max_force = 0;   // N, with which it pulls at most; 0 = no limit
};

// --- seams
// ----------------------------------------------------------------------------------------
// Vertices of a cloth in the order in which they are sewn: one, the two of an edge, or a run along
// a border (boundary_run and boundary_side in mesh.h list them).
struct SeamSide {
  ClothId cloth{};
  std::vector<std::int32_t> vertices{};
};
// Draws two sides together, of one cloth or of two; vertices that have met become one. Sides of the
// same number of vertices are sewn vertex to vertex in their order. Otherwise those of the longer
// list are sewn to points of the other side's edges, by their share of the length at rest; only
// those that meet a vertex there become one with it. Cloths that are sewn together are one body
// from then on: they must agree in method, schedule (not split), membrane, limits, thickness,
// surface, drag and wind.
struct SeamDef {
  std::string name{};
  SeamSide a{};
  SeamSide b{};
  double speed = 0.5;            // m/s, at which the threads are drawn in: the sides come no faster
  double merge_distance = 1e-3;  // m; vertices nearer than this become one; 0 = never
  double compliance = 0;         // m/N, of each stitch until then
  bool bend = true;              // what has become one resists bending out of the plane
};

// --- forces
// --------------------------------------------------------------------------------------- What a
// user's field sees of one particle or rigid body.
struct FieldSample {
  Vec3 position{};
  Vec3 velocity{};
  double mass = 0;                // kg
  double time = 0;                // s
  AnyId body{};                   // whose it is: a field may act on some bodies only
  double drag_area = 0;           // m2, of a rigid body, mean over all ways; 0 of particles
  const std::string* material{};  // of a rigid body; null of particles
};
// Called from several threads at once and in no order: return a force from the sample alone.
class ForceField {
 public:
  virtual ~ForceField() = default;
  virtual Vec3 force(const FieldSample& sample) const = 0;  // N
  virtual double energy(const FieldSample& sample) const {  // J, where there is a potential
    (void)sample;
    return 0;
  }
};

// --- the world
// ------------------------------------------------------------------------------------
// What finds the triangles of cloths that may meet. What is found is the same, to the last bit.
// docs/benchmarks.md compares them.
enum class ClothSearch {
  bvh,             // a tree by where triangles are in the rest shape, made with the cloth
  rtree,           // an R-tree by where they are now, loaded as a whole for each search
  rtree_inserted,  // an R-tree into which they are inserted one by one, as Guttman did
};

// What finds the pairs of bodies whose boxes meet. What is found is the same, to the last bit.
enum class BroadPhase {
  sweep,        // boxes sorted along an axis
  bvh,          // a tree of boxes
  tiles,        // a map of tiles, and the sets of bodies that share some: `tiles`
  sphere_tree,  // a tree of spheres
  brute,        // all against all
};
// Which tiles of the map a body is in.
enum class TileDetector {
  box,             // those that its swept box meets
  rotated_box,     // those that the box around its turned corners meets
  relative_index,  // a list made once, around the tile of its centre
  mask_points,     // those that hold one of the points that describe its shape
};
// A detector of the user's, in place of the four. Called from several threads at once.
struct TileSample {
  AnyId body{};
  Vec3 low{}, high{};            // m, the box of the body, swept by the whole step
  Vec3 tile_low{}, tile_size{};  // m, of the tile 0, 0, 0
};
class TileRule {
 public:
  virtual ~TileRule() = default;
  // The first and the last tile along each axis, which may lie outside the map. A body that is not
  // in a tile that its box meets is not found there.
  virtual void cover(const TileSample& sample, std::array<int, 3>& first,
                     std::array<int, 3>& last) const = 0;
};
struct TileMap {
  Vec3 low{-10, -10, -10}, high{10, 10, 10};  // m
  std::array<int, 3> count{20, 20, 20};       // tiles along each axis
  TileDetector detector = TileDetector::box;
  std::shared_ptr<const TileRule> rule{};
};

// In which order impacts of rigid bodies are resolved.
enum class Impacts {
  together,  // all that meet in a substep at once
  ordered,   // one after the other, at their times within the substep
};
// How the time of an impact is found.
enum class ImpactTime { advancement, bisection };

// How solids that meet each other, or themselves, are parted. Rigid bodies and cloth always meet
// them as under `position`.
enum class SolidContact {
  position,  // contacts of vertices with triangles, found before they touch
  pressure,  // what overlaps is moved to the surface on which the two press equally hard
  penalty,   // springs draw what overlaps back to where it came in
};
// What finds the points that are inside tetrahedra, under `pressure` and `penalty`. What is found
// is the same, to the last bit.
enum class OverlapSearch {
  hash,   // a table of cells of space, by their hash
  bvh,    // a tree of the tetrahedra of each solid
  brute,  // all against all
};

struct WorldDef {
  Vec3 gravity{0, -9.81, 0};       // m/s2
  int substeps = 8;                // per step; the main knob of accuracy against time
  int sweeps = 1;                  // of the constraints per substep; substeps help more than sweeps
  double medium_density = 0;       // kg/m3 of the air or water around; 0 = no drag, no wind
  Vec3 wind{};                     // m/s, mean velocity of the medium
  double gust_speed = 0;           // m/s, root mean square of the gusts along each axis
  double gust_period = 2;          // s, of the middle of their spectrum
  int gust_seed = 1;               // other seeds, other gusts
  double push_speed = 1.0;         // m/s; the fastest removal of an overlap that is there already
  double restitution_speed = 0.2;  // m/s; slower contacts do not bounce
  double contact_margin = 0.01;    // m; how far ahead contacts are looked for, besides the motion
  bool sleep = true;               // lets what has come to rest sleep
  double sleep_distance = 2e-3;    // m; what moves less in half a second may sleep
  ClothSearch cloth_search = ClothSearch::bvh;
  BroadPhase broad_phase = BroadPhase::sweep;
  TileMap tiles{};
  Impacts impacts = Impacts::together;
  ImpactTime impact_time = ImpactTime::advancement;
  int max_impacts = 1000;  // of an island in a substep; beyond, the rest of it is cut off
  double time_speed = 1;   // s of the world for a second of the host; see Clock
  SolidContact solid_contact = SolidContact::position;
  OverlapSearch overlap_search = OverlapSearch::hash;
  int pressure_iterations = 3;  // of the comparison of pressures
  double penalty_share = 0.1;   // of an overlap that the springs of `penalty` remove in a substep
};

}  // namespace pliant
