// What a search for shortest paths claims beside its tree: distances.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

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
      broken.add(Rule::distance, [&] { return fmt::format("root {} has distance {}", label.value, distance); });
    } else if (level != no_level && !is_finite_not_negative(distance)) {
      broken.add(Rule::distance,
                 [&] { return fmt::format("vertex {} in the tree has distance {}", label.value, distance); });
    } else if (result.parents[i] == no_label && distance != none) {
      broken.add(Rule::distance,
                 [&] { return fmt::format("vertex {} without a parent has distance {}", label.value, distance); });
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
    broken.add(Rule::distance_span, [&] {
      return fmt::format("edge ({}, {}) of weight {} joins distances {} and {}", edge.source.value, edge.target.value,
                         edge.weight, source, target);
    });
  }
  /// What an edge from the tree to a vertex outside says of that, where the weights are to blame.
  static std::string why_it_leaves(const WeightedEdge& edge, float distance) {
    if (!std::isinf(distance + edge.weight)) return {};
    return fmt::format("; by its weight {} the other's distance goes beyond {:.3g}, the largest that 32 bits hold",
                       edge.weight, std::numeric_limits<float>::max());
  }
  static void check_weight(const WeightedEdge& edge, BrokenRules& broken) {
    if (is_finite_not_negative(edge.weight)) return;
    broken.add(Rule::weight, [&] {
      return fmt::format("edge ({}, {}) has weight {}", edge.source.value, edge.target.value, edge.weight);
    });
  }
  static void check_parent_edge(const Record& record, std::size_t s, const ShortestPathResult& result, std::size_t i,
                                Label label, BrokenRules& broken) {
    if (record.bridged(s)) return;
    broken.add(Rule::distance, [&] {
      return fmt::format("vertex {} has distance {}; no edge to its parent {} gives that", label.value,
                         result.distances[i], result.parents[i].value);
    });
  }

 private:
  /// False for what is not a number.
  static bool is_finite_not_negative(float value) {
    return value >= 0 && value < std::numeric_limits<float>::infinity();
  }
};

}  // namespace breadth
