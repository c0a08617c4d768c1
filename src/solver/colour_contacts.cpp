#include "solver/colour_contacts.h"

#include <algorithm>
#include <cstdlib>

namespace pliant {

namespace {

constexpr int k_block = 512;  // manifolds
constexpr std::int32_t k_least_slabs = 4, k_most_slabs = 32;
constexpr std::int32_t k_slab_size = 2048;  // manifolds, at least: batches are filled up less well
constexpr std::int32_t k_slab_width = 8;  // times how far apart the bodies of a pair are, at least
constexpr std::uint8_t k_left_out = 255, k_no_colour = 255;

// The slab of each zone, and the groups that follow from their number: inside the slabs, between an
// even one and the next, between an odd one and the next, with what does not move, the tail.
struct Slabs {
  std::array<std::uint8_t, k_zones> of_zone{};
  std::int32_t count = 1;

  std::int32_t between(std::int32_t low) const {
    return count + (low % 2 == 0 ? 0 : count / 2) + low / 2;
  }
  std::int32_t fixed(std::int32_t slab) const { return 2 * count - 1 + slab; }
  std::int32_t tail() const { return 3 * count - 1; }
  std::array<std::int32_t, 5> kinds() const {
    return {0, count, count + count / 2, 2 * count - 1, 3 * count - 1};
  }
};

// Zones, on average over some of the pairs; at least one.
double pair_width(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list) {
  constexpr std::size_t k_stride = 16;
  std::int64_t sum = 0, pairs = 0;
  for (std::size_t i = 0; i < list.pairs.size(); i += k_stride) {
    const BoxPair& pair = list.pairs[i];
    if (!bodies.dynamic(pair.a) || !bodies.dynamic(pair.b)) continue;
    sum += std::abs(int(order.zone[std::size_t(pair.a)]) - int(order.zone[std::size_t(pair.b)]));
    ++pairs;
  }
  return pairs == 0 ? 1 : std::max(1.0, double(sum) / double(pairs));
}

// As many bodies in each slab as there are in the others.
Slabs cut_slabs(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list) {
  Slabs slabs;
  const std::int32_t most = std::min(
      k_most_slabs, std::int32_t(k_zones / (k_slab_width * pair_width(bodies, order, list))));
  slabs.count = std::min(std::int32_t(list.pairs.size()) / k_slab_size, most);
  if (slabs.count < k_least_slabs) slabs.count = 1;
  const std::int64_t all = std::max<std::int64_t>(std::int64_t(order.bodies.size()), 1);
  for (std::size_t z = 0; z < k_zones; ++z) {
    const std::int64_t middle = (std::int64_t(order.begin[z]) + order.begin[z + 1]) / 2;
    slabs.of_zone[z] =
        std::uint8_t(std::min<std::int64_t>(middle * slabs.count / all, slabs.count - 1));
  }
  return slabs;
}

std::uint8_t group_of(const RigidBodies& bodies, const BodyOrder& order, const Slabs& slabs,
                      const BoxPair& pair) {
  const bool da = bodies.dynamic(pair.a), db = bodies.dynamic(pair.b);
  const bool moves = (da && bodies.awake[pair.a]) || (db && bodies.awake[pair.b]);
  if (!moves) return k_left_out;
  const auto slab_of = [&](std::int32_t body) {
    return std::int32_t(slabs.of_zone[order.zone[std::size_t(body)]]);
  };
  if (!da || !db) return std::uint8_t(slabs.fixed(slab_of(da ? pair.a : pair.b)));
  const auto [low, high] = std::minmax({slab_of(pair.a), slab_of(pair.b)});
  if (low == high) return std::uint8_t(low);
  return std::uint8_t(high == low + 1 ? slabs.between(low) : slabs.tail());
}

// Lists the manifolds by group, in each by their order, block by block of the list.
void list_by_group(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                   const Slabs& slabs, TaskPool* pool, ContactColours& colours) {
  const int count = int(list.pairs.size()), blocks = (count + k_block - 1) / k_block;
  const int groups = slabs.tail() + 1;
  colours.group.resize(list.pairs.size());
  colours.next.assign(std::size_t(blocks) * std::size_t(groups), 0);
  const auto next_of = [&](int begin) {
    return &colours.next[std::size_t(begin / k_block * groups)];
  };
  const auto each_block = [&](const auto& run) {
    parallel_for(pool, blocks, 1, [&](int first, int last) {
      for (int b = first; b < last; ++b) run(b * k_block, std::min((b + 1) * k_block, count));
    });
  };
  each_block([&](int begin, int end) {
    std::int32_t* next = next_of(begin);
    for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i) {
      colours.group[i] =
          list.manifolds[i].count == 0 ? k_left_out : group_of(bodies, order, slabs, list.pairs[i]);
      if (colours.group[i] != k_left_out) ++next[colours.group[i]];
    }
  });
  colours.group_begin.resize(std::size_t(groups) + 1);
  std::int32_t sum = 0;
  for (int g = 0; g < groups; ++g) {
    colours.group_begin[std::size_t(g)] = sum;
    for (int b = 0; b < blocks; ++b) {
      std::int32_t& next = colours.next[std::size_t(b * groups + g)];
      sum += std::exchange(next, sum);
    }
  }
  colours.group_begin[std::size_t(groups)] = sum;
  colours.by_group.resize(std::size_t(sum));
  each_block([&](int begin, int end) {
    std::int32_t* next = next_of(begin);
    for (std::size_t i = std::size_t(begin); i < std::size_t(end); ++i)
      if (colours.group[i] != k_left_out)
        colours.by_group[std::size_t(next[colours.group[i]]++)] = std::int32_t(i);
  });
}

// The lowest colour that neither body has in this kind of group, or none.
std::uint8_t choose(const RigidBodies& bodies, const BoxPair& pair, std::size_t kind,
                    ContactColours& colours) {
  const bool da = bodies.dynamic(pair.a), db = bodies.dynamic(pair.b);
  std::uint64_t none = 0;
  std::uint64_t& a = da ? colours.used[std::size_t(pair.a)][kind] : none;
  std::uint64_t& b = db ? colours.used[std::size_t(pair.b)][kind] : none;
  const std::uint64_t free = ~(a | b);
  if (free == 0) return k_no_colour;
  a |= free & -free;
  b |= free & -free;
  return std::uint8_t(__builtin_ctzll(free));
}

std::span<const std::int32_t> members(const ContactColours& colours, std::size_t group) {
  return std::span(colours.by_group)
      .subspan(std::size_t(colours.group_begin[group]),
               std::size_t(colours.group_begin[group + 1] - colours.group_begin[group]));
}

void colour_group(const RigidBodies& bodies, const ManifoldList& list, std::size_t group,
                  std::size_t kind, ContactColours& colours) {
  GroupCounts& counts = colours.counts[group];
  counts = {};
  for (const std::int32_t i : members(colours, group)) {
    const std::uint8_t c = choose(bodies, list.pairs[std::size_t(i)], kind, colours);
    colours.chosen[std::size_t(i)] = c;
    if (c == k_no_colour) continue;
    ++counts.count[c][std::size_t(list.manifolds[std::size_t(i)].count)];
    counts.colours = std::max(counts.colours, c + 1);
  }
}

// Gives a group its batches, from `batch` and `point` on, which are moved on.
void lay_out(ContactColours& colours, std::size_t group, std::int32_t& batch, std::int32_t& point) {
  GroupCounts& counts = colours.counts[group];
  colours.groups[group].begin = batch;
  colours.first_point[group] = point;
  for (int c = 0; c < counts.colours; ++c)
    for (std::size_t p = 4; p >= 1; --p) {
      const std::int32_t batches = (counts.count[std::size_t(c)][p] + k_wide - 1) / k_wide;
      batch += batches;
      point += batches * std::int32_t(p);
    }
  colours.groups[group].end = batch;
  colours.most = std::max(colours.most, std::int32_t(counts.colours));
}

// Batches of a colour, for a thread to take at once: few enough that two threads end together, and
// so many that taking them costs little beside them.
std::int32_t colour_grain(std::int32_t batches) {
  constexpr std::int32_t k_grain = 16, k_blocks = 24;
  constexpr std::int32_t k_small = 12;  // which one thread does faster than two
  return batches <= k_small ? k_small : std::clamp(batches / k_blocks, 2, k_grain);
}

// Each colour of the group is a phase.
void add_colours(std::size_t group, ContactColours& colours) {
  std::int32_t begin = colours.groups[group].begin;
  const GroupCounts& counts = colours.counts[group];
  for (std::size_t c = 0; c < std::size_t(counts.colours); ++c) {
    std::int32_t end = begin;
    for (const std::int32_t count : counts.count[c]) end += (count + k_wide - 1) / k_wide;
    for (const std::int32_t grain = colour_grain(end - begin); begin < end;) {
      const std::int32_t next = std::min(begin + grain, end);
      colours.ranges.push_back({begin, next});
      begin = next;
    }
    colours.phase_end.push_back(std::int32_t(colours.ranges.size()));
  }
}

void list_phases(const Slabs& slabs, ContactColours& colours) {
  colours.ranges.clear();
  colours.phase_end.clear();
  if (slabs.count == 1) {
    for (std::size_t g = 0; g < colours.groups.size(); ++g) add_colours(g, colours);
    return;
  }
  const std::array<std::int32_t, 5> kinds = slabs.kinds();
  colours.ranges = colours.groups;
  colours.phase_end.assign(kinds.begin() + 1, kinds.end());
}

// Sets source, first_point and points of the group's batches.
void fill_group(const ManifoldList& list, std::size_t group, ContactColours& colours,
                ContactBatches& contacts) {
  GroupCounts& counts = colours.counts[group];
  std::int32_t batch = colours.groups[group].begin, point = colours.first_point[group];
  for (int c = 0; c < counts.colours; ++c)
    for (std::size_t p = 4; p >= 1; --p) {
      std::int32_t& count = counts.count[std::size_t(c)][p];
      const std::int32_t end = batch + (count + k_wide - 1) / k_wide;
      count = batch * k_wide;  // where the next one goes
      for (; batch < end; ++batch, point += std::int32_t(p)) {
        ContactBatch& b = contacts.batch[std::size_t(batch)];
        std::fill(std::begin(b.source), std::end(b.source), -1);
        b.first_point = point;
        b.points = std::int32_t(p);
      }
    }
  for (const std::int32_t i : members(colours, group)) {
    const std::uint8_t c = colours.chosen[std::size_t(i)];
    if (c == k_no_colour) continue;
    const std::int32_t at = counts.count[c][std::size_t(list.manifolds[std::size_t(i)].count)]++;
    contacts.batch[std::size_t(at / k_wide)].source[at % k_wide] = i;
  }
}

void clear_used(const RigidBodies& bodies, ContactColours& colours) {
  colours.used.resize(std::size_t(bodies.size()));
  for (const std::int32_t i : bodies.movable) colours.used[std::size_t(i)] = {};
}

// What found no colour, and what is between slabs that are no neighbours.
void fill_tail(const ManifoldList& list, ContactColours& colours, ContactBatches& contacts) {
  colours.tail.begin = colours.tail.end = std::int32_t(contacts.batch.size());
  const std::size_t last = colours.groups.size();
  for (std::size_t g = 0; g <= last; ++g)
    for (const std::int32_t i : members(colours, g))
      if (g == last || colours.chosen[std::size_t(i)] == k_no_colour)
        append_to_tail(list, i, colours, contacts);
}

}  // namespace

