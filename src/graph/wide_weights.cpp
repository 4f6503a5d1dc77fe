#include "graph/wide_weights.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/exchange/values_for_ranks.hpp"
#include "core/errors.hpp"
#include "graph/graph_contents.hpp"

namespace breadth {

namespace {
/// The entry of a vertex's row to which a tuple's weight goes.
struct EntryName {
  LocalVertex vertex;
  LocalVertex neighbour;
};

/// Finds the entries of tuples in sorted rows and stores the weights there, on one rank.
template <class Rows, class Weight>
class WeightPlacer {
 public:
  WeightPlacer(const Graph& graph, const Rows& rows, const EdgeList& edges, WeightReader<Weight> read,
               ThreadTeam& threads)
      : partition_(graph.partition()),
        undirected_(graph.directedness() == Directedness::undirected),
        rows_(rows),
        edges_(edges),
        read_(read),
        threads_(threads),
        weights_(rows.entries()) {}

  Buffer<Weight> place() {
    parallel_fill(threads_, weights_.span(), std::numeric_limits<Weight>::max());
    place_tuples();
    if (undirected_) mirror();
    return std::move(weights_);
  }

 private:
  struct Block {
    std::vector<Edge> edges = std::vector<Edge>(edge_block_size, Edge{no_label, no_label});
    std::vector<Weight> weights = std::vector<Weight>(edge_block_size);
    std::vector<EntryName> names = std::vector<EntryName>(edge_block_size);
  };

  void place_tuples() {
    std::vector<Block> blocks(static_cast<std::size_t>(threads_.size()));
    parallel_blocks(threads_, edges_.size(), edge_block_size, [&](IndexRange range, int thread) {
      Block& block = blocks[static_cast<std::size_t>(thread)];
      edges_.read(range.begin, std::span(block.edges).first(range.size()), {});
      read_(range.begin, std::span(block.weights).first(range.size()));
      for (std::size_t i = 0; i < range.size(); ++i) block.names[i] = name_of(block.edges[i]);
      place_block(block, range.size());
    });
    edges_.check_unchanged();
  }

  /// The entry of an edge; for an undirected edge the entry of the end with the larger local id, which has the shorter
  /// row where vertices are in the order of degrees.
  [[nodiscard]] EntryName name_of(const Edge& edge) const {
    const std::uint64_t labels = partition_.distribution().vertex_count();
    if (edge.source.index() >= labels || edge.target.index() >= labels) edges_.report_change();
    const LocalVertex source = partition_.local(edge.source);
    const LocalVertex target = partition_.local(edge.target);
    return undirected_ && source < target ? EntryName{target, source} : EntryName{source, target};
  }

  void place_block(const Block& block, std::size_t count) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 2 * ahead < count && !is_self_loop(block.edges[i + 2 * ahead])) {
        rows_.prefetch_index(block.names[i + 2 * ahead].vertex);
      }
      if (i + ahead < count && !is_self_loop(block.edges[i + ahead])) rows_.prefetch_row(block.names[i + ahead].vertex);
      if (!is_self_loop(block.edges[i])) lower(std::atomic_ref(weights_[entry_of(block.names[i])]), block.weights[i]);
    }
  }
  static bool is_self_loop(const Edge& edge) { return edge.source == edge.target; }

  [[nodiscard]] EdgeOffset entry_of(EntryName name) const {
    if (name.vertex == no_local_vertex || name.neighbour == no_local_vertex) edges_.report_change();
    const auto row = rows_.row(name.vertex);
    const auto place = std::lower_bound(row.begin(), row.end(), partition_.global_id(name.neighbour));
    if (place == row.end() || *place != partition_.global_id(name.neighbour)) edges_.report_change();
    return rows_.offsets[name.vertex.index()] + static_cast<EdgeOffset>(place - row.begin());
  }

  /// Copies the weight of each undirected edge from the row of the end with the larger local id to the row of the other
  /// end. Rows are sorted and vertices are visited in order. Therefore the vertices whose rows contain a vertex are
  /// visited in the order of its own row, and a counter for each vertex (`met`) replaces a look-up. Each thread has a
  /// share of the vertices with the larger local ids. Work can be stopped between blocks of vertices.
  void mirror() {
    constexpr std::size_t vertices_per_block = std::size_t{1} << 12;
    Buffer<std::uint32_t> met(rows_.offsets.size() - 1);
    for (std::size_t first = 0; first < met.size(); first += vertices_per_block) {
      threads_.run([&](int thread) { mirror({first, first + vertices_per_block}, share_of(thread), met); });
    }
  }
  void mirror(const IndexRange& vertices, const IndexRange& named, Buffer<std::uint32_t>& met) {
    for (std::size_t i = vertices.begin; i < std::min(vertices.end, named.end); ++i) {
      const auto vertex = static_cast<std::uint32_t>(i);
      const auto row = rows_.row(LocalVertex{vertex});
      const auto first = std::lower_bound(row.begin(), row.end(), std::max<std::size_t>(vertex, named.begin));
      EdgeOffset entry = rows_.offsets[vertex] + static_cast<EdgeOffset>(first - row.begin());
      for (auto place = first; place != row.end() && *place < named.end; ++place, ++entry) {
        weights_[entry] = weights_[rows_.offsets[*place] + met[*place]++];
      }
    }
  }
  /// A thread's range of vertices, chosen so that all threads have about the same number of entries.
  [[nodiscard]] IndexRange share_of(int thread) const {
    const auto bound = [&](int part) {
      const IndexRange entries =
          even_share(rows_.entries(), static_cast<std::size_t>(part), static_cast<std::size_t>(threads_.size()));
      const auto first = std::lower_bound(rows_.offsets.begin(), rows_.offsets.end() - 1, entries.begin);
      return static_cast<std::size_t>(first - rows_.offsets.begin());
    };
    return {bound(thread), thread + 1 < threads_.size() ? bound(thread + 1) : rows_.offsets.size() - 1};
  }

  const Partition& partition_;
  bool undirected_;
  const Rows& rows_;
  const EdgeList& edges_;
  WeightReader<Weight> read_;
  ThreadTeam& threads_;
  Buffer<Weight> weights_;
};

