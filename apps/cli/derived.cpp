#include "apps/cli/derived.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace pliant::cli {
namespace {

double distance(const std::vector<Vec3>& vertices, std::int32_t a, std::int32_t b) {
  return length(vertices[static_cast<std::size_t>(a)] - vertices[static_cast<std::size_t>(b)]);
}

}  // namespace

double mean_edge(const TriMesh& mesh) {
  std::set<std::pair<std::int32_t, std::int32_t>> edges;
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) edges.insert(std::minmax(t[k], t[(k + 1) % 3]));
  }
  double sum = 0;
  for (const auto& [a, b] : edges) sum += distance(mesh.vertices, a, b);
  return edges.empty() ? 0 : sum / static_cast<double>(edges.size());
}

double cell_size(const SolidDef& solid) {
  if (solid.tets.tetrahedra.empty()) {
    if (solid.mesh.vertices.empty()) return 0;
    if (solid.cell_size > 0) return solid.cell_size;
    Vec3 low = solid.mesh.vertices.front(), high = low;
    for (const Vec3& v : solid.mesh.vertices) low = min(low, v), high = max(high, v);
    const Vec3 side = high - low;
    return std::max({side.x, side.y, side.z}) / std::max(1, solid.cells);
  }
  double shortest = std::numeric_limits<double>::infinity();
  for (const Tetrahedron& t : solid.tets.tetrahedra) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        shortest = std::min(shortest, distance(solid.tets.vertices, t[i], t[j]));
      }
    }
  }
  return shortest;
}

double substep(const Scene& scene) { return scene.dt / scene.world.substeps; }

double wave_ratio(const Scene& scene, const ClothDef& cloth) {
  const double edge = mean_edge(cloth.mesh);
  if (!(edge > 0)) return 0;
  const Sheet& sheet = cloth.sheet;
  const double stiffness = cloth.membrane == Membrane::edges
                               ? cloth.stretch_stiffness
                               : std::max(sheet.warp_modulus, sheet.weft_modulus) * sheet.thickness;
  return substep(scene) * std::sqrt(stiffness / cloth.areal_density) / edge;
}

bool has_moduli(const SolidDef& solid) {
  return solid.model != SolidModel::mass_spring && solid.model != SolidModel::shape_matching;
}

double wave_ratio(const Scene& scene, const SolidDef& solid) {
  const double cell = cell_size(solid);
  if (!(cell > 0) || !has_moduli(solid)) return 0;
  return substep(scene) * std::sqrt(solid.youngs_modulus / solid.density) / cell;
}

double effective_stiffness(double defined, double ratio) { return defined / (1 + ratio * ratio); }

std::optional<std::string> stiff_note(const Scene& scene, const SolidDef& solid) {
  const double ratio = wave_ratio(scene, solid);
  if (ratio <= k_stiff_ratio || scene.world.sweeps > 1) return std::nullopt;
  return fmt::format(
      "solid '{}' is too stiff for the substep and acts as with about {:.3g} of its {:.3g} Pa: "
      "raise world.substeps",
      solid.name, effective_stiffness(solid.youngs_modulus, ratio), solid.youngs_modulus);
}

}  // namespace pliant::cli
