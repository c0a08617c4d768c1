#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "core/pool.h"

namespace pliant {
namespace {

// Every item once, whatever the number of threads, also for many short jobs in a row.
TEST(Pool, RunsEveryItemOnce) {
  for (const int threads : {1, 2, 3, 8}) {
    const auto pool = make_task_pool(threads);
    EXPECT_EQ(pool->threads(), threads);
    std::vector<int> hits(1000);
    for (int job = 0; job < 2000; ++job) {
      const int count = 1 + (job * 37) % 1000;
      parallel_for(pool.get(), count, 7, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) ++hits[std::size_t(i)];
      });
    }
    std::vector<int> expected(1000);
    for (int job = 0; job < 2000; ++job)
      for (int i = 0; i < 1 + (job * 37) % 1000; ++i) ++expected[std::size_t(i)];
    EXPECT_EQ(hits, expected) << threads << " threads";
  }
}

TEST(Pool, WakesAfterIdling) {
  const auto pool = make_task_pool(4);
  std::atomic<int> sum{0};
  for (int round = 0; round < 3; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    parallel_for(pool.get(), 100, 1, [&](int begin, int) { sum += begin; });
  }
  EXPECT_EQ(sum, 3 * 4950);
}

}  // namespace
}  // namespace pliant
