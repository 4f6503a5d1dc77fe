// Owned memory for large arrays, and pools of memory that buffers reuse.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace breadth {

// Memory that buffers reuse.

/// Keeps the memory of destroyed buffers for new ones. The system has to clear pages that are new to a process, which
/// often takes longer than the step that uses them; a step that is repeated finds its pages here. Memory in the pool
/// belongs to the process until the pool is destroyed. For one thread.
class BufferPool {
 public:
  BufferPool() = default;
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  /// Returns memory for `count` elements, aligned to at least 64 bytes, with undefined content: the smallest free block
  /// that is large enough, unless it is more than max_waste times as large as needed. Otherwise allocates new memory,
  /// and releases the largest of the free blocks that are too small. Returns nullptr for 0 elements. Throws
  /// OutOfMemory.
  void* take(std::size_t count, std::size_t element_bytes);
  /// Returns memory from take() to the pool.
  void give_back(void* memory) noexcept;

  /// The bytes of all blocks, used and free.
  [[nodiscard]] std::size_t bytes() const noexcept;

  static constexpr std::size_t max_waste = 4;

 private:
  struct Block {
    void* memory;
    std::size_t bytes;
  };

  std::vector<Block> used_;
  std::vector<Block> free_;  ///< smallest first; its capacity also suffices for all used blocks
};

// Owned memory.

namespace detail {
/// Returns zeroed memory aligned to at least 64 bytes. Large arrays are mapped, with a request for huge pages; pages
/// are allocated on first touch. Throws OutOfMemory with the size in its message.
void* allocate_array(std::size_t count, std::size_t element_bytes);
void release_bytes(void* memory, std::size_t bytes) noexcept;
/// Gives the whole pages inside [memory, memory + bytes) back to the kernel; their content becomes zero.
void discard_bytes(void* memory, std::size_t bytes) noexcept;
}  // namespace detail

/// An array of plain values that owns its memory. It is zeroed unless it comes from a pool. It can be moved but not
/// copied. Untouched parts cost address space only, so the first thread that writes a page determines the NUMA node of
/// the page.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>, "a Buffer holds plain values");

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(detail::allocate_array(size, sizeof(T)))), size_(size), capacity_(size) {}
  /// Takes memory with undefined content from `pool`, and returns it there at the end; if `pool` is nullptr, the same
  /// as Buffer(size). The pool must outlive the buffer.
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
  /// Releases the old memory at once, not when `other` is destroyed.
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

  /// Drops the elements from `size` on and gives their whole pages back to the kernel.
  void shrink(std::size_t size) noexcept {
    detail::discard_bytes(data_ + size, (capacity_ - size) * sizeof(T));
    size_ = size;
  }
  /// Gives the whole pages inside elements [first, last) back to the kernel. Their elements read as zero afterwards;
  /// elements on a page shared with an element outside the range keep their values.
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
