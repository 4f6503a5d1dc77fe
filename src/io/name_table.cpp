#include "io/name_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "io/hash.hpp"

namespace breadth {

namespace {
/// A bijection of 64-bit numbers that mixes their bits (the finalizer of MurmurHash3).
std::uint64_t mixed(std::int64_t integer) {
  auto x = static_cast<std::uint64_t>(integer);
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDU;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53U;
  return x ^ (x >> 33);
}
}  // namespace

template <class Name, class Fingerprint, class Same>
void NameTable::insert_all(std::span<const Name> names, std::span<std::uint64_t> numbers, Fingerprint&& fingerprint,
                           Same&& same) {
  std::array<std::uint64_t, batch> fingerprints{};
  for (std::size_t first = 0; first < names.size(); first += batch) {
    const std::size_t count = std::min(batch, names.size() - first);
    reserve(count);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      fingerprints[i] = fingerprint(names[first + i]);
      __builtin_prefetch(&slots_[fingerprints[i] & mask], 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = fingerprints[i] & mask;
      while (slots_[at].next_number != 0 &&
             (slots_[at].fingerprint != fingerprints[i] || !same(slots_[at].next_number - 1, names[first + i]))) {
        at = (at + 1) & mask;
      }
      Slot& slot = slots_[at];
      if (slot.next_number == 0) {
        append(names[first + i]);
        slot = {fingerprints[i], names_.size()};
      }
      numbers[first + i] = slot.next_number - 1;
    }
  }
}

void NameTable::insert(std::span<const std::string_view> words, std::span<std::uint64_t> numbers) {
  insert_all(
      words, numbers, [](std::string_view word) { return hash_of(std::as_bytes(std::span(word))); },
      [this](std::uint64_t number, std::string_view word) { return names_[number] == word; });
}

void NameTable::insert(std::span<const std::int64_t> integers, std::span<std::uint64_t> numbers) {
  insert_all(integers, numbers, mixed, [](std::uint64_t, std::int64_t) { return true; });
}

NameList NameTable::take() {
  slots_ = {};
  return std::exchange(names_, {});
}

/// Makes room for more names; at most half of the slots are ever taken.
void NameTable::reserve(std::size_t more) {
  constexpr std::size_t fewest_slots = 1024;
  if ((names_.size() + more) * 2 <= slots_.size()) return;
  const std::vector<Slot> old =
      std::exchange(slots_, std::vector<Slot>(slots_.empty() ? fewest_slots : slots_.size() * 2));
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.next_number == 0) continue;
    std::size_t at = slot.fingerprint & mask;
    while (slots_[at].next_number != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace breadth
