#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
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

// More blocks than a claim can count.
TEST(Pool, RunsVeryManyBlocks) {
  const auto pool = make_task_pool(3);
  std::vector<std::uint8_t> hits(200000);
  parallel_for(pool.get(), int(hits.size()), 1,
               [&](int begin, int) { ++hits[std::size_t(begin)]; });
  EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), std::ptrdiff_t(hits.size()));
}

// A thread that is done helps the others: while block 0 waits for all the rest, the rest of the
// first thread's own blocks can only be done by another.
TEST(Pool, BlocksOfABusyThreadAreTakenByOthers) {
  const auto pool = make_task_pool(2);
  int rounds = 0;  // in which the caller, which has the first half, was the one that waited
  for (int round = 0; round < 50; ++round) {
    constexpr int k_blocks = 16;
    std::atomic<int> done{0};
    std::vector<std::thread::id> by(k_blocks);
    parallel_for(pool.get(), k_blocks, 1, [&](int begin, int) {
      by[std::size_t(begin)] = std::this_thread::get_id();
      if (begin == 0)
        while (done.load() < k_blocks - 1) std::this_thread::yield();
      ++done;
    });
    ASSERT_EQ(done, k_blocks);
    if (by[0] != std::this_thread::get_id()) continue;
    ++rounds;
    for (int n = 1; n < k_blocks; ++n) ASSERT_NE(by[std::size_t(n)], by[0]) << "block " << n;
  }
  EXPECT_GT(rounds, 0);
}

// What a job wrote is there for the next one, whoever runs it: each block reads what its neighbour
// wrote in the job before. Jobs follow one another faster than a late thread can leave them.
TEST(Pool, JobsInQuickSuccessionSeeEachOther) {
  for (const int threads : {2, 3, 8}) {
    const auto pool = make_task_pool(threads);
    constexpr int k_blocks = 24;
    std::array<int, k_blocks> now{}, next{};
    for (int n = 0; n < k_blocks; ++n) now[std::size_t(n)] = n;
    for (int job = 0; job < 3000; ++job) {
      const int blocks = job % 3 == 0 ? k_blocks : k_blocks - job % 5;  // jobs of different lengths
      next = now;
      parallel_for(pool.get(), blocks, 1, [&](int n, int) {
        next[std::size_t(n)] = now[std::size_t((n + 1) % blocks)] + 1;
      });
      std::swap(now, next);
    }
    std::array<int, k_blocks> expected{}, turned{};
    for (int n = 0; n < k_blocks; ++n) expected[std::size_t(n)] = n;
    for (int job = 0; job < 3000; ++job) {
      const int blocks = job % 3 == 0 ? k_blocks : k_blocks - job % 5;
      turned = expected;
      for (int n = 0; n < blocks; ++n)
        turned[std::size_t(n)] = expected[std::size_t((n + 1) % blocks)] + 1;
      expected = turned;
    }
    EXPECT_EQ(now, expected) << threads << " threads";
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
