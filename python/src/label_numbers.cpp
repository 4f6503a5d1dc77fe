#include "label_numbers.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/parallel/parallel.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t table_grain = std::size_t{1} << 12;
/// Bits per edge that bitmaps may take: as much memory as a column of 64 bits.
constexpr std::uint64_t bits_per_edge = 64;

/// A hash that is a bijection and spreads differences of keys over all bits (the finaliser of SplitMix64).
std::uint64_t hash_of(std::int64_t integer) {
  auto bits = static_cast<std::uint64_t>(integer);
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();

  void add(std::int64_t integer) {
    least = std::min(least, integer);
    most = std::max(most, integer);
  }
  void add(std::span<const Edge> edges) {
    for (const auto& [source, target] : edges) {
      add(source.value);
      add(target.value);
    }
  }
  void add(const Bounds& other) {
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
};

/// The bounds of the integers that each thread has seen.
class BoundsByThread {
 public:
  explicit BoundsByThread(const ThreadTeam& threads) : mine_(static_cast<std::size_t>(threads.size())) {}

  [[nodiscard]] Bounds& of(int thread) { return mine_[static_cast<std::size_t>(thread)].bounds; }
  [[nodiscard]] Bounds all() const {
    Bounds all;
    for (const auto& [bounds] : mine_) all.add(bounds);
    return all;
  }

 private:
  struct alignas(64) Mine {
    Bounds bounds;
  };
  std::vector<Mine> mine_;
};

Bounds bounds_of(const EdgeList& edges, ThreadTeam& threads) {
  BoundsByThread bounds(threads);
  parallel_edge_blocks(threads, edges, 0, edges.size(), false,
                       [&](std::span<const Edge> some, auto, int thread) { bounds.of(thread).add(some); });
  return bounds.all();
}

/// The bounds of some edges, taken from the whole list.
Bounds bounds_of_sample(const EdgeList& edges) {
  constexpr std::uint64_t places = 64;
  std::array<Edge, 64> some;
  Bounds bounds;
  const std::uint64_t step = std::max<std::uint64_t>(some.size(), edges.size() / places);
  for (std::uint64_t first = 0; first < edges.size(); first += step) {
    const std::span taken = std::span(some).first(std::min<std::uint64_t>(some.size(), edges.size() - first));
    edges.read(first, taken, {});
    bounds.add(taken);
  }
  return bounds;
}

/// Calls body(integer) for both ends of each edge.
template <class Body>
void for_ends(std::span<const Edge> edges, Body&& body) {
  for (const auto& [source, target] : edges) {
    body(source.value);
    body(target.value);
  }
}

/// The union of some bitmaps of one size, in the first of them.
Bitmap united(std::vector<Bitmap>& bitmaps, ThreadTeam& threads) {
  const std::span<std::uint64_t> all = bitmaps[0].words();
  for (std::size_t other = 1; other < bitmaps.size(); ++other) {
    const std::span<const std::uint64_t> words = std::as_const(bitmaps[other]).words();
    parallel_for(threads, all.size(), table_grain, [&](std::size_t word) { all[word] |= words[word]; });
  }
  return std::move(bitmaps[0]);
}

/// The distance of an integer from a smaller one.
std::uint64_t distance(std::int64_t first, std::int64_t integer) {
  return static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(first);
}
}  // namespace

LabelNumbers::LabelNumbers(const EdgeList& edges, const EdgeList& sampled, ThreadTeam& threads) {
  if (edges.size() == 0) return;
  const std::uint64_t max_bits = bits_per_edge * edges.size() + table_grain;
  // If a sample has integers from 0 on, the range from 0 nearly always has all of them: one pass instead of two.
  const Bounds sample = bounds_of_sample(sampled);
  if (sample.least >= 0 && static_cast<std::uint64_t>(sample.most) < max_bits / 4 &&
      mark(edges, 0, 2 * std::bit_ceil(static_cast<std::uint64_t>(sample.most) + 1), threads)) {
    return;
  }
  const auto [least, most] = bounds_of(edges, threads);
  const std::uint64_t span = distance(least, most) + 1;  // 0 stands for 2^64
  if (span != 0 && span <= max_bits) {
    (void)mark(edges, least, span, threads);
  } else {
    collect(edges, threads);
  }
}

bool LabelNumbers::mark(const EdgeList& edges, std::int64_t base, std::uint64_t span, ThreadTeam& threads) {
  BoundsByThread bounds(threads);
  std::atomic<bool> outside = false;
  base_ = base;
  // Threads that share a bitmap wait for each other whenever they set a new bit.
  const auto team = static_cast<std::uint64_t>(threads.size());
  const bool shared = span > bits_per_edge * edges.size() / team;
  std::vector<Bitmap> marks(shared ? 1 : team);
  for (Bitmap& bitmap : marks) bitmap = Bitmap(span);
  parallel_edge_blocks(threads, edges, 0, edges.size(), false, [&](std::span<const Edge> some, auto, int thread) {
    if (outside.load(std::memory_order_relaxed)) return;
    Bounds here;
    here.add(some);
    if (here.least < base || distance(base, here.most) >= span) {
      outside.store(true, std::memory_order_relaxed);
      return;
    }
    bounds.of(thread).add(here);
    if (shared) {
      for_ends(some, [&](std::int64_t integer) { marks[0].insert_atomic(distance(base, integer)); });
      return;
    }
    Bitmap& own = marks[static_cast<std::size_t>(thread)];
    for_ends(some, [&](std::int64_t integer) {
      const std::uint64_t bit = distance(base, integer);
      if (!own.contains(bit)) own.insert(bit);
    });
  });
  if (outside) return false;
  occurs_ = united(marks, threads);
  const Bounds all = bounds.all();
  first_ = all.least;
  number_marked(distance(all.least, all.most) + 1, threads);
  return true;
}

