#include "bench/work.h"

#include <vector>

#include <fmt/format.h>

#include "bench/topology.h"

namespace pliant::bench {
namespace {

std::string shape_words(const Shape& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return fmt::format("spheres of {} m", s->radius);
  if (const auto* b = std::get_if<Box>(&shape))
    return fmt::format("boxes of {} x {} x {} m", 2 * b->half.x, 2 * b->half.y, 2 * b->half.z);
  if (const auto* c = std::get_if<Capsule>(&shape))
    return fmt::format("capsules of {} m and {} m", c->radius, c->half_height);
  if (const auto* r = std::get_if<Rectangle>(&shape))
    return fmt::format("rectangles of {} x {} m", 2 * r->half_x, 2 * r->half_z);
  if (const auto* h = std::get_if<Hull>(&shape))
    return fmt::format("hulls of {} points", h->points.size());
  if (const auto* m = std::get_if<Mesh>(&shape))
    return fmt::format("meshes of {} triangles", m->mesh.triangles.size());
  return "half-spaces";
}

double total(const std::vector<double>& masses) {
  double sum = 0;
  for (const double m : masses) sum += m;
  return sum;
}

// Bodies that follow each other and say the same are told once.
void tell_bodies(const std::vector<BodyDef>& bodies, std::vector<std::string>& out) {
  std::string last;
  int count = 0;
  const auto flush = [&] {
    if (count > 0) out.push_back(fmt::format("{} {}", count, last));
    count = 0;
  };
  for (const BodyDef& body : bodies) {
    std::string words = shape_words(body.shape);
    if (body.motion == Motion::dynamic)
      words += fmt::format(", {:.4g} kg, damping {}/s", body_mass(body), body.linear_drag);
    else
      words += ", fixed";
    words += fmt::format(", friction {}", body.surface.friction_kinetic);
    if (words != last) flush();
    last = words;
    ++count;
  }
  flush();
}

std::string cloth_words(const ClothDef& cloth) {
  return fmt::format(
      "cloth of {} vertices and {} edges, {:.4g} kg, stretch {} N/m, bending {} N m, damping {}/s, "
      "tethers {}{}",
      cloth.mesh.vertices.size(), unique_edges(cloth.mesh.triangles).size(),
      total(lumped_masses(cloth)), cloth.stretch_stiffness, cloth.bend_rigidity, cloth.linear_drag,
      cloth.tethers ? fmt::format("on, slack {}", cloth.tether_slack) : "off",
      cloth.self_contact ? fmt::format(", meets itself at {:.4g} mm", 1e3 * cloth.thickness) : "");
}

std::string solid_words(const SolidDef& solid) {
  return fmt::format(
      "solid of {} vertices, {} edges and {} tetrahedra, {:.4g} kg, Young's modulus {} Pa, Poisson "
      "ratio {}, damping {}/s",
      solid.tets.vertices.size(), unique_edges(solid.tets.tetrahedra).size(),
      solid.tets.tetrahedra.size(), total(lumped_masses(solid)), solid.youngs_modulus,
      solid.poisson_ratio, solid.linear_drag);
}

}  // namespace

std::string describe_work(const Scene& scene) {
  std::vector<std::string> parts;
  parts.push_back(fmt::format("step {:.4g} ms, {} substeps of {} sweeps, gravity {} m/s2",
                              1e3 * scene.dt, scene.world.substeps, scene.world.sweeps,
                              scene.world.gravity.y));
  tell_bodies(scene.bodies, parts);
  if (!scene.joints.empty()) parts.push_back(fmt::format("{} joints", scene.joints.size()));
  for (const ClothDef& cloth : scene.cloths) parts.push_back(cloth_words(cloth));
  if (!scene.solids.empty())
    parts.push_back(
        fmt::format("{} times: {}", scene.solids.size(), solid_words(scene.solids.front())));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace pliant::bench
