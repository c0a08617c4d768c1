// A loop over blocks on a few threads. What a block computes must not depend on who runs it.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace pliant {

template <class Body>
void parallel_blocks(int threads, int blocks, const Body& body) {
  std::atomic<int> next{0};
  const auto work = [&] {
    for (int b = next++; b < blocks; b = next++) body(b);
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads && i < blocks; ++i) others.emplace_back(work);
  work();
  for (std::thread& t : others) t.join();
}

}  // namespace pliant
