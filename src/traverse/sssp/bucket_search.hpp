// Delta-stepping on several ranks, and the relaxations that ranks send each other.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/data/bitmap.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/level_sums.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/query_exchange.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/local_buckets.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

// Relaxations of other ranks' vertices.

/// Sends relaxations of other ranks' vertices, as queries (traverse/exchange/query_exchange.hpp): a parent's label,
/// then for each vertex the bits of its distance and its local id. Neither word of a pair has its highest bit set.
template <class Neighbour, class Distance = float>
class RelaxationExchange {
  using DistanceBits = std::conditional_t<sizeof(Distance) == 4, std::uint32_t, std::uint64_t>;
  using Word = std::conditional_t<(sizeof(Neighbour) > sizeof(Distance)), Neighbour, DistanceBits>;

 public:
  /// Calls body(local id, distance, parent) on thread 0 for each relaxation that other ranks send. The strategy's
  /// coalescing is in relaxations. Its packets must be runs or, for distances of 32 bits, compressed, because only
  /// these keep a vertex and its distance together (else Error). Collective.
  template <class Body>
  RelaxationExchange(const Context& context, ExchangeStrategy strategy, Body&& body)
      : queries_(context, in_words(std::move(strategy)), [body = std::forward<Body>(body)](QueryMessage<Word> message) {
          message.for_each_run([&](Word parent, std::span<const Word> pairs) {
            for (std::size_t i = 0; i + 1 < pairs.size(); i += words) {
              body(static_cast<std::uint32_t>(pairs[i + 1]),
                   std::bit_cast<Distance>(static_cast<DistanceBits>(pairs[i])), static_cast<Neighbour>(parent));
            }
          });
        }) {}

  void add(int thread, int owner, LocalVertex vertex, Distance distance, Neighbour parent) {
    const std::array<Word, words> pair{std::bit_cast<DistanceBits>(distance), vertex.value};
    queries_.add(thread, owner, parent, pair);
  }
  void progress() { queries_.progress(); }
  void leave(int thread, int workers) { queries_.leave(thread, workers); }
  void finish() { queries_.finish(); }
  /// The traffic so far. Queries are relaxations.
  [[nodiscard]] Traffic traffic() const noexcept {
    Traffic traffic = queries_.traffic();
    traffic.queries /= words;
    return traffic;
  }
  /// The record of all that was sent so far. It has no time of all-reduces.
  [[nodiscard]] CommunicationRecord record() const {
    CommunicationRecord record = record_of(queries_, 0);
    record.queries /= words;
    return record;
  }

 private:
  static constexpr std::size_t words = 2;  // in a relaxation

  static ExchangeStrategy in_words(ExchangeStrategy strategy) {
    if (sizeof(Distance) > 4 && strategy.packets != PacketFormat::runs) {
      fail("relaxations with 64-bit distances can only be sent in runs");
    }
    strategy.queries = QueryKind::relaxations;
    strategy.coalescing *= words;
    return strategy;
  }

  QueryExchange<Word> queries_;
};

/// Replaces RelaxationExchange on one rank, where nothing is sent.
struct NoRelaxationExchange {};

// The search.

/// Delta-stepping on any number of ranks: settles vertices bucket by bucket of distances (Meyer & Sanders 2003). Rows
/// sorted by weight need no classes of light and heavy edges. Inside a bucket a vertex relaxes the edges that stay
/// inside, again if it comes closer; when the bucket is settled it relaxes the rest of its row, once (the "inner and
/// outer short edges" of Chakaravarthy et al. 2014, section III-B). On several nodes a rank goes on with the few
/// vertices that it finds inside the bucket before it receives what others found ("bucket fusion", Zhang et al. 2020).
/// Vertices beyond the bucket wait in the far pile (Davidson et al. 2014, "near-far").
///
/// `Tree` holds the distances, `Distances` the known distances of other ranks' vertices, `Hubs` the bounds of replicas.
/// `Lengths` defines distances and weights; if rows are not sorted, a vertex looks at all its edges both times.
template <class Neighbour, class Exchange, class Distances, class Tree = TentativeTree<Neighbour>,
          class Hubs = HubBounds<Neighbour>, class Lengths = SortedLengths>
class ExchangedBuckets {
  using Key = typename Lengths::Key;

