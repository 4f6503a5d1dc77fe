#include "io/names/name_list.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "io/files/hash.hpp"

namespace breadth {

// Sorted distinct names.

namespace {
constexpr std::size_t whole_in_entry = 16;  // the maximum number of characters in an entry
constexpr std::size_t longer = whole_in_entry + 1;

/// A sort entry: the first 16 bytes of a name, which decide most comparisons without reading the name, and the place of
/// the name.
struct Entry {
  std::uint64_t first;  ///< earlier bytes in higher bits; padded with zeros
  std::uint64_t second;
  std::uint64_t place;  ///< list, size (`longer` if the name is longer than the entry) and index, from high to low bits
};
constexpr int list_shift = 48;
constexpr int size_shift = 43;

std::size_t list_of(const Entry& entry) { return entry.place >> list_shift; }
std::size_t size_of(const Entry& entry) { return (entry.place >> size_shift) & 31; }
std::size_t index_of(const Entry& entry) { return entry.place & ((std::uint64_t{1} << size_shift) - 1); }
bool same_beginning(const Entry& a, const Entry& b) { return a.first == b.first && a.second == b.second; }

Entry entry_of(std::string_view name, std::size_t list, std::size_t index) {
  std::array<std::uint64_t, 2> beginning{};
  std::memcpy(beginning.data(), name.data(), std::min(name.size(), whole_in_entry));
  const std::uint64_t size = std::min(name.size(), longer);
  return {__builtin_bswap64(beginning[0]), __builtin_bswap64(beginning[1]),
          list << list_shift | size << size_shift | index};
}

std::vector<Entry> entries_of(std::span<const NameList> lists, ThreadTeam& threads) {
  std::vector<Entry> entries;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    const std::size_t start = entries.size();
    entries.resize(start + lists[list].size());
    parallel_for(threads, lists[list].size(), std::size_t{1} << 14,
                 [&](std::size_t i) { entries[start + i] = entry_of(lists[list][i], list, i); });
  }
  return entries;
}

/// Appends the name of an entry, from the entry itself if the whole name is in it.
void append_entry(NameList& names, const Entry& entry, std::span<const NameList> lists) {
  if (size_of(entry) == longer) {
    names.append(lists[list_of(entry)][index_of(entry)]);
    return;
  }
  const std::array<std::uint64_t, 2> beginning{__builtin_bswap64(entry.first), __builtin_bswap64(entry.second)};
  std::array<char, whole_in_entry> bytes{};
  std::memcpy(bytes.data(), beginning.data(), bytes.size());
  names.append({bytes.data(), size_of(entry)});
}

template <class Less>
void sort_entries(std::vector<Entry>& entries, ThreadTeam& threads, Less&& less) {
  if (!std::ranges::is_sorted(entries, less)) parallel_sort(threads, std::span(entries), less);
}
}  // namespace

SortedNames sort_names(std::span<const NameList> lists, ThreadTeam& threads) {
  std::vector<Entry> entries = entries_of(lists, threads);
  const auto name = [&](const Entry& entry) { return lists[list_of(entry)][index_of(entry)]; };
  // Names with equal beginnings that end within the entry differ only in trailing zero bytes: the shorter one comes
  // first.
  sort_entries(entries, threads, [&](const Entry& a, const Entry& b) {
    if (!same_beginning(a, b)) return a.first != b.first ? a.first < b.first : a.second < b.second;
    return size_of(a) == longer && size_of(b) == longer ? name(a) < name(b) : size_of(a) < size_of(b);
  });
  SortedNames sorted;
  for (const NameList& list : lists) sorted.places.emplace_back(list.size());
  const Entry* last = nullptr;
  for (const Entry& entry : entries) {
    const bool repeats = last != nullptr && same_beginning(*last, entry) && size_of(*last) == size_of(entry) &&
                         (size_of(entry) != longer || name(*last) == name(entry));
    if (!repeats) {
      append_entry(sorted.distinct, entry, lists);
      last = &entry;
    }
    sorted.places[list_of(entry)][index_of(entry)] = sorted.distinct.size() - 1;
  }
  return sorted;
}

// Names between ranks.

namespace {
/// ends[i] - ends[i - 1] for each name, to send lengths instead of ends; from_lengths reverses it.
std::vector<std::uint64_t> lengths_of(const NameList& names) {
  std::vector<std::uint64_t> lengths(names.size());
  std::adjacent_difference(names.ends().begin(), names.ends().end(), lengths.begin());
  return lengths;
}

NameList from_lengths(std::vector<char> bytes, std::vector<std::uint64_t> lengths) {
  std::partial_sum(lengths.begin(), lengths.end(), lengths.begin());
  return {std::move(bytes), std::move(lengths)};
}
}  // namespace

ReceivedNames exchange_names(const NameList& names, std::span<const std::size_t> counts, const Communicator& ranks) {
  std::vector<std::size_t> byte_counts(counts.size());
  std::size_t first = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    byte_counts[r] = names.start(first + counts[r]) - names.start(first);
    first += counts[r];
  }
  const std::vector<std::uint64_t> send_lengths = lengths_of(names);
  auto lengths = ranks.all_to_all(std::span<const std::uint64_t>(send_lengths), counts);
  auto bytes = ranks.all_to_all(names.bytes(), byte_counts);
  return {from_lengths(std::move(bytes.values), std::move(lengths.values)), std::move(lengths.counts)};
}

NameList gather_names(const NameList& names, const Communicator& ranks) {
  const std::vector<std::uint64_t> lengths = lengths_of(names);
  return from_lengths(ranks.all_gather_varying(names.bytes()),
                      ranks.all_gather_varying(std::span<const std::uint64_t>(lengths)));
}

// Numbers for names.

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

/// Loads 1 to 8 characters, padded with zeros. Uses overlapping reads instead of a loop.
std::uint64_t load_up_to_8(const char* from, std::size_t count) {
  if (count >= 4) return load<std::uint32_t>(from) | load<std::uint32_t>(from + count - 4) << (8 * (count - 4));
  const auto character = [&](std::size_t i) { return load<std::uint8_t>(from + i) << (8 * i); };
  return character(0) | character(count / 2) | character(count - 1);
}
}  // namespace

NameTable::WordKey NameTable::key_of(std::string_view word) {
  // The length, shifted by one byte, has a zero byte before others, so that the key of a long word differs from those
  // of short words.
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

/// Makes room for more names; at most half of the slots are used.
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
