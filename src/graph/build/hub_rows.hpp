// The step of kernel 1 that chooses the hubs and collects this rank's share of their edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The hub degree that Pan et al. (2018, section VI-B) suggest for a Kronecker graph with this number of vertices. It
/// grows by a factor of the square root of 2 per scale and is 64 at scale 30. At least 1.
std::uint64_t pan_hub_degree(std::uint64_t vertices);

/// Returns how many vertices of the graph have more than `degree` edges, counting both directions.
using CountAbove = std::function<std::uint64_t(std::uint64_t degree)>;

/// The hub degree: vertices with more edges than this are hubs. A pure function of its arguments, which calls
/// count_above O(log of the largest degree) times. With HubRule::pan and HubRule::automatic the degree rises until hubs
/// are at most four times a rank's share of all labels (Pan et al. 2018, section VI-B). HubRule::automatic has two more
/// conditions:
///
/// - A hub costs a rank 2 bits per level and 4 bytes at the end of a search. Another vertex costs at most two queries
///   of 4 bytes for each of its edges. Therefore hubs have more edges than 3 times the number of ranks.
/// - At most one of `choice.vertices_per_hub` vertices with edges is a hub: a hub costs its bytes in every search,
///   another vertex only the bytes of the queries that happen to be sent about it (benchmarks/results/hubs.md has the
///   bytes).
std::uint64_t hub_degree(const HubChoice& choice, std::uint64_t labels, int ranks, const CountAbove& count_above);

/// Chooses the hubs of a graph: the labels with more edges, counting both directions, than hub_degree() returns.
/// `degrees` and `out_degrees` are those of this rank's labels. On one rank there are no hubs. Collective. Sends 16
/// bytes per hub to every rank.
Hubs choose_hubs(const HubChoice& choice, std::span<const std::uint32_t> degrees,
                 std::span<const std::uint32_t> out_degrees, const BlockDistribution& distribution,
                 const Context& context);

/// Inserts all hubs before the vertices of `order`, which has no hubs. offset_of_local is undefined for hubs that other
/// ranks own and for unused local ids.
LocalOrder with_hubs_first(LocalOrder order, const Hubs& hubs, const BlockDistribution& distribution, int rank);

/// This rank's share of the neighbours of each hub, as local ids of this rank, ascending; with weights, the lightest
/// first. One row per hub, then empty rows up to Hubs::end().
struct HubRows : Adjacency<std::uint32_t> {
  /// Rows that are written together.
  static constexpr std::size_t block = bits_per_word;
  [[nodiscard]] std::size_t blocks() const noexcept { return offsets.size() / block; }
};

/// Collects this rank's share of the hubs' edges from the rows of its labels. An edge between a hub and another vertex
/// is stored on the owner of the other vertex, an edge between two hubs on the owner of the hub with the larger id (Pan
/// et al. 2018, algorithm 1, the distributor of edges). That owner's row has the edge, and the entry in the heavier
/// hub's row is its reverse, so that nothing is sent. `reverse` are the rows in the other direction; for an undirected
/// graph, `rows` itself. O(edges), with one look-up per edge. With weights, takes 16 bytes per edge of the share beside
/// what it returns.
template <class Neighbour>
HubRows take_hub_rows(const RowsByLabel<Neighbour>& rows, const RowsByLabel<Neighbour>& reverse, const Hubs& hubs,
                      std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads);

/// Empties the rows of hubs and releases their memory. Call it after take_hub_rows() has read both directions.
template <class Neighbour>
void drop_hubs(RowsByLabel<Neighbour>& rows, const Hubs& hubs, std::span<const std::uint32_t> local_of_offset,
               ThreadTeam& threads);

}  // namespace breadth
