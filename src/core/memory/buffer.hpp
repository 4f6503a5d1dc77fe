// Owned memory for large arrays, and pools in which buffers leave their memory to each other.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace breadth {

// Memory that buffers leave to each other.

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

// Owned memory.

namespace detail {
/// Zeroed memory aligned to at least 64 bytes, straight from the kernel where large, with huge pages asked for.
/// Pages are taken on first touch. Throws OutOfMemory naming the size when there is none.
void* allocate_array(std::size_t count, std::size_t element_bytes);
void release_bytes(void* memory, std::size_t bytes) noexcept;
/// Gives the whole pages inside [memory, memory + bytes) back to the kernel; their content becomes zero.
void discard_bytes(void* memory, std::size_t bytes) noexcept;
}  // namespace detail

/// An array of plain values that owns its memory, zeroed until written unless it comes from a pool; moves, never
/// copies. Untouched parts cost address space only, so the first thread to write a page decides where it lives.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a Buffer holds plain values");

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(detail::allocate_array(size, sizeof(T)))), size_(size), capacity_(size) {}
  /// Memory that comes from a pool, with whatever it holds, and goes back there; without a pool as above. The pool
  /// outlives the buffer.
  Buffer(std::size_t size, BufferPool* pool)
      : data_(static_cast<T*>(pool == nullptr ? detail::allocate_array(size, sizeof(T)) : pool->take(size, sizeof(T)))),
        size_(size),
        capacity_(size),
        pool_(pool) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)),
        pool_(std::exchange(other.pool_, nullptr)) {}
  /// The memory that was here is released at once, not when `other` ends.
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    std::swap(capacity_, taken.capacity_);
    std::swap(pool_, taken.pool_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() {
    if (pool_ == nullptr) {
      detail::release_bytes(data_, capacity_ * sizeof(T));
    } else {
      pool_->give_back(data_);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] std::span<T> span() noexcept { return {data_, size_}; }
  [[nodiscard]] std::span<const T> span() const noexcept { return {data_, size_}; }

  /// Forgets the elements from `size` on and gives their whole pages back to the kernel.
  void shrink(std::size_t size) noexcept {
    detail::discard_bytes(data_ + size, (capacity_ - size) * sizeof(T));
    size_ = size;
  }
  /// Gives the whole pages inside elements [first, last) back to the kernel: what they held reads as zero afterwards,
  /// what shares a page with an element outside keeps its value.
  void discard(std::size_t first, std::size_t last) noexcept {
    detail::discard_bytes(data_ + first, (last - first) * sizeof(T));
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  BufferPool* pool_ = nullptr;
};

}  // namespace breadth
