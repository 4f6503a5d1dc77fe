// Delta-stepping on one rank.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/regions.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/distance_buckets.hpp"

namespace breadth {

/// Names parents by their local ids.
struct LocalNames {
  std::uint32_t operator()(std::uint32_t vertex) const { return vertex; }
  void prefetch(std::uint32_t) const {}
};

/// Delta-stepping on one rank: settles vertices bucket by bucket of distances (Meyer & Sanders 2003). Each thread has
/// buckets of its own. It goes on with its part of a bucket, however often that fills again, as long as it is small
/// ("bucket fusion", Zhang et al. 2020), and then with the next bucket. Threads meet (synchronise) only after a batch
/// of several buckets. A thread may take vertices from another's bucket, and no thread is more than a bucket ahead of
/// another, so that all have work and little is relaxed too early. If neighbours have near labels, a few threads
/// instead have vertices of their own (Regions) and send each other the distances that they find for them. If few
/// vertices wait, one thread settles them alone. A vertex that came closer waits with its new distance, so that its row
/// is relaxed at most once for each distance. All threads share long rows. O(edges * distances that their vertices wait
/// with).
///
/// `Tree` holds the distances, `Names` gives the name of a vertex as a parent, `Lengths` defines distances and weights.
template <class Neighbour, class Tree, class Names, class Lengths = SortedLengths>
class LocalBuckets {
  using Key = typename Lengths::Key;
  using Waiting = breadth::Waiting<Key>;
  using Buckets = DistanceBuckets<Lengths>;

 public:
  /// Tree, rows and context must outlive the search. `partition` is the graph's, on one rank.
  LocalBuckets(Tree& tree, Names names, const Adjacency<Neighbour>& rows, const Partition& partition,
               const Lengths& lengths, const BucketSharing& sharing, const Context& context)
      : tree_(tree),
        names_(names),
        rows_(rows),
        finder_(rows),
        lengths_(lengths),
        context_(context),
        batch_(sharing.bucket_batch),
        vertices_for_all_(sharing.small_batch),
        max_fused_(sharing.fuse ? 1024 : 0),
        long_row_(context.threads.size() > 1 ? edges_of_long_row : std::numeric_limits<std::size_t>::max()),
        regions_(sharing.fuse ? Regions::of(rows, partition, context.threads.size()) : std::nullopt),
        shares_(static_cast<std::size_t>(context.threads.size())) {
    for (Share& share : shares_) {
      share.thread = static_cast<int>(&share - shares_.data());
      share.offers = std::vector<Offer<Waiting>>(batch_);
      share.outboxes.resize(shares_.size());
    }
  }

  /// Removes all waiting vertices, and resets found_too_far().
  void clear() {
    for (Share& share : shares_) {
      share.waiting.clear();
      share.inbox.take(share.received);
      for (std::vector<Found>& outbox : share.outboxes) outbox.clear();
      share.long_rows.clear();
      share.found_too_far = false;
    }
    (void)statistics();
  }
  /// Adds a vertex, which must have a distance, to be relaxed by the next settle().
  void add(std::uint32_t vertex) { shares_.front().waiting[Buckets::none].push_back({tree_.distance(vertex), vertex}); }

  /// Relaxes from the vertices that were added, until no distance can be improved. Buckets are `delta` wide. If that is
  /// +infinity there is one bucket, and vertices are relaxed in the order in which they came closer (Bellman-Ford). A
  /// level is BucketScale::buckets buckets. With `targets` it ends as soon as the distances of all targets are final;
  /// distances up to the farthest target's are then final too. It also ends after about `max_edges` edges; then
  /// clear() must be called before other vertices are added.
  void settle(double delta, std::vector<LevelStatistics>& levels, std::span<const std::uint32_t> targets = {},
              std::uint64_t max_edges = UINT64_MAX) {
    const Phase phase(context_.ranks, "bucket");
    targets_.assign(targets.begin(), targets.end());
    first_unsettled_ = 0;
    max_edges_ = max_edges;
    for (Share& share : shares_) share.failure = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    bool goes_on = true;
    while (goes_on && deal_out(delta)) {
      const Stopwatch stopwatch;
      for (std::size_t bucket = next(0); goes_on && bucket < Buckets::none; bucket = next(bucket)) {
        settle_some(bucket);
        first_unsettled_ = first_target_not_before(next(bucket));
        goes_on = !is_done(next(bucket));
      }
      levels.push_back(statistics());
      levels.back().seconds.compute = stopwatch.seconds();
      if (max_edges_ != UINT64_MAX) max_edges_ -= std::min(max_edges_, levels.back().edges_examined);
    }
    if (goes_on || targets.empty()) return;
    for (Share& share : shares_) share.waiting.clear();
  }

