// Input files: file descriptors, files mapped into memory, and sequential reading.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "io/graph_format.hpp"

namespace breadth {

class Communicator;

// An open file, closed by its owner's destructor.

/// The state of a file in its file system, which changes when the file is written (stat(2)).
using FileState = struct stat;

/// Owns a file descriptor. Member functions throw Error with the file's name and the system's reason.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Opens an existing file; `flags` are those of open(2).
  FileDescriptor(const std::string& path, int flags);
  /// Takes over an open descriptor.
  FileDescriptor(int descriptor, std::string path) noexcept : descriptor_(descriptor), path_(std::move(path)) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  [[nodiscard]] int get() const noexcept { return descriptor_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// The size of a regular file in bytes. Throws Error for anything else (a directory, a pipe).
  [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(state().st_size); }
  /// The size and further state of a regular file. Throws Error as size() does.
  [[nodiscard]] FileState state() const;
  /// Whether the path refers to this file. With follow_links, a link refers to its target; otherwise to the link
  /// itself.
  [[nodiscard]] bool is_at(const std::string& path, bool follow_links) const;
  /// Whether the bytes are unchanged since an earlier state, as far as the file system shows it: its times have steps
  /// of milliseconds.
  [[nodiscard]] bool has_bytes_of(const FileState& earlier) const;

  /// Reads bytes from an offset. Returns the number read, which is smaller than requested only at the end of the file.
  [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<char> bytes) const;
  /// Writes all bytes at an offset; several threads may write at the same time.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// Waits until the written data is on the disk.
  void sync() const;
  /// Closes the file.
  void close();

 private:
  int descriptor_ = -1;
  std::string path_;
};

/// Opens an existing regular file for reading. Throws Error with its name.
FileDescriptor open_to_read(const std::string& path);

// A file's content as memory, safe even if the file becomes shorter than its mapping.

/// A regular file mapped for reading. Pages are fetched when touched and the kernel may drop them again, so that
/// writing to the file changes the content: check_unchanged() detects this. If a page is no longer available, because
/// the file became shorter or its disk failed, its bytes read as zero. For this the first mapped file installs a SIGBUS
/// handler, which passes faults at other addresses to the previous handler.
class MappedFile {
 public:
  static constexpr std::size_t max_at_once = 64;

  /// Throws Error with the file's name, also if more than `max_at_once` files are mapped.
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }
  /// Throws Error with the file's name if a page that this thread has read so far was missing. O(1) without a system
  /// call, so that it can be called for each block.
  void check_pages() const;
  /// Throws Error with the file's name if the file has changed since it was opened, or if a page was missing. Call it
  /// after reading and before using the result. It makes one query to the file system, which notices every write except
  /// one within the same milliseconds as the last write before the file was opened, or one through another mapping to
  /// pages that were already written.
  void check_unchanged() const;
  /// Throws the Error of check_unchanged().
  [[noreturn]] void report_change() const;
  /// Tells the kernel that bytes [first, last) will not be read soon, so that they no longer count as memory of this
  /// process.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  FileDescriptor file_;
  FileState opened_as_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t guarded_as_ = 0;  ///< valid if data_ is not nullptr
};

// Sequential reading of a file, with decompression.

/// Reads a file from its beginning to its end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `bytes` and returns the number read, which is smaller only at the end of the file. Throws Error with the
  /// file's name if the file cannot be read, ends early, or is not valid compressed data.
  virtual std::size_t read(std::span<char> bytes) = 0;
  /// The bytes of the file, compressed if it is, that were consumed so far; approximate if they come in blocks.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;
};

/// Opens a file for sequential reading. Throws Error with the file's name.
std::unique_ptr<ByteSource> open_source(const std::string& path, Compression compression);

// One file for all ranks.

/// Throws AgreedError that names the file unless every rank finds the same one at its path, or none does: a rank
/// without it, or with one of another size or other first or last bytes, has another disk. Collective.
void require_same_file(const std::string& path, const Communicator& ranks);

}  // namespace breadth
