#include "model/memory_prediction.hpp"

#include <algorithm>

#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/policy/replication.hpp"
#include "gpu/memory_plan.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/direct_rows.hpp"
#include "graph/build/rows_by_global_id.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/forms/paper_adjacencies.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/visited_copies.hpp"
#include "traverse/devices/gpu_part.hpp"
#include "traverse/papers/paper_searches.hpp"
#include "traverse/replication/hub_replicas.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/replication/replicated_frontier.hpp"
#include "traverse/sssp/hub_bounds.hpp"

namespace breadth {

namespace {
/// The sizes of a graph on ranks that determine its memory. Bytes are those of all ranks together.
class Prediction {
 public:
  Prediction(const GraphSize& size, int ranks)
      : size_(size),
        ranks_(static_cast<std::uint64_t>(ranks)),
        local_ids_(local_ids_for(size.connected_vertices, size.hubs, ranks_)),
        code_(local_ids_, ranks),
        narrow_(neighbours_fit_32_bits(BlockDistribution(std::max<std::uint64_t>(size.labels, 1), ranks))) {}

  [[nodiscard]] std::uint64_t ranks() const { return ranks_; }
  [[nodiscard]] bool narrow() const { return narrow_; }
  [[nodiscard]] std::uint64_t neighbour_bytes() const {
    return narrow_ ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  }
  [[nodiscard]] std::uint64_t local_ids() const { return ranks_ * local_ids_; }
  [[nodiscard]] std::uint64_t global_ids() const { return code_.bound(); }
  /// The number of neighbours in all rows, in both directions.
  [[nodiscard]] std::uint64_t entries() const { return 2 * size_.edges; }

  [[nodiscard]] std::uint64_t graph_bytes(const GraphLayout& layout) const {
    const std::uint64_t stride = code_.stride();
    const std::uint64_t names =
        ConnectedLabels::bytes_for(size_.labels, size_.connected_vertices) +
        Partition::bytes_beside_labels(local_ids(), ranks_ * size_.hubs) +
        ranks_ * LabelLookup::labels_for(stride, Hubs::end_of(size_.hubs), ranks_) * label_bytes(size_);
    const std::uint64_t rows = by_width([&]<class Neighbour>(Neighbour) {
      return layout.grid ? grid_bytes<Neighbour>(grid_of(*layout.grid, static_cast<int>(ranks_)))
                         : adjacency_bytes<Neighbour>(layout);
    });
    return rows + names;
  }
  [[nodiscard]] std::uint64_t compressed_row_bytes() const {
    return CompressedAdjacency<std::uint32_t>::expected_row_bytes(entries(), size_.connected_vertices);
  }
  /// Bytes of the messages while edges are distributed over a grid of ranks.
  [[nodiscard]] std::uint64_t bytes_to_grid() const {
    using Grid = GridAdjacencies<std::uint32_t>;
    return std::min(entries(), ranks_ * Grid::entries_at_a_time) * neighbour_bytes() * Grid::copies_under_way;
  }
  [[nodiscard]] std::uint64_t device_part_bytes() const {
    return GpuPart::bytes_for(entries(), local_ids(), ranks_ * global_ids());
  }

