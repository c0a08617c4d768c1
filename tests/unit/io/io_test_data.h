// Where the test data lie, and how meshes are compared.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <pliant/mesh.h>

#include <unistd.h>

namespace pliant {

inline std::filesystem::path shared_data() {
  return std::filesystem::path(PLIANT_SOURCE_DIR) / ".." / "shared" / "data";
}

// A folder of its own that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    path_ = std::filesystem::temp_directory_path() /
            ("pliant_io_" + std::to_string(::getpid()) + "_" + std::to_string(next_++));
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  static inline int next_ = 0;
  std::filesystem::path path_;
};

// The greatest distance between the corners of two meshes whose triangles come in the same order,
// with any numbering of the vertices; infinite where the counts differ.
inline double corner_distance(const TriMesh& a, const TriMesh& b) {
  if (a.triangles.size() != b.triangles.size() || a.vertices.size() != b.vertices.size()) {
    return HUGE_VAL;
  }
  double worst = 0;
  for (std::size_t t = 0; t < a.triangles.size(); ++t) {
    for (int c = 0; c < 3; ++c) {
      worst =
          std::max(worst, length(a.vertices[a.triangles[t][c]] - b.vertices[b.triangles[t][c]]));
    }
  }
  return worst;
}

}  // namespace pliant
