// Files that are whole or not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "comm/communicator.hpp"
#include "io/files/file_descriptor.hpp"

namespace breadth {

/// A file that one rank writes under a temporary name beside its target and renames to it once it is complete. Whether
/// the target can be written is found out on construction, before the work that its content takes. What a writer of the
/// same target left that was killed is removed then: a temporary file is locked as long as it is written.
class OutputFile {
 public:
  /// Throws Error for a directory that is missing or not writable, a target that is a directory, a device,
  /// write-protected or "-". A link is followed: the file that it names is replaced.
  explicit OutputFile(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
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
  /// Throws AgreedError. Collective.
  void commit();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::string& temporary_path() const noexcept { return temporary_path_; }
  [[nodiscard]] const Communicator& ranks() const noexcept { return *ranks_; }

 private:
  const Communicator* ranks_;
  std::string path_;
  std::string temporary_path_;
  std::optional<OutputFile> first_;  ///< on rank 0
  FileDescriptor other_;             ///< on the others
  bool synchronized_ = false;
};

}  // namespace breadth
