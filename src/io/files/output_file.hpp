// Output files that appear only when they are complete, and text that all ranks write to one file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/input_file.hpp"

namespace breadth {

// Files that appear only when they are complete.

/// Removes the temporary files of all OutputFiles of this process, which must not be used any more: for a signal that
/// ends the process. Async-signal-safe.
void remove_partial_files() noexcept;

/// A file that one rank writes under a temporary name beside its target and renames to the target when it is complete.
/// The constructor checks whether the target can be written, before the work for its content. It also removes temporary
/// files of the target whose writers were killed: a temporary file is locked while it is written.
class OutputFile {
 public:
  /// Throws Error if the directory is missing or not writable, or if the target is a directory, a device,
  /// write-protected or "-". If the path is a link, the file that it refers to is replaced.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes the temporary file, unless it was committed.
  ~OutputFile();

  /// Appends text after earlier calls of `write`.
  void write(std::string_view text);
  /// Waits until the written data is on the disk; nothing may be written afterwards. If several files belong together,
  /// synchronise all of them before committing the first, so that a full disk is noticed while all old files still
  /// exist.
  void sync();
  /// Renames the file to its target. Call it once, last.
  void commit();

  /// The open file, to write bytes at any offset. Its errors give the path as given.
  [[nodiscard]] const FileDescriptor& file() const noexcept { return file_; }
  /// The path of the content until it is committed.
  [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_path_; }

 private:
  std::string path_;
  std::string target_;  ///< path_ with links resolved
  std::string temporary_path_;
  FileDescriptor file_;
  std::uint64_t written_ = 0;
  bool synchronized_ = false;
  bool pending_ = true;
};

/// An OutputFile that all ranks write together, each at its own offsets. All ranks must see one file system.
class SharedOutputFile {
 public:
  /// Throws AgreedError for the errors of OutputFile. Collective; the communicator must outlive the file.
  SharedOutputFile(const std::string& path, const Communicator& ranks);

  /// All ranks and threads may write at the same time. Throws Error on this rank only.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
    (first_ ? first_->file() : other_).write_at(offset, bytes);
  }
  /// Writes text at an offset, likewise.
  void write_at(std::uint64_t offset, std::string_view text) const { write_at(offset, std::as_bytes(std::span(text))); }
  /// Like OutputFile::sync(). Throws AgreedError. Collective.
  void sync();
  /// Registers collective work that commit() does first, so that files that belong to this one are replaced together
  /// with it or not at all.
  void before_commit(std::function<void()> work) { before_commit_ = std::move(work); }
  /// Throws AgreedError. Collective.
  void commit();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_path_; }
  [[nodiscard]] const Communicator& ranks() const noexcept { return ranks_; }

 private:
  const Communicator& ranks_;
  std::string path_;
  std::string temporary_path_;
  std::optional<OutputFile> first_;  ///< used on rank 0
  FileDescriptor other_;             ///< used on the other ranks
  bool synchronized_ = false;
  std::function<void()> before_commit_;
};

// Text that all ranks write to one file.

/// Makes the lines of this rank's items [first, last). Collective: every rank makes the same number of calls, some of
/// them possibly without items.
using LineMaker = std::function<std::string(std::uint64_t first, std::uint64_t last)>;

/// The number of items whose text a rank makes before it writes it, if lines are short.
inline constexpr std::uint64_t items_of_a_round = std::uint64_t{1} << 18;
/// The number of items whose lines a thread makes at a time, if lines are short.
inline constexpr std::size_t items_of_a_thread = std::size_t{1} << 13;

/// Writes rank 0's `head`, then the lines of all items in rank order, in rounds of `round_items` items of each rank. On
/// several ranks the lines are made twice, the first time to compute the offsets of each rank. Throws AgreedError.
/// Collective.
void write_lines(const SharedOutputFile& file, const std::string& head, std::uint64_t items, const LineMaker& lines,
                 std::uint64_t round_items = items_of_a_round);

/// Makes the lines of items [0, count) with all threads: append(item, text) appends the line of one item. A thread
/// makes `grain` lines at a time. Not collective.
template <class Append>
std::string make_lines(ThreadTeam& threads, std::size_t count, Append&& append, std::size_t grain = items_of_a_thread) {
  std::vector<std::string> parts((count + grain - 1) / grain);
  parallel_blocks(threads, count, grain, [&](IndexRange range, int) {
    std::string& part = parts[range.begin / grain];
    for (std::size_t i = range.begin; i < range.end; ++i) append(i, part);
  });
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

}  // namespace breadth
