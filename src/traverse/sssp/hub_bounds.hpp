// Exchange of the hubs' distances in a search for shortest paths.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "simd/kernels.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Finds the least bound of all ranks for each hub. A Bound is what ranks send, with the hub as its `vertex`. Costs
/// nothing without hubs.
template <class Bound>
class LeastBounds {
 public:
  LeastBounds(std::size_t hubs, Communicator ranks) : ranks_(std::move(ranks)), least_(hubs, none) {}

  /// Calls body(hub, key) with the least key of each hub that any rank has a bound for, in an order that is the same
  /// on all ranks. key_of(bound, rank) is the key of a rank's bound, less than `none`. A rank has at most one bound for
  /// a hub. Collective: gathers one number from each rank, then the bounds or, if that is less, reduces 8 bytes for
  /// each hub.
  template <class KeyOf, class Body>
  void reduce(std::span<const Bound> bounds, KeyOf&& key_of, Body&& body) {
    if (least_.empty()) return;
    const std::vector<std::size_t> counts = ranks_.all_gather(bounds.size());
    const std::size_t total = sum_of(counts);
    if (total == 0) return;
    const auto take = [&](std::uint32_t hub) {  // each hub only once, even if several ranks have bounds
      if (const std::uint64_t key = std::exchange(least_[hub], none); key != none) body(hub, key);
    };
    const auto ranks = static_cast<std::uint64_t>(ranks_.size());
    if (total * sizeof(Bound) < least_.size() * sizeof(std::uint64_t)) {
      received_.resize(total);
      ranks_.all_gather(bounds, std::span(received_), counts);
      bytes_ += bounds.size_bytes() * (ranks - 1);
      std::size_t next = 0;
      for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        for (const std::size_t end = next + counts[rank]; next < end; ++next) {
          std::uint64_t& least = least_[received_[next].vertex];
          least = std::min(least, key_of(received_[next], static_cast<int>(rank)));
        }
      }
      for (const Bound& bound : received_) take(bound.vertex);
    } else {
      for (const Bound& bound : bounds) least_[bound.vertex] = key_of(bound, ranks_.rank());
      ranks_.all_reduce(std::span(least_), Reduction::minimum);
      bytes_ += all_reduce_bytes(least_.size() * sizeof(least_[0]), ranks);
      for (std::uint32_t hub = 0; hub < least_.size(); ++hub) take(hub);
    }
  }

  /// Bytes that this rank has sent since the last call.
  [[nodiscard]] std::uint64_t take_bytes() { return std::exchange(bytes_, 0); }

  static constexpr std::uint64_t none = ~std::uint64_t{0};

 private:
  Communicator ranks_;
  std::vector<std::uint64_t> least_;  ///< the least key of each hub in reduce(); `none` between calls
  std::vector<Bound> received_;
  std::uint64_t bytes_ = 0;
};

