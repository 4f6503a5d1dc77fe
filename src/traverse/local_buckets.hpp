// Delta-stepping on one rank.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "comm/phase.hpp"
#include "core/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/communication.hpp"
#include "traverse/distance_buckets.hpp"
#include "traverse/exchange_strategy.hpp"
#include "traverse/hub_bounds.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp.hpp"
#include "traverse/tentative_tree.hpp"

namespace breadth {

/// Settles vertices bucket by bucket of distances (Meyer & Sanders 2003). Each thread has buckets of its own and goes
/// on with its part of a bucket, however often it fills again, as long as that is small, and without a word to the
/// others ("bucket fusion", Zhang et al. 2020); where all of a bucket is small one thread does it alone. A vertex that
/// came closer waits with the distance that it got, so that each of its distances is relaxed from once at the most.
/// Rows of many edges are shared by all threads. O(edges * distances that their vertices wait with).
template <class Neighbour>
class LocalBuckets {
  using Tree = TentativeTree<Neighbour>;

 public:
  /// How many times as wide as choose_delta() says buckets should be.
  static constexpr double width_factor() { return 1; }

  /// All of them outlive the search, on one rank.
  template <class Distances>
  LocalBuckets(Tree& tree, Distances&, HubBounds<Neighbour>& hubs, const Adjacency<Neighbour>& rows,
               const Partition& partition, const SsspOptions& options, const Context& context, const ExchangeStrategy&)
      : tree_(tree),
        hubs_(hubs),
        rows_(rows),
        partition_(partition),
        most_(options.max_distance),
        context_(context),
        long_row_(context.threads.size() > 1 ? edges_of_long_row : std::numeric_limits<std::size_t>::max()),
        shares_(static_cast<std::size_t>(context.threads.size())) {}

  /// From the vertices in `start`, which have distances, on: until no distance can be improved. Buckets are `delta`
  /// wide; with +infinity there is one, and vertices are relaxed in the order in which they came closer, as by Bellman
  /// and Ford. A level is as many buckets as there is room for (BucketScale).
  void run(std::span<const std::uint32_t> start, double delta, std::vector<LevelStatistics>& levels) {
    const Phase phase(context_.ranks, "bucket");
    scale_.width = delta;
    for (Share& share : shares_) share.failure = nullptr;
    for (const std::uint32_t vertex : start) {
      shares_.front().waiting[DistanceBuckets::none].push_back({tree_.distance(vertex), vertex});
    }
    while (deal_out()) {
      const Stopwatch stopwatch;
      for (std::size_t bucket = next(0); bucket < DistanceBuckets::none; bucket = next(bucket)) settle_some(bucket);
      levels.push_back(statistics());
      levels.back().seconds.compute = stopwatch.seconds();
    }
    // Replicas on one rank are the hubs themselves.
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) hubs_.know(hub);
  }

  /// On one rank nothing is sent.
  [[nodiscard]] CommunicationRecord communication() const { return {}; }

 private:
  /// So many vertices are relaxed sooner than threads meet twice.
  static constexpr std::size_t vertices_for_one = 512;
  /// A thread's part of a bucket that is larger is offered to the others.
  static constexpr std::size_t most_fused = 1024;
  static constexpr std::size_t vertices_a_time = 64;
  static constexpr std::size_t edges_of_long_row = std::size_t{1} << 14;

  /// What one thread has.
  struct alignas(64) Share {
    DistanceBuckets waiting;
    std::vector<Waiting> batch;      ///< of the bucket, this thread's alone
    std::vector<Waiting> long_rows;  ///< of the bucket, left for all threads together
    std::vector<Waiting> offered;    ///< of the bucket, for any thread to take from
    std::size_t next = 0;            ///< its first bucket that is not empty
    std::size_t next_size = 0;       ///< vertices in it
    std::exception_ptr failure;
    std::uint64_t relaxed = 0;
    std::uint64_t edges_examined = 0;
    std::uint64_t improved = 0;
    alignas(64) std::atomic<std::size_t> taken = 0;  ///< of what is offered
  };
  /// Improves the tree where other threads do so too, or none does.
  struct Together {
    static bool improve(Tree& tree, std::size_t vertex, float distance, Neighbour parent) {
      return tree.improve(vertex, distance, parent);
    }
  };
  struct Alone {
    static bool improve(Tree& tree, std::size_t vertex, float distance, Neighbour parent) {
      return tree.improve_alone(vertex, distance, parent);
    }
  };

