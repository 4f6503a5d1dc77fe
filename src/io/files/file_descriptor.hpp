// An open file, closed when its owner goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace breadth {

/// What a file system notes of a regular file whenever somebody writes to it.
struct FileState {
  std::uint64_t bytes = 0;
  std::int64_t written_nanoseconds = 0;  ///< since 1970: when its bytes changed last, as a program may set it
  std::int64_t changed_nanoseconds = 0;  ///< when its bytes, names, owner or permissions changed last
  std::uint64_t names = 0;               ///< links
  std::uint64_t permissions = 0;
};

/// Owns a file descriptor. Its functions throw Error with the file's name and the system's reason.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Opens an existing file; `flags` as open(2) has them.
  FileDescriptor(const std::string& path, int flags);
  /// Takes over a descriptor that is open.
  FileDescriptor(int descriptor, std::string path) noexcept : descriptor_(descriptor), path_(std::move(path)) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Bytes of a regular file; what is none (a directory, a pipe) is an Error.
  [[nodiscard]] std::uint64_t size() const { return state().bytes; }
  /// The same and more of it.
  [[nodiscard]] FileState state() const;
  /// Whether the bytes are those that they were in an earlier state, as far as a file system notes that: its times go
  /// in steps of milliseconds.
  [[nodiscard]] bool has_bytes_of(const FileState& earlier) const;

  /// Up to bytes.size() bytes from where the last read ended; 0 at the end of the file.
  std::size_t read(std::span<char> bytes);
  /// The bytes from an offset on, less only at the end of the file.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> bytes) const;
  /// All bytes to a place of their own; all threads may write at once.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// Waits until what was written is on the disk.
  void sync() const;
  /// Nothing is open any more.
  void close();

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// Opens an existing regular file to read. Throws Error that names it.
FileDescriptor open_to_read(const std::string& path);

}  // namespace breadth
