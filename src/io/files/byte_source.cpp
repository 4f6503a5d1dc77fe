#include "io/files/byte_source.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

#include "core/errors.hpp"
#include "io/files/file_descriptor.hpp"

namespace breadth {

namespace {
constexpr std::size_t input_bytes = std::size_t{256} << 10;

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(const std::string& path) : file_(open_to_read(path)) {}

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const std::size_t got = file_.read(bytes.subspan(filled));
      if (got == 0) break;
      filled += got;
    }
    consumed_ += filled;
    return filled;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

 private:
  FileDescriptor file_;
  std::uint64_t consumed_ = 0;
};

/// Compressed bytes of a file, a piece at a time.
class CompressedInput {
 public:
  explicit CompressedInput(const std::string& path) : source_(path), buffer_(input_bytes) {}
  /// The next piece, empty at the end of the file.
  std::span<char> next() { return std::span(buffer_).first(source_.read(buffer_)); }
  /// Bytes that all pieces so far had.
  [[nodiscard]] std::uint64_t size() const { return source_.consumed(); }

 private:
  PlainSource source_;
  std::vector<char> buffer_;
};

/// RFC 1952; several members one after the other are one text.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(const std::string& path) : path_(path), input_(path) {
    constexpr int window_bits = 15;
    constexpr int gzip_only = 16;
    if (inflateInit2(&stream_, window_bits + gzip_only) != Z_OK) fail("cannot read '{}': zlib does not start", path);
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
  /// Returns false where the file may end, and does.
  bool refill() {
    const std::span<char> piece = input_.next();
    if (piece.empty()) {
      if (inside_member_) fail("'{}' is truncated: its gzip data end early", path_);
      return false;
    }
    stream_.next_in = reinterpret_cast<Bytef*>(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    return true;
  }

  std::size_t inflate_some(std::span<char> bytes) {
    const auto room = static_cast<uInt>(std::min(bytes.size(), std::size_t{1} << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
    stream_.avail_out = room;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      fail("'{}' is not intact gzip data: {}", path_, stream_.msg != nullptr ? stream_.msg : "no reason given");
    }
    inside_member_ = result != Z_STREAM_END;
    if (result == Z_STREAM_END) inflateReset(&stream_);
    return room - stream_.avail_out;
  }

  std::string path_;
  CompressedInput input_;
  z_stream stream_{};
  bool inside_member_ = true;  // an empty file is truncated too
};

/// RFC 8878; several frames one after the other are one text.
class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(const std::string& path) : path_(path), input_(path), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) fail("cannot read '{}': zstd does not start", path);
  }

  std::size_t read(std::span<char> bytes) override {
    ZSTD_outBuffer out{bytes.data(), bytes.size(), 0};
    while (out.pos < out.size) {
      if (in_.pos == in_.size && !refill(out)) break;
      const std::size_t before = out.pos;
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(result) != 0U) fail("'{}' is not intact zstd data: {}", path_, ZSTD_getErrorName(result));
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

  /// Returns false where the file may end, and does.
  bool refill(const ZSTD_outBuffer& out) {
    if (may_hold_output_ && out.pos < out.size) {
      may_hold_output_ = false;  // let it write out what did not fit the last time
      return true;
    }
    const std::span<char> piece = input_.next();
    if (piece.empty()) {
      if (inside_frame_) fail("'{}' is truncated: its zstd data end early", path_);
      return false;
    }
    in_ = {piece.data(), piece.size(), 0};
    return true;
  }

  std::string path_;
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

}  // namespace breadth
