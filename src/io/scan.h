// Reading numbers and words out of the bytes of a file, with the place kept for errors. Readers
// throw ReadError, which the load functions turn into the Error of a Result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <pliant/mesh.h>
#include <pliant/result.h>

namespace pliant {

struct ReadError {
  Error error;
};

// A file in memory; the path is for messages only.
struct Source {
  std::string path;
  std::string_view bytes;
};

using Warnings = std::vector<MeshDefect>;

[[noreturn]] void fail_at_line(const Source& source, std::int64_t line, const std::string& message);
[[noreturn]] void fail_at_byte(const Source& source, std::size_t byte, const std::string& message);
[[noreturn]] void fail_in(const Source& source, const std::string& message);

// A word for messages: quoted, cut short, control characters shown as '?'.
std::string quoted(std::string_view word);

// The whole word as a number; decimal point only, no nan, inf or hexadecimal.
bool parse_number(std::string_view word, double& value);
bool parse_number(std::string_view word, std::int64_t& value);

// Walks over bytes that hold words and, in places, binary data.
class Scanner {
 public:
  explicit Scanner(const Source& source) : source_(source) {}

  const Source& source() const { return source_; }
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return source_.bytes.size() - position_; }
  std::int64_t line() const { return line_; }
  bool at_end() const { return remaining() == 0; }

  // The next word in this line or a later one; empty at the end of the file.
  std::string_view word();
  std::string_view peek_word();
  // The rest of this line without its end; the next word is then on the next line.
  std::string_view rest_of_line();

  // `what` says in the error what was expected.
  double number(const char* what);
  std::int64_t integer(const char* what);
  // An integer within limits.
  std::int64_t integer(const char* what, std::int64_t low, std::int64_t high);
  // A number of things that take at least `bytes_each` bytes each of what is left.
  std::int64_t count(const char* what, std::size_t bytes_each);
  // The next `size` bytes as they are.
  std::string_view bytes(std::size_t size, const char* what);

  [[noreturn]] void fail(const std::string& message) const;

 private:
  void skip_space();

  Source source_;
  std::size_t position_ = 0;
  std::int64_t line_ = 1;
};

// Splits a line into its words; keeps the vector's memory.
void split_words(std::string_view line, std::vector<std::string_view>& words);

}  // namespace pliant
