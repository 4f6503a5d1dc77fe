// Dijkstra's algorithm in the order of networkx: for any weights, it finds the same one of several shortest paths, and
// its distances are the same sums. Runs on the calling thread, and ends when it has found its target.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "networkx/adjacency.hpp"
#include "networkx/ordered_bfs.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// a + b as Python adds them. Throws Unsuitable if the sum needs more than 64 bits.
template <class Value>
Value sum_of(Value a, Value b) {
  if constexpr (std::floating_point<Value>) {
    return a + b;
  } else {
    Value sum{};
    if (__builtin_add_overflow(a, b, &sum)) throw Unsuitable{"a distance is beyond 64 bits"};
    return sum;
  }
}

/// A priority queue of the nodes that a search has seen and not taken: the nearest first, and of equally near ones the
/// one that was pushed first.
template <class Value>
class Fringe {
 public:
  [[nodiscard]] bool empty() const noexcept { return heap_.empty(); }
  /// `number` must rise from call to call.
  void push(Value distance, std::int64_t number, std::int32_t node) {
    heap_.push_back({distance, number, node});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  std::pair<Value, std::int32_t> pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Entry entry = heap_.back();
    heap_.pop_back();
    return {entry.distance, entry.node};
  }

 private:
  struct Entry {
    Value distance;
    std::int64_t number;
    std::int32_t node;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.distance > b.distance || (a.distance == b.distance && a.number > b.number);
  }
  std::vector<Entry> heap_;
};

/// The state of a node in a search. All zero: unseen.
template <class Value>
struct Reached {
  Value distance;
  std::int32_t parent;  ///< parent + 1; 0 for none
  std::uint8_t state;   ///< one of the following
  static constexpr std::uint8_t unseen = 0;
  static constexpr std::uint8_t seen = 1;
  static constexpr std::uint8_t taken = 2;
};

/// The chain of parents from a node back to one without parent.
template <class Value>
std::vector<std::int32_t> chain_of(const Buffer<Reached<Value>>& nodes, std::int32_t node) {
  std::vector<std::int32_t> chain;
  for (; node >= 0; node = nodes[at(node)].parent - 1) chain.push_back(node);
  return chain;
}

/// The weights of all entries of rows. Called with a node, it returns those of the node's row.
template <class Value>
struct WeightArray {
  const Rows& rows;
  std::span<const Value> values;
  std::span<const Value> operator()(std::int32_t node) const {
    return values.subspan(rows.first(node), rows.row(node).size());
  }
};

template <class Value>
struct OrderedPaths {
  std::vector<std::int32_t> nodes;  ///< in the order in which they are taken: sources, then the nearest
  std::vector<Value> distances;     ///< of `nodes`
  std::vector<std::int32_t> parents;
  std::vector<std::int32_t> path;  ///< to the target; empty if it is not reached or no target is given
};

/// A search from one or several nodes. `weights(node)` returns those of the node's row, at least 0.
template <class Value, class Weights>
class OrderedDijkstra {
 public:
  OrderedDijkstra(const Rows& rows, Weights weights) : rows_(rows), weights_(std::move(weights)) {}

  /// Searches from distinct sources, no farther than `cutoff`. The target is -1 for none. `look` is called now and
  /// then.
  OrderedPaths<Value> run(std::span<const std::int32_t> sources, std::int32_t target, std::optional<Value> cutoff,
                          const std::function<void()>& look) {
    constexpr std::size_t between_looks = std::size_t{1} << 12;
    reached_ = Buffer<Reached<Value>>(rows_.node_count());
    for (const std::int32_t source : sources) see(source, Value{}, -1);
    OrderedPaths<Value> found;
    while (!fringe_.empty()) {
      const auto [distance, node] = fringe_.pop();
      Reached<Value>& here = of(node);
      if (here.state == Reached<Value>::taken) continue;
      here.state = Reached<Value>::taken;
      found.nodes.push_back(node);
      found.distances.push_back(distance);
      found.parents.push_back(here.parent - 1);
      if (node == target) {
        found.path = chain_of(reached_, node);
        std::reverse(found.path.begin(), found.path.end());
        break;
      }
      if (found.nodes.size() % between_looks == 0) look();
      relax(node, distance, cutoff);
    }
    return found;
  }

  /// The nodes in the order in which the search first saw them. For a search without a target.
  [[nodiscard]] const std::vector<std::int32_t>& seen() const noexcept { return seen_; }

