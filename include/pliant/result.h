// The channel for bad data: a value, or an Error that says where, what was found and what is
// accepted. A caller's bug asserts instead; trouble during a step becomes a counter and an event.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

namespace pliant {

struct Error {
  std::string place;    // file with line or byte, JSON path, or field of a definition
  std::string message;  // what was found and what is accepted

  std::string text() const { return place.empty() ? message : place + ": " + message; }
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}      // NOLINT: a value is a result
  Result(Error error) : error_(std::move(error)) {}  // NOLINT: so is an error

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  // The value; on an error prints it and ends the program, for callers that know their data.
  T& value() & { return check(), *value_; }
  const T& value() const& { return check(), *value_; }
  T value() && { return check(), std::move(*value_); }

  const Error& error() const { return *error_; }

 private:
  void check() const {
    if (ok()) return;
    std::fprintf(stderr, "pliant: %s\n", error_->text().c_str());
    std::abort();
  }
  std::optional<T> value_;
  std::optional<Error> error_;
};

// The result of something that only succeeds or fails.
struct Done {};
using Status = Result<Done>;

}  // namespace pliant
