// The validation rules that all kinds of searches share, for a few searches at a time, and the choice of searches that
// share a pass over the edge list.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "validate/edge_pass.hpp"
#include "validate/report.hpp"
#include "validate/tree_levels.hpp"
#include "validate/tree_records.hpp"

namespace breadth {

/// The edge list, and the ranks that have it.
struct ValidationInput {
  const EdgeList& edges;
  Directedness directedness;
  const BlockDistribution& distribution;
  const Context& context;
};

/// Validates at most Rules::searches results in one pass over the edge list. The rules of the tree are the same for
/// every kind of search. `Rules` (validate_bfs.cpp, validate_sssp.cpp) has those for the other results and for edges:
/// - Result, with `root` and `parents`; Tuple, the type of tuple that it needs;
/// - Record, which tells whether a label is `inside` the tree of a search, and Levels, its lanes;
/// - record() fills the part of one search, prepare() adds the data from other ranks;
/// - check_label() checks what a search claims of a label, check_edge() both ends of an edge in a tree, fits() both
///   ends in all searches at once, check_weight() the tuple alone, check_parent_edge() the edges between a label and
///   its parent; why_it_leaves() explains an edge that leaves the tree, from its end in the tree.
template <class Rules>
class TreeValidation {
 public:
  using Result = typename Rules::Result;
  using Record = typename Rules::Record;
  using Levels = typename Record::Lanes;
  using Tuple = typename Rules::Tuple;

  /// `levels` has the levels of the results' trees, search by search.
  TreeValidation(const ValidationInput& input, std::span<const Result> results, std::vector<TreeLevels> levels)
      : input_(input),
        results_(results),
        rank_(input.context.ranks.rank()),
        records_(input.distribution.count(rank_), input.context.pool),
        counts_(static_cast<std::size_t>(input.context.threads.size())) {
    check_trees(levels);
  }

  /// Runs the validation. Collective. Must be called only once.
  std::vector<ValidationReport> run() {
    Rules::prepare(input_, results_, records_.span());
    EdgePass(input_.edges, input_.distribution, input_.context, *this).run();
    check_parent_edges();
    std::vector<ValidationReport> reports;
    for (std::size_t s = 0; s < results_.size(); ++s) reports.push_back(report(s));
    return reports;
  }

  // The callbacks for EdgePass (EdgeVisitor). Tree edges are marked when they are visited.
  [[nodiscard]] Levels levels(std::size_t own) const { return Rules::levels(records_[own]); }
  void prefetch(std::size_t own) const {
    const auto* record = reinterpret_cast<const std::byte*>(records_.data() + own);
    for (std::size_t line = 0; line < sizeof(Record); line += 64) __builtin_prefetch(record + line);
  }
  void meet(std::size_t own, const Tuple& edge, bool own_is_target) {
    const Label other = own_is_target ? edge.source : edge.target;
    if (!records_[own].has_parent(other)) return;
    if (own_is_target || input_.directedness == Directedness::undirected) Rules::meet(records_[own], other, edge);
  }
  void check(const Tuple& edge, const Levels& source, const Levels& target, int thread) {
    if (Rules::fits(edge, source, target, input_.directedness)) {  // nearly all fit: one branch for all searches
      count(thread).traversed_edges.add(
          [&](std::size_t lane) { return source.inside(lane) && target.inside(lane) ? 1 : 0; });
    } else {
      for (std::size_t s = 0; s < results_.size(); ++s) check_edge(s, edge, source, target, count(thread));
    }
  }
  void miss(const Tuple& edge, int thread) {
    for (std::size_t s = 0; s < results_.size(); ++s) {
      count(thread).trees[s].broken.add(Rule::covers_edge_list,
                                        [&] { return edge_outside_text(edge, input_.distribution.vertex_count()); });
    }
  }

 private:
  static constexpr std::size_t labels_per_block = std::size_t{1} << 12;

  /// The results of one thread for one search, except the count of edges.
  struct TreeCount {
    BrokenRules broken;
    std::uint64_t reached = 0;
    std::uint64_t depth = 0;
  };
  struct alignas(64) Count {
    LaneCounts<Levels::count> traversed_edges;
    std::array<TreeCount, Rules::searches> trees;
  };

  [[nodiscard]] Count& count(int thread) { return counts_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Label label(std::size_t i) const { return input_.distribution.label(rank_, i); }

  /// Checks the rules that need no edge, and fills the records.
  void check_trees(std::span<const TreeLevels> levels) {
    for (std::size_t s = 0; s < results_.size(); ++s) check_root(s);
    over_labels([&](IndexRange range, Count& count) {
      std::fill(records_.begin() + range.begin, records_.begin() + range.end, Record{});
      for (std::size_t s = 0; s < Rules::searches; ++s) {
        if (s < results_.size()) {
          check_tree(s, levels[s], range, count.trees[s]);
        } else {  // an unused lane
          for (std::size_t i = range.begin; i < range.end; ++i) records_[i].set(s, no_label, Rules::none);
        }
      }
    });
  }

  void check_root(std::size_t s) {
    const Label root = results_[s].root;
    if (root.index() < input_.distribution.vertex_count() || rank_ != 0) return;
    count(0).trees[s].broken.add(Rule::root, [&] { return no_root_text(root); });
  }

  void check_tree(std::size_t s, const TreeLevels& levels, IndexRange range, TreeCount& count) {
    const Result& result = results_[s];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t level = levels[i];
      Rules::record(records_[i], s, result, i, level);
      if (level != no_level) {
        ++count.reached;
        count.depth = std::max(count.depth, std::uint64_t{level});
      }
      check_parent(result, i, level, count.broken);
      Rules::check_label(result, i, label(i), level, count.broken);
    }
  }

