// A group of ranks that work together, with or without MPI, and the threads of each rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

// A group of ranks and its collectives.

class PhaseSlot;

/// How reductions combine values.
enum class Reduction { sum, minimum, maximum, bitwise_or };

namespace detail {
/// The element types that reductions support.
enum class ElementType { int64, uint64, uint32, float64, uint8 };
constexpr std::size_t bytes_of(ElementType type) {
  if (type == ElementType::uint8) return 1;
  return type == ElementType::uint32 ? 4 : 8;
}
template <class T>
constexpr ElementType element_type() {
  if constexpr (std::is_same_v<T, std::int64_t>) return ElementType::int64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return ElementType::uint64;
  if constexpr (std::is_same_v<T, std::uint32_t>) return ElementType::uint32;
  if constexpr (std::is_same_v<T, double>) return ElementType::float64;
  if constexpr (std::is_same_v<T, std::uint8_t>) return ElementType::uint8;
}
/// Copies bytes. Does nothing if there are none, or if `to` equals `from`.
void copy_bytes(void* to, const void* from, std::size_t bytes);
/// The implementation of a Communicator: comm/mpi/communicator_mpi.cpp or comm/threads/communicator_threads.cpp, chosen
/// by CMake.
class CommunicatorState;
}  // namespace detail

