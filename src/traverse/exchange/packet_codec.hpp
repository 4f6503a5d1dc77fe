// Queries in the form in which they are made and answered, and codecs from there to what travels between ranks, and
// back.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/errors.hpp"
#include "traverse/exchange/exchange_strategy.hpp"

namespace breadth {

// Queries.

/// Queries on their way, "your vertex is a neighbour of mine": runs of targets that get the same parent, unless they
/// have one. In words as wide as a neighbour: the parent's label, then the targets' local ids, the last of them marked.
/// Between ranks a global id holds the rank above the local id (graph/partition.hpp), so the highest bit of an id is
/// free for that. 8 bytes for a query alone, towards 4 for each of a long run; 16 and 8 where global ids need 64 bits.
template <class Word>
class QueryMessage {
 public:
  static constexpr Word last_of_run = Word{1} << (8 * sizeof(Word) - 1);

  QueryMessage() = default;
  explicit QueryMessage(std::span<Word> words) : words_(words) {}

  /// Calls body(parent, targets) for each run. Takes the marks away: once only. Throws Error where the last run has no
  /// end.
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

/// Queries that wait for more: the words of a message that grows.
template <class Word>
struct QueryRuns {
  std::vector<Word> words;
  std::size_t queries = 0;
  Word parent = 0;  ///< of the last run

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

/// Writes and reads packets of one format (docs/communication.md has the bits). Packets are whole words of a
/// neighbour's width. O(queries) each way.
template <class Word>
class PacketCodec {
 public:
  PacketCodec() = default;
  virtual ~PacketCodec() = default;
  PacketCodec(const PacketCodec&) = delete;
  PacketCodec& operator=(const PacketCodec&) = delete;

  /// The most words that a packet of so many queries takes.
  [[nodiscard]] virtual std::size_t most_words(std::size_t queries) const = 0;
  /// Turns runs, the words of a QueryMessage, into a packet in the same place. Any thread; `scratch` is room of that
  /// thread's, kept between calls.
  virtual void encode(std::vector<Word>& words, std::vector<Word>& scratch) const = 0;
  /// The queries of a packet, which hold until the next call. Throws Error for what no encoder wrote; whether local ids
  /// exist is not looked at. One thread at a time.
  [[nodiscard]] virtual QueryMessage<Word> decode(std::span<Word> packet) = 0;
};

/// Relaxations have two words each, the bits of a distance and a local id below 2^31; of compressed ones comes out one
/// for each vertex of a packet, that which brings it closest, by vertex. Throws Error for relaxations in pairs, which
/// have no place for a distance.
template <class Word>
std::unique_ptr<PacketCodec<Word>> make_packet_codec(PacketFormat format, QueryKind queries = QueryKind::visits);

}  // namespace breadth
