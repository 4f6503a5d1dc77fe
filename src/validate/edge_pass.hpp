// One pass over the edge list that brings each tuple to the owners of its ends and checks it against their data.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange/values_for_ranks.hpp"
#include "comm/phase.hpp"
#include "core/data/edge_list.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "validate/label_messages.hpp"

namespace breadth {

/// A tuple with its weight.
struct WeightedEdge : Edge {
  float weight;
};

/// A WeightedEdge in a message: 16 bytes.
struct PackedWeightedEdge {
  PackedEdge edge;
  float weight;

  static PackedWeightedEdge pack(const WeightedEdge& tuple) noexcept {
    return {PackedEdge::pack({tuple.source, tuple.target}), tuple.weight};
  }
  [[nodiscard]] WeightedEdge unpack() const noexcept { return {edge.unpack(), weight}; }
};
static_assert(sizeof(PackedWeightedEdge) == 16);

/// The callbacks of a pass. On every rank they are about labels of its own block, given by their offsets in it. They
/// are called for any tuple and on any thread. Tuple is an Edge or a WeightedEdge. Levels are the data of a label that
/// the check needs: plain values, which are sent between ranks.
template <class Visitor>
concept EdgeVisitor = requires(Visitor visitor, std::size_t own, bool own_is_target, typename Visitor::Tuple edge,
                               typename Visitor::Levels levels, int thread) {
  { visitor.levels(own) } -> std::same_as<typename Visitor::Levels>;
  visitor.prefetch(own);                        // levels(own) will be called soon
  visitor.meet(own, edge, own_is_target);       // `own` is the tuple's target or its source
  visitor.check(edge, levels, levels, thread);  // the levels of its source and its target
  visitor.miss(edge, thread);                   // one of its labels is outside the distribution
};

/// Visits every tuple of the list at the owners of both its ends, and brings the levels of both ends together at one
/// owner.
///
/// A tuple of which this rank owns no end is sent to its source's owner (12 bytes, 16 with its weight). An owner of
/// only one end sends the tuple on to the owner of the other end, with the levels. Rounds of messages_per_round tuples
/// per rank bound the data in flight. Whether a rank owns an end is almost random. Therefore tuples are sorted by it
/// without a branch, some hundreds at a time, and each kind then has a loop of its own, for which the look-ups are
/// already prefetched.
template <EdgeVisitor Visitor>
class EdgePass {
 public:
  EdgePass(const EdgeList& edges, const BlockDistribution& distribution, const Context& context, Visitor& visitor)
      : edges_(edges),
        distribution_(distribution),
        context_(context),
        first_(distribution.first(context.ranks.rank()).index()),
        count_(distribution.count(context.ranks.rank())),
        visitor_(visitor),
        to_source_(context),
        to_other_end_(context) {}

  /// Runs the pass. Collective. Throws AgreedError if a rank cannot read its part.
  void run() {
    const Phase phase(context_.ranks, "validation: edges");
    const auto round = [&](std::uint64_t begin, std::uint64_t end) {
      phase.progress();
      run_together(context_.ranks, [&] { scan(begin, end); });
      if (context_.ranks.size() == 1) return;
      over(to_source_.exchange(), [&](std::span<const Packed> part, int thread) { arrive(part, thread); });
      over(to_other_end_.exchange(), [&](std::span<const Half> part, int thread) { complete(part, thread); });
    };
    for_each_round(edges_.size(), messages_per_round(context_), context_.ranks, round);
  }

 private:
  using Levels = typename Visitor::Levels;
  using Tuple = typename Visitor::Tuple;
  static constexpr bool weighted = std::same_as<Tuple, WeightedEdge>;
  using Packed = std::conditional_t<weighted, PackedWeightedEdge, PackedEdge>;
  static constexpr std::size_t ahead = 16;         ///< prefetch distance in tuples
  static constexpr std::size_t sorted_size = 256;  ///< tuples sorted at a time: they stay in the first-level cache

  /// A tuple on its way from the owner of one end to that of the other.
  struct Half {
    Packed edge;
    Levels levels;  ///< of the end that the sender owns and the receiver does not
  };
  /// Tuples by the ends that this rank owns: 0 none, 1 the source, 2 the target, 3 both.
  struct Sorted {
    std::array<std::array<Tuple, sorted_size>, 4> edges;
    std::array<std::size_t, 4> counts{};
    [[nodiscard]] std::span<const Tuple> of(std::size_t kind) const {
      return std::span(edges[kind]).first(counts[kind]);
    }
  };

  static Tuple tuple_at(std::span<const Edge> edges, [[maybe_unused]] std::span<const float> weights, std::size_t i) {
    if constexpr (weighted) {
      return {edges[i], weights[i]};
    } else {
      return edges[i];
    }
  }
  [[nodiscard]] bool in_range(Label label) const { return label.index() < distribution_.vertex_count(); }
  [[nodiscard]] bool in_range(const Edge& edge) const { return in_range(edge.source) && in_range(edge.target); }
  [[nodiscard]] bool is_own(Label label) const { return label.index() - first_ < count_; }
  [[nodiscard]] std::size_t offset(Label own) const { return own.index() - first_; }
  /// Prefetches the levels of a label if this rank owns it; else, to avoid a branch, those of the first label.
  void prefetch(Label label, bool own) const { visitor_.prefetch(own ? offset(label) : 0); }

