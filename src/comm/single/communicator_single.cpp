// The one rank of a build without MPI: Communicator, PendingUnion, Mailbox and SharedMemory.
#include <cstdlib>

#include "comm/communicator.hpp"
#include "comm/exchange/message_exchange.hpp"
#include "comm/nodes.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"

namespace breadth {

namespace detail {
class CommunicatorState {
 public:
  PhaseSlot* phases = nullptr;
};
}  // namespace detail

Communicator::Communicator(std::shared_ptr<detail::CommunicatorState> state) : state_(std::move(state)) {}

void Communicator::barrier() const {}

void Communicator::all_reduce_bytes(void*, std::size_t, detail::ElementType, Reduction) const {}

void Communicator::reduce_scatter_bytes(const void* values, void* mine, std::span<const std::size_t> counts,
                                        detail::ElementType type, Reduction) const {
  detail::copy_bytes(mine, values, counts[0] * detail::bytes_of(type));
}

void Communicator::broadcast_bytes(void*, std::size_t, int) const {}

void Communicator::all_gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                    std::span<const std::size_t> displacements, std::size_t element_bytes) const {
  detail::copy_bytes(all + displacements[0] * element_bytes, mine, counts[0] * element_bytes);
}

void Communicator::gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                std::span<const std::size_t> displacements, std::size_t element_bytes, int) const {
  all_gather_bytes(mine, all, counts, displacements, element_bytes);
}

void Communicator::all_to_all_bytes(const std::byte* send, std::span<const std::size_t> send_counts, std::byte* receive,
                                    std::span<const std::size_t>, std::size_t element_bytes) const {
  detail::copy_bytes(receive, send, send_counts[0] * element_bytes);
}

void Communicator::publish_phases(PhaseSlot* slot) const noexcept { state_->phases = slot; }

PhaseSlot* Communicator::phases() const noexcept { return state_->phases; }

std::vector<std::size_t> Communicator::exchange_counts(std::span<const std::size_t> counts) const {
  return {counts.begin(), counts.end()};
}

Communicator Communicator::node() const { return *this; }

Communicator Communicator::split(int, int) const { return *this; }

MessagePassing::MessagePassing(int&, char**&) {}

MessagePassing::~MessagePassing() = default;

Communicator MessagePassing::world() const { return Communicator(std::make_shared<detail::CommunicatorState>()); }

Communicator MessagePassing::self() const { return world(); }

Communicator MessagePassing::ranks_of(int) const { fail("Breadth was built without MPI"); }

void MessagePassing::leave() noexcept {}

void MessagePassing::abort(int status) const { std::_Exit(status); }

std::string MessagePassing::library() { return "none"; }

bool MessagePassing::supports_threads() { return true; }

bool MessagePassing::reads_device_memory() { return false; }

struct PendingUnion::State {};

PendingUnion::PendingUnion(const Communicator&) {}

PendingUnion::~PendingUnion() = default;

void PendingUnion::start(std::span<std::uint64_t>) {}

void PendingUnion::finish() {}

struct Mailbox::State {};

Mailbox::Mailbox(const Communicator& ranks, std::size_t message_bytes, Handler, std::vector<int>, Termination)
    : MessageExchange(ranks, message_bytes) {}
Mailbox::~Mailbox() = default;
void Mailbox::send(int destination, std::span<const std::byte>) {
  fail("rank 0 of 1 has no message box for rank {}", destination);
}
void Mailbox::poll() {}
void Mailbox::finish() {}

namespace detail {

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

}  // namespace detail

}  // namespace breadth
