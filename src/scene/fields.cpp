// The tables themselves: key, member, unit, meaning, accepted range. Defaults are those of the
// structs. The limits keep float arithmetic meaningful: sizes from 10 micrometres to 1000 km.
#include "scene/fields.h"

#include "geometry/lattice.h"

namespace pliant {
namespace {

constexpr Range k_any{};
constexpr Range k_place{-1e7, 1e7};  // m
constexpr Range k_speed{-1e6, 1e6};  // m/s, rad/s
constexpr Range k_size{1e-5, 1e6};   // m
constexpr Range k_thin{0, 1e3};      // m
constexpr Range k_positive{0, 1e15, true};
constexpr Range k_not_negative{0, 1e15};
constexpr Range k_unit{0, 1};
constexpr Range k_index{0, 2147483647};

}  // namespace

template <>
std::span<const Field<Sphere>> fields_of<Sphere>() {
  static const std::vector<Field<Sphere>> table = {
      {"radius", &Sphere::radius, "m", "radius", k_size},
  };
  return table;
}

template <>
std::span<const Field<Box>> fields_of<Box>() {
  static const std::vector<Field<Box>> table = {
      {"half", &Box::half, "m", "half of each side", k_size},
  };
  return table;
}

template <>
std::span<const Field<Capsule>> fields_of<Capsule>() {
  static const std::vector<Field<Capsule>> table = {
      {"radius", &Capsule::radius, "m", "radius", k_size},
      {"half_height", &Capsule::half_height, "m",
       "half the length of the axis (the body's y axis), without the round ends", k_size},
  };
  return table;
}

template <>
std::span<const Field<HalfSpace>> fields_of<HalfSpace>() {
  return {};
}

template <>
std::span<const Field<Surface>> fields_of<Surface>() {
  static const std::vector<Field<Surface>> table = {
      {"friction_static",
       &Surface::friction_static,
       "",
       "Coulomb coefficient at rest; at least the kinetic one",
       {0, 1e3}},
      {"friction_kinetic",
       &Surface::friction_kinetic,
       "",
       "Coulomb coefficient while sliding",
       {0, 1e3}},
      {"restitution", &Surface::restitution, "", "0 stays, 1 gives the approach speed back",
       k_unit},
  };
  return table;
}

template <>
std::span<const Field<Keyframe>> fields_of<Keyframe>() {
  static const std::vector<Field<Keyframe>> table = {
      {"time",
       &Keyframe::time,
       "s",
       "when; greater than that of the keyframe before",
       {-1e7, 1e7},
       true},
      {"position", &Keyframe::position, "m", "where", k_place},
      {"rotation", &Keyframe::rotation, "", "how it is turned", k_any},
  };
  return table;
}

template <>
std::span<const Field<Pin>> fields_of<Pin>() {
  static const std::vector<Field<Pin>> table = {
      {"vertices", &Pin::vertices, "", "numbers of the held vertices", k_index},
      {"select", std::monostate{}, "", "the held vertices by where they are in the rest shape",
       k_any, false, "select"},
      {"path", &Pin::path, "",
       "carries the vertices: p(t) = position + rotate(rotation, p(0) - pivot) + pivot"},
      {"pivot", &Pin::pivot, "m", "centre of the path's rotations, in the world", k_place},
  };
  return table;
}

template <>
std::span<const Field<Sheet>> fields_of<Sheet>() {
  static const std::vector<Field<Sheet>> table = {
      {"warp_modulus", &Sheet::warp_modulus, "Pa", "Young's modulus along the warp", k_positive},
      {"weft_modulus", &Sheet::weft_modulus, "Pa", "Young's modulus across the warp", k_positive},
      {"shear_modulus", &Sheet::shear_modulus, "Pa", "of shear in the plane", k_positive},
      {"poisson_ratio",
       &Sheet::poisson_ratio,
       "",
       "contraction along the weft by stretch along the warp, when pulled along the warp",
       {0, 10}},
      {"thickness",
       &Sheet::thickness,
       "m",
       "of the sheet itself: modulus times thickness is the membrane stiffness",
       {1e-7, 1}},
      {"warp",
       &Sheet::warp,
       "",
       "direction of the warp in the mesh, laid onto each triangle",
       {-1e6, 1e6}},
  };
  return table;
}

template <>
std::span<const Field<Fold>> fields_of<Fold>() {
  static const std::vector<Field<Fold>> table = {
      {"vertices", &Fold::vertices, "",
       "numbers of the crease's vertices: all inner edges between two of them fold", k_index},
      {"select", std::monostate{}, "", "the crease's vertices by where they are in the rest shape",
       k_any, false, "select"},
      {"angle",
       &Fold::angle,
       "rad",
       "between the normals of the two sides: 0 flat, negative where they lift to the side that "
       "the normals point to",
       {-3.1, 3.1}},
      {"stiffness", &Fold::stiffness, "N m/rad",
       "of a metre of crease; 0 = as stiff as the solver can", k_not_negative},
      {"begin", &Fold::begin, "s", "when it begins to fold from its rest angle", {-1e7, 1e7}},
      {"duration", &Fold::duration, "s", "until it has its angle", {0, 1e7}},
  };
  return table;
}

template <>
std::span<const Field<BodyDef>> fields_of<BodyDef>() {
  static const std::vector<Field<BodyDef>> table = {
      {"name", &BodyDef::name, "", "unique in the scene; body_<number> where it is left out"},
      {"motion", &BodyDef::motion, "", "fixed: never moves; kinematic: follows its path; dynamic"},
      {"shape", std::monostate{}, "", "centred on the body's origin", k_any, false, "shape"},
      {"position", &BodyDef::position, "m", "of the centre of mass", k_place},
      {"rotation", &BodyDef::rotation, "", "from the body's axes to the world's"},
      {"velocity", &BodyDef::velocity, "m/s", "at the beginning", k_speed},
      {"angular_velocity", &BodyDef::angular_velocity, "rad/s", "at the beginning, in world axes",
       k_speed},
      {"density", &BodyDef::density, "kg/m3", "used where mass is 0", k_positive},
      {"mass", &BodyDef::mass, "kg", "0 = from the density", k_not_negative},
      {"inertia", &BodyDef::inertia, "kg m2", "about the body's own axes; 0 = from the shape",
       k_not_negative},
      {"surface", &BodyDef::surface, "", "friction and restitution"},
      {"drag_coefficient",
       &BodyDef::drag_coefficient,
       "",
       "C of the quadratic drag 1/2 C rho S v^2 in the medium; a sphere has 0.5",
       {0, 1e3}},
      {"linear_drag", &BodyDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"angular_drag", &BodyDef::angular_drag, "1/s", "rate of decay of the rotation", {0, 1e4}},
      {"allow_sleep", &BodyDef::allow_sleep, "", "may sleep when it has come to rest"},
      {"path", &BodyDef::path, "", "kinematic bodies only: where it is at each time"},
      {"array", std::monostate{}, "", "many copies, named name_0, name_1, ...", k_any, false,
       "array"},
  };
  return table;
}

template <>
std::span<const Field<ClothDef>> fields_of<ClothDef>() {
  static const std::vector<Field<ClothDef>> table = {
      {"name", &ClothDef::name, "", "unique in the scene; cloth_<number> where it is left out"},
      {"mesh", std::monostate{}, "", "rest shape, placed by position and rotation", k_any, true,
       "mesh"},
      {"position", &ClothDef::position, "m", "of the mesh's origin", k_place},
      {"rotation", &ClothDef::rotation, "", "of the mesh about its origin"},
      {"velocity", &ClothDef::velocity, "m/s", "at the beginning", k_speed},
      {"fabric", std::monostate{}, "",
       "by name: its areal_density, sheet, stretch_stiffness and bend_rigidity, and membrane "
       "strain; other keys change them",
       k_any, false, "fabric"},
      {"areal_density", &ClothDef::areal_density, "kg/m2", "mass by area", k_positive},
      {"stretch_stiffness", &ClothDef::stretch_stiffness, "N/m",
       "membrane stiffness of edges: Young's modulus times thickness", k_positive},
      {"membrane", &ClothDef::membrane, "",
       "edges: distances along them, alike in all directions, cheapest; strain: orthotropic "
       "triangles made of sheet"},
      {"sheet", &ClothDef::sheet, "", "moduli of the membrane strain"},
      {"strain_limit",
       &ClothDef::strain_limit,
       "",
       "greatest stretch of any direction: 0.1 lets it reach 1.1 times; 0 = no limit",
       {0, 100}},
      {"bend_rigidity", &ClothDef::bend_rigidity, "N m", "flexural rigidity; 0 = none",
       k_not_negative},
      {"bending", &ClothDef::bending, "",
       "quadratic: wants to be flat, cheap; hinge: keeps the angles of the rest shape; automatic: "
       "quadratic where the rest shape is flat, else hinge"},
      {"folds", std::monostate{}, "", "creases that fold to an angle", k_any, false, "folds"},
      {"method", &ClothDef::method, "",
       "xpbd: stiffness in physical units; pbd: stiffness as a share, depends on the substep"},
      {"pbd_stretch", &ClothDef::pbd_stretch, "",
       "under pbd: share of an error in length that a substep removes", k_unit},
      {"pbd_bend", &ClothDef::pbd_bend, "", "under pbd: the same of bending", k_unit},
      {"schedule", &ClothDef::schedule, "",
       "order of the constraints. clusters: patches side by side on threads, fastest; colours: "
       "colour by colour over the whole cloth; split: vertices have copies of a part of their "
       "mass, fewer colours but slower convergence"},
      {"split_colours",
       &ClothDef::split_colours,
       "",
       "under split: constraints that a copy of a vertex serves, at most",
       {1, 1000}},
      {"thickness", &ClothDef::thickness, "m", "mid-surfaces keep this distance", k_thin},
      {"self_contact", &ClothDef::self_contact, "",
       "whether the cloth meets itself; other cloth it always meets"},
      {"linear_drag", &ClothDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"wind_drag",
       &ClothDef::wind_drag,
       "",
       "coefficient of the force along the relative wind",
       {0, 1e3}},
      {"wind_lift",
       &ClothDef::wind_lift,
       "",
       "coefficient of the force along the normal",
       {0, 1e3}},
      {"tethers", &ClothDef::tethers, "",
       "long-range limits: of the distance to the nearest pins and, in a flat cloth, between its "
       "patches"},
      {"tether_slack",
       &ClothDef::tether_slack,
       "",
       "0.02 lets the cloth reach 1.02 times the rest distance",
       {0, 10}},
      {"surface", &ClothDef::surface, "", "friction and restitution"},
      {"pins", std::monostate{}, "", "vertices that are held or led", k_any, false, "pins"},
      {"allow_sleep", &ClothDef::allow_sleep, "", "may sleep when it has come to rest"},
      {"initial_positions", &ClothDef::initial_positions, "m",
       "of a saved state: world positions of the mesh's vertices; empty = from the placement",
       k_place},
      {"initial_velocities", &ClothDef::initial_velocities, "m/s",
       "of a saved state; empty = velocity", k_speed},
  };
  return table;
}

template <>
std::span<const Field<SolidDef>> fields_of<SolidDef>() {
  static const std::vector<Field<SolidDef>> table = {
      {"name", &SolidDef::name, "", "unique in the scene; solid_<number> where it is left out"},
      {"mesh", std::monostate{}, "", "closed surface, wrapped in a lattice of cubes; or give tets",
       k_any, false, "mesh"},
      {"cells",
       &SolidDef::cells,
       "",
       "cubes along the longest side of the mesh's box",
       {1, k_max_lattice_cells}},
      {"tets", std::monostate{}, "", "tetrahedra, simulated as they are; or give mesh", k_any,
       false, "tets"},
      {"position", &SolidDef::position, "m", "of the mesh's origin", k_place},
      {"rotation", &SolidDef::rotation, "", "of the mesh about its origin"},
      {"velocity", &SolidDef::velocity, "m/s", "at the beginning", k_speed},
      {"angular_velocity", &SolidDef::angular_velocity, "rad/s",
       "at the beginning, about the centre of mass", k_speed},
      {"density", &SolidDef::density, "kg/m3", "mass by volume", k_positive},
      {"youngs_modulus", &SolidDef::youngs_modulus, "Pa", "Young's modulus", k_positive},
      {"poisson_ratio",
       &SolidDef::poisson_ratio,
       "",
       "0.25 is what the edges alone give; more adds volume stiffness",
       {0, 0.499}},
      {"linear_drag", &SolidDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"thickness", &SolidDef::thickness, "m", "contact keeps half of it around the surface",
       k_thin},
      {"surface", &SolidDef::surface, "", "friction and restitution"},
      {"pins", std::monostate{}, "", "lattice nodes or tetrahedron vertices that are held or led",
       k_any, false, "pins"},
      {"allow_sleep", &SolidDef::allow_sleep, "", "may sleep when it has come to rest"},
      {"initial_positions", &SolidDef::initial_positions, "m",
       "of a saved state: world positions of the lattice nodes or tetrahedron vertices", k_place},
      {"initial_velocities", &SolidDef::initial_velocities, "m/s",
       "of a saved state; empty = velocity", k_speed},
      {"array", std::monostate{}, "", "many copies, named name_0, name_1, ...", k_any, false,
       "array"},
  };
  return table;
}

template <>
std::span<const Field<WorldDef>> fields_of<WorldDef>() {
  static const std::vector<Field<WorldDef>> table = {
      {"gravity", &WorldDef::gravity, "m/s2", "acceleration of everything", {-1e5, 1e5}},
      {"substeps",
       &WorldDef::substeps,
       "",
       "per step; the main knob of accuracy against time",
       {1, 10000}},
      {"sweeps", &WorldDef::sweeps, "", "of the constraints per substep", {1, 1000}},
      {"medium_density",
       &WorldDef::medium_density,
       "kg/m3",
       "of the air or water around; 0 = no drag, no wind",
       {0, 1e5}},
      {"wind", &WorldDef::wind, "m/s", "mean velocity of the medium", {-1e4, 1e4}},
      {"gust_speed",
       &WorldDef::gust_speed,
       "m/s",
       "root mean square of the gusts along each axis",
       {0, 1e4}},
      {"gust_period",
       &WorldDef::gust_period,
       "s",
       "of the middle of the gusts' spectrum",
       {1e-3, 1e6}},
      {"gust_seed", &WorldDef::gust_seed, "", "other seeds, other gusts", k_index},
      {"push_speed",
       &WorldDef::push_speed,
       "m/s",
       "fastest removal of an overlap that is there already",
       {0, 1e4}},
      {"restitution_speed",
       &WorldDef::restitution_speed,
       "m/s",
       "slower contacts do not bounce",
       {0, 1e4}},
      {"contact_margin",
       &WorldDef::contact_margin,
       "m",
       "how far ahead contacts are looked for, besides the motion",
       {1e-6, 1e3}},
      {"sleep", &WorldDef::sleep, "", "lets what has come to rest sleep"},
      {"sleep_distance",
       &WorldDef::sleep_distance,
       "m",
       "what moves less in half a second may sleep",
       {0, 1e3}},
  };
  return table;
}

template <>
std::span<const Field<SceneAnchor>> fields_of<SceneAnchor>() {
  static const std::vector<Field<SceneAnchor>> table = {
      {"name", &SceneAnchor::name, "", "unique in the scene; anchor_<number> where it is left out"},
      {"a", std::monostate{}, "", "one end", k_any, true, "anchor_end"},
      {"b", std::monostate{}, "", "the other end", k_any, true, "anchor_end"},
      {"compliance", &SceneAnchor::compliance, "m/N", "0 = rigid", k_not_negative},
  };
  return table;
}

template <>
std::span<const Field<SceneSeam>> fields_of<SceneSeam>() {
  static const std::vector<Field<SceneSeam>> table = {
      {"name", &SceneSeam::name, "", "unique in the scene; seam_<number> where it is left out"},
      {"a", std::monostate{}, "", "one side", k_any, true, "seam_side"},
      {"b", std::monostate{}, "", "the other side, of the same cloth or of another", k_any, true,
       "seam_side"},
      {"speed",
       &SceneSeam::speed,
       "m/s",
       "at which the threads are drawn in: the sides come together no faster",
       {0, 1e4, true}},
      {"merge_distance",
       &SceneSeam::merge_distance,
       "m",
       "vertices nearer than this become one; 0 = never",
       {0, 1}},
      {"compliance", &SceneSeam::compliance, "m/N", "of each stitch until it is merged; 0 = rigid",
       k_not_negative},
      {"bend", &SceneSeam::bend, "",
       "what has become one resists bending, as stiff as the cloths and flat at rest"},
  };
  return table;
}

template <>
std::span<const Field<SeamSideSource>> fields_of<SeamSideSource>() {
  static const std::vector<Field<SeamSideSource>> table = {
      {"cloth", &SeamSideSource::cloth, "", "name of a cloth", k_any, true},
      {"vertices", &SeamSideSource::vertices, "",
       "numbers of vertices, in the order in which they are sewn: one, the two of an edge, or a "
       "run",
       k_index},
      {"from", &SeamSideSource::from, "",
       "first vertex of a run along a border, the shorter way to the vertex to", k_index},
      {"to", &SeamSideSource::to, "", "with from: last vertex of the run", k_index},
      {"side", &SeamSideSource::side, "",
       "the border at the least x (left), greatest x (right), least z (top) or greatest z (bottom) "
       "of the mesh, with z or x going up"},
      {"reverse", &SeamSideSource::reverse, "", "sews the run from its other end"},
  };
  return table;
}

template <>
std::span<const Field<Camera>> fields_of<Camera>() {
  static const std::vector<Field<Camera>> table = {
      {"eye", &Camera::eye, "m", "where the camera is", k_place},
      {"target", &Camera::target, "m", "what it looks at", k_place},
      {"field_of_view",
       &Camera::field_of_view,
       "rad",
       "vertical angle of the picture",
       {0.01, 3.1}},
  };
  return table;
}

template <>
std::span<const Field<Scene>> fields_of<Scene>() {
  static const std::vector<Field<Scene>> table = {
      {"$schema", std::monostate{}, "", "where an editor finds the schema; not read", k_any, false,
       "text"},
      {"name", &Scene::name, "", "of the scene"},
      {"description", &Scene::description, "", "what the scene shows"},
      {"world", std::monostate{}, "", "gravity, medium and solver", k_any, false, "world"},
      {"dt", &Scene::dt, "s", "a step; also the time between two frames", {1e-6, 10}},
      {"seconds", &Scene::seconds, "s", "how long a run is", {0, 1e6, true}},
      {"bodies", std::monostate{}, "", "rigid bodies", k_any, false, "bodies"},
      {"cloths", std::monostate{}, "", "cloths", k_any, false, "cloths"},
      {"solids", std::monostate{}, "", "elastic solids", k_any, false, "solids"},
      {"anchors", std::monostate{}, "", "attachments between two points", k_any, false, "anchors"},
      {"seams", std::monostate{}, "", "what is sewn together", k_any, false, "seams"},
      {"expect", std::monostate{}, "", "physical statements that a run checks", k_any, false,
       "expectations"},
      {"camera", std::monostate{}, "", "for pictures; left out: chosen to show everything", k_any,
       false, "camera"},
  };
  return table;
}

template <>
std::span<const Field<GridSource>> fields_of<GridSource>() {
  static const std::vector<Field<GridSource>> table = {
      {"columns", &GridSource::columns, "", "cells along x", {1, 10000}},
      {"rows", &GridSource::rows, "", "cells along z", {1, 10000}},
      {"width", &GridSource::width, "m", "along x", k_size},
      {"depth", &GridSource::depth, "m", "along z", k_size},
  };
  return table;
}

template <>
std::span<const Field<BoxSource>> fields_of<BoxSource>() {
  static const std::vector<Field<BoxSource>> table = {
      {"half", &BoxSource::half, "m", "half of each side", k_size},
      {"cells", &BoxSource::cells, "", "each face is cut into cells x cells", {1, 1000}},
  };
  return table;
}

template <>
std::span<const Field<SphereSource>> fields_of<SphereSource>() {
  static const std::vector<Field<SphereSource>> table = {
      {"radius", &SphereSource::radius, "m", "radius", k_size},
      {"levels", &SphereSource::levels, "", "subdivisions of an icosahedron", {0, 10}},
  };
  return table;
}

template <>
std::span<const Field<LatticeSource>> fields_of<LatticeSource>() {
  static const std::vector<Field<LatticeSource>> table = {
      {"cells", &LatticeSource::cells, "", "cubes along x, y and z", {1, 1000}},
      {"cell", &LatticeSource::cell, "m", "edge of a cube", k_size},
  };
  return table;
}

template <>
std::span<const Field<TriSource>> fields_of<TriSource>() {
  static const std::vector<Field<TriSource>> table = {
      {"grid", std::monostate{}, "", "flat rectangle in the xz plane, centred on the origin", k_any,
       false, "grid"},
      {"box", std::monostate{}, "", "closed box", k_any, false, "mesh_box"},
      {"sphere", std::monostate{}, "", "closed sphere", k_any, false, "mesh_sphere"},
      {"file", &TriSource::file, "", ".obj .ply .stl or .vtk, relative to the scene file"},
      {"vertices", &TriSource::vertices, "m", "points", k_place},
      {"triangles", std::monostate{}, "",
       "three vertex numbers each, counter-clockwise seen from outside", k_any, false, "triangles"},
      {"scale", &TriSource::scale, "", "factor of all coordinates", {1e-9, 1e9}},
  };
  return table;
}

template <>
std::span<const Field<TetSource>> fields_of<TetSource>() {
  static const std::vector<Field<TetSource>> table = {
      {"lattice", std::monostate{}, "", "cubes of five tetrahedra each, centred on the origin",
       k_any, false, "lattice"},
      {"file", &TetSource::file, "", ".node with .ele, .vtk or .msh, relative to the scene file"},
      {"vertices", &TetSource::vertices, "m", "points", k_place},
      {"tetrahedra", std::monostate{}, "", "four vertex numbers each, of positive volume", k_any,
       false, "tetrahedra"},
      {"scale", &TetSource::scale, "", "factor of all coordinates", {1e-9, 1e9}},
  };
  return table;
}

template <>
std::span<const Field<SelectBox>> fields_of<SelectBox>() {
  static const std::vector<Field<SelectBox>> table = {
      {"min", &SelectBox::min, "m", "least coordinates, in the rest shape", k_place, true},
      {"max", &SelectBox::max, "m", "greatest coordinates, in the rest shape", k_place, true},
  };
  return table;
}

template <>
std::span<const Field<ArraySource>> fields_of<ArraySource>() {
  static const std::vector<Field<ArraySource>> table = {
      {"count", &ArraySource::count, "", "copies along x, y and z", {1, 1e6}, true},
      {"spacing",
       &ArraySource::spacing,
       "m",
       "from copy to copy; the first is at position",
       {-1e6, 1e6}},
      {"taper",
       &ArraySource::taper,
       "",
       "how many copies fewer each higher layer has along x and z; it stays centred",
       {0, 1000}},
      {"jitter",
       &ArraySource::jitter,
       "m",
       "greatest offset along x and z, fixed by the copy's number",
       {0, 1e6}},
  };
  return table;
}

template <>
std::span<const Field<AnchorEndSource>> fields_of<AnchorEndSource>() {
  static const std::vector<Field<AnchorEndSource>> table = {
      {"world", &AnchorEndSource::world, "m", "a point of the world", k_place},
      {"body", &AnchorEndSource::body, "", "name of a rigid body"},
      {"cloth", &AnchorEndSource::cloth, "", "name of a cloth"},
      {"solid", &AnchorEndSource::solid, "", "name of a solid"},
      {"local", &AnchorEndSource::local, "m", "with body: the point in the body's frame", k_place},
      {"vertex", &AnchorEndSource::vertex, "", "with cloth or solid: number of the vertex",
       k_index},
      {"triangle", &AnchorEndSource::triangle, "",
       "with cloth or solid: number of a triangle of its surface", k_index},
      {"weights", &AnchorEndSource::weights, "",
       "with triangle: barycentric coordinates of the point, which add up to 1", k_unit},
  };
  return table;
}

template <>
std::span<const Field<ExpectSource>> fields_of<ExpectSource>() {
  static const std::vector<Field<ExpectSource>> table = {
      {"at", &ExpectSource::at, "s", "when; negative = the end of the run", {-1, 1e6}, true},
      {"body", &ExpectSource::body, "", "name of a rigid body"},
      {"cloth", &ExpectSource::cloth, "", "name of a cloth"},
      {"solid", &ExpectSource::solid, "", "name of a solid"},
      {"anchor", &ExpectSource::anchor, "", "name of an anchor"},
      {"seam", &ExpectSource::seam, "", "name of a seam"},
      {"reason", &ExpectSource::reason, "", "why this value and this tolerance"},
  };
  return table;
}

template <>
std::span<const Field<BoundSource>> fields_of<BoundSource>() {
  static const std::vector<Field<BoundSource>> table = {
      {"near", &BoundSource::near, "", "expected value"},
      {"within", &BoundSource::within, "", "accepted distance from near", k_not_negative},
      {"min", &BoundSource::min, "", "least accepted value"},
      {"max", &BoundSource::max, "", "greatest accepted value"},
  };
  return table;
}

}  // namespace pliant
