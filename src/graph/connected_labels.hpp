// Which labels of a block have edges, and where those vertices are.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/thread_team.hpp"

namespace breadth {

/// From the labels of a rank's block to local ids: a bit for each label, and the local ids of those that have edges
/// side by side, in the order of labels. Labels without edges, half of a Kronecker graph's, cost a bit and no more, and
/// a walk over all labels reads nothing for them.
class ConnectedLabels {
 public:
  ConnectedLabels() = default;
  /// `local_of_offset[i]` is the local id of the block's i-th label, no_local_vertex for one without edges.
  ConnectedLabels(std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads);

  /// The local id of the block's label at `offset`; no_local_vertex if it has no edges.
  [[nodiscard]] LocalVertex local(std::size_t offset) const noexcept {
    const std::size_t word = offset / bits_per_word;
    if (!connected_.contains(offset)) return no_local_vertex;
    const std::uint64_t before = connected_.words()[word] & (bit_in_word(offset) - 1);
    return LocalVertex{locals_[first_in_word_[word] + static_cast<std::size_t>(std::popcount(before))]};
  }

  /// Labels of the block.
  [[nodiscard]] std::size_t size() const noexcept { return connected_.size(); }
  /// Bit i: whether the i-th label has edges.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return connected_.words(); }
  /// The local ids of the labels with edges in words [begin, end) of `words()`.
  [[nodiscard]] std::span<const std::uint32_t> locals(std::size_t begin, std::size_t end) const noexcept {
    return locals_.span().subspan(first_in(begin), first_in(end) - first_in(begin));
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return connected_.words().size_bytes() + sizeof(std::uint32_t) * (first_in_word_.size() + locals_.size());
  }

 private:
  [[nodiscard]] std::size_t first_in(std::size_t word) const noexcept {
    return word < first_in_word_.size() ? first_in_word_[word] : locals_.size();
  }

  Bitmap connected_;
  Buffer<std::uint32_t> first_in_word_;  ///< of each word, the place in locals_ of its first
  Buffer<std::uint32_t> locals_;
};

}  // namespace breadth
