// Shared memory of ranks that are threads of one process: theirs anyway.
#include "comm/shared_buffer.hpp"
#include "comm/threads/thread_ranks.hpp"
#include "core/memory/buffer.hpp"

namespace breadth::detail {

struct SharedMemory::State {
  Communicator sharers;
  std::shared_ptr<Buffer<std::byte>> memory;
};

SharedMemory::SharedMemory(const Communicator& sharers, std::size_t bytes)
    : state_(std::make_unique<State>(
          State{sharers, sharers.state().share([bytes] { return std::make_shared<Buffer<std::byte>>(bytes); })})) {}

SharedMemory::~SharedMemory() = default;

SharedMemory::SharedMemory(SharedMemory&&) noexcept = default;

void* SharedMemory::data() const noexcept { return state_->memory->data(); }

void SharedMemory::barrier() const { state_->sharers.barrier(); }

}  // namespace breadth::detail