/// The sum of the counts: the number of values of all ranks together.
inline std::size_t sum_of(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// The values that all ranks sent to this one, in rank order, and the number of values from each rank.
template <class T>
struct Received {
  std::vector<T> values;
  std::vector<std::size_t> counts;

  /// Calls body(rank, values of that rank) for each rank in order.
  template <class Body>
  void for_each_rank(Body&& body) {
    std::span<T> left(values);
    for (std::size_t rank = 0; rank < counts.size(); left = left.subspan(counts[rank++])) {
      body(rank, left.first(counts[rank]));
    }
  }
};

/// A handle to a group of ranks. Copies refer to the same group. Every member function except rank() and size() is
/// collective: all ranks of the group call it in the same order, from one thread each. Counts and displacements are
/// 64-bit numbers of elements. Elements are trivially copyable. Failures of the MPI library are thrown as Error with
/// the library's text.
class Communicator {
 public:
  explicit Communicator(std::shared_ptr<detail::CommunicatorState> state);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// All other ranks, starting with the next one, so that the ranks do not all send to one rank first.
  [[nodiscard]] std::vector<int> others() const;

  void barrier() const;

  /// The combination of one value from each rank, on every rank.
  template <class T>
  [[nodiscard]] T all_reduce(T value, Reduction reduction) const {
    all_reduce_bytes(&value, 1, detail::element_type<T>(), reduction);
    return value;
  }
  /// The sums of several values over all ranks, on every rank, in one reduction.
  template <std::size_t count>
  [[nodiscard]] std::array<std::uint64_t, count> sums(const std::uint64_t (&values)[count]) const {
    auto sums = std::to_array(values);
    all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    return sums;
  }
  /// Whether `here` is true on any rank, or on all ranks.
  [[nodiscard]] bool any(bool here) const { return all_reduce(std::int64_t{here ? 1 : 0}, Reduction::maximum) != 0; }
  [[nodiscard]] bool all(bool here) const { return all_reduce(std::int64_t{here ? 1 : 0}, Reduction::minimum) != 0; }
  /// The lowest rank where `here` is true, or size() if there is none.
  [[nodiscard]] int first_with(bool here) const {
    return static_cast<int>(all_reduce(std::int64_t{here ? rank_ : size_}, Reduction::minimum));
  }
  /// Reduces element by element, in place. Every rank has the same number of values.
  template <class T>
  void all_reduce(std::span<T> values, Reduction reduction) const {
    all_reduce_bytes(values.data(), values.size(), detail::element_type<T>(), reduction);
  }

  /// Reduces element by element and scatters the result: rank 0 gets the first counts[0] combined values, rank 1 the
  /// next counts[1], and so on. The counts are equal on every rank. `values` holds sum(counts) elements, `mine` this
  /// rank's count.
  template <class T>
  void reduce_scatter(std::span<const T> values, std::span<T> mine, std::span<const std::size_t> counts,
                      Reduction reduction) const {
    reduce_scatter_bytes(values.data(), mine.data(), counts, detail::element_type<T>(), reduction);
  }

  /// Copies the root's values to every rank. Every rank has the same number of values.
  template <class T>
  void broadcast(std::span<T> values, int root) const {
    broadcast_bytes(values.data(), values.size_bytes(), root);
  }
  /// Returns the root's text on every rank.
  [[nodiscard]] std::string broadcast(std::string text, int root) const;

  /// Gathers one value from every rank, in rank order.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size_));
    const std::vector<std::size_t> counts(static_cast<std::size_t>(size_), 1);
    all_gather(std::span<const T>(&value, 1), std::span<T>(all), counts);
    return all;
  }
  /// The sum of the values of all lower ranks (exclusive prefix sum).
  [[nodiscard]] std::uint64_t sum_before(std::uint64_t value) const {
    const std::vector<std::uint64_t> values = all_gather(value);
    return std::accumulate(values.begin(), values.begin() + rank_, std::uint64_t{0});
  }
  /// Gathers counts[r] values from each rank r, consecutively, on every rank. `all` holds exactly sum(counts) elements.
  template <class T>
  void all_gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts) const {
    all_gather(mine, all, counts, prefix(counts));
  }
  /// All-gather with displacements: rank r's values go to all[displacements[r]]. The displacements are equal on every
  /// rank. `mine` may already lie at its place in `all`.
  template <class T>
  void all_gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts,
                  std::span<const std::size_t> displacements) const {
    all_gather_bytes(as_raw(mine), reinterpret_cast<std::byte*>(all.data()), counts, displacements, sizeof(T));
  }
  /// Gathers on the root only; other ranks do not use `all`. O(ranks) messages at the root.
  template <class T>
  void gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts,
              std::span<const std::size_t> displacements, int root) const {
    gather_bytes(as_raw(mine), reinterpret_cast<std::byte*>(all.data()), counts, displacements, sizeof(T), root);
  }
  /// Gathers the values of every rank, in rank order, where ranks may have different numbers of values.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather_varying(std::span<const T> mine) const {
    const std::vector<std::size_t> counts = all_gather(mine.size());
    std::vector<T> all(sum_of(counts));
    all_gather(mine, std::span<T>(all), counts);
    return all;
  }

  /// Sends send_counts[r] values to each rank r. The counts are exchanged first.
  template <class T>
  [[nodiscard]] Received<T> all_to_all(std::span<const T> send, std::span<const std::size_t> send_counts) const {
    Received<T> received{.values = {}, .counts = exchange_counts(send_counts)};
    received.values.resize(sum_of(received.counts));
    all_to_all(send, send_counts, std::span<T>(received.values), received.counts);
    return received;
  }
  /// All-to-all with counts that both sides already know.
  template <class T>
  void all_to_all(std::span<const T> send, std::span<const std::size_t> send_counts, std::span<T> receive,
                  std::span<const std::size_t> receive_counts) const {
    all_to_all_bytes(as_raw(send), send_counts, reinterpret_cast<std::byte*>(receive.data()), receive_counts,
                     sizeof(T));
  }
  /// Sends an equal number of counts to each rank and returns the counts that each rank has for this one, in rank
  /// order.
  [[nodiscard]] std::vector<std::size_t> exchange_counts(std::span<const std::size_t> counts) const;

  /// The ranks on this rank's machine, which share its memory.
  [[nodiscard]] Communicator node() const;
  /// The ranks that pass the same `group` (at least 0), ordered by `place`, then by rank.
  [[nodiscard]] Communicator split(int group, int place) const;

  /// Sets the slot where this group, and groups made from it later, publish the phases of their ranks. nullptr, the
  /// initial value, means that phases are not published.
  void publish_phases(PhaseSlot* slot) const noexcept;
  [[nodiscard]] PhaseSlot* phases() const noexcept;

  /// The implementation, for the mailbox (comm/mpi/mailbox_mpi.cpp).
  [[nodiscard]] detail::CommunicatorState& state() const noexcept { return *state_; }

 private:
  template <class T>
  static const std::byte* as_raw(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<const std::byte*>(values.data());
  }
  static std::vector<std::size_t> prefix(std::span<const std::size_t> counts);

  void all_reduce_bytes(void* values, std::size_t count, detail::ElementType type, Reduction reduction) const;
  void reduce_scatter_bytes(const void* values, void* mine, std::span<const std::size_t> counts,
                            detail::ElementType type, Reduction reduction) const;
  void broadcast_bytes(void* values, std::size_t bytes, int root) const;
  void all_gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                        std::span<const std::size_t> displacements, std::size_t element_bytes) const;
  void gather_bytes(const std::byte* mine, std::byte* all, std::span<const std::size_t> counts,
                    std::span<const std::size_t> displacements, std::size_t element_bytes, int root) const;
  void all_to_all_bytes(const std::byte* send, std::span<const std::size_t> send_counts, std::byte* receive,
                        std::span<const std::size_t> receive_counts, std::size_t element_bytes) const;

  std::shared_ptr<detail::CommunicatorState> state_;
  int rank_ = 0;
  int size_ = 1;
};

