// A cloth or a solid: its range of particles, its internal constraints and its surface.
#pragma once

#include <pliant/defs.h>
#include <pliant/mesh.h>
#include <array>
#include <cstdint>
#include <vector>

#include "model/batches.h"
#include "model/coarse_level.h"
#include "model/matching.h"
#include "model/self_particles.h"
#include "model/sewn_sheet.h"
#include "model/sheet.h"
#include "model/springs.h"

namespace pliant {

// A vertex of a body's surface as a weighted sum of its particles. Of cloths and plain tetrahedra
// it is one particle; a vertex of an embedded mesh is carried by the four of its tetrahedron.
struct SurfaceVertex {
  std::array<std::int32_t, 4> particle{};  // in the body's range, counted from its begin
  std::array<Real, 4> weight{1, 0, 0, 0};
};

// Where two faces of a solid's surface meet in a ridge, at rest.
struct SharpEdge {
  std::array<std::int32_t, 2> vertex{};    // of the surface
  std::array<std::int32_t, 2> triangle{};  // the two faces
};

struct DeformableSurface {
  std::vector<SurfaceVertex> vertices;
  std::vector<Triangle> triangles;                       // of surface vertices
  std::vector<std::array<std::int32_t, 2>> edges;        // of surface vertices
  std::vector<std::array<std::int32_t, 3>> owned_edges;  // per triangle, -1 where another owns it
  std::vector<std::array<std::int32_t, 3>> owned_vertices;  // likewise
  // The triangles around vertex v: ring[ring_begin[v] .. ring_begin[v + 1]).
  std::vector<std::int32_t> ring_begin, ring;
  std::vector<SharpEdge> sharp;  // of a solid
  // Per vertex: 1 + the number of the seam that draws it together with others or holds it on an
  // edge, 0 = none; empty where there is no such seam. Features at one such seam are no contact.
  std::vector<std::int32_t> open_seam;
  bool direct = true;   // every vertex is one particle
  bool closed = false;  // of a solid: has an inside
  // Of a solid: vertices at rest (m). Embedded only: each vertex' tetrahedron as the inverse of its
  // edge matrix, so that any point near the vertex can be rewritten into that tetrahedron.
  std::vector<Vec3> rest;
  std::vector<Vec3> tet_origin;
  std::vector<Mat3> tet_inverse;
};

struct PinnedParticle {
  std::int32_t particle = 0;  // in the body's range
  std::int32_t pin = 0;       // index into the definition's pins, or -1: held by a command
  Vec3 start;                 // m, where it was at the beginning, or where a command sent it
  Vec3 velocity{};            // m/s, on its way there: evenly over the step of the command
  double arrives = 0;         // s
};

// One of the cloths that a body is made of: those that are sewn to each other are one body.
struct ClothPart {
  std::int32_t begin = 0;           // of its particles in the body's range; also of its vertices
  std::vector<std::int32_t> order;  // user vertex -> particle, counted from `begin`
  double mass = 0;                  // kg
  bool meets_itself = false;
  std::int32_t layer = 0;  // as in its definition

  std::int32_t count() const { return std::int32_t(order.size()); }
};

// The boundary of a solid's tetrahedra.
struct BodyShell {
  std::vector<std::int32_t> particle;  // of the range, rising
  std::vector<Triangle> triangles;     // outward, by places in `particle`
  double bulk_modulus = 0;             // Pa
};

enum class DeformableKind { cloth, solid };

// After the last time that a cloth passed through something.
inline constexpr std::uint8_t k_tangled_substeps = 64;

// v <- v damping + push, which the prediction still has to do: one pass over the particles less.
struct PendingFall {
  bool pending = false;
  Real damping = 1;
  Vec3 push;  // m/s
};

struct Deformable {
  DeformableKind kind = DeformableKind::cloth;
  std::uint32_t key = 0;              // creation order over all kinds of body
  std::int32_t begin = 0, count = 0;  // range of particles
  ConstraintSet constraints;
  CoarseLevel coarse;      // of a cloth with tethers
  ShapeMatching matching;  // of a solid with this model
  SpringNet springs;       // of a solid with this model
  DeformableSurface surface;
  std::vector<SurfaceVertex> skin;  // of a solid: what is drawn in place of the surface, or nothing
  std::vector<Triangle> skin_triangles;
  SheetTree tree;                   // of a cloth
  SewnSheet sewn;                   // of cloths that are sewn together
  SelfParticles self_particles;     // of a cloth that meets itself by them
  std::vector<Tetrahedron> tets;    // of a solid, by particles of the range
  BodyShell shell;                  // of a solid whose volume rows keep
  std::vector<std::int32_t> order;  // user vertex -> particle of the range
  std::vector<ClothPart> parts;     // of a cloth
  // Particle -> the one that it has become one with, itself where it is alone; empty where all are.
  // What has been merged into another has no inverse mass, no constraint and no place in the
  // surface, and copies the other at the end of each substep.
  std::vector<std::int32_t> merged;
  std::vector<std::int32_t> merged_away;  // those that were merged into another, rising
  std::vector<PinnedParticle> pins;
  std::vector<Pin> pin_paths;
  std::vector<Fold> folds;
  Method method = Method::xpbd;
  double pbd_stretch = 1, pbd_bend = 1;  // shares that a substep removes, under pbd
  double mass = 0;                       // kg
  double rest_volume = 0;                // m3
  double cell = 0;                       // m, shortest edge
  double linear_drag = 0;
  double max_speed = 0;  // m/s, of its particles; 0 = none
  double wind_drag = 0, wind_lift = 0;
  double thickness = 0;  // m
  Surface contact;
  bool self_contact = false;  // of a cloth: or of several parts, which meet each other
  std::int32_t layer = 0;     // of a cloth: the greatest of its parts'
  // Of a cloth: for how many substeps it will still be looked at whether it passes through itself
  // or another.
  std::uint8_t tangled = 1;
  bool allow_sleep = true;
  bool awake = true;
  bool frozen = false;                       // went non-finite: held where it last was finite
  double still = 0;                          // s, since it last left `settled`
  std::int32_t island = -1;                  // of the bodies it fell asleep with
  bool measured = false;                     // the next three are of the present state
  double stretch_max = 1, stretch_mean = 1;  // measured at the end of a step
  double volume = 0;                         // m3, likewise
  double elastic = 0;                        // J, likewise
  bool free = false;                       // in this substep nothing outside but gravity touched it
  PendingFall fall;                        // in this substep
  bool bases_due = false;                  // of constraints inside clusters: to the first sweep
  bool velocities_due = false;             // the last substep has left them to the prediction
  double youngs_modulus = 0, density = 0;  // Pa, kg/m3, of a solid: for the warning about stiffness

  std::int32_t root(std::int32_t particle) const {
    return merged.empty() ? particle : merged[std::size_t(particle)];
  }
  // Of cloths that are sewn together. What several parts share meets whatever one of them meets.
  bool sewn_features_meet(const SewnFeature& x, const SewnFeature& y) const {
    const auto meets_itself = [&](const SewnFeature& f) {
      return f.part < 0 || parts[std::size_t(f.part)].meets_itself;
    };
    if (sewn.parts_meet && (x.part != y.part || x.part < 0)) return true;
    return (x.part == y.part || x.part < 0 || y.part < 0) && meets_itself(x) && meets_itself(y);
  }
};

}  // namespace pliant
