#include "validate/validate.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "validate/label_messages.hpp"
#include "validate/report.hpp"
#include "validate/tree_records.hpp"
#include "validate/tree_validation.hpp"

namespace breadth {

/// Calls set(i, distance) for each label of this rank's block with the distance of its parent, or with NaN if its
/// parent is not a label of the graph. From all threads. Collective: a look-up for each label, in bounded exchanges.
template <class Set>
void find_parent_distances(const LabelArray& parents, std::span<const float> distances,
                           const BlockDistribution& distribution, const Context& context, Set&& set) {
  const std::size_t first_own = distribution.first(context.ranks.rank()).index();
  LabelQuestions<std::uint64_t, float> questions(distribution, context);
  const auto look_up = [&](std::size_t i, int thread) {
    const Label parent = parents[i];
    const std::size_t place = parent.index() - first_own;
    if (place < distances.size()) {
      set(i, distances[place]);
    } else if (parent.index() < distribution.vertex_count()) {
      questions.add(thread, parent, i);
    } else {
      set(i, std::numeric_limits<float>::quiet_NaN());
    }
  };
  questions.ask_all(
      look_up, [&](std::uint64_t i) { return parents[i].index(); }, [&](std::size_t own) { return distances[own]; },
      [&](std::uint64_t i, float distance) { set(i, distance); });
}

/// The data of a label that the check of an edge needs: its distances and parents in `searches` searches, and the
/// distances of these parents. Four searches take 52 bytes with parents of 4 bytes.
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
  /// Records an edge of this weight to `other`: marks the searches in which `other` is the parent, and those in which
  /// the edge also explains the distance. From any thread.
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
  /// met(): whether an edge to the parent in this search was recorded; bridged(): one of the right weight.
  [[nodiscard]] bool met(std::size_t search) const { return (met_ >> search & 1U) != 0; }
  [[nodiscard]] bool bridged(std::size_t search) const { return (bridged_ >> search & 1U) != 0; }

 private:
  std::array<Entry, searches> parents_;
  std::array<float, searches> distances_;
  std::array<float, searches> parent_distances_;
  SearchMarks<searches> met_;
  SearchMarks<searches> bridged_;
};

/// The Rules of TreeValidation for shortest-path searches, which claim distances beside the tree. `Entry` holds every
/// parent. Distances are summed as in searches, in 32 bits: each must be exactly the parent's plus the weight of an
/// edge to it, and no edge may shorten a distance by any amount.
template <class Entry, std::size_t searches_per_pass>
struct SsspRules {
  using Result = ShortestPathResult;
  using Tuple = WeightedEdge;
  using Record = DistanceRecord<Entry, searches_per_pass>;
  using Levels = typename Record::Lanes;
  static constexpr std::size_t searches = searches_per_pass;
  static constexpr float none = Levels::none;

  static void record(Record& record, std::size_t s, const ShortestPathResult& result, std::size_t i,
                     std::uint32_t level) {
    record.set(s, result.parents[i], level == no_level ? none : result.distances[i]);
  }
  /// Fetches the distances of parents, because an edge is visited at one end after the other and the parent's distance
  /// is needed at both.
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
  /// Explains an edge from the tree to a vertex outside, if its weight is the reason.
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
  /// False for NaN.
  static bool is_finite_not_negative(float value) {
    return value >= 0 && value < std::numeric_limits<float>::infinity();
  }
};

namespace {

constexpr std::size_t pass_width(std::size_t per_pass) {
  return per_pass >= sssp_searches_per_pass.front() ? sssp_searches_per_pass.front() : 1;
}

/// Throws AgreedError unless every tuple has a weight, and every label of a block a parent and a distance.
void require_values(const EdgeList& edges, std::span<const ShortestPathResult> results,
                    const BlockDistribution& distribution, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (edges.size() > 0 && !edges.weighted()) fail("shortest paths cannot be validated: the edges have no weights");
    const std::size_t labels = distribution.count(ranks.rank());
    for (const auto& [root, parents, distances] : results) {
      if (parents.size() == labels && distances.size() == labels) continue;
      fail("a result with {} parents and {} distances for a block of {} labels", parents.size(), distances.size(),
           labels);
    }
  });
}

template <class Entry>
std::vector<ValidationReport> validate_pass(const ValidationInput& input, std::span<const ShortestPathResult> results,
                                            std::vector<TreeLevels> levels) {
  if (results.size() == 1) {
    return TreeValidation<SsspRules<Entry, 1>>(input, results, std::move(levels)).run();
  }
  return TreeValidation<SsspRules<Entry, sssp_searches_per_pass.front()>>(input, results, std::move(levels)).run();
}

template <class Entry>
std::size_t bytes_per_label(std::size_t per_pass) {
  const bool several = pass_width(per_pass) > 1;
  const std::size_t record =
      several ? sizeof(DistanceRecord<Entry, sssp_searches_per_pass.front()>) : sizeof(DistanceRecord<Entry, 1>);
  return pass_bytes_per_label<Entry>(pass_width(per_pass), record);
}

}  // namespace

std::size_t sssp_validation_bytes_per_label(std::size_t per_pass, std::size_t label_bytes) {
  return label_bytes == sizeof(std::uint32_t) ? bytes_per_label<std::uint32_t>(per_pass)
                                              : bytes_per_label<std::uint64_t>(per_pass);
}

std::vector<ValidationReport> validate_sssp(const EdgeList& edges, Directedness directedness,
                                            std::span<const ShortestPathResult> results,
                                            const BlockDistribution& distribution, const Context& context,
                                            std::size_t per_pass) {
  require_values(edges, results, distribution, context.ranks);
  const ValidationInput input{edges, directedness, distribution, context};
  const std::size_t width = pass_width(per_pass);
  return validate_in_passes(results, {.narrow = width, .wide = width}, input,
                            [&](std::span<const ShortestPathResult> pass, std::vector<TreeLevels> levels, bool wide) {
                              return wide ? validate_pass<std::uint64_t>(input, pass, std::move(levels))
                                          : validate_pass<std::uint32_t>(input, pass, std::move(levels));
                            });
}

ValidationReport validate_sssp(const EdgeList& edges, Directedness directedness, const ShortestPathResult& result,
                               const BlockDistribution& distribution, const Context& context) {
  return validate_sssp(edges, directedness, std::span(&result, 1), distribution, context).front();
}

}  // namespace breadth
