#include "traverse/exchange/packet_codec.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

namespace {

// Packets of whole words.

/// Packets that are the runs themselves.
template <class Word>
class RunPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t max_words(std::size_t queries) const override { return 2 * queries; }
  void encode(std::vector<Word>&, std::vector<Word>&) const override {}
  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override { return QueryMessage<Word>(packet); }
};

/// A vertex and its possible parent, 8 bytes each for any width of a neighbour.
struct Pair {
  std::uint64_t vertex;
  std::uint64_t parent;
};

template <class Word>
class PairPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t max_words(std::size_t queries) const override { return words_per_pair * queries; }

  void encode(std::vector<Word>& words, std::vector<Word>& scratch) const override {
    scratch.resize(std::max(scratch.size(), max_words(words.size())));  // words are more than queries
    Word* end = scratch.data();
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> targets) {
      for (const Word target : targets) {
        const Pair pair{target, parent};
        std::memcpy(end, &pair, sizeof(pair));
        end += words_per_pair;
      }
    });
    words.assign(scratch.data(), end);
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() % words_per_pair != 0) fail("a packet of {} bytes ends within a pair", packet.size_bytes());
    runs_.clear();
    for (; !packet.empty(); packet = packet.subspan(words_per_pair)) {
      Pair pair{};
      std::memcpy(&pair, packet.data(), sizeof(pair));
      if (pair.vertex >= QueryMessage<Word>::last_of_run || static_cast<Word>(pair.parent) != pair.parent) {
        fail("a packet has vertex {} with parent {}", pair.vertex, pair.parent);
      }
      runs_.add(static_cast<Word>(pair.parent), static_cast<Word>(pair.vertex));
    }
    runs_.end_run();
    return QueryMessage<Word>(runs_.words);
  }

 private:
  static constexpr std::size_t words_per_pair = sizeof(Pair) / sizeof(Word);
  QueryRuns<Word> runs_;
};

// Packets of differences, for queries (after Checconi & Petrini 2014, section III-B) and for relaxations. A packet is a
// header, then a record for each vertex, in as few bytes as its numbers need. docs/communication.md has the bits.

static_assert(std::endian::native == std::endian::little, "numbers in packets are little-endian");

constexpr std::size_t longest_record = 17;  ///< bytes

/// The number of bytes that hold a number, at least one.
unsigned bytes_to_hold(std::uint64_t number) {
  return std::max(1U, (static_cast<unsigned>(std::bit_width(number)) + 7) / 8);
}

constexpr unsigned eight_bytes = 7;  ///< the code for a parent of 8 bytes; 0 to 6 are numbers of bytes
/// The code in a record for the number of a parent's bytes; 0 if the parent is that of the record before.
unsigned parent_code(std::uint64_t parent, bool same_parent) {
  return same_parent ? 0 : std::min(bytes_to_hold(parent), eight_bytes);
}
constexpr std::size_t parent_bytes(std::uint64_t code) { return code == eight_bytes ? 8 : code; }

/// Writes numbers one after the other, 8 bytes at a time. There must be room for all, and for 7 bytes beyond.
class PacketBytesWriter {
 public:
  explicit PacketBytesWriter(std::byte* begin) : end_(begin) {}

  [[nodiscard]] std::byte* end() const { return end_; }
  /// Writes the lowest `bytes` bytes of a number.
  void put(std::uint64_t value, std::size_t bytes) {
    std::memcpy(end_, &value, sizeof(value));
    end_ += bytes;
  }

 private:
  std::byte* end_;
};

/// Reads the numbers that a PacketBytesWriter wrote. Checks that it does not read beyond the end.
class PacketBytesReader {
 public:
  /// `too_short` must outlive the reader.
  PacketBytesReader(std::span<const std::byte> bytes, const char* too_short) : bytes_(bytes), too_short_(too_short) {}

  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// Reads a number of `count` bytes, at most 8. Throws Error with the text `too_short` if fewer are left.
  std::uint64_t take(std::size_t count) {
    if (count > bytes_.size()) fail("{}", too_short_);
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data(), count);
    bytes_ = bytes_.subspan(count);
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  const char* too_short_;
};

