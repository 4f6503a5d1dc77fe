#include "model/memory_prediction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/policy/graph_layout.hpp"
#include "core/policy/replication.hpp"

namespace breadth {

namespace {
/// Hubs have words of a bitmap to themselves (graph/partition.hpp).
std::uint64_t hub_ids(const GraphSize& size) {
  constexpr std::uint64_t word = 64;
  return (size.hubs + word - 1) / word * word;
}

/// Local ids of a rank: its share of the vertices, and a replica of each hub.
std::uint64_t local_ids(const GraphSize& size, std::uint64_t ranks) {
  return (size.connected_vertices - size.hubs + ranks - 1) / ranks + hub_ids(size);
}

/// Global ids name vertices of any rank: as many for each rank as the next power of two (graph/partition.hpp).
std::uint64_t global_id_bound(const GraphSize& size, std::uint64_t ranks) {
  return std::bit_ceil(std::max<std::uint64_t>(local_ids(size, ranks), 64)) * ranks;
}

std::uint64_t neighbour_bytes(const GraphSize& size, std::uint64_t ranks) {
  constexpr std::uint64_t narrow = std::uint64_t{1} << 32;
  return size.labels < narrow && global_id_bound(size, ranks) <= narrow / 2 ? 4 : 8;
}

/// The neighbours in rows that are compressed. How far apart they are depends on the graph: these are the bytes of a
/// neighbour in Kronecker graphs of scale 10 to 22, fitted within 0.5 %.
std::uint64_t compressed_bytes(const GraphSize& size) {
  const double bits = std::log2(static_cast<double>(std::max<std::uint64_t>(size.connected_vertices, 1)));
  const double bytes_per_neighbour = 1.35 - 0.0297 * bits + 0.00227 * bits * bits;
  return static_cast<std::uint64_t>(2 * static_cast<double>(size.edges) * bytes_per_neighbour);
}

/// What says who is whose neighbour, both ways round if directed (docs/data-layout.md has the parts).
std::uint64_t adjacency_bytes(const GraphSize& size, std::uint64_t ranks, std::uint64_t width) {
  const std::uint64_t entries = 2 * size.edges;  // undirected: both ends have it; directed: out-rows and in-rows
  const std::uint64_t vertices = ranks * local_ids(size, ranks);
  const std::uint64_t rows = (size.directed ? 2 : 1) * vertices;
  const std::uint64_t degrees = 4 * rows;
  const std::uint64_t skip_list = entries * width + 8 * rows + degrees;
  switch (size.layout.adjacency) {
    case AdjacencyForm::full_scan: return entries * (width + 4) + degrees;
    case AdjacencyForm::skip_list: return skip_list;
    case AdjacencyForm::coarse_index: return skip_list + rows / 8;
    case AdjacencyForm::rows:
    case AdjacencyForm::compressed: break;
  }
  const bool by_weight = size.layout.neighbours == NeighbourOrder::weights;
  const std::uint64_t beside = by_weight ? 4 : 0;  // the weight
  // Global id, label and perhaps weight.
  const std::uint64_t leading = size.layout.columns * (2 * width + beside) * vertices;
  if (size.layout.adjacency == AdjacencyForm::compressed) return compressed_bytes(size) + 8 * rows + degrees + leading;
  return entries * (width + (size.weighted ? 4 : 0)) + 8 * rows + leading;
}

/// The edges on a grid of ranks (graph/forms/paper_adjacencies.hpp): each vertex may have a row on every rank of its
/// column.
std::uint64_t grid_bytes(const GraphSize& size, std::uint64_t width, int ranks) {
  const std::uint64_t entries = (size.directed ? 1 : 2) * size.edges;
  const auto sources = static_cast<std::uint64_t>(grid_of(*size.layout.grid, ranks).rows) * size.connected_vertices;
  const std::uint64_t index = sources / 8 + sources / 16 + 8 * std::min(sources, entries);
  return entries * width + index + 4 * size.connected_vertices;
}

/// The bitmaps of a search on a grid: the frontier of each column, and what is sent in each row; and what is folded in
/// a level, all vertices at the most, on its way in and out.
std::uint64_t grid_search_bytes(const GraphSize& size, std::uint64_t width, int ranks) {
  const GridShape grid = grid_of(*size.layout.grid, ranks);
  const auto copies = static_cast<std::uint64_t>(grid.rows) + static_cast<std::uint64_t>(grid.columns);
  return copies * size.connected_vertices / 8 + 6 * width * size.connected_vertices;
}

/// The table from global ids to labels: up to four ranks know every vertex, more ranks know the most connected ones,
/// four blocks' worth each (graph/partition.hpp).
std::uint64_t lookup_bytes(const GraphSize& size, std::uint64_t ranks) {
  const std::uint64_t stride = global_id_bound(size, ranks) / ranks;
  const std::uint64_t known = std::bit_ceil(std::max<std::uint64_t>(1024, 4 * stride / ranks));
  return ranks * (hub_ids(size) + ranks * std::min(known, stride - hub_ids(size))) * label_bytes(size);
}

std::uint64_t graph_bytes(const GraphSize& size, std::uint64_t ranks, std::uint64_t width) {
  constexpr std::uint64_t of_a_hub = 16;  // its label and degrees
  const std::uint64_t names = size.labels / 8 + size.labels / 16 + 4 * size.connected_vertices +
                              ranks * (4 * local_ids(size, ranks) + of_a_hub * size.hubs);
  const std::uint64_t adjacency =
      size.layout.grid ? grid_bytes(size, width, static_cast<int>(ranks)) : adjacency_bytes(size, ranks, width);
  return adjacency + names + lookup_bytes(size, ranks);
}

/// 0 for each rank on its own.
std::uint64_t nodes_of(std::uint64_t nodes, std::uint64_t ranks) { return nodes == 0 ? ranks : nodes; }

/// How many other ranks all ranks have on their nodes.
std::uint64_t neighbours_on_nodes(std::uint64_t nodes, std::uint64_t ranks) {
  const std::uint64_t count = nodes_of(nodes, ranks);
  return ranks * ((ranks + count - 1) / count - 1);
}

/// Where searches exchange messages alone: a rank comes to see all of the memory in which the MPI library
/// keeps short messages from each other rank of its node, about a hundred pages (benchmarks/results/memory.md).
std::uint64_t message_bytes(std::uint64_t nodes, std::uint64_t ranks) {
  constexpr std::uint64_t of_another_rank = std::uint64_t{3} << 17;
  return neighbours_on_nodes(nodes, ranks) * of_another_rank;
}

/// Whether searches for shortest paths sweep rather than exchange messages in buckets.
bool sweeps(const GraphSize& size) { return size.layout.order == VertexOrder::degree && size.distances.may_sweep; }

/// Where sweeps or buckets read all ranks' distances (traverse/replication/replicated_distances.hpp,
/// traverse/sssp.cpp): of memory that a node shares gaps between ranks are touched too.
std::uint64_t distance_bytes(const GraphSize& size, std::uint64_t ranks, std::uint64_t width) {
  constexpr std::uint64_t distance = 4;
  const std::uint64_t nodes = nodes_of(size.distances.nodes, ranks);
  const std::uint64_t entries = (size.directed ? 1 : 2) * size.edges;
  const bool in_buckets =
      size.distances.known_in_buckets && worth_knowing_others(nodes, size.connected_vertices, entries);
  const std::uint64_t vertices = ranks * local_ids(size, ranks);
  if (ranks == 1 || width != 4 || !(sweeps(size) || in_buckets)) return distance * vertices;
  const bool shared = shares_in_queues(size.distances.how) && nodes < ranks;
  return distance * (shared ? nodes * global_id_bound(size, ranks) : ranks * vertices);
}

/// What each rank has of all hubs (traverse/replication/hub_replicas.hpp): their order by owner and their parents in
/// it, once more those that it owns, and three bits.
std::uint64_t hub_replica_bytes(const GraphSize& size, std::uint64_t ranks, std::uint64_t width) {
  return ranks * (4 + width) * size.hubs + width * size.hubs + ranks * (3 * size.hubs / 8);
}

/// Searches on devices: results, hubs with what the host mirrors of them (traverse/devices/gpu_ranks.cpp), and
/// queries as they go and as they have come, of which there are at most one for each vertex of another rank that may be
/// a neighbour.
std::uint64_t device_search_bytes(const GraphSize& size, std::uint64_t ranks) {
  constexpr std::uint64_t queries = 2 * sizeof(std::uint64_t);
  const std::uint64_t ghosts = std::min((ranks - 1) * (size.connected_vertices - size.hubs), 2 * size.edges);
  const std::uint64_t mirrors = ranks * (4 * size.hubs + size.hubs / 8);
  return result_bytes(size) + queries * ghosts + hub_replica_bytes(size, ranks, 4) + mirrors;
}
/// What is copied to them, as it is laid out before (traverse/devices/gpu_part.hpp).
std::uint64_t device_part_bytes(const GraphSize& size, std::uint64_t ranks) {
  constexpr std::uint64_t per_vertex = 16;  // end of its row, label, first neighbour
  return 2 * size.edges * 4 + per_vertex * ranks * local_ids(size, ranks) +
         ranks * global_id_bound(size, ranks) * 3 / 16;
}

/// Kernel 1, beside the larger of the rows by label and the finished graph.
std::uint64_t construction_scratch_bytes(const GraphSize& size) {
  constexpr std::uint64_t per_vertex = 16;
  constexpr std::uint64_t per_label = 4;  // the whole table of local ids
  const std::uint64_t bytes =
      scratch_bytes_per_tuple * size.tuples + per_vertex * size.connected_vertices + per_label * size.labels;
  if (!size.weighted) return bytes;
  // Weights lie twice in the part that is being moved (graph/build/rows_by_global_id.cpp), and entries are sorted in 16
  // bytes.
  constexpr std::uint64_t part_entries = std::uint64_t{1} << 23;
  const std::uint64_t entries = size.directed ? size.edges : 2 * size.edges;
  return bytes + 4 * std::min(entries, part_entries) + 2 * size.tuples;
}

Construction construction_of(const GraphSize& size, int ranks, int threads, std::uint64_t width) {
  const auto rank_count = static_cast<std::uint64_t>(ranks);
  return {.ranks = rank_count,
          .threads = static_cast<std::uint64_t>(threads),
          .labels = size.labels,
          .tuples = size.tuples / rank_count,
          .directed = size.directed,
          .weighted = size.weighted,
          .narrow = width == 4,
          .layout = size.layout};
}

/// What its short way takes at most, the rows among it: duplicates have their places until the end, and where keys have
/// no room for them rows are named beside.
std::uint64_t direct_bytes(const GraphSize& size, int threads) {
  constexpr std::uint64_t per_label = 12;  // degree, place in the order, place in the buckets
  constexpr std::uint64_t per_vertex = 8;
  constexpr std::uint64_t most_of_keys = std::uint64_t{1} << 22;
  const std::uint64_t names = size.connected_vertices > most_of_keys ? 4 : 0;
  return (per_label + static_cast<std::uint64_t>(threads)) * size.labels + per_vertex * size.connected_vertices +
         (8 + names) * size.tuples;
}
}  // namespace

std::uint64_t label_bytes(const GraphSize& size) { return size.labels < 0xFFFFFFFFU ? 4 : 8; }

std::uint64_t edge_list_bytes(const GraphSize& size) { return size.tuples * (size.weighted ? 16 : 12); }

std::uint64_t result_bytes(const GraphSize& size) { return size.labels * label_bytes(size); }

std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan) {
  if (plan.holding == FrontierHolding::asked) return 2 * part_bytes;
  if (plan.holding == FrontierHolding::apart) return part_bytes + bitmap_bytes;  // visited vertices, and hubs alone
  const std::uint64_t nodes = plan.node_count(ranks);
  const std::uint64_t queue_copies = shares_in_queues(plan.how) ? nodes : ranks;
  const std::uint64_t summary_copies = shares_all(plan.how) ? nodes : ranks;
  const std::uint64_t parts_apart = plan.how == Replication::shared_in ? part_bytes : 0;
  const std::uint64_t queue = queue_copies * bitmap_bytes + parts_apart;
  const bool sends_what_changed = ranks > 1 && (plan.granularity != 0 || plan.leaves_out_visited(ranks));
  const std::uint64_t sent = sends_what_changed ? queue_copies * part_bytes + parts_apart : 0;
  const std::uint64_t summary_and_changes =
      plan.granularity == 0 ? 0 : 2 * summary_copies * bitmap_bytes / plan.granularity;
  return queue + sent + summary_and_changes;
}

