// Reads JSON values into fields by the tables, collecting every problem with its JSON path. A value
// of the wrong type leaves the field as it was.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "scene/check_fields.h"
#include "scene/document.h"
#include "scene/fields.h"

namespace pliant {

struct Reader {
  std::string label;      // names the text in errors
  std::string directory;  // where relative mesh files are looked for
  Errors errors;          // places are JSON paths, without the label
  Errors warnings;        // likewise
  std::int64_t vertices = 0;
  std::int64_t things = 0;
  bool full = false;  // the limit of vertices or things has been reported

  void error(const Place& place, std::string message) {
    errors.push_back({place.text(), std::move(message)});
  }
  void wrong_type(const Place& place, const Json& value, std::string_view accepted);
  // Adds the problems of a check whose places are relative to `place`, except where reading has
  // already complained about the same field.
  void add_checked(const Place& place, const Errors& found, std::size_t errors_before);
  // False, once with an error, when the scene would hold more than the limits.
  bool take_vertices(const Place& place, double count);
  bool take_things(const Place& place, double count);
};

bool is_object(Reader& reader, const Json& json, const Place& place);
bool is_array(Reader& reader, const Json& json, const Place& place, std::string_view accepted);
void report_unknown_keys(Reader& reader, const Json& object, const Place& place,
                         const std::vector<std::string>& known);

bool read_value(Reader& reader, const Json& json, const Place& place, double& out);
bool read_value(Reader& reader, const Json& json, const Place& place, std::optional<double>& out);
bool read_value(Reader& reader, const Json& json, const Place& place, int& out);
bool read_value(Reader& reader, const Json& json, const Place& place, std::uint32_t& out);
bool read_value(Reader& reader, const Json& json, const Place& place, bool& out);
bool read_value(Reader& reader, const Json& json, const Place& place, std::string& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Vec3& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Quat& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Surface& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Filter& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Sheet& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Springs& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Matching& out);
bool read_value(Reader& reader, const Json& json, const Place& place, TileMap& out);
bool read_value(Reader& reader, const Json& json, const Place& place, JointFreedom& out);
bool read_value(Reader& reader, const Json& json, const Place& place,
                std::array<JointFreedom, 3>& out);
bool read_value(Reader& reader, const Json& json, const Place& place, Path& out);
bool read_value(Reader& reader, const Json& json, const Place& place, std::vector<Vec3>& out);
bool read_value(Reader& reader, const Json& json, const Place& place,
                std::vector<std::int32_t>& out);

// One of some words; the index of the chosen one, or none with an error.
std::optional<std::size_t> read_word(Reader& reader, const Json& json, const Place& place,
                                     const std::vector<std::string>& words);
template <class T>
requires std::is_enum_v<T>
bool read_value(Reader& reader, const Json& json, const Place& place, T& out) {
  const auto index = read_word(reader, json, place, words_of(T{}));
  if (index) out = static_cast<T>(*index);
  return index.has_value();
}

// A fixed number of numbers.
template <class T, std::size_t N>
bool read_value(Reader& reader, const Json& json, const Place& place, std::array<T, N>& out) {
  if (!json.is_array() || json.size() != N) {
    const char* what = std::is_same_v<T, bool> ? " of true or false" : " numbers";
    reader.wrong_type(place, json,
                      std::string("an array of ").append(std::to_string(N)).append(what));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < N; ++i)
    good = read_value(reader, json[i], Place(place, i), out[i]) && good;
  return good;
}

// Of any type that a table holds; nothing where the value is read by hand.
void read_member(Reader& reader, const Json& json, const Place& place, const Value& value);

template <class T>
std::vector<std::string> keys_of() {
  std::vector<std::string> keys;
  for (const Field<T>& field : fields_of<T>()) keys.push_back(field.key);
  return keys;
}

// Unknown and missing keys, and every field that has a member; the others are read by hand.
template <class T>
bool read_fields(Reader& reader, const Json& json, const Place& place, T& out) {
  if (!is_object(reader, json, place)) return false;
  const std::size_t before = reader.errors.size();
  report_unknown_keys(reader, json, place, keys_of<T>());
  for (const Field<T>& field : fields_of<T>()) {
    const Place here(place, std::string_view(field.key));
    const auto it = json.find(field.key);
    if (it == json.end()) {
      if (field.required) reader.error(here, std::string("is missing: ") + field.help);
      continue;
    }
    read_member(reader, *it, here, value_at(field.member, &out));
  }
  return reader.errors.size() == before;
}

// The same with the range checks, for what no definition check sees.
template <class T>
bool read_checked(Reader& reader, const Json& json, const Place& place, T& out) {
  const std::size_t before = reader.errors.size();
  if (!is_object(reader, json, place)) return false;
  read_fields(reader, json, place, out);
  Errors found;
  check_fields(out, "", found);
  reader.add_checked(place, found, before);
  return reader.errors.size() == before;
}

// The one key of `object` among `choices`; an error where there is none or more than one.
const char* read_choice(Reader& reader, const Json& object, const Place& place,
                        const std::vector<const char*>& choices);

}  // namespace pliant
