// Exchange of the hubs that were visited in a search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "graph/partition.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/replication.hpp"

namespace breadth {

/// The hubs that a level visited.
struct HubLevel {
  std::uint64_t here = 0;        ///< visited by this rank, which has their parents
  std::uint64_t anywhere = 0;    ///< visited by any rank; each hub counts once
  Traffic traffic = no_traffic;  ///< what this rank sent to combine them
};

/// The replicas of hubs on one rank, search after search (Checconi & Petrini 2014, algorithm 4; Pan et al. 2018,
/// section V-A). In a level each rank visits hubs along its share of their edges, without messages. After the level the
/// visited bits of all ranks are combined, so that every visited hub is in every rank's frontier. The ranks that
/// visited a hub know its parent, and send it at the end to the rank that owns the hub's label, the only one that needs
/// it. Costs nothing without hubs.
///
/// A State (SearchState, or HubMirror for a search on a device) has this rank's `visited()` bits and `parents()`, hubs
/// first. Its `visit_replica(hub, listed)` is called for hubs that other ranks visited.
template <class Neighbour>
class HubReplicas {
 public:
  /// Partition and nodes must outlive this. Collective.
  HubReplicas(const Partition& partition, HubMaskPolicy how, const Nodes& nodes)
      : hubs_(partition.hubs()),
        ranks_(nodes.all()),
        nodes_(nodes),
        reduction_(how, nodes),
        visited_(hubs_.count()),
        visited_here_(hubs_.count()),
        masks_(visited_.words().size()),
        by_owner_(hubs_.count()),
        owned_(static_cast<std::size_t>(ranks_.size())),
        parents_(hubs_.count()) {
    const BlockDistribution& labels = partition.distribution();
    std::iota(by_owner_.begin(), by_owner_.end(), 0);
    const auto owner = [&](std::uint32_t hub) { return labels.owner(hubs_[LocalVertex{hub}].label); };
    std::stable_sort(by_owner_.begin(), by_owner_.end(), [&](auto a, auto b) { return owner(a) < owner(b); });
    for (const std::uint32_t hub : by_owner_) ++owned_[static_cast<std::size_t>(owner(hub))];
    const auto self = static_cast<std::size_t>(ranks_.rank());
    first_own_ = std::accumulate(owned_.begin(), owned_.begin() + ranks_.rank(), std::size_t{0});
    settled_.resize(owned_[self]);
  }

  /// Bytes of all ranks together: for each hub its place in the order of owners, its parent, and three bits; and for
  /// its owner the parent again.
  static constexpr std::uint64_t bytes_for(std::uint64_t hubs, std::uint64_t ranks) {
    constexpr std::uint64_t bitmaps = 3;
    return ranks * (sizeof(std::uint32_t) + sizeof(Neighbour)) * hubs + sizeof(Neighbour) * hubs +
           ranks * (bitmaps * hubs / 8);
  }

