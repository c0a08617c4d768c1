#include "solver/hold_sheets.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "constraints/contact_sheet.h"
#include "model/rigid.h"
#include "narrowphase/sheet_distance.h"

namespace pliant {
namespace {

constexpr int k_batch_grain = 32;
// In thicknesses: how near any two features may be when a substep ends, and how near they may come
// along the plane between them meanwhile.
constexpr Real k_kept = Real(0.83), k_clear = Real(0.2);
constexpr int k_rounds = 6;         // of scaling
constexpr int k_rigid_rounds = 16;  // then zones go as a whole
constexpr int k_most_rounds = 64;
constexpr Real k_share = Real(0.9);  // of what is allowed
constexpr Real k_far = Real(1e30);
constexpr Real k_stopped = -1;             // share of the first of a zone, for a moment
constexpr Real k_fixed_mass = Real(1e10);  // kg, of what the user moves

Vec3W normalized(const Vec3W& v) {
  return v * (splat(1) / max(sqrt(dot(v, v)), splat(Real(1e-12))));
}

class Hold {
 public:
  Hold(const SheetContacts& contacts, std::span<const Vec4> begin, Particles& particles,
       TaskPool* pool, HoldScratch& scratch, std::span<std::uint8_t> bound)
      : contacts_(contacts),
        begin_(begin),
        particles_(particles),
        pool_(pool),
        scratch_(scratch),
        bound_(bound) {}

  int count() { return find_offending(particles_.d, false); }

  int run() {
    int held = find_offending(particles_.d, false);
    if (held == 0) return 0;
    prepare();
    for (int round = 0, now = held; now > 0 && round < k_most_rounds; ++round) {
      pinched_yield_ = round >= k_rigid_rounds;
      join_zones();
      shorten(round >= k_rounds);
      if (round >= k_rigid_rounds) stop_zones();
      move_zones();
      now = find_offending(scratch_.end, true);
      held = std::max(held, now);
    }
    for (const std::int32_t particle : scratch_.members) {
      const std::size_t p = std::size_t(particle);
      particles_.d[p] = scratch_.end[p];
      scratch_.share[p] = 1;
      scratch_.zone[p] = particle;
      scratch_.is_member[p] = 0;
    }
    scratch_.members.clear();
    return held;
  }

 private:
  void prepare() {
    const std::size_t count = begin_.size(), known = scratch_.share.size();
    scratch_.share.resize(count, Real(1));
    scratch_.next.resize(count, Real(1));
    scratch_.is_member.resize(count, 0);
    scratch_.drift.resize(count);
    scratch_.zone.resize(count);
    for (std::size_t p = known; p < count; ++p) scratch_.zone[p] = std::int32_t(p);
    scratch_.end.assign(particles_.d.begin(), particles_.d.end());
  }

  // Of those that go as they do, 0. Some are led for this substep only: if nothing else helps, they
  // give way as well.
  Real inverse_mass(std::size_t p) const {
    return particles_.d[p].w > 0 || !pinched_yield_ ? particles_.d[p].w : begin_[p].w;
  }

  using Heights = std::array<RealW, 4>;  // m, of the four particles along the normal

  static Heights heights(const SheetBatch& b, const Vec3W& normal, const std::array<Vec4W, 4>& d) {
    Heights height;
    height[0] = dot(normal, d[0].xyz());
    for (std::size_t k = 1; k < 4; ++k) height[k] = dot(normal, d[k].xyz() + b.from[k - 1]);
    return height;
  }

  // The lowest of side b above the highest of side a.
  static RealW apart(SheetFeature feature, const Heights& h) {
    return feature == SheetFeature::edge_edge ? min(h[0], h[1]) - max(h[2], h[3])
                                              : h[0] - max(h[1], max(h[2], h[3]));
  }

  std::array<Vec4W, 4> gather_begin(const SheetBatch& b) const {
    return {
        gather(begin_.data(), b.particle[0].data()), gather(begin_.data(), b.particle[1].data()),
        gather(begin_.data(), b.particle[2].data()), gather(begin_.data(), b.particle[3].data())};
  }

