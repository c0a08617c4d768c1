#include "geometry/renumber.h"

namespace pliant {
namespace {

std::vector<Vec3> moved(const std::vector<Vec3>& vertices, std::span<const std::int32_t> number) {
  std::vector<Vec3> out(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) out[std::size_t(number[v])] = vertices[v];
  return out;
}

template <class Element>
std::vector<Element> renamed(std::vector<Element> elements, std::span<const std::int32_t> number) {
  for (Element& e : elements) {
    for (std::int32_t& v : e) v = number[std::size_t(v)];
    e = in_rising_order(e);
  }
  std::sort(elements.begin(), elements.end());  // equal ones are the same
  return elements;
}

}  // namespace

TriMesh renumbered(const TriMesh& mesh, std::span<const std::int32_t> number) {
  return {moved(mesh.vertices, number), renamed(mesh.triangles, number)};
}

TetMesh renumbered(const TetMesh& mesh, std::span<const std::int32_t> number) {
  return {moved(mesh.vertices, number), renamed(mesh.tetrahedra, number)};
}

}  // namespace pliant
