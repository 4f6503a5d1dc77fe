#include "progress.hpp"

#include <algorithm>

#include "workers.hpp"

namespace breadth::python {

void Progress::begin(const char* stage, std::uint64_t size, std::uint64_t passes) {
  show_without_lock();
  stage_ = stage;
  size_ = size;
  passes_ = passes;
  done_.store(0, std::memory_order_relaxed);
}

void Progress::show_without_lock() const {
  if (show_.is_none()) return;
  const WithLock lock;
  try {
    show();
  } catch (nanobind::python_error& error) {
    error.restore();
    throw Interrupted{};
  }
}

void Progress::show() const {
  if (stage_ == nullptr || show_.is_none()) return;
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  const std::uint64_t passes = size_ == 0 ? 0 : std::max(passes_, (done + size_ - 1) / size_);
  show_(stage_, done, passes * size_);
}

}  // namespace breadth::python