  void scan(std::uint64_t begin, std::uint64_t end) {
    parallel_edge_blocks(context_.threads, edges_, begin, end, weighted,
                         [&](std::span<const Edge> block, std::span<const float> weights, int thread) {
                           context_.ranks.size() == 1 ? scan_alone(block, weights, thread)
                                                      : scan_block(block, weights, thread);
                         });
  }

  /// Scans a block on one rank, which owns both ends; the data of later tuples is prefetched.
  void scan_alone(std::span<const Edge> block, std::span<const float> weights, int thread) {
    for (std::size_t i = 0; i < block.size(); ++i) {
      const Edge later = block[std::min(i + ahead, block.size() - 1)];
      prefetch(later.source, in_range(later.source));
      prefetch(later.target, in_range(later.target));
      const Tuple edge = tuple_at(block, weights, i);
      if (in_range(edge)) {
        both_here(edge, thread);
      } else {
        visitor_.miss(edge, thread);
      }
    }
  }

  void scan_block(std::span<const Edge> block, std::span<const float> weights, int thread) {
    for (std::size_t first = 0; first < block.size(); first += sorted_size) {
      Sorted sorted;
      for (std::size_t i = first; i < std::min(first + sorted_size, block.size()); ++i) {
        const Tuple edge = tuple_at(block, weights, i);
        if (in_range(edge)) {
          sort_in(edge, sorted);
        } else {
          visitor_.miss(edge, thread);
        }
      }
      visit(sorted, thread);
    }
  }

  /// Handles tuples from other ranks.
  void arrive(std::span<const Packed> tuples, int thread) {
    for (std::size_t first = 0; first < tuples.size(); first += sorted_size) {
      Sorted sorted;
      for (const Packed& edge : tuples.subspan(first, std::min(sorted_size, tuples.size() - first))) {
        sort_in(edge.unpack(), sorted);
      }
      visit(sorted, thread);
    }
  }

  void sort_in(const Tuple& edge, Sorted& sorted) const {
    const bool source_here = is_own(edge.source);
    const bool target_here = is_own(edge.target);
    prefetch(edge.source, source_here);
    prefetch(edge.target, target_here);
    const auto kind = static_cast<std::size_t>(source_here) + 2 * static_cast<std::size_t>(target_here);
    sorted.edges[kind][sorted.counts[kind]++] = edge;
  }

  void visit(const Sorted& sorted, int thread) {
    for (const Tuple& edge : sorted.of(0)) {
      to_source_.add(thread, distribution_.owner(edge.source), Packed::pack(edge));
    }
    for (const Tuple& edge : sorted.of(1)) send_on(edge, edge.source, edge.target, false, thread);
    for (const Tuple& edge : sorted.of(2)) send_on(edge, edge.target, edge.source, true, thread);
    for (const Tuple& edge : sorted.of(3)) both_here(edge, thread);
  }

  void send_on(const Tuple& edge, Label own, Label other, bool own_is_target, int thread) {
    visitor_.meet(offset(own), edge, own_is_target);
    to_other_end_.add(thread, distribution_.owner(other), {Packed::pack(edge), visitor_.levels(offset(own))});
  }

  void both_here(const Tuple& edge, int thread) {
    const std::size_t source = offset(edge.source);
    const std::size_t target = offset(edge.target);
    visitor_.meet(source, edge, false);
    visitor_.meet(target, edge, true);
    visitor_.check(edge, visitor_.levels(source), visitor_.levels(target), thread);
  }

  /// Checks tuples that came with the levels of their other end.
  void complete(std::span<const Half> halves, int thread) {
    for (std::size_t i = 0; i < halves.size(); ++i) {
      const Tuple later = halves[std::min(i + ahead, halves.size() - 1)].edge.unpack();
      visitor_.prefetch(offset(is_own(later.target) ? later.target : later.source));
      const Tuple edge = halves[i].edge.unpack();
      const bool target_here = is_own(edge.target);
      const Label own = target_here ? edge.target : edge.source;
      visitor_.meet(offset(own), edge, target_here);
      const Levels here = visitor_.levels(offset(own));
      const Levels& there = halves[i].levels;
      visitor_.check(edge, target_here ? there : here, target_here ? here : there, thread);
    }
  }

  template <class Value, class Body>
  void over(std::span<const Value> values, Body&& body) {
    parallel_blocks(context_.threads, values.size(), edge_block_size,
                    [&](IndexRange range, int thread) { body(values.subspan(range.begin, range.size()), thread); });
  }

  const EdgeList& edges_;
  const BlockDistribution& distribution_;
  const Context& context_;
  std::size_t first_;  ///< the first label of this rank's block
  std::size_t count_;
  Visitor& visitor_;
  ValuesForRanks<Packed> to_source_;
  ValuesForRanks<Half> to_other_end_;
};

}  // namespace breadth
