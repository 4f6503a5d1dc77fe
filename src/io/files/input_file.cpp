#include "io/files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "io/files/hash.hpp"

namespace breadth {

// An open file.

namespace {
bool same_time(const timespec& one, const timespec& other) {
  return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

/// The system's reason why a file could not be written, with advice if the user can do something about it.
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
  FileState status{};
  if (::fstat(descriptor_, &status) != 0) fail("cannot examine '{}': {}", path_, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("'{}' is a directory, not a graph file", path_);
  if (!S_ISREG(status.st_mode)) fail("'{}' is not a regular file", path_);
  return status;
}

bool FileDescriptor::is_at(const std::string& path, bool follow_links) const {
  FileState opened{};
  FileState named{};
  const int found = ::fstatat(AT_FDCWD, path.c_str(), &named, follow_links ? 0 : AT_SYMLINK_NOFOLLOW);
  return found == 0 && ::fstat(descriptor_, &opened) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

bool FileDescriptor::has_bytes_of(const FileState& earlier) const {
  const FileState now = state();
  // Programs can set the time of the last change of the bytes (mtime). The time of the last change of the state (ctime)
  // also changes when names or permissions change, or when another file takes the name. The bytes stay the same then.
  if (now.st_size != earlier.st_size || !same_time(now.st_mtim, earlier.st_mtim)) return false;
  if (same_time(now.st_ctim, earlier.st_ctim)) return true;
  return now.st_nlink != earlier.st_nlink || now.st_mode != earlier.st_mode || !is_at(path_, true);
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
  FileDescriptor file(path, O_RDONLY | O_NONBLOCK);  // do not block on a pipe without a writer; size() rejects it
  static_cast<void>(file.size());
  return file;
}

// A file's content as memory.

namespace {
/// A mapped range. A thread claims it by changing `end` from 0; `begin` is set last and cleared first.
struct GuardedRange {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::atomic<bool> cut{false};
};

// Global, because a signal handler can reach nothing else.
std::array<GuardedRange, MappedFile::max_at_once> guarded;
std::uintptr_t page_bytes = 0;
struct sigaction previous_action;

/// The SIGBUS handler. Calls only async-signal-safe functions.
void replace_missing_pages(int signal, siginfo_t* info, void*) {
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (GuardedRange& range : guarded) {
    const std::uintptr_t begin = range.begin.load();
    const std::uintptr_t end = range.end.load();
    if (begin == 0 || address < begin || address >= end) continue;
    range.cut.store(true);
    const std::uintptr_t into_page = address % page_bytes;
    const void* zeros = mmap(static_cast<std::byte*>(info->si_addr) - into_page, end - address + into_page, PROT_READ,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (zeros != MAP_FAILED) return;
  }
  sigaction(signal, &previous_action, nullptr);  // the fault is raised again, for the previous handler
}

bool install_handler() {
  page_bytes = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  struct sigaction action = {};
  action.sa_sigaction = replace_missing_pages;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART);
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, &previous_action) == 0;
}

/// Guards [data, data + bytes), whole pages of a mapped file: if the file cannot serve a read in the range, the rest of
/// the range from there on becomes zeros. Returns the index of the guarded range, or MappedFile::max_at_once if there
/// are too many. May be called on any thread.
std::size_t guard_range(const void* data, std::size_t bytes) noexcept {
  static const bool installed = install_handler();
  if (!installed) return MappedFile::max_at_once;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (std::size_t i = 0; i < guarded.size(); ++i) {
    std::uintptr_t unused = 0;
    if (!guarded[i].end.compare_exchange_strong(unused, begin + bytes)) continue;
    guarded[i].cut.store(false);
    guarded[i].begin.store(begin);
    return i;
  }
  return MappedFile::max_at_once;
}

/// Ends a guard; call it before the range is unmapped.
void end_guard(std::size_t range) noexcept {
  guarded[range].begin.store(0);
  guarded[range].end.store(0);
}

/// Whether a part of the range was replaced by zeros. A thread that has read such a zero gets true.
bool range_is_cut(std::size_t range) noexcept { return guarded[range].cut.load(); }
}  // namespace

MappedFile::MappedFile(const std::string& path) : file_(open_to_read(path)), opened_as_(file_.state()) {
  const auto size = static_cast<std::size_t>(opened_as_.st_size);
  if (size == 0) return;  // empty files cannot be mapped
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.get(), 0);
  if (memory == MAP_FAILED) fail("cannot read '{}': {}", path, std::strerror(errno));
  guarded_as_ = guard_range(memory, size);
  if (guarded_as_ == max_at_once) {
    ::munmap(memory, size);
    fail("cannot read '{}': more than {} files are mapped", path, max_at_once);
  }
  data_ = static_cast<const std::byte*>(memory);
  size_ = size;
}

void MappedFile::check_pages() const {
  if (data_ != nullptr && range_is_cut(guarded_as_)) check_unchanged();
}

void MappedFile::check_unchanged() const {
  if (!file_.has_bytes_of(opened_as_)) report_change();
  if (data_ == nullptr || !range_is_cut(guarded_as_)) return;
  fail("cannot read '{}': a part of its {} bytes is gone; its disk failed", file_.path(), size_);
}

void MappedFile::report_change() const {
  const std::uint64_t now = file_.size();
  const std::string how = now == size_  ? "others wrote to it"
                          : now < size_ ? fmt::format("it became shorter, {} bytes instead of {}", now, size_)
                                        : fmt::format("it became longer, {} bytes instead of {}", now, size_);
  fail("'{}' changed while it was read: {}. Run again once nobody writes to it", file_.path(), how);
}

void MappedFile::release(std::size_t first, std::size_t last) const noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  first = (first + page - 1) / page * page;
  last = last / page * page;
  if (first < last) ::madvise(const_cast<std::byte*>(data_) + first, last - first, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  end_guard(guarded_as_);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

// Sequential reading of a file, with decompression.

namespace {
constexpr std::size_t input_bytes = std::size_t{256} << 10;

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : file_(open_to_read(path)) {}

  std::size_t read(std::span<char> bytes) override {
    const std::size_t got = file_.read_at(consumed_, bytes);
    consumed_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

 private:
  FileDescriptor file_;
  std::uint64_t consumed_ = 0;
};

/// Reads the compressed bytes of a file in pieces.
class CompressedInput {
 public:
  /// `kind` is the name of the compression in messages: "gzip".
  CompressedInput(std::string path, const char* kind)
      : path_(std::move(path)), kind_(kind), source_(path_), buffer_(input_bytes) {}
  [[nodiscard]] const std::string& path() const { return path_; }
  /// Returns the next piece; empty at the end of the file. With `inside`, throws Error at the end of the file, because
  /// data must follow.
  std::span<char> next(bool inside) {
    const std::span<char> piece = std::span(buffer_).first(source_.read(buffer_));
    if (piece.empty() && inside) fail("'{}' is truncated: its {} data end early", path_, kind_);
    return piece;
  }
  /// The total size of the pieces so far.
  [[nodiscard]] std::uint64_t size() const { return source_.consumed(); }

 private:
  std::string path_;
  const char* kind_;
  PlainSource source_;
  std::vector<char> buffer_;
};

/// Gzip data (RFC 1952); several consecutive members are one text.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(const std::string& path) : input_(path, "gzip") {
    constexpr int window_bits = 15;
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, window_bits + gzip_only) != Z_OK)
      fail("cannot read '{}': zlib cannot be initialised", path);
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      if (stream_.avail_in == 0 && !refill()) break;
      filled += inflate_some(bytes.subspan(filled));
    }
    return filled;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return input_.size() - stream_.avail_in; }

 private:
  /// Returns false at a valid end of the file.
  bool refill() {
    const std::span<char> piece = input_.next(inside_member_);
    stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    return !piece.empty();
  }

  std::size_t inflate_some(std::span<char> bytes) {
    const auto room = static_cast<uInt>(std::min(bytes.size(), std::size_t{1} << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = room;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      fail("'{}' is not intact gzip data: {}", input_.path(), stream_.msg != nullptr ? stream_.msg : "no reason given");
    }
    inside_member_ = result != Z_STREAM_END;
    if (result == Z_STREAM_END) inflateReset(&stream_);
    return room - stream_.avail_out;
  }

  CompressedInput input_;
  z_stream stream_{};
  bool inside_member_ = true;  // an empty file is truncated too
};

