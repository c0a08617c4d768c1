#include "scene/reader.h"

#include <limits>

#include <fmt/format.h>

#include "math/trig.h"

namespace pliant {
namespace {

// True where one place is the other or holds it.
bool related(std::string_view a, std::string_view b) {
  const std::string_view outer = a.size() <= b.size() ? a : b;
  const std::string_view inner = a.size() <= b.size() ? b : a;
  if (inner.substr(0, outer.size()) != outer) return false;
  return inner.size() == outer.size() || outer.empty() || inner[outer.size()] == '.' ||
         inner[outer.size()] == '[';
}

}  // namespace

void Reader::wrong_type(const Place& place, const Json& value, std::string_view accepted) {
  error(place, fmt::format("found {}; accepted: {}", found(value), accepted));
}

void Reader::add_checked(const Place& place, const Errors& checked, std::size_t errors_before) {
  const std::string prefix = place.text();
  const std::size_t end = errors.size();
  for (const Error& problem : checked) {
    const std::string full_place =
        problem.place.empty() ? prefix : join_place(prefix, problem.place);
    bool known = false;
    for (std::size_t i = errors_before; i < end && !known; ++i)
      known = related(errors[i].place, full_place);
    if (!known) errors.push_back({full_place, problem.message});
  }
}

bool Reader::take_vertices(const Place& place, double count) {
  if (static_cast<double>(vertices) + count <= static_cast<double>(k_max_vertices)) {
    vertices += static_cast<std::int64_t>(count);
    return true;
  }
  if (!full)
    error(place, fmt::format("brings the scene to {:.0f} vertices; accepted: at most {} in all",
                             static_cast<double>(vertices) + count, k_max_vertices));
  full = true;
  return false;
}

bool Reader::take_things(const Place& place, double count) {
  if (static_cast<double>(things) + count <= static_cast<double>(k_max_things)) {
    things += static_cast<std::int64_t>(count);
    return true;
  }
  if (!full)
    error(place, fmt::format("brings the scene to {:.0f} bodies, cloths and solids; accepted: at "
                             "most {} in all",
                             static_cast<double>(things) + count, k_max_things));
  full = true;
  return false;
}

bool is_object(Reader& reader, const Json& json, const Place& place) {
  if (json.is_object()) return true;
  reader.wrong_type(place, json, "an object");
  return false;
}

bool is_array(Reader& reader, const Json& json, const Place& place, std::string_view accepted) {
  if (json.is_array()) return true;
  reader.wrong_type(place, json, accepted);
  return false;
}

void report_unknown_keys(Reader& reader, const Json& object, const Place& place,
                         const std::vector<std::string>& known) {
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    bool good = false;
    for (const std::string& k : known) good = good || k == key;
    if (!good)
      reader.error(Place(place, std::string_view(key)), "unknown key" + suggestion(key, known));
  }
}

bool read_value(Reader& reader, const Json& json, const Place& place, double& out) {
  if (!json.is_number()) {
    reader.wrong_type(place, json, "a number");
    return false;
  }
  out = json.get<double>();
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, std::optional<double>& out) {
  double value = 0;
  if (!read_value(reader, json, place, value)) return false;
  out = value;
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, int& out) {
  const double value = json.is_number() ? json.get<double>() : 0.5;
  const double most = std::numeric_limits<int>::max();
  if (!(std::abs(value) <= most) || value != std::floor(value)) {
    reader.wrong_type(place, json, fmt::format("a whole number of at most {}", most));
    return false;
  }
  out = static_cast<int>(value);
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, bool& out) {
  if (!json.is_boolean()) {
    reader.wrong_type(place, json, "true or false");
    return false;
  }
  out = json.get<bool>();
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, std::uint32_t& out) {
  const double value = json.is_number() ? json.get<double>() : 0.5;
  const double most = std::numeric_limits<std::uint32_t>::max();
  if (!(value >= 0 && value <= most) || value != std::floor(value)) {
    reader.wrong_type(place, json, fmt::format("a whole number from 0 to {}", most));
    return false;
  }
  out = static_cast<std::uint32_t>(value);
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, std::string& out) {
  if (!json.is_string()) {
    reader.wrong_type(place, json, "a text in quotes");
    return false;
  }
  out = json.get<std::string>();
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place, Vec3& out) {
  std::array<double, 3> v{};
  if (!read_value(reader, json, place, v)) return false;
  out = {v[0], v[1], v[2]};
  return true;
}