  void check_parent(const Result& result, std::size_t i, std::uint32_t level, BrokenRules& broken) const {
    const Label parent = result.parents[i];
    const Label vertex = label(i);
    if ((vertex == result.root) != (parent == vertex)) {
      broken.add(Rule::root, [&] { return parent_text(vertex, parent); });
    }
    if (parent == no_label) return;
    if (parent.value < 0 || parent.index() >= input_.distribution.vertex_count()) {
      broken.add(Rule::parent_range, [&] { return parent_text(vertex, parent); });
    } else if (level == no_level) {
      broken.add(Rule::leads_to_root, [&] { return no_way_text(vertex, parent, result.root); });
    }
  }

  /// Checks an edge that breaks a rule in this search or another of the pass: it leaves the tree, or its ends do not
  /// fit.
  void check_edge(std::size_t s, const Tuple& edge, const Levels& source, const Levels& target, Count& count) const {
    const bool source_inside = source.inside(Levels::first_lane + s);
    const bool target_inside = target.inside(Levels::first_lane + s);
    BrokenRules& broken = count.trees[s].broken;
    if (source_inside && target_inside) {
      count.traversed_edges.add_to(Levels::first_lane + s);
      Rules::check_edge(edge, source.of(s), target.of(s), input_.directedness, broken);
    } else if (source_inside || (target_inside && input_.directedness == Directedness::undirected)) {
      broken.add(Rule::spanning, [&] {
        return one_end_text(edge, source_inside ? edge.source : edge.target) +
               Rules::why_it_leaves(edge, (source_inside ? source : target).of(s));
      });
    }
    Rules::check_weight(edge, broken);
  }

  void check_parent_edges() {
    over_labels([&](IndexRange range, Count& count) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        for (std::size_t s = 0; s < results_.size(); ++s) {
          if (!records_[i].inside(s) || label(i) == results_[s].root) continue;
          BrokenRules& broken = count.trees[s].broken;
          if (records_[i].met(s)) {
            Rules::check_parent_edge(records_[i], s, results_[s], i, label(i), broken);
          } else {
            broken.add(Rule::tree_edge, [&] { return no_neighbour_text(label(i), results_[s].parents[i]); });
          }
        }
      }
    });
  }

  template <class Body>
  void over_labels(Body&& body) {
    parallel_blocks(input_.context.threads, records_.size(), labels_per_block,
                    [&](IndexRange range, int thread) { body(range, count(thread)); });
  }

  [[nodiscard]] ValidationReport report(std::size_t s) const {
    TreeCount total;
    std::uint64_t traversed_edges = 0;
    for (const Count& count : counts_) {
      const TreeCount& tree = count.trees[s];
      total.broken.add(tree.broken);
      total.reached += tree.reached;
      total.depth = std::max(total.depth, tree.depth);
      traversed_edges += count.traversed_edges.total(Levels::first_lane + s);
    }
    const Communicator& ranks = input_.context.ranks;
    ValidationReport report;
    report.broken = total.broken.gather(ranks);
    report.reached = ranks.all_reduce(total.reached, Reduction::sum);
    report.depth = ranks.all_reduce(total.depth, Reduction::maximum);
    report.traversed_edges = ranks.all_reduce(traversed_edges, Reduction::sum);
    return report;
  }

  ValidationInput input_;
  std::span<const Result> results_;
  int rank_;
  Buffer<Record> records_;
  std::vector<Count> counts_;
};

// Passes.

/// The number of searches that share a pass, by the width of their levels.
struct PassWidth {
  std::size_t narrow;  ///< levels of one byte
  std::size_t wide;    ///< of 4 bytes
};

/// Bytes per label that a validation takes, for passes with `levels` trees of one-byte levels and records of
/// `record_bytes`. The levels are in memory while they are computed and until they are copied to records.
template <class Entry>
constexpr std::size_t pass_bytes_per_label(std::size_t levels, std::size_t record_bytes) {
  constexpr std::size_t doubling = 4 * sizeof(Entry);  // two ancestors, each with its steps (tree_levels.cpp)
  return levels + std::max(record_bytes, doubling);
}

/// Computes the levels of as many of the first trees as can share a pass.
template <class Result>
std::vector<TreeLevels> levels_of_pass(std::span<const Result> results, const PassWidth& width,
                                       const ValidationInput& input) {
  std::vector<TreeLevels> levels;
  std::size_t room = width.narrow;
  while (levels.size() < std::min(room, results.size())) {
    const Result& next = results[levels.size()];
    levels.push_back(tree_levels(next.parents, next.root, input.distribution, input.context));
    if (levels.back().wide()) room = width.wide;
  }
  while (levels.size() > room) levels.pop_back();
  return levels;
}

/// Validates all results, pass by pass: calls validate_pass(results, levels, wide_parents) with those of one pass.
/// Returns all reports.
template <class Result, class ValidatePass>
std::vector<ValidationReport> validate_in_passes(std::span<const Result> results, const PassWidth& width,
                                                 const ValidationInput& input, ValidatePass&& validate_pass) {
  std::vector<ValidationReport> reports;
  while (reports.size() < results.size()) {
    const std::span left = results.subspan(reports.size());
    std::vector<TreeLevels> levels = levels_of_pass(left, width, input);
    const std::span pass = left.first(levels.size());
    const bool wide = std::ranges::any_of(pass, [](const Result& result) { return result.parents.wide(); });
    for (ValidationReport& report : validate_pass(pass, std::move(levels), wide)) reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace breadth
