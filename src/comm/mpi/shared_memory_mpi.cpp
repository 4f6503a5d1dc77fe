// Shared memory with MPI 3.1 windows.
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/mpi/mpi_state.hpp"
#include "comm/nodes.hpp"
#include "core/memory/buffer.hpp"

namespace breadth::detail {

namespace {
constexpr std::size_t page_bytes = 4096;

/// The folder, in a file system in memory, in which MPI libraries put shared memory.
std::string shared_folder() {
  const char* chosen = std::getenv("OMPI_MCA_osc_sm_backing_directory");
  return chosen != nullptr ? chosen : "/dev/shm";
}

/// Runs a step that may fail on some of the sharers; throws one Error on all of them or on none. Not collective over
/// other ranks, which is why it does not throw AgreedError.
template <class Step>
void fail_together(const Communicator& sharers, Step&& step) {
  try {
    run_together(sharers, step);
  } catch (const AgreedError& error) {
    throw Error(error.what());
  }
}

/// Throws Error if there is clearly too little room for the memory that the first sharer is about to allocate. Without
/// this check the library would fail on that rank while the others wait forever.
void require_room(std::size_t bytes) {
  const std::string folder = shared_folder();
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return;  // the memory is elsewhere, or has no limit
  constexpr std::size_t library_bytes = std::size_t{1} << 16;               // added by the library, besides a twentieth
  const std::size_t needed = bytes + bytes / 20 + library_bytes;
  const std::uint64_t free_bytes = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (needed > free_bytes) fail("{} needs {} bytes, {} are free", folder, needed, free_bytes);
}

/// Clears memory by a system call, which fails if the system cannot provide a shared page; touching the page would
/// raise SIGBUS.
void clear_shared(std::byte* data, std::size_t bytes) {
  const int zeros = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  if (zeros < 0) fail("cannot open '/dev/zero': {}", std::strerror(errno));
  int failure = 0;
  while (bytes > 0 && failure == 0) {
    const ssize_t cleared = ::read(zeros, data, bytes);
    if (cleared < 0 && errno != EINTR) failure = errno;
    if (cleared <= 0) continue;
    data += cleared;
    bytes -= static_cast<std::size_t>(cleared);
  }
  ::close(zeros);
  if (failure != 0) fail("{} is full: {} bytes are missing", shared_folder(), bytes);
}

/// A window that this rank has destroyed, and other sharers perhaps not yet.
struct DestroyedWindow {
  Communicator sharers;
  std::uint64_t id;  ///< equal on all sharers
  MPI_Win window;

  /// Collective over the sharers.
  void free() {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
};

/// The windows of this process that are not freed yet, because ranks destroy shared memory at different times.
class DestroyedWindows {
 public:
  static DestroyedWindows& of_process() {
    static auto* const windows = new DestroyedWindows;  // never destroyed: freeing takes all ranks
    return *windows;
  }

  void add(DestroyedWindow window) noexcept {
    try {
      const std::lock_guard lock(mutex_);
      windows_.push_back(std::move(window));
    } catch (const std::bad_alloc&) {
      return;  // the system reclaims it when the process ends
    }
  }

  /// Frees the windows of these sharers that all of them have destroyed. Collective over the sharers.
  void free_those_of(const Communicator& sharers) {
    std::vector<std::uint64_t> here;
    {
      const std::lock_guard lock(mutex_);
      for (const DestroyedWindow& one : windows_) {
        if (one.sharers.size() == sharers.size()) here.push_back(one.id);
      }
    }
    std::vector<std::uint64_t> everywhere = sharers.all_gather_varying(std::span<const std::uint64_t>(here));
    std::ranges::sort(everywhere);  // so that all sharers free windows in one order
    const auto ranks = static_cast<std::ptrdiff_t>(sharers.size());
    for (auto id = everywhere.begin(); id != everywhere.end();) {
      const auto next = std::find_if(id, everywhere.end(), [&](std::uint64_t other) { return other != *id; });
      if (next - id == ranks) taken(*id).free();
      id = next;
    }
  }

 private:
  DestroyedWindow taken(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find(windows_, id, &DestroyedWindow::id);
    DestroyedWindow window = std::move(*found);
    windows_.erase(found);
    return window;
  }

  std::mutex mutex_;
  std::vector<DestroyedWindow> windows_;
};

/// A number that no other window of this program has. Collective.
std::uint64_t new_id(const Communicator& sharers) {
  static std::atomic<std::uint32_t> made{0};
  int process = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &process), "MPI_Comm_rank");
  std::uint64_t id = (static_cast<std::uint64_t>(process) << 32) | ++made;
  sharers.broadcast(std::span(&id, 1), 0);
  return id;
}
}  // namespace

struct SharedMemory::State {
  explicit State(Communicator sharers) : sharers(std::move(sharers)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  ~State() {
    if (window == MPI_WIN_NULL) return;
    DestroyedWindow destroyed{sharers, id, window};
    if (sharers.state().destroyed_apart) {
      DestroyedWindows::of_process().add(std::move(destroyed));
    } else if (frees_together()) {
      destroyed.free();
    }
  }

  /// The first sharer allocates the whole window, so that it is contiguous however the library places several parts.
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
  Buffer<std::byte> own;  ///< used if there is one sharer
  MPI_Win window = MPI_WIN_NULL;
  std::uint64_t id = 0;  ///< names the window if it is freed later
  void* data = nullptr;
};

SharedMemory::SharedMemory(const Communicator& sharers, std::size_t bytes) : state_(std::make_unique<State>(sharers)) {
  if (sharers.size() == 1) {
    state_->own = Buffer<std::byte>(bytes);
    state_->data = state_->own.data();
    return;
  }
  if (sharers.state().destroyed_apart) {
    DestroyedWindows::of_process().free_those_of(sharers);
    state_->id = new_id(sharers);
  }
  fail_together(sharers, [&] {
    if (sharers.rank() == 0) require_room(bytes);
  });
  state_->open_window(bytes);
  const IndexRange share =  // each rank touches the pages of its share first
      even_share(bytes, static_cast<std::size_t>(sharers.rank()), static_cast<std::size_t>(sharers.size()), page_bytes);
  fail_together(sharers, [&] { clear_shared(static_cast<std::byte*>(state_->data) + share.begin, share.size()); });
  barrier();
}

SharedMemory::~SharedMemory() = default;

SharedMemory::SharedMemory(SharedMemory&&) noexcept = default;

void* SharedMemory::data() const noexcept { return state_->data; }

void SharedMemory::barrier() const {
  if (state_->window == MPI_WIN_NULL) return;
  check_mpi(MPI_Win_sync(state_->window), "MPI_Win_sync");  // publishes this rank's writes
  state_->sharers.barrier();
  check_mpi(MPI_Win_sync(state_->window), "MPI_Win_sync");  // makes the others' writes visible
}

}  // namespace breadth::detail
