#include "io/files/page_fault.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

namespace breadth {

namespace {
/// Taken by whoever turns `end` from 0 to a number; `begin` is the last to be set and the first to be cleared.
struct GuardedRange {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> cut{false};
};

// A signal handler can reach nothing else.
std::array<GuardedRange, most_guarded_ranges> guarded;
std::uintptr_t page_bytes = 0;
struct sigaction previous_action;

/// Only what may be called in a signal handler.
void replace_missing_pages(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (GuardedRange& range : guarded) {
    const std::uintptr_t begin = range.begin.load();
    const std::uintptr_t end = range.end.load();
    if (begin == 0 || address < begin || address >= end) continue;
    range.cut.store(true);
    const std::uintptr_t into_page = address % page_bytes;
    const void* zeros = mmap(static_cast<std::byte*>(info->si_addr) - into_page, end - address + into_page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (zeros != MAP_FAILED) return;
  }
  sigaction(signal, &previous_action, nullptr);  // the same fault comes again, to whom it concerns
}

bool install_handler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = replace_missing_pages;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &previous_action) == 0;
}
}  // namespace

std::size_t guard_range(const void* data, std::size_t bytes) noexcept {
  static const bool installed = install_handler();
  if (!installed) return most_guarded_ranges;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (std::size_t i = 0; i < guarded.size(); ++i) {
    std::uintptr_t unused = 0;
    if (!guarded[i].end.compare_exchange_strong(unused, begin + bytes)) continue;
    guarded[i].cut.store(false);
    guarded[i].begin.store(begin);
    return i;
  }
  return most_guarded_ranges;
}

void end_guard(std::size_t range) noexcept {
  guarded[range].begin.store(0);
  guarded[range].end.store(0);
}

bool range_is_cut(std::size_t range) noexcept { return guarded[range].cut.load(); }

}  // namespace breadth
