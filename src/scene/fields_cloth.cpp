// Fields of cloths: the moduli of a sheet, folds, the cloth itself; and pins, which solids share.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {
namespace {

constexpr Range k_layers{0, 1000}, k_colours{1, 1000};

constexpr const char* k_schedule_text =
    "order of the constraints. clusters: patches side by side on threads, fastest; colours: "
    "colour by colour over the whole cloth; split: vertices have copies of a part of their "
    "mass, fewer colours but slower convergence";
constexpr const char* k_self_contact_text =
    "how it does. features: vertices with triangles and edges with edges, a thickness apart, "
    "never crosses; particles: spheres around vertices, about an edge length apart, much cheaper";

}  // namespace

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
std::span<const Field<SelectBox>> fields_of<SelectBox>() {
  static const std::vector<Field<SelectBox>> table = {
      {"min", &SelectBox::min, "m", "least coordinates, in the rest shape", k_place, true},
      {"max", &SelectBox::max, "m", "greatest coordinates, in the rest shape", k_place, true},
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
      {"schedule", &ClothDef::schedule, "", k_schedule_text},
      {"split_colours", &ClothDef::split_colours, "",
       "under split: constraints that a copy of a vertex serves, at most", k_colours},
      {"thickness", &ClothDef::thickness, "m", "mid-surfaces keep this distance", k_thin},
      {"self_contact", &ClothDef::self_contact, "",
       "whether the cloth meets itself; other cloth it always meets"},
      {"self_contact_by", &ClothDef::self_contact_by, "", k_self_contact_text},
      {"layer", &ClothDef::layer, "",
       "place in an order: a higher one stays on the side of a lower one to which its normals "
       "point, and is brought there at the beginning; 0 = in no order",
       k_layers},
      {"linear_drag", &ClothDef::linear_drag, "1/s", "rate of decay of the velocity", {0, 1e4}},
      {"max_speed", &ClothDef::max_speed, "m/s", "greatest speed of a vertex; 0 = none", {0, 1e6}},
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
      {"filter", &ClothDef::filter, "", "what it meets, besides itself"},
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

}  // namespace pliant
