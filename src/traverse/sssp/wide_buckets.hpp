// Delta-stepping on one rank with distances of 64 bits.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp/sssp_engine.hpp"
#include "traverse/wide_paths.hpp"

namespace breadth {

// Distances as whole numbers.

/// Keys of distances: whole numbers in the order of the distances, all below 2^63, which leaves a bit to lock by.
template <class Distance>
struct DistanceKeys;

template <>
struct DistanceKeys<double> {
  static std::uint64_t key(double distance) noexcept { return std::bit_cast<std::uint64_t>(distance); }
  static double distance(std::uint64_t key) noexcept { return std::bit_cast<double>(key); }
  /// Of a distance and a weight more; above all keys of finite distances if that is none.
  static std::uint64_t sum(std::uint64_t key, double weight) noexcept {
    return DistanceKeys::key(distance(key) + weight);
  }
};

template <>
struct DistanceKeys<std::int64_t> {
  static std::uint64_t key(std::int64_t distance) noexcept { return static_cast<std::uint64_t>(distance); }
  static std::int64_t distance(std::uint64_t key) noexcept { return static_cast<std::int64_t>(key); }
  static std::uint64_t sum(std::uint64_t key, std::int64_t weight) noexcept {
    return key + static_cast<std::uint64_t>(weight);
  }
};

// What the search knows so far.

/// For each vertex the key of the shortest distance found so far and the local id of the vertex that gave it. The
/// highest bit of a key locks the pair. Parents have no cycle, for the reasons that TentativeTree gives.
class WideTree {
 public:
  static constexpr std::uint64_t lock = std::uint64_t{1} << 63;
  static constexpr std::uint64_t unreached = lock - 1;

  explicit WideTree(std::size_t size) : keys_(size), parents_(size) {}

  void clear(ThreadTeam& threads) { parallel_fill(threads, keys_.span(), unreached); }

  [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }
  /// `unreached` where there is none.
  [[nodiscard]] std::uint64_t key(std::size_t vertex) const noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(keys_[vertex])).load(std::memory_order_relaxed) & ~lock;
  }
  /// Of a vertex that has a distance, while no thread improves any.
  [[nodiscard]] std::uint32_t parent(std::size_t vertex) const noexcept { return parents_[vertex]; }
  /// Ahead of an access. Always inlined: g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::size_t vertex) const noexcept { __builtin_prefetch(keys_.data() + vertex); }

  /// Takes a distance and its parent if it is shorter. Any number of threads at once.
  bool improve(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    std::atomic_ref place(keys_[vertex]);
    std::uint64_t now = place.load(std::memory_order_relaxed);
    do {
      while ((now & ~lock) > key && now >= lock) {
        std::this_thread::yield();
        now = place.load(std::memory_order_relaxed);
      }
      if ((now & ~lock) <= key) return false;
    } while (!place.compare_exchange_weak(now, key | lock, std::memory_order_acquire, std::memory_order_relaxed));
    parents_[vertex] = parent;
    place.store(key, std::memory_order_release);
    return true;
  }
  /// The same where no other thread improves any vertex meanwhile.
  bool improve_alone(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    if (keys_[vertex] <= key) return false;
    keys_[vertex] = key;
    parents_[vertex] = parent;
    return true;
  }
  /// Takes them where no other thread improves this vertex meanwhile; others may ask for its key.
  void set(std::size_t vertex, std::uint64_t key, std::uint32_t parent) noexcept {
    parents_[vertex] = parent;
    std::atomic_ref(keys_[vertex]).store(key, std::memory_order_relaxed);
  }

 private:
  Buffer<std::uint64_t> keys_;
  Buffer<std::uint32_t> parents_;
};

// Buckets.

