#include "io/files/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "core/errors.hpp"

namespace breadth {

namespace {
std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_nsec};
}

/// Whether the path names the file that is open.
bool has_name(int descriptor, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

/// The system's reason why a file could not be written and, where a person can do something about it, what.
std::string reason_to_write(int code) {
  const char* advice = "";
  switch (code) {
    case ENOSPC: advice = "; free some space there, or write to another disk"; break;
    case EDQUOT: advice = "; free some of your quota there, or write to another disk"; break;
    case EFBIG:
      advice = "; raise the limit on the size of files (ulimit -f), or write to a file system with a higher one";
      break;
    case EIO: advice = "; the disk may be failing: write to another one"; break;
    default: break;
  }
  return fmt::format("{}{}", std::strerror(code), advice);
}
}  // namespace

FileDescriptor::FileDescriptor(const std::string& path, int flags)
    : descriptor_(::open(path.c_str(), flags | O_CLOEXEC)), path_(path) {
  if (descriptor_ < 0) fail("cannot open '{}': {}", path, std::strerror(errno));
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(path_, other.path_);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileState FileDescriptor::state() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("cannot examine '{}': {}", path_, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("'{}' is a directory, not a graph file", path_);
  if (!S_ISREG(status.st_mode)) fail("'{}' is not a regular file", path_);
  return {.bytes = static_cast<std::uint64_t>(status.st_size),
          .written_nanoseconds = nanoseconds(status.st_mtim),
          .changed_nanoseconds = nanoseconds(status.st_ctim),
          .names = status.st_nlink,
          .permissions = status.st_mode};
}

bool FileDescriptor::has_bytes_of(const FileState& earlier) const {
  const FileState now = state();
  if (now.bytes != earlier.bytes || now.written_nanoseconds != earlier.written_nanoseconds) return false;
  if (now.changed_nanoseconds == earlier.changed_nanoseconds) return true;
  // A file that gets other names or permissions, or whose name another one takes over, keeps its bytes.
  return now.names != earlier.names || now.permissions != earlier.permissions || !has_name(descriptor_, path_);
}

std::size_t FileDescriptor::read(std::span<char> bytes) {
  ssize_t got = -1;
  do {
    got = ::read(descriptor_, bytes.data(), bytes.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail("cannot read '{}': {}", path_, std::strerror(errno));
  return static_cast<std::size_t>(got);
}

std::size_t FileDescriptor::read_at(std::uint64_t offset, std::span<char> bytes) const {
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const std::span<char> rest = bytes.subspan(filled);
    const ssize_t got = ::pread(descriptor_, rest.data(), rest.size(), static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read '{}': {}", path_, std::strerror(errno));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

void FileDescriptor::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("cannot write '{}': {}", path_, reason_to_write(written < 0 ? errno : ENOSPC));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void FileDescriptor::sync() const {
  // Some file systems report a full disk only here; some files, such as pipes, cannot be synchronized.
  if (::fsync(descriptor_) != 0 && errno != EINVAL) fail("cannot write '{}': {}", path_, reason_to_write(errno));
}

void FileDescriptor::close() {
  if (descriptor_ < 0) return;
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("cannot write '{}': {}", path_, reason_to_write(errno));
}

FileDescriptor open_to_read(const std::string& path) {
  FileDescriptor file(path, O_RDONLY | O_NONBLOCK);  // a pipe without a writer must not hang here; size() refuses it
  static_cast<void>(file.size());
  return file;
}

}  // namespace breadth
