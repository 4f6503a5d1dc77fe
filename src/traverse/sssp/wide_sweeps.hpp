// Sweeps over all vertices of a graph with hubs, with distances of 64 bits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/wide_weights.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp/wide_tree.hpp"

namespace breadth {

/// Lets every vertex of an undirected graph look for a shorter way among its neighbours, the lightest edges first, up
/// to where they are too heavy whatever the neighbour: no vertex that is not settled is nearer than the *base*. Next to
/// a hub that is near the base, most vertices are done after an edge or two (traverse/sssp/sweep_search.hpp, for
/// weights of 32 bits); rows are read where the few light edges say too little.
template <class Neighbour, class Weight, class Distance>
class WideSweeps {
  using Keys = DistanceKeys<Distance>;

 public:
  /// All of them outlive it. No distance is above the key `most`.
  WideSweeps(WideTree& tree, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
             const LightEdges<Weight>& light, std::uint64_t most, ThreadTeam& threads)
      : tree_(tree),
        rows_(rows),
        weights_(weights),
        light_(light),
        most_(most),
        threads_(threads),
        shares_(static_cast<std::size_t>(threads.size())) {}

  /// Of the first `count` vertices. Those nearer than the base are settled, and so have all others the distances that
  /// they lead to.
  LevelStatistics sweep(std::uint64_t base, std::size_t count) {
    constexpr std::size_t vertices_per_block = 512;
    const Stopwatch stopwatch;
    for (Share& share : shares_) {
      share.closer.clear();
      share.edges_to_closer = 0;
    }
    parallel_blocks(threads_, count, vertices_per_block, [&](IndexRange range, int thread) {
      Share& share = shares_[static_cast<std::size_t>(thread)];
      for (std::size_t i = range.begin; i < range.end; ++i) {
        if (tree_.distance(i) >= base) look(static_cast<std::uint32_t>(i), base, share);
      }
    });
    LevelStatistics step{.direction = Direction::pull, .frontier = count};
    for (Share& share : shares_) {
      step.claimed += share.closer.size();
      step.edges_examined += std::exchange(share.edges_examined, 0);
    }
    step.seconds.compute = stopwatch.seconds();
    return step;
  }

  /// Of the vertices that came closer in the last sweep.
  [[nodiscard]] std::uint64_t edges_to_closer() const {
    std::uint64_t edges = 0;
    for (const Share& share : shares_) edges += share.edges_to_closer;
    return edges;
  }
  template <class Body>
  void for_each_closer(Body&& body) const {
    for (const Share& share : shares_) {
      for (const std::uint32_t vertex : share.closer) body(vertex);
    }
  }

 private:
  struct alignas(64) Share {
    std::vector<std::uint32_t> closer;
    std::uint64_t edges_to_closer = 0;
    std::uint64_t edges_examined = 0;
  };
  /// What a vertex has found.
  struct Best {
    std::uint64_t key;
    std::uint32_t parent;
  };

  void look(std::uint32_t vertex, std::uint64_t base, Share& share) {
    const std::uint64_t before = tree_.distance(vertex);
    Best best{before, 0};
    if (!ends_among_light(vertex, base, best, share)) look_along_row(vertex, base, best, share);
    if (best.key == before) return;
    tree_.set(vertex, best.key, best.parent);
    share.closer.push_back(vertex);
    share.edges_to_closer += rows_.degree(LocalVertex{vertex});
  }

  /// Whether no heavier edge can lead to anything better.
  bool ends_among_light(std::uint32_t vertex, std::uint64_t base, Best& best, Share& share) const {
    const EdgeOffset begin = light_.offsets[vertex];
    const EdgeOffset end = light_.offsets[vertex + 1];
    EdgeOffset edge = begin;
    while (edge < end && Keys::sum(base, light_.weights[edge]) < best.key) {
      consider(light_.neighbours[edge], light_.weights[edge], best);
      ++edge;
    }
    share.edges_examined += edge - begin;
    return edge < end || end - begin == rows_.degree(LocalVertex{vertex});
  }
  void look_along_row(std::uint32_t vertex, std::uint64_t base, Best& best, Share& share) const {
    for (EdgeOffset edge = rows_.offsets[vertex]; edge < rows_.offsets[vertex + 1]; ++edge) {
      if (Keys::sum(base, weights_[edge]) >= best.key) continue;
      consider(static_cast<std::uint32_t>(rows_.neighbours[edge]), weights_[edge], best);
    }
    share.edges_examined += rows_.degree(LocalVertex{vertex});
  }
  void consider(std::uint32_t neighbour, Weight weight, Best& best) const {
    const std::uint64_t key = tree_.distance(neighbour);
    if (key == WideTree::unreached) return;
    const std::uint64_t candidate = Keys::sum(key, weight);
    if (candidate <= most_ && candidate < best.key) best = {candidate, neighbour};
  }

  WideTree& tree_;
  const Adjacency<Neighbour>& rows_;
  std::span<const Weight> weights_;
  const LightEdges<Weight>& light_;
  std::uint64_t most_;
  ThreadTeam& threads_;
  std::vector<Share> shares_;
};

}  // namespace breadth
