// Whole files in and out. What is written appears under its name only when it is complete.
#pragma once

#include <string>
#include <string_view>

#include <pliant/result.h>

namespace pliant {

Result<std::string> read_file(const std::string& path);

// Writes beside the target and renames; on any failure (no such folder, no right, disk full) the
// target is as before and nothing is left behind. Devices and pipes are written directly.
Status write_file(const std::string& path, std::string_view bytes);

// In lower case, with its dot; empty where the name has none.
std::string extension_of(const std::string& path);

}  // namespace pliant