 public:
  /// Tree, distances, hubs, rows and partition must outlive the search. `strategy` is how relaxations travel.
  template <class Options>
  ExchangedBuckets(Tree& tree, Distances& distances, Hubs& hubs, const Adjacency<Neighbour>& rows,
                   const Lengths& lengths, const Partition& partition, const Options& options, const Context& context,
                   const ExchangeStrategy& strategy)
      : tree_(tree),
        distances_(distances),
        hubs_(hubs),
        rows_(rows),
        lengths_(lengths),
        partition_(partition),
        code_(partition.code()),
        context_(context),
        round_costs_(distances.node_count() > 1 ? RoundCosts::much : RoundCosts::little),
        max_fused_(options.fuse && round_costs_ == RoundCosts::much ? 256 : 0),
        near_queued_(tree.size()),
        far_queued_(tree.size()),
        settled_(tree.size()),
        shares_(static_cast<std::size_t>(context.threads.size()) + 1),
        exchange_(context, strategy, [this](std::uint32_t vertex, Key distance, Neighbour parent) {
          if constexpr (!Lengths::in_order) {
            if (distance == Lengths::unreached) {  // a question of ask_beyond()
              shares_.back().left_out = shares_.back().left_out || tree_.distance(vertex) == Lengths::unreached;
              return;
            }
          }
          improve(vertex, distance, parent, shares_.back());
        }) {}

  /// The factor by which buckets should be wider than choose_delta() says (benchmarks/results/sssp.md).
  [[nodiscard]] double width_factor() const { return round_costs_ == RoundCosts::much ? 4 : 1; }

  /// Relaxes from the vertices in `start`, which must have distances, until no distance on any rank can be improved;
  /// with targets, until no distance up to the farthest target's can. Buckets are `delta` wide. If that is +infinity
  /// there is one bucket, whose rounds are those of Bellman-Ford. Collective.
  void run(std::span<const std::uint32_t> start, double delta, std::vector<LevelStatistics>& levels,
           const OwnTargets& targets = {}) {
    bucket_end_ = 0;
    for (Share& share : shares_) share.found_too_far = share.left_out = false;
    for (const std::uint32_t vertex : start) {
      if (insert(far_queued_, vertex)) far_.push_back(vertex);
    }
    while (next_bucket(delta)) {
      const Phase phase(context_.ranks, "bucket");
      LevelStatistics level;
      while (context_.ranks.all_reduce(std::uint64_t{near_.size()}, Reduction::sum) > 0) {
        step(near_, level,
             [this](std::uint32_t vertex, Share& share, int thread) { relax_inside(vertex, share, thread); });
      }
      level.frontier = static_cast<std::uint64_t>(std::count_if(
          in_bucket_.begin(), in_bucket_.end(), [this](std::uint32_t vertex) { return hubs_.counts_here(vertex); }));
      if (bucket_end_ == Lengths::unreached) {
        for (const std::uint32_t vertex : in_bucket_) erase(settled_, vertex);
        in_bucket_.clear();
      } else {
        step(in_bucket_, level,
             [this](std::uint32_t vertex, Share& share, int thread) { relax_beyond(vertex, share, thread); });
      }
      std::uint64_t frontier[] = {level.frontier};
      Stopwatch stopwatch;
      sum_level(level, frontier, stopwatch, context_.ranks);
      level.frontier = frontier[0];
      levels.push_back(level);
      if (are_settled(targets)) break;
    }
    for (const std::uint32_t vertex : far_) erase(far_queued_, vertex);
    far_.clear();
  }
  /// The distance of the farthest target after a run; Lengths::unreached if a target has none or there are no targets.
  /// Collective.
  [[nodiscard]] Key farthest(const OwnTargets& targets) const {
    if (!targets.any) return Lengths::unreached;
    Key most = 0;
    for (const std::uint32_t target : targets.vertices) most = std::max(most, tree_.distance(target));
    return reduced(most, Reduction::maximum);
  }

  /// The record of what this rank sent in all runs.
  [[nodiscard]] CommunicationRecord communication() const { return exchange_.record(); }

  /// Whether, on any rank, an edge leads from a vertex with a distance to one that has none because it is too far away.
  /// To be called after a run, if rows are not sorted by weight. Collective. Looks at all edges if any path of the run
  /// was longer than Lengths::most.
  [[nodiscard]] bool leaves_some_out() {
    const auto found = [&](bool Share::*what) {
      return context_.ranks.any(std::any_of(shares_.begin(), shares_.end(), [&](Share& share) { return share.*what; }));
    };
    if (!found(&Share::found_too_far)) return false;
    constexpr std::size_t vertices_at_a_time = 256;
    scanning_blocks(context_.threads, tree_.size(), vertices_at_a_time, exchange_, [&](IndexRange range, int thread) {
      Share& share = shares_[static_cast<std::size_t>(thread)];
      for (std::size_t i = range.begin; i < range.end; ++i) ask_beyond(static_cast<std::uint32_t>(i), share, thread);
    });
    exchange_.finish();
    return found(&Share::left_out);
  }

