// A fixed team of threads, and its parallel loops, reductions and prefix sums.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace breadth {

// A reference to any callable, so that a function that calls it is compiled only once.

template <class Signature>
class FunctionRef;

/// Refers to a callable that outlives it; two words, copied freely (std::function_ref of C++26). A call costs about two
/// nanoseconds and is not inlined: for blocks of work and whole loops, not for single edges.
template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class Callable, class = std::enable_if_t<!std::same_as<std::remove_cvref_t<Callable>, FunctionRef> &&
                                                     std::is_invocable_r_v<Result, Callable&, Arguments...>>>
  FunctionRef(Callable&& callable) noexcept  // NOLINT: a lambda is passed as it is
      : callable_(const_cast<void*>(static_cast<const void*>(std::addressof(callable)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return static_cast<Result>(
              (*static_cast<std::remove_reference_t<Callable>*>(object))(std::forward<Arguments>(arguments)...));
        }) {}

  Result operator()(Arguments... arguments) const { return call_(callable_, std::forward<Arguments>(arguments)...); }

 private:
  void* callable_;
  Result (*call_)(void* object, Arguments... arguments);
};

// A fixed team of threads that runs one body at a time.

/// Waits until another thread changes `value` from `old` and notifies. Spins for about 10 microseconds, yields for some
/// 100 more, then sleeps in the kernel. A yield that takes long means that other work wants this processor too. The
/// next waits of this thread then sleep without yielding: a thread that is woken gets the processor back, but each
/// yield would give it to the other work for milliseconds.
void wait_while_equal(const std::atomic<unsigned>& value, unsigned old);

/// A team of `size` threads, including the calling thread. Each thread executes a body given to `run` once; `run`
/// returns when all have finished. Waiting threads spin for some microseconds, then yield, then sleep, so that short
/// levels of a search start quickly and an idle team costs nothing. `run` must not be called by two threads at once,
/// nor from a body.
class ThreadTeam {
 public:
  /// Throws Error unless size >= 1 and the machine has that many threads to give.
  explicit ThreadTeam(int size);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  [[nodiscard]] int size() const noexcept { return size_; }

  /// Sets a function that the calling thread calls before each body, between its blocks of a loop and between levels of
  /// a search. It is called often, so it should take no time. If it throws, the work in progress ends as if a body had
  /// thrown; a user stops a search in this way. The object that did the work can then only be destroyed or start anew.
  /// For one rank only, because other ranks would not learn of it. There is no checkpoint at first, nor after an empty
  /// function.
  void set_checkpoint(std::function<void()> checkpoint) { checkpoint_ = std::move(checkpoint); }
  /// Calls the checkpoint. Only for the calling thread, at places where it may throw.
  void checkpoint() const {
    if (checkpoint_) checkpoint_();
  }

  /// Calls body(thread) with 0 <= thread < size() on every thread; the caller is thread 0. Rethrows the first exception
  /// of a body after every thread has finished.
  void run(FunctionRef<void(int thread)> body);

  /// Waits, inside a body, until every thread of the team has called it. No thread may have left the body by an
  /// exception.
  void barrier();

 private:
  void stop() noexcept;
  void work(int thread);
  void execute(int thread) noexcept;

  int size_;
  std::function<void()> checkpoint_;
  const FunctionRef<void(int thread)>* body_ = nullptr;
  bool stopping_ = false;
  alignas(64) std::atomic<unsigned> generation_{0};
  alignas(64) std::atomic<unsigned> unfinished_{0};
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> barrier_generation_{0};
  std::atomic_flag failed_ = ATOMIC_FLAG_INIT;
  std::exception_ptr first_failure_;
  std::vector<std::thread> workers_;
};

// Loops, reductions and prefix sums on a team.

/// Indices [begin, end).
struct IndexRange {
  std::size_t begin;
  std::size_t end;
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

/// Part `part` of [0, count) in `parts` nearly equal, consecutive parts, cut at multiples of `unit`.
inline IndexRange even_share(std::size_t count, std::size_t part, std::size_t parts, std::size_t unit = 1) {
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t begin = units / parts * part + std::min(part, units % parts);
  const std::size_t size = units / parts + (part < units % parts ? 1 : 0);
  return {std::min(count, begin * unit), std::min(count, (begin + size) * unit)};
}

/// Blocks of [0, count) that the threads of a team take as they become free. Each thread starts with its own share and
/// continues with blocks that other threads have left. Shares are nearly equal and in the order of the threads, so a
/// thread works on the same consecutive indices from loop to loop as long as all threads run at similar speed.
class SharedBlocks {
 public:
  /// Shares are cut at multiples of `unit`.
  SharedBlocks(std::size_t count, std::size_t grain, int threads, std::size_t unit = 1);

  /// Calls body(range) with blocks of at most `grain` indices until none is left. All threads may call it at once, each
  /// with its own number.
  void take(int thread, FunctionRef<void(IndexRange range)> body);
  /// Drops all blocks that are left. For a thread whose body has thrown.
  void close() noexcept;

 private:
  /// As large as a cache line, so that no two shares change the same line. Not aligned to lines, because an aligned
  /// allocation would take as long as a push from a dozen vertices.
  struct Share {
    std::atomic<std::size_t> next;
    std::size_t end;
    std::array<std::byte, 64 - 2 * sizeof(std::size_t)> rest_of_line;
    std::size_t take(std::size_t grain) { return next.fetch_add(grain, std::memory_order_relaxed); }
  };
  std::size_t grain_;
  std::vector<Share> shares_;
};

/// Calls body(range, thread) for blocks of `grain` indices that together are [0, count); the last block may be smaller.
/// Blocks are distributed by SharedBlocks, so that loops over the same memory find most of it in the caches of their
/// threads. With one block or less only the caller works and no thread is woken.
void parallel_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain,
                     FunctionRef<void(IndexRange range, int thread)> body);

