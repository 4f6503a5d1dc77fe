// The vertices nearest to a source.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/tentative_tree.hpp"

namespace breadth {

/// Dijkstra's algorithm, from a source outwards for as long as it pays, on one thread. Rows by weight need no tentative
/// distances: each settled vertex has its next edge in the heap, and of a hub's edges only the lightest are ever seen.
template <class Neighbour>
class DistanceBall {
 public:
  /// A vertex whose distance is final.
  struct Settled {
    float distance;
    std::uint32_t vertex;
    EdgeOffset next;  ///< the first of its edges that was not seen
  };

  /// Both outlive the ball. Distances from `limit` on count as infinite.
  DistanceBall(TentativeTree<Neighbour>& tree, const Adjacency<Neighbour>& rows, const Partition& partition,
               float limit)
      : tree_(tree), rows_(rows), partition_(partition), limit_(limit) {}

  /// Settles at most `most` vertices, those nearest to `source`, whose distance is 0. O(edges seen * log most).
  void grow(std::uint32_t source, std::size_t most) {
    settled_.clear();
    heap_.clear();
    edges_examined_ = 0;
    settle(source, 0);
    while (!heap_.empty() && settled_.size() < most) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const Candidate nearest = heap_.back();
      heap_.pop_back();
      const std::uint32_t from = settled_[nearest.from].vertex;
      const auto target = static_cast<std::uint32_t>(rows_.neighbours[settled_[nearest.from].next++]);
      queue_next_edge(nearest.from);
      if (tree_.distance(target) <= nearest.distance) continue;
      tree_.set(target, nearest.distance, static_cast<Neighbour>(partition_.label(LocalVertex{from}).value));
      settle(target, nearest.distance);
    }
  }

  /// By rising distance.
  [[nodiscard]] const std::vector<Settled>& settled() const noexcept { return settled_; }
  /// No vertex outside is nearer than this; +infinity if none is left that can be reached.
  [[nodiscard]] float radius() const noexcept {
    return heap_.empty() ? std::numeric_limits<float>::infinity() : heap_.front().distance;
  }
  [[nodiscard]] std::uint64_t edges_examined() const noexcept { return edges_examined_; }

 private:
  /// An edge from a settled vertex.
  struct Candidate {
    float distance;
    std::uint32_t from;  ///< index in settled_
    friend bool operator>(Candidate a, Candidate b) { return a.distance > b.distance; }
  };

  void settle(std::uint32_t vertex, float distance) {
    settled_.push_back({distance, vertex, rows_.offsets[vertex]});
    queue_next_edge(static_cast<std::uint32_t>(settled_.size() - 1));
  }
  /// Edges to vertices that are settled already are passed over.
  void queue_next_edge(std::uint32_t from) {
    Settled& tail = settled_[from];
    const EdgeOffset end = rows_.offsets[tail.vertex + 1];
    const EdgeOffset first = tail.next;
    while (tail.next < end && tree_.distance(static_cast<std::size_t>(rows_.neighbours[tail.next])) <= tail.distance) {
      ++tail.next;
    }
    edges_examined_ += tail.next - first + 1;
    if (tail.next == end) return;
    const float distance = tail.distance + rows_.weights[tail.next];
    if (distance >= limit_) return;
    heap_.push_back({distance, from});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  TentativeTree<Neighbour>& tree_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  float limit_;
  std::vector<Settled> settled_;
  std::vector<Candidate> heap_;
  std::uint64_t edges_examined_ = 0;
};

}  // namespace breadth
