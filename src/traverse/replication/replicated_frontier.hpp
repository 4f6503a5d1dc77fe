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

/// The visited vertices of all ranks, as each last shared them: a bitmap over global ids on every rank (Cui et al.
/// 2012, section II), or on every node. A pull takes them for the frontier: a vertex that is not visited has no
/// neighbour among those of earlier levels. What is visited meanwhile does not show before it is shared.
class ReplicatedFrontier {
 public:
  /// Vertices with local ids below `searched`, on every rank. Those of the first so many words are hubs, which a rank
  /// looks up in its own part only: they do not travel. The context outlives this. Collective.
  ReplicatedFrontier(const Partition& partition, std::size_t searched, std::size_t first_word,
                     const ReplicationOptions& options, const Context& context);
  /// For searches that replicate nothing: it knows the nodes, and has no bits. Collective.
  ReplicatedFrontier(const ReplicationOptions& options, const Context& context);
  virtual ~ReplicatedFrontier() = default;
  ReplicatedFrontier(const ReplicatedFrontier&) = delete;
  ReplicatedFrontier& operator=(const ReplicatedFrontier&) = delete;

  /// Begins a search. Collective.
  virtual void clear() {}
  /// Brings every rank's visited vertices to every rank, once all of them are done with looking vertices up. Returns
  /// what this rank sent. Collective.
  virtual Traffic share(const Bitmap& visited);
  /// What pulls look vertices up in.
  [[nodiscard]] virtual Frontier view() const { return FrontierBits{bits().data()}; }
  /// Memory that it takes on this rank, where none is shared.
  [[nodiscard]] virtual std::uint64_t bytes() const { return bits().size_bytes(); }
  /// The bitmap alone.
  [[nodiscard]] std::span<const std::uint64_t> bits() const { return bits_.all(); }
  /// What this rank last shared, and its hubs.
  [[nodiscard]] std::span<const std::uint64_t> own() const {
    const IndexRange place = words_of(own_rank());
    return bits().subspan(place.begin - first_word_, first_word_ + place.size());
  }

  /// Bytes of memory that this rank uses and another one of its node counts as its own.
  [[nodiscard]] virtual std::uint64_t borrowed_bytes() const { return bits_.borrowed_bytes(); }
  /// The nodes that ranks are on, or are taken to be.
  [[nodiscard]] const Nodes& nodes() const { return replicator_.nodes(); }

 protected:
  [[nodiscard]] const Context& context() const { return context_; }
  [[nodiscard]] const Replicator& replicator() const { return replicator_; }
  [[nodiscard]] ReplicatedWords& replicated_bits() { return bits_; }
  [[nodiscard]] std::size_t rank_count() const { return replicator_.rank_count(); }
  [[nodiscard]] std::size_t own_rank() const { return replicator_.own_rank(); }
  /// Where a rank's vertices lie in the bitmap.
  [[nodiscard]] const Parts& parts() const { return parts_; }
  [[nodiscard]] IndexRange words_of(std::size_t rank) const { return parts_.range(rank); }
  /// Words of each rank's hubs, which come before its part and do not travel.
  [[nodiscard]] std::size_t hub_words() const { return first_word_; }
  /// Brings this rank's hubs, which only it looks up here, up to date.
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
  bool replicated = true;  ///< or nobody ever shares or looks
};

/// The one that the options ask for. Collective.
std::unique_ptr<ReplicatedFrontier> make_replicated_frontier(const Partition& partition, std::size_t searched,
                                                             const FrontierOptions& options, const Context& context);

/// Memory of all ranks for the frontier. `bitmap_bytes` are those of one copy, gaps between ranks included, and
/// `part_bytes` what the ranks' own parts of it are together.
std::uint64_t frontier_bytes(std::uint64_t bitmap_bytes, std::uint64_t part_bytes, std::uint64_t ranks,
                             const FrontierPlan& plan);

}  // namespace breadth
