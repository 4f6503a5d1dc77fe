// Bytes of packets that are compressed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

static_assert(std::endian::native == std::endian::little, "numbers in packets are little-endian");

/// Writes numbers one after the other, 8 bytes at a time: there is room, and 7 bytes beyond.
class PacketBytesWriter {
 public:
  explicit PacketBytesWriter(std::byte* begin) : end_(begin) {}

  [[nodiscard]] std::byte* end() const { return end_; }
  /// The lowest bytes of a number.
  void put(std::uint64_t value, std::size_t bytes) {
    std::memcpy(end_, &value, sizeof(value));
    end_ += bytes;
  }

 private:
  std::byte* end_;
};

/// Reads them again and looks where it reads.
class PacketBytesReader {
 public:
  explicit PacketBytesReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// A number of so many bytes, 8 at the most. Throws Error with `too_short` where there are fewer.
  std::uint64_t take(std::size_t count, const char* too_short) {
    if (count > bytes_.size()) fail("{}", too_short);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// A packet that was written to `scratch` up to `end`, in whole words, the rest of the last one zero.
template <class Word>
void assign_packet(std::vector<Word>& words, std::vector<Word>& scratch, std::byte* end) {
  const auto bytes = static_cast<std::size_t>(end - reinterpret_cast<std::byte*>(scratch.data()));
  const std::size_t count = (bytes + sizeof(Word) - 1) / sizeof(Word);
  std::memset(end, 0, count * sizeof(Word) - bytes);
  words.assign(scratch.data(), scratch.data() + count);
}

}  // namespace breadth
