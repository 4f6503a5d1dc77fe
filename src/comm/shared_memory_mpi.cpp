// Shared memory by MPI 3.1 windows.
#include <cstring>
#include <exception>
#include <utility>

#include "comm/mpi_state.hpp"
#include "comm/shared_buffer.hpp"
#include "core/buffer.hpp"

namespace breadth::detail {

namespace {
constexpr std::size_t page_bytes = 4096;
}

struct SharedMemory::State {
  explicit State(Communicator sharers) : sharers(std::move(sharers)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (window == MPI_WIN_NULL || finalized != 0 || std::uncaught_exceptions() > 0) return;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }

  /// The first of the sharers brings all of it: consecutive whatever the library does with several parts.
  void open_window(std::size_t bytes) {
    const MPI_Aint own_bytes = sharers.rank() == 0 ? static_cast<MPI_Aint>(bytes) : 0;
    check_mpi(MPI_Win_allocate_shared(own_bytes, 1, MPI_INFO_NULL, sharers.state().handle, &data, &window),
              "MPI_Win_allocate_shared");
    check_mpi(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    MPI_Aint first_bytes = 0;
    int unit = 0;
    check_mpi(MPI_Win_shared_query(window, 0, &first_bytes, &unit, &data), "MPI_Win_shared_query");
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window), "MPI_Win_lock_all");
  }

  Communicator sharers;
  Buffer<std::byte> own;  ///< where there is one sharer
  MPI_Win window = MPI_WIN_NULL;
  void* data = nullptr;
};

SharedMemory::SharedMemory(const Communicator& sharers, std::size_t bytes) : state_(std::make_unique<State>(sharers)) {
  if (sharers.size() == 1) {
    state_->own = Buffer<std::byte>(bytes);
    state_->data = state_->own.data();
    return;
  }
  state_->open_window(bytes);
  const IndexRange share =  // each rank takes the pages of a part
      even_share(bytes, static_cast<std::size_t>(sharers.rank()), static_cast<std::size_t>(sharers.size()), page_bytes);
  if (share.size() > 0) std::memset(static_cast<std::byte*>(state_->data) + share.begin, 0, share.size());
  barrier();
}

SharedMemory::~SharedMemory() = default;

SharedMemory::SharedMemory(SharedMemory&&) noexcept = default;

void* SharedMemory::data() const noexcept { return state_->data; }

void SharedMemory::barrier() const {
  if (state_->window == MPI_WIN_NULL) return;
  check_mpi(MPI_Win_sync(state_->window), "MPI_Win_sync");  // what this rank wrote leaves it
  state_->sharers.barrier();
  check_mpi(MPI_Win_sync(state_->window), "MPI_Win_sync");  // what the others wrote comes in
}

}  // namespace breadth::detail
