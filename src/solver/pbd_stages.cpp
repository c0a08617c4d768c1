#include "solver/pbd_stages.h"

#include <type_traits>

#include "constraints/bend.h"
#include "constraints/coarse_limit.h"
#include "constraints/distance.h"
#include "constraints/hinge.h"
#include "constraints/strain.h"
#include "solver/cluster_loops.h"
#include "solver/copies.h"

namespace pliant {
namespace {

double power(double x, int n) {
  double result = 1;
  for (; n > 0; n /= 2, x *= x)
    if (n % 2 == 1) result *= x;
  return result;
}

// What share of its error a kind of constraint loses in a sweep.
struct Shares {
  Real stretch, bend;
  Real of(std::span<const DistanceBatch>) const { return stretch; }
  Real of(std::span<const DistanceTriangleBatch>) const { return stretch; }
  Real of(std::span<const StrainBatch>) const { return stretch; }
  Real of(std::span<const BendBatch>) const { return bend; }
  Real of(std::span<const HingeBatch>) const { return bend; }
  Real of(std::span<const FoldBatch>) const { return 1; }
};

template <class Batch>
void project_kind(const ConstraintSet& set, std::span<const Batch> batches, Vec4* d,
                  const Shares& shares) {
  if constexpr (std::is_same_v<Batch, StrainBatch>) {
    if (set.strain_is_elastic) project_pbd(batches, d, shares.of(batches));
    if (set.strain_limit > 0) limit_stretch(batches, d, set.strain_limit);
  } else if constexpr (!std::is_same_v<Batch, VolumeBatch> &&
                       !std::is_same_v<Batch, CellVolumeBatch> &&
                       !std::is_same_v<Batch, FemBatch> &&
                       !std::is_same_v<Batch, HexBatch>) {  // of solids
    project_pbd(batches, d, shares.of(batches));
  }
}

}  // namespace

// The n-th root by Newton from above, where x^n is convex: it falls until it is there.
double pbd_share(double stiffness, int sweeps) {
  const double left = 1 - stiffness;
  if (sweeps <= 1 || left <= 0) return stiffness;
  double x = 1;
  for (int turn = 0; turn < 200; ++turn) {
    const double next = x - (x - left / power(x, sweeps - 1)) / sweeps;
    if (!(next < x)) break;
    x = next;
  }
  return 1 - x;
}

void project_internal_pbd(Particles& particles, Deformable& body, const SubstepContext& context) {
  ConstraintSet& set = body.constraints;
  const Vec4* base = particles.base.data() + body.begin;
  Vec4* d = particles.d.data() + body.begin;
  const Shares shares{Real(pbd_share(body.pbd_stretch, context.sweeps)),
                      Real(pbd_share(body.pbd_bend, context.sweeps))};
  const bool spreads =
      !body.coarse.empty() && project(body.coarse, k_coarse_sweeps, d, context.pool);
  for (int sweep = 0; sweep < context.sweeps; ++sweep) {
    hold_far_limits(body, base, d, spreads && sweep == 0, context.pool);
    follow_particles(particles, body, context.pool);
    sweep_constraints(
        context.pool, set, [](int) {},
        [&](auto batches, auto&, std::size_t) { project_kind(set, batches, d, shares); });
    take_mean_of_copies(particles, body, context.pool);
  }
}

}  // namespace pliant
