#include "io/names/name_list.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/parallel/parallel.hpp"

namespace breadth {

// Names in order, each once.

namespace {
constexpr std::size_t whole_in_entry = 16;  // the most characters that an entry holds
constexpr std::size_t longer = whole_in_entry + 1;

/// A name by its first 16 bytes, which decide most comparisons without looking for the name, and where it is.
struct Entry {
  std::uint64_t first;  ///< earlier bytes are higher ones; zeros behind the end
  std::uint64_t second;
  std::uint64_t place;  ///< list, size (`longer` for any that is not whole here) and index, from high to low bits
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

/// Appends the name of an entry, from the entry itself where it is whole there.
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

/// Sorts one stretch a thread, then merges neighbouring stretches.
template <class Less>
void sort_entries(std::vector<Entry>& entries, ThreadTeam& threads, Less&& less) {
  if (std::is_sorted(entries.begin(), entries.end(), less)) return;
  const auto parts = static_cast<std::size_t>(threads.size());
  const auto cut = [&](std::size_t part) {
    return entries.begin() + static_cast<std::ptrdiff_t>(entries.size() * std::min(part, parts) / parts);
  };
  parallel_for(threads, parts, 1, [&](std::size_t part) { std::sort(cut(part), cut(part + 1), less); });
  for (std::size_t width = 1; width < parts; width *= 2) {
    const std::size_t pairs = (parts + 2 * width - 1) / (2 * width);
    parallel_for(threads, pairs, 1, [&](std::size_t pair) {
      const std::size_t first = pair * 2 * width;
      std::inplace_merge(cut(first), cut(first + width), cut(first + 2 * width), less);
    });
  }
}
}  // namespace

SortedNames sort_names(std::span<const NameList> lists, ThreadTeam& threads) {
  std::vector<Entry> entries = entries_of(lists, threads);
  const auto name = [&](const Entry& entry) { return lists[list_of(entry)][index_of(entry)]; };
  // Of names with the same beginning, those that end within it differ in zero bytes at most, the shorter one comes
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
/// ends[i] - ends[i - 1], in place and back.
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
  ReceivedNames received;
  const std::vector<std::uint64_t> send_lengths = lengths_of(names);
  std::vector<std::uint64_t> lengths =
      ranks.all_to_all(std::span<const std::uint64_t>(send_lengths), counts, received.counts);
  std::vector<std::size_t> received_bytes;
  std::vector<char> bytes = ranks.all_to_all(names.bytes(), byte_counts, received_bytes);
  received.names = from_lengths(std::move(bytes), std::move(lengths));
  return received;
}

NameList gather_names(const NameList& names, const Communicator& ranks) {
  const std::vector<std::uint64_t> lengths = lengths_of(names);
  return from_lengths(ranks.all_gather_varying(names.bytes()),
                      ranks.all_gather_varying(std::span<const std::uint64_t>(lengths)));
}

}  // namespace breadth
