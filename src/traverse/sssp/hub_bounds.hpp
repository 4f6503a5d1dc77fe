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
        named_here_(hubs_.count()) {}

  /// The number of hubs. Their local ids are below it.
  [[nodiscard]] std::size_t count() const noexcept { return hubs_.count(); }
  [[nodiscard]] bool contains(std::size_t local) const noexcept { return local < hubs_.count(); }
  /// Translates a global id of any rank to this rank's: for a hub that of the replica here, else the global id itself.
  [[nodiscard]] std::size_t own_id(std::size_t global_id) const {
    const LocalVertex local = partition_.code().local(global_id);
    return hubs_.contains(local) ? partition_.global_id(local) : global_id;
  }

  /// Begins a search. `source` is the source's local id on the rank that owns it, no_local_vertex on other ranks.
  /// Returns the source's local id on this rank: a hub has one on every rank. Collective; reduces one number if there
  /// are hubs.
  LocalVertex start(LocalVertex source) {
    if (hubs_.count() == 0) return source;
    found_.clear(context_.threads);
    changed_.clear();
    named_here_.clear();
    const LocalVertex anywhere{
        static_cast<std::uint32_t>(context_.ranks.all_reduce(std::uint64_t{source.value}, Reduction::minimum))};
    return hubs_.contains(anywhere) ? anywhere : source;
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

  /// Gives all replicas the least bounds of all ranks as distances. Calls body(hub) for each hub that came closer, the
  /// same on every rank. Collective: gathers one number from each rank, then 8 bytes for each bound or, if that is
  /// less, reduces 8 bytes for each hub.
  template <class Body>
  void reduce(Body&& body) {
    if (hubs_.count() == 0) return;
    const std::span<const Bound> least = least_of_all();
    for (const Bound& bound : least) {
      if (bound.distance >= tree_.distance(bound.hub)) continue;
      const bool here = bound.rank == context_.ranks.rank();
      tree_.set(bound.hub, bound.distance, here ? found_.parents()[bound.hub] : Neighbour{0});
      if (here) {
        named_here_.insert(bound.hub);
      } else {
        named_here_.words()[bound.hub / bits_per_word] &= ~bit_in_word(bound.hub);
      }
      body(bound.hub);
    }
  }
  /// To be called when a hub's distance and parent have been set on every rank.
  void know(std::size_t hub) { named_here_.insert(hub); }

  /// Bytes of memory of a rank for so many hubs: for each a bound and its parent, bounds to be sent, received and
  /// reduced, and the label of the parent at the end.
  static constexpr std::uint64_t bytes_for(std::uint64_t hubs) {
    return hubs * (sizeof(float) + sizeof(Neighbour) + 2 * sizeof(Sent) + sizeof(std::uint64_t) + sizeof(Bound) +
                   sizeof(std::int64_t));
  }

  /// Bytes that this rank sent to reduce bounds since the last call.
  [[nodiscard]] std::uint64_t take_bytes() { return std::exchange(bytes_, 0); }

  /// Gives every replica the parent that one of the ranks found. Collective: one all-reduce of 8 bytes a hub. Returns
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
    std::uint32_t hub;
    int rank;
    float distance;
  };
  /// A bound as it is sent.
  struct Sent {
    std::uint32_t hub;
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

  std::span<const Bound> least_of_all() {
    sent_.clear();
    for (std::size_t word = 0; word < changed_.words().size(); ++word) {
      for_each_set_bit(changed_.words()[word], word * bits_per_word, [&](std::size_t hub) {
        sent_.push_back({static_cast<std::uint32_t>(hub), found_.distance(hub)});
      });
      changed_.words()[word] = 0;
    }
    const std::vector<std::size_t> counts = context_.ranks.all_gather(sent_.size());
    const std::size_t total = sum_of(counts);
    least_.clear();
    if (total == 0) return least_;
    if (total < hubs_.count()) {
      gather(counts, total);
    } else {
      reduce_all();
    }
    return least_;
  }
  /// Gathers all ranks' bounds, sorted by distance. A hub takes the first of its bounds, which of equal ones is that of
  /// the lowest rank.
  void gather(std::span<const std::size_t> counts, std::size_t total) {
    received_.resize(total);
    context_.ranks.all_gather(std::span<const Sent>(sent_), std::span(received_), counts);
    bytes_ += sent_.size() * sizeof(Sent) * (ranks() - 1);
    std::size_t next = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      for (const std::size_t end = next + counts[rank]; next < end; ++next) {
        least_.push_back({received_[next].hub, static_cast<int>(rank), received_[next].distance});
      }
    }
    std::ranges::stable_sort(least_, {}, &Bound::distance);
  }
  /// Reduces distances and ranks as integers. The bits of distances are in their order because none is negative.
  void reduce_all() {
    keys_.assign(hubs_.count(), ~std::uint64_t{0});
    for (const Sent& one : sent_) {
      keys_[one.hub] = (std::uint64_t{std::bit_cast<std::uint32_t>(one.distance)} << 32) |
                       static_cast<std::uint32_t>(context_.ranks.rank());
    }
    context_.ranks.all_reduce(std::span(keys_), Reduction::minimum);
    bytes_ += all_reduce_bytes(keys_.size() * sizeof(keys_[0]), ranks());
    for (std::size_t hub = 0; hub < keys_.size(); ++hub) {
      if (keys_[hub] == ~std::uint64_t{0}) continue;
      least_.push_back({static_cast<std::uint32_t>(hub), static_cast<int>(keys_[hub] & 0xFFFFFFFFU),
                        std::bit_cast<float>(static_cast<std::uint32_t>(keys_[hub] >> 32))});
    }
  }

  const Partition& partition_;
  const Hubs& hubs_;
  TentativeTree<Neighbour>& tree_;
  Context context_;
  Buffer<float> bounds_;
  TentativeTree<Neighbour> found_;  ///< this rank's bounds and their parents
  Bitmap changed_;                  ///< hubs whose bounds were not sent yet
  Bitmap named_here_;               ///< hubs whose parents are known here
  std::vector<Sent> sent_;
  std::vector<Sent> received_;
  std::vector<std::uint64_t> keys_;
  std::vector<Bound> least_;
  std::uint64_t bytes_ = 0;
};

}  // namespace breadth
