// Loops, reductions and prefix sums on a thread team.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/parallel/function_ref.hpp"
#include "core/parallel/thread_team.hpp"

namespace breadth {

/// Indices [begin, end).
struct IndexRange {
  std::size_t begin;
  std::size_t end;
  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

/// Part `part` of `parts` nearly equal, consecutive parts of [0, count), cut at multiples of `unit`.
inline IndexRange even_share(std::size_t count, std::size_t part, std::size_t parts, std::size_t unit = 1) {
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t begin = units / parts * part + std::min(part, units % parts);
  const std::size_t size = units / parts + (part < units % parts ? 1 : 0);
  return {std::min(count, begin * unit), std::min(count, (begin + size) * unit)};
}

/// [0, count) in blocks for the threads of a team to take as they become free. Each begins with a share of its own, all
/// nearly equal and in the order of the threads, and goes on with what others have left: what lies side by side stays
/// with one thread, from loop to loop, as long as all get on.
class SharedBlocks {
 public:
  /// Shares are cut at multiples of `unit`.
  SharedBlocks(std::size_t count, std::size_t grain, int threads, std::size_t unit = 1);

  /// Calls body(range) with blocks of at most `grain` indices until none is left. By any threads at once, each with a
  /// number of its own.
  void take(int thread, FunctionRef<void(IndexRange range)> body);
  /// Leaves nothing to take: for a thread whose body has thrown.
  void close() noexcept;

 private:
  /// As large as a cache line, so that no two of them change the same one; not aligned to lines, which would take the
  /// allocator as long as it takes to push from a dozen vertices.
  struct Share {
    std::atomic<std::size_t> next;
    std::size_t end;
    std::array<std::byte, 64 - 2 * sizeof(std::size_t)> rest_of_line;
    std::size_t take(std::size_t grain) { return next.fetch_add(grain, std::memory_order_relaxed); }
  };
  std::size_t grain_;
  std::vector<Share> shares_;
};

/// Calls body(range, thread) for blocks of `grain` indices, the last one of what is left, that together are [0, count),
/// as SharedBlocks deals them out: loop after loop over the same memory finds most of it in the caches of its thread.
/// With one block or less, only the caller works and no thread is woken.
void parallel_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain,
                     FunctionRef<void(IndexRange range, int thread)> body);

/// Calls body(index) for every index in [0, count), `grain` consecutive ones by one thread.
template <class Body>
void parallel_for(ThreadTeam& threads, std::size_t count, std::size_t grain, Body&& body) {
  parallel_blocks(threads, count, grain, [&](IndexRange range, int) {
    for (std::size_t i = range.begin; i < range.end; ++i) body(i);
  });
}

/// Sets every value; also the way to take the pages of new memory now, by the threads that will use them.
template <class Value>
void parallel_fill(ThreadTeam& threads, std::span<Value> values, Value value) {
  parallel_blocks(threads, values.size(), std::size_t{1} << 16, [&](IndexRange range, int) {
    std::fill(values.data() + range.begin, values.data() + range.end, value);
  });
}

/// Combines block(range) over blocks of [0, count) by `combine`, which must be associative and commutative.
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

}  // namespace breadth
