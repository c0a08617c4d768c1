// JSON text to a document and back: errors with line and column, no duplicate keys, bounded depth,
// readable formatting with numbers that come back as the same bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <pliant/result.h>

namespace pliant {

using Json = nlohmann::ordered_json;

// Where in a document: a chain of keys and indices on the stack, made into text only for an error.
class Place {
 public:
  Place() = default;
  Place(const Place& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Place(const Place& parent, std::size_t index) : parent_(&parent), index_(index) {}
  std::string text() const;  // "bodies[2].shape"

 private:
  const Place* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = 0;
};

// Adds to `errors` with place "label: line 3, column 14", or the JSON path for a repeated key.
std::optional<Json> parse_document(const std::string& text, const std::string& label,
                                   std::vector<Error>& errors);

// Short arrays and objects on one line, the rest indented by two.
std::string format_document(const Json& document);

// What was found, in a few words: a number, "text", null, an array of 3, an object.
std::string found(const Json& value);

// The candidate with the smallest edit distance, if it is near enough to be a slip.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);
// "; did you mean "radius"?" or nothing, then "; accepted: ..." with all candidates.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pliant