  /// Begins a search: if the source is a hub, visits it on every rank. `source` is its local id on the rank that owns
  /// it, no_local_vertex on others. Collective; reduces one number if there are hubs.
  template <class State>
  void start(LocalVertex source, State& state) {
    forget_visits();
    if (left_ == 0) return;
    const LocalVertex hub{
        static_cast<std::uint32_t>(ranks_.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
    if (hubs_.contains(hub)) start_from(hub.value, hub == source, state);
  }

  /// Begins a search from several sources, which the state has visited on the ranks that own them. Collective; reduces
  /// one bit per hub if there are hubs.
  template <class State>
  void start_from_visited(State& state) {
    forget_visits();
    if (left_ == 0) return;
    const std::span<const std::uint64_t> mine = std::as_const(state).visited().words().first(masks_.size());
    std::copy(mine.begin(), mine.end(), masks_.begin());
    ranks_.all_reduce(std::span(masks_), Reduction::bitwise_or);
    for (std::uint32_t hub = 0; hub < hubs_.count(); ++hub) {
      if (test_bit(masks_, hub)) start_from(hub, std::as_const(state).visited().contains(hub), state);
    }
  }

  /// Starts to combine the ranks' visited hubs. In this level the rank visits no hubs after this call. Collective.
  template <class State>
  void start_sharing(const State& state) {
    if (left_ == 0) return;
    const std::span<const std::uint64_t> mine = state.visited().words().first(masks_.size());
    std::copy(mine.begin(), mine.end(), masks_.begin());
    reduction_.start(masks_);
  }

  /// Visits on every rank the hubs that any rank visited in the level. Collective: one reduction of a bit a hub, and
  /// nothing once all hubs are visited.
  template <class State>
  HubLevel finish_sharing(State& state, Direction direction) {
    if (left_ == 0) return {};
    const std::span<const std::uint64_t> mine = std::as_const(state).visited().words().first(masks_.size());
    HubLevel level{.traffic = reduction_.finish()};
    for (std::size_t word = 0; word < masks_.size(); ++word) {
      const std::uint64_t here = mine[word] & ~visited_.words()[word];
      const std::uint64_t anywhere = masks_[word] & ~visited_.words()[word];
      for_each_set_bit(anywhere & ~here, word * bits_per_word, [&](std::size_t hub) {
        state.visit_replica(static_cast<std::uint32_t>(hub), direction == Direction::push);
      });
      visited_here_.words()[word] |= here;
      visited_.words()[word] |= anywhere;
      level.here += static_cast<std::uint64_t>(std::popcount(here));
      level.anywhere += static_cast<std::uint64_t>(std::popcount(anywhere));
    }
    left_ -= level.anywhere;
    return level;
  }

  /// This rank's term in the sum of claimed vertices over all ranks, so that no hub counts twice.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t claimed, const HubLevel& level) const {
    return claimed - level.here + (ranks_.rank() == 0 ? level.anywhere : 0);
  }
  /// This rank's term in the sum of vertices over all ranks. All hubs must be among its first `vertices` vertices.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t vertices) const {
    return vertices - hubs_.end() + (ranks_.rank() == 0 ? hubs_.count() : 0);
  }

  /// Gives every hub whose label this rank owns its parent: of the parents that ranks have for it, the one with the
  /// smallest label. The parents of other hubs stay as they are. Collective: one reduce-scatter of a label a hub, of
  /// which each rank sends all but its own part. Returns the traffic of all ranks.
  template <class State>
  Traffic settle_parents(State& state) {
    if (hubs_.count() == 0) return no_traffic;
    constexpr auto no_parent = static_cast<Neighbour>(no_label.value);  // more than any label
    for (std::size_t i = 0; i < by_owner_.size(); ++i) {
      parents_[i] = visited_here_.contains(by_owner_[i]) ? state.parents()[by_owner_[i]] : no_parent;
    }
    ranks_.reduce_scatter(std::span<const Neighbour>(parents_), std::span(settled_), owned_, Reduction::minimum);
    for (std::size_t i = 0; i < settled_.size(); ++i) state.parents()[by_owner_[first_own_ + i]] = settled_[i];
    const std::uint64_t bytes = static_cast<std::uint64_t>(ranks_.size() - 1) * parents_.size() * sizeof(Neighbour);
    return {.bytes = bytes, .bytes_between_nodes = nodes_.bytes_between(bytes)};
  }

 private:
  /// Marks a hub that is a source as visited, by this rank or by another.
  template <class State>
  void start_from(std::uint32_t hub, bool visited_here, State& state) {
    visited_.insert(hub);
    --left_;
    if (visited_here) {
      visited_here_.insert(hub);
    } else {
      state.visit_replica(hub, true);
    }
  }
  void forget_visits() {
    visited_.clear();
    visited_here_.clear();
    left_ = hubs_.count();
  }

  const Hubs& hubs_;
  const Communicator& ranks_;
  const Nodes& nodes_;
  MaskReduction reduction_;
  std::uint64_t left_ = 0;               ///< hubs that are not visited
  Bitmap visited_;                       ///< hubs visited by any rank, up to the last level
  Bitmap visited_here_;                  ///< hubs visited by this rank
  std::vector<std::uint64_t> masks_;     ///< visited hubs, being combined
  std::vector<std::uint32_t> by_owner_;  ///< all hubs, those whose labels rank 0 owns first, then rank 1's, and so on
  std::vector<std::size_t> owned_;       ///< the number of hubs that each rank owns
  std::size_t first_own_ = 0;            ///< the place of this rank's first in by_owner_
  std::vector<Neighbour> parents_;       ///< labels of parents that this rank knows, in the order of by_owner_
  std::vector<Neighbour> settled_;       ///< labels of the parents of the hubs that this rank owns
};

}  // namespace breadth