// --- rotations
// --------------------------------------------------------------------------------------
namespace {

Quat about(const Vec3& unit_axis, double angle) {
  const SinCos h = det_sincos(angle / 2);
  return {unit_axis.x * h.sin, unit_axis.y * h.sin, unit_axis.z * h.sin, h.cos};
}

bool read_axis_angle(Reader& reader, const Json& json, const Place& place, Quat& out) {
  Vec3 axis;
  double angle = 0;
  bool good = true;
  for (const char* key : {"axis", "angle"})
    if (!json.contains(key)) {
      reader.error(Place(place, std::string_view(key)), "is missing: a rotation by axis and angle");
      good = false;
    }
  if (!good) return false;
  good = read_value(reader, json["axis"], Place(place, "axis"), axis) && good;
  good = read_value(reader, json["angle"], Place(place, "angle"), angle) && good;
  if (good && !(length(axis) > 1e-9 && length(axis) < 1e9)) {
    reader.error(Place(place, "axis"), "has no direction; accepted: three numbers, not all zero");
    good = false;
  }
  if (good && !(std::abs(angle) <= 1e4)) {
    reader.error(Place(place, "angle"),
                 fmt::format("found {}; accepted: from -10000 to 10000 rad", angle));
    good = false;
  }
  if (good) out = normalized(about(normalized(axis), angle));
  return good;
}

bool read_euler(Reader& reader, const Json& json, const Place& place, Quat& out) {
  Vec3 degrees;
  if (!read_value(reader, json, place, degrees)) return false;
  const double radians = 3.14159265358979323846 / 180;
  for (int i = 0; i < 3; ++i)
    if (!(std::abs(degrees[i]) <= 36000)) {
      reader.error(Place(place, static_cast<std::size_t>(i)),
                   fmt::format("found {}; accepted: from -36000 to 36000 degrees", degrees[i]));
      return false;
    }
  out = normalized(about({0, 0, 1}, degrees.z * radians) * about({0, 1, 0}, degrees.y * radians) *
                   about({1, 0, 0}, degrees.x * radians));
  return true;
}

}  // namespace

bool read_value(Reader& reader, const Json& json, const Place& place, Quat& out) {
  if (json.is_object()) {
    const std::size_t before = reader.errors.size();
    report_unknown_keys(reader, json, place, {"axis", "angle", "euler_degrees"});
    if (reader.errors.size() > before) return false;
    if (!json.contains("euler_degrees")) return read_axis_angle(reader, json, place, out);
    if (json.size() == 1)
      return read_euler(reader, json["euler_degrees"], Place(place, "euler_degrees"), out);
  }
  if (!json.is_array() || json.size() != 4) {
    reader.wrong_type(place, json,
                      "a quaternion [x, y, z, w], {\"axis\": [x, y, z], \"angle\": rad} or "
                      "{\"euler_degrees\": [x, y, z]}");
    return false;
  }
  std::array<double, 4> v{};
  if (!read_value(reader, json, place, v)) return false;
  out = {v[0], v[1], v[2], v[3]};
  // A quaternion that is a unit one to rounding keeps its bits, so that a saved scene comes back.
  const double norm_sq = out.x * out.x + out.y * out.y + out.z * out.z + out.w * out.w;
  if (norm_sq > 1e-12 && norm_sq < 1e12 && std::abs(norm_sq - 1) > 1e-12) out = normalized(out);
  return true;
}

std::optional<std::size_t> read_word(Reader& reader, const Json& json, const Place& place,
                                     const std::vector<std::string>& words) {
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    for (std::size_t i = 0; i < words.size(); ++i)
      if (text == words[i]) return i;
    reader.error(place, "found " + found(json) + suggestion(text, words));
    return std::nullopt;
  }
  std::string accepted;
  for (std::size_t i = 0; i < words.size(); ++i)
    accepted += (i == 0 ? "\"" : i + 1 < words.size() ? ", \"" : " or \"") + words[i] + "\"";
  reader.wrong_type(place, json, accepted);
  return std::nullopt;
}

bool read_value(Reader& reader, const Json& json, const Place& place, Surface& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, Filter& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, Sheet& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, Springs& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, Matching& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, TileMap& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place, JointFreedom& out) {
  return read_fields(reader, json, place, out);
}

bool read_value(Reader& reader, const Json& json, const Place& place,
                std::array<JointFreedom, 3>& out) {
  if (!json.is_array() || json.size() != out.size()) {
    reader.wrong_type(place, json, "an array of 3 objects");
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < out.size(); ++i)
    good = read_value(reader, json[i], Place(place, i), out[i]) && good;
  return good;
}

bool read_value(Reader& reader, const Json& json, const Place& place, Path& out) {
  if (!is_array(reader, json, place, "an array of keyframes")) return false;
  const std::size_t before = reader.errors.size();
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    read_fields(reader, json[i], Place(place, i), out[i]);
  return reader.errors.size() == before;
}

bool read_value(Reader& reader, const Json& json, const Place& place, std::vector<Vec3>& out) {
  if (!is_array(reader, json, place, "an array of points [x, y, z]")) return false;
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    if (!read_value(reader, json[i], Place(place, i), out[i])) return false;
  return true;
}

bool read_value(Reader& reader, const Json& json, const Place& place,
                std::vector<std::int32_t>& out) {
  if (!is_array(reader, json, place, "an array of whole numbers")) return false;
  out.resize(json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    if (!read_value(reader, json[i], Place(place, i), out[i])) return false;
  return true;
}

const char* read_choice(Reader& reader, const Json& object, const Place& place,
                        const std::vector<const char*>& choices) {
  const char* chosen = nullptr;
  int count = 0;
  std::string names;
  for (const char* choice : choices) {
    names += (names.empty() ? "" : ", ") + std::string(choice);
    if (!object.contains(choice)) continue;
    chosen = choice;
    ++count;
  }
  if (count == 1) return chosen;
  reader.error(place, fmt::format("has {} of the keys {}; accepted: exactly one", count, names));
  return nullptr;
}

void read_member(Reader& reader, const Json& json, const Place& place, const Value& value) {
  std::visit(
      [&](auto at) {
        if constexpr (!std::is_same_v<decltype(at), std::monostate>)
          read_value(reader, json, place, *at);
      },
      value);
}

}  // namespace pliant
