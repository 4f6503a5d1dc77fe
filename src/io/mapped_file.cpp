#include "io/mapped_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "io/file_descriptor.hpp"
#include "io/page_fault.hpp"

namespace breadth {

MappedFile::MappedFile(const std::string& path) : path_(path) {
  const FileDescriptor file = open_to_read(path);
  const auto size = static_cast<std::size_t>(file.size());
  if (size == 0) return;  // the system maps no empty files
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
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
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      guarded_as_(other.guarded_as_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(guarded_as_, other.guarded_as_);
  return *this;
}

void MappedFile::check() const {
  if (data_ == nullptr || !range_is_cut(guarded_as_)) return;
  fail("cannot read '{}': a part of its {} bytes is gone; it became shorter meanwhile, or its disk failed", path_,
       size_);
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
