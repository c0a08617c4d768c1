// Bars of finite elements in a world, and what is measured on them.
#pragma once

#include <pliant/pliant.h>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "fem_reference.h"

namespace pliant {

// Along x, centred on the origin, `cells` cubes across; its length in units of the width.
struct Bar {
  double width = 0.1;  // m
  int cells = 2;
  int length = 4;
  double youngs_modulus = 1e6, poisson_ratio = 0.3;
  Energy energy = Energy::neo_hookean;
  Element element = Element::tetrahedra;

  double half() const { return 0.5 * width * length; }
  TetMesh mesh() const { return make_lattice(length * cells, cells, cells, width / cells); }
  SolidDef solid() const {
    SolidDef def;
    def.tets = mesh();
    def.model = SolidModel::fem;
    def.energy = energy;
    def.element = element;
    def.youngs_modulus = youngs_modulus;
    def.poisson_ratio = poisson_ratio;
    def.linear_drag = 0;
    return def;
  }
  reference::Material material() const {
    return reference::material(
        energy == Energy::corotated ? reference::Law::corotated : reference::Law::neo_hookean,
        youngs_modulus, poisson_ratio);
  }
  std::vector<reference::Element> reference_elements() const {
    if (element == Element::tetrahedra) return reference::elements(mesh());
    const double cell = width / cells;
    std::map<std::array<long, 3>, std::int32_t> number;
    const std::vector<Vec3> x = mesh().vertices;
    for (std::size_t v = 0; v < x.size(); ++v)
      number[{std::lround((x[v].x + half()) / cell), std::lround((x[v].y + width / 2) / cell),
              std::lround((x[v].z + width / 2) / cell)}] = std::int32_t(v);
    return reference::hexahedra(length * cells, cells, cells, cell, [&](int i, int j, int k) {
      return number.at({i, j, k});
    });
  }
  // Vertices of the end at x = side * half().
  std::vector<std::int32_t> end(int side) const {
    std::vector<std::int32_t> list;
    const std::vector<Vec3> x = mesh().vertices;
    for (std::size_t v = 0; v < x.size(); ++v)
      if (std::abs(x[v].x - side * half()) < 1e-6) list.push_back(std::int32_t(v));
    return list;
  }
};

inline double mean_height(const std::vector<Vec3>& x, const std::vector<std::int32_t>& list) {
  double sum = 0;
  for (const std::int32_t v : list) sum += x[std::size_t(v)].y;
  return sum / double(list.size());
}

// The masses of the vertices, even shares of each of their elements.
inline std::vector<double> vertex_masses(const Bar& bar, double density) {
  std::vector<double> mass(bar.mesh().vertices.size(), 0);
  for (const reference::Element& e : bar.reference_elements())
    for (const std::int32_t v : e.v)
      mass[std::size_t(v)] += density * e.volume * e.lambda_part / double(e.v.size());
  return mass;
}

// Held at the left end and bent by its own weight: where a direct solution has it.
inline std::vector<Vec3> direct_cantilever(const Bar& bar, double density, double gravity,
                                           int load_steps) {
  const std::vector<Vec3> rest = bar.mesh().vertices;
  std::vector<Vec3> load;
  for (const double m : vertex_masses(bar, density)) load.push_back({0, -m * gravity, 0});
  std::vector<bool> pinned(rest.size());
  for (const std::int32_t v : bar.end(-1)) pinned[std::size_t(v)] = true;
  return reference::equilibrium(bar.reference_elements(), rest, bar.material(), load, pinned,
                                load_steps);
}

struct Settings {
  double h = 1.0 / 9600;  // s
  int sweeps = 1;
  double seconds = 2;
  double drag = 8;  // 1/s
  double gravity = 9.81;
};

// The same in a world that has come to rest.
inline std::vector<Vec3> world_cantilever(const Bar& bar, const Settings& settings,
                                          int* warnings = nullptr) {
  WorldDef def;
  def.gravity = {0, -settings.gravity, 0};
  def.substeps = int(std::lround(1.0 / 60 / settings.h));
  def.sweeps = settings.sweeps;
  def.sleep = false;
  World world(def);
  SolidDef solid = bar.solid();
  solid.linear_drag = settings.drag;
  solid.pins = {{.vertices = bar.end(-1), .path = {}, .pivot = {}}};
  const SolidId id = world.add_solid(solid).value();
  for (int n = 0; n < int(settings.seconds * 60); ++n) {
    const StepReport report = world.step(1.0 / 60);
    if (warnings != nullptr) *warnings += report.stiff_warning;
  }
  std::vector<Vec3> x;
  world.copy_positions(id, x);
  return x;
}

struct Swing {
  double frequency = 0;  // Hz
  double ratio = 0;      // of two swings to the same side that follow each other
};
// Held at the left end and let go: the tip swings about where it will rest.
inline Swing swing_of(const Bar& bar, double damping, SolidModel model = SolidModel::fem,
                      int sweeps = 1, int substeps = 32) {
  WorldDef def;
  def.gravity = {0, -0.2, 0};
  def.substeps = substeps;  // of 1/240 s
  def.sweeps = sweeps;
  def.sleep = false;
  World world(def);
  SolidDef solid = bar.solid();
  solid.model = model;
  solid.damping = damping;
  solid.pins = {{.vertices = bar.end(-1), .path = {}, .pivot = {}}};
  const SolidId id = world.add_solid(solid).value();
  std::vector<Vec3> x;
  std::vector<double> turns, times, tip{0};
  for (int n = 0; n < 240 * 5 && turns.size() < 4; ++n) {
    world.step(1.0 / 240);
    world.copy_positions(id, x);
    tip.push_back(mean_height(x, bar.end(1)));
    const std::size_t k = tip.size() - 1;
    if (k < 2 || (tip[k] - tip[k - 1]) * (tip[k - 1] - tip[k - 2]) > 0) continue;
    // The top of the parabola through three heights.
    const double slope = (tip[k] - tip[k - 2]) / 2, bend = tip[k] - 2 * tip[k - 1] + tip[k - 2];
    times.push_back(world.time() - (1 + slope / bend) / 240);
    turns.push_back(tip[k - 1] - slope * slope / bend / 2);
  }
  if (turns.size() < 4) return {};
  return {1 / (times[3] - times[1]), (turns[3] - turns[2]) / (turns[1] - turns[0])};
}

}  // namespace pliant
