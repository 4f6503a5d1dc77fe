// Memory that the ranks of a node share.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

namespace detail {
/// What stands behind a SharedBuffer: comm/mpi/shared_memory_mpi.cpp or comm/single/communicator_single.cpp, chosen by
/// CMake.
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
