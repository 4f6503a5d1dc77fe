// A file's content as memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace breadth {

/// A regular file mapped to be read. Pages are fetched when touched and the kernel may drop them again. Where a page is
/// no longer to be had, because somebody made the file shorter or its disk failed, bytes read as zero, and check() says
/// so; the first mapped file installs a handler of SIGBUS for that, which leaves faults elsewhere to the one before.
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
  /// Throws Error that names the file unless all that was read so far, by this thread, was there. To be called after
  /// reading and before anything is made of it. O(1).
  void check() const;
  /// Tells the kernel that bytes [first, last) will not be read soon, so that they no longer count as this process's.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t guarded_as_ = 0;  ///< where data_ is not nullptr
};

}  // namespace breadth
