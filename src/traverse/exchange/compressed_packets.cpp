// Packets of differences: of queries, after Checconi & Petrini 2014, section III-B, and of relaxations. A packet is a
// header, then a record for each vertex, in as few bytes as its numbers need. docs/communication.md has the bits.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "core/errors.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {

namespace {

// Numbers in bytes.

static_assert(std::endian::native == std::endian::little, "numbers in packets are little-endian");

constexpr std::size_t longest_record = 17;  ///< bytes
constexpr std::uint8_t eight_bytes = 7;     ///< of a parent, as a record says it; 0 to 6 are what they say

/// Bytes that hold a number, one at least.
unsigned bytes_to_hold(std::uint64_t number) {
  return std::max(1U, (static_cast<unsigned>(std::bit_width(number)) + 7) / 8);
}

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

// Queries.

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

/// Writes records one after the other; there is room.
class QueryWriter {
 public:
  explicit QueryWriter(std::byte* begin) : bytes_(begin) {}

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
    const unsigned target_bytes = bytes_to_hold(target);
    unsigned parent_bytes = same_parent ? 0 : bytes_to_hold(parent);
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
class QueryReader {
 public:
  explicit QueryReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

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
    QueryWriter records(reinterpret_cast<std::byte*>(scratch.data() + header_words));
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> targets) {
      for (const Word target : targets) records.add(target, parent - base);
    });
    assign_packet(words, scratch, records.end());
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() < header_words) fail("a compressed packet of {} bytes has no header", packet.size_bytes());
    const Word queries = packet[0];
    const std::uint64_t base = packet[1];
    QueryReader records(std::as_bytes(packet.subspan(header_words)));
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
  static constexpr std::size_t header_words = 2;  ///< queries, base
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

// Relaxations.

namespace {
/// A vertex that may be so near, by way of a parent.
struct Relaxation {
  std::uint32_t vertex = 0;
  std::uint32_t distance = 0;  ///< its bits, which compare as distances do
  std::uint64_t parent = 0;
};

constexpr int count_bits = 27;  ///< of the first word; the shift is above
constexpr std::size_t words_a_relaxation = 2;

/// Writes records one after the other; there is room, and 7 bytes beyond.
class RelaxationWriter {
 public:
  explicit RelaxationWriter(std::byte* begin) : bytes_(begin) {}

  [[nodiscard]] std::byte* end() const { return bytes_.end(); }

  /// The parent is above the base, the distance above the least and shifted.
  void add(const Relaxation& one) {
    const std::uint64_t step = one.vertex - vertex_;
    unsigned parent_bytes = one.parent == parent_ ? 0 : bytes_to_hold(one.parent);
    unsigned code = parent_bytes;
    if (parent_bytes >= eight_bytes) {
      code = eight_bytes;
      parent_bytes = sizeof(std::uint64_t);
    }
    const unsigned step_bytes = bytes_to_hold(step);
    const unsigned distance_bytes = bytes_to_hold(one.distance);
    put((distance_bytes - 1) << 5 | code << 2 | (step_bytes - 1), 1);
    put(step, step_bytes);
    put(one.parent, parent_bytes);
    put(one.distance, distance_bytes);
    vertex_ = one.vertex;
    parent_ = one.parent;
  }

 private:
  void put(std::uint64_t value, std::size_t bytes) { bytes_.put(value, bytes); }

  PacketBytesWriter bytes_;
  std::uint32_t vertex_ = 0;
  std::uint64_t parent_ = 0;
};

/// Reads them again and looks where it reads.
class RelaxationReader {
 public:
  explicit RelaxationReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::size_t left() const { return bytes_.left(); }

  Relaxation next() {
    const std::uint64_t first = take(1);
    const std::uint64_t vertex = one_.vertex + take((first & 3U) + 1);
    if (vertex > std::numeric_limits<std::uint32_t>::max()) fail("a packet of relaxations has vertex {}", vertex);
    one_.vertex = static_cast<std::uint32_t>(vertex);
    const std::uint64_t code = first >> 2 & 7U;
    if (code > 0) one_.parent = take(code == eight_bytes ? sizeof(std::uint64_t) : code);
    one_.distance = static_cast<std::uint32_t>(take((first >> 5 & 3U) + 1));
    return one_;
  }

 private:
  std::uint64_t take(std::size_t count) { return bytes_.take(count, "a packet of relaxations ends within one"); }

  PacketBytesReader bytes_;
  Relaxation one_;
};

template <class Word>
class CompressedRelaxations final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t most_words(std::size_t queries) const override {
    const std::size_t bytes = queries / words_a_relaxation * longest_record;
    return header_words + (bytes + sizeof(Word) - 1) / sizeof(Word);
  }

