#include "traverse/one_rank.hpp"

#include <atomic>
#include <cstddef>

#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
constexpr std::size_t depth_grain = std::size_t{1} << 13;
constexpr std::int64_t not_known = -2;

template <class Entry>
class TreeDepths {
 public:
  TreeDepths(std::span<const Entry> parents, std::span<std::int64_t> depths) : parents_(parents), depths_(depths) {}

  // Which vertices are reached is no pattern that a processor could foresee: sums take the place of branches.

  /// Before any is settled: 0 for one that is its own parent, -1 for one without.
  void start(IndexRange vertices) {
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      const Entry parent = parents_[vertex];
      depths_[vertex] = not_known * std::int64_t{parent != vertex} + std::int64_t{parent == none};
    }
  }

  /// Most of them have a parent whose depth is known by then.
  void settle(IndexRange vertices) {
    for (std::size_t vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      const Entry parent = parents_[vertex];
      const Entry missing = Entry{0} - Entry{parent == none};  // all bits or none
      const std::size_t above = (parent & ~missing) | (static_cast<Entry>(vertex) & missing);
      std::int64_t depth = get(above);
      if (depth == not_known) depth = depth_of(above);
      set(vertex, depth + std::int64_t{above != vertex});
    }
  }

 private:
  static constexpr auto none = static_cast<Entry>(no_label.value);

  /// Goes up to the first vertex whose depth is known, and up once more to set those on the way. Another thread may set
  /// the same meanwhile, to the same.
  [[gnu::noinline]] std::int64_t depth_of(std::size_t vertex) {
    std::int64_t steps = 0;
    std::size_t above = vertex;
    std::int64_t known = get(above);
    for (; known == not_known; known = get(above)) {
      above = static_cast<std::size_t>(parents_[above]);
      ++steps;
    }
    const std::int64_t depth = known + steps;
    for (; steps > 0; --steps) {
      set(vertex, known + steps);
      vertex = static_cast<std::size_t>(parents_[vertex]);
    }
    return depth;
  }

  [[nodiscard]] std::int64_t get(std::size_t vertex) const {
    return std::atomic_ref(depths_[vertex]).load(std::memory_order_relaxed);
  }
  void set(std::size_t vertex, std::int64_t depth) {
    std::atomic_ref(depths_[vertex]).store(depth, std::memory_order_relaxed);
  }

  std::span<const Entry> parents_;
  std::span<std::int64_t> depths_;
};

template <class Entry>
void write_depths(std::span<const Entry> parents, std::span<std::int64_t> depths, ThreadTeam& threads) {
  TreeDepths<Entry> tree(parents, depths);
  parallel_blocks(threads, parents.size(), depth_grain, [&](IndexRange vertices, int) { tree.start(vertices); });
  parallel_blocks(threads, parents.size(), depth_grain, [&](IndexRange vertices, int) { tree.settle(vertices); });
}
}  // namespace

void write_tree_depths(const LabelArray& parents, std::span<std::int64_t> depths, ThreadTeam& threads) {
  if (parents.wide()) {
    write_depths(parents.entries<std::uint64_t>(), depths, threads);
  } else {
    write_depths(parents.entries<std::uint32_t>(), depths, threads);
  }
}

}  // namespace breadth
