// Memory of results, which is reused when Python releases their arrays.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/memory/buffer.hpp"

namespace breadth::python {

/// Keeps the memory of a few released arrays for new ones. The system has to clear new pages of a process first, which
/// may take longer than the search whose results they hold. May be called concurrently.
class ResultMemory {
 public:
  /// Returns this many bytes, which are not cleared. Throws OutOfMemory.
  Buffer<std::byte> take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      for (Buffer<std::byte>& one : kept_) {
        if (one.size() != bytes) continue;
        std::swap(one, kept_.back());
        Buffer<std::byte> found = std::move(kept_.back());
        kept_.pop_back();
        return found;
      }
    }
    return Buffer<std::byte>(bytes);
  }
  void give_back(Buffer<std::byte> memory) noexcept {
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most) kept_.erase(kept_.begin());  // the one that was kept the longest
    kept_.push_back(std::move(memory));
  }

  ResultMemory() { kept_.reserve(most); }

 private:
  /// The number of kept arrays: enough for two results of up to three arrays each.
  static constexpr std::size_t most = 6;

  std::mutex mutex_;
  std::vector<Buffer<std::byte>> kept_;
};

/// An array of a result. Not zeroed.
template <class Value>
class ResultArray {
 public:
  ResultArray() = default;
  ResultArray(std::size_t size, std::shared_ptr<ResultMemory> memory)
      : memory_(std::move(memory)), bytes_(memory_->take(size * sizeof(Value))), size_(size) {}
  ResultArray(ResultArray&&) noexcept = default;
  /// Only while this array has no memory.
  ResultArray& operator=(ResultArray&&) noexcept = default;
  ~ResultArray() {
    if (memory_) memory_->give_back(std::move(bytes_));
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] Value* data() noexcept { return reinterpret_cast<Value*>(bytes_.data()); }
  [[nodiscard]] std::span<Value> span() noexcept { return {data(), size_}; }
  [[nodiscard]] Value& operator[](std::size_t i) noexcept { return data()[i]; }

 private:
  std::shared_ptr<ResultMemory> memory_;
  Buffer<std::byte> bytes_;
  std::size_t size_ = 0;
};

}  // namespace breadth::python
