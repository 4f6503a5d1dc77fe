#include "comm/phase.hpp"

#include <algorithm>
#include <atomic>

namespace breadth {

namespace {
template <class T>
T read(const T& shared) noexcept {
  return std::atomic_ref(const_cast<T&>(shared)).load(std::memory_order_acquire);
}

template <class T>
void write(T& shared, T value) noexcept {
  std::atomic_ref(shared).store(value, std::memory_order_release);
}
}  // namespace

void PhaseSlot::enter(const char* name) noexcept {
  if (depth_ < deepest) {
    auto& place = names_[depth_];
    std::size_t i = 0;
    for (; i < longest_name && name[i] != '\0'; ++i) write(place[i], name[i]);
    write(place[i], '\0');
  }
  write(depth_, depth_ + 1);
  progress();
}

void PhaseSlot::leave() noexcept {
  write(depth_, depth_ - 1);
  progress();
}

void PhaseSlot::progress() noexcept { write(changes_, changes_ + 1); }

std::uint64_t PhaseSlot::changes() const noexcept { return read(changes_); }

std::string PhaseSlot::text() const {
  std::string text;
  const std::size_t named = std::min<std::size_t>(read(depth_), deepest);
  for (std::size_t i = 0; i < named; ++i) {
    if (i > 0) text += " > ";
    for (const char& letter : names_[i]) {
      const char shown = read(letter);
      if (shown == '\0') break;
      text += shown;
    }
  }
  return text;
}

}  // namespace breadth
