// Which ranks share a machine, the memory that they share there, and how fast the links between machines are.
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

// Ranks by machines.

/// The ranks by nodes: machines whose memory they share. Nodes are numbered by their first ranks, and may have
/// different numbers of them. The first rank of a node is its leader.
class Nodes {
 public:
  /// With `ranks_per_node` not 0, each machine is taken for nodes of so many ranks, the last one perhaps with fewer:
  /// a cluster on one machine, for tests and simulations. Collective; O(ranks) memory.
  explicit Nodes(const Communicator& ranks, int ranks_per_node = 0);

  [[nodiscard]] const Communicator& all() const noexcept { return all_; }
  /// The ranks of this node, in their order.
  [[nodiscard]] const Communicator& node() const noexcept { return node_; }
  [[nodiscard]] bool leads() const noexcept { return node_.rank() == 0; }
  [[nodiscard]] std::size_t count() const noexcept { return members_.size(); }
  /// The number of this rank's node.
  [[nodiscard]] std::size_t own() const noexcept { return own_; }
  /// The ranks of a node, rising.
  [[nodiscard]] std::span<const std::size_t> members(std::size_t node) const { return members_[node]; }
  /// Whether a rank is on this node.
  [[nodiscard]] bool here(std::size_t rank) const { return leader_of_[rank] == members_[own_].front(); }
  /// The ranks of the largest node, and of the smallest.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }
  [[nodiscard]] std::size_t smallest() const noexcept { return smallest_; }
  /// Of bytes that ranks sent to any others, those that left a node, as far as that is clear: none where all ranks are
  /// on one, all where each is on its own.
  [[nodiscard]] std::optional<std::uint64_t> bytes_between(std::uint64_t bytes) const {
    if (count() == 1) return 0;
    return largest() == 1 ? std::optional(bytes) : std::nullopt;
  }

 private:
  Communicator all_;
  Communicator node_;
  std::vector<std::size_t> leader_of_;  ///< of each rank: the leader of its node
  std::vector<std::vector<std::size_t>> members_;
  std::size_t own_ = 0;
  std::size_t largest_ = 0;
  std::size_t smallest_ = 0;
};

/// The leaders of all nodes, in the order of nodes; on a rank that leads none, the others like it. Collective.
Communicator leaders_of(const Nodes& nodes);

/// A way between nodes: one rank of each, in the order of nodes. Lane i is for what the ranks i of all nodes have.
struct NodeLane {
  std::size_t index;
  Communicator ranks;
};

/// Leaders move everything (Cui et al. 2012, fig. 5): a leader has all lanes, which are one group, others have none.
/// Collective.
std::vector<NodeLane> leader_lanes(const Nodes& nodes);

/// The ranks of a node move a part each, at the same time (Cui et al. 2012, fig. 7): lane i has rank i of each node, of
/// a smaller one rank i modulo its size, so that a rank has several lanes only where nodes differ. In rising order.
/// Collective: one split for each time that the smallest node fits into the largest.
std::vector<NodeLane> subgroup_lanes(const Nodes& nodes);

// Links between machines.

/// What an exchange between all nodes at once takes.
struct LinkSpeed {
  double round_seconds = 0;     ///< until each has had a word from all others
  double bytes_per_second = 0;  ///< that come to each of them
};

/// Measures it by all-gathers of the nodes' leaders, a few with little and a few with a MiB for each: the fastest, and
/// of the leaders the slowest. Nothing where all ranks are on one node. Collective, the same on every rank; as long as
/// a few MiB take on the links.
std::optional<LinkSpeed> measure_links(const Nodes& nodes);

// Memory that the ranks of a node share.

namespace detail {
/// What stands behind a SharedBuffer: comm/mpi/shared_memory_mpi.cpp or comm/threads/communicator_threads.cpp, chosen
/// by CMake.
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

/// An array of plain values that some ranks of a node have once between them (Cui et al. 2012, section III-A): an
/// MPI-3.1 window where they are several, memory of its own where it is one. Zeroed. What a rank writes the others see
/// after a barrier() of all of them; in between no two may write the same value, but atomically. Moves, never copies.
template <class T>
class SharedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "a SharedBuffer holds plain values");

 public:
  /// `size` values, the same on all the sharers. Throws Error where the MPI library has no such memory. Collective over
  /// the sharers, as is the end of it, unless an exception ends it: the others may not come then, and the system takes
  /// the memory back.
  SharedBuffer(const Communicator& sharers, std::size_t size)
      : memory_(sharers, size * sizeof(T)),
        size_(size),
        part_(even_share(size, static_cast<std::size_t>(sharers.rank()), static_cast<std::size_t>(sharers.size()),
                         values_per_page)) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {static_cast<T*>(memory_.data()), size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {static_cast<const T*>(memory_.data()), size_}; }
  /// The share that this rank sees to where all the sharers clear or touch the array together: whole pages of it.
  [[nodiscard]] std::span<T> share() noexcept { return span().subspan(part_.begin, part_.size()); }
  /// All the sharers have come, and each sees what any of them wrote before. Collective over them.
  void barrier() const { memory_.barrier(); }

 private:
  static constexpr std::size_t values_per_page = (4096 + sizeof(T) - 1) / sizeof(T);

  detail::SharedMemory memory_;
  std::size_t size_;
  IndexRange part_;
};

}  // namespace breadth
