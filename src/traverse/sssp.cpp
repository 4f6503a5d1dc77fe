#include "traverse/sssp.hpp"

#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "traverse/bucket_search.hpp"
#include "traverse/relaxation_exchange.hpp"
#include "traverse/tentative_tree.hpp"
#include "traverse/tree_output.hpp"

namespace breadth {

class ShortestPathSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual SsspResult run(Label source, ShortestPathTree& tree) = 0;
};

namespace {

/// Throws AgreedError for a negative weight and for one that is not a number: in a row by weight the first or the last.
template <class Neighbour>
void check_weights(const Adjacency<Neighbour>& rows, const Partition& partition, const Context& context) {
  run_together(context.ranks, [&] {
    for (std::uint32_t i = 0; i < partition.local_count(); ++i) {
      const std::size_t degree = rows.degree(LocalVertex{i});
      if (degree == 0) continue;
      const float* row = rows.weights.data() + rows.offsets[i];
      for (const float weight : {row[0], row[degree - 1]}) {
        if (weight >= 0) continue;
        fail("an edge of vertex {} has weight {}; shortest paths need weights of at least 0",
             partition.label(LocalVertex{i}).value, weight);
      }
    }
  });
}

/// A bucket's width where none is given: in a random graph a vertex then has about one edge inside a bucket.
template <class Neighbour>
double choose_delta(const Adjacency<Neighbour>& rows, const Context& context) {
  const double sum = parallel_reduce(
      context.threads, rows.weights.size(), std::size_t{1} << 16, 0.0,
      [&](IndexRange range) {
        double part = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) part += double{rows.weights[i]};
        return part;
      },
      std::plus<>());
  const double all = context.ranks.all_reduce(sum, Reduction::sum);
  const auto entries = static_cast<double>(context.ranks.all_reduce(rows.entries(), Reduction::sum));
  const auto vertices =
      static_cast<double>(context.ranks.all_reduce(std::uint64_t{rows.offsets.size() - 1}, Reduction::sum));
  return entries > 0 ? all / entries * 2 * vertices / entries : 1;
}

template <class Neighbour, class Exchange>
class TypedEngine final : public ShortestPathSearch::Engine {
 public:
  TypedEngine(const Graph& graph, const Adjacency<Neighbour>& rows, const SsspOptions& options, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        context_(context),
        tree_(partition_.local_count(), context.threads),
        search_(tree_, rows, partition_, options, options.delta > 0 ? options.delta : choose_delta(rows, context),
                context_) {}

  SsspResult run(Label source, ShortestPathTree& tree) override {
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    tree_.clear(context_.threads);
    std::vector<std::uint32_t> start;
    const bool owned = graph_.distribution().owner(source) == partition_.rank();
    const LocalVertex vertex = owned ? partition_.local(source) : no_local_vertex;
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, static_cast<Neighbour>(source.value));
      start.push_back(vertex.value);
    }
    search_.run(start, levels);
    std::uint64_t reached = write_tree(tree_, graph_, tree, context_.threads);
    if (owned && vertex == no_local_vertex) {
      const std::size_t offset = graph_.distribution().offset(source, partition_.rank());
      tree.parents.set(offset, source);
      tree.distances[offset] = 0;
      ++reached;
    }
    reached = context_.ranks.all_reduce(reached, Reduction::sum);
    const double seconds = context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    return {tree, std::move(levels), {}, seconds, reached};
  }

 private:
  const Graph& graph_;
  const Partition& partition_;
  Context context_;
  TentativeTree<Neighbour> tree_;
  BucketSearch<Neighbour, Exchange> search_;
};

template <class Neighbour>
std::unique_ptr<ShortestPathSearch::Engine> make_engine(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                                        const SsspOptions& options, const Context& context) {
  const Adjacency<Neighbour>& rows = adjacencies.push_rows();
  check_weights(rows, graph.partition(), context);
  if (context.ranks.size() == 1) {
    return std::make_unique<TypedEngine<Neighbour, NoRelaxationExchange>>(graph, rows, options, context);
  }
  return std::make_unique<TypedEngine<Neighbour, RelaxationExchange<Neighbour>>>(graph, rows, options, context);
}

}  // namespace

void check(const SsspOptions& options) {
  if (!(options.delta >= 0 && std::isfinite(options.delta))) {
    fail("delta is {}; it must be a finite number of at least 0", options.delta);
  }
  if (options.coalescing < 1 || options.coalescing > most_sssp_coalescing) {
    fail("coalescing is {}; it must be from 1 to {}", options.coalescing, most_sssp_coalescing);
  }
  if (!(options.max_distance >= 0)) fail("max-distance is {}; it must be at least 0", options.max_distance);
}

ShortestPathSearch::ShortestPathSearch(const Graph& graph, const SsspOptions& options, const Context& context)
    : graph_(graph), context_(context) {
  check(options);
  if (graph.layout().neighbours != NeighbourOrder::weights) {
    throw AgreedError("shortest paths need a graph with neighbours in the order of weights");
  }
  graph.visit_rows([&]<class Any>(const Any& adjacencies) {
    if constexpr (requires { adjacencies.push_rows().weights; }) {
      engine_ = make_engine(graph, adjacencies, options, context);
    }
  });
}

ShortestPathSearch::~ShortestPathSearch() = default;

SsspResult ShortestPathSearch::run(Label source) {
  if (tree_.distances.empty()) tree_ = empty_result();
  return run(source, tree_);
}

SsspResult ShortestPathSearch::run(Label source, ShortestPathTree& tree) {
  if (source.value < 0 || static_cast<std::uint64_t>(source.value) >= graph_.vertex_count()) {
    fail("vertex {} is not in the graph; its labels run from 0 to {}", source.value, graph_.vertex_count() - 1);
  }
  return engine_->run(source, tree);
}

ShortestPathTree ShortestPathSearch::empty_result() const {
  const std::size_t count = graph_.distribution().count(context_.ranks.rank());
  ShortestPathTree tree{LabelArray(count, graph_.vertex_count()), Buffer<float>(count)};
  tree.parents.fill(no_label, context_.threads);
  parallel_fill(context_.threads, tree.distances.span(), std::numeric_limits<float>::infinity());
  return tree;
}

}  // namespace breadth
