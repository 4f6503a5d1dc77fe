#include "io/names/name_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "io/files/hash.hpp"

namespace breadth {

namespace {
constexpr std::size_t longest_in_key = 16;

/// A bijection of 64-bit numbers that mixes their bits (the finalizer of MurmurHash3).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xFF51AFD7ED558CCDU;
  x = (x ^ (x >> 33)) * 0xC4CEB9FE1A85EC53U;
  return x ^ (x >> 33);
}

template <class Value>
std::uint64_t load(const char* from) {
  Value value = 0;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// 1 to 8 characters, zeros behind them. Reads that overlap take the place of a loop.
std::uint64_t load_up_to_8(const char* from, std::size_t count) {
  if (count >= 4) return load<std::uint32_t>(from) | load<std::uint32_t>(from + count - 4) << (8 * (count - 4));
  const auto character = [&](std::size_t i) { return load<std::uint8_t>(from + i) << (8 * i); };
  return character(0) | character(count / 2) | character(count - 1);
}
}  // namespace

NameTable::WordKey NameTable::key_of(std::string_view word) {
  // A zero byte before others makes the key of a long word none of a short one.
  if (word.size() > longest_in_key) return {breadth::hash_of(std::as_bytes(std::span(word))), word.size() << 8};
  if (word.size() <= 8) return {word.empty() ? 0 : load_up_to_8(word.data(), word.size()), 0};
  const std::uint64_t last = load<std::uint64_t>(word.data() + word.size() - 8);
  return {load<std::uint64_t>(word.data()), last >> (8 * (longest_in_key - word.size()))};
}

std::uint64_t NameTable::hash_of(const WordKey& key) { return mixed(key.first ^ key.second * 0x9E3779B97F4A7C15U); }
std::uint64_t NameTable::hash_of(std::int64_t key) { return mixed(static_cast<std::uint64_t>(key)); }

bool NameTable::same(std::uint64_t number, std::string_view word) const {
  return word.size() <= longest_in_key || names_[number] == word;
}

template <class Key, class Name>
void NameTable::insert_all(Buffer<Slot<Key>>& slots, std::span<const Name> names, std::span<std::uint64_t> numbers) {
  std::array<Key, batch> keys{};
  std::array<std::size_t, batch> homes{};
  for (std::size_t first = 0; first < names.size(); first += batch) {
    const std::size_t count = std::min(batch, names.size() - first);
    reserve(slots, count);
    const std::size_t mask = slots.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = key_of(names[first + i]);
      homes[i] = hash_of(keys[i]) & mask;
      __builtin_prefetch(&slots[homes[i]], 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t at = homes[i];
      while (slots[at].next_number != 0 &&
             (slots[at].key != keys[i] || !same(slots[at].next_number - 1, names[first + i]))) {
        at = (at + 1) & mask;
      }
      if (slots[at].next_number == 0) {
        append(names[first + i]);
        slots[at] = {keys[i], names_.size()};
      }
      numbers[first + i] = slots[at].next_number - 1;
    }
  }
}

/// Makes room for more names; at most half of the slots are ever taken.
template <class Key>
void NameTable::reserve(Buffer<Slot<Key>>& slots, std::size_t more) const {
  constexpr std::size_t fewest_slots = 1024;
  if ((names_.size() + more) * 2 <= slots.size()) return;
  const Buffer<Slot<Key>> old =
      std::exchange(slots, Buffer<Slot<Key>>(slots.empty() ? fewest_slots : slots.size() * 2));
  const std::size_t mask = slots.size() - 1;
  for (const Slot<Key>& slot : old) {
    if (slot.next_number == 0) continue;
    std::size_t at = hash_of(slot.key) & mask;
    while (slots[at].next_number != 0) at = (at + 1) & mask;
    slots[at] = slot;
  }
}

void NameTable::insert(std::span<const std::string_view> words, std::span<std::uint64_t> numbers) {
  insert_all(word_slots_, words, numbers);
}

void NameTable::insert(std::span<const std::int64_t> integers, std::span<std::uint64_t> numbers) {
  insert_all(integer_slots_, integers, numbers);
}

NameList NameTable::take() {
  word_slots_ = {};
  integer_slots_ = {};
  return std::exchange(names_, {});
}

}  // namespace breadth