/// Zstandard data (RFC 8878); several consecutive frames are one text.
class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(const std::string& path) : input_(path, "zstd"), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) fail("cannot read '{}': zstd cannot be initialised", path);
  }

  std::size_t read(std::span<char> bytes) override {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos < out.size) {
      if (in_.pos == in_.size && !refill(out)) break;
      const std::size_t before = out.pos;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(result) != 0U)
        fail("'{}' is not intact zstd data: {}", input_.path(), ZSTD_getErrorName(result));
      inside_frame_ = result != 0;
      may_hold_output_ = inside_frame_ && out.pos == out.size && out.pos > before;
    }
    return out.pos;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return input_.size() - (in_.size - in_.pos); }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  /// Returns false at a valid end of the file.
  bool refill(const ZSTD_outBuffer& out) {
    if (may_hold_output_ && out.pos < out.size) {
      may_hold_output_ = false;  // write the output that did not fit the last time
      return true;
    }
    const std::span<char> piece = input_.next(inside_frame_);
    in_ = {piece.data(), piece.size(), 0};
    return !piece.empty();
  }

  CompressedInput input_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool inside_frame_ = true;  // an empty file is truncated too
  bool may_hold_output_ = false;
};
}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path, Compression compression) {
  switch (compression) {
    case Compression::none: return std::make_unique<PlainSource>(path);
    case Compression::gzip: return std::make_unique<GzipSource>(path);
    case Compression::zstd: return std::make_unique<ZstdSource>(path);
  }
  fail("unknown compression");
}