/// Does the work of WeightPlacer on several ranks. The owner of a tuple's target knows its global id, and the owner of
/// the source has the row, so the weight travels to the owner of the target and from there to the owner of the source.
/// An undirected edge does so from both ends.
template <class Rows, class Weight>
class RankWeightPlacer {
 public:
  RankWeightPlacer(const Graph& graph, const Rows& rows, const EdgeList& edges, WeightReader<Weight> read,
                   const Context& context)
      : partition_(graph.partition()),
        undirected_(graph.directedness() == Directedness::undirected),
        rows_(rows),
        edges_(edges),
        read_(read),
        context_(context),
        to_targets_(context),
        to_sources_(context),
        weights_(run_together(context.ranks, [&] { return Buffer<Weight>(rows.entries()); })) {}

  Buffer<Weight> place() {
    parallel_fill(context_.threads, weights_.span(), std::numeric_limits<Weight>::max());
    const std::uint64_t most = messages_per_round(context_) / (undirected_ ? 2 : 1);
    for_each_round(edges_.size(), most, context_.ranks,
                   [&](std::uint64_t first, std::uint64_t last) { place_tuples(first, last); });
    run_together(context_.ranks, [&] { edges_.check_unchanged(); });
    return std::move(weights_);
  }

 private:
  /// A weight on its way: first to the owner of `neighbour`, which is a label then, and from there, with `neighbour` as
  /// a global id, to the owner of `vertex`.
  struct Message {
    std::int64_t vertex;
    std::uint64_t neighbour;
    Weight weight;
  };

  void place_tuples(std::uint64_t first, std::uint64_t last) {
    run_together(context_.ranks, [&] { read_tuples(first, last); });
    const std::span<const Message> at_targets = to_targets_.exchange();
    run_together(context_.ranks, [&] { send_to_sources(at_targets); });
    const std::span<const Message> at_sources = to_sources_.exchange();
    constexpr std::size_t grain = std::size_t{1} << 12;
    run_together(context_.ranks, [&] {
      parallel_for(context_.threads, at_sources.size(), grain, [&](std::size_t i) {
        lower(std::atomic_ref(weights_[entry_of(at_sources[i])]), at_sources[i].weight);
      });
    });
  }
  void read_tuples(std::uint64_t first, std::uint64_t last) {
    const std::uint64_t labels = partition_.distribution().vertex_count();
    parallel_blocks(context_.threads, last - first, edge_block_size, [&](IndexRange range, int thread) {
      std::vector<Edge> edges(range.size(), Edge{no_label, no_label});
      std::vector<Weight> weights(range.size());
      edges_.read(first + range.begin, edges, {});
      read_(first + range.begin, weights);
      for (std::size_t i = 0; i < range.size(); ++i) {
        const auto [source, target] = edges[i];
        if (source.index() >= labels || target.index() >= labels) edges_.report_change();
        if (source == target) continue;
        send_to_target(source, target, weights[i], thread);
        if (undirected_) send_to_target(target, source, weights[i], thread);
      }
    });
  }
  void send_to_target(Label source, Label target, Weight weight, int thread) {
    to_targets_.add(thread, partition_.distribution().owner(target), {source.value, target.index(), weight});
  }
  void send_to_sources(std::span<const Message> messages) {
    parallel_blocks(context_.threads, messages.size(), edge_block_size, [&](IndexRange range, int thread) {
      for (Message message : messages.subspan(range.begin, range.size())) {
        const LocalVertex target = partition_.local(Label{static_cast<std::int64_t>(message.neighbour)});
        if (target == no_local_vertex) edges_.report_change();
        message.neighbour = partition_.global_id(target);
        to_sources_.add(thread, partition_.distribution().owner(Label{message.vertex}), message);
      }
    });
  }
  [[nodiscard]] EdgeOffset entry_of(const Message& message) const {
    const LocalVertex vertex = partition_.local(Label{message.vertex});
    if (vertex == no_local_vertex) edges_.report_change();
    const GlobalIdCode& code = partition_.code();
    const auto row = rows_.row(vertex);
    const auto place = std::lower_bound(row.begin(), row.end(), code.order(message.neighbour),
                                        [&](auto entry, std::uint64_t order) { return code.order(entry) < order; });
    if (place == row.end() || *place != message.neighbour) edges_.report_change();
    return rows_.offsets[vertex.index()] + static_cast<EdgeOffset>(place - row.begin());
  }

