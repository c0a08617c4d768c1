// Fields of elastic solids.
#include "geometry/lattice.h"
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

template <>
std::span<const Field<Springs>> fields_of<Springs>() {
  static const std::vector<Field<Springs>> table = {
      {"distance",
       &Springs::distance,
       "J",
       "of lengths: the energy of a spring is distance / 2 ((l - l0) / l0)^2",
       {0, 1e12}},
      {"area", &Springs::area, "J", "likewise of the areas of triangles on the surface", {0, 1e12}},
      {"volume", &Springs::volume, "J", "likewise of the volumes of tetrahedra", {0, 1e12}},
      {"bulk",
       &Springs::bulk,
       "Pa",
       "besides volume: energies bulk / 2 V0 ((V - V0) / V0)^2 of tetrahedra of any size",
       {0, 1e12}},
      {"damping",
       &Springs::damping,
       "J s",
       "along a spring: of its rate as distance is of its length",
       {0, 1e12}},
      {"law", &Springs::law, "",
       "stiffness of a spring in N/m: energy = distance / l0^2, length = distance / (l0 mean), "
       "equal = distance / mean^2, with the mean length of all springs"},
      {"surface_factor",
       &Springs::surface_factor,
       "",
       "stiffness of springs on the surface, times that of the others",
       {0, 1e6}},
      {"lattice", &Springs::lattice, "",
       "whether mesh is wrapped in a lattice; if not, its vertices are the particles"},
      {"inner",
       &Springs::inner,
       "",
       "number of springs through the inside of mesh, without a lattice",
       {0, 1e7}},
      {"placement", &Springs::placement, "",
       "of these: random = between any two vertices, opposite = between those whose normals look "
       "away from each other, nearest = to the nearest of some such candidates"},
      {"candidates", &Springs::candidates, "", "that nearest chooses from", {1, 1e6}},
      {"limit", &Springs::limit, "", "tries for candidates", {1, 1e7}},
      {"seed", &Springs::seed, "", "of the placement", {0, 2147483647}},
      {"integrator", &Springs::integrator, "", "verlet is of second order, semi_implicit of first"},
  };
  return table;
}

template <>
std::span<const Field<Matching>> fields_of<Matching>() {
  static const std::vector<Field<Matching>> table = {
      {"mode", &Matching::mode, "",
       "what the shape may be before it is drawn back: rigid = turned, linear = also stretched "
       "and sheared, quadratic = also bent and twisted"},
      {"frequency",
       &Matching::frequency,
       "Hz",
       "with which what deforms swings about its shape: the same at any length of the substep; "
       "rigid where a quarter of the period is shorter than that",
       {0, 1e9}},
      {"freedom",
       &Matching::freedom,
       "",
       "share of the best linear or quadratic map in the shape; the stiffness of such deformation "
       "is 1 - freedom times that of others",
       {0, 1}},
      {"keep_volume", &Matching::keep_volume, "", "that map does not change the volume"},
      {"cluster_cells",
       &Matching::cluster_cells,
       "",
       "lattice cells along the side of a cluster, which overlap; 0 = one cluster",
       {0, k_max_lattice_cells}},
      {"yield", &Matching::yield, "", "strain of a cluster beyond which it creeps", {0, 1e3}},
      {"creep",
       &Matching::creep,
       "1/s",
       "share of the strain that a cluster beyond its yield takes into its rest shape each second; "
       "0 = elastic",
       {0, 1e6}},
      {"max_creep", &Matching::max_creep, "", "strain that the rest shape takes at most", {0, 1e3}},
  };
  return table;
}