 private:
  /// What a round costs, compared with edges that are relaxed more often than necessary: between nodes much, on one
  /// node little.
  enum class RoundCosts { little, much };

  /// The results of one thread in one step.
  struct alignas(64) Share {
    std::vector<std::uint32_t> near;
    std::vector<std::uint32_t> far;
    std::vector<std::uint32_t> settled;
    std::uint64_t edges_examined = 0;
    std::uint64_t improved = 0;
    bool found_too_far = false;  ///< a path was longer than Lengths::most
    bool left_out = false;       ///< a vertex has no distance because all paths to it are longer than that
  };

  /// Opens the next bucket that is not empty, the same on all ranks. Returns false if there is none.
  bool next_bucket(double delta) {
    Key least = Lengths::unreached;
    std::size_t kept = 0;
    for (const std::uint32_t vertex : far_) {
      const Key distance = tree_.distance(vertex);
      if (distance < bucket_end_) {
        erase(far_queued_, vertex);  // settled meanwhile
        continue;
      }
      least = std::min(least, distance);
      far_[kept++] = vertex;
    }
    far_.resize(kept);
    least = reduced(least, Reduction::minimum);
    if (least == Lengths::unreached) return false;
    bucket_end_ = Lengths::bucket_end(least, delta);
    const auto first_near = std::partition(
        far_.begin(), far_.end(), [this](std::uint32_t vertex) { return tree_.distance(vertex) >= bucket_end_; });
    near_.assign(first_near, far_.end());
    far_.erase(first_near, far_.end());
    for (const std::uint32_t vertex : near_) {
      erase(far_queued_, vertex);
      insert(near_queued_, vertex);
    }
    return true;
  }

  [[nodiscard]] Key reduced(Key here, Reduction how) const {
    using Number = std::conditional_t<std::is_floating_point_v<Key>, double, Key>;
    return static_cast<Key>(context_.ranks.all_reduce(Number{here}, how));
  }
  /// Whether there are targets and all are in settled buckets.
  [[nodiscard]] bool are_settled(const OwnTargets& targets) const {
    if (!targets.any) return false;
    return !context_.ranks.any(std::any_of(targets.vertices.begin(), targets.vertices.end(),
                                           [this](auto target) { return tree_.distance(target) >= bucket_end_; }));
  }

  /// A round: relaxes edges of all vertices in `frontier`, which becomes empty first, and collects the vertices that
  /// this queues, perhaps in `frontier` again. Collective.
  template <class Relax>
  void step(std::vector<std::uint32_t>& frontier, LevelStatistics& level, Relax&& relax) {
    Stopwatch stopwatch;
    const Traffic before = exchange_.traffic();
    do {
      scan(frontier, relax);
      collect(level);
    } while (!frontier.empty() && frontier.size() < max_fused_);
    exchange_.finish();
    level.traffic += since(before, exchange_.traffic());
    level.seconds.compute += stopwatch.lap();
    hubs_.reduce([&](std::uint32_t hub) { queue(hub, tree_.distance(hub), shares_.back()); });
    level.traffic.bytes += hubs_.take_bytes();
    level.seconds.communicate += stopwatch.lap();
    collect(level);
    ++level.rounds;
    level.seconds.convert += stopwatch.lap();
  }
  /// Relaxes edges of the vertices in `frontier` and handles the relaxations that other ranks send meanwhile.
  template <class Relax>
  void scan(std::vector<std::uint32_t>& frontier, Relax&& relax) {
    constexpr std::size_t vertices_at_a_time = 64;
    scanning_blocks(context_.threads, frontier.size(), vertices_at_a_time, exchange_,
                    [&](IndexRange range, int thread) {
                      Share& share = shares_[static_cast<std::size_t>(thread)];
                      for (std::size_t i = range.begin; i < range.end; ++i) relax(frontier[i], share, thread);
                    });
    frontier.clear();
  }
  /// Collects what all threads queued and counted.
  void collect(LevelStatistics& level) {
    const auto move_to = [](std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to) {
      to.insert(to.end(), from.begin(), from.end());
      from.clear();
    };
    for (Share& share : shares_) {
      move_to(share.near, near_);
      move_to(share.far, far_);
      move_to(share.settled, in_bucket_);
      level.edges_examined += std::exchange(share.edges_examined, 0);
      level.claimed += std::exchange(share.improved, 0);
    }
  }

