// The data of a label in all searches of a batch that the check of an edge needs, side by side in one record.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/ids.hpp"

namespace breadth {

// The values of several searches, side by side.

/// The levels of one label in a batch of searches; search s has lane first_lane + s. Levels of one byte fill a register
/// of 16; the lanes before first_lane may have any value. A vector type, because only this stays in a register between
/// functions.
template <class Level, std::size_t searches>
struct LevelLanes {
  static constexpr std::size_t count = sizeof(Level) == 1 && searches > 1 && searches < 16 ? 16 : searches;
  static constexpr std::size_t first_lane = count - searches;
  /// no_level in this width.
  static constexpr Level none = std::numeric_limits<Level>::max();

  typedef Level Vector __attribute__((vector_size(count * sizeof(Level))));  // NOLINT(modernize-use-using)
  Vector levels;

  [[nodiscard]] Level of(std::size_t search) const { return levels[first_lane + search]; }
  /// Whether the label is in the tree of the search with this lane.
  [[nodiscard]] bool inside(std::size_t lane) const { return levels[lane] != none; }

  /// Whether in every search the two levels differ by at most one, or both are none.
  [[nodiscard]] friend bool are_near(const LevelLanes& a, const LevelLanes& b) {
    const Vector apart = a.levels > b.levels ? a.levels - b.levels : b.levels - a.levels;
    const Vector more = apart & static_cast<Level>(~Level{1});  // the deepest level is still two above none
    if constexpr (sizeof(Vector) == 16) {                       // a sum over lanes would take too long
      const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(more);
      return (words[0] | words[1]) == 0;
    } else {
      Level any = 0;
      for (std::size_t i = 0; i < count; ++i) any |= more[i];
      return any == 0;
    }
  }
};

/// The distances of one label in a batch of searches; search s has lane s. Infinity outside the tree. A vector type, as
/// LevelLanes.
template <class Distance, std::size_t searches>
struct DistanceLanes {
  static constexpr std::size_t count = searches;
  static constexpr std::size_t first_lane = 0;
  static constexpr Distance none = std::numeric_limits<Distance>::infinity();

  typedef Distance Vector __attribute__((vector_size(count * sizeof(Distance))));  // NOLINT(modernize-use-using)
  Vector distances;

  [[nodiscard]] Distance of(std::size_t search) const { return distances[search]; }
  [[nodiscard]] bool inside(std::size_t lane) const { return distances[lane] < none; }

  /// Whether in every search an edge of this weight leads into the tree if `source` is in it, and does not shorten the
  /// distance of `target`. Sums are rounded as in a search; false if a value is not a number.
  [[nodiscard]] friend bool keeps_distances(const DistanceLanes& source, const DistanceLanes& target, Distance weight) {
    const auto fit =
        (source.distances + weight >= target.distances) & ((target.distances < none) | (source.distances == none));
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) all &= fit[i] != 0;
    return all;
  }
};

/// Counters for several searches: bytes, which are added to the totals before they can overflow.
template <std::size_t lanes>
class LaneCounts {
 public:
  /// Adds one(lane), which is 0 or 1, to each lane.
  template <class One>
  void add(One&& one) {
    for (std::size_t i = 0; i < lanes; ++i) recent_[i] = static_cast<std::uint8_t>(recent_[i] + one(i));
    if (++additions_ == std::numeric_limits<std::uint8_t>::max()) flush();
  }
  void add_to(std::size_t lane) { ++totals_[lane]; }
  /// The sum of all additions to a lane.
  [[nodiscard]] std::uint64_t total(std::size_t lane) const { return totals_[lane] + recent_[lane]; }

 private:
  void flush() {
    for (std::size_t i = 0; i < lanes; ++i) totals_[i] += recent_[i];
    recent_ = {};
    additions_ = 0;
  }

  std::array<std::uint8_t, lanes> recent_{};
  std::uint32_t additions_ = 0;
  std::array<std::uint64_t, lanes> totals_{};
};

// Records of labels.

/// A bit for each of several searches.
template <std::size_t searches>
using SearchMarks = std::conditional_t<(searches > 8), std::uint16_t, std::uint8_t>;

/// The marks of the searches in which the label has this parent.
template <class Entry, std::size_t searches>
SearchMarks<searches> searches_with(const std::array<Entry, searches>& parents, Entry parent) {
  static_assert(searches <= 16);
  SearchMarks<searches> marks = 0;
  for (std::size_t s = 0; s < searches; ++s) {
    marks = static_cast<SearchMarks<searches>>(marks | ((parents[s] == parent ? 1U : 0U) << s));
  }
  return marks;
}

/// Adds marks to a record, from any thread. Mostly they are already set.
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

/// Levels and parents of one label in `searches` searches. With parents of 4 bytes and levels of one, twelve searches
/// fill a cache line. All bits set mean no parent or no level.
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
    // Loads in one instruction, including the end of the parents if there are fewer levels than lanes.
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
  /// Records an edge to `other`: marks the searches in which it is the parent. From any thread.
  void meet(Label other) { add_marks(met_, searches_with(parents_, static_cast<Entry>(other.value))); }
  /// Whether an edge to the parent in this search was recorded.
  [[nodiscard]] bool met(std::size_t search) const { return (met_ >> search & 1U) != 0; }

 private:
  /// A mask that turns the lanes before the levels into `none`. A constant, because a load of values that were stored
  /// one by one would have to wait for them.
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
