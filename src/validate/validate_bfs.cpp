#include "validate/validate_bfs.hpp"

#include <fmt/format.h>

#include <vector>

#include "core/bitmap.hpp"
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
        levels_(tree_levels(parents, root, distribution, context)),
        nodes_(parents.size()),
        has_input_edge_(parents.size()),
        counts_(static_cast<std::size_t>(context.threads.size())) {}

  ValidationReport run() {
    check_tree();
    check_edges();
    check_tree_edges();
    return sum();
  }

 private:
  static constexpr Entry no_parent = ~Entry{0};

  [[nodiscard]] Count& count(int thread) { return counts_[static_cast<std::size_t>(thread)]; }
  [[nodiscard]] Label label(std::size_t i) const { return distribution_.label(rank_, i); }

  /// The rules that need no edge.
  void check_tree() {
    over_labels([&](std::size_t i, Count& count) {
      const Label parent = parents_[i];
      nodes_[i] = {parent == no_label ? no_parent : static_cast<Entry>(parent.value), levels_[i]};
      if (levels_[i] != no_level) {
        ++count.reached;
        count.depth = std::max(count.depth, std::uint64_t{levels_[i]});
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
    } else if (levels_[i] == no_level) {
      broken.add(Rule::leads_to_root, [&] {
        return fmt::format("from vertex {} with parent {} there is no way to root {}", vertex.value, parent.value,
                           root_.value);
      });
    }
  }

  void check_level(std::size_t i, BrokenRules& broken) const {
    const std::int64_t level = levels_[i] == no_level ? -1 : std::int64_t{levels_[i]};
    if (claimed_levels_[i] == level) return;
    broken.add(Rule::level, [&] {
      return fmt::format("vertex {} has level {}; its parents give {}", label(i).value, claimed_levels_[i], level);
    });
  }

  /// The rules about input edges; marks the tree edges among them.
  void check_edges() {
    const bool directed = directedness_ == Directedness::directed;
    // At the source's owner: a tree edge from target to source, if direction does not matter.
    const auto meet = [&](std::size_t source, Label target, int) {
      if (!directed && nodes_[source].parent == static_cast<Entry>(target.value)) mark(source);
    };
    const auto check = [&](Label source, const Node<Entry>& from, Label target, const Node<Entry>& to, int thread) {
      if (to.parent == static_cast<Entry>(source.value)) mark(distribution_.offset(target, rank_));
      const bool from_inside = from.level != no_level;
      const bool to_inside = to.level != no_level;
      if (from_inside && to_inside) {
        ++count(thread).traversed_edges;
        const std::int64_t deeper = std::int64_t{to.level} - std::int64_t{from.level};
        if (deeper > 1 || (!directed && deeper < -1)) {
          count(thread).broken.add(Rule::edge_span, [&] {
            return fmt::format("edge ({}, {}) joins levels {} and {}", source.value, target.value, from.level,
                               to.level);
          });
        }
      } else if (from_inside || (to_inside && !directed)) {
        count(thread).broken.add(Rule::spanning, [&] {
          return fmt::format("edge ({}, {}): only {} is in the tree", source.value, target.value,
                             from_inside ? source.value : target.value);
        });
      }
    };
    const auto miss = [&](const Edge& edge, int thread) {
      count(thread).broken.add(Rule::covers_edge_list, [&] {
        return fmt::format("edge ({}, {}): the result has labels 0 to {}", edge.source.value, edge.target.value,
                           distribution_.vertex_count() - 1);
      });
    };
    EdgePass<Node<Entry>, decltype(meet), decltype(check), decltype(miss)>(edges_, nodes_.span(), distribution_,
                                                                           context_, meet, check, miss)
        .run();
  }

  void mark(std::size_t i) {
    if (!has_input_edge_.contains_atomic(i)) has_input_edge_.insert_atomic(i);
  }

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
  Buffer<std::uint32_t> levels_;
  Buffer<Node<Entry>> nodes_;
  Bitmap has_input_edge_;  ///< labels whose tree edge was met
  std::vector<Count> counts_;
};

}  // namespace

ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, Label root, const LabelArray& parents,
                              const BlockDistribution& distribution, const Context& context,
                              std::span<const std::int32_t> claimed_levels) {
  if (parents.wide()) {
    return BfsValidation<std::uint64_t>(edges, directedness, root, parents, distribution, context, claimed_levels)
        .run();
  }
  return BfsValidation<std::uint32_t>(edges, directedness, root, parents, distribution, context, claimed_levels).run();
}

std::uint64_t count_traversed_edges(const EdgeList& edges, const LabelArray& parents,
                                    const BlockDistribution& distribution, const Context& context) {
  Buffer<std::uint8_t> reached(parents.size());
  parallel_for(context.threads, parents.size(), labels_per_block,
               [&](std::size_t i) { reached[i] = parents[i] == no_label ? 0 : 1; });
  std::vector<Count> counts(static_cast<std::size_t>(context.threads.size()));
  const auto meet = [](std::size_t, Label, int) {};
  const auto check = [&](Label, std::uint8_t from, Label, std::uint8_t to, int thread) {
    counts[static_cast<std::size_t>(thread)].traversed_edges += from & to;
  };
  const auto miss = [](const Edge&, int) {};
  EdgePass<std::uint8_t, decltype(meet), decltype(check), decltype(miss)>(edges, reached.span(), distribution, context,
                                                                          meet, check, miss)
      .run();
  std::uint64_t traversed = 0;
  for (const Count& count : counts) traversed += count.traversed_edges;
  return context.ranks.all_reduce(traversed, Reduction::sum);
}

}  // namespace breadth
