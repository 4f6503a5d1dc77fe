// The bytes of a file, one after the other, decompressed on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "io/graph_format.hpp"

namespace breadth {

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
