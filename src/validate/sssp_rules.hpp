// What a search for shortest paths claims beside its tree: distances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "validate/case_text.hpp"
#include "validate/distance_records.hpp"
#include "validate/parent_distances.hpp"
#include "validate/tree_validation.hpp"
#include "validate/validate_sssp.hpp"

namespace breadth {

/// As TreeValidation wants it. `Entry` holds every parent. Distances are added up as searches do, in 32 bits: they are
/// exactly the parent's plus the weight of an edge to it, and no edge shortens a way by any amount.
template <class Entry, std::size_t searches_a_pass>
struct SsspRules {
  using Result = ShortestPathResult;
  using Tuple = WeightedEdge;
  using Record = DistanceRecord<Entry, searches_a_pass>;
  using Levels = typename Record::Lanes;
  static constexpr std::size_t searches = searches_a_pass;
  static constexpr float none = Levels::none;

  static void record(Record& record, std::size_t s, const ShortestPathResult& result, std::size_t i,
                     std::uint32_t level) {
    record.set(s, result.parents[i], level == no_level ? none : result.distances[i]);
  }
  /// An edge is met at one end after the other; it has to know the distance of the parent at both.
  static void prepare(const ValidationInput& input, std::span<const ShortestPathResult> results,
                      std::span<Record> records) {
    for (std::size_t s = 0; s < results.size(); ++s) {
      find_parent_distances(results[s].parents, results[s].distances, input.distribution, input.context,
                            [&](std::size_t i, float distance) { records[i].set_parent_distance(s, distance); });
    }
  }
  static Levels levels(const Record& record) { return record.distances(); }
  static void meet(Record& record, Label other, const WeightedEdge& edge) { record.meet(other, edge.weight); }

  static void check_label(const ShortestPathResult& result, std::size_t i, Label label, std::uint32_t level,
                          BrokenRules& broken) {
    const float distance = result.distances[i];
    if (label == result.root && distance != 0) {
      broken.add(Rule::distance, [&] { return root_distance_text(label, distance); });
    } else if (level != no_level && !is_finite_not_negative(distance)) {
      broken.add(Rule::distance, [&] { return tree_distance_text(label, distance); });
    } else if (result.parents[i] == no_label && distance != none) {
      broken.add(Rule::distance, [&] { return lone_distance_text(label, distance); });
    }
  }
  static bool fits(const WeightedEdge& edge, const Levels& source, const Levels& target, Directedness directedness) {
    return is_finite_not_negative(edge.weight) && keeps_distances(source, target, edge.weight) &&
           (directedness == Directedness::directed || keeps_distances(target, source, edge.weight));
  }
  static void check_edge(const WeightedEdge& edge, float source, float target, Directedness directedness,
                         BrokenRules& broken) {
    const bool forward = source + edge.weight >= target;
    if (forward && (directedness == Directedness::directed || target + edge.weight >= source)) return;
    broken.add(Rule::distance_span, [&] { return distance_span_text(edge, edge.weight, source, target); });
  }
  /// What an edge from the tree to a vertex outside says of that, where the weights are to blame.
  static std::string why_it_leaves(const WeightedEdge& edge, float distance) {
    return beyond_text(edge.weight, distance);
  }
  static void check_weight(const WeightedEdge& edge, BrokenRules& broken) {
    if (is_finite_not_negative(edge.weight)) return;
    broken.add(Rule::weight, [&] { return weight_text(edge, edge.weight); });
  }
  static void check_parent_edge(const Record& record, std::size_t s, const ShortestPathResult& result, std::size_t i,
                                Label label, BrokenRules& broken) {
    if (record.bridged(s)) return;
    broken.add(Rule::distance, [&] { return parent_distance_text(label, result.parents[i], result.distances[i]); });
  }

 private:
  /// False for what is not a number.
  static bool is_finite_not_negative(float value) {
    return value >= 0 && value < std::numeric_limits<float>::infinity();
  }
};

}  // namespace breadth
