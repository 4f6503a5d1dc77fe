// From positions back to labels, on any rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/buffer.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// The labels of every rank's most connected vertices, on every rank. Those are nearly all the parents that a search
/// ever names; on up to four ranks they are all vertices, and on more a rank holds about four blocks' worth.
class LabelLookup {
 public:
  LabelLookup() = default;
  /// Collective; moves the table once to every rank.
  LabelLookup(const Partition& partition, const Communicator& ranks);

  /// Whether label() knows the vertex.
  [[nodiscard]] bool knows(LocalVertex local) const noexcept { return local.value < known_; }
  /// Whether it knows every vertex of every rank.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  /// The label of a vertex of any rank that it knows.
  [[nodiscard]] std::uint64_t label(int rank, LocalVertex local) const noexcept {
    const std::size_t row = static_cast<std::size_t>(rank);
    return block_ * row + offsets_[row * known_ + local.index()];
  }
  [[nodiscard]] std::size_t bytes() const noexcept { return offsets_.size() * sizeof(std::uint32_t); }

 private:
  std::uint64_t block_ = 0;
  std::size_t known_ = 0;  ///< the first so many of each rank
  bool complete_ = true;
  Buffer<std::uint32_t> offsets_;  ///< one row of known_ a rank: offsets in that rank's block of labels
};

}  // namespace breadth
