// Fields of elastic solids.
#include "geometry/lattice.h"
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

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
      {"model", &SolidDef::model, "",
       "what holds it together: xpbd = edges and volumes, fem = finite elements, explicit_fem = "
       "the "
       "same by forces, which needs short substeps"},
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
      {"youngs_modulus", &SolidDef::youngs_modulus, "Pa", "Young's modulus", k_positive},
      {"poisson_ratio",
       &SolidDef::poisson_ratio,
       "",
       "under xpbd 0.25 is what the edges alone give; more adds volume stiffness",
       {0, 0.499}},
      {"linear_drag", &SolidDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"thickness", &SolidDef::thickness, "m", "contact keeps half of it around the surface",
       k_thin},
      {"surface", &SolidDef::surface, "", "friction and restitution"},
      {"filter", &SolidDef::filter, "", "what it meets"},
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

}  // namespace pliant
