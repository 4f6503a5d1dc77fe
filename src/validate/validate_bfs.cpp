#include "validate/validate_bfs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/agreement.hpp"
#include "core/bitmap.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "validate/edge_pass.hpp"
#include "validate/tree_levels.hpp"

namespace breadth {

namespace {

constexpr std::size_t labels_per_block = std::size_t{1} << 14;

/// What the edge pass looks up of a label, in 8 bytes where labels fit 4. All bits set mean none.
template <class Entry>
struct Node {
  Entry parent;
  std::uint32_t level;
};

/// What one thread counts.
struct alignas(64) Count {
  BrokenRules broken;
  std::uint64_t traversed_edges = 0;
  std::uint64_t reached = 0;
  std::uint64_t depth = 0;
};

template <class Entry>
class BfsValidation {
 public:
  BfsValidation(const EdgeList& edges, Directedness directedness, Label root, const LabelArray& parents,
                const BlockDistribution& distribution, const Context& context,
                std::span<const std::int32_t> claimed_levels)
      : edges_(edges),
        directedness_(directedness),
        root_(root),
        parents_(parents),
        claimed_levels_(claimed_levels),
        distribution_(distribution),
        context_(context),
        rank_(context.ranks.rank()),
        nodes_(parents.size()),
        has_input_edge_(parents.size()),
        counts_(static_cast<std::size_t>(context.threads.size())) {}

  ValidationReport run() {
    check_tree(tree_levels(parents_, root_, distribution_, context_));
    check_edges();
    check_tree_edges();
    return sum();
  }

  // As EdgePass wants it (EdgeVisitor). Tree edges are marked where they are met.
  [[nodiscard]] std::uint32_t level(std::size_t own) const { return nodes_[own].level; }
  void prefetch(std::size_t own) const { __builtin_prefetch(nodes_.data() + own); }
  void meet(std::size_t own, Label other, bool own_is_target) {
    if (nodes_[own].parent != static_cast<Entry>(other.value)) return;
    if (own_is_target || directedness_ == Directedness::undirected) has_input_edge_.insert_atomic(own);
  }
  void check(const Edge& edge, std::uint32_t source_level, std::uint32_t target_level, int thread) {
    const bool inside = (source_level != no_level) & (target_level != no_level);
    const std::uint32_t from_one_above = target_level - source_level + 1;
    if (inside && from_one_above <= 2) {  // as nearly all are: one branch
      ++count(thread).traversed_edges;
    } else {
      check_unusual(edge, source_level, target_level, count(thread));
    }
  }
  void miss(const Edge& edge, int thread) {
    count(thread).broken.add(Rule::covers_edge_list, [&] {
      return fmt::format("edge ({}, {}): the result has labels 0 to {}", edge.source.value, edge.target.value,
                         distribution_.vertex_count() - 1);
    });
  }

 private:
  static constexpr Entry no_parent = ~Entry{0};

