// Communicator on MPI 3.1, and NonblockingOr on MPI_Iallreduce.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/mpi/mpi_state.hpp"
#include "comm/phase.hpp"

/// Whether messages may lie in GPU memory: a function of Open MPI and MPICH, null if the MPI library does not have it.
// NOLINTNEXTLINE(readability-identifier-naming,readability-redundant-declaration): MPICH declares it in mpi.h
extern "C" int MPIX_Query_cuda_support() __attribute__((weak));

namespace breadth {

using detail::check_mpi;
using detail::for_each_piece;

namespace {
MPI_Datatype datatype(detail::ElementType type) {
  switch (type) {
    case detail::ElementType::int64: return MPI_INT64_T;
    case detail::ElementType::uint64: return MPI_UINT64_T;
    case detail::ElementType::uint32: return MPI_UINT32_T;
    case detail::ElementType::float64: return MPI_DOUBLE;
    case detail::ElementType::uint8: return MPI_UINT8_T;
  }
  fail("unknown element type");
}

MPI_Op operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum: return MPI_SUM;
    case Reduction::minimum: return MPI_MIN;
    case Reduction::maximum: return MPI_MAX;
    case Reduction::bitwise_or: return MPI_BOR;
  }
  fail("unknown reduction");
}

/// Several point-to-point transfers of any size, in flight at the same time.
class Transfers {
 public:
  /// At most `transfers` transfers of `bytes` bytes in all. Memory is reserved here, so that nothing is allocated while
  /// a transfer is under way: an exception would free the caller's memory, which transfers still read and write.
  Transfers(const detail::CommunicatorState& state, std::size_t transfers, std::size_t bytes) : state_(state) {
    requests_.reserve(transfers + bytes / state.piece_bytes);
  }

  void receive(std::byte* into, std::size_t bytes, int source) {
    for_each_piece(bytes, state_.piece_bytes, [&](std::size_t offset, int count) {
      check_mpi(MPI_Irecv(into + offset, count, MPI_BYTE, source, tag, state_.handle, &next()), "MPI_Irecv");
    });
  }
  void send(const std::byte* from, std::size_t bytes, int destination) {
    for_each_piece(bytes, state_.piece_bytes, [&](std::size_t offset, int count) {
      check_mpi(MPI_Isend(from + offset, count, MPI_BYTE, destination, tag, state_.handle, &next()), "MPI_Isend");
    });
  }
  void wait() {
    check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
  }

 private:
  static constexpr int tag = 0;
  MPI_Request& next() { return requests_.emplace_back(MPI_REQUEST_NULL); }

  const detail::CommunicatorState& state_;
  std::vector<MPI_Request> requests_;
};
}  // namespace

Communicator::Communicator(std::shared_ptr<detail::CommunicatorState> state) : state_(std::move(state)) {
  check_mpi(MPI_Comm_rank(state_->handle, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(state_->handle, &size_), "MPI_Comm_size");
}

void Communicator::barrier() const {
  if (size_ == 1) return;
  const Phase phase(*this, "barrier");
  check_mpi(MPI_Barrier(state_->handle), "MPI_Barrier");
}

void Communicator::all_reduce_bytes(void* values, std::size_t count, detail::ElementType type,
                                    Reduction reduction) const {
  if (size_ == 1) return;
  const Phase phase(*this, "all-reduce");
  const std::size_t element_bytes = detail::bytes_of(type);
  for_each_piece(count, state_->piece_bytes / element_bytes, [&](std::size_t offset, int piece) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, static_cast<std::byte*>(values) + offset * element_bytes, piece,
                            datatype(type), operation(reduction), state_->handle),
              "MPI_Allreduce");
  });
}

void Communicator::reduce_scatter_bytes(const void* values, void* mine, std::span<const std::size_t> counts,
                                        detail::ElementType type, Reduction reduction) const {
  const std::size_t element_bytes = detail::bytes_of(type);
  if (size_ == 1) return detail::copy_bytes(mine, values, counts[0] * element_bytes);
  const Phase phase(*this, "reduce-scatter");
  const bool fits = sum_of(counts) * element_bytes <= state_->piece_bytes;  // equal on every rank, like the counts
  if (fits) {
    const std::vector<int> int_counts(counts.begin(), counts.end());
    check_mpi(MPI_Reduce_scatter(values, mine, int_counts.data(), datatype(type), operation(reduction), state_->handle),
              "MPI_Reduce_scatter");
    return;
  }
  const auto* part = static_cast<const std::byte*>(values);
  for (int root = 0; root < size_; ++root) {
    const std::size_t count = counts[static_cast<std::size_t>(root)];
    for_each_piece(count, state_->piece_bytes / element_bytes, [&](std::size_t offset, int piece) {
      std::byte* const into = root == rank_ ? static_cast<std::byte*>(mine) + offset * element_bytes : nullptr;
      check_mpi(MPI_Reduce(part + offset * element_bytes, into, piece, datatype(type), operation(reduction), root,
                           state_->handle),
                "MPI_Reduce");
    });
    part += count * element_bytes;
  }
}