  /// Lets the buckets begin at the least distance that waits; false if none does.
  bool deal_out() {
    float least = std::numeric_limits<float>::infinity();
    for (const Share& share : shares_) least = std::min(least, share.waiting.least_in_pile());
    if (least == std::numeric_limits<float>::infinity()) return false;
    scale_.origin = least;
    for (Share& share : shares_) share.waiting.deal_out(scale_);
    return true;
  }
  /// The first bucket from one on in which any thread has anything.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    std::size_t first = DistanceBuckets::none;
    for (const Share& share : shares_) first = std::min(first, share.waiting.next(bucket));
    return first;
  }

  /// What there is in a bucket, by one thread or by all, which then may go on with the buckets after it.
  void settle_some(std::size_t bucket) {
    std::size_t size = 0;
    for (Share& share : shares_) size += share.waiting[bucket].size();
    if (size < vertices_for_one || shares_.size() == 1) {
      for (Share& share : shares_) relax_batch<Alone>(share.waiting[bucket], shares_.front());
    } else {
      context_.threads.run([&](int thread) { settle_together(bucket, thread); });
    }
    relax_long_rows();
  }

  /// One of all threads: settles buckets until one is not worth the threads or long rows are to be relaxed.
  void settle_together(std::size_t bucket, int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    while (true) {
      mine.offered.clear();
      mine.offered.swap(mine.waiting[bucket]);
      mine.taken.store(0, std::memory_order_relaxed);
      context_.threads.barrier();
      try {
        relax_offered(thread);
        while (!mine.waiting[bucket].empty() && mine.waiting[bucket].size() < most_fused) {
          relax_batch<Together>(mine.waiting[bucket], mine);
        }
      } catch (...) {
        mine.failure = std::current_exception();  // the others wait
      }
      mine.next = mine.waiting.next(bucket);
      mine.next_size = mine.next < DistanceBuckets::none ? mine.waiting[mine.next].size() : 0;
      context_.threads.barrier();
      if (mine.failure) std::rethrow_exception(mine.failure);
      bucket = next_for_all();
      if (bucket == DistanceBuckets::none) return;
    }
  }
  /// The bucket that all threads go on with, `none` if they do not.
  [[nodiscard]] std::size_t next_for_all() const {
    std::size_t first = DistanceBuckets::none;
    std::size_t size = 0;
    for (const Share& share : shares_) {
      if (share.failure || !share.long_rows.empty()) return DistanceBuckets::none;
      if (share.next < first) size = 0;
      first = std::min(first, share.next);
      if (share.next == first) size += share.next_size;
    }
    return size < vertices_for_one / 4 ? DistanceBuckets::none : first;
  }
  /// Takes from what this thread offers, then from what others do.
  void relax_offered(int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& from = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
      const std::span<const Waiting> offered(from.offered);
      while (true) {
        const std::size_t begin = from.taken.fetch_add(vertices_a_time, std::memory_order_relaxed);
        if (begin >= offered.size()) break;
        relax<Together>(offered.subspan(begin, std::min(vertices_a_time, offered.size() - begin)), mine);
      }
    }
  }

  /// By one thread, who has this pile for himself, into his own buckets.
  template <class How>
  void relax_batch(std::vector<Waiting>& pile, Share& share) {
    share.batch.clear();
    share.batch.swap(pile);
    relax<How>(share.batch, share);
  }

  template <class How>
  void relax(std::span<const Waiting> some, Share& share) {
    for (std::size_t i = 0; i < some.size(); ++i) {
      prefetch(some, i);
      const Waiting& one = some[i];
      if (tree_.distance(one.vertex) != one.distance) continue;  // it came closer and waits once more
      const IndexRange edges{rows_.offsets[one.vertex], rows_.offsets[one.vertex + 1]};
      if (edges.size() >= long_row_) {
        share.long_rows.push_back(one);
        continue;
      }
      ++share.relaxed;
      relax_edges<How>(one, edges, share);
    }
  }

  /// Fetches what the next vertices need: where the row is, then the row, then the distances of those in it.
  [[gnu::always_inline]] void prefetch(std::span<const Waiting> some, std::size_t i) const {
    constexpr std::size_t ahead = 4;
    if (i + 3 * ahead < some.size()) {
      const std::uint32_t vertex = some[i + 3 * ahead].vertex;
      rows_.prefetch_index(LocalVertex{vertex});
      tree_.prefetch(vertex);
      __builtin_prefetch(partition_.offset_of_local().data() + vertex);
    }
    if (i + 2 * ahead < some.size()) {
      const std::uint32_t vertex = some[i + 2 * ahead].vertex;
      for (const EdgeOffset edge : {rows_.offsets[vertex], rows_.offsets[vertex + 1]}) {
        __builtin_prefetch(rows_.neighbours.data() + edge);
        __builtin_prefetch(rows_.weights.data() + edge);
      }
    }
    if (i + ahead < some.size()) {
      constexpr EdgeOffset most = 8;
      const std::uint32_t vertex = some[i + ahead].vertex;
      const EdgeOffset end = std::min(rows_.offsets[vertex + 1], rows_.offsets[vertex] + most);
      for (EdgeOffset edge = rows_.offsets[vertex]; edge < end; ++edge) tree_.prefetch(rows_.neighbours[edge]);
    }
  }

  template <class How>
  void relax_edges(const Waiting& from, IndexRange edges, Share& share) {
    constexpr EdgeOffset ahead = 8;
    const float most = most_;
    const auto label = static_cast<Neighbour>(partition_.label(LocalVertex{from.vertex}).value);
    EdgeOffset edge = edges.begin;
    for (; edge < edges.end; ++edge) {
      const float candidate = from.distance + rows_.weights[edge];
      if (candidate > most) break;
      if (edge + ahead < edges.end) tree_.prefetch(rows_.neighbours[edge + ahead]);
      const Neighbour target = rows_.neighbours[edge];
      if (!How::improve(tree_, target, candidate, label)) continue;
      share.waiting.add(scale_, {candidate, static_cast<std::uint32_t>(target)});
      ++share.improved;
    }
    share.edges_examined += edge - edges.begin;
  }

  /// What threads came across, one row after the other, each by all threads.
  void relax_long_rows() {
    constexpr std::size_t edges_a_time = 2048;
    for (Share& share : shares_) {
      for (const Waiting& one : share.long_rows) {
        if (tree_.distance(one.vertex) != one.distance) continue;
        ++share.relaxed;
        const EdgeOffset first = rows_.offsets[one.vertex];
        parallel_blocks(context_.threads, rows_.degree(LocalVertex{one.vertex}), edges_a_time,
                        [&](IndexRange edges, int thread) {
                          relax_edges<Together>(one, {first + edges.begin, first + edges.end},
                                                shares_[static_cast<std::size_t>(thread)]);
                        });
      }
      share.long_rows.clear();
    }
  }

  /// What threads did since the last call.
  LevelStatistics statistics() {
    LevelStatistics level;
    for (Share& share : shares_) {
      level.frontier += std::exchange(share.relaxed, 0);
      level.edges_examined += std::exchange(share.edges_examined, 0);
      level.claimed += std::exchange(share.improved, 0);
    }
    return level;
  }

  Tree& tree_;
  HubBounds<Neighbour>& hubs_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  float most_;
  Context context_;
  std::size_t long_row_;  ///< edges that make a row long
  BucketScale scale_;
  std::vector<Share> shares_;  ///< of each thread
};

}  // namespace breadth
