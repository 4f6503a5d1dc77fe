// The values of several searches side by side.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace breadth {

/// A batch's levels of one label: of search s at place first_lane + s. Bytes fill a register of 16, whatever is before
/// the first lane. A vector type, since only that stays in a register on its way between functions.
template <class Level, std::size_t searches>
struct LevelLanes {
  static constexpr std::size_t count = sizeof(Level) == 1 && searches > 1 && searches < 16 ? 16 : searches;
  static constexpr std::size_t first_lane = count - searches;
  /// What no_level is in this width.
  static constexpr Level none = std::numeric_limits<Level>::max();

  typedef Level Vector __attribute__((vector_size(count * sizeof(Level))));  // NOLINT(modernize-use-using)
  Vector levels;

  [[nodiscard]] Level of(std::size_t search) const { return levels[first_lane + search]; }
  /// Whether the label is in the tree of the search in that lane.
  [[nodiscard]] bool inside(std::size_t lane) const { return levels[lane] != none; }

  /// Whether in every search the two levels differ by at most one, or both are none.
  [[nodiscard]] friend bool are_near(const LevelLanes& a, const LevelLanes& b) {
    const Vector apart = a.levels > b.levels ? a.levels - b.levels : b.levels - a.levels;
    const Vector more = apart & static_cast<Level>(~Level{1});  // the deepest level is still two above none
    if constexpr (sizeof(Vector) == 16) {                       // a sum over lanes would take longer than all the rest
      const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(more);
      return (words[0] | words[1]) == 0;
    } else {
      Level any = 0;
      for (std::size_t i = 0; i < count; ++i) any |= more[i];
      return any == 0;
    }
  }
};

/// A batch's distances of one label: of search s at place s, infinity outside the tree. A vector type as LevelLanes.
template <class Distance, std::size_t searches>
struct DistanceLanes {
  static constexpr std::size_t count = searches;
  static constexpr std::size_t first_lane = 0;
  static constexpr Distance none = std::numeric_limits<Distance>::infinity();

  typedef Distance Vector __attribute__((vector_size(count * sizeof(Distance))));  // NOLINT(modernize-use-using)
  Vector distances;

  [[nodiscard]] Distance of(std::size_t search) const { return distances[search]; }
  [[nodiscard]] bool inside(std::size_t lane) const { return distances[lane] < none; }

  /// Whether in every search an edge of that weight from `source` leads into the tree if it starts there, and shortens
  /// no way to `target`. Sums are rounded as a search rounds them; what is not a number fits nowhere.
  [[nodiscard]] friend bool keeps_distances(const DistanceLanes& source, const DistanceLanes& target, Distance weight) {
    const auto fit =
        (source.distances + weight >= target.distances) & ((target.distances < none) | (source.distances == none));
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) all &= fit[i] != 0;
    return all;
  }
};

/// Counts in several searches at once: in bytes, which are added up before one can overflow.
template <std::size_t lanes>
class LaneCounts {
 public:
  /// `one(lane)` is 0 or 1.
  template <class One>
  void add(One&& one) {
    for (std::size_t i = 0; i < lanes; ++i) recent_[i] = static_cast<std::uint8_t>(recent_[i] + one(i));
    if (++additions_ == std::numeric_limits<std::uint8_t>::max()) flush();
  }
  void add_to(std::size_t lane) { ++totals_[lane]; }
  /// Everything that was added.
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

}  // namespace breadth
