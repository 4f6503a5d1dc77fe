// A group of ranks that work together, with or without MPI, and their threads.
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
/// The element types that reductions know.
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
/// Nothing where there are no bytes, and where they are already.
void copy_bytes(void* to, const void* from, std::size_t bytes);
/// What stands behind a Communicator: comm/mpi/communicator_mpi.cpp or comm/threads/communicator_threads.cpp, chosen by
/// CMake.
class CommunicatorState;
}  // namespace detail

/// How many values all ranks have together.
inline std::size_t sum_of(std::span<const std::size_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// What ranks sent to this one, in rank order, and how many values each of them did.
template <class T>
struct Received {
  std::vector<T> values;
  std::vector<std::size_t> counts;

  /// Calls body(rank, its values) for one rank after the other.
  template <class Body>
  void for_each_rank(Body&& body) {
    std::span<T> left(values);
    for (std::size_t rank = 0; rank < counts.size(); left = left.subspan(counts[rank++])) {
      body(rank, left.first(counts[rank]));
    }
  }
};

/// A handle to a group of ranks; copies name the same group. Every member function but rank() and size() is
/// collective: all ranks of the group call it in the same order, from one thread each. Counts and displacements are in
/// elements and 64 bits wide; elements are plain values. Failures of the library are thrown as Error with its text.
class Communicator {
 public:
  explicit Communicator(std::shared_ptr<detail::CommunicatorState> state);

  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  /// All other ranks, from the next one on, so that not all of them send to the same one first.
  [[nodiscard]] std::vector<int> others() const;

  void barrier() const;

  /// The combination of one value a rank, on every rank.
  template <class T>
  [[nodiscard]] T all_reduce(T value, Reduction reduction) const {
    all_reduce_bytes(&value, 1, detail::element_type<T>(), reduction);
    return value;
  }
  /// The sums of several values a rank, on every rank, by one reduction.
  template <std::size_t count>
  [[nodiscard]] std::array<std::uint64_t, count> sums(const std::uint64_t (&values)[count]) const {
    auto sums = std::to_array(values);
    all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    return sums;
  }
  /// Whether it holds on any rank, or on all of them.
  [[nodiscard]] bool any(bool here) const { return all_reduce(std::int64_t{here ? 1 : 0}, Reduction::maximum) != 0; }
  [[nodiscard]] bool all(bool here) const { return all_reduce(std::int64_t{here ? 1 : 0}, Reduction::minimum) != 0; }
  /// The lowest rank where it holds, size() if there is none.
  [[nodiscard]] int first_with(bool here) const {
    return static_cast<int>(all_reduce(std::int64_t{here ? rank_ : size_}, Reduction::minimum));
  }
  /// Element by element, in place; equally many on every rank.
  template <class T>
  void all_reduce(std::span<T> values, Reduction reduction) const {
    all_reduce_bytes(values.data(), values.size(), detail::element_type<T>(), reduction);
  }

  /// The same, dealt out: of the combined values rank 0 gets the first counts[0], rank 1 the next counts[1], and so on.
  /// Counts are equal on every rank, `values` as long as all of them, `mine` as this rank's.
  template <class T>
  void reduce_scatter(std::span<const T> values, std::span<T> mine, std::span<const std::size_t> counts,
                      Reduction reduction) const {
    reduce_scatter_bytes(values.data(), mine.data(), counts, detail::element_type<T>(), reduction);
  }

  /// Copies root's values to every rank; equally many on every rank.
  template <class T>
  void broadcast(std::span<T> values, int root) const {
    broadcast_bytes(values.data(), values.size_bytes(), root);
  }
  /// The root's text, on every rank.
  [[nodiscard]] std::string broadcast(std::string text, int root) const;

  /// One value from every rank, in rank order.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather(const T& value) const {
    std::vector<T> all(static_cast<std::size_t>(size_));
    const std::vector<std::size_t> counts(static_cast<std::size_t>(size_), 1);
    all_gather(std::span<const T>(&value, 1), std::span<T>(all), counts);
    return all;
  }
  /// What all ranks before this one have together.
  [[nodiscard]] std::uint64_t sum_before(std::uint64_t value) const {
    const std::vector<std::uint64_t> values = all_gather(value);
    return std::accumulate(values.begin(), values.begin() + rank_, std::uint64_t{0});
  }
  /// counts[r] values from each rank r, one after the other, on every rank. `all` is exactly as long as they are.
  template <class T>
  void all_gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts) const {
    all_gather(mine, all, counts, prefix(counts));
  }
  /// The same, rank r's values at all[displacements[r]]; the displacements too are equal on every rank. `mine` may lie
  /// at its own place in `all`.
  template <class T>
  void all_gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts,
                  std::span<const std::size_t> displacements) const {
    all_gather_bytes(as_raw(mine), reinterpret_cast<std::byte*>(all.data()), counts, displacements, sizeof(T));
  }
  /// The same on the root alone; elsewhere `all` is not looked at. O(ranks) messages at the root.
  template <class T>
  void gather(std::span<const T> mine, std::span<T> all, std::span<const std::size_t> counts,
              std::span<const std::size_t> displacements, int root) const {
    gather_bytes(as_raw(mine), reinterpret_cast<std::byte*>(all.data()), counts, displacements, sizeof(T), root);
  }
  /// All values of every rank, in rank order, however many each has.
  template <class T>
  [[nodiscard]] std::vector<T> all_gather_varying(std::span<const T> mine) const {
    const std::vector<std::size_t> counts = all_gather(mine.size());
    std::vector<T> all(sum_of(counts));
    all_gather(mine, std::span<T>(all), counts);
    return all;
  }

  /// send_counts[r] values to each rank r. The counts travel first.
  template <class T>
  [[nodiscard]] Received<T> all_to_all(std::span<const T> send, std::span<const std::size_t> send_counts) const {
    Received<T> received{.values = {}, .counts = exchange_counts(send_counts)};
    received.values.resize(sum_of(received.counts));
    all_to_all(send, send_counts, std::span<T>(received.values), received.counts);
    return received;
  }
  /// The same with counts that are known on both sides.
  template <class T>
  void all_to_all(std::span<const T> send, std::span<const std::size_t> send_counts, std::span<T> receive,
                  std::span<const std::size_t> receive_counts) const {
    all_to_all_bytes(as_raw(send), send_counts, reinterpret_cast<std::byte*>(receive.data()), receive_counts,
                     sizeof(T));
  }
  /// Equally many counts for each rank, in rank order; those that each rank has for this one come back.
  [[nodiscard]] std::vector<std::size_t> exchange_counts(std::span<const std::size_t> counts) const;

  /// The ranks that run on this rank's machine (and share its memory).
  [[nodiscard]] Communicator node() const;
  /// The ranks that name the same group, 0 or more, in the order of their places; of equal places, in that of ranks.
  [[nodiscard]] Communicator split(int group, int place) const;

  /// Where this group, and those made from it later, publish what their ranks do: nullptr, as at first, for nowhere.
  void publish_phases(PhaseSlot* slot) const noexcept;
  [[nodiscard]] PhaseSlot* phases() const noexcept;

  /// What the mailbox is built on (comm/mpi/mailbox_mpi.cpp).
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