  /// The least distance that waits; Lengths::unreached if none does. No vertex comes closer than that any more.
  [[nodiscard]] Key least_waiting() const { return least_waiting(0); }
  /// Whether a path since clear() was longer than Lengths::most. Not noticed if rows are sorted by weight.
  [[nodiscard]] bool found_too_far() const {
    return std::any_of(shares_.begin(), shares_.end(), [](const Share& share) { return share.found_too_far; });
  }

 private:
  static constexpr std::size_t edges_of_long_row = std::size_t{1} << 14;
  static constexpr std::size_t vertices_between_looks = std::size_t{1} << 14;

  using Name = decltype(std::declval<Names>()(0));
  /// A distance that one thread found for a vertex of another thread.
  struct Found {
    Key distance;
    std::uint32_t vertex;
    Name parent;
  };
  /// The state of one thread.
  struct alignas(64) Share {
    int thread = 0;
    Buckets waiting;
    std::vector<Waiting> taken;                ///< from a bucket, to be relaxed by this thread only
    std::vector<Waiting> long_rows;            ///< left for all threads together
    std::vector<Offer<Waiting>> offers;        ///< for each bucket of a batch
    std::vector<std::vector<Found>> outboxes;  ///< for each thread, if threads have regions
    std::vector<Found> received;
    Inbox<Found> inbox;
    std::size_t next = 0;            ///< this thread's first bucket that is not empty
    std::size_t vertices_ahead = 0;  ///< in the batch that begins with `next`
    std::exception_ptr failure;
    std::uint64_t relaxed = 0;
    std::uint64_t edges_examined = 0;
    std::uint64_t improved = 0;
    bool found_too_far = false;
    alignas(64) std::atomic<std::size_t> opened = 0;  ///< buckets of a batch that this thread has opened
  };
  /// Which vertices other threads improve meanwhile: any, those in their own regions, or none.
  enum class How { together, in_regions, alone };

  /// Moves the buckets so that they begin at the least distance that waits. Returns false if none does.
  bool deal_out(double delta) {
    const Key least = least_waiting(Buckets::none);
    if (least == Lengths::unreached) return false;
    scale_ = BucketScale<Lengths>(least, delta);
    for (Share& share : shares_) share.waiting.deal_out(scale_);
    return true;
  }
  [[nodiscard]] Key least_waiting(std::size_t bucket) const {
    Key least = Lengths::unreached;
    for (const Share& share : shares_) least = std::min(least, share.waiting.least(bucket));
    return least;
  }
  /// The first bucket from `bucket` on in which any thread has vertices.
  [[nodiscard]] std::size_t next(std::size_t bucket) const {
    std::size_t first = Buckets::none;
    for (const Share& share : shares_) first = std::min(first, share.waiting.next(bucket));
    return first;
  }

  /// Whether settle() is to end, if only vertices in `bucket` or beyond still wait.
  [[nodiscard]] bool is_done(std::size_t bucket) const {
    return (!targets_.empty() && first_target_not_before(bucket) == targets_.size()) ||
           (max_edges_ != UINT64_MAX && edges_examined() >= max_edges_);
  }
  [[nodiscard]] std::uint64_t edges_examined() const {
    std::uint64_t edges = 0;
    for (const Share& share : shares_) edges += share.edges_examined;
    return edges;
  }
  /// The first target that vertices waiting in `bucket` or beyond can still improve; the number of targets if none.
  [[nodiscard]] std::size_t first_target_not_before(std::size_t bucket) const {
    std::size_t i = first_unsettled_;
    while (i < targets_.size() && scale_.is_before(tree_.distance(targets_[i]), bucket)) ++i;
    return i;
  }

