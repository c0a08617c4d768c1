// Fields of the fields of force.
#include "scene/field_ranges.h"
#include "scene/fields.h"

namespace pliant {
namespace {

constexpr Range k_strength{-1e12, 1e12};  // m3/s2
constexpr Range k_acceleration{-1e5, 1e5};

}  // namespace

template <>
std::span<const Field<UniformGravity>> fields_of<UniformGravity>() {
  static const std::vector<Field<UniformGravity>> table = {
      {"acceleration", &UniformGravity::acceleration, "m/s2", "of everything", k_acceleration},
  };
  return table;
}

template <>
std::span<const Field<PointGravity>> fields_of<PointGravity>() {
  static const std::vector<Field<PointGravity>> table = {
      {"position", &PointGravity::position, "m", "of the point", k_place},
      {"strength", &PointGravity::strength, "m3/s2", "negative pushes away", k_strength},
      {"softening", &PointGravity::softening, "m", "keeps the centre finite", {0, 1e6}},
  };
  return table;
}

template <>
std::span<const Field<Drag>> fields_of<Drag>() {
  static const std::vector<Field<Drag>> table = {
      {"density", &Drag::density, "kg/m3", "of the medium", {0, 1e5}},
      {"coefficient", &Drag::coefficient, "", "C; a sphere has 0.5", {0, 1e3}},
      {"velocity", &Drag::velocity, "m/s", "of the medium", {-1e4, 1e4}},
  };
  return table;
}

template <>
std::span<const Field<Explosion>> fields_of<Explosion>() {
  static const std::vector<Field<Explosion>> table = {
      {"position", &Explosion::position, "m", "of the centre", k_place},
      {"strength", &Explosion::strength, "m3/s2", "of the push", {0, 1e12}},
      {"softening", &Explosion::softening, "m", "keeps the centre finite", {0, 1e6}},
  };
  return table;
}

template <>
std::span<const Field<Magnet>> fields_of<Magnet>() {
  static const std::vector<Field<Magnet>> table = {
      {"position", &Magnet::position, "m", "of the magnet", k_place},
      {"strength", &Magnet::strength, "m3/s2", "negative pushes away", k_strength},
      {"softening", &Magnet::softening, "m", "keeps the centre finite", {0, 1e6}},
      {"material", &Magnet::material, "", "of the bodies that it acts on"},
  };
  return table;
}

template <>
std::span<const Field<Vortex>> fields_of<Vortex>() {
  static const std::vector<Field<Vortex>> table = {
      {"position", &Vortex::position, "m", "of a point of the axis", k_place},
      {"axis", &Vortex::axis, "", "direction, of any length", {-1e6, 1e6}},
      {"speed", &Vortex::speed, "m/s", "of the medium at the radius; negative turns the other way",
       k_speed},
      {"radius", &Vortex::radius, "m", "of the core", k_size},
      {"rate", &Vortex::rate, "1/s", "at which things take on the speed of the medium", {0, 1e4}},
  };
  return table;
}

template <>
std::span<const Field<FieldDef>> fields_of<FieldDef>() {
  static const std::vector<Field<FieldDef>> table = {
      {"name", &FieldDef::name, "", "unique among the fields; field_<number> where it is left out"},
      {"kind", std::monostate{}, "", "what it does", k_any, true, "field_kind"},
      {"begin", &FieldDef::begin, "s", "when it begins", {-1e7, 1e7}},
      {"duration",
       &FieldDef::duration,
       "s",
       "how long it lasts; 0 = for ever. Substeps that it covers in part count by their part",
       {0, 1e7}},
      {"range",
       &FieldDef::range,
       "m",
       "how far from its position it acts; 0 = everywhere",
       {0, 1e7}},
  };
  return table;
}

}  // namespace pliant