// One file for all ranks.

namespace {
/// What two files hardly ever share. Plain values, to be sent.
struct Signature {
  std::uint64_t bytes = 0;
  std::uint64_t hash = 0;  ///< of the first and the last page; of a .breadth file, the first has the checksum of all
};

Signature signature_of(const std::string& path) {
  constexpr std::uint64_t page = 4096;
  const FileDescriptor file = open_to_read(path);
  const std::uint64_t bytes = file.size();
  std::array<char, 2 * page> ends{};
  const std::span<char> all(ends);
  static_cast<void>(file.read_at(0, all.first(page)));
  static_cast<void>(file.read_at(bytes - std::min(bytes, page), all.last(page)));
  return {bytes, hash_of(std::as_bytes(all))};
}

void require_equal(const std::string& path, const Signature& mine, const Signature& first) {
  constexpr const char* advice = "put it on a file system that all ranks share, or the same file on each";
  if (mine.bytes != first.bytes) {
    fail("'{}' has {} bytes here, but {} on rank 0: {}", path, mine.bytes, first.bytes, advice);
  }
  if (mine.hash != first.hash) fail("'{}' has other content here than on rank 0: {}", path, advice);
}
}  // namespace

void require_same_file(const std::string& path, const Communicator& ranks) {
  if (ranks.size() == 1) return;
  std::error_code unreadable;  // which opening it reports
  if (!ranks.any(std::filesystem::exists(path, unreadable))) return;
  const Signature mine = run_together(ranks, [&] { return signature_of(path); });
  Signature first = mine;
  ranks.broadcast(std::span(&first, 1), 0);
  run_together(ranks, [&] { require_equal(path, mine, first); });
}

}  // namespace breadth
