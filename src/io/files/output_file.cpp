#include "io/files/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>

#include "comm/agreement.hpp"
#include "core/errors.hpp"

namespace breadth {

// Files that appear only when they are complete.

namespace {
/// A slot for the name of a temporary file. An array, because a signal may arrive while another thread destroys the
/// file.
class PartialFile {
 public:
  [[nodiscard]] bool is(std::string_view path) const noexcept { return used_ && path == path_.data(); }
  /// Stores the name if the slot is free and the name fits; returns whether it did.
  bool keep(std::string_view path) noexcept {
    if (used_ || path.size() >= path_.size()) return false;
    path_[path.copy(path_.data(), path.size())] = '\0';
    used_ = true;
    return true;
  }
  void forget() noexcept { used_ = false; }
  void remove() const noexcept {
    if (used_) ::unlink(path_.data());
  }

 private:
  std::atomic<bool> used_ = false;
  std::array<char, PATH_MAX> path_{};
};
static_assert(std::atomic<bool>::is_always_lock_free);

// Global, because a signal handler can reach nothing else. Only a program that calls the library writes more files at
// once.
constinit std::array<PartialFile, 16> partial_files;
constinit std::mutex partial_files_change;

void keep_partial_file(std::string_view path) {
  const std::lock_guard lock(partial_files_change);
  for (PartialFile& file : partial_files) {
    if (file.keep(path)) return;
  }
}

void forget_partial_file(std::string_view path) {
  const std::lock_guard lock(partial_files_change);
  for (PartialFile& file : partial_files) {
    if (file.is(path)) file.forget();
  }
}

/// The file that will be replaced, with links resolved. It must be new or a regular file that may be written.
std::string resolve_target(const std::string& path) {
  if (path.empty()) fail("cannot write a file without a name");
  if (path == "-") fail("cannot write '-': the output must be a file, not standard output");
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) {
      fail("cannot write '{}': it is a broken symbolic link", path);
    }
    if (path.ends_with('/')) fail("cannot write '{}': it names a directory", path);
    return path;
  }
  if (error) fail("cannot write '{}': {}", path, error.message());
  if (std::filesystem::is_directory(status)) fail("cannot write '{}': it is a directory", path);
  if (!std::filesystem::is_regular_file(status)) fail("cannot write '{}': it is not a regular file", path);
  if (::access(path.c_str(), W_OK) != 0) fail("cannot write '{}': {}", path, std::strerror(errno));
  return std::filesystem::canonical(path).string();
}

/// Tries to lock the file without waiting; returns whether it is now locked. The lock ends with the process, however
/// the process ends.
bool lock(const FileDescriptor& file) { return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0; }

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

/// Removes the partial files with this beginning that no process writes any more, because their writers were killed.
/// Files that cannot be listed, opened, locked or removed stay. (Iterators of std::filesystem end the program if memory
/// runs out.)
void remove_abandoned(const std::string& directory, const std::string& beginning) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(directory.c_str()));
  if (!folder) return;
  while (const dirent* const entry = ::readdir(folder.get())) {
    const std::string name = static_cast<const char*>(entry->d_name);
    if (!name.starts_with(beginning)) continue;
    const std::string path = fmt::format("{}/{}", directory, name);
    const FileDescriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), path);
    if (file.get() >= 0 && lock(file) && file.is_at(path, false)) ::unlink(path.c_str());
  }
}

