// Messages of queries, and the codecs between these and the packets that ranks send each other.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/errors.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

// Queries.

/// A message of queries, "your vertex is a neighbour of mine": runs of targets that have the same proposed parent. In
/// words as wide as a neighbour: the parent's label, then the targets' local ids, the last of them marked. The mark is
/// the highest bit, which local ids leave free because a global id holds the rank above the local id
/// (graph/partition.hpp). A query alone takes 8 bytes, one of a long run nearly 4; 16 and 8 if global ids need 64 bits.
template <class Word>
class QueryMessage {
 public:
  static constexpr Word last_of_run = Word{1} << (8 * sizeof(Word) - 1);

  QueryMessage() = default;
  explicit QueryMessage(std::span<Word> words) : words_(words) {}

  /// Calls body(parent, targets) for each run. Removes the marks, so that it may be called only once. Throws Error if
  /// the last run has no end.
  template <class Body>
  void for_each_run(Body&& body) const {
    if (!words_.empty() && (words_.back() & last_of_run) == 0) fail("a message of queries ends within a run");
    for (std::size_t i = 0; i < words_.size();) {
      const Word parent = words_[i++];
      if (i == words_.size()) fail("a message of queries ends with a parent that has no targets");
      const std::size_t first = i;
      while ((words_[i] & last_of_run) == 0) ++i;
      words_[i++] &= ~last_of_run;
      body(parent, std::span<const Word>(words_.subspan(first, i - first)));
    }
  }

 private:
  std::span<Word> words_;
};

/// A message of queries that is being filled.
template <class Word>
struct QueryRuns {
  std::vector<Word> words;
  std::size_t queries = 0;
  Word parent = 0;  ///< parent of the last run

  void add(Word label, std::span<const Word> targets) {
    begin_run(label);
    words.insert(words.end(), targets.begin(), targets.end());
    queries += targets.size();
  }
  void add(Word label, Word target) {
    begin_run(label);
    words.push_back(target);
    ++queries;
  }
  void end_run() {
    if (queries > 0) words.back() |= QueryMessage<Word>::last_of_run;
  }
  void clear() {
    words.clear();
    queries = 0;
  }

 private:
  void begin_run(Word label) {
    if (queries > 0 && parent == label) return;
    end_run();
    words.push_back(parent = label);
  }
};

// Codecs.

/// Encodes and decodes packets of one format (docs/communication.md has the bits). Packets are whole words as wide as a
/// neighbour. O(queries) each way.
template <class Word>
class PacketCodec {
 public:
  PacketCodec() = default;
  virtual ~PacketCodec() = default;
  PacketCodec(const PacketCodec&) = delete;
  PacketCodec& operator=(const PacketCodec&) = delete;

  /// The most words that a packet of `queries` queries takes.
  [[nodiscard]] virtual std::size_t max_words(std::size_t queries) const = 0;
  /// Encodes runs, the words of a QueryMessage, as a packet in place. Any thread may call this; `scratch` is room of
  /// that thread, kept between calls.
  virtual void encode(std::vector<Word>& words, std::vector<Word>& scratch) const = 0;
  /// Decodes the queries of a packet, which are valid until the next call. Throws Error for a packet that no encoder
  /// wrote, but does not check that local ids exist. One thread at a time.
  [[nodiscard]] virtual QueryMessage<Word> decode(std::span<Word> packet) = 0;
};

/// Makes the codec of a format. A relaxation has two words, the bits of a distance and a local id below 2^31. A
/// compressed packet keeps only the relaxation with the least distance for each vertex, in the order of vertices.
/// Throws Error for relaxations in pairs, because these have no place for a distance.
template <class Word>
std::unique_ptr<PacketCodec<Word>> make_packet_codec(PacketFormat format, QueryKind queries = QueryKind::visits);

}  // namespace breadth
