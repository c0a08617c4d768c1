#include "scene/document.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace pliant {
namespace {

constexpr std::size_t k_max_depth = 64;  // a scene needs about 8

struct LineColumn {
  std::size_t line = 1, column = 1;
};

LineColumn line_column(const std::string& text, std::size_t byte) {
  LineColumn at;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    ++at.column;
    if (text[i] == '\n') at = {at.line + 1, 1};
  }
  return at;
}

// Builds the document and sees what the plain parser passes over: repeated keys, great depth.
class Builder {
 public:
  Builder(const std::string& text, const std::string& label, std::vector<Error>& errors)
      : text_(text), label_(label), errors_(errors) {}
  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool v) { return put(v); }
  bool number_integer(Json::number_integer_t v) { return put(v); }
  bool number_unsigned(Json::number_unsigned_t v) { return put(v); }
  bool number_float(Json::number_float_t v, const std::string&) { return put(v); }
  bool string(std::string& v) { return put(std::move(v)); }
  bool binary(Json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    Level& level = levels_.back();
    if (!level.keys.insert(name).second)
      errors_.push_back({label_ + ": " + path() + name, "is given twice; accepted: once"});
    level.key = std::move(name);
    return true;
  }

  template <class Exception>
  bool parse_error(std::size_t byte, const std::string& token, const Exception& e) {
    std::string why = e.what();
    if (const auto end = why.find("] "); end != std::string::npos) why.erase(0, end + 2);
    if (const auto end = why.find("column "); end != std::string::npos)
      if (const auto colon = why.find(": ", end); colon != std::string::npos)
        why.erase(0, colon + 2);
    if (token.size() > 1000) why = fmt::format("a token of {} bytes", token.size());
    return fail(byte, "not valid JSON: " + why);
  }

 private:
  struct Level {
    Json* value;
    std::set<std::string> keys;
    std::string key;
  };

  bool fail(std::size_t byte, const std::string& message) {
    const LineColumn at = line_column(text_, byte > 0 ? byte - 1 : 0);
    errors_.push_back({fmt::format("{}: line {}, column {}", label_, at.line, at.column), message});
    return false;
  }

  Json* place(Json value) {
    if (levels_.empty()) return &(root_ = std::move(value));
    Level& level = levels_.back();
    if (level.value->is_array()) {
      level.value->push_back(std::move(value));
      return &level.value->back();
    }
    Json& slot = (*level.value)[level.key];
    slot = std::move(value);
    return &slot;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() >= k_max_depth) {
      errors_.push_back(
          {label_ + ": " + path(), fmt::format("nested deeper than {} levels", k_max_depth)});
      return false;
    }
    Json* at = place(std::move(value));
    levels_.push_back({at, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }
  // With a dot at its end, ready for a key.
  std::string path() const {
    std::string out;
    for (const Level& level : levels_) {
      if (&level == &levels_.back() && level.value->is_object()) break;
      if (level.value->is_object()) {
        out += level.key;
      } else {
        out += fmt::format("[{}]", level.value->empty() ? 0 : level.value->size() - 1);
      }
      const Level* next = &level + 1;
      if (next < levels_.data() + levels_.size() && next->value->is_object()) out += ".";
    }
    return out;
  }

  const std::string& text_;
  const std::string& label_;
  std::vector<Error>& errors_;
  Json root_;
  std::vector<Level> levels_;
};

}  // namespace

std::string Place::text() const {
  if (!parent_) return "";
  const std::string before = parent_->text();
  if (key_.data() == nullptr) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? std::string(key_) : before + "." + std::string(key_);
}

std::optional<Json> parse_document(const std::string& text, const std::string& label,
                                   std::vector<Error>& errors) {
  const std::size_t before = errors.size();
  Builder builder(text, label, errors);
  const bool whole = Json::sax_parse(text, &builder);
  if (!whole || errors.size() > before) return std::nullopt;
  return builder.take();
}

