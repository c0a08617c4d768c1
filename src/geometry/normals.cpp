// Smooth normals of vertices and of the corners of triangles, weighted by area.
#include <pliant/mesh.h>

namespace pliant {
namespace {

template <class T>
std::vector<Vec3T<T>> mean_normals(const std::vector<Vec3T<T>>& positions,
                                   const std::vector<Triangle>& triangles) {
  std::vector<Vec3T<T>> normals(positions.size());
  for (const Triangle& t : triangles) {
    const auto at = [&](std::size_t k) { return positions[std::size_t(t[k])]; };
    const Vec3T<T> twice_area = cross(at(1) - at(0), at(2) - at(0));
    for (const std::int32_t v : t) normals[std::size_t(v)] += twice_area;
  }
  for (Vec3T<T>& n : normals) n = normalized(n);
  return normals;
}

// The triangles around each vertex: of vertex v [begin[v], begin[v + 1]) in `triangle`, rising.
struct Fans {
  std::vector<std::size_t> begin, triangle;

  Fans(std::size_t vertices, const std::vector<Triangle>& triangles)
      : begin(vertices + 1, 0), triangle(3 * triangles.size()) {
    for (const Triangle& t : triangles)
      for (const std::int32_t v : t) ++begin[std::size_t(v) + 1];
    for (std::size_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
    std::vector<std::size_t> fill(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < triangles.size(); ++i)
      for (const std::int32_t v : triangles[i]) triangle[fill[std::size_t(v)]++] = i;
  }
};

}  // namespace

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& positions,
                                 const std::vector<Triangle>& triangles) {
  return mean_normals(positions, triangles);
}
std::vector<Vec3f> vertex_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles) {
  return mean_normals(positions, triangles);
}

std::vector<Vec3f> corner_normals(const std::vector<Vec3f>& positions,
                                  const std::vector<Triangle>& triangles, float crease) {
  std::vector<Vec3f> area(triangles.size()), unit(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto at = [&](std::size_t k) { return positions[std::size_t(triangles[i][k])]; };
    area[i] = cross(at(1) - at(0), at(2) - at(0));
    unit[i] = normalized(area[i]);
  }
  const bool all = crease <= -1;
  const std::vector<Vec3f> smooth = all ? mean_normals(positions, triangles) : std::vector<Vec3f>{};
  const Fans fans(all ? 0 : positions.size(), all ? std::vector<Triangle>{} : triangles);
  const auto along = [&](std::size_t i, std::size_t v) {
    Vec3f sum;
    for (std::size_t a = fans.begin[v]; a < fans.begin[v + 1]; ++a)
      if (dot(unit[fans.triangle[a]], unit[i]) >= crease) sum += area[fans.triangle[a]];
    return normalized(sum);
  };
  std::vector<Vec3f> normals(3 * triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t v = std::size_t(triangles[i][k]);
      const Vec3f n = all ? smooth[v] : along(i, v);
      normals[3 * i + k] = length_sq(n) > 0 ? n : unit[i];
    }
  }
  return normals;
}

}  // namespace pliant
