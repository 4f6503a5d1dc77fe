// One pass over the edge list in which each tuple meets what is known of its ends.
#pragma once

#include <algorithm>
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

/// Calls check(source, source_record, target, target_record, thread) once for every tuple of the list with both ends
/// below the distribution's vertex count, on the rank that owns the target, and miss(edge, thread) for every other
/// tuple. At the source's owner it calls meet(source_offset, target, thread) as well. `records` has one plain value for
/// each label of this rank's block.
///
/// A tuple whose source is elsewhere travels there with its target; then, with the source's record, to the target's
/// owner if that is yet another rank. Rounds of tuples_per_round tuples a rank bound what is under way.
template <class Record, class Meet, class Check, class Miss>
class EdgePass {
 public:
  EdgePass(const EdgeList& edges, std::span<const Record> records, const BlockDistribution& distribution,
           const Context& context, Meet meet, Check check, Miss miss)
      : edges_(edges),
        records_(records),
        distribution_(distribution),
        context_(context),
        rank_(context.ranks.rank()),
        meet_(meet),
        check_(check),
        miss_(miss),
        to_source_(context),
        to_target_(context) {}

  /// Collective. Throws AgreedError when a rank cannot read its part.
  void run() {
    const std::uint64_t most = context_.ranks.all_reduce(edges_.size(), Reduction::maximum);
    for (std::uint64_t first = 0; first < most; first += tuples_per_round) {
      const std::uint64_t begin = std::min(first, edges_.size());
      const std::uint64_t end = std::min(first + tuples_per_round, edges_.size());
      run_together(context_.ranks, [&] { scan(begin, end); });
      if (context_.ranks.size() == 1) continue;
      const std::vector<Edge> at_source = to_source_.exchange();
      over(at_source, [&](const Edge& edge, int thread) { at_source_owner(edge, thread); });
      const std::vector<Half> at_target = to_target_.exchange();
      over(at_target, [&](const Half& half, int thread) {
        check_(half.edge.source, half.source, half.edge.target, record(half.edge.target), thread);
      });
    }
  }

 private:
  static constexpr std::uint64_t tuples_per_round = std::uint64_t{1} << 20;

  /// A tuple on its way from its source's owner to its target's.
  struct Half {
    Edge edge;
    Record source;
  };

  [[nodiscard]] bool in_range(Label label) const {
    return label.value >= 0 && label.index() < distribution_.vertex_count();
  }
  [[nodiscard]] const Record& record(Label own) const { return records_[distribution_.offset(own, rank_)]; }

  void scan(std::uint64_t begin, std::uint64_t end) {
    parallel_edge_blocks(context_.threads, edges_, begin, end, false,
                         [&](std::span<const Edge> block, std::span<const float>, int thread) {
                           context_.ranks.size() == 1 ? scan_alone(block, thread) : scan_block(block, thread);
                         });
  }

  /// On one rank every record is here; the next tuples' are fetched ahead.
  void scan_alone(std::span<const Edge> block, int thread) {
    constexpr std::size_t ahead = 16;
    const auto fetch = [&](Label label) {
      if (in_range(label)) __builtin_prefetch(&records_[label.index()]);
    };
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (i + ahead < block.size()) {
        fetch(block[i + ahead].source);
        fetch(block[i + ahead].target);
      }
      const Edge edge = block[i];
      if (!in_range(edge.source) || !in_range(edge.target)) {
        miss_(edge, thread);
        continue;
      }
      meet_(edge.source.index(), edge.target, thread);
      check_(edge.source, records_[edge.source.index()], edge.target, records_[edge.target.index()], thread);
    }
  }

  void scan_block(std::span<const Edge> block, int thread) {
    for (const Edge& edge : block) {
      if (!in_range(edge.source) || !in_range(edge.target)) {
        miss_(edge, thread);
      } else if (const int owner = distribution_.owner(edge.source); owner == rank_) {
        at_source_owner(edge, thread);
      } else {
        to_source_.add(thread, owner, edge);
      }
    }
  }

  void at_source_owner(const Edge& edge, int thread) {
    meet_(distribution_.offset(edge.source, rank_), edge.target, thread);
    const int owner = distribution_.owner(edge.target);
    if (owner == rank_) {
      check_(edge.source, record(edge.source), edge.target, record(edge.target), thread);
    } else {
      to_target_.add(thread, owner, {edge, record(edge.source)});
    }
  }

  template <class Value, class Body>
  void over(const std::vector<Value>& values, Body&& body) {
    parallel_blocks(context_.threads, values.size(), edge_block_size, [&](IndexRange range, int thread) {
      for (std::size_t i = range.begin; i < range.end; ++i) body(values[i], thread);
    });
  }

  const EdgeList& edges_;
  std::span<const Record> records_;
  const BlockDistribution& distribution_;
  const Context& context_;
  int rank_;
  Meet meet_;
  Check check_;
  Miss miss_;
  Routed<Edge> to_source_;
  Routed<Half> to_target_;
};

}  // namespace breadth