void Communicator::broadcast_bytes(void* values, std::size_t bytes, int root) const {
  if (size_ == 1) return;
  const Phase phase(*this, "broadcast");
  for_each_piece(bytes, state_->piece_bytes, [&](std::size_t offset, int piece) {
    check_mpi(MPI_Bcast(static_cast<std::byte*>(values) + offset, piece, MPI_BYTE, root, state_->handle), "MPI_Bcast");
  });
}

void Communicator::all_gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                    std::span<const std::size_t> displacements, std::size_t element_bytes) const {
  const auto self = static_cast<std::size_t>(rank_);
  detail::copy_bytes(all + displacements[self] * element_bytes, mine, counts[self] * element_bytes);
  if (size_ == 1) return;
  const Phase phase(*this, "all-gather");

  bool fits = true;  // equal on every rank, because counts and displacements are
  for (std::size_t r = 0; r < counts.size(); ++r) {
    fits = fits && (displacements[r] + counts[r]) * element_bytes <= state_->piece_bytes;
  }
  if (fits) {
    std::vector<int> int_counts(counts.size());
    std::vector<int> int_displacements(counts.size());
    for (std::size_t r = 0; r < counts.size(); ++r) {
      int_counts[r] = static_cast<int>(counts[r] * element_bytes);
      int_displacements[r] = static_cast<int>(displacements[r] * element_bytes);
    }
    check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, int_counts.data(), int_displacements.data(),
                             MPI_BYTE, state_->handle),
              "MPI_Allgatherv");
    return;
  }
  for (int root = 0; root < size_; ++root) {
    const auto r = static_cast<std::size_t>(root);
    broadcast_bytes(all + displacements[r] * element_bytes, counts[r] * element_bytes, root);
  }
}

void Communicator::gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                                std::span<const std::size_t> displacements, std::size_t element_bytes, int root) const {
  const Phase phase(*this, "gather");
  const auto self = static_cast<std::size_t>(rank_);
  Transfers transfers(*state_, counts.size(), sum_of(counts) * element_bytes);
  if (rank_ != root) {
    transfers.send(mine, counts[self] * element_bytes, root);
  } else {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      if (r == self) continue;
      transfers.receive(all + displacements[r] * element_bytes, counts[r] * element_bytes, static_cast<int>(r));
    }
    detail::copy_bytes(all + displacements[self] * element_bytes, mine, counts[self] * element_bytes);
  }
  transfers.wait();
}

void Communicator::all_to_all_bytes(const std::byte* send, std::span<const std::size_t> send_counts, std::byte* receive,
                                    std::span<const std::size_t> receive_counts, std::size_t element_bytes) const {
  const Phase phase(*this, "all-to-all");
  const std::vector<std::size_t> send_from = prefix(send_counts);
  const std::vector<std::size_t> receive_at = prefix(receive_counts);
  const auto self = static_cast<std::size_t>(rank_);
  constexpr int steps_together = 32;  // the more messages are under way, the more each costs in the library
  Transfers transfers(*state_, std::size_t{2} * steps_together,
                      (sum_of(send_counts) + sum_of(receive_counts)) * element_bytes);
  for (int first = 1; first < size_; first += steps_together) {
    const int last = std::min(size_, first + steps_together);
    for (int step = first; step < last; ++step) {
      const auto source = static_cast<std::size_t>((rank_ + size_ - step) % size_);
      transfers.receive(receive + receive_at[source] * element_bytes, receive_counts[source] * element_bytes,
                        static_cast<int>(source));
    }
    for (int step = first; step < last; ++step) {
      const auto destination = static_cast<std::size_t>((rank_ + step) % size_);
      transfers.send(send + send_from[destination] * element_bytes, send_counts[destination] * element_bytes,
                     static_cast<int>(destination));
    }
    transfers.wait();
  }
  detail::copy_bytes(receive + receive_at[self] * element_bytes, send + send_from[self] * element_bytes,
                     send_counts[self] * element_bytes);
}

/// Uses MPI_Alltoall, which between many ranks takes log2(ranks) messages per rank instead of one for each other rank.
std::vector<std::size_t> Communicator::exchange_counts(std::span<const std::size_t> counts) const {
  static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));
  const Phase phase(*this, "all-to-all of counts");
  const auto each = static_cast<int>(counts.size() / static_cast<std::size_t>(size_));
  std::vector<std::size_t> received(counts.size());
  check_mpi(MPI_Alltoall(counts.data(), each, MPI_UINT64_T, received.data(), each, MPI_UINT64_T, state_->handle),
            "MPI_Alltoall");
  return received;
}

void Communicator::publish_phases(PhaseSlot* slot) const noexcept { state_->phases = slot; }

PhaseSlot* Communicator::phases() const noexcept { return state_->phases; }

Communicator Communicator::node() const {
  const Phase phase(*this, "split by nodes");
  MPI_Comm handle = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(state_->handle, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &handle),
            "MPI_Comm_split_type");
  return Communicator(std::make_shared<detail::CommunicatorState>(handle, *state_));
}

