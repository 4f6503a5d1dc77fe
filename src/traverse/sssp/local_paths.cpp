#include "traverse/sssp/sssp_engine.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/sssp/local_buckets.hpp"

namespace breadth {

/// Holds for each vertex, on one rank, the shortest distance found so far and the local id of the parent that gave it,
/// in one word, so that a relaxation touches one cache line and writes with one atomic instruction.
///
/// Parents have no cycle, for the reasons given at LockedTree.
class PackedTree {
 public:
  /// A tree of `size` vertices, all without a distance.
  PackedTree(std::size_t size, ThreadTeam& threads) : words_(size) { clear(threads); }

  void clear(ThreadTeam& threads) { parallel_fill(threads, words_.span(), word(unreached, 0)); }

  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }
  /// The distance of a vertex; +infinity if it has none.
  [[nodiscard]] float distance(std::size_t vertex) const noexcept { return distance_in(load(vertex)); }
  /// The parent of a vertex; 0 if the vertex has no distance.
  [[nodiscard]] std::uint32_t parent(std::size_t vertex) const noexcept {
    return static_cast<std::uint32_t>(load(vertex) >> 32);
  }
  /// Prefetches the word of a vertex. Always inlined, because g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept {
    __builtin_prefetch(words_.data() + vertex);
  }

  /// Sets distance and parent of a vertex if the distance, which must not be negative, is shorter. Returns whether it
  /// was. Any number of threads may call this at once.
  bool improve(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    std::atomic_ref<std::uint64_t> place(words_[vertex]);
    std::uint64_t now = place.load(std::memory_order_relaxed);
    while (distance < distance_in(now)) {
      if (place.compare_exchange_weak(now, word(distance, parent), std::memory_order_relaxed)) return true;
    }
    return false;
  }
  /// Sets distance and parent of a vertex. No other thread may improve the vertex meanwhile, but others may read its
  /// distance.
  void set(std::size_t vertex, float distance, std::uint32_t parent) noexcept {
    std::atomic_ref(words_[vertex]).store(word(distance, parent), std::memory_order_relaxed);
  }

  static constexpr float unreached = std::numeric_limits<float>::infinity();

 private:
  static std::uint64_t word(float distance, std::uint32_t parent) noexcept {
    return std::uint64_t{parent} << 32 | std::bit_cast<std::uint32_t>(distance);
  }
  static float distance_in(std::uint64_t word) noexcept {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word));
  }
  [[nodiscard]] std::uint64_t load(std::size_t vertex) const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(words_[vertex])).load(std::memory_order_relaxed);
  }

  Buffer<std::uint64_t> words_;
};

namespace {

template <class Neighbour>
class LocalPaths final : public ShortestPathSearch::Engine {
 public:
  LocalPaths(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const SsspOptions& options,
             const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        context_(context),
        delta_(options.delta > 0 ? options.delta : choose_delta(adjacencies.push_rows(), context)),
        tree_(partition_.local_count(), context.threads),
        buckets_(tree_, LocalNames(), adjacencies.push_rows(), partition_,
                 {adjacencies.push_rows().weights.data(), options.max_distance},
                 {options.bucket_batch, options.small_batch, options.fuse}, context) {}

  SsspResult run(Label source, ShortestPathTree& tree) override { return run_to(source, {}, tree); }

  SsspResult run_to(Label source, std::span<const Label> labels, ShortestPathTree& tree) override {
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    tree_.clear(context_.threads);
    const std::vector<std::uint32_t> targets = own_targets(labels, source, graph_, context_.ranks).vertices;
    const LocalVertex vertex = partition_.local(source);
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, vertex.value);
      buckets_.clear();
      buckets_.add(vertex.value);
      buckets_.settle(delta_, levels, targets);
    }
    std::uint64_t reached = write_tree(targets, tree);
    if (set_lone_source(graph_, source, tree)) ++reached;
    return {tree, std::move(levels), {}, {}, stopwatch.seconds(), reached};
  }

 private:
  /// Writes distances and parents, with targets only up to the farthest one. Returns how many vertices have a distance.
  std::uint64_t write_tree(std::span<const std::uint32_t> targets, ShortestPathTree& tree) const {
    constexpr float any = std::numeric_limits<float>::max();
    float most = targets.empty() ? any : 0;
    for (const std::uint32_t target : targets) most = std::min(any, std::max(most, tree_.distance(target)));
    const auto write = [&](auto parents) {
      return write_paths(
          tree_, partition_.connected(), most, PackedTree::unreached, tree.distances.span(), parents, context_.threads,
          [](float distance) { return distance; },
          [&](std::uint32_t parent) { return partition_.label(LocalVertex{parent}).value; });
    };
    return tree.parents.wide() ? write(tree.parents.entries<std::uint64_t>())
                               : write(tree.parents.entries<std::uint32_t>());
  }

  const Graph& graph_;
  const Partition& partition_;
  Context context_;
  double delta_;
  PackedTree tree_;
  LocalBuckets<Neighbour, PackedTree, LocalNames> buckets_;
};

}  // namespace

template <class Neighbour>
PathEnginePointer make_local_paths(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                   const SsspOptions& options, const Context& context) {
  return std::make_unique<LocalPaths<Neighbour>>(graph, adjacencies, options, context);
}

template PathEnginePointer make_local_paths(const Graph&, const Adjacencies<std::uint32_t>&, const SsspOptions&,
                                            const Context&);
template PathEnginePointer make_local_paths(const Graph&, const Adjacencies<std::uint64_t>&, const SsspOptions&,
                                            const Context&);

}  // namespace breadth
