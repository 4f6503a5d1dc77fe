// Replication of arrays of which each rank has a part, and union of bitmaps in which each rank has set bits.
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

/// The place of each rank's part in an array.
struct Parts {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> places;

  /// Parts one after the other, without gaps.
  static Parts side_by_side(std::vector<std::size_t> counts) {
    std::vector<std::size_t> places(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), places.begin(), std::size_t{0});
    return {std::move(counts), std::move(places)};
  }

  /// The length of all parts together.
  [[nodiscard]] std::size_t count() const { return sum_of(counts); }
  [[nodiscard]] IndexRange range(std::size_t rank) const { return {places[rank], places[rank] + counts[rank]}; }
};

/// The communicators and strategies that replicate arrays. Made once, for all arrays of a search.
class Replicator {
 public:
  /// An array that the ranks of a node share, or that belongs to one rank.
  using Words = SharedBuffer<std::uint64_t>;

  /// Brings parts of an array to every rank, one way for each Replication (replication.cpp). `mine` is this rank's
  /// part, at its place in `all` or elsewhere. Returns what this rank sent. Collective.
  using Strategy = std::function<Traffic(std::span<const std::uint64_t> mine, Words& all, const Parts& parts)>;

  /// On one rank, `how` has no effect. Collective.
  Replicator(Replication how, const Nodes& nodes);
  /// Takes the nodes from the options. Collective.
  Replicator(const ReplicationOptions& options, const Communicator& ranks);
  Replicator(const Replicator&) = delete;
  Replicator& operator=(const Replicator&) = delete;

  [[nodiscard]] const Nodes& nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::size_t rank_count() const noexcept { return static_cast<std::size_t>(nodes_.all().size()); }
  [[nodiscard]] std::size_t own_rank() const noexcept { return static_cast<std::size_t>(nodes_.all().rank()); }
  /// Whether the ranks of a node share in-queues.
  [[nodiscard]] bool shares_in_queues() const noexcept { return breadth::shares_in_queues(how_); }
  /// Whether the ranks of a node share out-queues and summaries too.
  [[nodiscard]] bool shares_all() const noexcept { return breadth::shares_all(how_); }
  /// The strategies for queues and for summaries.
  [[nodiscard]] const Strategy& queue_strategy() const noexcept { return queue_strategy_; }
  [[nodiscard]] const Strategy& summary_strategy() const noexcept { return summary_strategy_; }

  /// Returns zeroed words, one array per node if `shared`, else one per rank. Throws the same Error on all ranks if the
  /// MPI library cannot share memory. Collective.
  [[nodiscard]] Words words(std::size_t count, bool shared) const;
  /// The ranks whose parts this rank must copy into an array if no Strategy brings them there. These are all ranks that
  /// do not write to the array themselves; if the ranks of the node share the array, an equal share of them.
  [[nodiscard]] std::vector<std::size_t> copied_ranks(bool shared, bool written_in_place) const;
  /// Bytes of `words` that this rank uses but another rank of its node counts as its own.
  [[nodiscard]] std::uint64_t bytes_counted_elsewhere(const Words& words, bool shared) const {
    return shared && !nodes_.leads() ? words.span().size_bytes() : 0;
  }

 private:
  Replication how_;
  Nodes nodes_;
  Communicator self_;
  Strategy queue_strategy_;
  Strategy summary_strategy_;
};

/// An array of which every rank writes a part and reads all.
class ReplicatedWords {
 public:
  enum class Role { queue, summary };

  /// `part_size`: the largest size of this rank's part. The replicator must outlive this. Collective.
  ReplicatedWords(const Replicator& replicator, Role role, std::size_t size, std::size_t part_size);

  /// The parts of all ranks, as of the last replicate().
  [[nodiscard]] std::span<const std::uint64_t> all() const noexcept { return all_.span(); }
  /// The memory to which this rank writes its part. `place` is the part's place in all().
  [[nodiscard]] std::span<std::uint64_t> part(IndexRange place) {
    return in_place_ ? all_.span().subspan(place.begin, place.size()) : own_.span().first(place.size());
  }
  /// Brings every rank's part to every rank. No rank may read or write the array meanwhile. Collective.
  Traffic replicate(const Parts& parts);

  /// For use without replicate(): each rank copies the parts of copied_ranks() to writable(), then all call
  /// synchronize().
  [[nodiscard]] std::span<std::uint64_t> writable() noexcept { return all_.span(); }
  [[nodiscard]] const std::vector<std::size_t>& copied_ranks() const noexcept { return copied_ranks_; }
  /// Makes what ranks of this node have written visible to all of them. Collective.
  void synchronize() const { all_.barrier(); }
  /// This rank's share of memory that several ranks share. The rank should be the first to touch it.
  [[nodiscard]] std::span<std::uint64_t> own_share() noexcept { return all_.share(); }
  /// Sets the array to zero. Collective.
  void clear();

  [[nodiscard]] std::uint64_t bytes_counted_elsewhere() const {
    return replicator_.bytes_counted_elsewhere(all_, shared_);
  }

 private:
  const Replicator& replicator_;
  const Replicator::Strategy& strategy_;
  bool shared_;
  bool in_place_;
  Replicator::Words all_;
  Buffer<std::uint64_t> own_;  ///< this rank's part, if that is not written in place
  std::vector<std::size_t> copied_ranks_;
};

// Masks of hubs.

/// Computes the union of bitmaps of equal size on all ranks.
class MaskReduction {
 public:
  /// The nodes must outlive it. Collective.
  MaskReduction(HubMaskPolicy how, const Nodes& nodes);

  /// Starts the union with this rank's masks. They must stay in place and unchanged until finish(). Collective. With
  /// two_phase_nonblocking, ranks wait here for the others of their node, so that no messages may be under way that
  /// only progress while their receivers poll.
  void start(std::span<std::uint64_t> masks);
  /// Finishes the union: the masks are those of all ranks. Returns what this rank sent at least. Collective.
  [[nodiscard]] Traffic finish();

 private:
  void combine_inside() const;
  [[nodiscard]] Traffic traffic() const;

  const Nodes& nodes_;
  bool two_phase_;
  bool takes_part_;                       ///< in the reduction of others_
  Communicator others_;                   ///< the nodes' leaders, or all ranks
  std::optional<NonblockingOr> pending_;  ///< the reduction of others_, if non-blocking
  std::span<std::uint64_t> masks_;
};

}  // namespace breadth
