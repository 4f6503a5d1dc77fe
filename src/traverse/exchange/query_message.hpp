// Queries in the form in which they are made and answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/errors.hpp"

namespace breadth {

/// Queries on their way, "your vertex is a neighbour of mine": runs of targets that get the same parent, unless they
/// have one. In words as wide as a neighbour: the parent's label, then the targets' local ids, the last of them marked.
/// Between ranks a position holds the rank above the local id (graph/partition.hpp), so the highest bit of an id is
/// free for that. 8 bytes for a query alone, towards 4 for each of a long run; 16 and 8 where positions need 64 bits.
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
    if (queries == 0 || parent != label) {
      end_run();
      words.push_back(parent = label);
    }
    words.insert(words.end(), targets.begin(), targets.end());
    queries += targets.size();
  }
  void end_run() {
    if (queries > 0) words.back() |= QueryMessage<Word>::last_of_run;
  }
  void clear() {
    words.clear();
    queries = 0;
  }
};

}  // namespace breadth
