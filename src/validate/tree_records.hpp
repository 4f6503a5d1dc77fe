// What an edge has to know of a label in all searches of a batch, in one place.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/ids.hpp"
#include "validate/lanes.hpp"

namespace breadth {

/// A bit for each of several searches.
template <std::size_t searches>
using SearchMarks = std::conditional_t<(searches > 8), std::uint16_t, std::uint8_t>;

/// The searches that have this parent.
template <class Entry, std::size_t searches>
SearchMarks<searches> searches_with(const std::array<Entry, searches>& parents, Entry parent) {
  static_assert(searches <= 16);
  SearchMarks<searches> marks = 0;
  for (std::size_t s = 0; s < searches; ++s) {
    marks = static_cast<SearchMarks<searches>>(marks | ((parents[s] == parent ? 1U : 0U) << s));
  }
  return marks;
}

/// Adds to a record's marks, from any thread; mostly they are there.
template <class Marks>
void add_marks(Marks& record, Marks marks) {
  const std::atomic_ref<Marks> met(record);
  if ((met.load(std::memory_order_relaxed) & marks) != marks) met.fetch_or(marks, std::memory_order_relaxed);
}

/// Whether any search has this parent.
template <class Entry, std::size_t searches>
bool any_search_with(const std::array<Entry, searches>& parents, Entry parent) {
  Entry same = 0;
  for (std::size_t s = 0; s < searches; ++s) same |= static_cast<Entry>(parents[s] == parent);
  return same != 0;
}

/// Levels and parents of one label in `searches` searches: with parents of 4 bytes and levels of one, twelve searches
/// fill a line of the cache. All bits set mean none.
template <class Entry, class Level, std::size_t searches>
class TreeRecord {
 public:
  using Lanes = LevelLanes<Level, searches>;

  void set(std::size_t search, Label parent, std::uint32_t level) {
    parents_[search] = static_cast<Entry>(parent.value);  // no_label is all bits set in either width
    levels_[search] = static_cast<Level>(level);
  }
  [[nodiscard]] bool inside(std::size_t search) const { return levels_[search] != Lanes::none; }

  [[nodiscard]] Lanes levels() const {
    // In one load, with the end of the parents where the levels are fewer than the lanes.
    constexpr std::size_t begin = searches * sizeof(Entry) - Lanes::first_lane * sizeof(Level);
    static_assert(std::is_standard_layout_v<TreeRecord> && searches * sizeof(Entry) >= Lanes::first_lane);
    Lanes lanes;
    std::memcpy(&lanes, reinterpret_cast<const std::byte*>(this) + begin, sizeof(lanes));
    lanes.levels |= std::bit_cast<typename Lanes::Vector>(outside);
    return lanes;
  }

  /// Whether any search has this parent.
  [[nodiscard]] bool has_parent(Label other) const {
    return any_search_with(parents_, static_cast<Entry>(other.value));
  }
  /// An edge leads to `other`: marks the searches that have it for a parent. From any thread.
  void meet(Label other) { add_marks(met_, searches_with(parents_, static_cast<Entry>(other.value))); }
  /// Whether the edge to the search's parent was met.
  [[nodiscard]] bool met(std::size_t search) const { return (met_ >> search & 1U) != 0; }

 private:
  /// Or-ed, it makes none of what is before the levels. A constant: values set one by one would be waited for.
  static constexpr std::array<Level, Lanes::count> outside = [] {
    std::array<Level, Lanes::count> lanes{};
    for (std::size_t i = 0; i < Lanes::first_lane; ++i) lanes[i] = Lanes::none;
    return lanes;
  }();

  std::array<Entry, searches> parents_;
  std::array<Level, searches> levels_;
  SearchMarks<searches> met_;
};

}  // namespace breadth
