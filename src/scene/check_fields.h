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

// One field of any kind that the tables hold.
void check_member(const Value& value, const Range& range, const char* unit,
                  const std::string& place, Errors& errors);

template <class T>
void check_fields(const T& object, const std::string& prefix, Errors& errors) {
  for (const Field<T>& field : fields_of<T>()) {
    const std::string place = join_place(prefix, field.key);
    check_member(value_at(field.member, &object), field.range, field.unit, place, errors);
  }
}

}  // namespace pliant
