#include "io/file_bytes.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

namespace pliant {

namespace fs = std::filesystem;

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Error system_error(const std::string& path, const char* doing, int code) {
  return {path, std::string("cannot ") + doing + ": " + std::strerror(code)};
}

Status write_plainly(const std::string& path, std::string_view bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) return system_error(path, "open for writing", errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
    return system_error(path, "write", errno);
  }
  // The disk may turn out to be full only now.
  if (std::fclose(file.release()) != 0) return system_error(path, "write", errno);
  return Done{};
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code code;
  if (fs::is_directory(path, code)) return Error{path, "is a folder, not a file"};
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) return system_error(path, "open", errno);
  std::string bytes;
  char buffer[1 << 16];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) bytes.append(buffer, got);
  if (std::ferror(file.get())) return system_error(path, "read", errno);
  return bytes;
}

Status write_file(const std::string& path, std::string_view bytes) {
  std::error_code code;
  const fs::file_status target = fs::status(path, code);
  if (fs::is_directory(target)) return Error{path, "is a folder; the name of a file is needed"};
  if (fs::exists(target) && !fs::is_regular_file(target)) return write_plainly(path, bytes);

  const std::string temporary = path + ".part";
  Status written = write_plainly(temporary, bytes);
  if (!written) {
    fs::remove(temporary, code);
    return Error{path, written.error().message};
  }
  fs::rename(temporary, path, code);
  if (code) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return Error{path, "cannot write: " + code.message()};
  }
  return Done{};
}

std::string extension_of(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  }
  return extension;
}

}  // namespace pliant