/// Calls body(index) for every index in [0, count), `grain` consecutive ones by one thread.
template <class Body>
void parallel_for(ThreadTeam& threads, std::size_t count, std::size_t grain, Body&& body) {
  parallel_blocks(threads, count, grain, [&](IndexRange range, int) {
    for (std::size_t i = range.begin; i < range.end; ++i) body(i);
  });
}

/// Atomically lowers a shared number, a std::atomic or std::atomic_ref, to `value` if `value` is less. Returns whether
/// it was lowered. Relaxed memory order.
template <class Number>
bool lower(Number&& number, typename std::remove_cvref_t<Number>::value_type value) {
  auto there = number.load(std::memory_order_relaxed);
  while (value < there) {
    if (number.compare_exchange_weak(there, value, std::memory_order_relaxed)) return true;
  }
  return false;
}

/// Sets every value. Also maps the pages of new memory, by the threads that will use them.
template <class Value>
void parallel_fill(ThreadTeam& threads, std::span<Value> values, Value value) {
  parallel_blocks(threads, values.size(), std::size_t{1} << 16, [&](IndexRange range, int) {
    std::fill(values.data() + range.begin, values.data() + range.end, value);
  });
}

/// Maps the pages of new memory that will be written whole, now and by all threads, in blocks between which work can be
/// stopped. Otherwise a loop that writes all over the memory would map most pages in its first block.
template <class Value>
void take_pages(ThreadTeam& threads, std::span<Value> values) {
  constexpr std::size_t page = std::size_t{1} << 12;
  constexpr std::size_t pages_per_block = std::size_t{1} << 9;
  const std::span<std::byte> bytes = std::as_writable_bytes(values);
  parallel_for(threads, bytes.size() / page, pages_per_block, [&](std::size_t i) { bytes[i * page] = std::byte{0}; });
}

/// Combines the results of block(range) over blocks of [0, count) by `combine`, which must be associative and
/// commutative.
template <class Value, class Block, class Combine>
Value parallel_reduce(ThreadTeam& threads, std::size_t count, std::size_t grain, Value identity, Block&& block,
                      Combine&& combine) {
  struct alignas(64) Slot {
    Value value;
  };
  std::vector<Slot> partial(static_cast<std::size_t>(threads.size()), Slot{identity});
  parallel_blocks(threads, count, grain, [&](IndexRange range, int thread) {
    Value& mine = partial[static_cast<std::size_t>(thread)].value;
    mine = combine(mine, block(range));
  });
  Value total = identity;
  for (const Slot& slot : partial) total = combine(total, slot.value);
  return total;
}

/// The sum of term(i) over [0, count).
template <class Term>
std::uint64_t parallel_sum(ThreadTeam& threads, std::size_t count, std::size_t grain, Term&& term) {
  return parallel_reduce(
      threads, count, grain, std::uint64_t{0},
      [&](IndexRange range) {
        std::uint64_t sum = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) sum += term(i);
        return sum;
      },
      std::plus<>());
}

/// Replaces values[i] by the sum of all values before i, and returns the sum of all. Two passes over the values.
template <class Value>
Value exclusive_prefix_sum(ThreadTeam& threads, std::span<Value> values) {
  constexpr std::size_t serial_below = std::size_t{1} << 15;
  const auto parts = values.size() < serial_below ? std::size_t{1} : static_cast<std::size_t>(threads.size());
  std::vector<Value> part_sums(parts);
  const auto sum_part = [&](std::size_t part) {
    const IndexRange range = even_share(values.size(), part, parts);
    Value sum{};
    for (std::size_t i = range.begin; i < range.end; ++i) sum += values[i];
    part_sums[part] = sum;
  };
  const auto scan_part = [&](std::size_t part) {
    const IndexRange range = even_share(values.size(), part, parts);
    Value sum = part_sums[part];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Value value = values[i];
      values[i] = sum;
      sum += value;
    }
  };
  const auto on_parts = [&](const auto& body) {
    if (parts == 1) {
      body(0);
    } else {
      threads.run([&](int thread) { body(static_cast<std::size_t>(thread)); });
    }
  };
  on_parts(sum_part);
  Value total{};
  for (Value& sum : part_sums) {
    const Value value = sum;
    sum = total;
    total += value;
  }
  on_parts(scan_part);
  return total;
}

/// Sorts pieces, then merges neighbouring pieces. Work can be stopped between pieces and between merges; the last merge
/// covers all values. Takes memory for half of the values.
template <class Value, class Less = std::less<>>
void parallel_sort(ThreadTeam& threads, std::span<Value> values, Less less = {}) {
  std::size_t piece = std::size_t{1} << 16;
  const auto at = [&](std::size_t i) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(i * piece, values.size()));
  };
  const auto pieces = [&] { return (values.size() + piece - 1) / piece; };
  parallel_for(threads, pieces(), 1, [&](std::size_t i) { std::sort(at(i), at(i + 1), less); });
  for (; pieces() > 1; piece *= 2) {
    parallel_for(threads, (pieces() + 1) / 2, 1,
                 [&](std::size_t i) { std::inplace_merge(at(2 * i), at(2 * i + 1), at(2 * i + 2), less); });
  }
}

}  // namespace breadth
