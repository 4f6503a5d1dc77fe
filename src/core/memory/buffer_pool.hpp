// Memory that buffers leave to each other.
#pragma once

#include <cstddef>
#include <vector>

namespace breadth {

/// Keeps the memory of buffers that end for those that come. Pages that are new to a process have to be cleared first,
/// which takes longer than many a step does in them; a step that is taken again and again finds them here. What is kept
/// counts as the process's until the pool ends. For one thread.
class BufferPool {
 public:
  BufferPool() = default;
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Room for `count` elements, aligned to at least 64 bytes, with whatever it held before: the smallest memory that
  /// was given back and is large enough, unless it is more than most_waste times as large. Else new memory takes the
  /// place of the largest that is too small. nullptr for nothing; throws OutOfMemory where there is none.
  void* take(std::size_t count, std::size_t element_bytes);
  /// What take() returned.
  void give_back(void* memory) noexcept;

  /// All that was ever taken and has not gone back to the system.
  [[nodiscard]] std::size_t bytes() const noexcept;

  static constexpr std::size_t most_waste = 4;

 private:
  struct Block {
    void* memory;
    std::size_t bytes;
  };

  std::vector<Block> used_;
  std::vector<Block> free_;  ///< the smallest first; with room for those that are used
};

}  // namespace breadth