/// Assigns to `words` the packet that was written to `scratch` up to `end`, with zeros up to a whole word.
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
  byte_step = 0,   ///< 1 byte: the parent of the record before, 6 bits of step
  short_step = 1,  ///< 2 bytes: the parent of the record before, 14 bits of step
  four_bytes = 2,  ///< 4 bytes: 6 bits of step, 24 bits of parent above the base
  in_full = 3,     ///< lengths in the other 6 bits, then the target, then the parent above the base
};
constexpr std::uint64_t byte_steps = std::uint64_t{1} << 6;
constexpr std::uint64_t short_steps = std::uint64_t{1} << 14;
constexpr std::uint64_t short_parents = std::uint64_t{1} << 24;

/// One query. `parent` is the difference from the base.
struct Query {
  std::uint64_t target = 0;
  std::uint64_t parent = 0;
};

/// Writes the record of a query, which follows that of the query `before`.
inline void put(PacketBytesWriter& to, const Query& query, const Query& before) {
  const auto [target, parent] = query;
  const std::uint64_t step = target - before.target;  // wraps to more than any limit if the target is less
  const bool same_parent = parent == before.parent;
  if (same_parent && step < byte_steps) {
    to.put(step << 2 | byte_step, 1);
  } else if (same_parent && step < short_steps) {
    to.put(step << 2 | short_step, 2);
  } else if (!same_parent && step < byte_steps && parent < short_parents) {
    to.put(parent << 8 | step << 2 | four_bytes, 4);
  } else {
    const unsigned target_bytes = bytes_to_hold(target);
    const unsigned code = parent_code(parent, same_parent);
    to.put(code << 5 | (target_bytes - 1) << 2 | in_full, 1);
    to.put(target, target_bytes);
    to.put(parent, parent_bytes(code));
  }
}

/// Reads the record after that of `query`, which becomes the query of this record.
inline void take(PacketBytesReader& from, Query& query) {
  const std::uint64_t first = from.take(1);
  switch (first & 3U) {
    case byte_step: query.target += first >> 2; break;
    case short_step: query.target += first >> 2 | from.take(1) << 6; break;
    case four_bytes:
      query.target += first >> 2;
      query.parent = from.take(3);
      break;
    default: {
      query.target = from.take((first >> 2 & 7U) + 1);
      const std::uint64_t code = first >> 5;
      if (code > 0) query.parent = from.take(parent_bytes(code));
    }
  }
}

/// The queries of a packet of visits.
template <class Word>
class Visits {
 public:
  static constexpr const char* name = "compressed packet";
  static constexpr const char* too_short = "a compressed packet ends within a query";
  static constexpr std::size_t header_words = 2;  ///< queries, base
  static constexpr std::size_t words_per_query = 1;
  using Record = Query;

  /// Counts the queries and finds the base. Does not change the words.
  explicit Visits(std::vector<Word>& words) : words_(words) {
    for (std::size_t i = 0; i < words.size(); ++count_) {
      base_ = std::min(base_, words[i++]);
      for (; (words[i] & QueryMessage<Word>::last_of_run) == 0; ++i) ++count_;
      ++i;
    }
  }
  explicit Visits(std::span<const Word> header) : count_(header[0]), base_(header[1]) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  void write_header(Word* header) const {
    header[0] = static_cast<Word>(count_);
    header[1] = base_;
  }
  /// Writes the records and removes the marks of runs.
  void write(PacketBytesWriter& to) const {
    Query before;
    QueryMessage<Word>(words_).for_each_run([&](Word parent, std::span<const Word> targets) {
      for (const Word target : targets) {
        const Query query{target, parent - base_};
        put(to, query, before);
        before = query;
      }
    });
  }
  void append(const Query& query, QueryRuns<Word>& runs) const {
    const std::uint64_t parent = base_ + query.parent;
    if (query.target >= QueryMessage<Word>::last_of_run || static_cast<Word>(parent) != parent || parent < base_) {
      fail("a compressed packet has vertex {} with a parent {} above {}", query.target, query.parent, base_);
    }
    runs.add(static_cast<Word>(parent), static_cast<Word>(query.target));
  }

 private:
  std::span<Word> words_;
  std::size_t count_ = 0;
  Word base_ = std::numeric_limits<Word>::max();  ///< the least parent
};

