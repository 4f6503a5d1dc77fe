#include "io/name_sort.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "core/parallel.hpp"

namespace breadth {

namespace {
/// A name by its first 16 bytes, which decide most comparisons, and where it is.
struct Entry {
  std::array<std::uint64_t, 2> beginning;  ///< earlier bytes are higher ones, none are zero
  std::uint64_t reference;                 ///< list in the high 16 bits, index in the others
};
constexpr int index_bits = 48;

std::size_t list_of(Entry entry) { return entry.reference >> index_bits; }
std::size_t index_of(Entry entry) { return entry.reference & ((std::uint64_t{1} << index_bits) - 1); }

std::array<std::uint64_t, 2> beginning_of(std::string_view name) {
  std::array<unsigned char, 16> bytes{};
  std::memcpy(bytes.data(), name.data(), std::min(name.size(), bytes.size()));
  std::array<std::uint64_t, 2> beginning{};
  for (std::size_t i = 0; i < bytes.size(); ++i) beginning[i / 8] = (beginning[i / 8] << 8) | bytes[i];
  return beginning;
}

std::vector<Entry> entries_of(std::span<const NameList> lists, ThreadTeam& threads) {
  std::vector<Entry> entries;
  for (std::size_t list = 0; list < lists.size(); ++list) {
    const std::size_t start = entries.size();
    entries.resize(start + lists[list].size());
    parallel_for(threads, lists[list].size(), std::size_t{1} << 14, [&](std::size_t i) {
      entries[start + i] = {beginning_of(lists[list][i]), (std::uint64_t{list} << index_bits) | i};
    });
  }
  return entries;
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
  const auto name = [&](Entry entry) { return lists[list_of(entry)][index_of(entry)]; };
  sort_entries(entries, threads, [&](Entry a, Entry b) {
    return a.beginning != b.beginning ? a.beginning < b.beginning : name(a) < name(b);
  });
  SortedNames sorted;
  for (const NameList& list : lists) sorted.places.emplace_back(list.size());
  NameList& distinct = sorted.distinct;
  for (const Entry entry : entries) {
    const std::string_view next = name(entry);
    if (distinct.empty() || distinct[distinct.size() - 1] != next) distinct.append(next);
    sorted.places[list_of(entry)][index_of(entry)] = distinct.size() - 1;
  }
  return sorted;
}

}  // namespace breadth
