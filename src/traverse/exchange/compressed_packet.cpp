// Packets of differences, after Checconi & Petrini 2014, section III-B. docs/communication.md has the bits.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "core/errors.hpp"
#include "traverse/exchange/packet_bytes.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {

namespace {
/// The lowest two bits of a record's first byte.
enum Kind : std::uint8_t {
  byte_step = 0,   ///< 1 byte: the parent before, 6 bits of step
  short_step = 1,  ///< 2 bytes: the parent before, 14 bits of step
  four_bytes = 2,  ///< 4 bytes: 6 bits of step, 24 bits of parent above the base
  in_full = 3,     ///< lengths in the other 6 bits, then the target, then the parent above the base
};
constexpr std::uint64_t byte_steps = std::uint64_t{1} << 6;
constexpr std::uint64_t short_steps = std::uint64_t{1} << 14;
constexpr std::uint64_t short_parents = std::uint64_t{1} << 24;
constexpr std::uint8_t eight_bytes = 7;  ///< of a parent; 0 to 6 are what they say
constexpr std::size_t longest_record = 17;
constexpr std::size_t header_words = 2;  ///< queries, base

/// Bytes that hold a number; 0 for 0.
std::uint8_t bytes_of(std::uint64_t number) { return static_cast<std::uint8_t>((std::bit_width(number) + 7) / 8); }

/// Writes records one after the other; there is room.
class RecordWriter {
 public:
  explicit RecordWriter(std::byte* begin) : bytes_(begin) {}

  [[nodiscard]] std::byte* end() const { return bytes_.end(); }

  /// `parent` is above the base.
  void add(std::uint64_t target, std::uint64_t parent) {
    const std::uint64_t step = target - previous_;  // more than any limit where the target is before the last one
    const bool same_parent = parent == parent_;
    if (same_parent && step < byte_steps) {
      put(step << 2 | byte_step, 1);
    } else if (same_parent && step < short_steps) {
      put(step << 2 | short_step, 2);
    } else if (!same_parent && step < byte_steps && parent < short_parents) {
      put(parent << 8 | step << 2 | four_bytes, 4);
    } else {
      put_in_full(target, parent, same_parent);
    }
    previous_ = target;
    parent_ = parent;
  }

 private:
  void put(std::uint64_t value, std::size_t bytes) { bytes_.put(value, bytes); }
  void put_in_full(std::uint64_t target, std::uint64_t parent, bool same_parent) {
    const std::uint8_t target_bytes = std::max<std::uint8_t>(1, bytes_of(target));
    std::uint8_t parent_bytes = same_parent ? 0 : std::max<std::uint8_t>(1, bytes_of(parent));
    std::uint64_t code = parent_bytes;
    if (parent_bytes >= eight_bytes) {
      code = eight_bytes;
      parent_bytes = sizeof(std::uint64_t);
    }
    put(code << 5 | static_cast<std::uint64_t>(target_bytes - 1) << 2 | in_full, 1);
    put(target, target_bytes);
    put(parent, parent_bytes);
  }

  PacketBytesWriter bytes_;
  std::uint64_t previous_ = 0;
  std::uint64_t parent_ = 0;
};

/// One query; the parent is above the base.
struct Query {
  std::uint64_t target = 0;
  std::uint64_t parent = 0;
};

/// Reads them again and looks where it reads.
class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t left() const { return bytes_.left(); }

  Query next() {
    const std::uint64_t first = take(1);
    switch (first & 3U) {
      case byte_step: query_.target += first >> 2; break;
      case short_step: query_.target += first >> 2 | take(1) << 6; break;
      case four_bytes:
        query_.target += first >> 2;
        query_.parent = take(3);
        break;
      default: {
        query_.target = take((first >> 2 & 7U) + 1);
        const std::uint64_t code = first >> 5;
        if (code > 0) query_.parent = take(code == eight_bytes ? sizeof(std::uint64_t) : code);
      }
    }
    return query_;
  }

 private:
  std::uint64_t take(std::size_t count) { return bytes_.take(count, "a compressed packet ends within a query"); }

  PacketBytesReader bytes_;
  Query query_;
};

template <class Word>
class CompressedPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t most_words(std::size_t queries) const override {
    return header_words + (queries * longest_record + sizeof(Word) - 1) / sizeof(Word);
  }

  void encode(std::vector<Word>& words, std::vector<Word>& scratch) const override {
    constexpr std::size_t beyond = 2;  // words: records are written 8 bytes at a time
    Word base = std::numeric_limits<Word>::max();
    std::size_t queries = 0;
    for (std::size_t i = 0; i < words.size(); ++queries) {
      base = std::min(base, words[i++]);
      for (; (words[i] & last_of_run) == 0; ++i) ++queries;
      ++i;
    }
    scratch.resize(std::max(scratch.size(), most_words(queries) + beyond));
    scratch[0] = static_cast<Word>(queries);
    scratch[1] = base;
    RecordWriter records(reinterpret_cast<std::byte*>(scratch.data() + header_words));
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> targets) {
      for (const Word target : targets) records.add(target, parent - base);
    });
    assign_packet(words, scratch, records.end());
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() < header_words) fail("a compressed packet of {} bytes has no header", packet.size_bytes());
    const Word queries = packet[0];
    const std::uint64_t base = packet[1];
    RecordReader records(std::as_bytes(packet.subspan(header_words)));
    runs_.clear();
    std::uint64_t last_parent = 0;
    for (Word i = 0; i < queries; ++i) {
      const Query query = records.next();
      const std::uint64_t parent = base + query.parent;
      if (query.target >= last_of_run || static_cast<Word>(parent) != parent || parent < base) {
        fail("a compressed packet has vertex {} with a parent {} above {}", query.target, query.parent, base);
      }
      if (runs_.empty() || parent != last_parent) {
        if (!runs_.empty()) runs_.back() |= last_of_run;
        runs_.push_back(static_cast<Word>(last_parent = parent));
      }
      runs_.push_back(static_cast<Word>(query.target));
    }
    if (records.left() >= sizeof(Word)) fail("a compressed packet has {} bytes too many", records.left());
    if (!runs_.empty()) runs_.back() |= last_of_run;
    return QueryMessage<Word>(runs_);
  }

 private:
  static constexpr Word last_of_run = QueryMessage<Word>::last_of_run;
  std::vector<Word> runs_;
};
}  // namespace

template <class Word>
std::unique_ptr<PacketCodec<Word>> make_compressed_packets() {
  return std::make_unique<CompressedPackets<Word>>();
}

template std::unique_ptr<PacketCodec<std::uint32_t>> make_compressed_packets();
template std::unique_ptr<PacketCodec<std::uint64_t>> make_compressed_packets();

}  // namespace breadth
