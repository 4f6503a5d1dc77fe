// The rules, for a few searches at a time.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/buffer.hpp"
#include "core/parallel.hpp"
#include "validate/edge_pass.hpp"
#include "validate/tree_levels.hpp"
#include "validate/tree_records.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth {

/// The edge list, and the ranks that have it.
struct ValidationInput {
  const EdgeList& edges;
  Directedness directedness;
  const BlockDistribution& distribution;
  const Context& context;
};

/// Validates at most `searches` results in one pass over the edge list. `Level` holds every level, `Entry` every
/// parent.
template <class Entry, class Level, std::size_t searches>
class TreeValidation {
 public:
  using Record = TreeRecord<Entry, Level, searches>;
  using Levels = typename Record::Lanes;

  /// `levels` are those of the results' trees, search by search.
  TreeValidation(const ValidationInput& input, std::span<const SearchResult> results, std::vector<TreeLevels> levels)
      : input_(input),
        results_(results),
        rank_(input.context.ranks.rank()),
        records_(input.distribution.count(rank_), input.context.pool),
        counts_(static_cast<std::size_t>(input.context.threads.size())) {
    check_trees(levels);
  }

  /// Collective; once.
  std::vector<ValidationReport> run() {
    EdgePass(input_.edges, input_.distribution, input_.context, *this).run();
    check_tree_edges();
    std::vector<ValidationReport> reports;
    for (std::size_t s = 0; s < results_.size(); ++s) reports.push_back(report(s));
    return reports;
  }

  // As EdgePass wants it (EdgeVisitor). Tree edges are marked where they are met.
  [[nodiscard]] Levels levels(std::size_t own) const { return records_[own].levels(); }
  void prefetch(std::size_t own) const {
    const auto* record = reinterpret_cast<const std::byte*>(records_.data() + own);
    for (std::size_t line = 0; line < sizeof(Record); line += 64) __builtin_prefetch(record + line);
  }
  void meet(std::size_t own, Label other, bool own_is_target) {
    if (!records_[own].has_parent(other)) return;
    if (own_is_target || input_.directedness == Directedness::undirected) records_[own].meet(other);
  }
  void check(const Edge& edge, const Levels& source, const Levels& target, int thread) {
    if (are_near(source, target)) {  // as nearly all are: one branch for all searches
      count(thread).traversed_edges.add([&](std::size_t lane) { return source.levels[lane] != Levels::none ? 1 : 0; });
    } else {
      for (std::size_t s = 0; s < results_.size(); ++s) check_edge(s, edge, source.of(s), target.of(s), count(thread));
    }
  }
  void miss(const Edge& edge, int thread) {
    for (std::size_t s = 0; s < results_.size(); ++s) {
      count(thread).trees[s].broken.add(Rule::covers_edge_list, [&] {
        return fmt::format("edge ({}, {}): the result has labels 0 to {}", edge.source.value, edge.target.value,
                           input_.distribution.vertex_count() - 1);
      });
    }
  }

 private:
  static constexpr std::size_t labels_per_block = std::size_t{1} << 12;

  /// What one thread finds of one search, but for the edges.
  struct TreeCount {
    BrokenRules broken;
    std::uint64_t reached = 0;
    std::uint64_t depth = 0;
  };
  struct alignas(64) Count {
    LaneCounts<Levels::count> traversed_edges;
    std::array<TreeCount, searches> trees;
  };