  [[nodiscard]] Count& count(int thread) { return counts_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Label label(std::size_t i) const { return distribution_.label(rank_, i); }

  /// An edge that leaves the tree, lies outside it, or joins levels that are not neighbours.
  void check_unusual(const Edge& edge, std::uint32_t source_level, std::uint32_t target_level, Count& count) const {
    const bool source_inside = source_level != no_level;
    const bool target_inside = target_level != no_level;
    const bool directed = directedness_ == Directedness::directed;
    if (source_inside && target_inside) {
      ++count.traversed_edges;
      if (directed && target_level < source_level) return;
      count.broken.add(Rule::edge_span, [&] {
        return fmt::format("edge ({}, {}) joins levels {} and {}", edge.source.value, edge.target.value, source_level,
                           target_level);
      });
    } else if (source_inside || (target_inside && !directed)) {
      count.broken.add(Rule::spanning, [&] {
        return fmt::format("edge ({}, {}): only {} is in the tree", edge.source.value, edge.target.value,
                           source_inside ? edge.source.value : edge.target.value);
      });
    }
  }

  /// The rules that need no edge.
  void check_tree(const Buffer<std::uint32_t>& levels) {
    if (root_.index() >= distribution_.vertex_count() && rank_ == 0) {
      count(0).broken.add(Rule::root, [&] { return fmt::format("root {} is not a label of the graph", root_.value); });
    }
    over_labels([&](std::size_t i, Count& count) {
      const Label parent = parents_[i];
      nodes_[i] = {parent == no_label ? no_parent : static_cast<Entry>(parent.value), levels[i]};
      if (levels[i] != no_level) {
        ++count.reached;
        count.depth = std::max(count.depth, std::uint64_t{levels[i]});
      }
      check_parent(i, parent, count.broken);
      if (!claimed_levels_.empty()) check_level(i, count.broken);
    });
  }

  void check_parent(std::size_t i, Label parent, BrokenRules& broken) const {
    const Label vertex = label(i);
    if ((vertex == root_) != (parent == vertex)) {
      broken.add(Rule::root, [&] { return fmt::format("vertex {} has parent {}", vertex.value, parent.value); });
    }
    if (parent == no_label) return;
    if (parent.value < 0 || parent.index() >= distribution_.vertex_count()) {
      broken.add(Rule::parent_range,
                 [&] { return fmt::format("vertex {} has parent {}", vertex.value, parent.value); });
    } else if (nodes_[i].level == no_level) {
      broken.add(Rule::leads_to_root, [&] {
        return fmt::format("from vertex {} with parent {} there is no way to root {}", vertex.value, parent.value,
                           root_.value);
      });
    }
  }

  void check_level(std::size_t i, BrokenRules& broken) const {
    const std::int64_t level = nodes_[i].level == no_level ? -1 : std::int64_t{nodes_[i].level};
    if (claimed_levels_[i] == level) return;
    broken.add(Rule::level, [&] {
      return fmt::format("vertex {} has level {}; its parents give {}", label(i).value, claimed_levels_[i], level);
    });
  }

  /// The rules about input edges.
  void check_edges() { EdgePass(edges_, distribution_, context_, *this).run(); }

  void check_tree_edges() {
    over_labels([&](std::size_t i, Count& count) {
      if (nodes_[i].level == no_level || label(i) == root_ || has_input_edge_.contains(i)) return;
      count.broken.add(Rule::tree_edge, [&] {
        return fmt::format("vertex {} has parent {}, which is not its neighbour", label(i).value, parents_[i].value);
      });
    });
  }

  template <class Body>
  void over_labels(Body&& body) {
    parallel_blocks(context_.threads, parents_.size(), labels_per_block, [&](IndexRange range, int thread) {
      for (std::size_t i = range.begin; i < range.end; ++i) body(i, count(thread));
    });
  }

  [[nodiscard]] ValidationReport sum() const {
    Count total;
    for (const Count& count : counts_) {
      total.broken.add(count.broken);
      total.traversed_edges += count.traversed_edges;
      total.reached += count.reached;
      total.depth = std::max(total.depth, count.depth);
    }
    ValidationReport report;
    report.broken = total.broken.gather(context_.ranks);
    report.reached = context_.ranks.all_reduce(total.reached, Reduction::sum);
    report.depth = context_.ranks.all_reduce(total.depth, Reduction::maximum);
    report.traversed_edges = context_.ranks.all_reduce(total.traversed_edges, Reduction::sum);
    return report;
  }

  const EdgeList& edges_;
  Directedness directedness_;
  Label root_;
  const LabelArray& parents_;
  std::span<const std::int32_t> claimed_levels_;
  const BlockDistribution& distribution_;
  const Context& context_;
  int rank_;
  Buffer<Node<Entry>> nodes_;
  Bitmap has_input_edge_;  ///< labels whose tree edge was met
  std::vector<Count> counts_;
};

/// Throws AgreedError unless every rank has a value for each label of its block.
void require_blocks(std::size_t parents, std::size_t claimed_levels, const BlockDistribution& distribution,
                    const Communicator& ranks) {
  run_together(ranks, [&] {
    const std::size_t labels = distribution.count(ranks.rank());
    if (parents != labels) fail("a result with {} parents for a block of {} labels", parents, labels);
    if (claimed_levels != 0 && claimed_levels != labels) {
      fail("a result with {} levels for a block of {} labels", claimed_levels, labels);
    }
  });
}

/// Counts, and nothing else.
class EdgeCount {
 public:
  EdgeCount(const LabelArray& parents, const Context& context)
      : reached_(parents.size()), counts_(static_cast<std::size_t>(context.threads.size())) {
    parallel_for(context.threads, parents.size(), labels_per_block,
                 [&](std::size_t i) { reached_[i] = parents[i] == no_label ? 0 : 1; });
  }
  [[nodiscard]] std::uint64_t total() const {
    return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const OneCount& count) { return sum + count.edges; });
  }

  // As EdgePass wants it (EdgeVisitor).
  [[nodiscard]] std::uint32_t level(std::size_t own) const { return reached_[own]; }
  void prefetch(std::size_t own) const { __builtin_prefetch(reached_.data() + own); }
  void meet(std::size_t, Label, bool) {}
  void check(const Edge&, std::uint32_t source_reached, std::uint32_t target_reached, int thread) {
    counts_[static_cast<std::size_t>(thread)].edges += source_reached & target_reached;
  }
  void miss(const Edge&, int) {}

 private:
  struct alignas(64) OneCount {
    std::uint64_t edges = 0;
  };
  Buffer<std::uint8_t> reached_;
  std::vector<OneCount> counts_;
};

}  // namespace

ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, Label root, const LabelArray& parents,
                              const BlockDistribution& distribution, const Context& context,
                              std::span<const std::int32_t> claimed_levels) {
  require_blocks(parents.size(), claimed_levels.size(), distribution, context.ranks);
  if (parents.wide()) {
    return BfsValidation<std::uint64_t>(edges, directedness, root, parents, distribution, context, claimed_levels)
        .run();
  }
  return BfsValidation<std::uint32_t>(edges, directedness, root, parents, distribution, context, claimed_levels).run();
}

std::uint64_t count_traversed_edges(const EdgeList& edges, const LabelArray& parents,
                                    const BlockDistribution& distribution, const Context& context) {
  require_blocks(parents.size(), 0, distribution, context.ranks);
  EdgeCount count(parents, context);
  EdgePass(edges, distribution, context, count).run();
  return context.ranks.all_reduce(count.total(), Reduction::sum);
}

}  // namespace breadth
