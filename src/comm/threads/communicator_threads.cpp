// Communicator, NonblockingOr and SharedMemory without MPI: for the single rank of a program, and in tests for ranks
// that are threads of one process. Calls synchronise ranks only as far as MPI does: a broadcast's root does not wait,
// for example. A thread sanitizer therefore finds races that these calls do not order.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "comm/communicator.hpp"
#include "comm/nodes.hpp"
#include "comm/phase.hpp"
#include "comm/threads/thread_ranks.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"

namespace breadth {

namespace {
/// Calls body(rank) for all ranks but one.
template <class Body>
void for_others(int size, int self, Body&& body) {
  for (int rank = 0; rank < size; ++rank) {
    if (rank != self) body(rank);
  }
}

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

using detail::copy_bytes;

/// Copies this rank's part, and the parts that the others send, to their displacements.
void gather_parts(const detail::CommunicatorState& state, std::span<const std::byte> mine, std::byte* all,
                  std::span<const std::size_t> displacements, std::size_t element_bytes) {
  copy_bytes(all + displacements[index_of(state.rank)] * element_bytes, mine.data(), mine.size());
  for_others(state.messages->ranks(), state.rank, [&](int rank) {
    const std::vector<std::byte> part = state.receive(rank);
    copy_bytes(all + displacements[index_of(rank)] * element_bytes, part.data(), part.size());
  });
}
}  // namespace

Communicator::Communicator(std::shared_ptr<detail::CommunicatorState> state)
    : state_(std::move(state)), rank_(state_->rank), size_(state_->messages->ranks()) {}

void Communicator::barrier() const {
  if (size_ == 1) return;
  const Phase phase(*this, "barrier");
  for_others(size_, rank_, [&](int rank) { state_->send(rank, {}); });
  for_others(size_, rank_, [&](int rank) { (void)state_->receive(rank); });
}

void Communicator::all_reduce_bytes(void* values, std::size_t count, detail::ElementType type,
                                    Reduction reduction) const {
  if (size_ == 1) return;
  const Phase phase(*this, "all-reduce");
  const std::size_t each = count * detail::bytes_of(type);
  std::vector<std::byte> all(each * index_of(size_));
  const std::vector<std::size_t> counts(index_of(size_), each);
  all_gather_bytes(static_cast<const std::byte*>(values), all.data(), counts, prefix(counts), 1);
  for (int rank = 1; rank < size_; ++rank) {  // in one order on every rank, so that sums of floats are equal everywhere
    detail::combine(all.data(), all.data() + index_of(rank) * each, count, type, reduction);
  }
  copy_bytes(values, all.data(), each);
}

void Communicator::reduce_scatter_bytes(const void* values, void* mine, std::span<const std::size_t> counts,
                                        detail::ElementType type, Reduction reduction) const {
  const Phase phase(*this, "reduce-scatter");
  const std::size_t own_count = counts[index_of(rank_)];
  const std::size_t own_bytes = own_count * detail::bytes_of(type);
  std::vector<std::byte> parts(own_bytes * index_of(size_));
  all_to_all_bytes(static_cast<const std::byte*>(values), counts, parts.data(),
                   std::vector<std::size_t>(index_of(size_), own_count), detail::bytes_of(type));
  for (int rank = 1; rank < size_; ++rank) {
    detail::combine(parts.data(), parts.data() + index_of(rank) * own_bytes, own_count, type, reduction);
  }
  copy_bytes(mine, parts.data(), own_bytes);
}

void Communicator::broadcast_bytes(void* values, std::size_t bytes, int root) const {
  if (size_ == 1) return;
  const Phase phase(*this, "broadcast");
  auto* const data = static_cast<std::byte*>(values);
  if (rank_ != root) {
    copy_bytes(data, state_->receive(root).data(), bytes);
    return;
  }
  for_others(size_, rank_, [&](int rank) { state_->send(rank, {data, bytes}); });
}

void Communicator::all_gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                    std::span<const std::size_t> displacements, std::size_t element_bytes) const {
  const Phase phase(*this, "all-gather");
  const std::span own(mine, counts[index_of(rank_)] * element_bytes);
  for_others(size_, rank_, [&](int rank) { state_->send(rank, own); });
  gather_parts(*state_, own, all, displacements, element_bytes);
}

void Communicator::gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                std::span<const std::size_t> displacements, std::size_t element_bytes, int root) const {
  const Phase phase(*this, "gather");
  const std::span own(mine, counts[index_of(rank_)] * element_bytes);
  if (rank_ != root) return state_->send(root, own);
  gather_parts(*state_, own, all, displacements, element_bytes);
}

