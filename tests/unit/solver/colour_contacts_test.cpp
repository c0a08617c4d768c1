// Colours and batches on random graphs: every manifold once, no moving body twice in a colour.
#include "solver/colour_contacts.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Graph {
  RigidBodies bodies;
  BodyOrder order;
  ManifoldList list;
  ContactColours colours;
  ContactBatches contacts;
};

Graph random_graph(std::mt19937& rng, int bodies, int contacts) {
  Graph g;
  for (int i = 0; i < bodies; ++i)
    append_body(g.bodies, {.motion = i % 7 == 0 ? Motion::fixed : Motion::dynamic},
                std::uint32_t(i));
  std::uniform_int_distribution<int> pick(0, bodies - 1), points(0, 4);
  std::set<std::pair<int, int>> used;
  for (int k = 0; k < contacts; ++k) {
    const int a = pick(rng), b = pick(rng);
    if (a < b) used.insert({a, b});
  }
  for (const auto& [a, b] : used) {
    g.list.pairs.push_back({std::uint64_t(a) << 32 | std::uint64_t(b), a, b});
    g.list.manifolds.emplace_back().count = points(rng);
  }
  order_bodies(g.bodies, g.order);
  colour_contacts(g.bodies, g.order, g.list, nullptr, g.colours, g.contacts);
  return g;
}

void expect_valid(const Graph& g) {
  std::vector<int> seen(g.list.pairs.size(), 0);
  const auto visit = [&](std::int32_t batch, std::set<std::int32_t>* used) {
    const ContactBatch& b = g.contacts.batch[batch];
    ASSERT_LE(b.first_point + b.points, g.colours.points);
    for (std::int32_t s : b.source) {
      if (s < 0) continue;
      ++seen[s];
      ASSERT_EQ(g.list.manifolds[s].count, b.points);
      for (std::int32_t body : {g.list.pairs[s].a, g.list.pairs[s].b})
        if (used && g.bodies.dynamic(body)) {
          ASSERT_TRUE(used->insert(body).second);
        }
    }
    ASSERT_GE(b.source[0], 0);
  };
  std::int32_t next = 0;
  for (const ColourRange& c : g.colours.colours) {
    ASSERT_EQ(c.begin, next);
    next = c.end;
    std::set<std::int32_t> used;
    for (std::int32_t i = c.begin; i < c.end; ++i) visit(i, &used);
  }
  ASSERT_EQ(g.colours.tail.begin, next);
  for (std::int32_t i = g.colours.tail.begin; i < g.colours.tail.end; ++i) visit(i, nullptr);
  ASSERT_EQ(std::size_t(g.colours.tail.end), g.contacts.batch.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const BoxPair& p = g.list.pairs[i];
    const bool wanted =
        g.list.manifolds[i].count > 0 && (g.bodies.dynamic(p.a) || g.bodies.dynamic(p.b));
    ASSERT_EQ(seen[i], wanted ? 1 : 0);
  }
}

TEST(colour_contacts, valid_on_random_graphs) {
  std::mt19937 rng(1);
  for (int round = 0; round < 30; ++round) expect_valid(random_graph(rng, 20 + 10 * round, 600));
}

TEST(colour_contacts, too_many_contacts_of_one_body_go_to_the_tail) {
  std::mt19937 rng(2);
  const Graph g = random_graph(rng, 150, 20000);
  expect_valid(g);
  EXPECT_GT(g.colours.tail.end, g.colours.tail.begin);
}

TEST(colour_contacts, sleeping_bodies_take_no_part) {
  std::mt19937 rng(3);
  Graph g = random_graph(rng, 60, 300);
  for (std::uint8_t& a : g.bodies.awake) a = 0;
  order_bodies(g.bodies, g.order);
  colour_contacts(g.bodies, g.order, g.list, nullptr, g.colours, g.contacts);
  EXPECT_TRUE(g.contacts.batch.empty());
}

}  // namespace
}  // namespace pliant