/// The width that choose_delta gives buckets, for weights of any kind beside rows. O(m).
template <class Weight>
double choose_wide_delta(std::span<const Weight> weights, std::size_t vertices, ThreadTeam& threads) {
  const auto entries = static_cast<double>(weights.size());
  const double average = parallel_reduce(
      threads, weights.size(), std::size_t{1} << 16, 0.0,
      [&](IndexRange range) {
        double part = 0;
        for (std::size_t i = range.begin; i < range.end; ++i) part += static_cast<double>(weights[i]) / entries;
        return part;
      },
      std::plus<>());
  return bucket_width(average, entries, static_cast<double>(vertices));
}

/// Settles vertices bucket by bucket of distances, all threads together in a bucket until it stays empty. Each thread
/// has buckets of its own, takes from what others have in the bucket, and goes on with what it finds there itself as
/// long as that is small ("bucket fusion", Zhang et al. 2020). There are so many buckets at a time; what is too far
/// waits in a pile until they are empty. A vertex that came closer waits with the distance that it got, so that each of
/// its distances is relaxed from once at the most. Rows of many edges are shared by all threads. O(edges * distances
/// that their vertices wait with).
template <class Neighbour, class Weight, class Distance>
class WideBuckets {
  using Keys = DistanceKeys<Distance>;

 public:
  /// All but the options outlive it.
  WideBuckets(WideTree& tree, const Adjacency<Neighbour>& rows, std::span<const Weight> weights,
              const WidePathOptions<Distance>& options, ThreadTeam& threads)
      : tree_(tree),
        rows_(rows),
        weights_(weights),
        threads_(threads),
        most_(std::min(Keys::key(options.max_distance + Distance{0}), Keys::key(wide_unreached<Distance>) - 1)),
        width_(options.delta > 0 ? options.delta : choose_wide_delta(weights, rows.offsets.size() - 1, threads)),
        vertices_for_all_(options.small_bucket),
        most_fused_(options.fuse ? 1024 : 0),
        long_row_(threads.size() > 1 ? edges_of_long_row : std::numeric_limits<std::size_t>::max()),
        shares_(static_cast<std::size_t>(threads.size())) {}

  /// Nothing waits, and no path was met.
  void clear() {
    for (Share& share : shares_) {
      share.found_too_far = false;
      for (std::vector<Waiting>& pile : share.piles) pile.clear();
    }
  }
  /// A vertex that has a distance is to be relaxed.
  void add(std::uint32_t vertex) { shares_.front().piles[buckets].push_back({tree_.key(vertex), vertex}); }