  /// Settles a bucket by one thread, or by all threads, which then may go on with the buckets after it.
  void settle_some(std::size_t bucket) {
    context_.threads.checkpoint();
    std::size_t vertices = 0;
    for (const Share& share : shares_) vertices += share.waiting.vertices(bucket, batch_);
    if (vertices < vertices_for_all_ || shares_.size() == 1) {
      for (Share& share : shares_) relax_bucket<How::alone>(share.waiting[bucket], shares_.front());
    } else {
      context_.threads.run([&](int thread) { settle_together(bucket, thread); });
    }
    relax_long_rows();
  }

  /// Run by each thread: settles batches of buckets until one is not worth all threads, or long rows are to be relaxed.
  void settle_together(std::size_t first, int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    while (first < Buckets::none) {
      for (Offer<Waiting>& offer : mine.offers) offer.close();
      mine.opened.store(0, std::memory_order_relaxed);
      if (thread == 0) meet_.store(false, std::memory_order_relaxed);
      context_.threads.barrier();
      attempt(mine, [&] { regions_ ? settle_regions(first, thread) : settle_batch(first, thread); });
      if (regions_) {
        context_.threads.barrier();
        attempt(mine, [&] { receive(mine); });
      }
      mine.next = mine.waiting.next(first);
      mine.vertices_ahead = mine.waiting.vertices(mine.next, batch_);
      context_.threads.barrier();
      if (mine.failure) std::rethrow_exception(mine.failure);
      first = next_for_all();
    }
  }
  /// Runs a step. Keeps its exception until the threads have met, because others wait for this thread.
  template <class Step>
  void attempt(Share& mine, Step&& step) {
    try {
      step();
    } catch (...) {
      mine.failure = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
      let_meet();
    }
  }
  /// The bucket that all threads go on with; `none` if they are to return.
  [[nodiscard]] std::size_t next_for_all() const {
    std::size_t first = Buckets::none;
    std::size_t vertices = 0;
    for (const Share& share : shares_) {
      if (share.failure || !share.long_rows.empty()) return Buckets::none;
      first = std::min(first, share.next);
      vertices += share.vertices_ahead;
    }
    if (vertices < vertices_for_all_ / 4) return Buckets::none;
    return is_done(first) ? Buckets::none : first;
  }
  /// Settles this thread's part of a batch of buckets, until threads have to meet.
  void settle_batch(std::size_t first, int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    const std::size_t buckets = std::min(batch_, Buckets::none - first);
    for (std::size_t i = 0; i < buckets && others_have_opened(i); ++i) {
      std::vector<Waiting>& bucket = mine.waiting[first + i];
      mine.offers[i].open(bucket);
      open(mine, i + 1);
      relax_offered(i, thread);
      while (!bucket.empty() && bucket.size() < max_fused_) relax_bucket<How::together>(bucket, mine);
      if (!bucket.empty() || !mine.long_rows.empty()) let_meet();
    }
  }
  /// Settles this thread's vertices in a batch of buckets, with the distances that others find for them, even if these
  /// belong to an earlier bucket of the batch.
  void settle_regions(std::size_t first, int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    const std::size_t buckets = std::min(batch_, Buckets::none - first);
    for (std::size_t i = 0; i < buckets && others_have_opened(i); ++i) {
      open(mine, i + 1);
      receive(mine);
      for (std::size_t next = mine.waiting.next(first); next <= first + i; next = mine.waiting.next(next)) {
        relax_bucket<How::in_regions>(mine.waiting[next], mine);
        send(mine);
        if (receive(mine)) next = first;
      }
      if (!mine.long_rows.empty()) let_meet();
    }
  }
  /// Announces that this thread has opened so many buckets of the batch.
  void open(Share& mine, std::size_t buckets) {
    mine.opened.store(buckets, std::memory_order_release);
    announce();
  }
  void let_meet() {
    meet_.store(true, std::memory_order_relaxed);
    announce();
  }
  /// Wakes the threads that wait in others_have_opened().
  void announce() {
    changes_.fetch_add(1, std::memory_order_release);
    changes_.notify_all();
  }
  void send(Share& from) {
    for (std::size_t to = 0; to < shares_.size(); ++to) {
      if (!from.outboxes[to].empty()) shares_[to].inbox.put(from.outboxes[to]);
    }
  }
  /// Takes the distances that others found for this thread's vertices. Returns false if there were none.
  bool receive(Share& mine) {
    if (!mine.inbox.take(mine.received)) return false;
    for (const Found& found : mine.received) improve<How::in_regions>(found.vertex, found.distance, found.parent, mine);
    return true;
  }
  /// Waits until all threads have opened so many buckets of the batch. Returns false if they are to meet before.
  [[nodiscard]] bool others_have_opened(std::size_t buckets) const {
    for (const Share& share : shares_) {
      for (unsigned seen = changes_.load(std::memory_order_acquire);
           share.opened.load(std::memory_order_acquire) < buckets; seen = changes_.load(std::memory_order_acquire)) {
        if (meet_.load(std::memory_order_relaxed)) return false;
        wait_while_equal(changes_, seen);
      }
    }
    return !meet_.load(std::memory_order_relaxed);
  }
  /// Relaxes vertices that are offered in a bucket of the batch and in the one before: this thread's first, then those
  /// of other threads.
  void relax_offered(std::size_t bucket, int thread) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& from = shares_[(static_cast<std::size_t>(thread) + i) % shares_.size()];
      for (std::size_t of = bucket == 0 ? 0 : bucket - 1; of <= bucket; ++of) {
        for (auto some = from.offers[of].take(); !some.empty() && is_wanted(mine); some = from.offers[of].take()) {
          relax<How::together>(some, mine);
        }
      }
    }
  }

  /// Relaxes a bucket that no other thread uses. Vertices that come closer go to the buckets of `share`.
  template <How how>
  void relax_bucket(std::vector<Waiting>& bucket, Share& share) {
    share.taken.clear();
    share.taken.swap(bucket);
    for (std::size_t first = 0; first < share.taken.size() && is_wanted(share); first += vertices_between_looks) {
      const std::span<const Waiting> rest = std::span(share.taken).subspan(first);
      relax<how>(rest.first(std::min(rest.size(), vertices_between_looks)), share);
    }
  }
  /// Whether no thread has failed. Throws on thread 0 if the search is to stop.
  [[nodiscard]] bool is_wanted(const Share& share) const {
    if (share.thread == 0) context_.threads.checkpoint();
    return !failed_.load(std::memory_order_relaxed);
  }

  /// Relaxes vertices. Prefetches the data of each in three steps, several vertices apart, because each step reads what
  /// the one before has fetched. Not inlined, so that the loops have the registers to themselves.
  template <How how>
  [[gnu::noinline]] void relax(std::span<const Waiting> some, Share& share) {
    constexpr std::size_t ahead = 8;  // vertices between two steps, and from the last to the vertex itself
    std::array<IndexRange, 2 * ahead> rows;
    const auto fetch_row = [&](std::size_t i) __attribute__((always_inline)) {
      const IndexRange edges = finder_.edges(LocalVertex{some[i].vertex});
      rows[i % rows.size()] = edges;
      prefetch_row_at(rows_.neighbours.data() + edges.begin, edges.size());
      prefetch_row_at(lengths_.weights + edges.begin, edges.size());
    };
    for (const Waiting& one : some.first(std::min(some.size(), 3 * ahead))) fetch_index(one.vertex);
    for (std::size_t i = 0; i < std::min(some.size(), 2 * ahead); ++i) fetch_row(i);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const Waiting& one = some[i];
      const IndexRange edges = rows[i % rows.size()];
      if (i + 3 * ahead < some.size()) fetch_index(some[i + 3 * ahead].vertex);
      if (i + 2 * ahead < some.size()) fetch_row(i + 2 * ahead);
      if (i + ahead < some.size()) fetch_ends(rows[(i + ahead) % rows.size()]);
      if (tree_.distance(one.vertex) != one.distance) continue;  // it came closer and waits again
      if (edges.size() >= long_row_) {
        share.long_rows.push_back(one);
        continue;
      }
      ++share.relaxed;
      relax_edges<how>(one, edges, share);
    }
  }
  /// Prefetches a vertex's row index, distance and name.
  [[gnu::always_inline]] void fetch_index(std::uint32_t vertex) const {
    finder_.prefetch_index(LocalVertex{vertex});
    tree_.prefetch(vertex);
    names_.prefetch(vertex);
  }
  /// Prefetches the distances of the first neighbours in a row.
  [[gnu::always_inline]] void fetch_ends(IndexRange edges) const {
    constexpr EdgeOffset most = 8;
    const EdgeOffset end = std::min(edges.end, edges.begin + most);
    for (EdgeOffset edge = edges.begin; edge < end; ++edge) tree_.prefetch(rows_.neighbours[edge]);
  }

  template <How how>
  void relax_edges(const Waiting& from, IndexRange edges, Share& share) {
    constexpr EdgeOffset edges_ahead = 8;
    const Neighbour* const neighbours = rows_.neighbours.data();
    const auto* const weights = lengths_.weights;
    const Key distance = from.distance;
    const Key most = lengths_.most;
    const auto name = names_(from.vertex);
    EdgeOffset edge = edges.begin;
    for (; edge < edges.end; ++edge) {
      const Key candidate = Lengths::sum(distance, weights[edge]);
      if (candidate > most) {
        if constexpr (Lengths::in_order) break;
        share.found_too_far = true;
        continue;
      }
      if (edge + edges_ahead < edges.end) tree_.prefetch(neighbours[edge + edges_ahead]);
      improve<how>(static_cast<std::uint32_t>(neighbours[edge]), candidate, name, share);
    }
    share.edges_examined += edge - edges.begin;
  }
  /// Sets a distance if it is shorter, or sends it to the thread that the vertex belongs to.
  template <How how>
  [[gnu::always_inline]] void improve(std::uint32_t vertex, Key candidate, Name name, Share& share) {
    if constexpr (how == How::together) {
      if (!tree_.improve(vertex, candidate, name)) return;
    } else {
      if (tree_.distance(vertex) <= candidate) return;
      if constexpr (how == How::in_regions) {
        const int owner = regions_->owner(vertex);
        if (owner != share.thread) {
          share.outboxes[static_cast<std::size_t>(owner)].push_back({candidate, vertex, name});
          return;
        }
        finder_.prefetch_index(LocalVertex{vertex});  // still in the cache when it is needed, since neighbours are near
      }
      tree_.set(vertex, candidate, name);
    }
    await(vertex, candidate, share);
  }
  /// Adds a vertex that came closer to the buckets.
  void await(std::uint32_t vertex, Key distance, Share& share) {
    share.waiting.add(scale_, {distance, vertex});
    ++share.improved;
  }

  /// Relaxes the long rows that threads have left, one after the other, each by all threads.
  void relax_long_rows() {
    constexpr std::size_t edges_at_a_time = 2048;
    for (Share& share : shares_) {
      for (const Waiting& one : share.long_rows) {
        if (tree_.distance(one.vertex) != one.distance) continue;
        ++share.relaxed;
        const EdgeOffset first = rows_.offsets[one.vertex];
        parallel_blocks(context_.threads, rows_.degree(LocalVertex{one.vertex}), edges_at_a_time,
                        [&](IndexRange edges, int thread) {
                          relax_edges<How::together>(one, {first + edges.begin, first + edges.end},
                                                     shares_[static_cast<std::size_t>(thread)]);
                        });
      }
      share.long_rows.clear();
    }
  }

  /// Returns and resets the counts of all threads since the last call.
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
  Names names_;
  const Adjacency<Neighbour>& rows_;
  RowFinder<Adjacency<Neighbour>> finder_;
  Lengths lengths_;
  Context context_;
  std::size_t batch_;             ///< buckets, at most, from one meeting of the threads to the next
  std::size_t vertices_for_all_;  ///< with fewer vertices waiting in a batch, waking the threads would take longer
  /// If a thread's part of a bucket fills again with so many vertices, the threads meet to share them.
  std::size_t max_fused_;
  std::size_t long_row_;            ///< the fewest edges of a long row
  std::optional<Regions> regions_;  ///< if threads have vertices of their own
  BucketScale<Lengths> scale_;
  std::vector<std::uint32_t> targets_;
  std::size_t first_unsettled_ = 0;  ///< targets before this one cannot come closer
  std::uint64_t max_edges_ = UINT64_MAX;
  std::vector<Share> shares_;             ///< one per thread
  alignas(64) std::atomic<bool> meet_{};  ///< threads are to meet before the end of the batch
  std::atomic<unsigned> changes_{};       ///< counts changes of Share::opened and meet_
  std::atomic<bool> failed_{};            ///< a thread has failed, so that the others stop
};

}  // namespace breadth