void LabelNumbers::number_marked(std::uint64_t span, ThreadTeam& threads) {
  before_ = Buffer<std::uint64_t>(occurs_.words().size());
  parallel_for(threads, before_.size(), table_grain, [&](std::size_t word) {
    before_[word] = static_cast<std::uint64_t>(std::popcount(occurs_.words()[word]));
  });
  count_ = exclusive_prefix_sum(threads, before_.span());
  if (count_ == span) {  // consecutive
    occurs_ = {};
    before_ = {};
    return;
  }
  integers_ = Buffer<std::int64_t>(count_);
  parallel_for(threads, before_.size(), table_grain, [&](std::size_t word) {
    std::size_t next = before_[word];
    for_each_set_bit(occurs_.words()[word], word * bits_per_word, [&](std::size_t bit) {
      integers_[next++] = static_cast<std::int64_t>(static_cast<std::uint64_t>(base_) + bit);
    });
  });
}

void LabelNumbers::collect(const EdgeList& edges, ThreadTeam& threads) {
  tables_ = std::vector<Table>(static_cast<std::size_t>(threads.size()));
  std::atomic<bool> is_stopped = false;
  const auto look_whether_to_stop = [&] {
    try {
      threads.checkpoint();
    } catch (...) {
      is_stopped = true;
      throw;
    }
  };
  // Each thread reads all edges and keeps the integers of its own table, so that no two threads write to one table.
  threads.run([&](int thread) {
    std::vector<Edge> block(edge_block_size);
    const auto own = static_cast<std::size_t>(thread);
    for (std::uint64_t first = 0; first < edges.size(); first += block.size()) {
      if (thread == 0) look_whether_to_stop();
      if (is_stopped.load(std::memory_order_relaxed)) return;
      const std::span some(block.data(), std::min<std::uint64_t>(block.size(), edges.size() - first));
      edges.read(first, some, {});
      for_ends(some, [&](std::int64_t integer) {
        if (table_of(integer) == own) tables_[own].insert(integer);
      });
    }
  });
  for (const Table& table : tables_) count_ += table.used;
  integers_ = Buffer<std::int64_t>(count_);
  std::int64_t* next = integers_.data();
  for (const Table& table : tables_) {
    for (const Slot& slot : table.slots) {
      if (slot.number >= 0) *next++ = slot.integer;
    }
  }
  parallel_sort(threads, integers_.span());
  parallel_for(threads, integers_.size(), table_grain, [&](std::size_t number) {
    Table& table = tables_[table_of(integers_[number])];
    table.slots[table.place_of(integers_[number])].number = static_cast<std::int64_t>(number);
  });
}

std::size_t LabelNumbers::table_of(std::int64_t integer) const { return (hash_of(integer) >> 32) % tables_.size(); }

std::size_t LabelNumbers::Table::place_of(std::int64_t integer) const {
  const std::size_t mask = slots.size() - 1;
  std::size_t place = hash_of(integer) & mask;
  while (slots[place].number >= 0 && slots[place].integer != integer) place = (place + 1) & mask;
  return place;
}

void LabelNumbers::Table::insert(std::int64_t integer) {
  Slot& slot = slots[place_of(integer)];
  if (slot.number >= 0) return;
  slot = {integer, 0};
  if (++used * 2 < slots.size()) return;
  std::vector<Slot> old(slots.size() * 2, Slot{0, -1});
  old.swap(slots);
  for (const Slot& one : old) {
    if (one.number >= 0) slots[place_of(one.integer)] = one;
  }
}

std::int64_t LabelNumbers::number_of(std::int64_t integer) const {
  if (!tables_.empty()) {
    const Table& table = tables_[table_of(integer)];
    return table.slots[table.place_of(integer)].number;
  }
  const std::uint64_t bit = distance(base_, integer);
  if (bit >= before_.size() * bits_per_word) return -1;  // the caller's array has changed since
  const std::uint64_t below = occurs_.words()[bit / bits_per_word] & (bit_in_word(bit) - 1);
  return static_cast<std::int64_t>(before_[bit / bits_per_word]) + std::popcount(below);
}

void LabelNumbers::replace(std::span<Edge> edges) const {
  const bool consecutive = integers_.empty();
  if (consecutive && first_ == 0) return;
  for (auto& [source, target] : edges) {
    source.value = consecutive ? source.value - first_ : number_of(source.value);
    target.value = consecutive ? target.value - first_ : number_of(target.value);
  }
}

}  // namespace breadth::python
