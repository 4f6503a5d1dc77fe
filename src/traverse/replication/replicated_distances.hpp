// Tentative distances of all ranks, readable by every rank.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/replication.hpp"
#include "graph/partition.hpp"
#include "traverse/replication/replication.hpp"

namespace breadth {

/// The distances of a TentativeTree, by global id: for each vertex the distance that its owner has, or had when it last
/// shared it. Either every rank has a copy, or the ranks of a node share one. If they share, other ranks of the node
/// see at once what a rank writes to its own places, and only other nodes need messages. Memory: 4 bytes a global id,
/// on each rank or on each node.
class ReplicatedDistances {
 public:
  /// `how` is the way in which distances come to every rank. By default the ranks of a node share an array if they can
  /// share memory, else each rank has a copy. Replication::shared_in is not supported, because a shared array always
  /// contains each rank's own distances. Throws AgreedError if memory is to be shared and cannot be. Partition and
  /// context must outlive this. Collective.
  ReplicatedDistances(const Partition& partition, std::optional<Replication> how, const Nodes& nodes,
                      const Context& context);

  /// Bytes of memory of all ranks together, for so many vertices and global ids of all ranks. In memory that a node
  /// shares, the gaps between ranks' global ids are touched too.
  static constexpr std::uint64_t bytes_for(Replication how, std::uint64_t nodes, std::uint64_t ranks,
                                           std::uint64_t vertices, std::uint64_t global_ids) {
    const bool shared = shares_in_queues(how) && nodes < ranks;
    return sizeof(float) * (shared ? nodes * global_ids : ranks * vertices);
  }

  /// All places. This rank may write to those of its own vertices at any time.
  [[nodiscard]] std::span<float> by_global_id() noexcept { return places_; }
  [[nodiscard]] IndexRange own_places() const noexcept;
  /// Whether all ranks share one array, so that nothing needs to be sent.
  [[nodiscard]] bool seen_by_all() const noexcept { return shared_ && node_count() == 1; }
  /// The number of nodes.
  [[nodiscard]] std::size_t node_count() const noexcept { return replicator_->nodes().count(); }

  /// Writes the distance that another rank's vertex is known to have. Does nothing if that rank writes to the place
  /// itself. Any number of threads may call this at once.
  void note(std::size_t global_id, float distance) noexcept {
    if (!noted_[static_cast<std::size_t>(code_.rank(global_id))]) return;
    std::atomic_ref(places_[global_id]).store(distance, std::memory_order_relaxed);
  }

  /// Begins a search. This rank must have cleared its own places. `start` has the local ids of its vertices that
  /// already have distances; all other ranks learn these. The known distances of all other vertices become infinite.
  /// Collective.
  void start(std::span<const std::uint32_t> start);

  /// Sets the number of this rank's vertices, the first, through which others may be reached. Collective.
  void search_through(std::size_t searched) { searched_ = context_.ranks.all_gather(searched); }

  /// A part of each rank's vertices: of those that are searched through the first 1/2^shift, without the first
  /// 1/2^beyond and without replicas of hubs; of these, piece `piece` of `pieces`.
  struct Section {
    int shift = 0;
    int beyond = nothing;
    std::size_t piece = 0;
    std::size_t pieces = 1;

    static constexpr int nothing = std::numeric_limits<std::size_t>::digits - 1;
  };
  /// The local ids of this rank's part of a section.
  [[nodiscard]] IndexRange own(const Section& section) const { return part(section, own_rank()); }

  /// The result of share().
  struct Shared {
    std::uint64_t changed = 0;  ///< changed vertices on all ranks
    std::uint64_t swept = 0;    ///< vertices in the section on all ranks
    std::uint64_t bytes = 0;    ///< that this rank sent to other ranks
  };
  /// Makes the distances of `changed` known to all ranks: local ids, all in this rank's part of the section. Sends
  /// either a list of these or all distances of the section, whichever is shorter. Collective.
  Shared share(std::span<const std::uint32_t> changed, const Section& section);

  /// Bytes of shared memory that this rank uses but another rank of its node counts as its own.
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const {
    return replicator_->bytes_counted_elsewhere(*words_, shared_);
  }

 private:
  struct Change {
    std::uint32_t global_id;
    float distance;
  };

  void open(Replication how, const Nodes& nodes);
  std::uint64_t share_list(std::span<const std::uint32_t> changed, std::span<const std::size_t> counts);
  std::uint64_t tell_all(std::span<const std::size_t> counts);
  std::uint64_t tell_other_nodes(std::span<const std::size_t> counts);
  std::uint64_t share_section(const Section& section);
  void take(std::span<const Change> changes);

  [[nodiscard]] std::size_t own_rank() const noexcept { return static_cast<std::size_t>(context_.ranks.rank()); }
  [[nodiscard]] IndexRange part(const Section& section, std::size_t rank) const {
    const std::size_t before = (searched_[rank] >> section.beyond) / floats_per_word * floats_per_word;
    const std::size_t begin = std::max(before, hubs_end_);
    const std::size_t end = std::max(searched_[rank] >> section.shift, begin);
    const IndexRange range = even_share(end - begin, section.piece, section.pieces, floats_per_word);
    return {begin + range.begin, begin + range.end};
  }
  /// Makes what each rank of the node wrote visible to all of them. Collective.
  void synchronize() const {
    if (shared_) words_->barrier();
  }

  static constexpr std::size_t floats_per_word = sizeof(std::uint64_t) / sizeof(float);

  GlobalIdCode code_;
  std::size_t hubs_end_;
  Context context_;
  bool shared_ = false;  ///< whether the ranks of a node share places_
  std::unique_ptr<Replicator> replicator_;
  std::optional<Replicator::Words> words_;  ///< two places each
  std::span<float> places_;                 ///< the memory of words_
  std::vector<InterNodeLane> lanes_;        ///< for lists, if memory is shared
  bool by_leaders_ = false;                 ///< whether only leaders send lists between nodes
  std::vector<std::size_t> counts_;         ///< vertices of each rank
  std::vector<std::size_t> searched_;       ///< vertices of each rank that others are reached through
  std::vector<bool> noted_;                 ///< for each rank whether note() writes to its places
  std::vector<Change> sent_;
  std::vector<Change> of_node_;  ///< on the leader: the changes of all ranks of the node
  std::vector<Change> received_;
};

/// Replaces ReplicatedDistances if no rank looks at the distances of others: has a rank's own distances only.
template <class Key>
class OwnDistances {
 public:
  OwnDistances(const Partition& partition, std::optional<Replication> /*how*/, const Nodes& nodes, const Context&)
      : node_count_(nodes.count()), places_(partition.local_count()) {}

  [[nodiscard]] std::span<Key> by_global_id() noexcept { return places_.span(); }
  [[nodiscard]] IndexRange own_places() const noexcept { return {0, places_.size()}; }
  static void start(std::span<const std::uint32_t>) {}
  static void note(std::size_t, Key) noexcept {}
  [[nodiscard]] static std::uint64_t bytes_counted_elsewhere() { return 0; }
  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }

 private:
  std::size_t node_count_;
  Buffer<Key> places_;
};

}  // namespace breadth