void colour_contacts(const RigidBodies& bodies, const BodyOrder& order, const ManifoldList& list,
                     TaskPool* pool, ContactColours& colours, ContactBatches& contacts) {
  const Slabs slabs = cut_slabs(bodies, order, list);
  list_by_group(bodies, order, list, slabs, pool, colours);
  clear_used(bodies, colours);
  const std::size_t groups = std::size_t(slabs.tail());
  const std::array<std::int32_t, 5> kinds = slabs.kinds();
  colours.groups.resize(groups);
  colours.counts.resize(groups);
  colours.first_point.resize(groups);
  colours.chosen.resize(list.pairs.size());
  parallel_for(pool, int(groups), 1, [&](int begin, int end) {
    for (std::int32_t g = begin; g < end; ++g) {
      std::size_t kind = 0;
      while (g >= kinds[kind + 1]) ++kind;
      colour_group(bodies, list, std::size_t(g), kind, colours);
    }
  });
  std::int32_t batches = 0;
  colours.points = colours.most = 0;
  for (std::size_t g = 0; g < groups; ++g) lay_out(colours, g, batches, colours.points);
  list_phases(slabs, colours);
  contacts.batch.resize(std::size_t(batches));
  if (contacts.point.size() < std::size_t(colours.points))
    contacts.point.resize(std::size_t(colours.points));
  parallel_for(pool, int(groups), 1, [&](int begin, int end) {
    for (int g = begin; g < end; ++g) fill_group(list, std::size_t(g), colours, contacts);
  });
  fill_tail(list, colours, contacts);
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
