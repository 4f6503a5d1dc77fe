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
  [[nodiscard]] Level level(std::size_t search) const { return levels_[search]; }

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
    const auto entry = static_cast<Entry>(other.value);
    Entry same = 0;
    for (std::size_t s = 0; s < searches; ++s) same |= static_cast<Entry>(parents_[s] == entry);
    return same != 0;
  }
  /// An edge leads to `other`: marks the searches that have it for a parent. From any thread.
  void meet(Label other) {
    const auto entry = static_cast<Entry>(other.value);
    Marks marks = 0;
    for (std::size_t s = 0; s < searches; ++s) {
      marks = static_cast<Marks>(marks | ((parents_[s] == entry ? 1U : 0U) << s));
    }
    const std::atomic_ref<Marks> met(met_);
    if ((met.load(std::memory_order_relaxed) & marks) != marks) met.fetch_or(marks, std::memory_order_relaxed);
  }
  /// Whether the edge to the search's parent was met.
  [[nodiscard]] bool met(std::size_t search) const { return (met_ >> search & 1U) != 0; }

 private:
  /// Or-ed, it makes none of what is before the levels. A constant: values set one by one would be waited for.
  static constexpr std::array<Level, Lanes::count> outside = [] {
    std::array<Level, Lanes::count> lanes{};
    for (std::size_t i = 0; i < Lanes::first_lane; ++i) lanes[i] = Lanes::none;
    return lanes;
  }();
  using Marks = std::conditional_t<(searches > 8), std::uint16_t, std::uint8_t>;
  static_assert(searches <= 16);

  std::array<Entry, searches> parents_;
  std::array<Level, searches> levels_;
  Marks met_;
};

}  // namespace breadth
