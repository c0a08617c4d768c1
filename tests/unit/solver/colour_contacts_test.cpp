// Colours and batches on random graphs: every manifold once, no moving body twice in a batch or in
// two ranges of a phase.
#include "solver/colour_contacts.h"

#include <cmath>
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

using BodySet = std::set<std::int32_t>;

// The moving bodies of a batch, each once.
BodySet visit(const Graph& g, std::int32_t batch, std::vector<int>& seen) {
  const ContactBatch& b = g.contacts.batch[std::size_t(batch)];
  BodySet used;
  EXPECT_LE(b.first_point + b.points, g.colours.points);
  EXPECT_GE(b.source[0], 0);
  for (std::int32_t s : b.source) {
    if (s < 0) continue;
    ++seen[std::size_t(s)];
    EXPECT_EQ(g.list.manifolds[std::size_t(s)].count, b.points);
    const BoxPair& pair = g.list.pairs[std::size_t(s)];
    for (std::int32_t body : {pair.a, pair.b}) {
      if (!g.bodies.dynamic(body)) continue;
      EXPECT_TRUE(used.insert(body).second);
    }
  }
  return used;
}

void expect_valid(const Graph& g) {
  std::vector<int> seen(g.list.pairs.size(), 0);
  std::int32_t next = 0;
  std::size_t range = 0;
  for (const std::int32_t phase_end : g.colours.phase_end) {
    BodySet phase;
    for (; range < std::size_t(phase_end); ++range) {
      ASSERT_EQ(g.colours.ranges[range].begin, next);
      BodySet here;
      for (; next < g.colours.ranges[range].end; ++next) here.merge(visit(g, next, seen));
      for (const std::int32_t body : here) ASSERT_TRUE(phase.insert(body).second);
    }
  }
  ASSERT_EQ(range, g.colours.ranges.size());
  ASSERT_EQ(g.colours.tail.begin, next);
  for (; next < g.colours.tail.end; ++next) visit(g, next, seen);
  ASSERT_EQ(std::size_t(next), g.contacts.batch.size());
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

// A long heap: bodies meet those within two metres along it, and one meets all of them.
Graph long_heap(std::mt19937& rng, TaskPool* pool) {
  constexpr int k_bodies = 3000;
  std::uniform_real_distribution<double> place(0, 100);
  std::uniform_int_distribution<int> points(0, 4);
  Graph g;
  std::vector<double> x(k_bodies);
  for (int i = 0; i < k_bodies; ++i) {
    x[std::size_t(i)] = place(rng);
    append_body(g.bodies,
                {.motion = i % 50 == 7 ? Motion::fixed : Motion::dynamic,
                 .position = {x[std::size_t(i)], 0, 0}},
                std::uint32_t(i));
  }
  list_movable(g.bodies);
  for (int a = 0; a < k_bodies; ++a)
    for (int b = a + 1; b < k_bodies; ++b) {
      const bool near = std::abs(x[std::size_t(a)] - x[std::size_t(b)]) < 2 && rng() % 16 == 0;
      if (!near && (a != 0 || rng() % 100 != 0)) continue;
      g.list.pairs.push_back({std::uint64_t(a) << 32 | std::uint64_t(b), a, b});
      g.list.manifolds.emplace_back().count = points(rng);
    }
  order_bodies(g.bodies, g.order);
  colour_contacts(g.bodies, g.order, g.list, pool, g.colours, g.contacts);
  return g;
}

TEST(colour_contacts, many_contacts_run_slab_by_slab) {
  std::mt19937 rng(4), again(4);
  const Graph g = long_heap(rng, nullptr);
  expect_valid(g);
  ASSERT_EQ(g.colours.phase_end.size(), ContactColours::k_kinds);
  EXPECT_GE(g.colours.phase_end[0], 4) << "slabs";
  EXPECT_GT(g.colours.tail.end, g.colours.tail.begin) << "of what spans several slabs";
  EXPECT_LT(g.colours.tail.end - g.colours.tail.begin, 60);

  const auto pool = make_task_pool(3);
  const Graph on_threads = long_heap(again, pool.get());
  ASSERT_EQ(on_threads.contacts.batch.size(), g.contacts.batch.size());
  for (std::size_t b = 0; b < g.contacts.batch.size(); ++b)
    for (int lane = 0; lane < k_wide; ++lane)
      ASSERT_EQ(on_threads.contacts.batch[b].source[lane], g.contacts.batch[b].source[lane]);
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
