// A file's content as memory, also where the file becomes shorter than its mapping.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "io/files/file_descriptor.hpp"

namespace breadth {

// Mappings.

/// A regular file mapped to be read. Pages are fetched when touched and the kernel may drop them again, so whoever
/// writes to the file meanwhile changes what is read: check_unchanged() says so. Where a page is no longer to be had,
/// because somebody made the file shorter or its disk failed, bytes read as zero; the first mapped file installs a
/// handler of SIGBUS for that, which leaves faults elsewhere to the one before.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws Error that names the file, also where more than 64 files are mapped.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }
  /// Throws Error that names the file unless every page that was read so far, by this thread, was there. O(1), without
  /// the system: for each block that is read.
  void check_pages() const;
  /// Throws Error that names the file where it is no longer what it was when it was opened, or a page was missing. To
  /// be called after reading and before anything is made of it. One question to the file system, which notices a write
  /// unless it came in the same milliseconds as the one before the file was opened, or through another's mapping to
  /// pages that were written before.
  void check_unchanged() const;
  /// Throws the Error that says so.
  [[noreturn]] void report_change() const;
  /// Tells the kernel that bytes [first, last) will not be read soon, so that they no longer count as this process's.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  FileDescriptor file_;
  FileState opened_as_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t guarded_as_ = 0;  ///< where data_ is not nullptr
};

// Mapped files that end before their mappings do.

/// Ranges of memory that are guarded at one time.
inline constexpr std::size_t most_guarded_ranges = 64;

/// From now on a read in [data, data + bytes), whole pages of a mapped file, that the file cannot serve ends the
/// file's part of the range there: zeros take its place. Returns the guarded range's number, most_guarded_ranges when
/// there are too many. Any thread.
std::size_t guard_range(const void* data, std::size_t bytes) noexcept;
/// Before the range is unmapped.
void end_guard(std::size_t range) noexcept;
/// Whether zeros took the place of a part of the range. A thread that has read such a zero gets true.
bool range_is_cut(std::size_t range) noexcept;

}  // namespace breadth
