#include "io/files/mapped_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "io/files/page_fault.hpp"

namespace breadth {

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

}  // namespace breadth