  /// Goes on until no distance can be improved. A step is as many buckets as there are.
  void settle_all(std::vector<LevelStatistics>& steps) { settle(width_, UINT64_MAX, steps); }
  /// Settles the nearest vertices, in narrow buckets so that few others are relaxed, until so many edges were. Returns
  /// the key of the least distance that waits: no vertex that is farther away comes closer than that.
  /// WideTree::unreached if nothing waits.
  std::uint64_t settle_nearest(std::uint64_t edges, std::vector<LevelStatistics>& steps) {
    constexpr double narrower = 64;
    settle(width_ / narrower, edges, steps);
    return least_waiting();
  }
  /// No distance is above that key.
  [[nodiscard]] std::uint64_t most() const noexcept { return most_; }
  /// Whether a path was met since clear() that leads farther than distances may be.
  [[nodiscard]] bool found_too_far() const {
    return std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return share.found_too_far; });
  }

 private:
  static constexpr std::size_t buckets = 1024;
  static constexpr std::size_t vertices_a_time = 64;
  static constexpr std::size_t edges_of_long_row = std::size_t{1} << 14;

  /// A vertex that came so close.
  struct Waiting {
    std::uint64_t key;
    std::uint32_t vertex;
  };

  /// What one thread has.
  struct alignas(64) Share {
    std::array<std::vector<Waiting>, buckets + 1> piles;  ///< of each bucket; the last is of what is too far
    std::vector<Waiting> batch;                           ///< of a bucket, for any thread to take from
    std::vector<Waiting> fused;                           ///< of a bucket, this thread's alone
    std::vector<Waiting> long_rows;                       ///< left for all threads together
    std::uint64_t relaxed = 0;
    std::uint64_t edges_examined = 0;
    std::uint64_t improved = 0;
    bool found_too_far = false;
    alignas(64) std::atomic<std::size_t> taken = 0;  ///< of the batch, by any thread
  };
  /// Improves the tree where other threads do so too, or none does.
  struct Together {
    static bool improve(WideTree& tree, std::size_t vertex, std::uint64_t key, std::uint32_t parent) {
      return tree.improve(vertex, key, parent);
    }
  };
  struct Alone {
    static bool improve(WideTree& tree, std::size_t vertex, std::uint64_t key, std::uint32_t parent) {
      return tree.improve_alone(vertex, key, parent);
    }
  };

  /// The bucket of a distance, or the pile; never falls as distances rise.
  [[nodiscard]] std::size_t bucket_of(std::uint64_t key) const noexcept {
    const double place = static_cast<double>(Keys::distance(key) - origin_) * per_width_;
    return place < double{buckets} ? static_cast<std::size_t>(place) : buckets;
  }

  void settle(double width, std::uint64_t most_edges, std::vector<LevelStatistics>& steps) {
    bool goes_on = true;
    while (goes_on && deal_out(width)) {
      const Stopwatch stopwatch;
      std::size_t bucket = next(0);
      while (bucket < buckets && edges_examined() < most_edges) {
        settle_some(bucket);
        bucket = next(bucket);
      }
      goes_on = edges_examined() < most_edges;
      steps.push_back(statistics());
      steps.back().seconds.compute = stopwatch.seconds();
      most_edges -= std::min(most_edges, steps.back().edges_examined);
    }
  }
  [[nodiscard]] std::uint64_t edges_examined() const {
    std::uint64_t edges = 0;
    for (const Share& share : shares_) edges += share.edges_examined;
    return edges;
  }

  [[nodiscard]] std::uint64_t least_waiting() const {
    std::uint64_t least = WideTree::unreached;
    for (const Share& share : shares_) {
      for (const std::vector<Waiting>& pile : share.piles) {
        for (const Waiting& one : pile) least = std::min(least, one.key);
      }
    }
    return least;
  }

  /// Lets the buckets begin at the least distance that waits, when all of them are empty but the pile; false if it is
  /// too. Buckets that are narrower than any two distances are apart are as good as narrower ones.
  bool deal_out(double width) {
    const std::uint64_t least = least_waiting();
    if (least == WideTree::unreached) return false;
    origin_ = Keys::distance(least);
    per_width_ = 1 / std::max(width, 1e-300);
    for (Share& share : shares_) {
      const std::vector<Waiting> pile = std::exchange(share.piles[buckets], {});
      for (const Waiting& one : pile) share.piles[bucket_of(one.key)].push_back(one);
    }
    return true;
  }

  /// The first bucket from one on in which any thread has anything.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    const auto is_empty = [&](const Share& share) { return share.piles[bucket].empty(); };
    while (bucket < buckets && std::all_of(shares_.begin(), shares_.end(), is_empty)) ++bucket;
    return bucket;
  }

  /// What there is in a bucket, by one thread or by all.
  void settle_some(std::size_t bucket) {
    threads_.checkpoint();
    std::size_t vertices = 0;
    for (Share& share : shares_) {
      share.batch.clear();
      share.batch.swap(share.piles[bucket]);
      vertices += share.batch.size();
    }
    if (shares_.size() == 1 || vertices < vertices_for_all_) {
      for (const Share& share : shares_) relax<Alone>(share.batch, shares_.front());
    } else {
      for (Share& share : shares_) share.taken.store(0, std::memory_order_relaxed);
      threads_.run([&](int thread) { settle_together(bucket, static_cast<std::size_t>(thread)); });
    }
    relax_long_rows();
  }

  /// One of all threads: its own batch, then what others have left, then what it has found in the bucket.
  void settle_together(std::size_t bucket, std::size_t thread) {
    Share& mine = shares_[thread];
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& from = shares_[(thread + i) % shares_.size()];
      for (std::size_t begin = from.taken.fetch_add(vertices_a_time, std::memory_order_relaxed);
           begin < from.batch.size(); begin = from.taken.fetch_add(vertices_a_time, std::memory_order_relaxed)) {
        const std::size_t count = std::min(vertices_a_time, from.batch.size() - begin);
        relax<Together>(std::span(from.batch).subspan(begin, count), mine);
      }
    }
    while (!mine.piles[bucket].empty() && mine.piles[bucket].size() < most_fused_) {
      mine.fused.clear();
      mine.fused.swap(mine.piles[bucket]);
      relax<Together>(mine.fused, mine);
    }
  }

  /// Not inlined, so that the loops have the registers to themselves.
  template <class How>
  [[gnu::noinline]] void relax(std::span<const Waiting> some, Share& share) {
    for (std::size_t i = 0; i < some.size(); ++i) {
      prefetch(some, i);
      const Waiting& one = some[i];
      if (tree_.key(one.vertex) != one.key) continue;  // it came closer and waits once more
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
      rows_.prefetch_index(LocalVertex{some[i + 3 * ahead].vertex});
      tree_.prefetch(some[i + 3 * ahead].vertex);
    }
    if (i + 2 * ahead < some.size()) {
      const std::uint32_t vertex = some[i + 2 * ahead].vertex;
      for (const EdgeOffset edge : {rows_.offsets[vertex], rows_.offsets[vertex + 1]}) {
        __builtin_prefetch(rows_.neighbours.data() + edge);
        __builtin_prefetch(weights_.data() + edge);
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
    const Neighbour* const neighbours = rows_.neighbours.data();
    const Weight* const weights = weights_.data();
    for (EdgeOffset edge = edges.begin; edge < edges.end; ++edge) {
      if (edge + ahead < edges.end) tree_.prefetch(neighbours[edge + ahead]);
      const std::uint64_t candidate = Keys::sum(from.key, weights[edge]);
      if (candidate > most_) {
        share.found_too_far = true;
        continue;
      }
      const auto target = static_cast<std::uint32_t>(neighbours[edge]);
      if (!How::improve(tree_, target, candidate, from.vertex)) continue;
      share.piles[bucket_of(candidate)].push_back({candidate, target});
      ++share.improved;
    }
    share.edges_examined += edges.size();
  }

  /// What threads came across, one row after the other, each by all threads.
  void relax_long_rows() {
    constexpr std::size_t edges_a_time = 2048;
    for (Share& share : shares_) {
      for (const Waiting& one : share.long_rows) {
        if (tree_.key(one.vertex) != one.key) continue;
        ++share.relaxed;
        const EdgeOffset first = rows_.offsets[one.vertex];
        parallel_blocks(threads_, rows_.degree(LocalVertex{one.vertex}), edges_a_time,
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
    LevelStatistics step;
    for (Share& share : shares_) {
      step.frontier += std::exchange(share.relaxed, 0);
      step.edges_examined += std::exchange(share.edges_examined, 0);
      step.claimed += std::exchange(share.improved, 0);
    }
    return step;
  }

  WideTree& tree_;
  const Adjacency<Neighbour>& rows_;
  std::span<const Weight> weights_;
  ThreadTeam& threads_;
  std::uint64_t most_;  ///< no distance is above that; of a limit of -0 it is that of 0
  double width_;
  std::size_t vertices_for_all_;
  std::size_t most_fused_;  ///< a thread's part of a bucket that has as many is left for all threads to share
  std::size_t long_row_;    ///< edges that make a row long
  Distance origin_ = 0;     ///< where buckets begin
  double per_width_ = 0;
  std::vector<Share> shares_;  ///< of each thread
};

}  // namespace breadth
