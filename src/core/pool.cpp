#include "core/pool.h"

#include <algorithm>
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

// What a thread has left of a job, in one word, so that a block is claimed by one exchange: the job
// (32 bits), the next block and the end of its blocks (16 bits each). A claim of an older job
// fails.
struct Claim {
  std::uint32_t job = 0;
  std::uint32_t next = 0, end = 0;

  explicit Claim(std::uint64_t word)
      : job(std::uint32_t(word >> 32)),
        next(std::uint32_t(word >> 16) & 0xffff),
        end(std::uint32_t(word) & 0xffff) {}
  Claim(std::uint32_t job_number, int begin_block, int end_block)
      : job(job_number), next(std::uint32_t(begin_block)), end(std::uint32_t(end_block)) {}
  std::uint64_t word() const { return std::uint64_t(job) << 32 | next << 16 | end; }
};
constexpr int k_most_blocks = 0xffff;

class SpinPool final : public TaskPool {
 public:
  explicit SpinPool(int threads) : threads_(threads), own_(std::size_t(threads)) {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  ~SpinPool() override {
    {
      std::lock_guard lock(mutex_);
      stop_.store(true);
      job_.number.fetch_add(1);
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
    for (int first = 0; first < blocks; first += k_most_blocks)
      run_job(first, std::min(blocks - first, k_most_blocks), body, context);
  }

 private:
  static constexpr int k_spins = 2000;   // then yield
  static constexpr int k_yields = 4000;  // then sleep until the next job

  using Body = void (*)(void*, int);
  // Read by all, written by the caller of run: one cache line travels to start a job.
  struct alignas(64) Job {
    std::atomic<std::uint32_t> number{0};
    std::atomic<int> first{0};  // block; the claims count from it
    std::atomic<Body> body{nullptr};
    std::atomic<void*> context{nullptr};
  };
  // Of one thread: what it may claim, and how many blocks it has ever done. The second line.
  struct alignas(64) Own {
    std::atomic<std::uint64_t> claim{0};
    std::atomic<std::uint64_t> done{0};
  };

  static void spin(int& spins) {
    if (++spins < k_spins)
      pause_cpu();
    else
      std::this_thread::yield();
  }

  void run_job(int first, int blocks, Body body, void* context) {
    const std::uint32_t number = job_.number.load(std::memory_order_relaxed) + 1;
    job_.first.store(first, std::memory_order_relaxed);
    job_.body.store(body, std::memory_order_relaxed);
    job_.context.store(context, std::memory_order_relaxed);
    for (int t = 0; t < threads_; ++t) {
      const auto begin = [&](int n) { return int(std::int64_t(blocks) * n / threads_); };
      own_[std::size_t(t)].claim.store(Claim(number, begin(t), begin(t + 1)).word(),
                                       std::memory_order_relaxed);
    }
    job_.number.store(number);  // publishes all above; before the look at sleepers_
    if (sleepers_.load() > 0) {
      std::lock_guard lock(mutex_);
      wake_.notify_all();
    }
    expected_ += std::uint64_t(blocks);
    do_blocks(0, number);
    for (int spins = 0; done() != expected_;) spin(spins);
  }

  std::uint64_t done() const {
    std::uint64_t sum = 0;
    for (const Own& own : own_) sum += own.done.load(std::memory_order_acquire);
    return sum;
  }

  // A block of the job, or -1: its own from the front, others' from the back. What was read of the
  // job before is of this job where a claim succeeds: the caller of run cannot have gone on, since
  // this block is not done.
  static int claim(Own& own, std::uint32_t number, bool mine) {
    std::uint64_t word = own.claim.load(std::memory_order_acquire);
    for (;;) {
      Claim c(word);
      if (c.job != number || c.next >= c.end) return -1;
      const std::uint32_t block = mine ? c.next++ : --c.end;
      if (own.claim.compare_exchange_weak(word, c.word(), std::memory_order_acq_rel,
                                          std::memory_order_acquire))
        return int(block);
    }
  }

  void do_blocks(int thread, std::uint32_t number) {
    const int first = job_.first.load(std::memory_order_relaxed);
    const Body body = job_.body.load(std::memory_order_relaxed);
    void* const context = job_.context.load(std::memory_order_relaxed);
    std::uint64_t count = 0;
    for (int n = 0; n < threads_; ++n) {
      Own& own = own_[std::size_t((thread + n) % threads_)];
      for (int block; (block = claim(own, number, n == 0)) >= 0; ++count)
        body(context, first + block);
    }
    std::atomic<std::uint64_t>& total = own_[std::size_t(thread)].done;
    if (count > 0)
      total.store(total.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

  void work(int thread) {
    for (std::uint32_t seen = 0;;) {
      seen = wait_for_job(seen);
      if (stop_.load()) return;
      do_blocks(thread, seen);
    }
  }

  std::uint32_t wait_for_job(std::uint32_t seen) {
    for (int spins = 0; spins < k_spins + k_yields;) {
      const std::uint32_t now = job_.number.load(std::memory_order_acquire);
      if (now != seen) return now;
      spin(spins);
    }
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1);
    wake_.wait(lock, [&] { return job_.number.load() != seen; });
    sleepers_.fetch_sub(1);
    return job_.number.load();
  }

  const int threads_;
  std::vector<Own> own_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  std::atomic<int> sleepers_{0};
  std::uint64_t expected_ = 0;  // blocks of all jobs so far; of the caller of run alone
  Job job_;
};

}  // namespace

std::unique_ptr<TaskPool> make_task_pool(int threads) {
  if (threads <= 0) threads = std::max(1u, std::thread::hardware_concurrency());
  return std::make_unique<SpinPool>(threads);
}

}  // namespace pliant
