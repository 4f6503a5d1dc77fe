// Every rank's tentative distances, where every rank can read them.
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

/// The distances of a TentativeTree, by global id: of each vertex what its owner has, or had when it was last shared.
/// Either every rank has a copy of all, or the ranks of a node have one between them: then what a rank writes to its
/// own places others on the node see at once, and only other nodes need a message. Memory: 4 bytes a global id, on each
/// rank or on each node.
class ReplicatedDistances {
 public:
  /// `how` distances come to every rank: nothing for memory of the node where its ranks have some to share, else a copy
  /// a rank. Ways that share an array have each rank's own distances in it, so Replication::shared_in is none of them.
  /// Throws AgreedError where memory is to be shared and there is none. Partition and context outlive this. Collective.
  ReplicatedDistances(const Partition& partition, std::optional<Replication> how, const Nodes& nodes,
                      const Context& context);

  /// Bytes of all ranks together, on so many nodes, for so many vertices on all ranks and global ids: of memory that a
  /// node shares gaps between ranks are touched too.
  static constexpr std::uint64_t bytes_for(Replication how, std::uint64_t nodes, std::uint64_t ranks,
                                           std::uint64_t vertices, std::uint64_t global_ids) {
    const bool shared = shares_in_queues(how) && nodes < ranks;
    return sizeof(float) * (shared ? nodes * global_ids : ranks * vertices);
  }

  /// All places; this rank writes to those of its own vertices, as it likes.
  [[nodiscard]] std::span<float> by_global_id() noexcept { return places_; }
  [[nodiscard]] IndexRange own_places() const noexcept;
  /// Whether there is nothing to send.
  [[nodiscard]] bool seen_by_all() const noexcept { return shared_ && node_count() == 1; }
  /// That the ranks are on.
  [[nodiscard]] std::size_t node_count() const noexcept { return replicator_->nodes().count(); }

  /// Takes note of the distance that another rank's vertex has there. Nothing where that rank sees to its place itself.
  /// Any number of threads at once.
  void note(std::size_t global_id, float distance) noexcept {
    if (!noted_[static_cast<std::size_t>(code_.rank(global_id))]) return;
    std::atomic_ref(places_[global_id]).store(distance, std::memory_order_relaxed);
  }

  /// A search begins: this rank has cleared its own places. Other ranks' vertices have no distances, but for those that
  /// they `start` from, local ids there: a pull asks for them as for others. Collective.
  void start(std::span<const std::uint32_t> start);

  /// Vertices with local ids below this on this rank are those through which others are reached. Collective.
  void search_through(std::size_t searched) { searched_ = context_.ranks.all_gather(searched); }

  /// A part of each rank's vertices: of the first 1/2^shift of those that are searched through, but for the first
  /// 1/2^beyond and replicas of hubs, the piece `piece`.
  struct Section {
    int shift = 0;
    int beyond = nothing;
    std::size_t piece = 0;
    std::size_t pieces = 1;

    static constexpr int nothing = std::numeric_limits<std::size_t>::digits - 1;
  };
  /// Where this rank's part of a section is.
  [[nodiscard]] IndexRange own(const Section& section) const { return part(section, own_rank()); }

  /// What was shared.
  struct Shared {
    std::uint64_t changed = 0;  ///< by all ranks together
    std::uint64_t swept = 0;    ///< among so many
    std::uint64_t bytes = 0;    ///< that this rank sent to other ranks
  };
  /// All ranks come to know the distances of `changed`, local ids, all of them in this rank's part of the section. What
  /// travels is the shorter of a list of these and all distances of the section. Collective.
  Shared share(std::span<const std::uint32_t> changed, const Section& section);

  /// Bytes of memory that this rank uses and another one of its node counts as its own.
  [[nodiscard]] std::uint64_t borrowed_bytes() const { return replicator_->borrowed_bytes(*words_, shared_); }

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
    const std::size_t before = (searched_[rank] >> section.beyond) / floats_a_word * floats_a_word;
    const std::size_t begin = std::max(before, hubs_end_);
    const std::size_t end = std::max(searched_[rank] >> section.shift, begin);
    const IndexRange range = even_share(end - begin, section.piece, section.pieces, floats_a_word);
    return {begin + range.begin, begin + range.end};
  }
  /// Others on the node see what this rank wrote, and it sees what they did. Collective.
  void synchronize() const {
    if (shared_) words_->barrier();
  }

  static constexpr std::size_t floats_a_word = sizeof(std::uint64_t) / sizeof(float);

  GlobalIdCode code_;
  std::size_t hubs_end_;
  Context context_;
  bool shared_ = false;  ///< by the ranks of a node
  std::unique_ptr<Replicator> replicator_;
  std::optional<Replicator::Words> words_;  ///< two places each
  std::span<float> places_;                 ///< the same
  std::vector<NodeLane> lanes_;             ///< of lists, where memory is shared
  bool by_leaders_ = false;                 ///< they go between nodes
  std::vector<std::size_t> counts_;         ///< vertices of each rank
  std::vector<std::size_t> searched_;       ///< those of them that others are reached through
  std::vector<bool> noted_;                 ///< of each rank: whether this one writes to its places
  std::vector<Change> sent_;
  std::vector<Change> of_node_;  ///< what the ranks of the node send, at their leader
  std::vector<Change> received_;
};

/// In the place of ReplicatedDistances: a rank's own distances alone, where no rank looks at others'.
template <class Key>
class OwnDistances {
 public:
  OwnDistances(const Partition& partition, std::optional<Replication> /*how*/, const Nodes& nodes, const Context&)
      : node_count_(nodes.count()), places_(partition.local_count()) {}

  [[nodiscard]] std::span<Key> by_global_id() noexcept { return places_.span(); }
  [[nodiscard]] IndexRange own_places() const noexcept { return {0, places_.size()}; }
  static void start(std::span<const std::uint32_t>) {}
  static void note(std::size_t, Key) noexcept {}
  [[nodiscard]] static std::uint64_t borrowed_bytes() { return 0; }
  [[nodiscard]] std::size_t node_count() const noexcept { return node_count_; }

 private:
  std::size_t node_count_;
  Buffer<Key> places_;
};

}  // namespace breadth