// --- formatting
// -------------------------------------------------------------------------------------
namespace {

constexpr std::size_t k_width = 100;

// The shortest text that reads back as the same double; whole numbers without ".0".
std::string number_text(double v) {
  if (v == 0 && std::signbit(v)) return "-0.0";
  if (!std::isfinite(v)) return "null";
  return fmt::format("{}", v);
}

std::string scalar_text(const Json& value) {
  if (value.is_number_float()) return number_text(value.get<double>());
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string quoted(const std::string& key) { return scalar_text(Json(key)); }

// The value on one line; gives up (empty) when it is longer than `limit`.
std::string one_line(const Json& value, std::size_t limit) {
  if (!value.is_structured()) return scalar_text(value);
  std::string out = value.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& item : value.items()) {
    if (!first) out += ", ";
    first = false;
    if (value.is_object()) out += quoted(item.key()) + ": ";
    const std::string text = one_line(item.value(), limit);
    out += text;
    if (text.empty() || out.size() > limit) return "";
  }
  return out + (value.is_array() ? "]" : "}");
}

void write(const Json& value, std::size_t indent, std::size_t used, std::string& out);

// Items as many to a line as fit.
void write_filled(const Json& array, std::size_t indent, std::string& out) {
  const std::string pad(indent + 2, ' ');
  out += "[\n";
  out += pad;
  std::size_t column = pad.size();
  for (std::size_t i = 0; i < array.size(); ++i) {
    std::string text = one_line(array[i], k_width);
    if (i + 1 < array.size()) text += ",";
    if (column > pad.size() && column + 1 + text.size() > k_width) {
      out += "\n";
      out += pad;
      column = pad.size();
    } else if (i > 0) {
      out += " ";
      ++column;
    }
    out += text;
    column += text.size();
  }
  out.append("\n").append(indent, ' ').append("]");
}

bool holds_only_short(const Json& array) {
  return std::all_of(array.begin(), array.end(), [](const Json& item) {
    if (!item.is_structured()) return true;
    return item.is_array() && item.size() <= 4 &&
           std::none_of(item.begin(), item.end(), [](const Json& v) { return v.is_structured(); });
  });
}

void write(const Json& value, std::size_t indent, std::size_t used, std::string& out) {
  const std::size_t room = k_width > used ? k_width - used : 0;
  const std::string line =
      value.is_structured() && value.size() > k_width ? "" : one_line(value, room);
  if (!value.is_structured() || (!line.empty() && line.size() <= room)) {
    out += line;
    return;
  }
  if (value.is_array() && holds_only_short(value)) return write_filled(value, indent, out);
  const std::string pad(indent + 2, ' ');
  out += value.is_array() ? "[" : "{";
  bool first = true;
  for (const auto& item : value.items()) {
    out += first ? "\n" : ",\n";
    first = false;
    out += pad;
    std::string key = value.is_object() ? quoted(item.key()) + ": " : "";
    out += key;
    write(item.value(), indent + 2, pad.size() + key.size() + 1, out);
  }
  out.append("\n").append(indent, ' ').append(value.is_array() ? "]" : "}");
}

// The outermost object always has a line for each key.
}  // namespace

std::string format_document(const Json& document) {
  std::string out;
  write(document, 0, k_width, out);
  return out + "\n";
}

// --- words
// ------------------------------------------------------------------------------------------
std::string found(const Json& value) {
  if (value.is_array()) return fmt::format("an array of {}", value.size());
  if (value.is_object()) return "an object";
  std::string text = scalar_text(value);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replace});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  if (word.size() > 200) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2);
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= std::max(word.size(), candidate.size()) || distance > best_distance) continue;
    if (best && distance == best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  std::string out;
  if (const auto near = nearest(word, candidates))
    out += fmt::format("; did you mean \"{}\"?", *near);
  if (candidates.empty()) return out + "; there are none";
  out += out.empty() ? "; accepted: " : " Accepted: ";
  constexpr std::size_t k_listed = 30;
  for (std::size_t i = 0; i < candidates.size() && i < k_listed; ++i)
    out += (i > 0 ? ", " : "") + candidates[i];
  if (candidates.size() > k_listed) out += fmt::format(", ... ({} in all)", candidates.size());
  return out;
}

}  // namespace pliant