// Relaxations.

/// A distance that a vertex has through a parent.
struct Relaxation {
  std::uint32_t vertex = 0;
  std::uint32_t distance = 0;  ///< the bits of the distance, which have the same order
  std::uint64_t parent = 0;
};

/// Writes the record of a relaxation, which follows that of `before`. Both have as parent the difference from the base,
/// and as distance the difference from the least, shifted.
inline void put(PacketBytesWriter& to, const Relaxation& one, const Relaxation& before) {
  const std::uint64_t step = one.vertex - before.vertex;
  const unsigned code = parent_code(one.parent, one.parent == before.parent);
  const unsigned step_bytes = bytes_to_hold(step);
  const unsigned distance_bytes = bytes_to_hold(one.distance);
  to.put((distance_bytes - 1) << 5 | code << 2 | (step_bytes - 1), 1);
  to.put(step, step_bytes);
  to.put(one.parent, parent_bytes(code));
  to.put(one.distance, distance_bytes);
}

/// Reads the record after that of `one`, which becomes the relaxation of this record.
inline void take(PacketBytesReader& from, Relaxation& one) {
  const std::uint64_t first = from.take(1);
  const std::uint64_t vertex = one.vertex + from.take((first & 3U) + 1);
  if (vertex > std::numeric_limits<std::uint32_t>::max()) fail("a packet of relaxations has vertex {}", vertex);
  one.vertex = static_cast<std::uint32_t>(vertex);
  const std::uint64_t code = first >> 2 & 7U;
  if (code > 0) one.parent = from.take(parent_bytes(code));
  one.distance = static_cast<std::uint32_t>(from.take((first >> 5 & 3U) + 1));
}

/// The queries of a packet of relaxations: for each vertex the one with the least distance, in the order of vertices.
template <class Word>
class Relaxations {
 public:
  static constexpr const char* name = "packet of relaxations";
  static constexpr const char* too_short = "a packet of relaxations ends within one";
  static constexpr std::size_t header_words = 3;  ///< relaxations and shift, least distance, base of parents
  static constexpr std::size_t words_per_query = 2;
  using Record = Relaxation;

  /// Removes the marks of runs.
  explicit Relaxations(std::vector<Word>& words) : relaxations_(lightest_of(words)), count_(relaxations_.size()) {
    base_ = std::numeric_limits<std::uint64_t>::max();
    least_ = std::numeric_limits<std::uint32_t>::max();
    for (const Relaxation& one : relaxations_) {
      base_ = std::min(base_, one.parent);
      least_ = std::min<std::uint64_t>(least_, one.distance);
    }
    std::uint64_t differing = 0;
    for (const Relaxation& one : relaxations_) differing |= one.distance - least_;
    if (differing != 0) shift_ = static_cast<unsigned>(std::countr_zero(differing));
  }
  explicit Relaxations(std::span<const Word> header)
      : count_(header[0] & ((std::uint64_t{1} << count_bits) - 1)),
        shift_(static_cast<unsigned>(std::uint64_t{header[0]} >> count_bits)),
        least_(header[1]),
        base_(header[2]) {
    if (shift_ >= 32) fail("a packet of relaxations shifts distances by {}", shift_);
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  void write_header(Word* header) const {
    header[0] = static_cast<Word>(count_ | std::uint64_t{shift_} << count_bits);
    header[1] = static_cast<Word>(least_);
    header[2] = static_cast<Word>(base_);
  }
  void write(PacketBytesWriter& to) const {
    Relaxation before;
    for (Relaxation one : relaxations_) {
      one.distance = static_cast<std::uint32_t>((one.distance - least_) >> shift_);
      one.parent -= base_;
      put(to, one, before);
      before = one;
    }
  }
  void append(const Relaxation& one, QueryRuns<Word>& runs) const {
    const std::uint64_t distance = least_ + (std::uint64_t{one.distance} << shift_);
    const std::uint64_t parent = base_ + one.parent;
    if (one.vertex >= mark || distance >= mark || static_cast<Word>(parent) != parent || parent < base_) {
      fail("a packet of relaxations has vertex {} with parent {} above {}, distance bits {}", one.vertex, one.parent,
           base_, distance);
    }
    const std::array<Word, words_per_query> pair{static_cast<Word>(distance), one.vertex};
    runs.add(static_cast<Word>(parent), pair);
  }

 private:
  static constexpr int count_bits = 27;                          ///< of the first word; the shift is in the bits above
  static constexpr std::uint64_t mark = std::uint64_t{1} << 31;  ///< above all local ids and the bits of all distances

  /// Returns the relaxations of runs: for each vertex the one with the least distance, in the order of vertices.
  static std::vector<Relaxation> lightest_of(std::vector<Word>& words) {
    std::vector<Relaxation> all;
    all.reserve(words.size() / words_per_query);
    QueryMessage<Word>(words).for_each_run([&](Word parent, std::span<const Word> pairs) {
      for (std::size_t i = 0; i + 1 < pairs.size(); i += words_per_query) {
        all.push_back({static_cast<std::uint32_t>(pairs[i + 1]), static_cast<std::uint32_t>(pairs[i]), parent});
      }
    });
    std::ranges::sort(all, {}, [](const Relaxation& one) { return std::tie(one.vertex, one.distance, one.parent); });
    const auto same = [](const Relaxation& a, const Relaxation& b) { return a.vertex == b.vertex; };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
  }

  std::vector<Relaxation> relaxations_;
  std::size_t count_ = 0;
  unsigned shift_ = 0;       ///< low bits that are 0 in all differences of distances from the least
  std::uint64_t least_ = 0;  ///< the bits of the least distance
  std::uint64_t base_ = 0;   ///< the least parent
};

// Compressed packets of queries or relaxations.

template <class Word, class Records>
class CompressedPackets final : public PacketCodec<Word> {
 public:
  [[nodiscard]] std::size_t max_words(std::size_t queries) const override {
    const std::size_t bytes = queries / Records::words_per_query * longest_record;
    return Records::header_words + (bytes + sizeof(Word) - 1) / sizeof(Word);
  }

