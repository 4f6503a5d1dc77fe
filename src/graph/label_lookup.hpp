// From positions back to labels, on any rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/context.hpp"
#include "core/label_array.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The labels of every rank's most connected vertices, on every rank: nearly all that a search ever asks for. On up to
/// four ranks they are all vertices, and on more a rank holds about four blocks' worth; the rest is asked for.
class LabelLookup {
 public:
  LabelLookup() = default;
  /// Collective; moves the table once to every rank.
  LabelLookup(const Partition& partition, const Communicator& ranks);

  /// Whether it knows the vertex at a position.
  [[nodiscard]] bool knows(std::uint64_t position) const noexcept { return (position & local_mask_) <= known_mask_; }
  /// Whether it knows every vertex of every rank.
  [[nodiscard]] bool complete() const noexcept { return known_bits_ == local_bits_; }
  /// The label of a vertex that it knows.
  [[nodiscard]] Label label(std::uint64_t position) const noexcept { return labels_[index(position)]; }
  /// Ahead of label().
  [[gnu::always_inline]] void prefetch(std::uint64_t position) const noexcept {
    if (knows(position)) labels_.prefetch(index(position));
  }
  /// The labels of vertices at any positions, one exchange for all that it does not know. Collective.
  template <class Neighbour>
  void name(std::span<const Neighbour> positions, std::span<Neighbour> labels, const Partition& partition,
            const Context& context) const;

  [[nodiscard]] std::size_t bytes() const noexcept { return labels_.bytes(); }

 private:
  [[nodiscard]] std::size_t index(std::uint64_t position) const noexcept {
    return ((position >> local_bits_) << known_bits_) | (position & local_mask_);
  }

  int local_bits_ = 0;  ///< of a position; the rest is the rank
  int known_bits_ = 0;  ///< of an index
  std::uint64_t local_mask_ = 0;
  std::uint64_t known_mask_ = 0;  ///< the last local id that is known
  LabelArray labels_;
};

}  // namespace breadth