  [[nodiscard]] Count& count(int thread) { return counts_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Label label(std::size_t i) const { return input_.distribution.label(rank_, i); }

  /// The rules that need no edge. Fills the records.
  void check_trees(std::span<const TreeLevels> levels) {
    for (std::size_t s = 0; s < results_.size(); ++s) check_root(s);
    over_labels([&](IndexRange range, Count& count) {
      std::fill(records_.begin() + range.begin, records_.begin() + range.end, Record{});
      for (std::size_t s = 0; s < searches; ++s) {
        if (s < results_.size()) {
          check_tree(s, levels[s], range, count.trees[s]);
        } else {  // a place that no search takes
          for (std::size_t i = range.begin; i < range.end; ++i) records_[i].set(s, no_label, no_level);
        }
      }
    });
  }

  void check_root(std::size_t s) {
    const Label root = results_[s].root;
    if (root.index() < input_.distribution.vertex_count() || rank_ != 0) return;
    count(0).trees[s].broken.add(Rule::root,
                                 [&] { return fmt::format("root {} is not a label of the graph", root.value); });
  }

  void check_tree(std::size_t s, const TreeLevels& levels, IndexRange range, TreeCount& count) {
    const SearchResult& result = results_[s];
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t level = levels[i];
      records_[i].set(s, result.parents[i], level);
      if (level != no_level) {
        ++count.reached;
        count.depth = std::max(count.depth, std::uint64_t{level});
      }
      check_parent(result, i, level, count.broken);
      if (!result.claimed_levels.empty()) check_level(result, i, level, count.broken);
    }
  }

  void check_parent(const SearchResult& result, std::size_t i, std::uint32_t level, BrokenRules& broken) const {
    const Label parent = result.parents[i];
    const Label vertex = label(i);
    if ((vertex == result.root) != (parent == vertex)) {
      broken.add(Rule::root, [&] { return fmt::format("vertex {} has parent {}", vertex.value, parent.value); });
    }
    if (parent == no_label) return;
    if (parent.value < 0 || parent.index() >= input_.distribution.vertex_count()) {
      broken.add(Rule::parent_range,
                 [&] { return fmt::format("vertex {} has parent {}", vertex.value, parent.value); });
    } else if (level == no_level) {
      broken.add(Rule::leads_to_root, [&] {
        return fmt::format("from vertex {} with parent {} there is no way to root {}", vertex.value, parent.value,
                           result.root.value);
      });
    }
  }

  void check_level(const SearchResult& result, std::size_t i, std::uint32_t found, BrokenRules& broken) const {
    const std::int64_t level = found == no_level ? -1 : std::int64_t{found};
    if (result.claimed_levels[i] == level) return;
    broken.add(Rule::level, [&] {
      return fmt::format("vertex {} has level {}; its parents give {}", label(i).value, result.claimed_levels[i],
                         level);
    });
  }

  /// An edge that, in this search or another of the pass, leaves the tree or joins levels that are not neighbours.
  void check_edge(std::size_t s, const Edge& edge, Level source_level, Level target_level, Count& count) const {
    const bool source_inside = source_level != Levels::none;
    const bool target_inside = target_level != Levels::none;
    const bool directed = input_.directedness == Directedness::directed;
    BrokenRules& broken = count.trees[s].broken;
    if (source_inside && target_inside) {
      count.traversed_edges.add_to(Levels::first_lane + s);
      const std::uint64_t step_down = target_level > source_level ? target_level - source_level : 0;
      const std::uint64_t step_up = source_level > target_level ? source_level - target_level : 0;
      if (step_down <= 1 && (directed || step_up <= 1)) return;
      broken.add(Rule::edge_span, [&] {
        return fmt::format("edge ({}, {}) joins levels {} and {}", edge.source.value, edge.target.value, source_level,
                           target_level);
      });
    } else if (source_inside || (target_inside && !directed)) {
      broken.add(Rule::spanning, [&] {
        return fmt::format("edge ({}, {}): only {} is in the tree", edge.source.value, edge.target.value,
                           source_inside ? edge.source.value : edge.target.value);
      });
    }
  }

  void check_tree_edges() {
    over_labels([&](IndexRange range, Count& count) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        for (std::size_t s = 0; s < results_.size(); ++s) {
          const Record& record = records_[i];
          if (record.level(s) == Levels::none || label(i) == results_[s].root || record.met(s)) continue;
          count.trees[s].broken.add(Rule::tree_edge, [&] {
            return fmt::format("vertex {} has parent {}, which is not its neighbour", label(i).value,
                               results_[s].parents[i].value);
          });
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
  std::span<const SearchResult> results_;
  int rank_;
  Buffer<Record> records_;
  std::vector<Count> counts_;
};

}  // namespace breadth
