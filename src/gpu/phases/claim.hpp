// Who is first: bits that many lanes want to set, and vertices that are visited once.
#pragma once

#include <cstdint>

#include "gpu/phases/array_view.hpp"
#include "gpu/phases/frontier_queue.hpp"
#include "gpu/phases/views.hpp"

namespace breadth::gpu {

/// Sets the bits of these numbers for the lanes of the mask, whoever else does so at the same time. Which lanes did:
/// of those who want the same bit one, and none where it is set. A bit is looked at first, since nearly all are.
template <class Warp>
constexpr typename Warp::Mask set_bits(const Warp& warp, const ArrayView<std::uint32_t>& bitmap,
                                       const typename Warp::template Lanes<std::uint32_t>& numbers,
                                       const typename Warp::Mask& mask) {
  const auto word = numbers / bits_per_word;
  const auto bit = warp.bit(numbers % bits_per_word);
  const typename Warp::Mask fresh = mask & ((warp.load_relaxed(bitmap, word, mask) & bit) == 0U);
  if (!warp.any(fresh)) return fresh;
  return fresh & ((warp.fetch_or(bitmap, word, bit, fresh) & bit) == 0U);
}

/// Visits these vertices for the lanes of the mask, unless they are visited: they get their parents, join the queue and
/// are counted. Which lanes did.
template <class Warp>
constexpr typename Warp::Mask claim(const Warp& warp, const GraphView& graph, const SearchView& search,
                                    const QueueView& queue,
                                    const typename Warp::template Lanes<std::uint32_t>& vertices,
                                    const typename Warp::template Lanes<std::uint32_t>& parents,
                                    const typename Warp::Mask& mask, Tally<Warp>& tally) {
  const typename Warp::Mask claimed = set_bits(warp, search.visited, vertices, mask);
  if (!warp.any(claimed)) return claimed;
  warp.store(search.parents, vertices, parents, claimed);
  append(warp, graph, queue, vertices, claimed);
  tally.claimed = tally.claimed + claimed;
  tally.edges = tally.edges + warp.load_constant(graph.word_degrees, vertices / bits_per_word, claimed);
  return claimed;
}

}  // namespace breadth::gpu
