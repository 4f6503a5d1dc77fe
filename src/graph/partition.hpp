// Where vertices live: the only place that turns labels into local ids and positions, and back.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/block_distribution.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "graph/connected_labels.hpp"
#include "graph/hubs.hpp"

namespace breadth {

/// Names any vertex of the graph by its owner and its local id there, in one number: the rank above, the local id in
/// the low bits. Bit `position` of a replicated bitmap is that vertex, so each rank's stretch of it starts on a word.
class PositionCode {
 public:
  PositionCode() = default;
  /// For local ids below `local_bound` on each of `ranks` ranks.
  PositionCode(std::uint64_t local_bound, int ranks)
      : local_bits_(bits_for(local_bound)),
        rank_bits_(static_cast<int>(std::bit_width(static_cast<unsigned>(ranks) - 1U))),
        ranks_(ranks) {}

  [[nodiscard]] std::uint64_t encode(int rank, LocalVertex local) const noexcept {
    return (static_cast<std::uint64_t>(rank) << local_bits_) | local.value;
  }
  [[nodiscard]] int rank(std::uint64_t position) const noexcept { return static_cast<int>(position >> local_bits_); }
  [[nodiscard]] LocalVertex local(std::uint64_t position) const noexcept {
    return LocalVertex{static_cast<std::uint32_t>(position & (stride() - 1))};
  }
  /// Positions from one rank's first to the next rank's.
  [[nodiscard]] std::uint64_t stride() const noexcept { return std::uint64_t{1} << local_bits_; }
  /// All positions are below this.
  [[nodiscard]] std::uint64_t bound() const noexcept { return static_cast<std::uint64_t>(ranks_) << local_bits_; }

  /// The same name with the parts exchanged: sorted by it, vertices come most connected first, whatever their rank.
  [[nodiscard]] std::uint64_t order(std::uint64_t position) const noexcept {
    return ((position & (stride() - 1)) << rank_bits_) | (position >> local_bits_);
  }
  /// The widths of the parts.
  [[nodiscard]] int rank_bits() const noexcept { return rank_bits_; }
  [[nodiscard]] int local_bits() const noexcept { return local_bits_; }
  /// What order() gives is below this.
  [[nodiscard]] std::uint64_t order_bound() const noexcept { return stride() << rank_bits_; }
  /// The position that order() made this of.
  [[nodiscard]] std::uint64_t from_order(std::uint64_t order) const noexcept {
    return ((order & ((std::uint64_t{1} << rank_bits_) - 1)) << local_bits_) | (order >> rank_bits_);
  }

 private:
  static int bits_for(std::uint64_t bound) {
    constexpr int word_bits = 6;  // whole words a rank
    return std::max(word_bits, static_cast<int>(std::bit_width(bound > 0 ? bound - 1 : 0)));
  }

  int local_bits_ = 6;
  int rank_bits_ = 0;
  int ranks_ = 1;
};

/// One rank's vertices under both their names, and what it knows of the other ranks' names. Hubs, if there are any,
/// have the first local ids on every rank, and each rank names them by these: they are its own wherever their labels
/// are.
class Partition {
 public:
  Partition() = default;
  /// `connected` has the local ids of this rank's block of labels; `offset_of_local[i]` is the place in the block of
  /// the label whose local id is i, and anything where that is no label of the block.
  Partition(BlockDistribution distribution, int rank, PositionCode code, ConnectedLabels connected,
            Buffer<std::uint32_t> offset_of_local, Hubs hubs = {})
      : distribution_(distribution),
        rank_(rank),
        code_(code),
        connected_(std::move(connected)),
        offset_of_local_(std::move(offset_of_local)),
        hubs_(std::move(hubs)) {}

  [[nodiscard]] const BlockDistribution& distribution() const noexcept { return distribution_; }
  [[nodiscard]] const PositionCode& code() const noexcept { return code_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  /// The hubs, of which every rank has a replica.
  [[nodiscard]] const Hubs& hubs() const noexcept { return hubs_; }
  /// Local ids of this rank: vertices that have edges, replicas of hubs first.
  [[nodiscard]] std::size_t local_count() const noexcept { return offset_of_local_.size(); }

  /// The local id of a label that this rank owns; no_local_vertex if it has no edges.
  [[nodiscard]] LocalVertex local(Label own) const noexcept {
    return connected_.local(distribution_.offset(own, rank_));
  }
  [[gnu::always_inline, nodiscard]] Label label(LocalVertex vertex) const noexcept {
    if (hubs_.contains(vertex)) return hubs_[vertex].label;
    return distribution_.label(rank_, offset_of_local_[vertex.index()]);
  }
  [[nodiscard]] std::uint64_t position(LocalVertex vertex) const noexcept { return code_.encode(rank_, vertex); }

  /// The tables themselves, for loops over all of them.
  [[nodiscard]] const ConnectedLabels& connected() const noexcept { return connected_; }
  [[nodiscard]] std::span<const std::uint32_t> offset_of_local() const noexcept { return offset_of_local_.span(); }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return connected_.bytes() + offset_of_local_.size() * sizeof(std::uint32_t) + hubs_.bytes();
  }

 private:
  BlockDistribution distribution_;
  int rank_ = 0;
  PositionCode code_;
  ConnectedLabels connected_;
  Buffer<std::uint32_t> offset_of_local_;
  Hubs hubs_;
};

}  // namespace breadth
