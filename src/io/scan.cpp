#include "io/scan.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pliant {

void fail_at_line(const Source& source, std::int64_t line, const std::string& message) {
  throw ReadError{{source.path + ", line " + std::to_string(line), message}};
}

void fail_at_byte(const Source& source, std::size_t byte, const std::string& message) {
  throw ReadError{{source.path + ", byte " + std::to_string(byte), message}};
}

void fail_in(const Source& source, const std::string& message) {
  throw ReadError{{source.path, message}};
}

std::string quoted(std::string_view word) {
  if (word.empty()) return "the end of the file";
  std::string text(1, '\'');
  text.append(word.substr(0, 40)).append(word.size() > 40 ? "...'" : "'");
  for (char& c : text) {
    if (c < 32 || c > 126) c = '?';
  }
  return text;
}

bool parse_number(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, value);
  if (stop != end || word.empty()) return false;
  if (code == std::errc::result_out_of_range) {
    // Too small is as good as zero; too great is not a number we can hold.
    const std::size_t exponent = word.find_first_of("eE");
    if (exponent == std::string_view::npos || word.find('-', exponent) == std::string_view::npos) {
      return false;
    }
    value = 0;
    return true;
  }
  return code == std::errc() && std::isfinite(value);
}

bool parse_number(std::string_view word, std::int64_t& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const char* end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, value);
  return code == std::errc() && stop == end && !word.empty();
}

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

void Scanner::skip_space() {
  const std::string_view all = source_.bytes;
  for (; position_ < all.size() && is_space(all[position_]); ++position_) {
    line_ += all[position_] == '\n';
  }
}

std::string_view Scanner::word() {
  skip_space();
  const std::string_view all = source_.bytes;
  const std::size_t start = position_;
  while (position_ < all.size() && !is_space(all[position_])) ++position_;
  return all.substr(start, position_ - start);
}

std::string_view Scanner::peek_word() {
  const std::size_t position = position_;
  const std::int64_t line = line_;
  const std::string_view found = word();
  position_ = position;
  line_ = line;
  return found;
}

std::string_view Scanner::rest_of_line() {
  const std::size_t start = position_;
  const std::size_t end = std::min(source_.bytes.find('\n', start), source_.bytes.size());
  position_ = std::min(end + 1, source_.bytes.size());
  line_ += position_ > end;
  std::string_view text = source_.bytes.substr(start, end - start);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

double Scanner::number(const char* what) {
  const std::string_view found = word();
  double value = 0;
  if (!parse_number(found, value)) {
    fail("found " + quoted(found) + " where a finite number is needed (" + what + ")");
  }
  return value;
}

std::int64_t Scanner::integer(const char* what) {
  const std::string_view found = word();
  std::int64_t value = 0;
  if (!parse_number(found, value)) {
    fail("found " + quoted(found) + " where a whole number is needed (" + what + ")");
  }
  return value;
}

std::int64_t Scanner::integer(const char* what, std::int64_t low, std::int64_t high) {
  const std::int64_t value = integer(what);
  if (value < low || value > high) {
    fail(std::string(what) + " is " + std::to_string(value) + "; accepted are " +
         std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::int64_t Scanner::count(const char* what, std::size_t bytes_each) {
  const std::int64_t value = integer(what);
  if (value < 0) fail(std::string(what) + " is " + std::to_string(value) + ", less than nothing");
  if (std::uint64_t(value) > remaining() / bytes_each) {
    fail(std::string(what) + " is " + std::to_string(value) + ", but only " +
         std::to_string(remaining()) + " bytes follow");
  }
  return value;
}

std::string_view Scanner::bytes(std::size_t size, const char* what) {
  if (size > remaining()) {
    fail_at_byte(source_, position_,
                 std::string(what) + " need " + std::to_string(size) + " bytes, but only " +
                     std::to_string(remaining()) + " follow");
  }
  const std::string_view data = source_.bytes.substr(position_, size);
  position_ += size;
  return data;
}

void Scanner::fail(const std::string& message) const { fail_at_line(source_, line_, message); }

void split_words(std::string_view line, std::vector<std::string_view>& words) {
  words.clear();
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && is_space(line[at])) ++at;
    if (at == line.size()) return;
    const std::size_t start = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    words.push_back(line.substr(start, at - start));
  }
}

}  // namespace pliant
