// Many names: sorted, sent between ranks, and numbered.
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

// Names in order, each once.

/// The distinct names of several lists, rising, and the place among them of each name of each list.
struct SortedNames {
  NameList distinct;
  std::vector<std::vector<std::uint64_t>> places;
};

/// Up to 65536 lists. O(n log n) in parallel, then merged two by two; 24 bytes a name for a while.
SortedNames sort_names(std::span<const NameList> lists, ThreadTeam& threads);

// Names between ranks.

/// Names from all ranks, in rank order, with how many came from each.
struct ReceivedNames {
  NameList names;
  std::vector<std::size_t> counts;
};

/// Sends the first counts[0] names to rank 0, the next counts[1] to rank 1 and so on. Collective.
ReceivedNames exchange_names(const NameList& names, std::span<const std::size_t> counts, const Communicator& ranks);

/// Every rank's names, in rank order, on every rank. Collective.
NameList gather_names(const NameList& names, const Communicator& ranks);

// Numbers for names.

/// Gives each distinct name the next number, from 0 on, in the order of their first insertion. A table has either
/// words or integers, never both. Words have no zero bytes. For one thread.
class NameTable {
 public:
  /// The numbers of many names, new or not, in their order. Several at a time, so that the memory they need is on its
  /// way while others are looked up. O(characters), amortised; 48 to 96 bytes a word, 32 to 64 an integer, beside the
  /// names themselves.
  void insert(std::span<const std::string_view> words, std::span<std::uint64_t> numbers);
  void insert(std::span<const std::int64_t> integers, std::span<std::uint64_t> numbers);

  /// Integers are as encode_integer has them.
  [[nodiscard]] const NameList& names() const noexcept { return names_; }
  /// Hands out the names and is empty afterwards.
  NameList take();

 private:
  /// A word of up to 16 characters with zeros behind it, so that most words are compared without looking for them
  /// among the names; of a longer word its hash and length.
  struct WordKey {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const WordKey&, const WordKey&) = default;
  };
  /// Of a table with open addressing.
  template <class Key>
  struct Slot {
    Key key;
    std::uint64_t next_number;  ///< the number plus one; 0 where free
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
  /// Whether a name is the one with this number, where their keys are equal.
  [[nodiscard]] bool same(std::uint64_t number, std::string_view word) const;
  [[nodiscard]] static bool same(std::uint64_t, std::int64_t) { return true; }
  void append(std::string_view word) { names_.append(word); }
  void append(std::int64_t integer) { names_.append(as_name(encode_integer(integer))); }

  NameList names_;
  Buffer<Slot<WordKey>> word_slots_;
  Buffer<Slot<std::int64_t>> integer_slots_;
};

}  // namespace breadth
