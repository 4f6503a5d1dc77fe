// PendingUnion on MPI_Iallreduce.
#include <algorithm>
#include <vector>

#include "comm/exchange/pending_union.hpp"
#include "comm/mpi/mpi_state.hpp"
#include "comm/phase.hpp"

namespace breadth {

using detail::check_mpi;

struct PendingUnion::State {
  Communicator ranks;
  std::span<std::uint64_t> words;         ///< where they are to be
  std::vector<std::uint64_t> travelling;  ///< as long as requests are under way, the library's
  std::vector<MPI_Request> requests;      ///< one a piece
};

PendingUnion::PendingUnion(const Communicator& ranks) : state_(std::make_unique<State>(State{ranks, {}, {}, {}})) {}

PendingUnion::~PendingUnion() {
  if (!state_->requests.empty()) (void)state_.release();
}

void PendingUnion::start(std::span<std::uint64_t> words) {
  state_->words = words;
  if (state_->ranks.size() == 1) return;
  state_->travelling.assign(words.begin(), words.end());
  const detail::CommunicatorState& mpi = state_->ranks.state();
  detail::for_each_piece(words.size(), mpi.piece_bytes / sizeof(std::uint64_t), [&](std::size_t offset, int piece) {
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, state_->travelling.data() + offset, piece, MPI_UINT64_T, MPI_BOR, mpi.handle,
                             &state_->requests.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Iallreduce");
  });
}

void PendingUnion::finish() {
  if (state_->requests.empty()) return;
  const Phase phase(state_->ranks, "non-blocking all-reduce");
  check_mpi(MPI_Waitall(static_cast<int>(state_->requests.size()), state_->requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  state_->requests.clear();
  std::copy(state_->travelling.begin(), state_->travelling.end(), state_->words.begin());
}

}  // namespace breadth