  struct Way {
    Heights begin, end;
    RealW allowed;       // m, by which the two may come nearer
    RealW closer;        // m, by which they have
    unsigned nears = 0;  // lanes that end too near, but need not cross
    unsigned offends = 0;
  };
  Way way_of(const SheetBatch& b, const std::vector<Vec4>& end) const {
    Way way;
    way.end = heights(b, b.normal, gather_sheet(b, end));
    const RealW after = apart(b.feature, way.end), kept = k_kept * b.thickness;
    const unsigned asked = lane_bits(after < kept) & ((1u << b.lanes) - 1);
    if (asked == 0) return way;
    way.begin = heights(b, b.normal, gather_begin(b));
    const RealW before = apart(b.feature, way.begin);
    const RealW clear = min(k_clear * b.thickness, before), near = min(kept, before);
    // Rounding may not count as an approach, nor may planes that never were between the two.
    const RealW slack = Real(1e-3) * clear, rounding = Real(1e-5) * kept;
    const View view = view_of(b, end);
    const RealW distance = sqrt(dot(view.between, view.between));
    const unsigned known = asked & lane_bits(before > 0);
    way.nears = known & lane_bits(distance < near - rounding);
    way.offends = known & lane_bits(after < clear - slack);
    if (way.offends != 0) way.offends &= ~lane_bits(apart_otherwise(b, view, clear - slack));
    way.allowed = before - select(distance < near - rounding, near, clear);
    way.closer = before - distance;
    way.offends |= way.nears;
    return way;
  }

  // The four at the beginning and at the end, and the way between the nearest points at the end.
  struct View {
    std::array<Vec4W, 4> before, after;
    Vec3W between, plane;
  };
  View view_of(const SheetBatch& b, const std::vector<Vec4>& end) const {
    View view{gather_begin(b), gather_sheet(b, end), {}, {}};
    const auto from_first = [&](std::size_t k) {
      return b.from[k - 1] + (view.after[k].xyz() - view.after[0].xyz());
    };
    const Vec3W r1 = from_first(1), r2 = from_first(2), r3 = from_first(3);
    const bool edges = b.feature == SheetFeature::edge_edge;
    view.between =
        edges ? nearest_edge_edge(r1, r2, r3).between : nearest_vertex_triangle(r1, r2, r3).between;
    view.plane = edges ? cross(r1, r3 - r2) : cross(r2 - r1, r3 - r1);
    return view;
  }

  // Whether another plane is between the two all the way: the one between them at the end, that of
  // the triangle or of the two edges, or one along the way that they slide. What slides over an
  // edge leaves the plane of the beginning behind.
  static MaskW apart_otherwise(const SheetBatch& b, const View& view, RealW least) {
    const auto is_between = [&](const Vec3W& normal) {
      return (apart(b.feature, heights(b, normal, view.after)) >= least) &
             (apart(b.feature, heights(b, normal, view.before)) >= least);
    };
    Vec3W slide{};
    for (std::size_t k = 0; k < 4; ++k)
      slide = slide + (view.after[k].xyz() - view.before[k].xyz()) * b.weight[k];
    const Vec3W unit = normalized(view.plane), along = normalized(slide);
    return is_between(normalized(view.between)) | is_between(unit) | is_between(-unit) |
           is_between(normalized(b.normal - along * dot(along, b.normal)));
  }

  // Visits the batches of the levels that are looked at: visit(batch, lanes that offend).
  template <class Visit>
  void each_batch(const Visit& visit) {
    std::size_t at = 0;
    for (std::size_t n = 0; n < std::size_t(contacts_.used); ++n)
      for (const SheetBatch& b : contacts_.levels[n].batches) visit(b, scratch_.offends[at++]);
  }

  bool has_member(const SheetBatch& b) const {
    std::uint8_t any = 0;
    for (const Lanes& particle : b.particle)
      for (const std::int32_t p : particle) any |= scratch_.is_member[std::size_t(p)];
    return any != 0;
  }

