// Bringing what each rank has to every rank: arrays of which each has a part, and bitmaps of which each has set some
// bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/replication.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Where in an array each rank's part is.
struct Parts {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> places;

  /// One after the other, without gaps.
  static Parts side_by_side(std::vector<std::size_t> counts) {
    std::vector<std::size_t> places(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), std::size_t{0});
    return {std::move(counts), std::move(places)};
  }

  /// Of all parts together.
  [[nodiscard]] std::size_t count() const { return sum_of(counts); }
  [[nodiscard]] IndexRange range(std::size_t rank) const { return {places[rank], places[rank] + counts[rank]}; }
};

/// Who exchanges replicated arrays with whom: made once, for all arrays of a search.
class Replicator {
 public:
  /// An array that the ranks of a node share, or one rank has alone.
  using Words = SharedBuffer<std::uint64_t>;

  /// Brings parts of an array to every rank, one way for each Replication (replication.cpp). `mine` is this rank's
  /// part, at its place in `all` or elsewhere. Returns what this rank sent. Collective.
  using Strategy = std::function<Traffic(std::span<const std::uint64_t> mine, Words& all, const Parts& parts)>;

  /// One rank alone has nobody to share with, whatever `how` says. Collective.
  Replicator(Replication how, const Nodes& nodes);
  /// The same on the nodes that the options mean.
  Replicator(const ReplicationOptions& options, const Communicator& ranks);
  Replicator(const Replicator&) = delete;
  Replicator& operator=(const Replicator&) = delete;

  [[nodiscard]] const Nodes& nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t rank_count() const noexcept { return static_cast<std::size_t>(nodes_.all().size()); }
  [[nodiscard]] std::size_t own_rank() const noexcept { return static_cast<std::size_t>(nodes_.all().rank()); }
  /// Whether the ranks of a node share in-queues; whether they share out-queues and summaries.
  [[nodiscard]] bool shares_in_queues() const noexcept { return breadth::shares_in_queues(how_); }
  [[nodiscard]] bool shares_all() const noexcept { return breadth::shares_all(how_); }
  /// How queues travel, and how summaries do.
  [[nodiscard]] const Strategy& queue_strategy() const noexcept { return queue_strategy_; }
  [[nodiscard]] const Strategy& summary_strategy() const noexcept { return summary_strategy_; }

  /// Zeroed words, one array a node if `shared`, else one a rank. Throws the same Error on all ranks where the MPI
  /// library has no memory to share. Collective.
  [[nodiscard]] Words words(std::size_t count, bool shared) const;
  /// The ranks whose parts this rank copies into an array where something else than a Strategy brought them: of those
  /// that do not write to this array themselves, all, or an equal share if the ranks of the node share the array.
  [[nodiscard]] std::vector<std::size_t> copied_ranks(bool shared, bool written_in_place) const;
  /// Bytes of memory of some words that this rank uses and another one of its node counts as its own.
  [[nodiscard]] std::uint64_t borrowed_bytes(const Words& words, bool shared) const {
    return shared && !nodes_.leads() ? words.span().size_bytes() : 0;
  }

 private:
  Replication how_;
  Nodes nodes_;
  Communicator self_;
  Strategy queue_strategy_;
  Strategy summary_strategy_;
};

/// Words of which every rank writes a part and reads all.
class ReplicatedWords {
 public:
  enum class Role { queue, summary };

  /// `part_size`: the most that this rank's part may have. The replicator outlives this. Collective.
  ReplicatedWords(const Replicator& replicator, Role role, std::size_t size, std::size_t part_size);

  /// Of all ranks, as of the last replicate().
  [[nodiscard]] std::span<const std::uint64_t> all() const noexcept { return all_.span(); }
  /// Where this rank writes its part, whose place in all() it is.
  [[nodiscard]] std::span<std::uint64_t> part(IndexRange place) {
    return in_place_ ? all_.span().subspan(place.begin, place.size()) : own_.span().first(place.size());
  }
  [[nodiscard]] std::span<const std::uint64_t> part(IndexRange place) const {
    return in_place_ ? all_.span().subspan(place.begin, place.size()) : own_.span().first(place.size());
  }
  /// Brings every rank's part to every rank. Nobody may read or write the array meanwhile. Collective.
  Traffic replicate(const Parts& parts);

  /// Without replicate(): each rank copies the parts of copied_ranks() to writable(), then all synchronize().
  [[nodiscard]] std::span<std::uint64_t> writable() noexcept { return all_.span(); }
  [[nodiscard]] const std::vector<std::size_t>& copied_ranks() const noexcept { return copied_ranks_; }
  /// What ranks of this node have written is there for all of them. Collective.
  void synchronize() const { all_.barrier(); }
  /// Of memory that several ranks share, the share that this one is first to touch.
  [[nodiscard]] std::span<std::uint64_t> own_share() noexcept { return all_.share(); }
  /// All of it becomes zero. Collective.
  void clear();

  [[nodiscard]] std::uint64_t borrowed_bytes() const { return replicator_.borrowed_bytes(all_, shared_); }

 private:
  const Replicator& replicator_;
  const Replicator::Strategy& strategy_;
  bool shared_;
  bool in_place_;
  Replicator::Words all_;
  Buffer<std::uint64_t> own_;  ///< this rank's part where that is not in place
  std::vector<std::size_t> copied_ranks_;
};

// Masks of hubs.

/// Combines bitmaps of equal size on all ranks.
class MaskReduction {
 public:
  /// The nodes outlive it. Collective.
  MaskReduction(HubMasks how, const Nodes& nodes);

  /// This rank's masks are done. They stay where they are, and others leave them alone, until finish(). Collective;
  /// with two_phase_nonblocking ranks wait here for those of their node, so that no messages may be under way that only
  /// leave while their receivers look for them.
  void start(std::span<std::uint64_t> masks);
  /// Each word has become the union of all ranks'. Returns what this rank sent at least. Collective.
  [[nodiscard]] Traffic finish();

 private:
  void combine_inside() const;
  [[nodiscard]] Traffic traffic() const;

  const Nodes& nodes_;
  bool two_phase_;
  bool takes_part_;                       ///< in what goes on between nodes, or all ranks
  Communicator others_;                   ///< the nodes' leaders, or all ranks
  std::optional<NonblockingOr> pending_;  ///< of these, where that goes on meanwhile
  std::span<std::uint64_t> masks_;
};

}  // namespace breadth
