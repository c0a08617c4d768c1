#include "scene/overrides.h"

#include <charconv>

#include <fmt/format.h>

namespace pliant {
namespace {

// "bodies[2].shape" and "bodies.2.shape" alike.
std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.' || c == '[')
      parts.emplace_back();
    else if (c != ']')
      parts.back() += c;
  }
  return parts;
}

std::optional<std::size_t> index_of(const Json& array, const std::string& part) {
  for (std::size_t i = 0; i < array.size(); ++i)
    if (array[i].is_object() && array[i].contains("name") && array[i]["name"] == part) return i;
  std::size_t index = 0;
  const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), index);
  if (failure != std::errc() || end != part.data() + part.size() || index >= array.size())
    return std::nullopt;
  return index;
}

std::string no_element(const Json& array, const std::string& part) {
  std::vector<std::string> names;
  for (const Json& item : array)
    if (item.is_object() && item.contains("name") && item["name"].is_string())
      names.push_back(item["name"].get<std::string>());
  std::string message = fmt::format("there is no element \"{}\"", part);
  if (array.empty()) return message + "; the array is empty";
  message += fmt::format("; accepted: a number from 0 to {}", array.size() - 1);
  return names.empty() ? message : message + " or a name" + suggestion(part, names);
}

Json value_of(const std::string& text) {
  std::vector<Error> ignored;
  std::optional<Json> value = parse_document(text, "", ignored);
  return value ? *std::move(value) : Json(text);  // motion=fixed needs no quotes
}

void apply(Json& document, const std::string& given, OverrideMarks& marks,
           std::vector<Error>& errors) {
  const std::string label = "override \"" + given + "\"";
  const std::size_t equals = given.find('=');
  if (equals == std::string::npos || equals == 0) {
    errors.push_back({label, "accepted: path=value, such as world.substeps=20"});
    return;
  }
  Json* at = &document;
  std::string place;
  bool created = false;
  for (const std::string& part : split_path(given.substr(0, equals))) {
    if (at->is_array()) {
      const auto index = index_of(*at, part);
      if (!index) {
        errors.push_back({fmt::format("{}: {}", label, place), no_element(*at, part)});
        return;
      }
      at = &(*at)[*index];
      place += fmt::format("[{}]", *index);
      continue;
    }
    if (at->is_null() && created) *at = Json::object();
    if (!at->is_object()) {
      errors.push_back({fmt::format("{}: {}", label, place),
                        fmt::format("is {}, which has no \"{}\" inside", found(*at), part)});
      return;
    }
    place += (place.empty() ? "" : ".") + part;
    if (!at->contains(part) && !created) {
      created = true;
      marks.push_back({place, given});
    }
    at = &(*at)[part];
  }
  *at = value_of(given.substr(equals + 1));
  if (!created) marks.push_back({place, given});
}

}  // namespace

OverrideMarks apply_overrides(Json& document, const std::vector<std::string>& overrides,
                              std::vector<Error>& errors) {
  OverrideMarks marks;
  for (const std::string& given : overrides) apply(document, given, marks, errors);
  return marks;
}

std::string marked_override(const OverrideMarks& marks, const std::string& place) {
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    if (place.compare(0, mark->place.size(), mark->place) != 0) continue;
    const char next = place.size() > mark->place.size() ? place[mark->place.size()] : '.';
    if (next == '.' || next == '[') return mark->override;
  }
  return "";
}

}  // namespace pliant
