#include "core/memory/buffer_pool.hpp"

#include <algorithm>
#include <numeric>

#include "core/memory/buffer.hpp"

namespace breadth {

BufferPool::~BufferPool() {
  for (const Block& block : free_) detail::release_bytes(block.memory, block.bytes);
}

void* BufferPool::take(std::size_t count, std::size_t element_bytes) {
  if (count == 0) return nullptr;
  used_.reserve(used_.size() + 1);
  free_.reserve(used_.size() + free_.size() + 1);
  const std::size_t bytes = count > PTRDIFF_MAX / element_bytes ? PTRDIFF_MAX : count * element_bytes;
  const auto fitting = std::lower_bound(free_.begin(), free_.end(), bytes,
                                        [](const Block& block, std::size_t least) { return block.bytes < least; });
  if (fitting != free_.end() && fitting->bytes / most_waste <= bytes) {
    used_.push_back(*fitting);
    free_.erase(fitting);
    return used_.back().memory;
  }
  if (fitting != free_.begin()) {
    const auto too_small = fitting - 1;
    detail::release_bytes(too_small->memory, too_small->bytes);
    free_.erase(too_small);
  }
  used_.push_back({detail::allocate_array(count, element_bytes), bytes});
  return used_.back().memory;
}

void BufferPool::give_back(void* memory) noexcept {
  if (memory == nullptr) return;
  const auto block =
      std::find_if(used_.begin(), used_.end(), [memory](const Block& used) { return used.memory == memory; });
  const auto place = std::upper_bound(free_.begin(), free_.end(), block->bytes,
                                      [](std::size_t size, const Block& other) { return size < other.bytes; });
  free_.insert(place, *block);
  used_.erase(block);
}

std::size_t BufferPool::bytes() const noexcept {
  const auto add = [](std::size_t sum, const Block& block) { return sum + block.bytes; };
  return std::accumulate(used_.begin(), used_.end(), std::accumulate(free_.begin(), free_.end(), std::size_t{0}, add),
                         add);
}

}  // namespace breadth
