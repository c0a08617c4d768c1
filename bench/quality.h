// How good a run looks, measured from positions in the same way for every engine, so that no engine
// is fast by doing the work badly.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pliant/scene.h>

#include "bench/depth.h"
#include "bench/engine.h"
#include "bench/topology.h"

namespace pliant::bench {

// Edge length over rest length.
struct Stretch {
  double mean = 1;
  double max = 1;
};
struct RestEdges {
  std::vector<Edge> edges;
  std::vector<double> lengths;  // m
};
RestEdges rest_edges(const ClothDef& cloth);
Stretch stretch_of(const RestEdges& rest, const std::vector<Vec3>& positions);

double tet_volume(const TetMesh& mesh, const std::vector<Vec3>& positions);  // m3, signed sum

// Over all pairs of bodies that overlap, at least one of them dynamic, and that are not joined.
struct Overlaps {
  double deepest = 0;  // m
  double sum = 0;      // m
  std::int64_t count = 0;
};
Overlaps overlaps_of(const std::vector<BodyDef>& bodies, const std::vector<Transform>& poses,
                     const std::set<std::pair<std::size_t, std::size_t>>& joined = {});

// What `standing` means: every dynamic body is within half its height of where it began and the
// topmost has kept 97 % of its height; or every one is still between the walls and above the floor.
enum class Standing { in_place, contained };
bool standing(Standing rule, const std::vector<BodyDef>& bodies,
              const std::vector<Transform>& poses);

// m: how far the centre of a solid's vertices is below where it began.
double sag_of(const SolidDef& solid, const std::vector<Vec3>& positions);

struct Quality {
  // Cloth: the worst of all frames.
  std::optional<double> stretch_mean_worst, stretch_max_worst;
  // Cloth among rigid bodies: the deepest vertex inside one of them in the measured frames (m).
  std::optional<double> cloth_deepest;
  // Solids: the least volume / rest volume of all solids in the measured frames and in all frames
  // from the first impact on; the deepest vertex in another solid or in a rigid body in the
  // measured frames, in lattice cells.
  std::optional<double> volume_min, volume_min_all, deepest;
  // A solid that stands and sags: m, at the end.
  std::optional<double> sag;
  // Rigid bodies: m, over the measured frames; the mean is over the pairs that overlap.
  std::optional<double> penetration_max, penetration_mean;
  std::optional<bool> standing;
  bool finite = true;
};

class QualityMeter {
 public:
  QualityMeter(const Scene& scene, Standing rule);
  void sample(const BenchEngine& engine, bool measured);
  Quality result(const BenchEngine& engine) const;

 private:
  void sample_cloths(const BenchEngine& engine, bool measured);
  void sample_solids(const BenchEngine& engine, bool measured);
  double deepest_vertex(std::size_t solid) const;
  double deepest_in_bodies(const std::vector<Vec3>& points) const;
  void sample_bodies();

  const Scene& scene_;
  Standing rule_;
  bool dynamic_bodies_ = false;
  std::vector<RestEdges> cloth_edges_;
  std::vector<double> rest_volumes_;  // m3
  std::vector<double> cells_;         // m, the shortest rest edge of each solid
  std::vector<SolidDepth> depths_;
  std::vector<std::vector<Vec3>> solid_positions_;
  std::vector<Vec3> positions_;
  std::vector<Transform> poses_;
  Quality worst_;
  Overlaps overlaps_;
  std::set<std::pair<std::size_t, std::size_t>> joined_;  // bodies, the lower place first
};

}  // namespace pliant::bench
