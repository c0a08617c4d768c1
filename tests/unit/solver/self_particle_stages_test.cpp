// Packing pairs of particles of one cloth: each in one lane, no particle twice in a colour, and
// what an open seam draws together left out.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "solver/self_particle_stages.h"

namespace pliant {
namespace {

constexpr std::int32_t k_count = 64;

struct Rig {
  Deformable body;
  Particles particles;
  SelfPackScratch scratch;
  SelfContacts contacts;

  Rig() {
    body.count = k_count;
    particles.resize(k_count + 1);
    body.tree.rest.resize(k_count);
    for (std::int32_t p = 0; p < k_count; ++p) body.tree.rest[std::size_t(p)] = {Real(p), 0, 0, 0};
    body.self_particles.q.assign(k_count / k_lanes, splat(Real(0.5)));
  }
  std::multiset<std::pair<std::int32_t, std::int32_t>> pack(std::vector<SelfPair> pairs) {
    contacts.pairs = std::move(pairs);
    pack_self_contacts(body, particles, nullptr, scratch, contacts);
    std::multiset<std::pair<std::int32_t, std::int32_t>> packed;
    for (const SelfPairBatch& b : contacts.batches)
      for (std::size_t k = 0; k < std::size_t(b.lanes); ++k) packed.insert({b.i[k], b.j[k]});
    return packed;
  }
};

TEST(SelfParticleStages, every_pair_has_one_lane_and_colours_share_no_particle) {
  std::mt19937 engine(3);
  std::set<SelfPair> pairs;
  while (pairs.size() < 300) {
    const std::int32_t i = std::int32_t(engine() % k_count), j = std::int32_t(engine() % k_count);
    if (i < j) pairs.insert({i, j});
  }
  Rig rig;
  const auto packed = rig.pack({pairs.begin(), pairs.end()});
  ASSERT_EQ(packed.size(), pairs.size());
  for (const SelfPair& pair : pairs) EXPECT_EQ(packed.count({pair.i, pair.j}), 1u);
  ASSERT_FALSE(rig.contacts.serial);
  for (int c = 0; c < rig.contacts.colours(); ++c) {
    std::set<std::int32_t> used;
    for (std::int32_t n = rig.contacts.colour_begin[std::size_t(c)];
         n < rig.contacts.colour_begin[std::size_t(c) + 1]; ++n)
      for (std::size_t k = 0; k < std::size_t(rig.contacts.batches[std::size_t(n)].lanes); ++k) {
        EXPECT_TRUE(used.insert(rig.contacts.batches[std::size_t(n)].i[k]).second);
        EXPECT_TRUE(used.insert(rig.contacts.batches[std::size_t(n)].j[k]).second);
      }
  }
}

// Seams 1 and 2 are open: what is at one of them keeps no distance from the rest of it, but from
// the other seam and from what is at none.
TEST(SelfParticleStages, what_one_open_seam_draws_together_is_no_contact) {
  const std::vector<SelfPair> pairs{{0, 40}, {0, 41}, {1, 42}, {2, 43}, {5, 40}, {8, 50}};
  Rig rig;
  EXPECT_EQ(rig.pack(pairs).size(), pairs.size()) << "without a seam all are there";
  rig.body.self_particles.seam.assign(k_count, 0);
  EXPECT_EQ(rig.pack(pairs).size(), pairs.size()) << "nor is one left out where none is open";
  for (const std::size_t p : {0u, 1u, 40u, 41u}) rig.body.self_particles.seam[p] = 1;
  for (const std::size_t p : {2u, 42u, 43u}) rig.body.self_particles.seam[p] = 2;
  const auto packed = rig.pack(pairs);
  EXPECT_EQ(packed,
            (std::multiset<std::pair<std::int32_t, std::int32_t>>{{1, 42}, {5, 40}, {8, 50}}));
}

}  // namespace
}  // namespace pliant
