#include "render/normals.h"

namespace pliant {

std::vector<Vec3f> corner_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles, float crease) {
  const auto at = [&](std::int32_t v) -> const Vec3f& {
    return positions[static_cast<std::size_t>(v)];
  };
  std::vector<Vec3f> area(triangles.size()), unit(triangles.size());
  std::vector<std::size_t> begin(positions.size() + 1,
                                 0);  // of each vertex's triangles in `around`
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Triangle& t = triangles[i];
    area[i] = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
    unit[i] = normalized(area[i]);
    for (const std::int32_t v : t) ++begin[static_cast<std::size_t>(v) + 1];
  }
  for (std::size_t v = 0; v < positions.size(); ++v) begin[v + 1] += begin[v];
  std::vector<std::size_t> fill(begin.begin(), begin.end() - 1), around(3 * triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (const std::int32_t v : triangles[i]) around[fill[static_cast<std::size_t>(v)]++] = i;
  }
  std::vector<Vec3f> normals(3 * triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto v = static_cast<std::size_t>(triangles[i][k]);
      Vec3f sum;
      for (std::size_t a = begin[v]; a < begin[v + 1]; ++a) {
        if (crease <= -1 || dot(unit[around[a]], unit[i]) >= crease) sum += area[around[a]];
      }
      const Vec3f n = normalized(sum);
      normals[3 * i + k] = length_sq(n) > 0 ? n : unit[i];
    }
  }
  return normals;
}

}  // namespace pliant