  // In all batches, or only in those in which something is no longer where it was when none of the
  // others offended.
  int find_offending(const std::vector<Vec4>& end, bool of_members) {
    std::size_t first = 0;
    int offending = 0;
    for (std::size_t n = 0; n < std::size_t(contacts_.used); ++n) {
      const std::vector<SheetBatch>& batches = contacts_.levels[n].batches;
      scratch_.offends.resize(std::max(scratch_.offends.size(), first + batches.size()));
      parallel_for(pool_, int(batches.size()), k_batch_grain, [&](int from, int to) {
        for (std::size_t i = std::size_t(from); i < std::size_t(to); ++i)
          if (!of_members || has_member(batches[i]))
            scratch_.offends[first + i] = std::uint8_t(way_of(batches[i], end).offends);
      });
      first += batches.size();
    }
    each_batch([&](const SheetBatch&, std::uint8_t lanes) { offending += std::popcount(lanes); });
    return offending;
  }

  // The first particle of the zone.
  std::int32_t zone_of(std::int32_t p) {
    std::vector<std::int32_t>& zone = scratch_.zone;
    while (zone[std::size_t(p)] != p)
      p = zone[std::size_t(p)] = zone[std::size_t(zone[std::size_t(p)])];
    return p;
  }

  // Everything that takes part in what offends goes together.
  void join_zones() {
    each_batch([&](const SheetBatch& b, std::uint8_t lanes) {
      for (; lanes != 0; lanes = std::uint8_t(lanes & (lanes - 1))) {
        const std::size_t lane = std::size_t(std::countr_zero(lanes));
        const SheetPair& pair = contacts_.pairs[std::size_t(b.pair[lane])];
        bound_[std::size_t(pair.a)] = bound_[std::size_t(pair.b)] = 1;
        for (const Lanes& particle : b.particle) {
          add_member(particle[lane]);
          const std::int32_t m = zone_of(b.particle[0][lane]), n = zone_of(particle[lane]);
          scratch_.zone[std::size_t(std::max(m, n))] = std::min(m, n);
        }
      }
    });
    find_drift();
  }

  void add_member(std::int32_t particle) {
    std::uint8_t& is_member = scratch_.is_member[std::size_t(particle)];
    if (is_member == 0) scratch_.members.push_back(particle);
    is_member = 1;
  }

  // The mean motion of each zone, weighed by mass; where it has particles that the user moves,
  // theirs. Summed over the members in their order.
  void find_drift() {
    const auto way = [&](std::size_t p) { return xyz(particles_.d[p]) - xyz(begin_[p]); };
    for (const std::int32_t p : scratch_.members) scratch_.drift[std::size_t(p)] = {0, 0, 0, 0};
    for (const bool fixed : {true, false})
      for (const std::int32_t particle : scratch_.members) {
        const std::size_t p = std::size_t(particle);
        const Real inverse = inverse_mass(p);
        if ((inverse > 0) == fixed) continue;
        Vec4& sum = scratch_.drift[std::size_t(zone_of(particle))];
        const Real mass = fixed ? k_fixed_mass : 1 / inverse;
        if (!fixed && sum.w >= k_fixed_mass) continue;
        const Vec3R moved = mass * way(p);
        sum = {sum.x + moved.x, sum.y + moved.y, sum.z + moved.z, sum.w + mass};
      }
  }

  Vec3R drift_of(std::int32_t particle) {
    const Vec4& sum = scratch_.drift[std::size_t(zone_of(particle))];
    return Vec3R{sum.x, sum.y, sum.z} / sum.w;
  }

  void move_zones() {
    for (const std::int32_t particle : scratch_.members) {
      const std::size_t p = std::size_t(particle);
      const Vec4 &d = particles_.d[p], &from = begin_[p];
      if (!(inverse_mass(p) > 0)) continue;
      const Vec3R u = drift_of(particle);
      const auto mix = [&](Real end, Real start, Real drift) {
        return start + drift + scratch_.share[p] * (end - start - drift);
      };
      scratch_.end[p] = {mix(d.x, from.x, u.x), mix(d.y, from.y, u.y), mix(d.z, from.z, u.z), d.w};
    }
  }

