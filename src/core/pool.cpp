#include "core/pool.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pliant {
namespace {

void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

class SpinPool final : public TaskPool {
 public:
  explicit SpinPool(int threads) : threads_(threads), ranges_(std::size_t(threads)) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  ~SpinPool() override {
    {
      std::lock_guard lock(mutex_);
      stop_.store(true);
      epoch_.fetch_add(1);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  int threads() const override { return threads_; }

  void run(int blocks, void (*body)(void*, int), void* context) override {
    if (workers_.empty() || blocks == 1) {
      for (int i = 0; i < blocks; ++i) body(context, i);
      return;
    }
    // Workers of the last job may still be leaving it: the job's fields change only when all have.
    // All four accesses of left_ and inside_ are sequentially consistent: a worker that entered
    // before the last job ended is seen here.
    while (inside_.load() != 0) std::this_thread::yield();
    body_ = body;
    context_ = context;
    for (int t = 0; t < threads_; ++t) {
      const auto first_block = [&](int n) { return int(std::int64_t(blocks) * n / threads_); };
      ranges_[std::size_t(t)].next.store(first_block(t), std::memory_order_relaxed);
      ranges_[std::size_t(t)].end = first_block(t + 1);
    }
    left_.store(blocks);  // publishes the fields above
    epoch_.fetch_add(1);
    if (sleepers_.load() > 0) {
      std::lock_guard lock(mutex_);
      wake_.notify_all();
    }
    claim_blocks(0);
    int spins = 0;
    while (left_.load() != 0) spin(spins);
  }

 private:
  static constexpr int k_spins = 2000;   // then yield
  static constexpr int k_yields = 4000;  // then sleep until the next job

  static void spin(int& spins) {
    if (++spins < k_spins)
      pause_cpu();
    else
      std::this_thread::yield();
  }

  void claim_blocks(int thread) {
    int done = 0;
    for (int n = 0; n < threads_; ++n) {
      Range& range = ranges_[std::size_t((thread + n) % threads_)];
      while (range.next.load(std::memory_order_relaxed) < range.end) {
        const int block = range.next.fetch_add(1, std::memory_order_relaxed);
        if (block >= range.end) break;
        body_(context_, block);
        ++done;
      }
    }
    if (done > 0) left_.fetch_sub(done);
  }

  void work(int thread) {
    std::uint64_t seen = 0;
    for (;;) {
      seen = wait_for_job(seen);
      if (stop_.load()) return;
      inside_.fetch_add(1);
      // A job that ended between the look and the entry has no block left, or is the next one.
      if (left_.load() != 0) claim_blocks(thread);
      inside_.fetch_sub(1);
    }
  }

  std::uint64_t wait_for_job(std::uint64_t seen) {
    for (int spins = 0; spins < k_spins + k_yields;) {
      const std::uint64_t now = epoch_.load(std::memory_order_acquire);
      if (now != seen) return now;
      spin(spins);
    }
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1);
    wake_.wait(lock, [&] { return epoch_.load() != seen; });
    sleepers_.fetch_sub(1);
    return epoch_.load();
  }

  // The blocks of one thread. The look before the claim keeps `next` from running away.
  struct alignas(64) Range {
    std::atomic<int> next{0};
    int end = 0;
  };
  const int threads_;
  std::vector<Range> ranges_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  alignas(64) std::atomic<std::uint64_t> epoch_{0};
  alignas(64) std::atomic<int> left_{0};
  alignas(64) std::atomic<int> inside_{0};
  void (*body_)(void*, int) = nullptr;
  void* context_ = nullptr;
};

}  // namespace

std::unique_ptr<TaskPool> make_task_pool(int threads) {
  if (threads <= 0) threads = std::max(1u, std::thread::hardware_concurrency());
  return std::make_unique<SpinPool>(threads);
}

}  // namespace pliant
