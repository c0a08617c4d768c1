// The order in which slots are projected: nothing is lost, nothing conflicts.
#include "solver/contact_order.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr std::int32_t k_particles = 40;  // of each body

// `pairs` of deformables with some slots each, about a quarter of which are not live. A contact
// has a vertex of one body and a triangle of the other.
ContactSlots random_slots(unsigned seed, int bodies, int pairs, int most) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return std::int32_t(random() % unsigned(n)); };
  ContactSlots slots;
  slots.clear();
  for (int n = 0; n < pairs; ++n) {
    const std::int32_t a = below(bodies - 1), b = a + 1 + below(bodies - 1 - a);
    for (const auto& [body, other] : {std::pair{a, b}, std::pair{b, a}}) {
      ContactPair pair;
      pair.key = std::uint64_t(n);
      pair.body = body, pair.other = other;
      pair.slot_begin = std::int32_t(slots.slots.size());
      for (int k = below(most); k > 0; --k) {
        ParticleContact c;
        c.pair = std::int32_t(slots.pairs.size());
        c.particles = 4;
        c.particle[0] = body * k_particles + below(k_particles);
        for (std::size_t m = 1; m < 4; ++m)
          c.particle[m] = other * k_particles + below(k_particles);
        slots.contacts.push_back(c);
        slots.slots.emplace_back().pair = c.pair;
        slots.live.push_back(below(4) > 0);
      }
      pair.slot_end = std::int32_t(slots.slots.size());
      slots.pairs.push_back(pair);
    }
  }
  return slots;
}

void order(ContactSlots& slots, int bodies, bool pressed) {
  std::vector<std::uint64_t> marks(std::size_t(bodies * k_particles), 0);
  list_units(std::vector<std::uint8_t>(1, pressed), bodies, slots);
  order_live(slots, marks, nullptr);
  EXPECT_TRUE(std::all_of(marks.begin(), marks.end(), [](std::uint64_t m) { return m == 0; }));
}

void expect_all_live_once(const ContactSlots& slots) {
  std::vector<int> seen(slots.slots.size(), 0);
  for (const std::int32_t s : slots.coloured) ++seen[std::size_t(s)];
  for (std::size_t s = 0; s < seen.size(); ++s) EXPECT_EQ(seen[s], slots.live[s] ? 1 : 0) << s;
  EXPECT_EQ(slots.colour_begin.back(), std::int32_t(slots.coloured.size()));
}

TEST(ContactOrder, units_of_a_phase_share_no_body_and_no_live_slot_is_lost) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    ContactSlots slots = random_slots(seed, 8, 12, 60);
    order(slots, 8, false);
    expect_all_live_once(slots);
    ASSERT_FALSE(slots.units.empty());
    std::set<std::pair<int, std::int32_t>> used;  // phase and body
    for (const ContactUnit& unit : slots.units) {
      const ContactPair& pair =
          slots.pairs[std::size_t(slots.slots[std::size_t(unit.slot_begin)].pair)];
      EXPECT_TRUE(used.insert({unit.phase, pair.body}).second);
      EXPECT_TRUE(used.insert({unit.phase, pair.other}).second);
      for (std::int32_t n = unit.begin; n < unit.end; ++n) {
        const std::int32_t s = slots.coloured[std::size_t(n)];
        EXPECT_TRUE(s >= unit.slot_begin && s < unit.slot_end);
      }
    }
    EXPECT_EQ(slots.units.back().end, slots.colour_begin.front()) << "all pairs fit into units";
  }
}

TEST(ContactOrder, slots_of_a_colour_share_no_particle) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    ContactSlots slots = random_slots(seed, 8, 12, 30);
    order(slots, 8, true);  // pressed: no units
    expect_all_live_once(slots);
    EXPECT_TRUE(slots.units.empty());
    for (std::size_t c = 0; c + 1 < slots.colour_begin.size(); ++c) {
      std::set<std::int32_t> used;
      for (std::int32_t n = slots.colour_begin[c]; n < slots.colour_begin[c + 1]; ++n) {
        const std::int32_t s = slots.coloured[std::size_t(n)];
        const ParticleContact& contact = slots.contacts[std::size_t(s)];
        std::set<std::int32_t> own(contact.particle.begin(), contact.particle.begin() + 4);
        for (const std::int32_t p : own)
          EXPECT_TRUE(used.insert(p).second || int(c) == k_most_colours) << "colour " << c;
      }
    }
  }
}

TEST(ContactOrder, a_pair_with_very_many_slots_is_coloured) {
  ContactSlots slots = random_slots(3, 2, 1, 2000);
  ASSERT_GT(slots.slots.size(), 512u);
  order(slots, 2, false);
  expect_all_live_once(slots);
  EXPECT_TRUE(slots.units.empty());
  EXPECT_EQ(slots.colour_begin.front(), 0);
}

TEST(ContactOrder, is_the_same_with_an_unrelated_pair) {
  ContactSlots slots = random_slots(5, 4, 3, 40), more = slots;
  ContactSlots far = random_slots(6, 2, 1, 40);
  const std::int32_t first = std::int32_t(more.slots.size());
  for (ContactPair pair : far.pairs) {
    pair.key += 1000, pair.body += 4, pair.other += 4;
    pair.slot_begin += first, pair.slot_end += first;
    more.pairs.push_back(pair);
  }
  for (ParticleContact c : far.contacts) {
    c.pair += 6;
    for (std::size_t n = 0; n < 4; ++n) c.particle[n] += 4 * k_particles;
    more.contacts.push_back(c);
    more.slots.emplace_back().pair = c.pair;
  }
  more.live.insert(more.live.end(), far.live.begin(), far.live.end());
  order(slots, 4, false);
  order(more, 6, false);
  std::vector<std::int32_t> near;
  for (const std::int32_t s : more.coloured)
    if (s < first) near.push_back(s);
  EXPECT_EQ(near, slots.coloured);
}

}  // namespace
}  // namespace pliant