/// Makes a new, empty file in the target's directory, locked if the file system supports locks. Sets `temporary` to its
/// path.
FileDescriptor create_beside(const std::string& target, const std::string& path, std::string& temporary) {
  const std::filesystem::path parent = std::filesystem::path(target).parent_path();
  const std::string beginning = fmt::format(".{}.partial-", std::filesystem::path(target).filename().string());
  const std::string directory = parent.empty() ? "." : parent.string();
  remove_abandoned(directory, beginning);
  std::string name = path;  // allocate first: if this failed later, nobody would remove the file
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary = fmt::format("{}/{}{}-{}", directory, beginning, ::getpid(), attempt);
    FileDescriptor file(::open(temporary.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666), std::move(name));
    if (file.get() < 0 && errno != EEXIST) fail("cannot write '{}': {}", path, std::strerror(errno));
    // Another process may have removed the file as abandoned before it was locked.
    if (file.get() >= 0 && (lock(file) || errno != EWOULDBLOCK) && file.is_at(temporary, false)) return file;
    name = path;
  }
  fail("cannot write '{}': too many partial files beside it", path);
}
}  // namespace

void remove_partial_files() noexcept {
  for (const PartialFile& file : partial_files) file.remove();
}

OutputFile::OutputFile(const std::string& path)
    : path_(path), target_(resolve_target(path)), file_(create_beside(target_, path, temporary_path_)) {
  keep_partial_file(temporary_path_);
}

OutputFile::~OutputFile() {
  if (!pending_) return;
  ::unlink(temporary_path_.c_str());
  forget_partial_file(temporary_path_);
}

void OutputFile::write(std::string_view text) {
  file_.write_at(written_, std::as_bytes(std::span(text)));
  written_ += text.size();
}

void OutputFile::sync() {
  if (!synchronized_) file_.sync();
  synchronized_ = true;
}

void OutputFile::commit() {
  sync();  // the file stays open and locked, so that no process takes it for abandoned
  if (std::rename(temporary_path_.c_str(), target_.c_str()) != 0) {
    fail("cannot write '{}': {}", path_, std::strerror(errno));
  }
  pending_ = false;
  forget_partial_file(temporary_path_);
  file_.close();
}

SharedOutputFile::SharedOutputFile(const std::string& path, const Communicator& ranks) : ranks_(ranks), path_(path) {
  run_together(ranks, [&] {
    if (ranks.rank() == 0) first_.emplace(path);
  });
  temporary_path_ = ranks.broadcast(first_ ? first_->temporary_path() : "", 0);
  run_together(ranks, [&] {
    if (ranks.rank() == 0) return;
    other_ = FileDescriptor(::open(temporary_path_.c_str(), O_WRONLY | O_CLOEXEC), path_);
    if (other_.get() >= 0) return;
    if (errno != ENOENT) fail("cannot write '{}': {}", path_, std::strerror(errno));
    fail("cannot write '{}': its folder here is not that of rank 0; all ranks write to one file, on a disk they share",
         path_);
  });
}

void SharedOutputFile::sync() {
  if (synchronized_) return;
  run_together(ranks_, [&] { first_ ? first_->sync() : other_.sync(); });
  synchronized_ = true;
}

void SharedOutputFile::commit() {
  sync();  // and no rank may still be writing when rank 0 renames the file
  if (before_commit_) before_commit_();
  run_together(ranks_, [&] { other_.close(); });
  run_together(ranks_, [&] {
    if (first_) first_->commit();
  });
}

// Text that all ranks write to one file.

void write_lines(const SharedOutputFile& file, const std::string& head, std::uint64_t items, const LineMaker& lines,
                 std::uint64_t round_items) {
  const Communicator& ranks = file.ranks();

  std::uint64_t at = head.size();
  if (ranks.size() > 1) {
    std::uint64_t own_bytes = 0;
    for_each_round(items, round_items, ranks,
                   [&](std::uint64_t first, std::uint64_t last) { own_bytes += lines(first, last).size(); });
    at += ranks.sum_before(own_bytes);
  }
  run_together(ranks, [&] {
    if (ranks.rank() == 0) file.write_at(0, head);
  });
  for_each_round(items, round_items, ranks, [&](std::uint64_t first, std::uint64_t last) {
    const std::string text = lines(first, last);
    run_together(ranks, [&] { file.write_at(at, text); });
    at += text.size();
  });
}

}  // namespace breadth