  void encode(std::vector<Word>& words, std::vector<Word>& scratch) const override {
    constexpr std::size_t beyond = 2;  // words: records are written 8 bytes at a time
    const Records records(words);
    scratch.resize(std::max(scratch.size(), max_words(Records::words_per_query * records.count()) + beyond));
    records.write_header(scratch.data());
    PacketBytesWriter writer(reinterpret_cast<std::byte*>(scratch.data() + Records::header_words));
    records.write(writer);
    assign_packet(words, scratch, writer.end());
  }

  [[nodiscard]] QueryMessage<Word> decode(std::span<Word> packet) override {
    if (packet.size() < Records::header_words) {
      fail("a {} of {} bytes has no header", Records::name, packet.size_bytes());
    }
    const Records records{std::span<const Word>(packet)};
    PacketBytesReader reader(std::as_bytes(packet.subspan(Records::header_words)), Records::too_short);
    typename Records::Record record;
    runs_.clear();
    for (std::size_t i = 0; i < records.count(); ++i) {
      take(reader, record);
      records.append(record, runs_);
    }
    if (reader.left() >= sizeof(Word)) fail("a {} has {} bytes too many", Records::name, reader.left());
    runs_.end_run();
    return QueryMessage<Word>(runs_.words);
  }

 private:
  QueryRuns<Word> runs_;
};
}  // namespace

template <class Word>
std::unique_ptr<PacketCodec<Word>> make_packet_codec(PacketFormat format, QueryKind queries) {
  switch (format) {
    case PacketFormat::runs: return std::make_unique<RunPackets<Word>>();
    case PacketFormat::pairs:
      if (queries == QueryKind::relaxations) fail("relaxations are sent in runs or compressed, not in pairs");
      return std::make_unique<PairPackets<Word>>();
    case PacketFormat::compressed:
      if (queries == QueryKind::relaxations) return std::make_unique<CompressedPackets<Word, Relaxations<Word>>>();
      return std::make_unique<CompressedPackets<Word, Visits<Word>>>();
  }
  fail("unknown packet format");
}

template std::unique_ptr<PacketCodec<std::uint32_t>> make_packet_codec(PacketFormat, QueryKind);
template std::unique_ptr<PacketCodec<std::uint64_t>> make_packet_codec(PacketFormat, QueryKind);

}  // namespace breadth