  /// Bytes of breadth-first searches with `threads` threads per rank.
  [[nodiscard]] std::uint64_t bfs_bytes(int threads) const {
    const FrontierPlan& plan = size_.frontier;
    if (plan.holding == FrontierHolding::on_devices) return result_bytes(size_) + device_search_bytes();
    if (size_.layout.grid) {
      return result_bytes(size_) + grid_search_bytes(size_.connected_vertices, local_ids(), neighbour_bytes(),
                                                     grid_of(*size_.layout.grid, static_cast<int>(ranks_)));
    }
    const bool separated = plan.holding == FrontierHolding::per_subgraph;
    const std::uint64_t ends_of_hubs = separated ? (size_.directed ? 2 : 1) * sizeof(std::uint32_t) * local_ids() : 0;
    const std::uint64_t levels = plan.keeps_levels ? neighbour_bytes() * local_ids() : 0;
    const std::uint64_t messages = plan.only_pushes ? library_message_bytes(plan.nodes) : 0;
    const std::uint64_t state = by_width([&]<class Neighbour>(Neighbour) {
      return SearchState<Neighbour>::bytes_for(local_ids()) + HubReplicas<Neighbour>::bytes_for(size_.hubs, ranks_);
    });
    const std::uint64_t depths = plan.keeps_depths ? local_ids() : 0;
    const bool has_copies = ranks_ == 1 && VisitedCopies::suit(size_.layout.order, threads);
    const std::uint64_t copies = has_copies ? VisitedCopies::bytes_for(local_ids(), threads) : 0;
    return result_bytes(size_) + state + copies + depths +
           frontier_bytes(global_ids() / 8, local_ids() / 8, ranks_, plan) + ends_of_hubs + levels + messages;
  }
  /// Bytes of shortest-path searches: distance and parent of each vertex, and up to three queues that it may be in. The
  /// result has a distance for each label.
  [[nodiscard]] std::uint64_t sssp_bytes() const {
    constexpr std::uint64_t queues = 3 * sizeof(std::uint32_t);
    const std::uint64_t hubs =
        by_width([&]<class Neighbour>(Neighbour) { return ranks_ * HubBounds<Neighbour>::bytes_for(size_.hubs); });
    return local_ids() * (neighbour_bytes() + queues) + distance_bytes() +
           (sweeps() ? 0 : library_message_bytes(size_.distances.nodes)) + hubs + result_bytes(size_) +
           sizeof(float) * size_.labels;
  }

  /// The number of other ranks on the same node, summed over all ranks.
  [[nodiscard]] std::uint64_t neighbours_on_nodes(std::uint64_t nodes) const {
    const std::uint64_t count = nodes_of(nodes);
    return ranks_ * ((ranks_ + count - 1) / count - 1);
  }

 private:
  template <class Body>
  [[nodiscard]] std::uint64_t by_width(Body&& body) const {
    return narrow_ ? body(std::uint32_t{}) : body(std::uint64_t{});
  }

  template <class Neighbour>
  [[nodiscard]] std::uint64_t adjacency_bytes(const GraphLayout& layout) const {
    const std::uint64_t rows = (size_.directed ? 2 : 1) * local_ids();
    switch (layout.adjacency) {
      case AdjacencyForm::full_scan: return ScannedAdjacencies<EdgePairs<Neighbour>>::bytes_for(entries(), rows);
      case AdjacencyForm::skip_list: return ScannedAdjacencies<SkipList<Neighbour>>::bytes_for(entries(), rows);
      case AdjacencyForm::coarse_index:
        return ScannedAdjacencies<IndexedSkipList<Neighbour>>::bytes_for(entries(), rows);
      case AdjacencyForm::rows:
      case AdjacencyForm::compressed: break;
    }
    const bool by_weight = layout.neighbours == NeighbourOrder::weights;
    const std::uint64_t head = layout.columns * HeadColumn<Neighbour>::bytes_for(local_ids(), by_weight);
    if (layout.adjacency == AdjacencyForm::compressed) {
      return compressed_row_bytes() + CompressedAdjacency<Neighbour>::bytes_beside_rows(rows, rows) + head;
    }
    return Adjacency<Neighbour>::bytes_for(rows, entries(), size_.weighted) + head;
  }
  /// Bytes of the rows on a grid. Each vertex may have a row on every rank of its column.
  template <class Neighbour>
  [[nodiscard]] std::uint64_t grid_bytes(GridShape grid) const {
    const std::uint64_t targets = (size_.directed ? 1 : 2) * size_.edges;
    const std::uint64_t sources = static_cast<std::uint64_t>(grid.rows) * size_.connected_vertices;
    return GridAdjacencies<Neighbour>::Sources::bytes_for(sources, std::min(sources, targets), targets) +
           sizeof(std::uint32_t) * size_.connected_vertices;
  }

  /// The number of nodes; `nodes` of 0 means that each rank is on its own.
  [[nodiscard]] std::uint64_t nodes_of(std::uint64_t nodes) const { return nodes == 0 ? ranks_ : nodes; }
  /// Bytes of the MPI library where searches only exchange messages: a rank maps all of the memory in which the library
  /// keeps short messages from each other rank of its node, about a hundred pages each (benchmarks/results/memory.md).
  [[nodiscard]] std::uint64_t library_message_bytes(std::uint64_t nodes) const {
    constexpr std::uint64_t of_another_rank = std::uint64_t{3} << 17;
    return neighbours_on_nodes(nodes) * of_another_rank;
  }

