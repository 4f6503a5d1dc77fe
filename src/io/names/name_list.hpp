// Operations on many names: sorting, exchange between ranks, and numbering.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {

// Sorted distinct names.

/// The distinct names of several lists in ascending order, and for each list the index in `distinct` of each of its
/// names.
struct SortedNames {
  NameList distinct;
  std::vector<std::vector<std::uint64_t>> places;
};

/// Sorts the names of up to 65536 lists. O(n log n) in parallel, then merged two by two; takes 24 bytes per name
/// temporarily.
SortedNames sort_names(std::span<const NameList> lists, ThreadTeam& threads);

// Names between ranks.

/// Names from all ranks, in rank order, and the number from each rank.
struct ReceivedNames {
  NameList names;
  std::vector<std::size_t> counts;
};

/// Sends the first counts[0] names to rank 0, the next counts[1] to rank 1 and so on. Collective.
ReceivedNames exchange_names(const NameList& names, std::span<const std::size_t> counts, const Communicator& ranks);

/// Returns every rank's names, in rank order, on every rank. Collective.
NameList gather_names(const NameList& names, const Communicator& ranks);

// Numbers for names.

/// Numbers distinct names from 0 in the order of their first insertion. A table holds either words or integers, never
/// both. Words have no zero bytes. Used by one thread.
class NameTable {
 public:
  /// Returns the numbers of many names, new or known, in `numbers`, in their order. Looks up several at a time, so that
  /// memory is prefetched for some while others are looked up. O(characters), amortised; 48 to 96 bytes per word, 32 to
  /// 64 per integer, in addition to the names themselves.
  void insert(std::span<const std::string_view> words, std::span<std::uint64_t> numbers);
  void insert(std::span<const std::int64_t> integers, std::span<std::uint64_t> numbers);

  /// The names in order of their numbers. Integers are encoded by encode_integer.
  [[nodiscard]] const NameList& names() const noexcept { return names_; }
  /// Returns the names and empties the table.
  NameList take();

 private:
  /// The key of a word: up to 16 characters padded with zeros, so that most words are compared without reading the
  /// stored name. For a longer word, its hash and length.
  struct WordKey {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const WordKey&, const WordKey&) = default;
  };
  /// A slot of a table with open addressing.
  template <class Key>
  struct Slot {
    Key key;
    std::uint64_t next_number;  ///< the number plus one; 0 if free
  };
  static constexpr std::size_t batch = 16;

  static WordKey key_of(std::string_view word);
  static std::int64_t key_of(std::int64_t integer) { return integer; }
  static std::uint64_t hash_of(const WordKey& key);
  static std::uint64_t hash_of(std::int64_t key);

  template <class Key, class Name>
  void insert_all(Buffer<Slot<Key>>& slots, std::span<const Name> names, std::span<std::uint64_t> numbers);
  template <class Key>
  void reserve(Buffer<Slot<Key>>& slots, std::size_t more) const;
  /// Whether a name equals the name with this number, if their keys are equal.
  [[nodiscard]] bool same(std::uint64_t number, std::string_view word) const;
  [[nodiscard]] static bool same(std::uint64_t, std::int64_t) { return true; }
  void append(std::string_view word) { names_.append(word); }
  void append(std::int64_t integer) { names_.append(as_name(encode_integer(integer))); }

  NameList names_;
  Buffer<Slot<WordKey>> word_slots_;
  Buffer<Slot<std::int64_t>> integer_slots_;
};

}  // namespace breadth
