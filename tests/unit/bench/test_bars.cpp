// The arithmetic of ratios and bars, on made-up rows: no time is measured here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "bench/bars.h"
#include "bench/catalogue.h"

namespace pliant::bench {
namespace {

BenchRow row(const std::string& scene, const std::string& engine, int threads, double ms,
             double mean = 1.01, double worst = 1.5) {
  BenchRow out;
  out.scene = scene;
  out.engine = engine;
  out.threads = threads;
  out.ms_mean = ms;
  out.quality.stretch_mean_worst = mean;
  out.quality.stretch_max_worst = worst;
  return out;
}

// The bar of a row by what it says; fails the test where there is none.
Bar bar(const BenchReport& report, std::size_t index, const std::string& what) {
  for (const Bar& b : report.rows[index].bars)
    if (b.what == what) return b;
  ADD_FAILURE() << report.rows[index].scene << " has no bar \"" << what << "\"";
  return {};
}

TEST(BenchBars, ClothsAreComparedWithBulletOnOneThread) {
  BenchReport report;
  report.rows = {row("cloth64", "bullet", 1, 12, 1.3, 50), row("cloth64", "pliant", 1, 2),
                 row("cloth64", "pliant", 2, 1.25)};
  compare_rows(report);
  EXPECT_DOUBLE_EQ(report.rows[0].times_bullet, 1);
  EXPECT_TRUE(report.rows[0].bars.empty());
  EXPECT_DOUBLE_EQ(bar(report, 1, "times Bullet").value, 6);
  EXPECT_TRUE(bar(report, 1, "times Bullet").holds());
  EXPECT_DOUBLE_EQ(bar(report, 2, "times Bullet").value, 9.6);
  EXPECT_DOUBLE_EQ(bar(report, 2, "times Bullet").limit, 10);
  EXPECT_FALSE(bar(report, 2, "times Bullet").holds());
}

TEST(BenchBars, StretchIsGatedByTheLimitsOrByBulletWhereThatIsLess) {
  BenchReport report;
  report.rows = {
      row("cloth64", "bullet", 1, 12, 1.3, 50), row("cloth64", "pliant", 1, 1, 1.06, 2.1),
      row("cloth128", "bullet", 1, 12, 1.02, 1.4), row("cloth128", "pliant", 1, 1, 1.03, 1.3)};
  compare_rows(report);
  EXPECT_DOUBLE_EQ(bar(report, 1, "mean stretch").limit, 1.05);
  EXPECT_FALSE(bar(report, 1, "mean stretch").holds());
  EXPECT_DOUBLE_EQ(bar(report, 1, "worst edge").limit, 2);
  EXPECT_FALSE(bar(report, 1, "worst edge").holds());
  EXPECT_DOUBLE_EQ(bar(report, 3, "mean stretch").limit, 1.02);
  EXPECT_FALSE(bar(report, 3, "mean stretch").holds());
  EXPECT_DOUBLE_EQ(bar(report, 3, "worst edge").limit, 1.4);
  EXPECT_TRUE(bar(report, 3, "worst edge").holds());
}

TEST(BenchBars, WhatMeetsItselfIsHeldAgainstBulletsPlainCloth) {
  BenchReport report;
  report.rows = {row("cloth128", "bullet", 1, 10), row("drape128", "pliant", 1, 4.5),
                 row("cloth128_self", "pliant", 1, 20), row("drape128", "pliant", 2, 2),
                 row("drape128_features", "pliant", 1, 3.5)};
  compare_rows(report);
  EXPECT_DOUBLE_EQ(report.rows[4].times_bullet, 1 / 0.35);
  EXPECT_DOUBLE_EQ(bar(report, 1, "of Bullet's cloth128").value, 0.45);
  EXPECT_FALSE(bar(report, 1, "of Bullet's cloth128").holds());
  EXPECT_DOUBLE_EQ(report.rows[2].times_bullet, 0.5);
  EXPECT_DOUBLE_EQ(report.rows[3].times_bullet, 5);
  report.rows[1].ms_mean = 4;
  compare_rows(report);
  EXPECT_TRUE(bar(report, 1, "of Bullet's cloth128").holds());
}

TEST(BenchBars, WithoutBulletNothingIsSaidOfRatios) {
  BenchReport report;
  report.rows = {row("cloth64", "pliant", 1, 2), row("drape128", "pliant", 1, 2)};
  compare_rows(report);
  EXPECT_EQ(report.rows[0].times_bullet, 0);
  for (const BenchRow& r : report.rows)
    for (const Bar& b : r.bars) EXPECT_EQ(b.what.find("Bullet"), std::string::npos) << b.what;
}

TEST(BenchBars, CostPerVertexGrowsFromTheSmallestToTheLargest) {
  BenchReport report;
  report.rows = {row("cloth32", "pliant", 1, 0.1), row("cloth512", "pliant", 1, 32)};
  report.rows[0].vertices = 1000;
  report.rows[1].vertices = 256000;
  compare_rows(report);
  EXPECT_DOUBLE_EQ(ns_per_vertex(report.rows[0]), 100);
  EXPECT_DOUBLE_EQ(ns_per_vertex(report.rows[1]), 125);
  const Bar growth = bar(report, 1, "ns per vertex, of cloth32's");
  EXPECT_DOUBLE_EQ(growth.value, 1.25);
  EXPECT_TRUE(growth.holds());
  report.rows[1].ms_mean = 35;
  compare_rows(report);
  EXPECT_FALSE(bar(report, 1, "ns per vertex, of cloth32's").holds());
}

TEST(BenchBars, Check25AsksForTimeAndForThreads) {
  BenchReport report;
  report.rows = {row("cloth_A25_900", "pliant", 1, 2.5), row("cloth_A25_10k", "pliant", 1, 8),
                 row("cloth_A25_10k", "pliant", 2, 5), row("cloth_A25_simd", "pliant", 1, 0.2),
                 row("cloth_A25_simd", "scalar", 1, 0.5)};
  compare_rows(report);
  EXPECT_DOUBLE_EQ(bar(report, 3, "times one by one").value, 2.5);
  EXPECT_FALSE(bar(report, 3, "times one by one").holds());
  EXPECT_FALSE(bar(report, 0, "ms").holds());
  EXPECT_DOUBLE_EQ(bar(report, 2, "times one thread").value, 1.6);
  EXPECT_TRUE(bar(report, 2, "times one thread").holds());
}

// Rows of rising size are held against the one before, on both sides of twice its time.
TEST(BenchBars, DoublingsOfTheChecksOfSolids) {
  BenchReport report;
  report.rows = {row("deformable_A10_1k", "pliant", 1, 1), row("deformable_A10_2k", "pliant", 1, 2),
                 row("deformable_A10_4k", "pliant", 1, 5), row("elastic_A17_edges", "pliant", 1, 4),
                 row("elastic_A17_5k", "pliant", 1, 4),    row("elastic_A17_10k", "pliant", 1, 6),
                 row("elastic_A10_1598", "pliant", 1, 1)};
  compare_rows(report);
  EXPECT_TRUE(report.rows[0].bars.empty());
  ASSERT_EQ(report.rows[1].bars.size(), 2u);
  EXPECT_TRUE(report.rows[1].bars[0].holds() && report.rows[1].bars[1].holds());
  EXPECT_DOUBLE_EQ(report.rows[2].bars[0].value, 2.5);
  EXPECT_TRUE(report.rows[2].bars[0].holds());
  EXPECT_FALSE(report.rows[2].bars[1].holds());
  EXPECT_FALSE(bar(report, 3, "times shape matching").holds());  // 4 of 3
  EXPECT_TRUE(report.rows[4].bars.empty());                      // the edges are no half of it
  EXPECT_FALSE(report.rows[5].bars[0].holds());                  // 1.5 times
}

// Of shells that stand: the sags are those of one hardness, and springs cost more.
TEST(BenchBars, SpringsAreHeldAgainstMatchingThatSagsAsFar) {
  BenchReport report;
  report.rows = {row("elastic_A17_stands", "pliant", 1, 1),
                 row("elastic_A17_hard_10k", "pliant", 1, 4),
                 row("elastic_A17_hard_40k", "pliant", 1, 6)};
  report.rows[0].quality.sag = 0.002;
  report.rows[1].quality.sag = 0.0021;
  report.rows[2].quality.sag = 0.00199;
  compare_rows(report);
  EXPECT_TRUE(report.rows[0].bars.empty());
  ASSERT_EQ(report.rows[1].bars.size(), 3u);
  EXPECT_NEAR(report.rows[1].bars[0].value, 1.05, 1e-12);
  EXPECT_TRUE(report.rows[1].bars[0].holds());                   // not too hard
  EXPECT_FALSE(report.rows[1].bars[1].holds());                  // too soft
  EXPECT_FALSE(bar(report, 1, "times shape matching").holds());  // 4 of 5
  for (const Bar& b : report.rows[2].bars) EXPECT_TRUE(b.holds()) << b.what;
}

// Shape matching of all sizes: time in proportion to the vertices, and what is quadratic is seen.
TEST(BenchBars, ShapeMatchingIsLinear) {
  for (const bool quadratic : {false, true}) {
    BenchReport report;
    const int sizes[] = {1598, 6308, 25000, 100000, 400000};
    for (std::size_t n = 0; n < matching_rows().size(); ++n) {
      const double v = sizes[n];
      const double ms = quadratic ? v * v * 1e-9 : v * 1e-4 * (n % 2 == 0 ? 1.05 : 1);
      report.rows.push_back(row(matching_rows()[n], "pliant", 1, ms));
      report.rows.back().vertices = sizes[n];
    }
    compare_rows(report);
    EXPECT_EQ(bar(report, 3, "R2 of time by vertices").holds(), !quadratic);
    report.rows.erase(report.rows.begin() + 1);  // not of a part of them
    compare_rows(report);
    EXPECT_TRUE(report.rows[2].bars.empty());
  }
}

TEST(BenchBars, TheWorksOwnNumbersAreWithinAFactor) {
  BenchReport report;
  report.rows = {row("deformable_A18", "pliant", 1, 4)};
  report.rows[0].ms_most = 40;
  report.rows[0].substeps = 6;
  report.rows[0].phases.emplace();
  report.rows[0].phases->vertices_mean = 100;
  report.rows[0].phases->triangles_mean = 600;
  report.rows[0].phases->vertices_max = 147;  // the work's own
  report.rows[0].phases->triangles_max = 575;
  compare_rows(report);
  EXPECT_DOUBLE_EQ(bar(report, 0, "frames per second").value, 250);
  EXPECT_FALSE(bar(report, 0, "the slowest").holds());  // 25 of 29
  int held = 0;
  for (const Bar& b : report.rows[0].bars) held += b.holds() ? 1 : 0;
  // And 600 triangles are beyond 555, and two thirds of the surface.
  EXPECT_EQ(held, int(report.rows[0].bars.size()) - 3);
}

TEST(BenchBars, ShapeMatchingTakesTheSameForAllShares) {
  for (const double ms : {1.05, 1.2}) {
    BenchReport report;
    report.rows = {row("elastic_A10_25k", "pliant", 1, 1),
                   row("elastic_A10_25k_free", "pliant", 1, ms)};
    compare_rows(report);
    const std::vector<Bar>& bars = report.rows[1].bars;
    EXPECT_EQ(std::all_of(bars.begin(), bars.end(), [](const Bar& b) { return b.holds(); }),
              ms < 1.1);
    EXPECT_EQ(bars.size(), 2u);
  }
}

TEST(BenchBars, WhatIsNoNumberHoldsNoBar) {
  EXPECT_FALSE((Bar{"", std::nan(""), 1, true}.holds()));
  EXPECT_FALSE((Bar{"", std::nan(""), 1, false}.holds()));
}

TEST(BenchBars, TheTableAndTheRowsSayWhetherTheyHold) {
  BenchReport report;
  report.scenes = {{"cloth64", "work"}};
  report.rows = {row("cloth64", "bullet", 1, 10, 1.3, 50), row("cloth64", "pliant", 1, 2)};
  report.rows[0].last_frame = 360;
  report.rows[1].last_frame = 120;
  compare_rows(report);
  const std::string table = bench_table(report);
  EXPECT_NE(table.find("fails"), std::string::npos) << table;
  EXPECT_NE(table.find("at least 6"), std::string::npos) << table;
  EXPECT_NE(table.find("frames 0 to 119 only"), std::string::npos) << table;
  const auto rows = nlohmann::json::parse(bench_json(report));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_FALSE(rows[0].contains("bars"));
  EXPECT_EQ(rows[1]["bars"][0]["value"], 5);
  EXPECT_EQ(rows[1]["bars"][0]["at_least"], 6);
  EXPECT_EQ(rows[1]["bars"][0]["holds"], false);
}

}  // namespace
}  // namespace pliant::bench