  /// Whether shortest-path searches use sweeps instead of messages in buckets.
  [[nodiscard]] bool sweeps() const { return size_.layout.order == VertexOrder::degree && size_.distances.may_sweep; }
  /// Bytes of the distances of all ranks' vertices if sweeps or buckets read them, else of each rank's own vertices.
  [[nodiscard]] std::uint64_t distance_bytes() const {
    const std::uint64_t nodes = nodes_of(size_.distances.nodes);
    const std::uint64_t pushed = (size_.directed ? 1 : 2) * size_.edges;
    const bool in_buckets =
        size_.distances.known_in_buckets && worth_knowing_others(nodes, size_.connected_vertices, pushed);
    if (ranks_ == 1 || !narrow_ || !(sweeps() || in_buckets)) return sizeof(float) * local_ids();
    return ReplicatedDistances::bytes_for(size_.distances.how, nodes, ranks_, local_ids(), global_ids());
  }

  /// Bytes of replicas of hubs, their mirrors on the host (traverse/devices/gpu_ranks.cpp), and queries. A rank sends
  /// at most one query for each vertex of another rank. A query is in memory twice, at the sender and at the receiver.
  [[nodiscard]] std::uint64_t device_search_bytes() const {
    constexpr std::uint64_t queries = 2 * sizeof(std::uint64_t);
    const std::uint64_t ghosts = std::min((ranks_ - 1) * (size_.connected_vertices - size_.hubs), entries());
    const std::uint64_t mirrors = ranks_ * (sizeof(std::uint32_t) * size_.hubs + size_.hubs / 8);
    return queries * ghosts + HubReplicas<std::uint32_t>::bytes_for(size_.hubs, ranks_) + mirrors;
  }

