// Levels of a shallow tree on one rank, by walking up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "comm/context.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/parallel/thread_team.hpp"
#include "validate/tree_levels.hpp"

namespace breadth {

/// Nearly every vertex finds the level of its parent known, since most parents are few; the others walk up to where it
/// is, and set the levels of their way back. Levels are bytes, likely to be in a cache. Threads that meet on a way
/// write the same. `root` is an index of `parents`.
template <class Entry>
class WalkedLevels {
 public:
  WalkedLevels(std::span<const Entry> parents, std::size_t root, const Context& context)
      : parents_(parents), root_(root), threads_(context.threads), levels_(parents.size(), context.pool) {}

  /// Nothing where a level is above TreeLevels::deepest_narrow, or a way goes round in a circle.
  std::optional<Buffer<std::uint8_t>> levels() {
    parallel_fill(threads_, levels_.span(), not_known);
    levels_[root_] = 0;
    std::atomic<bool> too_deep{false};
    parallel_blocks(threads_, parents_.size(), vertices_per_block, [&](IndexRange range, int) {
      for (std::size_t v = range.begin; v < range.end && !too_deep.load(std::memory_order_relaxed); ++v) {
        const std::size_t parent = parents_[v];
        const bool inside = parent < parents_.size();
        const std::uint8_t above = inside ? level(parent).load(std::memory_order_relaxed) : nowhere;
        if (above == not_known || above == TreeLevels::deepest_narrow) {
          if (!walk(v)) too_deep = true;
        } else if (v != root_) {
          level(v).store(below(above), std::memory_order_relaxed);
        }
      }
    });
    if (too_deep) return std::nullopt;
    return std::move(levels_);
  }

 private:
  static constexpr std::size_t vertices_per_block = std::size_t{1} << 13;
  static constexpr std::uint8_t nowhere = 0xFF;    ///< what no_level is as a byte
  static constexpr std::uint8_t not_known = 0xFE;  ///< while it runs

  [[nodiscard]] std::atomic_ref<std::uint8_t> level(std::size_t vertex) {
    return std::atomic_ref<std::uint8_t>(levels_[vertex]);
  }

  /// The level of a child.
  static std::uint8_t below(std::uint8_t level) {
    return level == nowhere ? nowhere : static_cast<std::uint8_t>(level + 1);
  }
  [[nodiscard]] std::uint8_t known(std::size_t vertex) {
    return vertex < levels_.size() ? level(vertex).load(std::memory_order_relaxed) : nowhere;
  }

  /// Whether the way from `vertex` was short enough.
  bool walk(std::size_t vertex) {
    std::array<std::size_t, TreeLevels::deepest_narrow + 1> way;
    std::size_t steps = 0;
    std::uint8_t found = known(vertex);
    while (found == not_known) {
      if (steps == way.size()) return false;
      way[steps++] = vertex;
      vertex = parents_[vertex];
      found = known(vertex);
    }
    if (found != nowhere && found + steps > TreeLevels::deepest_narrow) return false;
    while (steps > 0) {
      found = below(found);
      level(way[--steps]).store(found, std::memory_order_relaxed);
    }
    return true;
  }

  std::span<const Entry> parents_;
  std::size_t root_;
  ThreadTeam& threads_;
  Buffer<std::uint8_t> levels_;
};

}  // namespace breadth
