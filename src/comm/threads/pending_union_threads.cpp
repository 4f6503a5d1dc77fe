// PendingUnion for ranks that are threads of one process.
#include "comm/exchange/pending_union.hpp"
#include "comm/phase.hpp"
#include "comm/threads/thread_ranks.hpp"

namespace breadth {

struct PendingUnion::State {
  Communicator ranks;
  std::span<std::uint64_t> words;  ///< where they are to be
  std::uint64_t tag = 0;
};

PendingUnion::PendingUnion(const Communicator& ranks) : state_(std::make_unique<State>(State{ranks, {}})) {}

PendingUnion::~PendingUnion() = default;

void PendingUnion::start(std::span<std::uint64_t> words) {
  state_->words = words;
  const Communicator& ranks = state_->ranks;
  state_->tag = ranks.state().next_reduction_tag();
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank != ranks.rank()) ranks.state().send(rank, std::as_bytes(words), state_->tag);
  }
}

void PendingUnion::finish() {
  const Communicator& ranks = state_->ranks;
  const Phase phase(ranks, "non-blocking all-reduce");
  for (int rank = 0; rank < ranks.size(); ++rank) {
    if (rank == ranks.rank()) continue;
    const std::vector<std::byte> words = ranks.state().receive(rank, state_->tag);
    detail::combine(std::as_writable_bytes(state_->words).data(), words.data(), state_->words.size(),
                    detail::ElementType::uint64, Reduction::bitwise_or);
  }
}

}  // namespace breadth
