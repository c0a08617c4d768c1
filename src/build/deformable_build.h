// Definitions of cloths and solids to particles, constraints and a surface, in the solver's order.
#pragma once

#include <pliant/defs.h>
#include <span>
#include <vector>

#include "build/constraint_rows.h"
#include "model/deformable.h"

namespace pliant {

struct DeformableBuild {
  Deformable body;             // begin and key are set by the world
  std::vector<Vec3> position;  // m, of the particles
  std::vector<Vec3> velocity;  // m/s
  std::vector<double> mass;    // kg; pinned particles keep theirs, only their inverse is zero
};

// The definitions have been checked (scene/check_definitions.h).
DeformableBuild build_cloth(const ClothDef& def);
Result<DeformableBuild> build_solid(const SolidDef& def);
// All of a cloth that follows from the definitions of its parts and from `body.merged`:
// constraints, coarse level and surface. Called when it is made and whenever vertices have become
// one or two. `bends` is set for particles that were merged by a seam that resists bending. Returns
// the masses of the particles (kg), 0 of those that were merged into another.
std::vector<double> assemble_cloth(std::span<const ClothDef> parts,
                                   std::span<const std::uint8_t> bends, Deformable& body);

// --- shared by the two
// ------------------------------------------------------------------------------- user vertex ->
// place, such that neighbours in space are neighbours in memory (Morton order).
std::vector<std::int32_t> locality_order(const std::vector<Vec3>& positions);
// Edges, owners of edges and vertices: each feature belongs to one triangle (Curtis et al. 2008),
// so that a contact is found once.
void finish_surface(DeformableSurface& surface);
// Pins of the definition's user vertices; where the definition gives no initial positions or
// velocities they come from the placement.
struct Placement {
  Transform frame;
  Vec3 velocity;
  Vec3 angular_velocity;
  Vec3 scale{1, 1, 1};  // of the rest shape, in the frame
};
void place_particles(DeformableBuild& build, const std::vector<Vec3>& rest,
                     const Placement& placement, const std::vector<Vec3>& initial_positions,
                     const std::vector<Vec3>& initial_velocities);
void add_pins(DeformableBuild& build, const std::vector<Pin>& pins);
std::vector<std::int32_t> pinned_particles(const Deformable& body);

}  // namespace pliant
