// The MPI state of a Communicator. Included only by the files of comm/ that call MPI.
#pragma once

#define OMPI_SKIP_MPICXX
#define MPICH_SKIP_MPICXX
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <exception>

#include "comm/communicator.hpp"
#include "core/errors.hpp"

namespace breadth::detail {

/// Throws Error with MPI's own text on one line, unless `code` is MPI_SUCCESS.
inline void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  std::ranges::replace(text, '\n', ' ');
  fail("{} failed: {}", call, text);
}

/// MPI counts are ints: larger transfers are split into pieces of at most this many bytes.
inline constexpr std::size_t default_piece_bytes = std::size_t{1} << 30;

/// Set when the process is about to end.
inline std::atomic<bool> process_ends{false};

/// Whether to free objects whose freeing is collective. During an exception, or if the process ends on its own, the
/// other ranks may not take part.
inline bool frees_together() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized == 0 && std::uncaught_exceptions() == 0 && !process_ends;
}

/// Owns an MPI communicator that returns errors instead of aborting.
class CommunicatorState {
 public:
  /// `piece_bytes` is a multiple of 8 and equal on every rank. Tests lower it to check transfers that are larger.
  explicit CommunicatorState(MPI_Comm handle, std::size_t piece_bytes = default_piece_bytes)
      : handle(handle), piece_bytes(piece_bytes) {
    check_mpi(MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  }
  /// A copy or a part of another communicator, with its properties.
  CommunicatorState(MPI_Comm handle, const CommunicatorState& whole) : CommunicatorState(handle, whole.piece_bytes) {
    phases = whole.phases;
    destroyed_apart = whole.destroyed_apart;
  }
  ~CommunicatorState() {
    if (frees_together()) MPI_Comm_free(&handle);
  }
  CommunicatorState(const CommunicatorState&) = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;

  MPI_Comm handle;
  const std::size_t piece_bytes;
  PhaseSlot* phases = nullptr;   ///< nullptr if no watchdog is active
  bool destroyed_apart = false;  ///< whether ranks may destroy shared memory at different times; it is then freed when
                                 ///< the same ranks next allocate some, because freeing it is collective
};

inline MPI_Comm duplicate(MPI_Comm handle) {
  MPI_Comm copy = MPI_COMM_NULL;
  check_mpi(MPI_Comm_dup(handle, &copy), "MPI_Comm_dup");
  return copy;
}

/// Calls body(offset, count) for consecutive pieces of at most `piece` elements that cover [0, count).
template <class Body>
void for_each_piece(std::size_t count, std::size_t piece, Body&& body) {
  for (std::size_t offset = 0; offset < count; offset += piece) {
    body(offset, static_cast<int>(std::min(piece, count - offset)));
  }
}

}  // namespace breadth::detail
