#include "core/parallel/parallel.hpp"

#include <new>
#include <system_error>

#include "core/errors.hpp"
#include "core/stopwatch.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace breadth {

// A fixed team of threads that runs one body at a time.

namespace {
void pause_briefly() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The reason why no more threads could start.
std::string reason_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "out of memory";
  const auto* refused = dynamic_cast<const std::system_error*>(&error);
  return refused != nullptr ? refused->code().message() : error.what();
}
}  // namespace

void wait_while_equal(const std::atomic<unsigned>& value, unsigned old) {
  constexpr int spins = 300;
  constexpr int yields = 300;
  constexpr double seconds_of_others = 3e-4;  // no yield takes this long unless other work runs on this processor
  constexpr int waits_beside_others = 1000;
  thread_local int beside_others = 0;
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    pause_briefly();
  }
  if (beside_others > 0) --beside_others;
  for (int i = 0; i < yields && beside_others == 0; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    const Stopwatch stopwatch;
    std::this_thread::yield();
    if (stopwatch.seconds() > seconds_of_others) beside_others = waits_beside_others;
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

ThreadTeam::ThreadTeam(int size) : size_(size) {
  if (size < 1) fail("a thread team needs at least one thread, not {}", size);
  workers_.reserve(static_cast<std::size_t>(size - 1));
  try {
    for (int thread = 1; thread < size; ++thread) workers_.emplace_back([this, thread] { work(thread); });
  } catch (const std::exception& error) {  // the system may refuse a thread's stack, and its task needs memory
    const std::size_t started = workers_.size() + 1;
    stop();
    fail("cannot start {} threads, only {}: {}; use fewer, or raise the limit on threads or memory (ulimit)", size,
         started, reason_of(error));
  }
}

ThreadTeam::~ThreadTeam() { stop(); }

void ThreadTeam::stop() noexcept {
  stopping_ = true;
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::run(FunctionRef<void(int thread)> body) {
  checkpoint();
  if (size_ == 1) {
    body(0);
    return;
  }
  body_ = &body;
  unfinished_.store(static_cast<unsigned>(size_ - 1), std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  generation_.notify_all();
  execute(0);
  for (unsigned left = unfinished_.load(std::memory_order_acquire); left != 0;
       left = unfinished_.load(std::memory_order_acquire)) {
    wait_while_equal(unfinished_, left);
  }
  if (failed_.test(std::memory_order_acquire)) {
    failed_.clear();
    std::rethrow_exception(std::exchange(first_failure_, nullptr));
  }
}

void ThreadTeam::work(int thread) {
  unsigned seen = 0;
  while (true) {
    wait_while_equal(generation_, seen);
    seen = generation_.load(std::memory_order_acquire);
    if (stopping_) return;
    execute(thread);
    if (unfinished_.fetch_sub(1, std::memory_order_acq_rel) == 1) unfinished_.notify_one();
  }
}

void ThreadTeam::execute(int thread) noexcept {
  try {
    (*body_)(thread);
  } catch (...) {
    if (!failed_.test_and_set(std::memory_order_acq_rel)) first_failure_ = std::current_exception();
  }
}

void ThreadTeam::barrier() {
  const unsigned generation = barrier_generation_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
    arrived_.store(0, std::memory_order_relaxed);
    barrier_generation_.fetch_add(1, std::memory_order_release);
    barrier_generation_.notify_all();
  } else {
    wait_while_equal(barrier_generation_, generation);
  }
}

// Loops, reductions and prefix sums on a team.

SharedBlocks::SharedBlocks(std::size_t count, std::size_t grain, int threads, std::size_t unit)
    : grain_(grain), shares_(static_cast<std::size_t>(threads)) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const IndexRange share = even_share(count, i, shares_.size(), unit);
    shares_[i].next.store(share.begin, std::memory_order_relaxed);
    shares_[i].end = share.end;
  }
}

void SharedBlocks::take(int thread, FunctionRef<void(IndexRange range)> body) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    Share& share = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
    for (std::size_t begin = share.take(grain_); begin < share.end; begin = share.take(grain_)) {
      body(IndexRange{begin, std::min(begin + grain_, share.end)});
    }
  }
}

void SharedBlocks::close() noexcept {
  for (Share& share : shares_) share.next.store(share.end, std::memory_order_relaxed);
}

void parallel_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain,
                     FunctionRef<void(IndexRange range, int thread)> body) {
  if (count == 0) return;
  if (threads.size() == 1 || count <= grain) {
    for (std::size_t begin = 0; begin < count; begin += grain) {
      threads.checkpoint();
      body(IndexRange{begin, std::min(count, begin + grain)}, 0);
    }
    return;
  }
  SharedBlocks blocks(count, grain, threads.size(), grain);
  threads.run([&](int thread) {
    try {
      blocks.take(thread, [&](IndexRange range) {
        if (thread == 0) threads.checkpoint();
        body(range, thread);
      });
    } catch (...) {
      blocks.close();
      throw;
    }
  });
}

}  // namespace breadth