namespace {

using SolidRows = std::vector<Field<SolidDef>>;

// What it is made of, where it is and how it begins to move.
SolidRows shape_rows() {
  return {
      {"name", &SolidDef::name, "", "unique in the scene; solid_<number> where it is left out"},
      {"mesh", std::monostate{}, "",
       "closed surface, wrapped in a lattice of cubes; beside tets, what meets others and is "
       "carried "
       "by them",
       k_any, false, "mesh"},
      {"cells",
       &SolidDef::cells,
       "",
       "cubes along the longest side of the mesh's box",
       {1, k_max_lattice_cells}},
      {"cell_size",
       &SolidDef::cell_size,
       "m",
       "edge of a cube, instead of cells; 0 = by cells",
       {0, 1e6}},
      {"tets", std::monostate{}, "", "tetrahedra, simulated as they are; or give mesh", k_any,
       false, "tets"},
      {"skin", std::monostate{}, "",
       "surface that is drawn in place of the one that meets others, and carried along; need not "
       "be "
       "closed",
       k_any, false, "mesh"},
      {"position", &SolidDef::position, "m", "of the mesh's origin", k_place},
      {"rotation", &SolidDef::rotation, "", "of the mesh about its origin"},
      {"initial_scale",
       &SolidDef::initial_scale,
       "",
       "of the places where the vertices begin, about the mesh's origin along its axes; the shape "
       "at "
       "rest is that without: 0 begins flat, a negative factor inside out",
       {-1e3, 1e3}},
      {"velocity", &SolidDef::velocity, "m/s", "at the beginning", k_speed},
      {"angular_velocity", &SolidDef::angular_velocity, "rad/s",
       "at the beginning, about the centre of mass", k_speed},
  };
}

// What holds it together, its material and whom it meets.
SolidRows model_rows() {
  return {
      {"model", &SolidDef::model, "",
       "what holds it together: xpbd = edges and volumes, fem = finite elements, explicit_fem = "
       "the same by forces, which needs short substeps, mass_spring = explicit springs, "
       "shape_matching = clusters that go back to their shape; the last two have no moduli"},
      {"springs", &SolidDef::springs, "", "of mass_spring"},
      {"matching", &SolidDef::matching, "", "of shape_matching"},
      {"energy", &SolidDef::energy, "",
       "of finite elements: neo_hookean keeps the volume under large deformation, corotated is "
       "Hooke's law in a frame that turns along; explicit_fem also takes green and cauchy, Hooke's "
       "law for these strains"},
      {"element", &SolidDef::element, "",
       "of fem: hexahedra makes cubes of a lattice one element each, which are not too stiff in "
       "bending and torsion as tetrahedra are"},
      {"damping",
       &SolidDef::damping,
       "s",
       "of finite elements: Rayleigh's factor of the stiffness; that of the mass is linear_drag",
       {0, 1e3}},
      {"material", std::monostate{}, "",
       "by name: its density, youngs_modulus and poisson_ratio; other keys change them", k_any,
       false, "material"},
      {"density", &SolidDef::density, "kg/m3", "mass by volume", k_positive},
      {"node_mass", &SolidDef::node_mass, "kg",
       "of every node, whatever the density; 0 = by the density", k_not_negative},
      {"youngs_modulus", &SolidDef::youngs_modulus, "Pa", "Young's modulus", k_positive},
      {"poisson_ratio",
       &SolidDef::poisson_ratio,
       "",
       "under xpbd 0.25 is what the edges alone give; more adds volume stiffness",
       {0, 0.499}},
      {"linear_drag", &SolidDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"thickness", &SolidDef::thickness, "m", "contact keeps half of it around the surface",
       k_thin},
      {"self_contact", &SolidDef::self_contact, "", "whether it meets itself"},
      {"surface", &SolidDef::surface, "", "friction and restitution"},
      {"filter", &SolidDef::filter, "", "what it meets"},
      {"pins", std::monostate{}, "", "lattice nodes or tetrahedron vertices that are held or led",
       k_any, false, "pins"},
      {"allow_sleep", &SolidDef::allow_sleep, "", "may sleep when it has come to rest"},
      {"colour",
       &SolidDef::colour,
       "",
       "in pictures, 65536 red + 256 green + blue, each to 255; -1 = one of a row",
       {-1, 16777215}},
      {"initial_positions", &SolidDef::initial_positions, "m",
       "of a saved state: world positions of the lattice nodes or tetrahedron vertices", k_place},
      {"initial_velocities", &SolidDef::initial_velocities, "m/s",
       "of a saved state; empty = velocity", k_speed},
      {"array", std::monostate{}, "", "many copies, named name_0, name_1, ...", k_any, false,
       "array"},
  };
}

}  // namespace

template <>
std::span<const Field<SolidDef>> fields_of<SolidDef>() {
  static const SolidRows table = [] {
    SolidRows rows = shape_rows();
    const SolidRows more = model_rows();
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return table;
}

}  // namespace pliant
