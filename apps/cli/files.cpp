#include "apps/cli/files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace pliant::cli {
namespace fs = std::filesystem;
namespace {

std::string extension(const std::string& path) {
  std::string text = fs::path(path).extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// Beside the target, so that the rename stays within one file system.
fs::path temporary_beside(const fs::path& target) {
  const std::string name =
      fmt::format(".{}.part{}{}", target.stem().string(), getpid(), target.extension().string());
  return target.parent_path() / name;
}

// A .node has its .ele beside it.
fs::path companion(const fs::path& path) {
  if (path.extension() == ".node") return fs::path(path).replace_extension(".ele");
  if (path.extension() == ".ele") return fs::path(path).replace_extension(".node");
  return {};
}

}  // namespace

FileKind file_kind(const std::string& path) {
  const std::string ext = extension(path);
  // .txt: scenes of DeformableModels, which load_scene knows by their first word.
  if (ext == ".json" || ext == ".xml" || ext == ".txt") return FileKind::scene;
  if (ext == ".obj" || ext == ".ply" || ext == ".stl" || ext == ".vtp") return FileKind::surface;
  if (ext == ".vtk") return FileKind::vtk;
  if (ext == ".node" || ext == ".ele" || ext == ".msh") return FileKind::tetrahedra;
  if (ext == ".plr") return FileKind::recording;
  return FileKind::unknown;
}

std::string accepted_files() {
  return "scenes (.json .xml .txt), surfaces (.obj .ply .stl .vtk .vtp), tetrahedra (.node .ele "
         ".vtk "
         ".msh) "
         "and "
         "recordings (.plr)";
}

Status write_whole(const std::string& path,
                   const std::function<Status(const std::string&)>& write) {
  const fs::path target(path);
  std::error_code code;
  // Renaming would put a file in the place of a device or a folder.
  if (fs::exists(target, code) && !fs::is_regular_file(target, code)) {
    return Error{path, "cannot be written: it is there and no regular file"};
  }
  const fs::path temporary = temporary_beside(target);
  const Status written = write(temporary.string());
  const fs::path beside = companion(temporary);
  if (written.ok()) fs::rename(temporary, target, code);
  if (written.ok() && !code && !beside.empty()) fs::rename(beside, companion(target), code);
  if (written.ok() && !code) return Done{};
  std::error_code ignored;
  fs::remove(temporary, ignored);
  if (!beside.empty()) fs::remove(beside, ignored);
  if (!written.ok()) return Error{path, written.error().message};
  return Error{path, "cannot be written: " + code.message()};
}

Status write_text(const std::string& path, const std::string& text) {
  return write_whole(path, [&](const std::string& temporary) -> Status {
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    file << text;
    file.close();
    if (!file) return Error{temporary, fmt::format("cannot be written: {}", std::strerror(errno))};
    return Done{};
  });
}

Status make_output_directory(const std::string& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (!fs::is_directory(path)) {
    return Error{path, "cannot be made a directory: " +
                           (code ? code.message() : std::string("a file is in the way"))};
  }
  const std::string probe = (fs::path(path) / fmt::format(".probe{}", getpid())).string();
  if (const Status status = write_text(probe, "probe"); !status.ok()) {
    return Error{path, "no file can be made in this directory: " + status.error().message};
  }
  fs::remove(probe, code);
  return Done{};
}

Result<std::string> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return Error{path, "cannot be read"};
  return text.str();
}

std::string base64(const std::string& bytes) {
  static constexpr char k_digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? k_digits[bits >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

int fail(const Error& error) {
  fmt::print(stderr, "pliant: {}\n", error.text());
  return 1;
}

}  // namespace pliant::cli
