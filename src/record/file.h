// Files for recordings and exports, with errors that name the file and the system's reason.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <pliant/result.h>

namespace pliant {

// An open file; writes go straight to the system, so that a killed program loses nothing that a
// write has returned from.
class File {
 public:
  static Result<File> create(const std::string& path);  // emptied where it is there
  static Result<File> open(const std::string& path);    // a regular file, to read
  File(File&& other) noexcept;
  File& operator=(File&&) = delete;
  ~File();

  const std::string& path() const { return path_; }
  Status write(std::span<const std::uint8_t> bytes);
  Status read(std::uint64_t offset, std::span<std::uint8_t> bytes) const;
  bool shorten(std::uint64_t size);  // and go on writing there
  Result<std::uint64_t> size() const;
  Status close();

 private:
  File(std::string path, int handle) : path_(std::move(path)), handle_(handle) {}
  Error failed(std::string_view what) const;
  std::string path_;
  int handle_ = -1;
};

// Writes a whole file or leaves what was there: through a file beside it that is renamed.
Status save_text(const std::string& path, std::string_view text);

}  // namespace pliant