std::uint64_t validation_message_bytes(const GraphSize& size, int ranks, int threads, std::uint64_t levels_bytes) {
  if (ranks == 1) return 0;
  constexpr double copies = 4;  // as it is collected, in an array that doubles, to be sent, and as it has come
  const double p = ranks;
  // Those of a round: messages_per_round (validate/label_messages.hpp).
  const double most = std::min(std::ldexp(threads, 16), std::ldexp(1, 18));
  const double round = std::clamp(std::floor(std::ldexp(1, 24) / p), std::ldexp(1, 14), most);
  const double tuples = std::min(round, static_cast<double>(size.tuples) / p);
  const double tuple_bytes = size.layout.neighbours == NeighbourOrder::weights ? 16 : 12;
  const double of_neither_end = (p - 1) * (p - 1) / (p * p);
  const double of_one_end = (p - 1) / p;
  const double bytes = of_neither_end * tuple_bytes + of_one_end * (tuple_bytes + static_cast<double>(levels_bytes));
  return static_cast<std::uint64_t>(p * tuples * copies * bytes);
}

std::uint64_t bfs_search_bytes(const GraphSize& size, int rank_count) {
  const auto ranks = static_cast<std::uint64_t>(rank_count);
  const std::uint64_t width = neighbour_bytes(size, ranks);
  if (size.frontier.holding == FrontierHolding::on_devices) return device_search_bytes(size, ranks);
  const std::uint64_t vertices = ranks * local_ids(size, ranks);
  const std::uint64_t parents = vertices * width + result_bytes(size);
  const std::uint64_t own_bitmaps = vertices / 4;
  if (size.layout.grid) return parents + own_bitmaps + grid_search_bytes(size, width, rank_count);
  const std::uint64_t lists = 4 * vertices;  // of half of them, as they are found and as they are gone through
  const bool apart = size.frontier.holding == FrontierHolding::apart;
  const std::uint64_t ends_of_hubs = apart ? (size.directed ? 8 : 4) * vertices : 0;  // in each row
  const std::uint64_t levels = size.frontier.keeps_levels ? width * vertices : 0;
  const std::uint64_t messages = size.frontier.only_pushes ? message_bytes(size.frontier.nodes, ranks) : 0;
  return parents + frontier_bytes(global_id_bound(size, ranks) / 8, vertices / 8, ranks, size.frontier) + own_bitmaps +
         hub_replica_bytes(size, ranks, width) + lists + ends_of_hubs + levels + messages;
}