/// Returns the local id of a search's source on this rank: a hub has one on every rank. `source` is the id on the rank
/// that owns the source, no_local_vertex on other ranks. Collective; reduces one number if there are hubs.
inline LocalVertex source_on_all_ranks(LocalVertex source, const Hubs& hubs, const Communicator& ranks) {
  if (hubs.count() == 0) return source;
  const LocalVertex anywhere{
      static_cast<std::uint32_t>(ranks.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
  return hubs.contains(anywhere) ? anywhere : source;
}

/// Keeps the distances of hubs' replicas on one rank equal to those on all others, search after search. A distance that
/// a rank finds for a hub along its share of the edges is only a bound. When the least bound of all ranks is known, all
/// replicas take it at once. So a hub comes closer at one moment, from one parent, and trees have no cycles, as without
/// hubs (TentativeTree). The parent stays on the rank that found it until the end. Costs nothing without hubs.
template <class Neighbour>
class HubBounds {
 public:
  /// The tree has this rank's vertices, replicas first. All arguments must outlive this.
  HubBounds(const Partition& partition, TentativeTree<Neighbour>& tree, const Context& context)
      : partition_(partition),
        hubs_(partition.hubs()),
        tree_(tree),
        context_(context),
        bounds_(hubs_.count()),
        found_(std::span(bounds_.data(), bounds_.size()), {0, hubs_.count()}, context.threads),
        changed_(hubs_.count()),
        named_here_(hubs_.count()),
        least_(hubs_.count(), context.ranks) {}

  /// The number of hubs. Their local ids are below it.
  [[nodiscard]] std::size_t count() const noexcept { return hubs_.count(); }
  [[nodiscard]] bool contains(std::size_t local) const noexcept { return local < hubs_.count(); }
  /// Translates a global id of any rank to this rank's: for a hub that of the replica here, else the global id itself.
  [[nodiscard]] std::size_t own_id(std::size_t global_id) const {
    const LocalVertex local = partition_.code().local(global_id);
    return hubs_.contains(local) ? partition_.global_id(local) : global_id;
  }

  /// Begins a search. Returns source_on_all_ranks(). Collective.
  LocalVertex start(LocalVertex source) {
    found_.clear(context_.threads);
    changed_.clear();
    named_here_.clear();
    return source_on_all_ranks(source, hubs_, context_.ranks);
  }

  /// Proposes a distance and a parent for a hub. Any number of threads may call this at once.
  void propose(std::size_t hub, float distance, Neighbour parent) {
    if (distance >= tree_.distance(hub) || !found_.improve(hub, distance, parent)) return;
    std::atomic_ref(changed_.words()[hub / bits_per_word]).fetch_or(bit_in_word(hub), std::memory_order_relaxed);
  }
  /// Looks for bounds along the rows of the first hubs, as PrunedPull does for other vertices. Returns how many edges
  /// it examined.
  std::uint64_t pull(const Adjacency<Neighbour>& rows, std::size_t first_hubs, const SweepBounds& bounds) {
    return parallel_sum(context_.threads, std::min(first_hubs, hubs_.count()), 16,
                        [&](std::size_t hub) { return pull_hub(hub, rows, bounds); });
  }

  /// Gives all replicas the least bounds of all ranks as distances, of equal ones that of the lowest rank. Calls
  /// body(hub) for each hub that came closer, the same on every rank. Collective: gathers one number from each rank,
  /// then 8 bytes for each bound or, if that is less, reduces 8 bytes for each hub.
  template <class Body>
  void reduce(Body&& body) {
    // The bits of distances are in their order because none is negative.
    const auto key_of = [](const Bound& bound, int rank) {
      return std::uint64_t{std::bit_cast<std::uint32_t>(bound.distance)} << 32 | static_cast<std::uint32_t>(rank);
    };
    least_.reduce(take_changed(), key_of, [&](std::uint32_t hub, std::uint64_t key) {
      const auto distance = std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32));
      if (distance >= tree_.distance(hub)) return;
      const bool here = static_cast<int>(key & 0xFFFFFFFFU) == context_.ranks.rank();
      tree_.set(hub, distance, here ? found_.parents()[hub] : Neighbour{0});
      if (here) {
        named_here_.insert(hub);
      } else {
        named_here_.words()[hub / bits_per_word] &= ~bit_in_word(hub);
      }
      body(hub);
    });
  }
  /// To be called when a hub's distance and parent have been set on every rank.
  void know(std::size_t hub) { named_here_.insert(hub); }

  /// Bytes of memory of a rank for so many hubs: for each a bound and its parent, bounds to be sent, received and
  /// reduced, and the label of the parent at the end.
  static constexpr std::uint64_t bytes_for(std::uint64_t hubs) {
    return hubs *
           (sizeof(float) + sizeof(Neighbour) + 2 * sizeof(Bound) + sizeof(std::uint64_t) + sizeof(std::int64_t));
  }

  /// Bytes that this rank sent to reduce bounds since the last call.
  [[nodiscard]] std::uint64_t take_bytes() { return least_.take_bytes(); }

  /// Gives every replica the parent that one of the ranks found. Collective: one all-reduce of 8 bytes per hub. Returns
  /// the traffic of all ranks.
  Traffic settle_parents() {
    if (hubs_.count() == 0) return no_traffic;
    std::vector<std::int64_t> parents(hubs_.count(), no_label.value);
    for (std::size_t hub = 0; hub < parents.size(); ++hub) {
      if (named_here_.contains(hub)) parents[hub] = static_cast<std::int64_t>(tree_.parents()[hub]);
    }
    context_.ranks.all_reduce(std::span(parents), Reduction::maximum);
    for (std::size_t hub = 0; hub < parents.size(); ++hub) tree_.parents()[hub] = static_cast<Neighbour>(parents[hub]);
    return {.bytes = all_reduce_bytes(parents.size() * sizeof(parents[0]), ranks()) * ranks()};
  }
  /// Whether this rank counts a vertex in sums over all ranks. Only rank 0 counts hubs.
  [[nodiscard]] bool counts_here(std::size_t local) const noexcept {
    return !contains(local) || context_.ranks.rank() == 0;
  }
  /// The number of vertices with a distance on this rank that another rank counts.
  [[nodiscard]] std::uint64_t counted_elsewhere() const {
    std::uint64_t reached = 0;
    if (context_.ranks.rank() == 0) return reached;
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) {
      reached += tree_.distance(hub) != TentativeTree<Neighbour>::unreached ? 1U : 0U;
    }
    return reached;
  }

 private:
  struct Bound {
    std::uint32_t vertex;  ///< the hub
    float distance;
  };

  [[nodiscard]] std::uint64_t ranks() const { return static_cast<std::uint64_t>(context_.ranks.size()); }

  std::uint64_t pull_hub(std::size_t hub, const Adjacency<Neighbour>& rows, const SweepBounds& bounds) {
    const float before = std::min(tree_.distance(hub), bounds.limit);
    if (before <= bounds.settled) return 0;
    const EdgeOffset first = rows.offsets[hub];
    EdgeOffset edge = first;
    EdgeOffset nearest = edge;
    float best = before;
    for (; edge < rows.offsets[hub + 1] && bounds.base + rows.weights[edge] < best; ++edge) {
      const float candidate = tree_.distance_at(rows.neighbours[edge]) + rows.weights[edge];
      if (candidate >= best) continue;
      best = candidate;
      nearest = edge;
    }
    if (best < before) {  // neighbours of hubs in this rank's rows are its own vertices
      const LocalVertex parent = partition_.code().local(rows.neighbours[nearest]);
      propose(hub, best, static_cast<Neighbour>(partition_.label(parent).value));
    }
    return edge - first;
  }

  /// The bounds that were not sent yet, from now on sent.
  std::span<const Bound> take_changed() {
    sent_.clear();
    for (std::size_t word = 0; word < changed_.words().size(); ++word) {
      for_each_set_bit(changed_.words()[word], word * bits_per_word, [&](std::size_t hub) {
        sent_.push_back({static_cast<std::uint32_t>(hub), found_.distance(hub)});
      });
      changed_.words()[word] = 0;
    }
    return sent_;
  }

  const Partition& partition_;
  const Hubs& hubs_;
  TentativeTree<Neighbour>& tree_;
  Context context_;
  Buffer<float> bounds_;
  TentativeTree<Neighbour> found_;  ///< this rank's bounds and their parents
  Bitmap changed_;                  ///< hubs whose bounds were not sent yet
  Bitmap named_here_;               ///< hubs whose parents are known here
  std::vector<Bound> sent_;
  LeastBounds<Bound> least_;
};

}  // namespace breadth
