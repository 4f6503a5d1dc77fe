#include "traverse/sssp/local_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "traverse/bfs/source_vertex.hpp"
#include "traverse/sssp/bucket_width.hpp"
#include "traverse/sssp/local_buckets.hpp"
#include "traverse/sssp/packed_tree.hpp"

namespace breadth {

namespace {

/// Parents go by their local ids.
struct LocalNames {
  std::uint32_t operator()(std::uint32_t vertex) const { return vertex; }
  void prefetch(std::uint32_t) const {}
};

/// Writes distances and parents of all labels, in their order; returns how many have a distance.
template <class Entry>
std::uint64_t write_packed(const PackedTree& found, const Partition& partition, std::span<Entry> parents,
                           std::span<float> distances, ThreadTeam& threads) {
  constexpr std::size_t words_per_block = 256;
  constexpr auto none = static_cast<Entry>(no_label.value);
  const ConnectedLabels& connected = partition.connected();
  const auto write_block = [&](IndexRange words) {
    std::uint64_t reached = 0;
    auto next = connected.locals(words.begin, words.end).begin();
    const std::size_t end = std::min(parents.size(), words.end * bits_per_word);
    for (std::size_t i = words.begin * bits_per_word; i < end; ++i) {
      const bool has_edges = test_bit(connected.words(), i);
      const std::uint32_t vertex = has_edges ? *next++ : 0;
      const float distance = has_edges ? found.distance(vertex) : PackedTree::unreached;
      distances[i] = distance;
      if (distance == PackedTree::unreached) {
        parents[i] = none;
      } else {
        parents[i] = static_cast<Entry>(partition.label(LocalVertex{found.parent(vertex)}).value);
        ++reached;
      }
    }
    return reached;
  };
  return parallel_reduce(threads, connected.words().size(), words_per_block, std::uint64_t{0}, write_block,
                         std::plus<>());
}

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
        buckets_(tree_, LocalNames(), adjacencies.push_rows(), options, context) {}

  SsspResult run(Label source, ShortestPathTree& tree) override {
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    tree_.clear(context_.threads);
    const LocalVertex vertex = partition_.local(source);
    if (vertex != no_local_vertex) {
      tree_.improve_alone(vertex.index(), 0, vertex.value);
      buckets_.run(std::array{vertex.value}, delta_, levels);
    }
    std::uint64_t reached = write_tree(tree);
    if (set_lone_source(graph_, source, tree)) ++reached;
    return {tree, std::move(levels), {}, {}, stopwatch.seconds(), reached};
  }
  [[nodiscard]] CommunicationRecord communication() const override { return {}; }
  [[nodiscard]] std::uint64_t borrowed_bytes() const override { return 0; }

 private:
  std::uint64_t write_tree(ShortestPathTree& tree) const {
    const auto write = [&](auto parents) {
      return write_packed(tree_, partition_, parents, tree.distances.span(), context_.threads);
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
std::unique_ptr<ShortestPathSearch::Engine> make_local_paths(const Graph& graph,
                                                             const Adjacencies<Neighbour>& adjacencies,
                                                             const SsspOptions& options, const Context& context) {
  return std::make_unique<LocalPaths<Neighbour>>(graph, adjacencies, options, context);
}

template std::unique_ptr<ShortestPathSearch::Engine> make_local_paths(const Graph&, const Adjacencies<std::uint32_t>&,
                                                                      const SsspOptions&, const Context&);
template std::unique_ptr<ShortestPathSearch::Engine> make_local_paths(const Graph&, const Adjacencies<std::uint64_t>&,
                                                                      const SsspOptions&, const Context&);

}  // namespace breadth