  void encode(std::vector<Word>& words, std::vector<Word>& scratch) const override {
    constexpr std::size_t beyond = 2;  // words: records are written 8 bytes at a time
    std::vector<Relaxation> lightest = lightest_of(words);
    std::uint64_t base = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    for (const Relaxation& one : lightest) {
      base = std::min(base, one.parent);
      least = std::min(least, one.distance);
    }
    std::uint32_t differing = 0;
    for (const Relaxation& one : lightest) differing |= one.distance - least;
    const int shift = differing == 0 ? 0 : std::countr_zero(differing);

    scratch.resize(std::max(scratch.size(), most_words(words_a_relaxation * lightest.size()) + beyond));
    scratch[0] = static_cast<Word>(lightest.size() | static_cast<std::size_t>(shift) << count_bits);
    scratch[1] = least;
    scratch[2] = static_cast<Word>(base);
    RelaxationWriter records(reinterpret_cast<std::byte*>(scratch.data() + header_words));
    for (const Relaxation& one : lightest) {
      records.add({one.vertex, (one.distance - least) >> shift, one.parent - base});
    }
    assign_packet(words, scratch, records.end());
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() < header_words) fail("a packet of relaxations of {} bytes has no header", packet.size_bytes());
    const auto count = static_cast<std::uint64_t>(packet[0]) & ((std::uint64_t{1} << count_bits) - 1);
    const std::uint64_t shift = static_cast<std::uint64_t>(packet[0]) >> count_bits;
    if (shift >= 32) fail("a packet of relaxations shifts distances by {}", shift);
    RelaxationReader records(std::as_bytes(packet.subspan(header_words)));
    runs_.clear();
    for (std::uint64_t i = 0; i < count; ++i) append(records.next(), packet[1], packet[2], shift);
    if (records.left() >= sizeof(Word)) fail("a packet of relaxations has {} bytes too many", records.left());
    if (!runs_.empty()) runs_.back() |= last_of_run;
    return QueryMessage<Word>(runs_);
  }

 private:
  static constexpr std::size_t header_words = 3;  ///< relaxations and shift, least distance, base of parents
  static constexpr Word last_of_run = QueryMessage<Word>::last_of_run;
  static constexpr std::uint64_t mark = std::uint64_t{1} << 31;  ///< no local id and no distance has it

  /// The relaxations of runs, by vertex, of each vertex the one that brings it closest.
  static std::vector<Relaxation> lightest_of(std::vector<Word>& words) {
    std::vector<Relaxation> all;
    all.reserve(words.size() / words_a_relaxation);
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> pairs) {
      for (std::size_t i = 0; i + 1 < pairs.size(); i += words_a_relaxation) {
        all.push_back({static_cast<std::uint32_t>(pairs[i + 1]), static_cast<std::uint32_t>(pairs[i]), parent});
      }
    });
    std::sort(all.begin(), all.end(), [](const Relaxation& a, const Relaxation& b) {
      return std::tie(a.vertex, a.distance, a.parent) < std::tie(b.vertex, b.distance, b.parent);
    });
    const auto end = std::unique(all.begin(), all.end(),
                                 [](const Relaxation& a, const Relaxation& b) { return a.vertex == b.vertex; });
    all.erase(end, all.end());
    return all;
  }

  void append(const Relaxation& one, std::uint64_t least, std::uint64_t base, std::uint64_t shift) {
    const std::uint64_t distance = least + (std::uint64_t{one.distance} << shift);
    const std::uint64_t parent = base + one.parent;
    if (one.vertex >= mark || distance >= mark || static_cast<Word>(parent) != parent || parent < base) {
      fail("a packet of relaxations has vertex {} with parent {} above {}, distance bits {}", one.vertex, one.parent,
           base, distance);
    }
    if (runs_.empty() || parent != parent_) {
      if (!runs_.empty()) runs_.back() |= last_of_run;
      runs_.push_back(static_cast<Word>(parent_ = parent));
    }
    runs_.push_back(static_cast<Word>(distance));
    runs_.push_back(one.vertex);
  }

  std::vector<Word> runs_;
  std::uint64_t parent_ = 0;  ///< of the last run
};
}  // namespace

template <class Word>
std::unique_ptr<PacketCodec<Word>> make_compressed_relaxations() {
  return std::make_unique<CompressedRelaxations<Word>>();
}

template std::unique_ptr<PacketCodec<std::uint32_t>> make_compressed_relaxations();
template std::unique_ptr<PacketCodec<std::uint64_t>> make_compressed_relaxations();

}  // namespace breadth