Communicator Communicator::split(int group, int place) const {
  const Phase phase(*this, "split");
  MPI_Comm handle = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(state_->handle, group, place, &handle), "MPI_Comm_split");
  return Communicator(std::make_shared<detail::CommunicatorState>(handle, *state_));
}

namespace {
/// Whether a launcher started this process: launchers set at least one of these variables.
bool is_launched() {
  constexpr std::array<const char*, 6> of_launchers{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK",  "PMI_RANK", "PMI_FD",
                                                    "MPI_LOCALRANKID",      "ALPS_APP_PE"};
  return std::ranges::any_of(of_launchers, [](const char* name) { return std::getenv(name) != nullptr; });
}

/// Reports that srun started this process without PMI. Open MPI would end the process without giving the reason.
void require_slurm_to_connect() {
  if (is_launched() || std::getenv("SLURM_STEP_NUM_TASKS") == nullptr) return;
  if (const std::string library = MessagePassing::library(); library.starts_with("Open MPI")) {
    fail<UsageError>(
        "srun started this without PMI, which {} needs: use srun --mpi=pmix, or another type from srun --mpi=list",
        library);
  }
}

/// Sets variables of Open MPI for a process without a launcher. It needs no network, and no daemon or session folder
/// for launching others; Open MPI spends a third of a second on these. Variables that the user has set are kept, and
/// other libraries do not know them. Without the daemon, processes that end at the same time would remove each other's
/// session folders, so there are none.
void prepare_to_be_alone() {
  constexpr int keep = 0;
  ::setenv("OMPI_MCA_ess_singleton_isolated", "1", keep);
  ::setenv("OMPI_MCA_orte_create_session_dirs", "0", keep);
  ::setenv("OMPI_MCA_pml", "ob1", keep);
}

/// The names of all environment variables.
std::set<std::string> environment_names() {
  std::set<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    names.emplace(text.substr(0, text.find('=')));
  }
  return names;
}

void start_mpi(int& argc, char**& argv) {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
}

/// Starts MPI in a process without a launcher, and removes the variables that MPI and prepare_to_be_alone() add to the
/// environment: a launcher that the process starts later (from Python, for example) would take them for those of its
/// own job.
void start_alone(int& argc, char**& argv) {
  const std::set<std::string> before = environment_names();
  prepare_to_be_alone();
  start_mpi(argc, argv);
  for (const std::string& name : environment_names()) {
    if (!before.contains(name)) ::unsetenv(name.c_str());
  }
}
}  // namespace

MessagePassing::MessagePassing(int& argc, char**& argv) {
  int started = 0;
  check_mpi(MPI_Initialized(&started), "MPI_Initialized");
  started_here_ = started == 0;
  if (!started_here_) return;
  require_slurm_to_connect();
  is_launched() ? start_mpi(argc, argv) : start_alone(argc, argv);
}

/// MPI_Finalize waits for the other ranks. It is skipped if an exception ends this rank, because the others may not
/// come; then the launcher ends them.
MessagePassing::~MessagePassing() {
  if (started_here_ && std::uncaught_exceptions() == 0) MPI_Finalize();
}

Communicator MessagePassing::world() const {
  return Communicator(std::make_shared<detail::CommunicatorState>(detail::duplicate(MPI_COMM_WORLD)));
}

Communicator MessagePassing::self() const {
  return Communicator(std::make_shared<detail::CommunicatorState>(detail::duplicate(MPI_COMM_SELF)));
}

// The other library belongs to an interpreter, which drops objects at different times on different ranks.
Communicator MessagePassing::ranks_of(int handle) const {
  const auto state = std::make_shared<detail::CommunicatorState>(detail::duplicate(MPI_Comm_f2c(handle)));
  state->destroyed_apart = true;
  return Communicator(state);
}

void MessagePassing::leave() noexcept { detail::process_ends = true; }

void MessagePassing::abort(int status) const {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

bool MessagePassing::supports_threads() {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&provided), "MPI_Query_thread");
  return provided >= MPI_THREAD_FUNNELED;
}

bool MessagePassing::reads_device_memory() {
  return MPIX_Query_cuda_support != nullptr && MPIX_Query_cuda_support() == 1;
}

std::string MessagePassing::library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

struct NonblockingOr::State {
  Communicator ranks;
  std::span<std::uint64_t> words;         ///< where the result is written
  std::vector<std::uint64_t> travelling;  ///< the buffer that the library uses while requests are under way
  std::vector<MPI_Request> requests;      ///< one per piece
};

NonblockingOr::NonblockingOr(const Communicator& ranks) : state_(std::make_unique<State>(State{ranks, {}, {}, {}})) {}

NonblockingOr::~NonblockingOr() {
  if (!state_->requests.empty()) (void)state_.release();
}

void NonblockingOr::start(std::span<std::uint64_t> words) {
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

void NonblockingOr::finish() {
  if (state_->requests.empty()) return;
  const Phase phase(state_->ranks, "non-blocking all-reduce");
  check_mpi(MPI_Waitall(static_cast<int>(state_->requests.size()), state_->requests.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
  state_->requests.clear();
  std::ranges::copy(state_->travelling, state_->words.begin());
}

}  // namespace breadth
