// Collecting defects: one entry for each kind, with the first place and the number of places; and
// the checks of vertices that surfaces and tetrahedra share.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pliant/mesh.h>

namespace pliant {

// Elements and vertices are counted from 0 in what is reported.
class DefectList {
 public:
  // `first` is remembered at the first call for `what`; `n` is added to the number.
  void note(const std::string& what, const std::string& first, std::int64_t n = 1,
            bool harmless = false);
  bool empty() const { return entries_.empty(); }
  std::vector<MeshDefect> take();

 private:
  struct Entry {
    std::string what, first;
    std::int64_t count;
    bool harmless;
  };
  std::vector<Entry> entries_;
};

std::string name_of(const char* kind, std::int64_t number);

// Not finite, unused, equal or nearly equal vertices; bodies that are tiny. False where the
// positions cannot be computed with.
bool check_vertices(std::span<const Vec3> vertices, const std::vector<bool>& used,
                    DefectList& list);

// Edges so short that single precision at this distance from the origin loses them.
void check_float_edges(std::span<const Vec3> vertices,
                       std::span<const std::pair<std::int32_t, std::int32_t>> edges,
                       DefectList& list);

}  // namespace pliant
