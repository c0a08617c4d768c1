#include "solver/colour_contacts.h"

#include <array>

namespace pliant {

namespace {

constexpr int k_colours = 64;
constexpr int k_moving_colours = 44;  // between two moving bodies; the rest with one that is not
constexpr int k_tail = k_colours;
constexpr std::uint8_t k_left_out = 255;
constexpr int k_grain = 512;  // manifolds

int lowest_free(std::uint64_t used, int from, int to) {
  const std::uint64_t free = ~used >> from;
  if (free == 0) return k_tail;
  const int c = from + __builtin_ctzll(free);
  return c < to ? c : k_tail;
}

std::uint8_t choose(const RigidBodies& bodies, const BoxPair& pair,
                    std::vector<std::uint64_t>& used) {
  const bool da = bodies.dynamic(pair.a), db = bodies.dynamic(pair.b);
  const bool moves = (da && bodies.awake[pair.a]) || (db && bodies.awake[pair.b]);
  if (!moves) return k_left_out;
  const std::uint64_t mask = (da ? used[pair.a] : 0) | (db ? used[pair.b] : 0);
  const int c = da && db ? lowest_free(mask, 0, k_moving_colours)
                         : lowest_free(mask, k_moving_colours, k_colours);
  if (c != k_tail) {
    if (da) used[pair.a] |= std::uint64_t(1) << c;
    if (db) used[pair.b] |= std::uint64_t(1) << c;
  }
  return std::uint8_t(c);
}

// How many manifolds there are of each colour and number of points, then where the next one goes.
struct Bins {
  std::array<std::array<std::int32_t, 5>, k_colours + 1> count{};
};

void lay_out(const Bins& bins, Bins& next, ContactColours& colours, ContactBatches& contacts) {
  std::int32_t batch = 0, point = 0;
  colours.colours.clear();
  contacts.batch.clear();
  for (int c = 0; c <= k_colours; ++c) {
    const ColourRange range{batch, 0};
    for (int p = 4; p >= 1; --p) {
      const std::int32_t n = bins.count[c][p];
      const std::int32_t lanes = c == k_tail ? 1 : k_wide;
      next.count[c][p] = batch * k_wide;
      for (std::int32_t i = 0; i < n; i += lanes) {
        ContactBatch& b = contacts.batch.emplace_back();
        for (std::int32_t& s : b.source) s = -1;
        b.first_point = point;
        b.points = p;
        point += p;
        ++batch;
      }
    }
    if (c == k_tail)
      colours.tail = {range.begin, batch};
    else if (batch > range.begin)
      colours.colours.push_back({range.begin, batch});
  }
  colours.points = point;
  if (contacts.point.size() < std::size_t(point)) contacts.point.resize(std::size_t(point));
}

// Manifolds are far apart in memory: what must run in order sees their counts alone.
void take_counts(const ManifoldList& list, TaskPool* pool, std::vector<std::uint8_t>& count) {
  count.resize(list.pairs.size());
  parallel_for(pool, int(list.pairs.size()), k_grain, [&](int begin, int end) {
    for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
      count[i] = std::uint8_t(list.manifolds[i].count);
  });
}

void list_by_zone(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                  ContactColours& colours) {
  const auto zone_of = [&](const BoxPair& pair) {
    return order.zone[std::size_t(bodies.dynamic(pair.a) ? pair.a : pair.b)];
  };
  std::array<std::int32_t, k_zones + 1> begin{};
  for (std::size_t i = 0; i < list.pairs.size(); ++i)
    if (colours.chosen[i] != k_left_out) ++begin[std::size_t(zone_of(list.pairs[i])) + 1];
  for (std::size_t z = 0; z < k_zones; ++z) begin[z + 1] += begin[z];
  colours.by_zone.resize(std::size_t(begin[k_zones]));
  for (std::size_t i = 0; i < list.pairs.size(); ++i)
    if (colours.chosen[i] != k_left_out)
      colours.by_zone[std::size_t(begin[zone_of(list.pairs[i])]++)] = std::int32_t(i);
}

}  // namespace

void colour_contacts(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                     TaskPool* pool, ContactColours& colours, ContactBatches& contacts) {
  colours.used.resize(std::size_t(bodies.size()));
  for (const std::int32_t i : bodies.movable) colours.used[std::size_t(i)] = 0;
  colours.chosen.resize(list.pairs.size());
  take_counts(list, pool, colours.count);
  Bins bins, next;
  for (std::size_t i = 0; i < list.pairs.size(); ++i) {
    const std::uint8_t count = colours.count[i];
    const std::uint8_t c = count == 0 ? k_left_out : choose(bodies, list.pairs[i], colours.used);
    colours.chosen[i] = c;
    if (c != k_left_out) ++bins.count[c][count];
  }
  lay_out(bins, next, colours, contacts);
  list_by_zone(bodies, order, list, colours);
  for (const std::int32_t i : colours.by_zone) {
    const std::uint8_t c = colours.chosen[std::size_t(i)];
    std::int32_t& at = next.count[c][colours.count[std::size_t(i)]];
    contacts.batch[at / k_wide].source[at % k_wide] = i;
    at += c == k_tail ? k_wide : 1;
  }
}

void append_to_tail(const ManifoldList& list, std::int32_t source, ContactColours& colours,
                    ContactBatches& contacts) {
  ContactBatch& batch = contacts.batch.emplace_back();
  for (std::int32_t& s : batch.source) s = -1;
  batch.source[0] = source;
  batch.first_point = colours.points;
  batch.points = list.manifolds[std::size_t(source)].count;
  colours.points += batch.points;
  colours.tail.end = std::int32_t(contacts.batch.size());
  if (contacts.point.size() < std::size_t(colours.points))
    contacts.point.resize(std::size_t(colours.points));
}

}  // namespace pliant
