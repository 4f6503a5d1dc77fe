// Files that are whole or not there, and text that all ranks write to one.
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

// Files that are whole or not there.

/// Removes what is being written by every OutputFile of this process, none of which is used any more: for a signal that
/// ends the process. Async-signal-safe.
void remove_partial_files() noexcept;

/// A file that one rank writes under a temporary name beside its target and renames to it once it is complete. Whether
/// the target can be written is found out on construction, before the work that its content takes. What a writer of the
/// same target left that was killed is removed then: a temporary file is locked as long as it is written.
class OutputFile {
 public:
  /// Throws Error for a directory that is missing or not writable, a target that is a directory, a device,
  /// write-protected or "-". A link is followed: the file that it names is replaced.
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes what was written, unless it was committed.
  ~OutputFile();

  /// Appends to what `write` wrote before.
  void write(std::string_view text);
  /// All threads may write at once.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const { file_.write_at(offset, bytes); }
  /// Waits until what was written is on the disk; after that nothing is written any more. Where several files belong
  /// together, all are synchronized before the first one is committed: a full disk is noticed while all of the old ones
  /// are there.
  void sync();
  /// Puts the content under the target's name, which from then on has all of it. To be called once, last.
  void commit();

  /// The name as it was given.
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Where the content is until it is committed.
  [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_path_; }

 private:
  std::string path_;
  std::string target_;  ///< path_ with links resolved
  std::string temporary_path_;
  FileDescriptor file_;  ///< errors of which name path_
  std::uint64_t written_ = 0;
  bool synchronized_ = false;
  bool pending_ = true;
};

/// An OutputFile that all ranks write together, each its own places. They see one file system.
class SharedOutputFile {
 public:
  /// Throws AgreedError as OutputFile does. Collective; the communicator outlives the file.
  SharedOutputFile(const std::string& path, const Communicator& ranks);

  /// All ranks and threads may write at once. Throws Error on this rank alone.
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// The same for text.
  void write_at(std::uint64_t offset, std::string_view text) const;
  /// As OutputFile has it. Throws AgreedError. Collective.
  void sync();
  /// Has commit() do this first, collectively: what belongs to the file is replaced with it, or not at all.
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
  std::optional<OutputFile> first_;  ///< on rank 0
  FileDescriptor other_;             ///< on the others
  bool synchronized_ = false;
  std::function<void()> before_commit_;
};

// Text that all ranks write to one file.

/// Makes the lines of this rank's items [first, last); collective, with the same number of calls on every rank, some of
/// them for no items.
using LineMaker = std::function<std::string(std::uint64_t first, std::uint64_t last)>;

/// Writes rank 0's `head`, then the lines of all items in rank order, a bounded number at a time. On several ranks the
/// lines are made twice, the first time to learn where each rank's begin. Throws AgreedError. Collective.
void write_lines(const SharedOutputFile& file, const std::string& head, std::uint64_t items, const LineMaker& lines);

/// The lines of items [0, count), made by all threads: append(item, text) adds that of one. Not collective.
template <class Append>
std::string make_lines(ThreadTeam& threads, std::size_t count, Append&& append) {
  constexpr std::size_t grain = std::size_t{1} << 13;
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
