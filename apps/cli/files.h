// Files that appear whole or not at all, and the kinds of file that commands take.
#pragma once

#include <pliant/result.h>

#include <functional>
#include <string>

namespace pliant::cli {

enum class FileKind { scene, surface, tetrahedra, vtk, recording, unknown };
// By extension, which may be in capitals. A .vtk may hold either kind of mesh.
FileKind file_kind(const std::string& path);
std::string accepted_files();

// Calls write(temporary path with the same extension) and renames the result to `path`; after an
// Error nothing is left behind.
Status write_whole(const std::string& path, const std::function<Status(const std::string&)>& write);
Status write_text(const std::string& path, const std::string& text);

// Makes the directory and shows that a file can be made in it.
Status make_output_directory(const std::string& path);
Result<std::string> read_bytes(const std::string& path);
std::string base64(const std::string& bytes);

// Prints "pliant: place: message" to standard error and returns exit code 1.
int fail(const Error& error);

}  // namespace pliant::cli
