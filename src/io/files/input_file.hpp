// Files that are read: open ones, their content as memory, and their bytes one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/graph_format.hpp"

namespace breadth {

// An open file, closed when its owner goes.

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
  /// Whether the path names this file: the one that a link leads to, or the link itself unless these are followed.
  [[nodiscard]] bool is_at(const std::string& path, bool follow_links) const;
  /// Whether the bytes are those that they were in an earlier state, as far as a file system notes that: its times go
  /// in steps of milliseconds.
  [[nodiscard]] bool has_bytes_of(const FileState& earlier) const;

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

// A file's content as memory, also where the file becomes shorter than its mapping.

/// A regular file mapped to be read. Pages are fetched when touched and the kernel may drop them again, so writing to
/// the file meanwhile changes what is read: check_unchanged() says so. Where a page is no longer to be had,
/// because somebody made the file shorter or its disk failed, bytes read as zero; the first mapped file installs a
/// handler of SIGBUS for that, which leaves faults elsewhere to the one before.
class MappedFile {
 public:
  static constexpr std::size_t most_at_once = 64;

  /// Throws Error that names the file, also where more than `most_at_once` files are mapped.
  explicit MappedFile(const std::string& path);
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

// The bytes of a file, one after the other, decompressed on the way.

/// Reads a file from its beginning to its end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `bytes`, less only at the end of the file: then it returns how many there were. Throws Error that names
  /// the file for one that cannot be read, ends early, or is not what its compression says.
  virtual std::size_t read(std::span<char> bytes) = 0;
  /// Bytes of the file, compressed if it is, that what was read so far comes from; nearly, where they come in blocks.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
};

/// Throws Error that names the file.
std::unique_ptr<ByteSource> open_source(const std::string& path, Compression compression);

}  // namespace breadth
