#include "core/memory/buffer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "core/errors.hpp"

namespace breadth {

// Memory that buffers reuse.

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
  if (fitting != free_.end() && fitting->bytes / max_waste <= bytes) {
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

// Owned memory.

namespace detail {

namespace {
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
constexpr std::size_t alignment_bytes = 64;
/// Arrays of at least this size are mapped, so that they are zero without being written and pages can be returned one
/// by one.
constexpr std::size_t mapped_from_bytes = std::size_t{1} << 20;

/// The size of the largest object; sizes up to this can be rounded up without overflow.
constexpr std::size_t largest_bytes = std::size_t{PTRDIFF_MAX};

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

void* map_bytes(std::size_t bytes) {
  // Map one huge page too many, then trim both ends: huge pages need the alignment.
  const std::size_t length = round_up(bytes, page_bytes());
  const std::size_t padded = length + huge_page_bytes;
  void* raw = mmap(nullptr, padded, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) fail<OutOfMemory>("cannot allocate {} bytes: {}", bytes, std::strerror(errno));
  auto* base = static_cast<std::byte*>(raw);
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t head = round_up(address, huge_page_bytes) - address;
  if (head > 0) munmap(base, head);
  const std::size_t tail = padded - head - length;
  if (tail > 0) munmap(base + head + length, tail);
  madvise(base + head, length, MADV_HUGEPAGE);  // only a hint: without huge pages the program is slower, not wrong
  return base + head;
}
}  // namespace

void* allocate_array(std::size_t count, std::size_t element_bytes) {
  if (count == 0) return nullptr;
  if (count > largest_bytes / element_bytes)
    fail<OutOfMemory>("cannot allocate {} elements of {} bytes", count, element_bytes);
  const std::size_t bytes = count * element_bytes;
  if (bytes >= mapped_from_bytes) return map_bytes(bytes);
  const std::size_t length = round_up(bytes, alignment_bytes);
  void* memory = std::aligned_alloc(alignment_bytes, length);
  if (memory == nullptr) fail<OutOfMemory>("cannot allocate {} bytes", bytes);
  return std::memset(memory, 0, length);
}

void release_bytes(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  if (bytes >= mapped_from_bytes) {
    munmap(memory, round_up(bytes, page_bytes()));
  } else {
    std::free(memory);
  }
}

void discard_bytes(void* memory, std::size_t bytes) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t first = round_up(address, page_bytes()) - address;
  const std::size_t last = (address + bytes) / page_bytes() * page_bytes();
  if (address + first < last) madvise(static_cast<std::byte*>(memory) + first, last - address - first, MADV_DONTNEED);
}

}  // namespace detail

}  // namespace breadth
