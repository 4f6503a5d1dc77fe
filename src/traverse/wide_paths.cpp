#include "traverse/wide_paths.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>

#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/partition.hpp"
#include "traverse/sssp/local_buckets.hpp"
#include "traverse/sssp/wide_tree.hpp"

namespace breadth {

template <class Weight, class Distance>
class WidePathSearch<Weight, Distance>::Engine {
 public:
  virtual ~Engine() = default;
  virtual WidePaths<Distance> run_to(std::span<const Label> targets, Label source) = 0;
};

namespace {
/// The search of a graph whose neighbours are so wide.
template <class Neighbour, class Weight, class Distance>
class WideEngine final : public WidePathSearch<Weight, Distance>::Engine {
 public:
  WideEngine(const Graph& graph, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
             const LightEdges<Weight>* light, const WidePathOptions<Distance>& options, const Context& context)
      : partition_(graph.partition()),
        undirected_(graph.directedness() == Directedness::undirected),
        rows_(rows),
        threads_(context.threads),
        wants_all_(options.max_distance == wide_unreached<Distance>),
        delta_(options.delta > 0 ? options.delta : choose_wide_delta(weights, rows.offsets.size() - 1, threads_)),
        lengths_(weights, options.max_distance),
        tree_(partition_.local_count()),
        buckets_(tree_, LocalNames(), rows, lengths_, {options.stretch, options.small_stretch, options.fuse}, context) {
    if (light != nullptr && !light->empty() && options.sweeps && options.delta == 0) {
      sweeps_.emplace(tree_, rows, weights, *light, lengths_.most, threads_);
    }
  }

  WidePaths<Distance> run_to(std::span<const Label> wanted, Label source) override {
    const Stopwatch stopwatch;
    const std::size_t labels = partition_.distribution().vertex_count();
    WidePaths<Distance> found{.distances = Buffer<Distance>(labels), .parents = Buffer<std::int64_t>(labels)};
    tree_.clear(threads_);
    const std::vector<std::uint32_t> targets = target_vertices(wanted, source, partition_);
    const LocalVertex vertex = partition_.local(source);
    std::uint64_t farthest = WideTree::unreached;
    if (vertex != no_local_vertex) {
      tree_.set(vertex.index(), 0, vertex.value);
      search_from(vertex.value, targets, found.steps);
      farthest = farthest_of(targets);
      const bool ended_early = farthest != WideTree::unreached;
      if (wants_all_ && !ended_early && (sweeps_ || buckets_.found_too_far())) require_all_reached();
    }
    found.reached = write(found, farthest);
    if (vertex == no_local_vertex) {
      found.distances[source.index()] = 0;
      found.parents[source.index()] = source.value;
      ++found.reached;
    }
    found.seconds = stopwatch.seconds();
    return found;
  }

 private:
  /// WideTree::unreached where there are none, or one is not reached.
  [[nodiscard]] std::uint64_t farthest_of(std::span<const std::uint32_t> targets) const {
    if (targets.empty()) return WideTree::unreached;
    std::uint64_t most = 0;
    for (const std::uint32_t target : targets) most = std::max(most, tree_.distance(target));
    return most;
  }

  /// The nearest vertices are settled in narrow buckets, so that few others are relaxed.
  void search_from(std::uint32_t source, std::span<const std::uint32_t> targets, std::vector<LevelStatistics>& steps) {
    constexpr std::uint64_t share_in_ball = 64;
    constexpr double narrower = 64;
    buckets_.clear();
    buckets_.add(source);
    if (sweeps_ && targets.empty()) {
      buckets_.settle(delta_ / narrower, steps, {}, rows_.entries() / share_in_ball);
      const std::uint64_t base = buckets_.least_waiting();
      if (base != WideTree::unreached) sweep_beyond(base, steps);
    }
    buckets_.settle(delta_, steps, targets);
  }
  /// The most connected vertices first, since most paths lead through them, then all, until those that came closer have
  /// few edges: these are left for buckets, in place of all that waited there.
  void sweep_beyond(std::uint64_t base, std::vector<LevelStatistics>& steps) {
    constexpr std::array<std::size_t, 5> parts{64, 64, 16, 16, 4};  // vertices are in the order of degrees
    constexpr int most_sweeps = 8;
    constexpr std::uint64_t share_for_buckets = 32;
    buckets_.clear();
    for (const std::size_t part : parts) steps.push_back(sweeps_->sweep(base, tree_.size() / part));
    for (int i = 0; i < most_sweeps; ++i) {
      threads_.checkpoint();
      steps.push_back(sweeps_->sweep(base, tree_.size()));
      if (sweeps_->edges_to_closer() <= rows_.entries() / share_for_buckets) break;
    }
    sweeps_->for_each_closer([&](std::uint32_t vertex) { buckets_.add(vertex); });
  }

