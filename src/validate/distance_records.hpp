// What an edge has to know of a label in all searches for shortest paths of a batch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/ids.hpp"
#include "validate/lanes.hpp"
#include "validate/tree_records.hpp"

namespace breadth {

/// Distances and parents of one label in `searches` searches, and the distances of these parents, which an edge to them
/// has to bridge. Four searches take 52 bytes with parents of 4 bytes.
template <class Entry, std::size_t searches>
class DistanceRecord {
 public:
  using Lanes = DistanceLanes<float, searches>;

  void set(std::size_t search, Label parent, float distance) {
    parents_[search] = static_cast<Entry>(parent.value);  // no_label is all bits set in either width
    distances_[search] = distance;
  }
  void set_parent_distance(std::size_t search, float distance) { parent_distances_[search] = distance; }
  [[nodiscard]] bool inside(std::size_t search) const { return distances_[search] < Lanes::none; }

  [[nodiscard]] Lanes distances() const {
    static_assert(std::is_standard_layout_v<DistanceRecord>);
    Lanes lanes;
    std::memcpy(&lanes, distances_.data(), sizeof(lanes));
    return lanes;
  }

  /// Whether any search has this parent.
  [[nodiscard]] bool has_parent(Label other) const {
    return any_search_with(parents_, static_cast<Entry>(other.value));
  }
  /// An edge of that weight leads to `other`: marks the searches that have it for a parent, and those whose distance
  /// the edge explains. From any thread.
  void meet(Label other, float weight) {
    const SearchMarks<searches> met = searches_with(parents_, static_cast<Entry>(other.value));
    SearchMarks<searches> bridged = 0;
    for (std::size_t s = 0; s < searches; ++s) {
      const bool same = parent_distances_[s] + weight == distances_[s];
      bridged = static_cast<SearchMarks<searches>>(bridged | ((same ? 1U : 0U) << s));
    }
    add_marks(met_, met);
    add_marks(bridged_, static_cast<SearchMarks<searches>>(met & bridged));
  }
  /// Whether an edge to the search's parent was met, and one of the right weight.
  [[nodiscard]] bool met(std::size_t search) const { return (met_ >> search & 1U) != 0; }
  [[nodiscard]] bool bridged(std::size_t search) const { return (bridged_ >> search & 1U) != 0; }

 private:
  std::array<Entry, searches> parents_;
  std::array<float, searches> distances_;
  std::array<float, searches> parent_distances_;
  SearchMarks<searches> met_;
  SearchMarks<searches> bridged_;
};

}  // namespace breadth
