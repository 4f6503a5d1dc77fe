// Numbers for names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/name_list.hpp"

namespace breadth {

/// Gives each distinct name the next number, from 0 on, in the order of their first insertion. A table has either
/// words or integers, never both. For one thread.
class NameTable {
 public:
  /// The numbers of many names, new or not, in their order. Several at a time, so that the memory they need is on its
  /// way while others are looked up. O(characters), amortised.
  void insert(std::span<const std::string_view> words, std::span<std::uint64_t> numbers);
  void insert(std::span<const std::int64_t> integers, std::span<std::uint64_t> numbers);

  /// Integers are as encode_integer has them.
  [[nodiscard]] const NameList& names() const noexcept { return names_; }
  /// Hands out the names and is empty afterwards.
  NameList take();

 private:
  /// Open addressing. For integers the fingerprint is theirs alone, for words it is their hash.
  struct Slot {
    std::uint64_t fingerprint = 0;
    std::uint64_t next_number = 0;  ///< the number plus one; 0 where free
  };
  static constexpr std::size_t batch = 16;

  template <class Name, class Fingerprint, class Same>
  void insert_all(std::span<const Name> names, std::span<std::uint64_t> numbers, Fingerprint&& fingerprint,
                  Same&& same);
  void append(std::string_view word) { names_.append(word); }
  void append(std::int64_t integer) { names_.append(as_name(encode_integer(integer))); }
  void reserve(std::size_t more);

  NameList names_;
  std::vector<Slot> slots_;
};

}  // namespace breadth