  const GraphSize& size_;
  std::uint64_t ranks_;
  std::uint64_t local_ids_;  ///< local ids of a rank
  GlobalIdCode code_;
  bool narrow_;
};

Construction construction_of(const GraphSize& size, const Prediction& prediction, int threads) {
  return {.ranks = prediction.ranks(),
          .threads = static_cast<std::uint64_t>(threads),
          .labels = size.labels,
          .tuples = size.tuples / prediction.ranks(),
          .directed = size.directed,
          .weighted = size.weighted,
          .narrow = prediction.narrow(),
          .layout = size.layout};
}
}  // namespace

std::uint64_t bfs_search_bytes(const GraphSize& size, int ranks, int threads) {
  return Prediction(size, ranks).bfs_bytes(threads);
}
std::uint64_t sssp_search_bytes(const GraphSize& size, int ranks) { return Prediction(size, ranks).sssp_bytes(); }

namespace {
/// Predicts the edge list and the processes, which are the same with and without devices.
MemoryPrediction predict_processes(const GraphSize& size, int ranks, int threads, bool edge_list_in_memory) {
  const auto rank_count = static_cast<std::uint64_t>(ranks);
  constexpr std::uint64_t process_bytes = std::uint64_t{17} << 20;
  constexpr std::uint64_t process_buffer_bytes = std::uint64_t{5} << 19;
  constexpr std::uint64_t neighbour_buffer_bytes = std::uint64_t{1} << 16;  // of MPI, for each other rank on the node
  constexpr std::uint64_t thread_bytes = std::uint64_t{1} << 19;
  return {.edge_list_bytes = edge_list_in_memory ? edge_list_bytes(size) : 0,
          .program_bytes = (process_bytes + thread_bytes * static_cast<std::uint64_t>(threads)) * rank_count,
          .buffer_bytes = process_buffer_bytes * rank_count +
                          neighbour_buffer_bytes * Prediction(size, ranks).neighbours_on_nodes(size.frontier.nodes)};
}
}  // namespace

MemoryPrediction predict_memory(const GraphSize& size, const SearchCosts& searches, int ranks, int threads,
                                bool edge_list_in_memory) {
  // For compressed rows: bytes per tuple of the rows by label and the entries being sorted. In a directed graph the
  // rows along edges wait while those against them are built.
  const std::uint64_t rounds_per_tuple = size.directed ? 9 : 8;
  const Prediction graph(size, ranks);

  MemoryPrediction prediction = predict_processes(size, ranks, threads, edge_list_in_memory);
  prediction.graph_bytes = graph.graph_bytes(size.layout);
  prediction.scratch_bytes = scratch_bytes_for(size.labels, size.connected_vertices, size.tuples,
                                               size.directed ? size.edges : 2 * size.edges, size.weighted);
  prediction.search_bytes = searches.search_bytes;
  prediction.result_bytes = searches.result_bytes;
  prediction.validation_bytes = searches.passes.back().bytes;
  GraphLayout in_rows = size.layout;  // the form from which every other one is made, except compressed rows on one rank
  in_rows.adjacency = AdjacencyForm::rows;
  in_rows.grid.reset();
  std::uint64_t built = graph.graph_bytes(in_rows) + prediction.scratch_bytes;
  if (size.layout.adjacency == AdjacencyForm::compressed && ranks == 1) {
    prediction.scratch_bytes += (rounds_per_tuple - scratch_bytes_per_tuple) * size.tuples;
    prediction.scratch_bytes -= std::min(graph.compressed_row_bytes(), rounds_per_tuple * size.tuples);
    built = prediction.graph_bytes + prediction.scratch_bytes;
  }
  if (builds_directly(construction_of(size, graph, threads))) {
    const std::uint64_t direct =
        direct_rows_bytes(size.labels, size.connected_vertices, size.tuples, static_cast<std::uint64_t>(threads));
    prediction.scratch_bytes = direct - std::min(direct, graph.entries() * graph.neighbour_bytes());
    built = std::max(graph.graph_bytes(in_rows), direct);
  }
  if (size.layout.grid) {
    built = std::max(built, graph.graph_bytes(in_rows) + prediction.graph_bytes + graph.bytes_to_grid());
  }
  if (size.frontier.holding == FrontierHolding::on_devices) {
    built = std::max(built, prediction.graph_bytes + graph.device_part_bytes());
  }
  const std::uint64_t searched = prediction.graph_bytes + prediction.search_bytes + prediction.validation_bytes;
  prediction.peak_bytes = prediction.lasting_bytes() + std::max(built, searched);
  return prediction;
}

MemoryPrediction predict_beside_device(const GraphSize& size, int threads, bool edge_list_in_memory) {
  MemoryPrediction prediction = predict_processes(size, 1, threads, edge_list_in_memory);
  prediction.search_bytes = result_bytes(size);
  if (edge_list_in_memory) {
    prediction.scratch_bytes = gpu::edge_bytes(std::min(size.tuples, gpu::max_staged_tuples), false);
  }
  prediction.peak_bytes = prediction.lasting_bytes() + prediction.search_bytes + prediction.scratch_bytes;
  return prediction;
}

MemoryPrediction with_second_graph(const MemoryPrediction& first, const MemoryPrediction& second) {
  const auto most_beside_list = [](const MemoryPrediction& one) { return one.peak_bytes - one.lasting_bytes(); };
  MemoryPrediction both;
  both.edge_list_bytes = std::max(first.edge_list_bytes, second.edge_list_bytes);
  both.graph_bytes = first.graph_bytes + second.graph_bytes;
  both.scratch_bytes = std::max(first.scratch_bytes, second.scratch_bytes);
  both.result_bytes = std::max(first.result_bytes, second.result_bytes);
  // The state of both searches is kept, but only one at a time has a result.
  both.search_bytes =
      first.search_bytes - first.result_bytes + second.search_bytes - second.result_bytes + both.result_bytes;
  both.validation_bytes = std::max(first.validation_bytes, second.validation_bytes);
  both.program_bytes = std::max(first.program_bytes, second.program_bytes);
  both.buffer_bytes = std::max(first.buffer_bytes, second.buffer_bytes);
  both.peak_bytes =
      both.lasting_bytes() + std::max({most_beside_list(first), first.graph_bytes + most_beside_list(second),
                                       both.graph_bytes + both.search_bytes + both.validation_bytes});
  return both;
}

}  // namespace breadth