  /// All predecessors on shortest paths of each node of seen(), in the order in which they were taken.
  Predecessors predecessors(const OrderedPaths<Value>& found, std::optional<Value> cutoff) {
    std::vector<std::int32_t> place(rows_.node_count(), -1);
    for (std::size_t i = 0; i < seen_.size(); ++i) place[at(seen_[i])] = static_cast<std::int32_t>(i);
    const auto for_each_step = [&](auto&& step) {
      for (std::size_t i = 0; i < found.nodes.size(); ++i) {
        const std::span<const std::int32_t> row = rows_.row(found.nodes[i]);
        const std::span<const Value> weights = weights_(found.nodes[i]);
        for (std::size_t j = 0; j < row.size(); ++j) {
          const Value distance = sum_of(found.distances[i], weights[j]);
          if (cutoff && distance > *cutoff) continue;
          if (distance == of(row[j]).distance) step(at(place[at(row[j])]), found.nodes[i]);
        }
      }
    };
    Predecessors before;
    before.starts.resize(seen_.size() + 1);
    for_each_step([&](std::size_t node, std::int32_t) { ++before.starts[node + 1]; });
    std::partial_sum(before.starts.begin(), before.starts.end(), before.starts.begin());
    before.nodes.resize(static_cast<std::size_t>(before.starts.back()));
    std::vector<std::int64_t> next(before.starts.begin(), before.starts.end());
    for_each_step(
        [&](std::size_t node, std::int32_t tail) { before.nodes[static_cast<std::size_t>(next[node]++)] = tail; });
    return before;
  }

 private:
  Reached<Value>& of(std::int32_t node) { return reached_[at(node)]; }

  void see(std::int32_t node, Value distance, std::int32_t parent) {
    if (of(node).state == Reached<Value>::unseen) seen_.push_back(node);
    of(node) = {distance, parent + 1, Reached<Value>::seen};
    fringe_.push(distance, pushed_++, node);
  }

  void relax(std::int32_t node, Value distance, std::optional<Value> cutoff) {
    const std::span<const std::int32_t> row = rows_.row(node);
    const std::span<const Value> weights = weights_(node);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Value further = sum_of(distance, weights[i]);
      if (cutoff && further > *cutoff) continue;
      const Reached<Value>& there = of(row[i]);
      if (there.state == Reached<Value>::taken) continue;
      if (there.state == Reached<Value>::unseen || further < there.distance) see(row[i], further, node);
    }
  }

  const Rows& rows_;
  Weights weights_;
  Buffer<Reached<Value>> reached_;
  std::vector<std::int32_t> seen_;
  Fringe<Value> fringe_;
  std::int64_t pushed_ = 0;
};

/// A path between two nodes.
template <class Value>
struct ShortestPath {
  Value distance;
  std::vector<std::int32_t> nodes;
};

/// Finds the path that networkx's searches from both ends find, which take turns. `forward(node)` and `backward(node)`
/// return the weights of the node's row in rows and columns. Source and target must differ. Returns nothing if there is
/// no path.
template <class Value, class Weights>
std::optional<ShortestPath<Value>> bidirectional_dijkstra(const Rows& rows, const Rows& columns, Weights forward,
                                                          Weights backward, std::int32_t source, std::int32_t target) {
  struct Side {
    const Rows& rows;
    Weights weights;
    Buffer<Reached<Value>> reached;
    Fringe<Value> fringe;
    Reached<Value>& of(std::int32_t node) { return reached[at(node)]; }
  };
  std::array<Side, 2> sides{
      Side{rows, std::move(forward), Buffer<Reached<Value>>(rows.node_count()), {}},
      Side{columns, std::move(backward), Buffer<Reached<Value>>(rows.node_count()), {}},
  };
  std::int64_t pushed = 0;
  const auto see = [&](Side& side, std::int32_t node, Value distance, std::int32_t parent) {
    side.of(node) = {distance, parent + 1, Reached<Value>::seen};
    side.fringe.push(distance, pushed++, node);
  };
  see(sides[0], source, Value{}, -1);
  see(sides[1], target, Value{}, -1);
  std::optional<Value> shortest;
  std::int32_t middle = -1;
  for (std::size_t turn = 0; !sides[0].fringe.empty() && !sides[1].fringe.empty(); turn = 1 - turn) {
    Side& side = sides[turn];
    Side& other = sides[1 - turn];
    const auto [distance, node] = side.fringe.pop();
    if (side.of(node).state == Reached<Value>::taken) continue;
    side.of(node).state = Reached<Value>::taken;
    if (other.of(node).state == Reached<Value>::taken) {
      ShortestPath<Value> path{*shortest, chain_of(sides[0].reached, middle)};
      std::reverse(path.nodes.begin(), path.nodes.end());
      const std::vector<std::int32_t> rest = chain_of(sides[1].reached, middle);
      path.nodes.insert(path.nodes.end(), rest.begin() + 1, rest.end());
      return path;
    }
    const std::span<const std::int32_t> row = side.rows.row(node);
    const std::span<const Value> weights = side.weights(node);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Value further = sum_of(distance, weights[i]);
      const Reached<Value>& there = side.of(row[i]);
      if (there.state == Reached<Value>::taken) continue;
      if (there.state == Reached<Value>::seen && !(further < there.distance)) continue;
      see(side, row[i], further, node);
      if (other.of(row[i]).state == Reached<Value>::unseen) continue;
      const Value total = sum_of(further, other.of(row[i]).distance);
      if (!shortest || *shortest > total) {
        shortest = total;
        middle = row[i];
      }
    }
  }
  return std::nullopt;
}

}  // namespace breadth::python