/// Starts message passing for as long as it lives, unless another library of the process has. One in a program, made
/// in main before anything else.
class MessagePassing {
 public:
  MessagePassing(int& argc, char**& argv);
  ~MessagePassing();
  MessagePassing(const MessagePassing&) = delete;
  MessagePassing& operator=(const MessagePassing&) = delete;

  /// All ranks of the program.
  [[nodiscard]] Communicator world() const;
  /// This process alone, however many ranks there are.
  [[nodiscard]] Communicator self() const;
  /// The ranks of an MPI communicator that another library of the process has, by its handle for Fortran
  /// (MPI_Comm_c2f, mpi4py's py2f). Messages of the two do not meet. Throws Error in a build without MPI. Collective.
  [[nodiscard]] Communicator ranks_of(int handle) const;
  /// From now on nothing is freed that ranks free together: this process ends, perhaps alone.
  static void leave() noexcept;
  /// Ends every rank of the program at once, with this exit status. Does not return.
  [[noreturn]] void abort(int status) const;
  /// The library that carries the messages, with its version; "none" in a build without MPI.
  [[nodiscard]] static std::string library();
  /// Whether a rank may have threads beside the one that communicates (MPI_THREAD_FUNNELED); some builds of MPI
  /// libraries support none.
  [[nodiscard]] static bool supports_threads();
  /// Whether the library says that what it sends and receives may lie in the memory of GPUs.
  [[nodiscard]] static bool reads_device_memory();

 private:
  bool started_here_ = true;
};

// A reduction that goes on while ranks do other things.

/// The bitwise or of all ranks' words by a non-blocking all-reduce, one at a time. Between start() and finish() a rank
/// may call any other collectives, in the same order as all ranks. Used from one thread a rank.
class NonblockingOr {
 public:
  explicit NonblockingOr(const Communicator& ranks);
  /// Of a reduction that was never finished, because something failed, the memory stays: others may still write to it.
  ~NonblockingOr();
  NonblockingOr(const NonblockingOr&) = delete;
  NonblockingOr& operator=(const NonblockingOr&) = delete;

  /// Begins with this rank's words, equally many on every rank, which stay untouched as they are until finish().
  /// Collective.
  void start(std::span<std::uint64_t> words);
  /// Waits until the words are those of all ranks. Collective.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What collectives send, where only the library could count it.

/// What each of several ranks sends in an all-reduce: all but a part of its own, twice, which no algorithm undercuts.
constexpr std::uint64_t all_reduce_bytes(std::uint64_t bytes, std::uint64_t ranks) {
  return 2 * bytes * (ranks - 1) / ranks;
}

// Counts and times of point-to-point messages.

/// What a rank sent to one other rank: point-to-point messages that carry something, and their bytes.
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

/// Seconds that a rank spent on messages, their handling not counted: the calls whose cost Fuentes et al. 2014 measure
/// (section IV-C, figs 3 and 4).
struct ExchangeSeconds {
  double receive = 0;  ///< looking for messages while there is work (test1, line 12 of their fig. 1)
  double send = 0;     ///< waiting until earlier messages have left (test2); in bulk, the transfers
  double finish = 0;   ///< looking for messages when there is no work left (test1, line 22): idle
};

// What every parallel step is given.

/// The ranks and threads that carry out a step, and perhaps a pool of memory that steps of its kind use again. All
/// outlive it.
struct Context {
  const Communicator& ranks;
  ThreadTeam& threads;
  BufferPool* pool = nullptr;
};

/// This rank's part of `count` things, of which all ranks have nearly equally many.
inline IndexRange own_share(std::uint64_t count, const Communicator& ranks) {
  return even_share(count, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
}

/// Calls body(first, last) equally often on every rank, for ranges of at most so many of the rank's `count` things,
/// the last of them perhaps empty: what all ranks do together is of bounded size. Collective.
template <class Body>
void for_each_round(std::uint64_t count, std::uint64_t most, const Communicator& ranks, Body&& body) {
  const std::uint64_t rounds = ranks.all_reduce((count + most - 1) / most, Reduction::maximum);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::min(count, round * most);
    body(first, std::min(count, first + most));
  }
}

}  // namespace breadth
