// A file's content as memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace breadth {

/// A regular file mapped to be read. Pages are fetched when touched and the kernel may drop them again.
class MappedFile {
 public:
  MappedFile() = default;
  /// Throws Error that names the file.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }
  /// Tells the kernel that bytes [first, last) will not be read soon, so that they no longer count as this process's.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace breadth
