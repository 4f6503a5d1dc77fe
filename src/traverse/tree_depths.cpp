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

  /// Goes up to the first vertex whose depth is known, and up once more to set those on the way. Another thread may set
  /// the same meanwhile, to the same.
  void settle(std::size_t vertex) {
    std::int64_t steps = 0;
    std::size_t above = vertex;
    std::int64_t known = get(above);
    for (; known == not_known; known = get(above)) {
      const Entry parent = parents_[above];
      if (parent == above) {
        set(above, 0);
      } else if (parent == static_cast<Entry>(no_label.value)) {
        set(above, -1);
      } else {
        above = static_cast<std::size_t>(parent);
        ++steps;
      }
    }
    for (; steps > 0; --steps) {
      set(vertex, known + steps);
      vertex = static_cast<std::size_t>(parents_[vertex]);
    }
  }

 private:
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
  parallel_fill(threads, depths, not_known);
  TreeDepths<Entry> tree(parents, depths);
  parallel_for(threads, parents.size(), depth_grain, [&](std::size_t vertex) { tree.settle(vertex); });
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
