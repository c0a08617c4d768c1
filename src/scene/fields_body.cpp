// Fields of rigid bodies: shapes, surface, path, the body itself and arrays of bodies.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {

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
std::span<const Field<Cylinder>> fields_of<Cylinder>() {
  static const std::vector<Field<Cylinder>> table = {
      {"radius", &Cylinder::radius, "m", "radius", k_size},
      {"half_height", &Cylinder::half_height, "m",
       "half the length of the axis (the body's y axis)", k_size},
  };
  return table;
}

template <>
std::span<const Field<Cone>> fields_of<Cone>() {
  static const std::vector<Field<Cone>> table = {
      {"radius", &Cone::radius, "m", "radius of the base", k_size},
      {"height", &Cone::height, "m",
       "from the base to the tip, which is on the body's y axis, 3/4 of it above the origin",
       k_size},
  };
  return table;
}

template <>
std::span<const Field<Ellipsoid>> fields_of<Ellipsoid>() {
  static const std::vector<Field<Ellipsoid>> table = {
      {"half", &Ellipsoid::half, "m", "half of each axis", k_size},
  };
  return table;
}

template <>
std::span<const Field<Rectangle>> fields_of<Rectangle>() {
  static const std::vector<Field<Rectangle>> table = {
      {"half_x", &Rectangle::half_x, "m", "half of the side along x", k_size},
      {"half_z", &Rectangle::half_z, "m", "half of the side along z", k_size},
  };
  return table;
}

template <>
std::span<const Field<Hull>> fields_of<Hull>() {
  static const std::vector<Field<Hull>> table = {
      {"points", &Hull::points, "m", "points; those inside the others do not matter", k_place},
      {"mesh", std::monostate{}, "", "or the vertices of a mesh", k_any, false, "mesh"},
  };
  return table;
}

template <>
std::span<const Field<HeightField>> fields_of<HeightField>() {
  static const std::vector<Field<HeightField>> table = {
      {"columns", &HeightField::columns, "", "cells along x", {1, 4096}},
      {"rows", &HeightField::rows, "", "cells along z", {1, 4096}},
      {"width", &HeightField::width, "m", "along x", k_size},
      {"depth", &HeightField::depth, "m", "along z", k_size},
      {"heights", std::monostate{}, "m",
       "(columns + 1) * (rows + 1) numbers, row by row; vertex (i, j) has place j * (columns + 1) "
       "+ i",
       k_any, true, "numbers"},
  };
  return table;
}

template <>
std::span<const Field<Compound>> fields_of<Compound>() {
  static const std::vector<Field<Compound>> table = {
      {"parts", std::monostate{}, "", "shapes and where they are", k_any, true, "parts"},
  };
  return table;
}

template <>
std::span<const Field<CompoundPart>> fields_of<CompoundPart>() {
  static const std::vector<Field<CompoundPart>> table = {
      {"shape", std::monostate{}, "", "of the part", k_any, true, "shape"},
      {"position", &CompoundPart::position, "m", "of the shape's origin in the body's frame",
       k_place},
      {"rotation", &CompoundPart::rotation, "", "from the part's axes to the body's"},
      {"density", &CompoundPart::density, "kg/m3", "0 = that of the body", k_not_negative},
  };
  return table;
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
      {"rolling_resistance",
       &Surface::rolling_resistance,
       "m",
       "of rigid bodies: torque against rolling / normal force",
       {0, 1e3}},
      {"spinning_resistance",
       &Surface::spinning_resistance,
       "m",
       "of rigid bodies: torque against turning about the normal / normal force",
       {0, 1e3}},
      {"friction_combine", &Surface::friction_combine, "",
       "how friction and the two resistances are made from those of both surfaces; automatic = "
       "geometric"},
      {"restitution_combine", &Surface::restitution_combine, "",
       "likewise of restitution; automatic = greatest"},
  };
  return table;
}

template <>
std::span<const Field<Filter>> fields_of<Filter>() {
  static const std::vector<Field<Filter>> table = {
      {"groups", &Filter::groups, "", "bits: the groups that it is in", k_bits},
      {"mask", &Filter::mask, "", "bits: the groups that it meets", k_bits},
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
std::span<const Field<BodyDef>> fields_of<BodyDef>() {
  static const std::vector<Field<BodyDef>> table = {
      {"name", &BodyDef::name, "", "unique in the scene; body_<number> where it is left out"},
      {"motion", &BodyDef::motion, "", "fixed: never moves; kinematic: follows its path; dynamic"},
      {"shape", std::monostate{}, "", "in the body's frame", k_any, false, "shape"},
      {"position", &BodyDef::position, "m", "of the shape's origin", k_place},
      {"rotation", &BodyDef::rotation, "", "from the body's axes to the world's"},
      {"velocity", &BodyDef::velocity, "m/s", "of the centre of mass, at the beginning", k_speed},
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
      {"ordered_impacts", &BodyDef::ordered_impacts, "",
       "its impacts, and those of what it may meet, are ordered whatever the world's are"},
      {"path", &BodyDef::path, "", "kinematic bodies only: where it is at each time"},
      {"filter", &BodyDef::filter, "", "what it meets"},
      {"sensor", &BodyDef::sensor, "", "meets nothing, but reports what overlaps it"},
      {"material", &BodyDef::material, "", "a word that fields may ask for, such as iron"},
      {"gravity_scale",
       &BodyDef::gravity_scale,
       "",
       "times the world's gravity; fields do not count",
       {-1e3, 1e3}},
      {"max_speed", &BodyDef::max_speed, "m/s", "greatest speed; 0 = none", {0, 1e6}},
      {"lock_position", &BodyDef::lock_position, "",
       "dynamic bodies: keeps its place along x, y, z of the world"},
      {"lock_rotation", &BodyDef::lock_rotation, "",
       "dynamic bodies: does not turn about x, y, z of the world"},
      {"array", std::monostate{}, "", "many copies, named name_0, name_1, ...", k_any, false,
       "array"},
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

}  // namespace pliant