/// Initialises message passing (MPI) for its lifetime, unless another library of the process has already done so. A
/// program has one, made in main before anything else.
class MessagePassing {
 public:
  MessagePassing(int& argc, char**& argv);
  ~MessagePassing();
  MessagePassing(const MessagePassing&) = delete;
  MessagePassing& operator=(const MessagePassing&) = delete;

  /// All ranks of the program.
  [[nodiscard]] Communicator world() const;
  /// A group of this process alone, however many ranks there are.
  [[nodiscard]] Communicator self() const;
  /// The ranks of an MPI communicator that another library of the process owns, by its Fortran handle (MPI_Comm_c2f,
  /// mpi4py's py2f). Messages of the two communicators do not mix. Ranks may destroy shared memory of its groups at
  /// different times. Throws Error in a build without MPI. Collective.
  [[nodiscard]] Communicator ranks_of(int handle) const;
  /// Call this before the process ends on its own: from now on, collective clean-up (freeing communicators and windows)
  /// is skipped, because the other ranks may not take part.
  static void leave() noexcept;
  /// Ends every rank of the program at once, with exit status `status`. Does not return.
  [[noreturn]] void abort(int status) const;
  /// The name and version of the MPI library; "none" in a build without MPI.
  [[nodiscard]] static std::string library();
  /// Whether a rank may have threads beside the one that communicates (MPI_THREAD_FUNNELED). Some builds of MPI
  /// libraries do not support this.
  [[nodiscard]] static bool supports_threads();
  /// Whether the MPI library reports that it can send from and receive into GPU memory.
  [[nodiscard]] static bool reads_device_memory();

 private:
  bool started_here_ = true;
};

// A reduction that overlaps with other work.

/// The bitwise or of all ranks' words by a non-blocking all-reduce, one at a time. Between start() and finish() a rank
/// may call other collectives, in the same order as all ranks. Used from one thread per rank.
class NonblockingOr {
 public:
  explicit NonblockingOr(const Communicator& ranks);
  /// If a reduction was never finished because something failed, its memory is not freed: other ranks may still write
  /// to it.
  ~NonblockingOr();
  NonblockingOr(const NonblockingOr&) = delete;
  NonblockingOr& operator=(const NonblockingOr&) = delete;

  /// Starts the reduction of this rank's words; every rank has the same number. The words keep their values until
  /// finish(), and the caller must not change them before. Collective.
  void start(std::span<std::uint64_t> words);
  /// Waits for the reduction and writes the result to the words. Collective.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The traffic of collectives, whose bytes only the MPI library could count.

/// The bytes that each rank sends in an all-reduce: twice the data except the rank's own share, a lower bound for all
/// algorithms.
constexpr std::uint64_t all_reduce_bytes(std::uint64_t bytes, std::uint64_t ranks) {
  return 2 * bytes * (ranks - 1) / ranks;
}

// Counts and times of point-to-point messages.

/// The point-to-point traffic from a rank to one other: messages that carry data, and their bytes.
struct SentTraffic {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;

  SentTraffic& operator+=(const SentTraffic& other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
  friend bool operator==(const SentTraffic&, const SentTraffic&) = default;
};

/// Seconds that a rank spent on messages, excluding the time to handle them: the calls whose cost Fuentes et al. 2014
/// measure (section IV-C, figs 3 and 4).
struct ExchangeSeconds {
  double receive = 0;  ///< polling for messages while there is work (test1, line 12 of their fig. 1)
  double send = 0;     ///< waiting for earlier messages to leave (test2); in the bulk exchange, the transfers
  double finish = 0;   ///< polling for messages when there is no work left (test1, line 22): idle
};

// The context that is passed to every parallel step.

/// The ranks and threads that carry out a step, and optionally a pool of memory that similar steps reuse. All must
/// outlive the context.
struct Context {
  const Communicator& ranks;
  ThreadTeam& threads;
  BufferPool* pool = nullptr;
};

/// This rank's share of `count` things that are divided nearly equally among all ranks.
inline IndexRange own_share(std::uint64_t count, const Communicator& ranks) {
  return even_share(count, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
}

/// Calls body(first, last) the same number of times on every rank, for consecutive ranges of at most `most` of the
/// rank's `count` things. The last ranges may be empty. This bounds the size of each collective step. Collective.
template <class Body>
void for_each_round(std::uint64_t count, std::uint64_t most, const Communicator& ranks, Body&& body) {
  const std::uint64_t rounds = ranks.all_reduce((count + most - 1) / most, Reduction::maximum);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::min(count, round * most);
    body(first, std::min(count, first + most));
  }
}

}  // namespace breadth