/// Shortest paths: distance and parent of each vertex, and up to three queues that it may be in; the result has a
/// distance for each label. Of each hub a rank has a bound and its parent, bounds as they travel and as they are
/// reduced, and the label that settles its parent (traverse/sssp/hub_bounds.hpp).
std::uint64_t sssp_search_bytes(const GraphSize& size, int rank_count) {
  const auto ranks = static_cast<std::uint64_t>(rank_count);
  const std::uint64_t width = neighbour_bytes(size, ranks);
  constexpr std::uint64_t distance = 4;
  constexpr std::uint64_t queues = 12;  // 4 bytes in each
  constexpr std::uint64_t sent = 8;     // as it is sent, and as it has come
  constexpr std::uint64_t reduced = 8 + 12;
  constexpr std::uint64_t settled = 8;
  const std::uint64_t hub_bounds = ranks * size.hubs * (distance + width + 2 * sent + reduced + settled);
  return ranks * local_ids(size, ranks) * (width + queues) + distance_bytes(size, ranks, width) +
         (sweeps(size) ? 0 : message_bytes(size.distances.nodes, ranks)) + hub_bounds + result_bytes(size) +
         distance * size.labels;
}

namespace {
/// The edge list and the processes: the same with and without devices.
MemoryPrediction predict_processes(const GraphSize& size, int ranks, int threads, bool edge_list_in_memory) {
  const auto rank_count = static_cast<std::uint64_t>(ranks);
  constexpr std::uint64_t process_bytes = std::uint64_t{17} << 20;
  constexpr std::uint64_t process_buffer_bytes = std::uint64_t{5} << 19;
  constexpr std::uint64_t neighbour_buffer_bytes = std::uint64_t{1} << 16;  // of the MPI library, for each on the node
  constexpr std::uint64_t thread_bytes = std::uint64_t{1} << 19;
  return {.edge_list_bytes = edge_list_in_memory ? edge_list_bytes(size) : 0,
          .program_bytes = (process_bytes + thread_bytes * static_cast<std::uint64_t>(threads)) * rank_count,
          .buffer_bytes = process_buffer_bytes * rank_count +
                          neighbour_buffer_bytes * neighbours_on_nodes(size.frontier.nodes, rank_count)};
}
}  // namespace

