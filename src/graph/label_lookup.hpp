// From global ids back to labels, on any rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/data/label_array.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The labels of all hubs and of every rank's most connected other vertices, on every rank: nearly all that a search
/// ever asks for. On up to four ranks they are all vertices, and on more a rank holds about four blocks' worth; the
/// rest is asked for.
class LabelLookup {
 public:
  LabelLookup() = default;
  /// Collective; moves the table once to every rank.
  LabelLookup(const Partition& partition, const Communicator& ranks);

  /// Whether it knows the vertex with a global id.
  [[nodiscard]] bool knows(std::uint64_t global_id) const noexcept {
    return (global_id & local_mask_) < hubs_end_ + known_;
  }
  /// Whether it knows every vertex of every rank.
  [[nodiscard]] bool complete() const noexcept { return hubs_end_ + known_ > local_mask_; }
  /// The label of a vertex that it knows.
  [[nodiscard]] Label label(std::uint64_t global_id) const noexcept { return labels_[index(global_id)]; }
  /// Ahead of label().
  [[gnu::always_inline]] void prefetch(std::uint64_t global_id) const noexcept {
    if (knows(global_id)) labels_.prefetch(index(global_id));
  }
  /// The labels of vertices with any global ids, one exchange for all that it does not know. Collective.
  template <class Neighbour>
  void name(std::span<const Neighbour> global_ids, std::span<Neighbour> labels, const Partition& partition,
            const Context& context) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return labels_.bytes(); }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t global_id) const noexcept {
    const std::uint64_t local = global_id & local_mask_;
    return local < hubs_end_ ? local : (global_id >> local_bits_) * known_ + local;
  }

  int local_bits_ = 0;  ///< of a global id; the rest is the rank
  std::uint64_t local_mask_ = 0;
  std::uint64_t hubs_end_ = 0;  ///< hubs are the same on all ranks, and stand once
  std::uint64_t known_ = 0;     ///< of each rank, the first that are no hubs
  LabelArray labels_;
};

}  // namespace breadth
