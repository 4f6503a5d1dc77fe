// Numbers for names.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "io/name_list.hpp"

namespace breadth {

/// Gives each distinct name the next number, from 0 on, in the order of their first insertion. For one thread.
class NameTable {
 public:
  /// The number of a name, new or not. O(length), amortised.
  std::uint64_t insert(std::string_view name);
  [[nodiscard]] const NameList& names() const noexcept { return names_; }
  /// Hands out the names and is empty afterwards.
  NameList take() {
    slots_.clear();
    return std::exchange(names_, {});
  }

 private:
  void grow();

  NameList names_;
  /// Open addressing: number + 1 in the low 48 bits, 0 where free; bits of the hash above it.
  std::vector<std::uint64_t> slots_;
};

}  // namespace breadth