  /// Relaxes the edges of a vertex in the bucket that stay inside the bucket.
  void relax_inside(std::uint32_t vertex, Share& share, int thread) {
    erase(near_queued_, vertex);
    if (insert(settled_, vertex)) share.settled.push_back(vertex);
    const Key distance = tree_.distance(vertex);
    relax(
        vertex, rows_.offsets[vertex], share, thread, [&](Key candidate) { return candidate < bucket_end_; }, distance);
  }
  /// Relaxes the edges of a vertex that lead beyond the bucket. The vertex's distance must be final.
  void relax_beyond(std::uint32_t vertex, Share& share, int thread) {
    erase(settled_, vertex);
    const Key distance = tree_.distance(vertex);
    EdgeOffset first = rows_.offsets[vertex];
    if constexpr (Lengths::in_order) {
      const auto* const weights = lengths_.weights;
      const auto* const place =
          std::partition_point(weights + first, weights + rows_.offsets[vertex + 1],
                               [&](auto weight) { return Lengths::sum(distance, weight) < bucket_end_; });
      first = static_cast<EdgeOffset>(place - weights);
    }
    relax(
        vertex, first, share, thread, [&](Key candidate) { return Lengths::in_order || candidate >= bucket_end_; },
        distance);
  }

  /// Relaxes the edges from `edge` on whose candidate distances are `wanted`. In rows by weight these come first.
  template <class Wanted>
  void relax(std::uint32_t vertex, EdgeOffset edge, Share& share, int thread, Wanted&& wanted, Key distance) {
    const Neighbour label = label_of(vertex);
    constexpr EdgeOffset ahead = 16;
    const EdgeOffset first = edge;
    for (const EdgeOffset end = rows_.offsets[vertex + 1]; edge < end; ++edge) {
      const Key candidate = Lengths::sum(distance, lengths_.weights[edge]);
      if (candidate > lengths_.most || !wanted(candidate)) {
        if constexpr (Lengths::in_order) break;
        share.found_too_far = share.found_too_far || candidate > lengths_.most;
        continue;
      }
      if (edge + ahead < end) {
        const Neighbour soon = rows_.neighbours[edge + ahead];
        tree_.prefetch(soon, code_.local(soon).index());
      }
      const Neighbour target = rows_.neighbours[edge];
      const int owner = code_.rank(target);
      if (owner != partition_.rank()) {
        send(target, owner, candidate, label, thread);
        continue;
      }
      improve(code_.local(target).value, candidate, label, share);
    }
    share.edges_examined += edge - first;
  }
  [[nodiscard]] Neighbour label_of(std::uint32_t vertex) const {
    return static_cast<Neighbour>(partition_.label(LocalVertex{vertex}).value);
  }

  /// Sends another rank a path to its vertex, unless the vertex is known to have one as short.
  void send(Neighbour target, int owner, Key candidate, Neighbour parent, int thread) {
    if (!tree_.may_improve(target, candidate)) return;
    distances_.note(target, candidate);
    exchange_.add(thread, owner, code_.local(target), candidate, parent);
  }
  void improve(std::uint32_t vertex, Key distance, Neighbour parent, Share& share) {
    if (hubs_.contains(vertex)) {
      hubs_.propose(vertex, distance, parent);
    } else if (tree_.improve(vertex, distance, parent)) {
      queue(vertex, distance, share);
    }
  }
  /// Looks at the edges of a vertex that lead too far, and notes if a target has no distance at all. Asks other ranks
  /// about their targets by relaxations to Lengths::unreached.
  void ask_beyond(std::uint32_t vertex, Share& share, int thread) {
    const Key distance = tree_.distance(vertex);
    if (distance == Lengths::unreached) return;
    for (EdgeOffset edge = rows_.offsets[vertex]; edge < rows_.offsets[vertex + 1]; ++edge) {
      if (Lengths::sum(distance, lengths_.weights[edge]) <= lengths_.most) continue;
      const Neighbour target = rows_.neighbours[edge];
      const int owner = code_.rank(target);
      if (owner != partition_.rank()) {
        exchange_.add(thread, owner, code_.local(target), Lengths::unreached, label_of(vertex));
      } else if (tree_.distance(code_.local(target).index()) == Lengths::unreached) {
        share.left_out = true;
      }
    }
  }
  /// Queues a vertex that came closer.
  void queue(std::uint32_t id, Key distance, Share& share) {
    if (hubs_.counts_here(id)) ++share.improved;
    if (distance < bucket_end_) {
      if (insert(near_queued_, id)) share.near.push_back(id);
    } else if (insert(far_queued_, id)) {
      share.far.push_back(id);
    }
  }

