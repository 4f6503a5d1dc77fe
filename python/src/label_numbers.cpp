#include "label_numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <utility>

#include "core/parallel/parallel.hpp"

namespace breadth::python {

namespace {
constexpr std::size_t table_grain = std::size_t{1} << 12;

/// Of a bijection: differences of keys are in all bits (the finaliser of SplitMix64).
std::uint64_t hash_of(std::int64_t integer) {
  auto bits = static_cast<std::uint64_t>(integer);
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
  return bits ^ (bits >> 31);
}

struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = std::numeric_limits<std::int64_t>::min();
};

Bounds bounds_of(const EdgeList& edges, ThreadTeam& threads) {
  struct alignas(64) Mine {
    Bounds bounds;
  };
  std::vector<Mine> mine(static_cast<std::size_t>(threads.size()));
  parallel_edge_blocks(threads, edges, 0, edges.size(), false, [&](std::span<const Edge> some, auto, int thread) {
    Bounds& bounds = mine[static_cast<std::size_t>(thread)].bounds;
    for (const auto& [source, target] : some) {
      bounds.least = std::min({bounds.least, source.value, target.value});
      bounds.most = std::max({bounds.most, source.value, target.value});
    }
  });
  Bounds all;
  for (const auto& [bounds] : mine) all = {std::min(all.least, bounds.least), std::max(all.most, bounds.most)};
  return all;
}

/// Calls body(integer) for both ends of each edge.
template <class Body>
void for_ends(std::span<const Edge> edges, Body&& body) {
  for (const auto& [source, target] : edges) {
    body(source.value);
    body(target.value);
  }
}

/// How far an integer is from a smaller one.
std::uint64_t distance(std::int64_t first, std::int64_t integer) {
  return static_cast<std::uint64_t>(integer) - static_cast<std::uint64_t>(first);
}
}  // namespace

LabelNumbers::LabelNumbers(const EdgeList& edges, ThreadTeam& threads) {
  if (edges.size() == 0) return;
  const auto [least, most] = bounds_of(edges, threads);
  first_ = least;
  const std::uint64_t span = distance(least, most) + 1;  // 0 where it is 2^64
  constexpr std::uint64_t bits_an_edge = 64;             // as much memory as a column of 64 bits
  if (span != 0 && span <= bits_an_edge * edges.size() + table_grain) {
    mark(edges, span, threads);
  } else {
    collect(edges, threads);
  }
}

void LabelNumbers::mark(const EdgeList& edges, std::size_t span, ThreadTeam& threads) {
  occurs_ = Bitmap(span);
  parallel_edge_blocks(threads, edges, 0, edges.size(), false, [&](std::span<const Edge> some, auto, int) {
    for_ends(some, [&](std::int64_t integer) { occurs_.insert_atomic(distance(first_, integer)); });
  });
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
      integers_[next++] = static_cast<std::int64_t>(static_cast<std::uint64_t>(first_) + bit);
    });
  });
}

void LabelNumbers::collect(const EdgeList& edges, ThreadTeam& threads) {
  tables_ = std::vector<Table>(static_cast<std::size_t>(threads.size()));
  // Each thread reads everything and keeps what is its own, so that no two write to one table.
  threads.run([&](int thread) {
    std::vector<Edge> block(edge_block_size);
    const auto own = static_cast<std::size_t>(thread);
    for (std::uint64_t first = 0; first < edges.size(); first += block.size()) {
      if (thread == 0) threads.checkpoint();
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
  std::sort(integers_.begin(), integers_.end());
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
  const std::uint64_t bit = distance(first_, integer);
  if (integers_.empty()) return static_cast<std::int64_t>(bit);
  const std::uint64_t below = occurs_.words()[bit / bits_per_word] & (bit_in_word(bit) - 1);
  return static_cast<std::int64_t>(before_[bit / bits_per_word]) + std::popcount(below);
}

void LabelNumbers::replace(std::span<Edge> edges) const {
  for (auto& [source, target] : edges) {
    source.value = number_of(source.value);
    target.value = number_of(target.value);
  }
}

}  // namespace breadth::python