  const Partition& partition_;
  bool undirected_;
  const Rows& rows_;
  const EdgeList& edges_;
  WeightReader<Weight> read_;
  const Context& context_;
  ValuesForRanks<Message> to_targets_;
  ValuesForRanks<Message> to_sources_;
  Buffer<Weight> weights_;
};

/// Collects the lightest edges of each vertex. O(m).
template <class Rows, class Weight>
LightestEdges<Weight> lightest(const Rows& rows, std::span<const Weight> weights, ThreadTeam& threads) {
  constexpr std::size_t vertices_per_block = 256;
  const std::size_t vertices = rows.offsets.size() - 1;
  LightestEdges<Weight> found{.offsets = Buffer<EdgeOffset>(vertices + 1)};
  parallel_for(threads, vertices, vertices_per_block, [&](std::size_t i) {
    found.offsets[i] = LightestEdges<Weight>::count_of(rows.offsets[i + 1] - rows.offsets[i]);
  });
  const EdgeOffset all = exclusive_prefix_sum(threads, found.offsets.span());
  found.weights = Buffer<Weight>(all);
  found.neighbours = Buffer<std::uint32_t>(all);
  using Pair = std::pair<Weight, std::uint32_t>;
  std::vector<std::vector<Pair>> scratch(static_cast<std::size_t>(threads.size()));
  parallel_blocks(threads, vertices, vertices_per_block, [&](IndexRange range, int thread) {
    std::vector<Pair>& row = scratch[static_cast<std::size_t>(thread)];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      row.clear();
      for (EdgeOffset entry = rows.offsets[i]; entry < rows.offsets[i + 1]; ++entry) {
        row.emplace_back(weights[entry], static_cast<std::uint32_t>(rows.neighbours[entry]));
      }
      const auto end = row.begin() + static_cast<std::ptrdiff_t>(found.offsets[i + 1] - found.offsets[i]);
      if (end != row.end()) std::nth_element(row.begin(), end, row.end());
      std::sort(row.begin(), end);
      for (EdgeOffset place = found.offsets[i]; place < found.offsets[i + 1]; ++place) {
        std::tie(found.weights[place], found.neighbours[place]) = row[place - found.offsets[i]];
      }
    }
  });
  return found;
}
}  // namespace

template <class Weight>
WideWeights<Weight> weights_beside_rows(const Graph& graph, const EdgeList& edges, WeightReader<Weight> read,
                                        const Context& context) {
  if (graph.partition().hubs().count() > 0) fail("weights of 64 bits need a graph without replicas of hubs");
  if (graph.layout().neighbours != NeighbourOrder::vertices) {
    fail("weights of 64 bits need a graph with neighbours in the order of vertices");
  }
  WideWeights<Weight> weights;
  visit_plain_rows(graph, "weights of 64 bits need a graph in plain rows", [&](const auto& rows) {
    ThreadTeam& threads = context.threads;
    if (context.ranks.size() > 1) {
      weights.of_rows = RankWeightPlacer(graph, rows, edges, read, context).place();
      return;
    }
    weights.of_rows = WeightPlacer(graph, rows, edges, read, threads).place();
    if (graph.directedness() == Directedness::undirected && has_hub_core(rows, threads)) {
      weights.lightest = lightest(rows, std::span<const Weight>(weights.of_rows.span()), threads);
    }
  });
  return weights;
}

template WideWeights<double> weights_beside_rows(const Graph&, const EdgeList&, WeightReader<double>, const Context&);
template WideWeights<std::int64_t> weights_beside_rows(const Graph&, const EdgeList&, WeightReader<std::int64_t>,
                                                       const Context&);

}  // namespace breadth
