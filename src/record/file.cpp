#include "record/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace pliant {
namespace {

Error system_error(const std::string& path, std::string_view what, int code) {
  return {path, fmt::format("{}: {}", what, std::strerror(code))};
}

}  // namespace

Result<File> File::create(const std::string& path) {
  const int handle = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (handle < 0) return system_error(path, "cannot be written", errno);
  return File(path, handle);
}

Result<File> File::open(const std::string& path) {
  // Non-blocking, so that the name of a pipe does not wait for a writer.
  const int handle = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (handle < 0) return system_error(path, "cannot be read", errno);
  File file(path, handle);
  struct stat status;
  if (::fstat(handle, &status) != 0) return file.failed("cannot be read");
  if (!S_ISREG(status.st_mode)) return Error{path, "is not a regular file"};
  return file;
}

File::File(File&& other) noexcept : path_(std::move(other.path_)), handle_(other.handle_) {
  other.handle_ = -1;
}

File::~File() {
  if (handle_ >= 0) ::close(handle_);
}

Error File::failed(std::string_view what) const { return system_error(path_, what, errno); }

Status File::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(handle_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("cannot be written");
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return Done{};
}

Status File::read(std::uint64_t offset, std::span<std::uint8_t> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::pread(handle_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("cannot be read");
    if (n == 0) return Error{path_, fmt::format("ends at byte {}", offset)};
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return Done{};
}

bool File::shorten(std::uint64_t size) {
  return ::ftruncate(handle_, static_cast<off_t>(size)) == 0 &&
         ::lseek(handle_, static_cast<off_t>(size), SEEK_SET) >= 0;
}

Result<std::uint64_t> File::size() const {
  struct stat status;
  if (::fstat(handle_, &status) != 0) return failed("cannot be read");
  return static_cast<std::uint64_t>(status.st_size);
}

Status File::close() {
  const int result = ::close(handle_);
  handle_ = -1;
  if (result != 0) return failed("cannot be written");
  return Done{};
}

Status save_text(const std::string& path, std::string_view text) {
  struct stat status;
  // Something that is not a regular file (a device, a link) is written to, never replaced.
  const bool in_place = ::lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const std::string target = in_place ? path : path + ".part";
  Result<File> file = File::create(target);
  if (!file.ok()) return Error{path, file.error().message};
  const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
  Status status_write = file.value().write({data, text.size()});
  Status status_close = file.value().close();
  const bool written = status_write.ok() && status_close.ok();
  if (in_place && written) return Done{};
  if (written && std::rename(target.c_str(), path.c_str()) == 0) return Done{};
  const Error error = !status_write.ok()   ? status_write.error()
                      : !status_close.ok() ? status_close.error()
                                           : system_error(path, "cannot be written", errno);
  if (!in_place) std::remove(target.c_str());
  return Error{path, error.message};
}

}  // namespace pliant
