// Every rank's visited vertices, on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "simd/frontier.hpp"
#include "traverse/replication/replication.hpp"

namespace breadth {

/// The visited vertices of all ranks, as each rank last shared them: a bitmap over global ids on every rank (Cui et al.
/// 2012, section II), or on every node. A pull uses them as the frontier, because an unvisited vertex has no neighbour
/// among the vertices of earlier levels. Vertices visited since are not in the bitmap until they are shared.
class ReplicatedFrontier {
 public:
  /// Has the vertices with local ids below `searched` of every rank. Those of the first `first_word` words are hubs,
  /// which a rank looks up in its own part only; they are not sent. The context must outlive this. Collective.
  ReplicatedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                     const ReplicationOptions& options, const Context& context);
  /// For searches that replicate nothing: has the nodes, but no bits. Collective.
  ReplicatedFrontier(const ReplicationOptions& options, const Context& context);
  virtual ~ReplicatedFrontier() = default;
  ReplicatedFrontier(const ReplicatedFrontier&) = delete;
  ReplicatedFrontier& operator=(const ReplicatedFrontier&) = delete;

  /// Begins a search. Collective.
  virtual void clear() {}
  /// Brings every rank's visited vertices to every rank. No rank may still look vertices up. Returns what this rank
  /// sent. Collective.
  virtual Traffic share(const Bitmap& visited);
  /// The frontier that pulls look vertices up in.
  [[nodiscard]] virtual Frontier view() const { return FrontierBits{bits().data()}; }
  /// Bytes of memory on this rank, if none is shared.
  [[nodiscard]] virtual std::uint64_t bytes() const { return bits().size_bytes(); }
  /// The bitmap, without a summary.
  [[nodiscard]] std::span<const std::uint64_t> bits() const { return bits_.all(); }
  /// The vertices that this rank last shared, and its hubs.
  [[nodiscard]] std::span<const std::uint64_t> own() const {
    const IndexRange place = words_of(own_rank());
    return bits().subspan(place.begin - first_word_, first_word_ + place.size());
  }

  /// Bytes of shared memory that this rank uses but another rank of its node counts as its own.
  [[nodiscard]] virtual std::uint64_t bytes_counted_elsewhere() const { return bits_.bytes_counted_elsewhere(); }
  /// The nodes of all ranks, real or simulated.
  [[nodiscard]] const Nodes& nodes() const { return replicator_.nodes(); }

 protected:
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const Replicator& replicator() const { return replicator_; }
  [[nodiscard]] ReplicatedWords& replicated_bits() { return bits_; }
  [[nodiscard]] std::size_t rank_count() const { return replicator_.rank_count(); }
  [[nodiscard]] std::size_t own_rank() const { return replicator_.own_rank(); }
  /// The place of each rank's vertices in the bitmap.
  [[nodiscard]] const Parts& parts() const { return parts_; }
  [[nodiscard]] IndexRange words_of(std::size_t rank) const { return parts_.range(rank); }
  /// The number of words of each rank's hubs, which stand before its part and are not sent.
  [[nodiscard]] std::size_t hub_words() const { return first_word_; }
  /// Updates this rank's hubs in the bitmap. Only this rank looks them up there.
  void copy_hubs(const Bitmap& visited);

 private:
  const Context& context_;
  Replicator replicator_;
  std::size_t first_word_ = 0;
  Parts parts_;
  ReplicatedWords bits_;
};

/// How visited vertices are replicated.
struct FrontierOptions {
  std::size_t granularity = 0;  ///< global ids in a group of the summary, a power of two from 64 on; 0 for none
  ReplicationOptions replication;
  bool replicated = true;  ///< if false, share() and view() are never called
};

/// Makes the replicated frontier that the options ask for. Collective.
std::unique_ptr<ReplicatedFrontier> make_replicated_frontier(const Partition& partition, std::size_t searched,
                                                             const FrontierOptions& options, const Context& context);

/// Returns the bytes of memory of all ranks for the frontier. `bitmap_bytes` is the size of one copy, including gaps
/// between ranks, `part_bytes` that of all ranks' own parts together.
std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan);

}  // namespace breadth
