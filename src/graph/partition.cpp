#include "graph/partition.hpp"

#include <algorithm>

#include "core/parallel/parallel.hpp"

namespace breadth {

ConnectedLabels::ConnectedLabels(std::span<const std::uint32_t> local_of_offset, ThreadTeam& threads)
    : connected_(local_of_offset.size()), first_in_word_(words_for_bits(local_of_offset.size())) {
  constexpr std::size_t words_per_block = 1024;
  const auto labels_of = [&](std::size_t word) {
    return local_of_offset.subspan(word * bits_per_word,
                                   std::min(bits_per_word, local_of_offset.size() - word * bits_per_word));
  };
  parallel_for(threads, first_in_word_.size(), words_per_block, [&](std::size_t word) {
    std::uint64_t bits = 0;
    const auto labels = labels_of(word);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      bits |= static_cast<std::uint64_t>(labels[i] != no_local_vertex.value) << i;
    }
    connected_.words()[word] = bits;
    first_in_word_[word] = static_cast<std::uint32_t>(std::popcount(bits));
  });
  locals_ = Buffer<std::uint32_t>(exclusive_prefix_sum(threads, first_in_word_.span()));
  parallel_for(threads, first_in_word_.size(), words_per_block, [&](std::size_t word) {
    std::uint32_t* next = locals_.data() + first_in_word_[word];
    for (const std::uint32_t local : labels_of(word)) {
      if (local != no_local_vertex.value) *next++ = local;
    }
  });
}

}  // namespace breadth
