// The text of a DeformableModels file to its blocks.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "scene/deformable_models.h"

namespace pliant {
namespace {

constexpr std::size_t k_max_models = 10000;

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::optional<double> number_of(const std::string& word) {
  double value = 0;
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, failure] = std::from_chars(begin, word.data() + word.size(), value);
  if (failure != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<std::int32_t> colour_of(std::string word) {
  const bool hex = word.starts_with("0x") || word.starts_with("0X");
  if (hex) word.erase(0, 2);
  std::int32_t value = 0;
  const auto [end, failure] =
      std::from_chars(word.data(), word.data() + word.size(), value, hex ? 16 : 10);
  if (failure != std::errc() || end != word.data() + word.size() || value < 0 || value > 0xffffff)
    return std::nullopt;
  return value;
}

struct TextReader {
  const std::string& label;
  SceneProblems& problems;
  DeformableModelsFile out;
  int line = 0;
  std::string rest;  // of the line, after the key
  std::vector<std::string> words;
  std::set<std::string> seen;

  void error(std::string message) {
    problems.errors.push_back({fmt::format("{}:{}", label, line), std::move(message)});
  }
  // In `low` to `high`; `out` is as it was where it is not.
  void number(double& value, double low, double high) {
    const auto read = words.size() == 2 ? number_of(words[1]) : std::nullopt;
    if (read && *read >= low && *read <= high)
      value = *read;
    else
      error(fmt::format("{}: found \"{}\"; accepted: a number from {} to {}", words[0], rest, low,
                        high));
  }
  void vector(Vec3& value) {
    Vec3 v;
    bool good = words.size() == 4;
    for (std::size_t n = 0; n < 3 && good; ++n) {
      const auto read = number_of(words[n + 1]);
      good = read && std::abs(*read) <= 1e9;
      if (good) v[int(n)] = *read;
    }
    if (good)
      value = v;
    else
      error(fmt::format("{}: found \"{}\"; accepted: three numbers to 1e9", words[0], rest));
  }
  void text(std::string& value, int& at) {
    at = line;
    value = rest;
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
  }
};

constexpr const char* k_block_keys =
    "Name, Path, Immersed, Color, Mass, Scale, Translate, Rotate, Damping, DistancePreservation, "
    "VolumePreservation, Friction";

bool read_shape_key(TextReader& in, const std::string& key, DeformableModel& model) {
  int ignored = 0;
  if (key == "Name") return in.text(model.name, ignored), true;
  if (key == "Path") return in.text(model.path, model.path_line), true;
  if (key == "Immersed") return in.text(model.immersed, model.immersed_line), true;
  if (key == "Translate") return in.vector(model.translate), true;
  if (key == "Rotate") return in.vector(model.rotate), true;
  if (key == "Scale") {
    const Vec3 before = model.scale;
    in.vector(model.scale);
    if (model.scale.x == 0 || model.scale.y == 0 || model.scale.z == 0) {
      in.error("Scale: found 0; accepted: three numbers that are not 0");
      model.scale = before;
    }
    return true;
  }
  if (key != "Color") return false;
  const auto colour = in.words.size() == 2 ? colour_of(in.words[1]) : std::nullopt;
  if (colour)
    model.colour = *colour;
  else
    in.error(fmt::format("Color: found \"{}\"; accepted: 0 to 16777215, or 0x000000 to 0xffffff",
                         in.rest));
  return true;
}

void read_block_key(TextReader& in, DeformableModel& model) {
  const std::string& key = in.words[0];
  if (!in.seen.insert(key).second) in.error(key + " is given twice; accepted: once in a block");
  if (read_shape_key(in, key, model)) return;
  if (key == "Mass") return in.number(model.mass, 1e-12, 1e12);
  if (key == "Damping") return in.number(model.damping, 0, 1e12);
  if (key == "DistancePreservation") return in.number(model.distance, 0, 1e12);
  if (key == "VolumePreservation") return in.number(model.volume, 0, 1e11);
  if (key == "Friction") {
    model.friction = in.out.friction;
    return in.number(*model.friction, 0, 100);
  }
  in.error(fmt::format("\"{}\" is not known in a block; accepted: {}", key, k_block_keys));
}

// What stands outside the blocks. A number for gravity is its strength downwards.
void read_file_key(TextReader& in) {
  const std::string& key = in.words[0];
  if (key == "Friction") return in.number(in.out.friction, 0, 100);
  if (key == "Gravity" && in.words.size() == 2) {
    double strength = 0;
    in.number(strength, 0, 1e6);
    in.out.gravity = {0, -strength, 0};
    return;
  }
  if (key == "Gravity") return in.vector(in.out.gravity);
  if (key == "TimeStep") {
    in.out.time_step = 1.0 / 60;
    return in.number(*in.out.time_step, 1e-6, 1);
  }
  if (key == "Iterations") {
    double count = in.out.iterations;
    in.number(count, 1, 1000);
    if (count != std::floor(count)) in.error("Iterations: accepted: a whole number");
    in.out.iterations = int(count);
    return;
  }
  in.error(
      fmt::format("\"{}\" is not known here; accepted: DeformableModel {{ ... }}, Friction, "
                  "Gravity, TimeStep, Iterations",
                  key));
}

// The brace may stand on the next line.
bool opens_block(const std::vector<std::string>& words) {
  const std::size_t names =
      words[0] == "DeformableModel"                                                   ? 1
      : words.size() > 1 && words[0] == "Deformable" && words[1].starts_with("Model") ? 2
                                                                                      : 0;
  if (words[0] == "DeformableModel{") return words.size() == 1;
  if (names == 2 && words[1] == "Model{") return words.size() == 2;
  return names > 0 && (words.size() == names || (words.size() == names + 1 && words[names] == "{"));
}

enum class Where { before, outside, expects_brace, inside };

void read_line(TextReader& in, Where& where) {
  const std::string& first = in.words[0];
  if (where == Where::before) {
    if (first != "DeformableModels" || in.words.size() > 1)
      in.error(fmt::format("found \"{}\"; accepted: DeformableModels", first));
    where = Where::outside;
  } else if (where == Where::expects_brace) {
    if (first != "{" || in.words.size() > 1) in.error("found \"" + first + "\"; accepted: {");
    where = Where::inside;
  } else if (where == Where::inside) {
    if (first == "}") {
      if (in.words.size() > 1) in.error("found text after }; accepted: a new line");
      where = Where::outside;
    } else {
      read_block_key(in, in.out.models.back());
    }
  } else if (opens_block(in.words)) {
    if (in.out.models.size() >= k_max_models)
      return in.error(fmt::format("more than {} blocks", k_max_models));
    in.seen.clear();
    in.out.models.emplace_back();
    in.out.models.back().line = in.line;
    where = in.words.back().ends_with('{') ? Where::inside : Where::expects_brace;
  } else {
    read_file_key(in);
  }
}

}  // namespace

bool is_deformable_models(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = line.find_first_not_of(" \t\r\xef\xbb\xbf");
    if (at != std::string_view::npos && line[at] != '#') {
      const std::size_t stop = std::min(line.find_first_of(" \t\r{", at), line.size());
      return line.substr(at, stop - at) == "DeformableModels";
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

DeformableModelsFile read_deformable_models(const std::string& text, const std::string& label,
                                            SceneProblems& problems) {
  TextReader in{label, problems, {}, 0, {}, {}, {}};
  Where where = Where::before;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ++in.line;
    if (in.line == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    in.words = words_of(line);
    if (in.words.empty() || in.words[0].starts_with('#')) continue;
    const std::size_t after = line.find(in.words[0]) + in.words[0].size();
    const std::size_t from = line.find_first_not_of(" \t", after);
    in.rest = from == std::string::npos ? "" : line.substr(from);
    while (!in.rest.empty() && std::isspace(static_cast<unsigned char>(in.rest.back())))
      in.rest.pop_back();
    read_line(in, where);
  }
  if (where == Where::before) in.error("holds nothing; accepted: DeformableModels and its blocks");
  if (where == Where::inside || where == Where::expects_brace)
    in.error("ends within a block; accepted: }");
  for (const DeformableModel& model : in.out.models) {
    in.line = model.line;
    if (model.path.empty()) in.error("the block has no Path; accepted: a file with its mesh");
  }
  return std::move(in.out);
}

}  // namespace pliant
