// Compressed text.
#pragma once

#include <zlib.h>
#include <zstd.h>

#include <string>

namespace breadth::test {

/// One member of a gzip file.
inline std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

/// One frame of a zstd file.
inline std::string zstd(const std::string& text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  result.resize(ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 3));
  return result;
}

}  // namespace breadth::test
