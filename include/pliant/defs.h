// Definitions: what makes a world. Plain structs with defaults, SI units, copied at creation; use
// them with designated initialisers. A scene file is a list of these.
#pragma once

#include <array>
#include <memory>
#include <string>

#include <pliant/anchor.h>
#include <pliant/body.h>
#include <pliant/cloth.h>
#include <pliant/ids.h>
#include <pliant/math.h>
#include <pliant/solid.h>

namespace pliant {

// What a user's field sees of one particle or rigid body.
struct FieldSample {
  Vec3 position{};
  Vec3 velocity{};
  double mass = 0;                // kg
  double time = 0;                // s
  AnyId body{};                   // whose it is: a field may act on some bodies only
  double drag_area = 0;           // m2, of a rigid body, mean over all ways; 0 of particles
  const std::string* material{};  // of a rigid body; null of particles
};
// Called from several threads at once and in no order: return a force from the sample alone.
class ForceField {
 public:
  virtual ~ForceField() = default;
  virtual Vec3 force(const FieldSample& sample) const = 0;  // N
  virtual double energy(const FieldSample& sample) const {  // J, where there is a potential
    (void)sample;
    return 0;
  }
};

// What finds the triangles of cloths that may meet. What is found is the same, to the last bit.
// docs/benchmarks.md compares them.
enum class ClothSearch {
  bvh,             // a tree by where triangles are in the rest shape, made with the cloth
  rtree,           // an R-tree by where they are now, loaded as a whole for each search
  rtree_inserted,  // an R-tree into which they are inserted one by one, as Guttman did
};

// What finds the pairs of bodies whose boxes meet. What is found is the same, to the last bit.
enum class BroadPhase {
  sweep,        // boxes sorted along an axis
  bvh,          // a tree of boxes
  tiles,        // a map of tiles, and the sets of bodies that share some: `tiles`
  sphere_tree,  // a tree of spheres
  brute,        // all against all
};
// Which tiles of the map a body is in.
enum class TileDetector {
  box,             // those that its swept box meets
  rotated_box,     // those that the box around its turned corners meets
  relative_index,  // a list made once, around the tile of its centre
  mask_points,     // those that hold one of the points that describe its shape
};
// A detector of the user's, in place of the four. Called from several threads at once.
struct TileSample {
  AnyId body{};
  Vec3 low{}, high{};            // m, the box of the body, swept by the whole step
  Vec3 tile_low{}, tile_size{};  // m, of the tile 0, 0, 0
};
class TileRule {
 public:
  virtual ~TileRule() = default;
  // The first and the last tile along each axis, which may lie outside the map. A body that is not
  // in a tile that its box meets is not found there.
  virtual void cover(const TileSample& sample, std::array<int, 3>& first,
                     std::array<int, 3>& last) const = 0;
};
struct TileMap {
  Vec3 low{-10, -10, -10}, high{10, 10, 10};  // m
  std::array<int, 3> count{20, 20, 20};       // tiles along each axis
  TileDetector detector = TileDetector::box;
  std::shared_ptr<const TileRule> rule{};
};

// In which order impacts of rigid bodies are resolved.
enum class Impacts {
  together,  // all that meet in a substep at once
  ordered,   // one after the other, at their times within the substep
};
// How the time of an impact is found.
enum class ImpactTime { advancement, bisection };

// How solids that meet each other, or themselves, are parted. Rigid bodies and cloth always meet
// them as under `position`.
enum class SolidContact {
  position,  // contacts of vertices with triangles, found before they touch
  pressure,  // what overlaps is moved to the surface on which the two press equally hard
  penalty,   // springs draw what overlaps back to where it came in
};
// What finds the points that are inside tetrahedra, under `pressure` and `penalty`. What is found
// is the same, to the last bit.
enum class OverlapSearch {
  hash,   // a table of cells of space, by their hash
  bvh,    // a tree of the tetrahedra of each solid
  brute,  // all against all
};

struct WorldDef {
  Vec3 gravity{0, -9.81, 0};       // m/s2
  int substeps = 8;                // per step; the main knob of accuracy against time
  int sweeps = 1;                  // of the constraints per substep; substeps help more than sweeps
  double medium_density = 0;       // kg/m3 of the air or water around; 0 = no drag, no wind
  Vec3 wind{};                     // m/s, mean velocity of the medium
  double gust_speed = 0;           // m/s, root mean square of the gusts along each axis
  double gust_period = 2;          // s, of the middle of their spectrum
  int gust_seed = 1;               // other seeds, other gusts
  double push_speed = 1.0;         // m/s; the fastest removal of an overlap that is there already
  double restitution_speed = 0.2;  // m/s; slower contacts do not bounce
  double contact_margin = 0.01;    // m; how far ahead contacts are looked for, besides the motion
  bool sleep = true;               // lets what has come to rest sleep
  double sleep_distance = 2e-3;    // m; what moves less in half a second may sleep
  ClothSearch cloth_search = ClothSearch::bvh;
  BroadPhase broad_phase = BroadPhase::sweep;
  TileMap tiles{};
  Impacts impacts = Impacts::together;
  ImpactTime impact_time = ImpactTime::advancement;
  int max_impacts = 1000;  // of an island in a substep; beyond, the rest of it is cut off
  double time_speed = 1;   // s of the world for a second of the host; see Clock
  SolidContact solid_contact = SolidContact::position;
  OverlapSearch overlap_search = OverlapSearch::hash;
  int pressure_iterations = 3;  // of the comparison of pressures
  double penalty_share = 0.3;   // of an overlap that the springs of `penalty` remove in a substep
};

}  // namespace pliant
