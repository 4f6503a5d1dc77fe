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
  std::uint64_t here = 0;        ///< by this rank, which has a parent for each
  std::uint64_t anywhere = 0;    ///< by any rank, each counted once
  Traffic traffic = no_traffic;  ///< what this rank sent to combine them
};

/// The replicas of hubs on one rank, in one search after the other (Checconi & Petrini 2014, algorithm 4; Pan et al.
/// 2018, section V-A). In a level each rank visits hubs along its share of their edges, which costs no messages; after
/// it the visited bits of all ranks are combined, so that every rank has every hub in its frontier. A hub's parent is
/// known where it was visited, and comes at the end to the rank that owns its label, which alone has to know it. Costs
/// nothing where there are no hubs.
///
/// A State (SearchState, or HubMirror for what a device has) has this rank's `visited()` bits and `parents()`, hubs
/// first, and learns by `visit_replica(hub, listed)` what others visited.
template <class Neighbour>
class HubReplicas {
 public:
  /// Partition and nodes outlive this. Collective.
  HubReplicas(const Partition& partition, HubMasks how, const Nodes& nodes)
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

  /// Bytes of all ranks together for so many hubs: their order by owner, their parents in it, once more those that each
  /// owns, and three bits.
  static constexpr std::uint64_t bytes_for(std::uint64_t hubs, std::uint64_t ranks) {
    constexpr std::uint64_t bitmaps = 3;
    return ranks * (sizeof(std::uint32_t) + sizeof(Neighbour)) * hubs + sizeof(Neighbour) * hubs +
           ranks * (bitmaps * hubs / 8);
  }

  /// A search begins: a source that is a hub is visited everywhere. `source` is its local id on the rank that owns it,
  /// no_local_vertex on others. Collective: where there are hubs, one number is reduced.
  template <class State>
  void start(LocalVertex source, State& state) {
    forget_visits();
    if (left_ == 0) return;
    const LocalVertex hub{
        static_cast<std::uint32_t>(ranks_.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
    if (hubs_.contains(hub)) start_from(hub.value, hub == source, state);
  }

  /// The same from several sources, which the state has visited on the ranks that own them. Collective: where there are
  /// hubs, a bit of each is reduced.
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

  /// This rank has visited all hubs that it can in a level; what is visited afterwards are others. Collective.
  template <class State>
  void start_sharing(const State& state) {
    if (left_ == 0) return;
    const std::span<const std::uint64_t> mine = state.visited().words().first(masks_.size());
    std::copy(mine.begin(), mine.end(), masks_.begin());
    reduction_.start(masks_);
  }

  /// What each rank visited in the level is visited on all. Collective: one reduction of a bit a hub, and nothing once
  /// all of them are visited.
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

  /// What a rank adds to a sum over all of the vertices that it claimed, in which no hub counts twice.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t claimed, const HubLevel& level) const {
    return claimed - level.here + (ranks_.rank() == 0 ? level.anywhere : 0);
  }
  /// The same of its first so many vertices, if all hubs are among them.
  [[nodiscard]] std::uint64_t count_once(std::uint64_t vertices) const {
    return vertices - hubs_.end() + (ranks_.rank() == 0 ? hubs_.count() : 0);
  }

  /// Every hub whose label this rank owns gets the parent that one of the ranks has for it: of several the one with
  /// the smallest label. Other hubs' parents are no more than what this rank knows of them. Collective: one
  /// reduce-scatter of a label a hub, of which each rank sends all but its own part and combines what it owns. Returns
  /// what all ranks sent.
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
  /// A hub is a source, and was visited by this rank or by another.
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
  Bitmap visited_;                       ///< by any rank, up to the last level
  Bitmap visited_here_;                  ///< by this rank
  std::vector<std::uint64_t> masks_;     ///< of all ranks
  std::vector<std::uint32_t> by_owner_;  ///< all hubs, those whose labels rank 0 owns first, then rank 1's, and so on
  std::vector<std::size_t> owned_;       ///< how many each rank owns
  std::size_t first_own_ = 0;            ///< where this rank's begin
  std::vector<Neighbour> parents_;       ///< the labels of those that this rank knows, by owner
  std::vector<Neighbour> settled_;       ///< of the hubs that this rank owns
};

}  // namespace breadth
