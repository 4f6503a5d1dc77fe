// The ranks on each machine, memory that ranks of a machine share, and the speed of the links between machines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

// Ranks grouped by node.

/// The ranks grouped by node. A node is a machine whose ranks share memory. Nodes are numbered in the order of their
/// first ranks and may have different numbers of ranks. The first rank of a node is its leader.
class Nodes {
 public:
  /// If `ranks_per_node` is not 0, each machine is divided into nodes of that many ranks (the last one may have fewer):
  /// a simulated cluster on one machine, for tests. Collective; O(ranks) memory.
  explicit Nodes(const Communicator& ranks, int ranks_per_node = 0);

  [[nodiscard]] const Communicator& all() const noexcept { return all_; }
  /// The ranks of this node, in rank order.
  [[nodiscard]] const Communicator& node() const noexcept { return node_; }
  [[nodiscard]] bool leads() const noexcept { return node_.rank() == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return members_.size(); }
  /// The number of this rank's node.
  [[nodiscard]] std::size_t own() const noexcept { return own_; }
  /// The ranks of a node, in ascending order.
  [[nodiscard]] std::span<const std::size_t> members(std::size_t node) const { return members_[node]; }
  /// Whether a rank is on this node.
  [[nodiscard]] bool here(std::size_t rank) const { return leader_of_[rank] == members_[own_].front(); }
  /// The number of ranks of the largest node, and of the smallest.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t smallest() const noexcept { return smallest_; }
  /// The part of `bytes`, sent by ranks to any other ranks, that left a node, if that is known: 0 if all ranks are on
  /// one node, all if each rank has its own node, otherwise nothing.
  [[nodiscard]] std::optional<std::uint64_t> bytes_between(std::uint64_t bytes) const {
    if (count() == 1) return 0;
    return largest() == 1 ? std::optional(bytes) : std::nullopt;
  }

 private:
  Communicator all_;
  Communicator node_;
  std::vector<std::size_t> leader_of_;  ///< by rank: the leader of its node
  std::vector<std::vector<std::size_t>> members_;
  std::size_t own_ = 0;
  std::size_t largest_ = 0;
  std::size_t smallest_ = 0;
};

/// The leaders of all nodes, in the order of nodes. On ranks that are not leaders, the group of those ranks.
/// Collective.
Communicator leaders_of(const Nodes& nodes);

/// A group for traffic between nodes, with one rank of each node in the order of nodes. Lane i carries the data of the
/// ranks with index i on all nodes.
struct InterNodeLane {
  std::size_t index;
  Communicator ranks;
};

/// Leaders carry all traffic (Cui et al. 2012, fig. 5): a leader has all lanes, which are one group; other ranks have
/// none. Collective.
std::vector<InterNodeLane> leader_lanes(const Nodes& nodes);

/// Each rank of a node carries a part of the traffic at the same time (Cui et al. 2012, fig. 7): lane i contains rank i
/// of each node, or rank i modulo the node's size on smaller nodes. A rank has several lanes only if node sizes differ.
/// Lanes are in ascending order. Collective: ceil(largest node / smallest node) splits.
std::vector<InterNodeLane> subgroup_lanes(const Nodes& nodes);

// Links between machines.

/// The time of an exchange between all nodes at once.
struct LinkSpeed {
  double round_seconds = 0;     ///< until each node has received one word from all others
  double bytes_per_second = 0;  ///< received by each node
};

/// Measures the links by a few all-gathers of the nodes' leaders, with one word and with about one MiB to each. Takes
/// the fastest run, in which the slowest leader counts. Returns nothing if all ranks are on one node. Collective, with
/// the same result on every rank; takes as long as a few MiB take on the links.
std::optional<LinkSpeed> measure_links(const Nodes& nodes);

// Memory that the ranks of a node share.

namespace detail {
/// The implementation of a SharedBuffer: comm/mpi/shared_memory_mpi.cpp or comm/threads/communicator_threads.cpp,
/// chosen by CMake.
class SharedMemory {
 public:
  /// Collective over `sharers`.
  SharedMemory(const Communicator& sharers, std::size_t bytes);
  ~SharedMemory();
  SharedMemory(SharedMemory&&) noexcept;

  [[nodiscard]] void* data() const noexcept;
  /// Collective over the sharers.
  void barrier() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
}  // namespace detail

/// A zero-initialised array of plain values that several ranks of a node share (Cui et al. 2012, section III-A): an
/// MPI-3.1 window if there are several sharers, ordinary memory if there is one. Values that a rank writes are visible
/// to the others after a barrier() of all sharers. Between two barriers no two ranks may write one value, except
/// atomically. Movable, not copyable.
template <class T>
class SharedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "a SharedBuffer holds plain values");

 public:
  /// Allocates `size` values; `size` is the same on all sharers. Throws Error if the MPI library has no shared memory.
  /// Construction and destruction are collective over the sharers, with two exceptions. During an exception the other
  /// sharers may not take part, and the system reclaims the memory. After MessagePassing::ranks_of() they may destroy
  /// it at different times, and it is freed when the same sharers next construct one.
  SharedBuffer(const Communicator& sharers, std::size_t size)
      : memory_(sharers, size * sizeof(T)),
        size_(size),
        part_(even_share(size, static_cast<std::size_t>(sharers.rank()), static_cast<std::size_t>(sharers.size()),
                         values_per_page)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {static_cast<T*>(memory_.data()), size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {static_cast<const T*>(memory_.data()), size_}; }
  /// This rank's share when all sharers clear or touch the array together: whole pages.
  [[nodiscard]] std::span<T> share() noexcept { return span().subspan(part_.begin, part_.size()); }
  /// Waits for all sharers, and makes everything that any of them wrote before visible to all. Collective over the
  /// sharers.
  void barrier() const { memory_.barrier(); }

 private:
  static constexpr std::size_t values_per_page = (4096 + sizeof(T) - 1) / sizeof(T);

  detail::SharedMemory memory_;
  std::size_t size_;
  IndexRange part_;
};

}  // namespace breadth
