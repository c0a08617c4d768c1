// The tables of quantities; world_scene.cpp measures each of them.
#include "scene/quantities.h"

namespace pliant {
namespace {

constexpr Quantity k_world[] = {
    {"kinetic_energy", "J", "of all that moves freely"},
    {"energy", "J", "kinetic, potential and elastic"},
    {"momentum_x", "kg m/s", "total linear momentum along x"},
    {"momentum_y", "kg m/s", "total linear momentum along y"},
    {"momentum_z", "kg m/s", "total linear momentum along z"},
    {"penetration_max", "m",
     "deepest overlap of all contacts; of cloth, what is missing of the distance that it keeps"},
    {"penetration_mean", "m", "mean overlap over the loaded contacts"},
    {"contacts", "", "number of loaded contact points"},
    {"crossings", "", "number of pairs of triangles of cloths that pass through each other"},
    {"solid_overlap", "m", "how deep the surfaces of solids are in each other at most"},
    {"asleep", "", "number of bodies, cloths and solids that sleep"},
};
constexpr Quantity k_body[] = {
    {"height", "m", "y of its origin"},
    {"x", "m", "of its origin"},
    {"y", "m", "of its origin"},
    {"z", "m", "of its origin"},
    {"speed", "m/s", "of the centre of mass"},
    {"angular_speed", "rad/s", "length of the angular velocity"},
    {"asleep", "", "1 asleep, 0 awake"},
    {"contact_force", "N", "vertical component of the sum of the contact forces"},
    {"kinetic_energy", "J", "of motion and rotation"},
    {"overlaps", "", "number of things in groups of its mask that overlap it, but for sensors"},
};
constexpr Quantity k_cloth[] = {
    {"height", "m", "y of the centre of mass"},
    {"lowest", "m", "least y of all vertices"},
    {"highest", "m", "greatest y of all vertices"},
    {"crossings", "",
     "number of pairs of triangles of cloths, one of them its own, that pass through each other"},
    {"stretch_max", "", "greatest edge length / rest length"},
    {"stretch_mean", "", "mean edge length / rest length"},
    {"speed", "m/s", "of the centre of mass"},
    {"asleep", "", "1 asleep, 0 awake"},
};
constexpr Quantity k_solid[] = {
    {"height", "m", "y of the centre of mass"},
    {"x", "m", "of the centre of mass"},
    {"z", "m", "of the centre of mass"},
    {"lowest", "m", "least y of all nodes"},
    {"highest", "m", "greatest y of all nodes"},
    {"volume_ratio", "", "volume / rest volume"},
    {"speed", "m/s", "of the centre of mass"},
    {"asleep", "", "1 asleep, 0 awake"},
    {"inverted", "", "number of tetrahedra that are flat or inside out"},
};
constexpr Quantity k_anchor[] = {
    {"force", "N", "length of the force that the anchor carries"},
};
constexpr Quantity k_joint[] = {
    {"force", "N", "length of the force that the joint carries"},
    {"torque", "N m", "length of the torque that it carries besides"},
    {"angle", "rad", "twist of side b about the joint's x axis"},
    {"swing", "rad", "angle between the x axes of the two sides"},
    {"offset", "m", "of b along the joint's x axis; of a distance the length"},
    {"error", "m", "distance of the two points; of a distance 0"},
    {"broken", "", "1 broken, 0 whole"},
};
constexpr Quantity k_seam[] = {
    {"open", "", "number of stitches whose ends have not met"},
    {"merged", "", "number of stitches whose vertices have become one"},
    {"joined", "", "number of stitches that hold a vertex at a point of an edge"},
    {"gap", "m", "the widest of all stitches"},
    {"force", "N", "sum of what the stitches that are not merged carry"},
};

}  // namespace

std::span<const Quantity> quantities_of(SubjectKind kind) {
  switch (kind) {
    case SubjectKind::world:
      return k_world;
    case SubjectKind::body:
      return k_body;
    case SubjectKind::cloth:
      return k_cloth;
    case SubjectKind::solid:
      return k_solid;
    case SubjectKind::anchor:
      return k_anchor;
    case SubjectKind::joint:
      return k_joint;
    case SubjectKind::seam:
      return k_seam;
  }
  return {};
}

bool has_quantity(SubjectKind kind, std::string_view name) {
  for (const Quantity& q : quantities_of(kind))
    if (name == q.name) return true;
  return false;
}

}  // namespace pliant
