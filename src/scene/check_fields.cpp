// The checks of single values and what they say.
#include "scene/check_fields.h"

#include <fmt/format.h>

namespace pliant {
namespace {

std::string accepted(const Range& range, const char* unit) {
  const std::string of = *unit ? std::string(" ") + unit : "";
  const bool low = range.min > -1e30, high = range.max < 1e30;
  if (!low && !high) return "a finite number" + of;
  const char* from = range.above_min ? "greater than" : "at least";
  if (!high) return fmt::format("{} {}{}", from, range.min, of);
  if (!low) return fmt::format("at most {}{}", range.max, of);
  if (range.above_min)
    return fmt::format("greater than {}, at most {}{}", range.min, range.max, of);
  return fmt::format("from {} to {}{}", range.min, range.max, of);
}

}  // namespace

std::string join_place(const std::string& prefix, std::string_view key) {
  return prefix.empty() ? std::string(key) : prefix + "." + std::string(key);
}

std::string element_place(const std::string& prefix, std::size_t index) {
  return fmt::format("{}[{}]", prefix, index);
}

void check_value(double value, const Range& range, const char* unit, const std::string& place,
                 Errors& errors) {
  const bool inside = std::isfinite(value) && value <= range.max &&
                      (range.above_min ? value > range.min : value >= range.min);
  if (!inside)
    errors.push_back({place, fmt::format("found {}; accepted: {}", value, accepted(range, unit))});
}

void check_value(const Vec3& value, const Range& range, const char* unit, const std::string& place,
                 Errors& errors) {
  for (int i = 0; i < 3; ++i)
    check_value(value[i], range, unit, element_place(place, static_cast<std::size_t>(i)), errors);
}

void check_value(const Quat& q, const std::string& place, Errors& errors) {
  const double norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  if (!(norm > 1e-6 && norm < 1e6))
    errors.push_back({place, fmt::format("found [{}, {}, {}, {}], which cannot be brought to "
                                         "length 1; accepted: a quaternion [x, y, z, w]",
                                         q.x, q.y, q.z, q.w)});
}

void check_value(const Path& path, const std::string& place, Errors& errors) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const std::string here = element_place(place, i);
    check_fields(path[i], here, errors);
    if (i > 0 && !(path[i].time > path[i - 1].time))
      errors.push_back(
          {here + ".time", fmt::format("found {} after {}; accepted: times that increase",
                                       path[i].time, path[i - 1].time)});
  }
}

void check_value(const std::vector<Vec3>& points, const Range& range, const char* unit,
                 const std::string& place, Errors& errors) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3& p = points[i];
    if (finite(p) && p.x >= range.min && p.y >= range.min && p.z >= range.min && p.x <= range.max &&
        p.y <= range.max && p.z <= range.max)
      continue;
    return check_value(p, range, unit, element_place(place, i), errors);
  }
}

namespace {

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

}  // namespace

void check_member(const Value& value, const Range& range, const char* unit,
                  const std::string& place, Errors& errors) {
  std::visit(
      [&](auto at) {
        if constexpr (!std::is_same_v<decltype(at), std::monostate>)
          check_field(*at, range, unit, place, errors);
      },
      value);
}

}  // namespace pliant
