#include "placement/affinity.hpp"

#include <sched.h>

#include <algorithm>
#include <memory>

namespace breadth {

namespace {
/// A set of processors with numbers below `bound`.
class ProcessorSet {
 public:
  explicit ProcessorSet(int bound)
      : bytes_(CPU_ALLOC_SIZE(static_cast<std::size_t>(bound))),
        set_(CPU_ALLOC(static_cast<std::size_t>(bound)), [](cpu_set_t* owned) { CPU_FREE(owned); }) {
    if (set_ != nullptr) CPU_ZERO_S(bytes_, set_.get());
  }
  [[nodiscard]] bool has(int processor) const {
    return CPU_ISSET_S(static_cast<std::size_t>(processor), bytes_, set_.get()) != 0;
  }
  void insert(int processor) { CPU_SET_S(static_cast<std::size_t>(processor), bytes_, set_.get()); }

  [[nodiscard]] bool read_own() { return set_ != nullptr && sched_getaffinity(0, bytes_, set_.get()) == 0; }
  [[nodiscard]] bool make_own() const { return set_ != nullptr && sched_setaffinity(0, bytes_, set_.get()) == 0; }

 private:
  std::size_t bytes_;
  std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set_;
};
}  // namespace

std::vector<int> usable_processors() {
  // The system refuses to fill a set that its processors do not fit into; most machines fit into 1024.
  constexpr int most_processors = 1 << 20;
  for (int bound = 1024; bound <= most_processors; bound *= 4) {
    ProcessorSet set(bound);
    if (!set.read_own()) continue;
    std::vector<int> processors;
    for (int processor = 0; processor < bound; ++processor) {
      if (set.has(processor)) processors.push_back(processor);
    }
    return processors;
  }
  return {};
}

bool bind_this_thread(std::span<const int> processors) {
  if (processors.empty()) return false;
  ProcessorSet set(*std::max_element(processors.begin(), processors.end()) + 1);
  for (const int processor : processors) set.insert(processor);
  return set.make_own();
}

}  // namespace breadth
