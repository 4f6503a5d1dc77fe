// The distribution of labels over ranks, and arrays of labels in as few bytes as they need.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

// The distribution of labels.

/// The distribution of labels 0..N-1, and of results (parents, levels), over the ranks: consecutive blocks of equal
/// size, a multiple of 64, one block per rank. Trailing ranks may hold fewer labels or none.
class BlockDistribution {
 public:
  BlockDistribution() = default;
  BlockDistribution(std::uint64_t vertex_count, int ranks)
      : vertex_count_(vertex_count), ranks_(ranks), block_(block_size(vertex_count, ranks)) {
    // 2^64 / block, rounded up. The high word of a product with it is the quotient by the block, or one too many.
    reciprocal_ = ~std::uint64_t{0} / block_ + 1;
  }

  /// N, the number of labels on all ranks together.
  [[nodiscard]] std::uint64_t vertex_count() const noexcept { return vertex_count_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  /// The size of a block: the most labels that a rank holds.
  [[nodiscard]] std::uint64_t block() const noexcept { return block_; }

  /// The rank that holds a label below vertex_count().
  [[nodiscard]] int owner(Label label) const noexcept {
    const auto value = static_cast<std::uint64_t>(label.value);
    auto quotient = static_cast<std::uint64_t>((static_cast<Wide>(value) * reciprocal_) >> 64);
    quotient -= static_cast<std::uint64_t>(quotient * block_ > value);
    return static_cast<int>(quotient);
  }
  [[nodiscard]] Label first(int rank) const noexcept {
    return Label{static_cast<std::int64_t>(std::min(vertex_count_, block_ * static_cast<std::uint64_t>(rank)))};
  }
  /// The number of labels that a rank holds.
  [[nodiscard]] std::size_t count(int rank) const noexcept {
    return static_cast<std::size_t>(first(rank + 1).value - first(rank).value);
  }
  /// A label's place in the block of its owner.
  [[nodiscard]] std::size_t offset(Label label, int owner) const noexcept {
    return static_cast<std::size_t>(label.value) - block_ * static_cast<std::size_t>(owner);
  }
  [[nodiscard]] Label label(int rank, std::size_t offset) const noexcept {
    return Label{first(rank).value + static_cast<std::int64_t>(offset)};
  }

 private:
  __extension__ using Wide = unsigned __int128;

  static std::uint64_t block_size(std::uint64_t vertex_count, int ranks) {
    constexpr std::uint64_t unit = 64;
    const auto parts = static_cast<std::uint64_t>(ranks);
    const std::uint64_t even = (vertex_count + parts - 1) / parts;
    return std::max(unit, (even + unit - 1) / unit * unit);
  }

  std::uint64_t vertex_count_ = 0;
  int ranks_ = 1;
  std::uint64_t block_ = 64;
  std::uint64_t reciprocal_ = (std::uint64_t{1} << 58);
};

// Arrays of labels.

/// An array of labels or no_label. An entry has 4 bytes if every label of the graph is below 2^32 - 1, else 8, so the
/// width depends on the number of vertices only. All bits set means no_label. The parents that a search finds are such
/// an array.
class LabelArray {
 public:
  LabelArray() = default;
  /// `size` entries for labels below `vertex_count`.
  LabelArray(std::size_t size, std::uint64_t vertex_count) : wide_(vertex_count >= 0xFFFFFFFFU) {
    if (wide_) {
      wide_entries_ = Buffer<std::uint64_t>(size);
    } else {
      narrow_entries_ = Buffer<std::uint32_t>(size);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return wide_ ? wide_entries_.size() : narrow_entries_.size(); }
  /// Whether an entry takes 8 bytes.
  [[nodiscard]] bool wide() const noexcept { return wide_; }

  [[nodiscard]] Label operator[](std::size_t i) const noexcept {
    if (wide_) return Label{static_cast<std::int64_t>(wide_entries_[i])};
    const std::uint32_t entry = narrow_entries_[i];
    return entry == ~std::uint32_t{0} ? no_label : Label{entry};
  }
  void set(std::size_t i, Label label) noexcept {
    if (wide_) {
      wide_entries_[i] = static_cast<std::uint64_t>(label.value);
    } else {
      narrow_entries_[i] = static_cast<std::uint32_t>(label.value);
    }
  }

  /// Prefetches entry i. Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t i) const noexcept {
    if (wide_) {
      __builtin_prefetch(wide_entries_.data() + i);
    } else {
      __builtin_prefetch(narrow_entries_.data() + i);
    }
  }

  /// Sets every entry.
  void fill(Label label, ThreadTeam& threads) {
    parallel_fill(threads, narrow_entries_.span(), static_cast<std::uint32_t>(label.value));
    parallel_fill(threads, wide_entries_.span(), static_cast<std::uint64_t>(label.value));
  }

  /// The entries themselves, for loops that know the width: Entry is uint32_t or uint64_t, as wide() says.
  template <class Entry>
  [[nodiscard]] std::span<Entry> entries() noexcept {
    return buffer_of<Entry>(*this).span();
  }
  template <class Entry>
  [[nodiscard]] std::span<const Entry> entries() const noexcept {
    return buffer_of<Entry>(*this).span();
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return size() * (wide_ ? 8 : 4); }

 private:
  template <class Entry, class Self>
  static auto& buffer_of(Self& self) noexcept {
    if constexpr (std::same_as<Entry, std::uint32_t>) {
      return self.narrow_entries_;
    } else {
      static_assert(std::same_as<Entry, std::uint64_t>);
      return self.wide_entries_;
    }
  }

  bool wide_ = false;
  Buffer<std::uint32_t> narrow_entries_;
  Buffer<std::uint64_t> wide_entries_;
};

}  // namespace breadth