  /// Throws DistanceOverflow where an edge leads from a vertex with a distance to one without. Undirected edges are
  /// looked at from those without, which are few, or in components of their own.
  void require_all_reached() const {
    constexpr std::size_t vertices_per_block = 1024;
    const std::uint64_t left_out = parallel_sum(threads_, tree_.size(), vertices_per_block, [&](std::size_t vertex) {
      if (has_distance(vertex) == undirected_) return std::uint64_t{0};
      const auto row = rows_.row(LocalVertex{static_cast<std::uint32_t>(vertex)});
      const auto differs = [&](Neighbour neighbour) { return has_distance(neighbour) == undirected_; };
      return static_cast<std::uint64_t>(std::count_if(row.begin(), row.end(), differs));
    });
    if (left_out == 0) return;
    throw DistanceOverflow(
        fmt::format("distances go beyond {}, the largest of 64 bits; a cutoff no larger than that leaves these out",
                    DistanceKeys<Distance>::distance(DistanceKeys<Distance>::key(wide_unreached<Distance>) - 1)));
  }
  [[nodiscard]] bool has_distance(std::size_t vertex) const { return tree_.distance(vertex) != WideTree::unreached; }

  /// Writes distances and parents of all labels, in their order, those beyond `most` as unreached; returns how many
  /// have a distance.
  std::uint64_t write(WidePaths<Distance>& found, std::uint64_t most) const {
    constexpr std::size_t words_per_block = 256;
    const ConnectedLabels& connected = partition_.connected();
    const auto write_block = [&](IndexRange words) {
      std::uint64_t reached = 0;
      auto next = connected.locals(words.begin, words.end).begin();
      const std::size_t end = std::min(found.distances.size(), words.end * bits_per_word);
      for (std::size_t label = words.begin * bits_per_word; label < end; ++label) {
        const bool has_edges = test_bit(connected.words(), label);
        const std::uint32_t vertex = has_edges ? *next++ : 0;
        const std::uint64_t key = has_edges ? tree_.distance(vertex) : WideTree::unreached;
        const bool is_reached = key != WideTree::unreached && key <= most;
        found.distances[label] = is_reached ? DistanceKeys<Distance>::distance(key) : wide_unreached<Distance>;
        found.parents[label] = is_reached ? partition_.label(LocalVertex{tree_.parent(vertex)}).value : no_label.value;
        reached += is_reached ? 1 : 0;
      }
      return reached;
    };
    return parallel_reduce(threads_, connected.words().size(), words_per_block, std::uint64_t{0}, write_block,
                           std::plus<>());
  }

  const Partition& partition_;
  bool undirected_;
  const Adjacency<Neighbour>& rows_;
  ThreadTeam& threads_;
  bool wants_all_;
  double delta_;
  WideLengths<Weight, Distance> lengths_;
  WideTree tree_;
  LocalBuckets<Neighbour, WideTree, LocalNames, WideLengths<Weight, Distance>> buckets_;
  std::optional<WideSweeps<Neighbour, Weight, Distance>> sweeps_;  ///< where there are hubs
};

template <class Distance>
void check(const WidePathOptions<Distance>& options) {
  check_range("delta", options.delta, SsspOptions::deltas);
  check_range("stretch", options.stretch, SsspOptions::stretches);
  if (!(options.max_distance >= 0)) fail("max-distance is {}; it must be at least 0", options.max_distance);
}
}  // namespace

template <class Weight, class Distance>
WidePathSearch<Weight, Distance>::WidePathSearch(const Graph& graph, std::span<const Weight> weights,
                                                 const LightEdges<Weight>* light,
                                                 const WidePathOptions<Distance>& options, const Context& context)
    : graph_(graph) {
  check(options);
  if (context.ranks.size() > 1) fail("shortest paths of 64-bit weights are found on one rank");
  graph.visit_rows([&](const auto& adjacencies) {
    const auto& rows = adjacencies.push_rows();
    if constexpr (requires { rows.neighbours; }) {
      if (weights.size() != rows.entries()) {
        fail("there are {} weights beside rows of {} entries", weights.size(), rows.entries());
      }
      using Neighbour = typename std::remove_cvref_t<decltype(rows)>::Neighbour;
      engine_ =
          std::make_unique<WideEngine<Neighbour, Weight, Distance>>(graph, rows, weights, light, options, context);
    } else {
      fail("shortest paths of 64-bit weights need a graph in plain rows");
    }
  });
}

template <class Weight, class Distance>
WidePathSearch<Weight, Distance>::~WidePathSearch() = default;

template <class Weight, class Distance>
WidePaths<Distance> WidePathSearch<Weight, Distance>::run(Label source) {
  return run_to({}, source);
}

template <class Weight, class Distance>
WidePaths<Distance> WidePathSearch<Weight, Distance>::run_to(std::span<const Label> targets, Label source) {
  graph_.require(source);
  for (const Label target : targets) graph_.require(target);
  return engine_->run_to(targets, source);
}

template class WidePathSearch<float, double>;
template class WidePathSearch<double, double>;
template class WidePathSearch<std::int64_t, std::int64_t>;

}  // namespace breadth
