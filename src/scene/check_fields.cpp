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

}  // namespace pliant
