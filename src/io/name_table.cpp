#include "io/name_table.hpp"

#include "io/hash.hpp"

namespace breadth {

namespace {
constexpr std::uint64_t number_mask = (std::uint64_t{1} << 48) - 1;

std::uint64_t hash_of(std::string_view name) { return breadth::hash_of(std::as_bytes(std::span(name))); }
}  // namespace

std::uint64_t NameTable::insert(std::string_view name) {
  if (names_.size() * 2 >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(name);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint64_t slot = slots_[at];
    if (slot == 0) {
      names_.append(name);
      slots_[at] = names_.size() | (hash & ~number_mask);
      return names_.size() - 1;
    }
    const std::uint64_t number = (slot & number_mask) - 1;
    if (((slot ^ hash) & ~number_mask) == 0 && names_[number] == name) return number;
  }
}

void NameTable::grow() {
  constexpr std::size_t fewest_slots = 1024;
  slots_.assign(slots_.empty() ? fewest_slots : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < names_.size(); ++number) {
    const std::uint64_t hash = hash_of(names_[number]);
    std::size_t at = hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = (number + 1) | (hash & ~number_mask);
  }
}

}  // namespace breadth