MemoryPrediction predict_memory(const GraphSize& size, const SearchCosts& searches, int ranks, int threads,
                                bool edge_list_in_memory) {
  const auto rank_count = static_cast<std::uint64_t>(ranks);
  const std::uint64_t width = neighbour_bytes(size, rank_count);
  // Rows by label, compressed, and what is sorted beside them; the rows along directed edges wait for those against.
  const std::uint64_t rounds_per_tuple = size.directed ? 9 : 8;

  MemoryPrediction prediction = predict_processes(size, ranks, threads, edge_list_in_memory);
  prediction.graph_bytes = graph_bytes(size, rank_count, width);
  prediction.scratch_bytes = construction_scratch_bytes(size);
  prediction.search_bytes = searches.search_bytes;
  prediction.result_bytes = searches.result_bytes;
  prediction.validation_bytes = searches.passes.back().bytes;
  GraphSize in_rows = size;  // which every other form is made of, except compressed ones on one rank
  in_rows.layout.adjacency = AdjacencyForm::rows;
  in_rows.layout.grid.reset();
  std::uint64_t built = graph_bytes(in_rows, rank_count, width) + prediction.scratch_bytes;
  if (size.layout.adjacency == AdjacencyForm::compressed && ranks == 1) {
    const std::uint64_t kept = compressed_bytes(size);
    prediction.scratch_bytes += (rounds_per_tuple - scratch_bytes_per_tuple) * size.tuples;
    prediction.scratch_bytes -= std::min(kept, rounds_per_tuple * size.tuples);
    built = prediction.graph_bytes + prediction.scratch_bytes;
  }
  if (builds_directly(construction_of(size, ranks, threads, width))) {
    const std::uint64_t direct = direct_bytes(size, threads);
    prediction.scratch_bytes = direct - std::min(direct, 2 * width * size.edges);
    built = std::max(graph_bytes(in_rows, rank_count, width), direct);
  }
  if (size.layout.grid) {
    constexpr std::uint64_t round_entries = std::uint64_t{1} << 20;  // of a rank (graph/forms/paper_adjacencies.cpp)
    constexpr std::uint64_t copies = 3;                              // dealt out, in order, and as they came
    const std::uint64_t moving = std::min(2 * size.edges, rank_count * round_entries) * width * copies;
    built = std::max(built, graph_bytes(in_rows, rank_count, width) + prediction.graph_bytes + moving);
  }
  if (size.frontier.holding == FrontierHolding::on_devices) {
    built = std::max(built, prediction.graph_bytes + device_part_bytes(size, rank_count));
  }
  const std::uint64_t searched = prediction.graph_bytes + prediction.search_bytes + prediction.validation_bytes;
  prediction.peak_bytes = prediction.lasting_bytes() + std::max(built, searched);
  return prediction;
}

MemoryPrediction predict_beside_device(const GraphSize& size, int threads, bool edge_list_in_memory) {
  constexpr std::uint64_t staged_tuples = std::uint64_t{1} << 22;  // gpu/tuples/tuple_blocks.hpp
  constexpr std::uint64_t staged_bytes = 8;
  MemoryPrediction prediction = predict_processes(size, 1, threads, edge_list_in_memory);
  prediction.search_bytes = result_bytes(size);
  if (edge_list_in_memory) prediction.scratch_bytes = staged_bytes * std::min(size.tuples, staged_tuples);
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
  // Searches of both wait, but only one at a time has a result.
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
