// Shared memory of one rank, in a build without MPI: memory of its own.
#include "comm/shared_buffer.hpp"
#include "core/memory/buffer.hpp"

namespace breadth::detail {

struct SharedMemory::State {
  Buffer<std::byte> own;
};

SharedMemory::SharedMemory(const Communicator&, std::size_t bytes) : state_(std::make_unique<State>()) {
  state_->own = Buffer<std::byte>(bytes);
}

SharedMemory::~SharedMemory() = default;

SharedMemory::SharedMemory(SharedMemory&&) noexcept = default;

void* SharedMemory::data() const noexcept { return state_->own.data(); }

void SharedMemory::barrier() const {}

}  // namespace breadth::detail
