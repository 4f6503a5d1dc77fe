// What every parallel step is given.
#pragma once

#include "comm/communicator.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// The ranks and threads that carry out a step, and memory that steps of its kind leave to each other, if they do. All
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

}  // namespace breadth
