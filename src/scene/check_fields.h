// Range checks that follow the tables of fields: finite, inside the range, unit-able rotations,
// keyframes in order. Used for definitions made in code and for those read from files.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scene/fields.h"

namespace pliant {

using Errors = std::vector<Error>;

std::string join_place(const std::string& prefix, std::string_view key);
std::string element_place(const std::string& prefix, std::size_t index);

void check_value(double value, const Range& range, const char* unit, const std::string& place,
                 Errors& errors);
void check_value(const Vec3& value, const Range& range, const char* unit, const std::string& place,
                 Errors& errors);
void check_value(const Quat& value, const std::string& place, Errors& errors);
void check_value(const Path& value, const std::string& place, Errors& errors);
// Of many points the first that is wrong is named.
void check_value(const std::vector<Vec3>& value, const Range& range, const char* unit,
                 const std::string& place, Errors& errors);

template <class T>
void check_fields(const T& object, const std::string& prefix, Errors& errors);

// One field of any kind that the tables hold.
template <class T>
void check_field(const T& value, const Range& range, const char* unit, const std::string& place,
                 Errors& errors) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    check_value(static_cast<double>(value), range, unit, place, errors);
  } else if constexpr (std::is_same_v<T, std::optional<double>>) {
    if (value) check_value(*value, range, unit, place, errors);
  } else if constexpr (std::is_same_v<T, Vec3> || std::is_same_v<T, std::vector<Vec3>>) {
    check_value(value, range, unit, place, errors);
  } else if constexpr (std::is_same_v<T, Quat> || std::is_same_v<T, Path>) {
    check_value(value, place, errors);
  } else if constexpr (std::is_same_v<T, Surface>) {
    check_fields(value, place, errors);
    if (value.friction_static < value.friction_kinetic)
      errors.push_back({join_place(place, "friction_static"),
                        "less than friction_kinetic; accepted: at least friction_kinetic"});
  } else if constexpr (std::is_same_v<T, Sheet> || std::is_same_v<T, Filter> ||
                       std::is_same_v<T, Springs> || std::is_same_v<T, Matching> ||
                       std::is_same_v<T, TileMap> || std::is_same_v<T, JointFreedom>) {
    check_fields(value, place, errors);
  } else if constexpr (std::is_same_v<T, std::array<JointFreedom, 3>>) {
    for (std::size_t i = 0; i < value.size(); ++i)
      check_fields(value[i], element_place(place, i), errors);
  } else if constexpr (std::is_same_v<T, std::array<int, 2>> ||
                       std::is_same_v<T, std::array<int, 3>> ||
                       std::is_same_v<T, std::array<double, 3>>) {
    for (std::size_t i = 0; i < value.size(); ++i)
      check_value(static_cast<double>(value[i]), range, unit, element_place(place, i), errors);
  }
}

template <class T>
void check_fields(const T& object, const std::string& prefix, Errors& errors) {
  for (const Field<T>& field : fields_of<T>()) {
    const std::string place = join_place(prefix, field.key);
    std::visit(
        [&](auto member) {
          if constexpr (!std::is_same_v<decltype(member), std::monostate>)
            check_field(object.*member, field.range, field.unit, place, errors);
        },
        field.member);
  }
}

}  // namespace pliant
