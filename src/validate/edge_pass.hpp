// One pass over the edge list in which each tuple meets what is known of its ends.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/edge_list.hpp"
#include "validate/routed.hpp"

namespace breadth {

/// What a pass asks and tells, on every rank about the labels of its own block, given by their offsets in it. All but
/// `level` may be called for any tuple on any thread.
template <class Visitor>
concept EdgeVisitor = requires(Visitor visitor, std::size_t own, Label other, Edge edge, std::uint32_t level,
                               int thread) {
  { visitor.level(own) } -> std::same_as<std::uint32_t>;  // what the check wants to know of a label
  visitor.prefetch(own);                                  // it will be asked for soon
  visitor.meet_source(own, other, thread);                // a tuple leads from `own` to `other`
  visitor.meet_target(own, other, thread);                // a tuple leads from `other` to `own`
  visitor.check(edge, level, level, thread);              // the levels of its source and its target
  visitor.miss(edge, thread);                             // one of its labels is outside the distribution
};

/// Shows every tuple of the list to both its ends' owners, and brings both levels together at one of them.
///
/// A tuple of which this rank owns no end travels to its source's owner. An owner of one end only sends the tuple on to
/// the other's, with the level. Rounds of tuples_per_round tuples a rank bound what is under way.
template <EdgeVisitor Visitor>
class EdgePass {
 public:
  EdgePass(const EdgeList& edges, const BlockDistribution& distribution, const Context& context, Visitor& visitor)
      : edges_(edges),
        distribution_(distribution),
        context_(context),
        rank_(context.ranks.rank()),
        visitor_(visitor),
        to_source_(context),
        to_other_end_(context) {}

  /// Collective. Throws AgreedError when a rank cannot read its part.
  void run() {
    const std::uint64_t most = context_.ranks.all_reduce(edges_.size(), Reduction::maximum);
    for (std::uint64_t first = 0; first < most; first += tuples_per_round) {
      const std::uint64_t begin = std::min(first, edges_.size());
      const std::uint64_t end = std::min(first + tuples_per_round, edges_.size());
      run_together(context_.ranks, [&] { scan(begin, end); });
      if (context_.ranks.size() == 1) continue;
      over(to_source_.exchange(), [&](const Edge& edge, int thread) { visit(edge, thread); });
      over(to_other_end_.exchange(), [&](const Half& half, int thread) { complete(half, thread); });
    }
  }

 private:
  static constexpr std::uint64_t tuples_per_round = std::uint64_t{1} << 18;

  /// A tuple on its way from the owner of one end to that of the other.
  struct Half {
    Edge edge;
    std::uint32_t level;  ///< of the end that it comes from
    bool from_source;
  };

  [[nodiscard]] bool in_range(Label label) const {
    return label.value >= 0 && label.index() < distribution_.vertex_count();
  }
  [[nodiscard]] std::size_t offset(Label own) const { return distribution_.offset(own, rank_); }

  void scan(std::uint64_t begin, std::uint64_t end) {
    parallel_edge_blocks(context_.threads, edges_, begin, end, false,
                         [&](std::span<const Edge> block, std::span<const float>, int thread) {
                           context_.ranks.size() == 1 ? scan_alone(block, thread) : scan_block(block, thread);
                         });
  }

  /// On one rank both ends are here; the next tuples' are fetched ahead.
  void scan_alone(std::span<const Edge> block, int thread) {
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (i + ahead < block.size()) {
        const Edge later = block[i + ahead];
        if (in_range(later.source)) visitor_.prefetch(later.source.index());
        if (in_range(later.target)) visitor_.prefetch(later.target.index());
      }
      if (in_range(block[i].source) && in_range(block[i].target)) {
        both_here(block[i], thread);
      } else {
        visitor_.miss(block[i], thread);
      }
    }
  }

  void scan_block(std::span<const Edge> block, int thread) {
    for (const Edge& edge : block) {
      if (in_range(edge.source) && in_range(edge.target)) {
        visit(edge, thread);
      } else {
        visitor_.miss(edge, thread);
      }
    }
  }

  void visit(const Edge& edge, int thread) {
    const int source_owner = distribution_.owner(edge.source);
    const int target_owner = distribution_.owner(edge.target);
    if (source_owner == rank_ && target_owner == rank_) {
      both_here(edge, thread);
    } else if (source_owner == rank_) {
      visitor_.meet_source(offset(edge.source), edge.target, thread);
      to_other_end_.add(thread, target_owner, {edge, visitor_.level(offset(edge.source)), true});
    } else if (target_owner == rank_) {
      visitor_.meet_target(offset(edge.target), edge.source, thread);
      to_other_end_.add(thread, source_owner, {edge, visitor_.level(offset(edge.target)), false});
    } else {
      to_source_.add(thread, source_owner, edge);
    }
  }

  void both_here(const Edge& edge, int thread) {
    const std::size_t source = offset(edge.source);
    const std::size_t target = offset(edge.target);
    visitor_.meet_source(source, edge.target, thread);
    visitor_.meet_target(target, edge.source, thread);
    visitor_.check(edge, visitor_.level(source), visitor_.level(target), thread);
  }

  /// At the other end's owner.
  void complete(const Half& half, int thread) {
    if (half.from_source) {
      const std::size_t target = offset(half.edge.target);
      visitor_.meet_target(target, half.edge.source, thread);
      visitor_.check(half.edge, half.level, visitor_.level(target), thread);
    } else {
      const std::size_t source = offset(half.edge.source);
      visitor_.meet_source(source, half.edge.target, thread);
      visitor_.check(half.edge, visitor_.level(source), half.level, thread);
    }
  }

  template <class Value, class Body>
  void over(const std::vector<Value>& values, Body&& body) {
    parallel_blocks(context_.threads, values.size(), edge_block_size, [&](IndexRange range, int thread) {
      for (std::size_t i = range.begin; i < range.end; ++i) body(values[i], thread);
    });
  }

  const EdgeList& edges_;
  const BlockDistribution& distribution_;
  const Context& context_;
  int rank_;
  Visitor& visitor_;
  Routed<Edge> to_source_;
  Routed<Half> to_other_end_;
};

}  // namespace breadth
