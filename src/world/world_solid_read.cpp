// World: reading what is inside of solids: forces, what is in what, what is inside out.
#include <algorithm>
#include <numeric>

#include "narrowphase/surface_points.h"
#include "solver/inner_forces.h"
#include "solver/particle_stages.h"
#include "world/query_index.h"
#include "world/world_impl.h"

namespace pliant {
inline namespace PLIANT_ABI {

std::int32_t World::inverted(SolidId id) const {
  const State& state = impl_->state;
  const Deformable& body = state.deformables[std::size_t(impl_->solids[id])];
  const auto at = [&](std::int32_t k) {
    const std::size_t p = std::size_t(body.begin + k);
    return pliant::place(state.particles.base[p], state.particles.d[p]);
  };
  return std::int32_t(std::count_if(body.tets.begin(), body.tets.end(), [&](const Tetrahedron& t) {
    const Vec3 a = at(t[0]);
    return !(dot(cross(at(t[1]) - a, at(t[2]) - a), at(t[3]) - a) > 0);
  }));
}

std::int32_t World::missing_springs(SolidId id) const {
  return impl_->state.deformables[std::size_t(impl_->solids[id])].springs.missing;
}

void World::copy_inner_forces(SolidId id, std::vector<Vec3>& out) const {
  Impl& w = *impl_;
  Particles& particles = w.state.particles;
  Deformable& body = w.state.deformables[std::size_t(w.solids[id])];
  refresh_constraint_bases(particles, body, w.pool.get());  // of a new body they are not made
  std::vector<std::int32_t> all(static_cast<std::size_t>(body.count));
  std::iota(all.begin(), all.end(), body.begin);
  std::vector<Vec3> force(std::size_t(particles.size()));
  InnerMemory memory;
  const double h = w.last_step / w.def.substeps;
  inner_forces(particles, body, {h, 0, w.state.gravity, w.def.sweeps, w.pool.get()}, all, memory,
               force);
  out.resize(body.order.size());
  for (std::size_t v = 0; v < out.size(); ++v)
    out[v] = force[std::size_t(body.begin + body.order[v])];
}

std::vector<Penetration> World::penetrations(SolidId id) const {
  const Overlaps& o = impl_->scratch.overlaps;
  std::vector<Penetration> found;
  // Indices are of the things that there were in the last step.
  if (o.topology != impl_->queries->topology) return found;
  const std::int32_t index = impl_->solids[id];
  const Deformable& body = impl_->state.deformables[std::size_t(index)];
  std::vector<std::int32_t> vertex_of(std::size_t(body.count), -1);
  for (std::size_t v = 0; v < body.order.size(); ++v)
    vertex_of[std::size_t(body.order[v])] = std::int32_t(v);
  for (const OverlapDepth& d : o.depths)
    if (d.own == index)
      found.push_back({vertex_of[std::size_t(d.point - body.begin)], impl_->solids.id_of(d.body),
                       o.x[std::size_t(d.point)], d.out, d.depth});
  // Those of a body are by its points already.
  std::stable_sort(found.begin(), found.end(),
                   [](const Penetration& a, const Penetration& b) { return a.vertex < b.vertex; });
  return found;
}

}  // namespace PLIANT_ABI
}  // namespace pliant