void Communicator::all_to_all_bytes(const std::byte* send, std::span<const std::size_t> send_counts, std::byte* receive,
                                    std::span<const std::size_t> receive_counts, std::size_t element_bytes) const {
  const Phase phase(*this, "all-to-all");
  const std::vector<std::size_t> send_from = prefix(send_counts);
  const std::vector<std::size_t> receive_at = prefix(receive_counts);
  const auto part = [&](std::size_t rank) {
    return std::span(send + send_from[rank] * element_bytes, send_counts[rank] * element_bytes);
  };
  for_others(size_, rank_, [&](int rank) {
    if (send_counts[index_of(rank)] > 0) state_->send(rank, part(index_of(rank)));
  });
  const std::span<const std::byte> kept = part(index_of(rank_));
  copy_bytes(receive + receive_at[index_of(rank_)] * element_bytes, kept.data(), kept.size());
  for_others(size_, rank_, [&](int rank) {
    if (receive_counts[index_of(rank)] == 0) return;
    const std::vector<std::byte> came = state_->receive(rank);
    copy_bytes(receive + receive_at[index_of(rank)] * element_bytes, came.data(), came.size());
  });
}

std::vector<std::size_t> Communicator::exchange_counts(std::span<const std::size_t> counts) const {
  const std::size_t each = counts.size() / index_of(size_);
  std::vector<std::size_t> received(counts.size());
  const std::vector<std::size_t> of_each(index_of(size_), each);
  all_to_all_bytes(as_raw(counts), of_each, reinterpret_cast<std::byte*>(received.data()), of_each,
                   sizeof(std::size_t));
  return received;
}

void Communicator::publish_phases(PhaseSlot* slot) const noexcept { state_->phases = slot; }

PhaseSlot* Communicator::phases() const noexcept { return state_->phases; }

Communicator Communicator::node() const { return split(0, rank_); }

/// The first member creates the new group's messages and sends them to the others.
Communicator Communicator::split(int group, int place) const {
  const Phase phase(*this, "split");
  struct Choice {
    int group;
    int place;
    int rank;
  };
  std::vector<Choice> members = all_gather(Choice{group, place, rank_});
  std::erase_if(members, [&](const Choice& choice) { return choice.group != group; });
  std::ranges::sort(members, {}, [](const Choice& one) { return std::pair(one.place, one.rank); });
  const auto own = std::ranges::find(members, rank_, &Choice::rank);
  std::shared_ptr<detail::ThreadMessages> messages;
  if (own == members.begin()) {
    messages = std::make_shared<detail::ThreadMessages>(static_cast<int>(members.size()));
    for (std::size_t i = 1; i < members.size(); ++i) {
      state_->messages->send(members[i].rank,
                             {.source = rank_, .tag = detail::CommunicatorState::collective_tag, .shared = messages});
    }
  } else {
    const detail::ThreadMessage invitation =
        state_->messages->receive(rank_, members.front().rank, detail::CommunicatorState::collective_tag);
    messages = std::static_pointer_cast<detail::ThreadMessages>(invitation.shared);
  }
  const auto own_rank = static_cast<int>(own - members.begin());
  return Communicator(std::make_shared<detail::CommunicatorState>(messages, own_rank, state_->phases));
}

MessagePassing::MessagePassing(int&, char**&) {}

MessagePassing::~MessagePassing() = default;

/// A single rank: only tests run ranks as threads.
Communicator MessagePassing::world() const { return ranks_of_threads(1).front(); }

Communicator MessagePassing::self() const { return world(); }

Communicator MessagePassing::ranks_of(int) const { fail("Breadth was built without MPI"); }

void MessagePassing::leave() noexcept {}

void MessagePassing::abort(int status) const { std::_Exit(status); }

std::string MessagePassing::library() { return BREADTH_MESSAGES; }

bool MessagePassing::supports_threads() { return true; }

bool MessagePassing::reads_device_memory() { return false; }

struct NonblockingOr::State {
  Communicator ranks;
  std::span<std::uint64_t> words;  ///< where the result is written
  std::uint64_t tag = 0;
};

NonblockingOr::NonblockingOr(const Communicator& ranks) : state_(std::make_unique<State>(State{ranks, {}})) {}

NonblockingOr::~NonblockingOr() = default;

void NonblockingOr::start(std::span<std::uint64_t> words) {
  state_->words = words;
  const Communicator& ranks = state_->ranks;
  state_->tag = ranks.state().next_reduction_tag();
  for_others(ranks.size(), ranks.rank(),
             [&](int rank) { ranks.state().send(rank, std::as_bytes(words), state_->tag); });
}

void NonblockingOr::finish() {
  const Communicator& ranks = state_->ranks;
  const Phase phase(ranks, "non-blocking all-reduce");
  for_others(ranks.size(), ranks.rank(), [&](int rank) {
    const std::vector<std::byte> words = ranks.state().receive(rank, state_->tag);
    detail::combine(std::as_writable_bytes(state_->words).data(), words.data(), state_->words.size(),
                    detail::ElementType::uint64, Reduction::bitwise_or);
  });
}

namespace detail {

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

}  // namespace detail

}  // namespace breadth