  void shorten(bool stop) {
    each_batch([&](const SheetBatch& b, std::uint8_t lanes) {
      if (lanes == 0) return;
      const Way way = way_of(b, scratch_.end);
      for (; lanes != 0; lanes = std::uint8_t(lanes & (lanes - 1)))
        shorten_pair(b, way, std::countr_zero(lanes), stop);
    });
    for (const std::int32_t p : scratch_.shortened) {
      scratch_.share[std::size_t(p)] = scratch_.next[std::size_t(p)];
      scratch_.is_member[std::size_t(p)] = 1;
    }
    scratch_.shortened.clear();
  }

  // Everything in the zones of what offends goes with its zone.
  void stop_zones() {
    each_batch([&](const SheetBatch& b, std::uint8_t lanes) {
      for (; lanes != 0; lanes = std::uint8_t(lanes & (lanes - 1)))
        scratch_.share[std::size_t(zone_of(b.particle[0][std::size_t(std::countr_zero(lanes))]))] =
            k_stopped;
    });
    for (const std::int32_t p : scratch_.members)
      if (scratch_.share[std::size_t(zone_of(p))] == k_stopped && zone_of(p) != p)
        scratch_.share[std::size_t(p)] = 0;
    for (const std::int32_t p : scratch_.members)
      if (scratch_.share[std::size_t(p)] == k_stopped) scratch_.share[std::size_t(p)] = 0;
  }

  // Only what goes towards the other side is shortened. Where both do, they share what is allowed;
  // where one gives way, the other may follow it. What comes nearer by turning or by sliding over
  // an edge goes less far altogether.
  void shorten_pair(const SheetBatch& b, const Way& way, int lane, bool stop) {
    const Vec3R n{b.normal.x[lane], b.normal.y[lane], b.normal.z[lane]};
    const Real drift = dot(n, drift_of(b.particle[0][std::size_t(lane)]));
    const std::size_t on_b = b.feature == SheetFeature::edge_edge ? 2 : 1;
    std::array<Real, 4> towards;  // m, the other side
    Real most_b = -k_far, most_a = -k_far;
    for (std::size_t k = 0; k < 4; ++k) {
      const Real up = way.end[k][lane] - way.begin[k][lane] - drift;
      towards[k] = k < on_b ? -up : up;
      Real& most = k < on_b ? most_b : most_a;
      most = std::max(most, towards[k]);
    }
    const Real allowed = k_share * way.allowed[lane];
    const Real closing = std::max(most_b, Real(0)) + std::max(most_a, Real(0));
    const bool turns = (way.nears >> lane & 1) != 0 && closing < Real(0.5) * way.closer[lane];
    for (std::size_t k = 0; k < 4; ++k) {
      if (towards[k] <= 0 && !turns) continue;
      const Real given = std::max(-(k < on_b ? most_a : most_b), Real(0));  // by the other side
      const Real factor = stop    ? Real(0)
                          : turns ? allowed / way.closer[lane]
                                  : (allowed + k_share * given) / closing;
      if (factor < 1) shorten_way(b.particle[k][std::size_t(lane)], factor);
    }
  }

  void shorten_way(std::int32_t particle, Real factor) {
    const std::size_t p = std::size_t(particle);
    if (!(inverse_mass(p) > 0)) return;
    if (scratch_.is_member[p] == 1) {
      scratch_.is_member[p] = 2;  // in the list
      scratch_.next[p] = scratch_.share[p];
      scratch_.shortened.push_back(particle);
    }
    scratch_.next[p] = std::min(scratch_.next[p], scratch_.share[p] * factor);
  }

  const SheetContacts& contacts_;
  std::span<const Vec4> begin_;
  Particles& particles_;
  TaskPool* pool_;
  HoldScratch& scratch_;
  std::span<std::uint8_t> bound_;
  bool pinched_yield_ = false;
};

}  // namespace

bool sheets_too_near(const SheetContacts& contacts, std::span<const Vec4> begin,
                     Particles& particles, TaskPool* pool, HoldScratch& scratch) {
  return Hold(contacts, begin, particles, pool, scratch, {}).count() > 0;
}

int hold_sheets(const SheetContacts& contacts, std::span<const Vec4> begin, Particles& particles,
                TaskPool* pool, HoldScratch& scratch, std::span<std::uint8_t> bound) {
  return Hold(contacts, begin, particles, pool, scratch, bound).run();
}

}  // namespace pliant