  /// Sets a bit. Returns whether it was not set before. If it was, another thread will erase it, and read the vertex's
  /// distance only after that.
  static bool insert(Bitmap& set, std::size_t bit) {
    const std::uint64_t mask = bit_in_word(bit);
    return (std::atomic_ref(set.words()[bit / bits_per_word]).fetch_or(mask, std::memory_order_acq_rel) & mask) == 0;
  }
  static void erase(Bitmap& set, std::size_t bit) {
    std::atomic_ref(set.words()[bit / bits_per_word]).fetch_and(~bit_in_word(bit), std::memory_order_acq_rel);
  }

  Tree& tree_;
  Distances& distances_;
  Hubs& hubs_;
  const Adjacency<Neighbour>& rows_;
  Lengths lengths_;
  const Partition& partition_;
  GlobalIdCode code_;
  Context context_;
  RoundCosts round_costs_;
  /// With fewer vertices a rank goes on in the same round. More vertices wait for what other ranks find, because that
  /// may make them come closer.
  std::size_t max_fused_;
  Key bucket_end_ = 0;
  std::vector<std::uint32_t> near_;       ///< vertices in the bucket with edges to relax
  std::vector<std::uint32_t> far_;        ///< vertices beyond the bucket
  std::vector<std::uint32_t> in_bucket_;  ///< all vertices in the bucket so far
  Bitmap near_queued_;
  Bitmap far_queued_;
  Bitmap settled_;
  std::vector<Share> shares_;  ///< one per thread, and one for relaxations from other ranks
  Exchange exchange_;
};

/// Names parents by their labels.
template <class Neighbour>
class LabelNames {
 public:
  /// The partition must outlive this.
  explicit LabelNames(const Partition& partition) : partition_(&partition) {}

  [[nodiscard]] Neighbour operator()(std::uint32_t vertex) const {
    return static_cast<Neighbour>(partition_->label(LocalVertex{vertex}).value);
  }
  /// Always inlined, because g++ drops calls that do nothing but prefetch.
  [[gnu::always_inline]] void prefetch(std::uint32_t vertex) const {
    __builtin_prefetch(partition_->offset_of_local().data() + vertex);
  }

 private:
  const Partition* partition_;
};

/// LocalBuckets with the interface of ExchangedBuckets.
template <class Neighbour>
class OneRankBuckets {
 public:
  /// Tree, hubs, rows and partition must outlive the search. On one rank.
  template <class Distances>
  OneRankBuckets(TentativeTree<Neighbour>& tree, Distances&, HubBounds<Neighbour>& hubs,
                 const Adjacency<Neighbour>& rows, const SortedLengths& lengths, const Partition& partition,
                 const SsspOptions& options, const Context& context, const ExchangeStrategy&)
      : hubs_(hubs),
        buckets_(tree, LabelNames<Neighbour>(partition), rows, partition, lengths,
                 {options.bucket_batch, options.small_batch, options.fuse}, context) {}

  void run(std::span<const std::uint32_t> start, double delta, std::vector<LevelStatistics>& levels) {
    buckets_.clear();  // an earlier search may have ended by an error
    for (const std::uint32_t vertex : start) buckets_.add(vertex);
    buckets_.settle(delta, levels);
    // Replicas on one rank are the hubs themselves.
    for (std::size_t hub = 0; hub < hubs_.count(); ++hub) hubs_.know(hub);
  }

  /// On one rank nothing is sent.
  [[nodiscard]] CommunicationRecord communication() const { return {}; }

 private:
  HubBounds<Neighbour>& hubs_;
  LocalBuckets<Neighbour, TentativeTree<Neighbour>, LabelNames<Neighbour>> buckets_;
};

/// The search in buckets: on one rank, or in rounds that all ranks make together.
template <class Neighbour, class Exchange, class Distances>
using BucketSearch = std::conditional_t<std::is_same_v<Exchange, NoRelaxationExchange>, OneRankBuckets<Neighbour>,
                                        ExchangedBuckets<Neighbour, Exchange, Distances>>;

}  // namespace breadth
