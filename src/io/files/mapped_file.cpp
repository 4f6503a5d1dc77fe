#include "io/files/mapped_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/errors.hpp"

namespace breadth {

// Mappings.

MappedFile::MappedFile(const std::string& path) : file_(open_to_read(path)), opened_as_(file_.state()) {
  const auto size = static_cast<std::size_t>(opened_as_.bytes);
  if (size == 0) return;  // the system maps no empty files
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) fail("cannot read '{}': {}", path, std::strerror(errno));
  guarded_as_ = guard_range(memory, size);
  if (guarded_as_ == most_guarded_ranges) {
    ::munmap(memory, size);
    fail("cannot read '{}': more than {} files are mapped", path, most_guarded_ranges);
  }
  data_ = static_cast<const std::byte*>(memory);
  size_ = size;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : file_(std::move(other.file_)),
      opened_as_(other.opened_as_),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      guarded_as_(other.guarded_as_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(opened_as_, other.opened_as_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(guarded_as_, other.guarded_as_);
  return *this;
}

void MappedFile::check_pages() const {
  if (data_ != nullptr && range_is_cut(guarded_as_)) check_unchanged();
}

void MappedFile::check_unchanged() const {
  if (file_.get() < 0) return;
  if (!file_.has_bytes_of(opened_as_)) report_change();
  if (data_ == nullptr || !range_is_cut(guarded_as_)) return;
  fail("cannot read '{}': a part of its {} bytes is gone; its disk failed", file_.path(), size_);
}

void MappedFile::report_change() const {
  const std::uint64_t now = file_.state().bytes;
  const std::string how = now == size_  ? "others wrote to it"
                          : now < size_ ? fmt::format("it became shorter, {} bytes instead of {}", now, size_)
                                        : fmt::format("it became longer, {} bytes instead of {}", now, size_);
  fail("'{}' changed while it was read: {}. Run again once nobody writes to it", file_.path(), how);
}

void MappedFile::release(std::size_t first, std::size_t last) const noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  first = (first + page - 1) / page * page;
  last = last / page * page;
  if (first < last) ::madvise(const_cast<std::byte*>(data_) + first, last - first, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  end_guard(guarded_as_);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

// Mapped files that end before their mappings do.

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
