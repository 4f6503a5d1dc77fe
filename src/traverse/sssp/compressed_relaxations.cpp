// Packets of relaxations as differences. docs/communication.md has the bits.
#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "core/errors.hpp"
#include "traverse/exchange/packet_bytes.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {

namespace {
/// A vertex that may be so near, by way of a parent.
struct Relaxation {
  std::uint32_t vertex = 0;
  std::uint32_t distance = 0;  ///< its bits, which compare as distances do
  std::uint64_t parent = 0;
};

constexpr std::size_t header_words = 3;  ///< relaxations and shift, least distance, base of parents
constexpr int count_bits = 27;           ///< of the first word; the shift is above
constexpr std::uint8_t eight_bytes = 7;  ///< of a parent; 0 to 6 are what they say
constexpr std::size_t longest_record = 17;
constexpr std::size_t words_a_relaxation = 2;

/// Bytes that hold a number, one at least.
unsigned bytes_of(std::uint64_t number) {
  return std::max(1U, (static_cast<unsigned>(std::bit_width(number)) + 7) / 8);
}

/// Writes records one after the other; there is room, and 7 bytes beyond.
class RecordWriter {
 public:
  explicit RecordWriter(std::byte* begin) : bytes_(begin) {}

  [[nodiscard]] std::byte* end() const { return bytes_.end(); }

  /// The parent is above the base, the distance above the least and shifted.
  void add(const Relaxation& one) {
    const std::uint64_t step = one.vertex - vertex_;
    unsigned parent_bytes = one.parent == parent_ ? 0 : bytes_of(one.parent);
    unsigned code = parent_bytes;
    if (parent_bytes >= eight_bytes) {
      code = eight_bytes;
      parent_bytes = sizeof(std::uint64_t);
    }
    const unsigned step_bytes = bytes_of(step);
    const unsigned distance_bytes = bytes_of(one.distance);
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
class RecordReader {
 public:
  explicit RecordReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

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
    RecordWriter records(reinterpret_cast<std::byte*>(scratch.data() + header_words));
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
    RecordReader records(std::as_bytes(packet.subspan(header_words)));
    runs_.clear();
    for (std::uint64_t i = 0; i < count; ++i) append(records.next(), packet[1], packet[2], shift);
    if (records.left() >= sizeof(Word)) fail("a packet of relaxations has {} bytes too many", records.left());
    if (!runs_.empty()) runs_.back() |= last_of_run;
    return QueryMessage<Word>(runs_);
  }

 private:
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
