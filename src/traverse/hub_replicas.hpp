// What ranks tell each other of the hubs in a search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/bitmap.hpp"
#include "graph/partition.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/mask_reduction.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// The hubs that a level visited.
struct HubLevel {
  std::uint64_t here = 0;      ///< by this rank, which has a parent for each
  std::uint64_t anywhere = 0;  ///< by any rank, each counted once
  MaskTraffic traffic;         ///< what this rank sent to combine them
};

/// The replicas of hubs on one rank, in one search after the other (Checconi & Petrini 2014, algorithm 4; Pan et al.
/// 2018, section V-A). In a level each rank visits hubs along its share of their edges, which costs no messages; after
/// it the visited bits of all ranks are combined, so that every rank has every hub in its frontier. A hub's parent is
/// known where it was visited and comes to its owner at the end. Costs nothing where there are no hubs.
template <class Neighbour>
class HubReplicas {
 public:
  /// Partition and nodes outlive this. Collective.
  HubReplicas(const Partition& partition, HubMasks how, const Nodes& nodes)
      : hubs_(partition.hubs()),
        ranks_(nodes.all()),
        reduction_(make_mask_reduction(how, nodes)),
        visited_(hubs_.count()),
        visited_here_(hubs_.count()),
        masks_(visited_.words().size()),
        parents_(hubs_.count()) {}

  /// A search begins: a source that is a hub is visited everywhere. `source` is its local id on the rank that owns it,
  /// no_local_vertex on others. Collective: where there are hubs, one number is reduced.
  void start(LocalVertex source, SearchState<Neighbour>& state) {
    std::fill(visited_.words().begin(), visited_.words().end(), 0);
    std::fill(visited_here_.words().begin(), visited_here_.words().end(), 0);
    left_ = hubs_.count();
    if (left_ == 0) return;
    const LocalVertex hub{
        static_cast<std::uint32_t>(ranks_.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
    if (!hubs_.contains(hub)) return;
    visited_.insert(hub.index());
    --left_;
    if (hub == source) {
      visited_here_.insert(hub.index());
    } else {
      state.visit_replica(hub.value, true);
    }
  }

  /// This rank has visited all hubs that it can in a level; what is visited afterwards are others. Collective.
  void start_sharing(const SearchState<Neighbour>& state) {
    if (left_ == 0) return;
    const std::span<const std::uint64_t> mine = state.visited().words().first(masks_.size());
    std::copy(mine.begin(), mine.end(), masks_.begin());
    reduction_->start(masks_);
  }

  /// What each rank visited in the level is visited on all. Collective: one reduction of a bit a hub, and nothing once
  /// all of them are visited.
  HubLevel finish_sharing(SearchState<Neighbour>& state, Direction direction) {
    if (left_ == 0) return {};
    const std::span<const std::uint64_t> mine = std::as_const(state).visited().words().first(masks_.size());
    HubLevel level{.traffic = reduction_->finish()};
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

  /// Every hub gets the parent that one of the ranks has for it: of several the one with the largest label. Collective:
  /// one all-reduce of 8 bytes a hub.
  void settle_parents(SearchState<Neighbour>& state) {
    if (hubs_.count() == 0) return;
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) {
      parents_[hub] = visited_here_.contains(hub) ? static_cast<std::int64_t>(state.parents()[hub]) : no_label.value;
    }
    ranks_.all_reduce(std::span(parents_), Reduction::maximum);
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) state.parents()[hub] = static_cast<Neighbour>(parents_[hub]);
  }

 private:
  const Hubs& hubs_;
  const Communicator& ranks_;
  std::unique_ptr<MaskReduction> reduction_;
  std::uint64_t left_ = 0;             ///< hubs that are not visited
  Bitmap visited_;                     ///< by any rank, up to the last level
  Bitmap visited_here_;                ///< by this rank
  std::vector<std::uint64_t> masks_;   ///< of all ranks
  std::vector<std::int64_t> parents_;  ///< of all ranks
};

}  // namespace breadth
