// The step of kernel 1 that makes hubs: which vertices are, and this rank's share of their edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/build/rows_by_label.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The degree that Pan et al. (2018, section VI-B) suggest for Kronecker graphs of so many vertices: it grows by the
/// square root of 2 a scale, through 64 at scale 30. At least 1.
std::uint64_t pan_hub_degree(std::uint64_t vertices);

/// How many vertices of a graph have more edges than this, either way.
using CountAbove = std::function<std::uint64_t(std::uint64_t degree)>;

/// The largest degree that no hub has in a graph of so many labels on so many ranks. A pure function of its arguments,
/// which asks for O(log of the largest degree) counts. By any rule hubs are at most four times a rank's share of all
/// labels (Pan et al. 2018, section VI-B), for which the degree rises as far as it must. HubRule::automatic, moreover:
///
/// - A hub takes a rank 2 bits a level and 4 bytes in the end, another vertex at most two queries of 4 bytes for each
///   of its edges: hubs have more edges than 3 times the ranks.
/// - Of so many vertices with edges one at most is a hub: it takes its bytes in every search, while others cost nothing
///   but what searches happen to tell of them (benchmarks/results/hubs.md has the bytes).
std::uint64_t hub_degree(const HubChoice& choice, std::uint64_t labels, int ranks, const CountAbove& count_above);

/// The hubs of a graph: the labels with more edges, either way, than hub_degree says. `degrees` and `out_degrees` are
/// of this rank's labels. Nothing on one rank. Collective; brings 16 bytes a hub to every rank.
Hubs choose_hubs(const HubChoice& choice, std::span<const std::uint32_t> degrees,
                 std::span<const std::uint32_t> out_degrees, const BlockDistribution& distribution,
                 const Context& context);

/// The order of a rank's vertices with hubs before those that `order` has; hubs are not in it. Of hubs that other ranks
/// own, and of ids that are nobody's, offset_of_local says nothing.
LocalOrder with_hubs_first(LocalOrder order, const Hubs& hubs, const BlockDistribution& distribution, int rank);

/// This rank's share of the neighbours of each hub, as local ids of this rank, rising; with weights, the lightest
/// first.
class HubRows {
 public:
  HubRows() = default;
  /// `offsets` has one entry more than there are rows; `weights` are beside the neighbours, or none.
  HubRows(Buffer<EdgeOffset> offsets, Buffer<std::uint32_t> neighbours, Buffer<float> weights)
      : offsets_(std::move(offsets)), neighbours_(std::move(neighbours)), weights_(std::move(weights)) {}

  /// One a hub, and empty ones up to Hubs::end().
  [[nodiscard]] std::size_t size() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> row(std::size_t hub) const noexcept {
    return neighbours_.span().subspan(offsets_[hub], offsets_[hub + 1] - offsets_[hub]);
  }
  [[nodiscard]] bool weighted() const noexcept { return !weights_.empty(); }
  /// Of the same, 0 in a graph without weights.
  [[nodiscard]] float weight(std::size_t hub, std::size_t place) const noexcept {
    return weights_.empty() ? 0 : weights_[offsets_[hub] + place];
  }
  /// Rows that are written together.
  [[nodiscard]] std::size_t blocks() const noexcept { return size() / block; }
  static constexpr std::size_t block = bits_per_word;

 private:
  Buffer<EdgeOffset> offsets_;
  Buffer<std::uint32_t> neighbours_;
  Buffer<float> weights_;
};

/// Takes this rank's share of the hubs' edges out of the rows of its labels. An edge is where its lighter end is owned,
/// of two hubs the one with the larger id (Pan et al. 2018, algorithm 1, the distributor of edges): there the row of
/// that end has it, and the heavier end's row is the reverse, so that nothing travels. `reverse` are the rows the other
/// way; of an undirected graph the same. O(edges), one look-up each; with weights 16 bytes an edge of the share beside
/// what it returns.
template <class Neighbour>
HubRows take_hub_rows(const RowsByLabel<Neighbour>& rows, const RowsByLabel<Neighbour>& reverse, const Hubs& hubs,
                      std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads);

/// Empties the rows of hubs, once they are taken out both ways, and gives back what memory they leave.
template <class Neighbour>
void drop_hubs(RowsByLabel<Neighbour>& rows, const Hubs& hubs, std::span<const std::uint32_t> local_of_offset,
               ThreadTeam& threads);

}  // namespace breadth
