// What every parallel step is given.
#pragma once

#include <algorithm>
#include <cstdint>

#include "comm/communicator.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// The ranks and threads that carry out a step, and perhaps a pool of memory that steps of its kind use again. All
/// outlive it.
struct Context {
  const Communicator& ranks;
  ThreadTeam& threads;
  BufferPool* pool = nullptr;
};

/// This rank's part of `count` things, of which all ranks have nearly equally many.
inline IndexRange own_share(std::uint64_t count, const Communicator& ranks) {
  return even_share(count, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
}

/// Calls body(first, last) equally often on every rank, for ranges of at most so many of the rank's `count` things,
/// the last of them perhaps empty: what all ranks do together is of bounded size. Collective.
template <class Body>
void for_each_round(std::uint64_t count, std::uint64_t most, const Communicator& ranks, Body&& body) {
  const std::uint64_t rounds = ranks.all_reduce((count + most - 1) / most, Reduction::maximum);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::min(count, round * most);
    body(first, std::min(count, first + most));
  }
}

}  // namespace breadth
