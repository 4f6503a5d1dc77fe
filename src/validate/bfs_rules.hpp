// What breadth-first search claims beside its tree: levels.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "validate/case_text.hpp"
#include "validate/tree_records.hpp"
#include "validate/tree_validation.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {

/// As TreeValidation wants it. `Level` holds every level, `Entry` every parent.
template <class Entry, class Level, std::size_t searches_a_pass>
struct BfsRules {
  using Result = SearchResult;
  using Tuple = Edge;
  using Record = TreeRecord<Entry, Level, searches_a_pass>;
  using Levels = typename Record::Lanes;
  static constexpr std::size_t searches = searches_a_pass;
  static constexpr std::uint32_t none = no_level;

  static void record(Record& record, std::size_t s, const SearchResult& result, std::size_t i, std::uint32_t level) {
    record.set(s, result.parents[i], level);
  }
  /// Parents are all that an edge has to know of.
  static void prepare(const ValidationInput&, std::span<const SearchResult>, std::span<Record>) {}
  static Levels levels(const Record& record) { return record.levels(); }
  static void meet(Record& record, Label other, const Edge&) { record.meet(other); }

  static void check_label(const SearchResult& result, std::size_t i, Label label, std::uint32_t found,
                          BrokenRules& broken) {
    if (result.claimed_levels.empty()) return;
    const std::int64_t level = found == no_level ? -1 : std::int64_t{found};
    if (result.claimed_levels[i] == level) return;
    broken.add(Rule::level, [&] {
      return fmt::format("vertex {} has level {}; its parents give {}", label.value, result.claimed_levels[i], level);
    });
  }
  /// Also of a directed graph: where its levels fall by more than one, the edge is looked at for itself.
  static bool fits(const Edge&, const Levels& source, const Levels& target, Directedness) {
    return are_near(source, target);
  }
  static void check_edge(const Edge& edge, Level source, Level target, Directedness directedness, BrokenRules& broken) {
    const std::uint64_t step_down = target > source ? target - source : 0;
    const std::uint64_t step_up = source > target ? source - target : 0;
    if (step_down <= 1 && (directedness == Directedness::directed || step_up <= 1)) return;
    broken.add(Rule::edge_span, [&] { return edge_span_text(edge, source, target); });
  }
  static void check_weight(const Edge&, BrokenRules&) {}
  static void check_parent_edge(const Record&, std::size_t, const SearchResult&, std::size_t, Label, BrokenRules&) {}
};

}  // namespace breadth
