// Numbers for names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory/buffer.hpp"
#include "io/names/name_list.hpp"

namespace breadth {

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
