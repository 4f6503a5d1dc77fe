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

}  // namespace breadth
