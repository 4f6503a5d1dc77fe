// Shortest paths in graphs where a few hubs are near all vertices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/replication/replicated_distances.hpp"
#include "traverse/sssp.hpp"
#include "traverse/sssp/bucket_search.hpp"
#include "traverse/sssp/hub_bounds.hpp"
#include "traverse/sssp/pruned_pull.hpp"
#include "traverse/sssp/sssp_engine.hpp"
#include "traverse/sssp/tentative_tree.hpp"

namespace breadth {

/// Settles the ball of vertices nearest to the source by delta-stepping, on one thread of each rank, in rings. A ring
/// is twice as wide as the one before if that settled few vertices, else half as wide. It ends early when a vertex has
/// relaxed many edges, so that a hub's long row is not relaxed at once. Rows by weight need no classes of edges: a
/// vertex knows its next edge, and only the lightest edges of a hub are ever seen. Every improvement is sent to all
/// ranks, so that in the end each rank knows the distances of the whole ball, by global id.
template <class Neighbour>
class DistanceBall {
 public:
  /// Tree, replicas, hubs, rows and partition must outlive the ball. Distances from `limit` on count as infinite. The
  /// first ring is `delta` wide.
  DistanceBall(TentativeTree<Neighbour>& tree, ReplicatedDistances& replicas, HubBounds<Neighbour>& hubs,
               const Adjacency<Neighbour>& rows, const Partition& partition, float limit, double delta,
               const Context& context)
      : tree_(tree),
        replicas_(replicas),
        hubs_(hubs),
        rows_(rows),
        partition_(partition),
        limit_(limit),
        delta_(delta),
        context_(context),
        first_global_id_(static_cast<Neighbour>(partition.global_id(LocalVertex{0}))) {}

  /// Settles about `most` vertices of all ranks, those nearest to the source. `start` holds the source, with distance
  /// 0, on its rank. Collective: in each round every rank sends one or two messages to all; a ring takes a few rounds.
  /// O(edges seen * rings + improvements on all ranks).
  void grow(std::span<const std::uint32_t> start, std::size_t most) {
    constexpr std::size_t too_many = 4;  // times `most`: then finishing the ring is not worth its rounds
    settled_.clear();
    edges_examined_ = 0;
    bytes_ = 0;
    for (const std::uint32_t vertex : start) settle(vertex, 0);
    float end = 0;
    double width = delta_;
    std::uint64_t settled_before = 0;
    while (true) {
      const Progress progress = exchange(relax_below(end));
      radius_ = progress.nearest;
      end = progress.end;
      if (std::isinf(radius_) || progress.settled >= too_many * most) return;
      if (progress.settled < most) {
        width *= progress.settled < settled_before + most / 16 ? 2 : 0.5;
        settled_before = progress.settled;
        const double next = std::min(radius_ + width, double{std::numeric_limits<float>::max()});
        end = std::max({end, static_cast<float>(next), std::nextafter(radius_, infinity)});
      } else if (progress.found == 0) {
        return;
      }
    }
  }

  /// Relaxes the edges that the ball has not seen, vertex by vertex, up to the first vertex with many. Returns a
  /// distance below which all vertices have all their edges relaxed. Collective.
  float push_out() {
    constexpr std::size_t many_edges = std::size_t{1} << 14;
    std::erase_if(settled_, [this](const Settled& one) { return is_stale(one); });
    std::ranges::sort(settled_, {}, &Settled::distance);
    float base = radius_;
    std::size_t edges = 0;
    for (const Settled& one : settled_) {
      edges += rows_.offsets[one.vertex + 1] - one.next;
      if (edges <= many_edges / static_cast<std::size_t>(context_.ranks.size())) continue;
      base = std::min(base, one.distance);
      break;
    }
    base = static_cast<float>(context_.ranks.all_reduce(double{base}, Reduction::minimum));
    const std::size_t count = settled_.size();
    for (std::size_t i = 0; i < count && settled_[i].distance < base; ++i) relax(settled_[i], limit_, false);
    exchange(limit_);
    return base;
  }

  /// The radius of the ball: all nearer vertices are settled. +infinity if all vertices that can be reached are.
  [[nodiscard]] float radius() const noexcept { return radius_; }
  /// The number of this rank's vertices in the ball. Each hub counts on one rank.
  [[nodiscard]] std::size_t settled_count() const {
    return static_cast<std::size_t>(std::count_if(
        settled_.begin(), settled_.end(), [this](const Settled& one) { return hubs_.counts_here(one.vertex); }));
  }
  /// The edges that this rank examined.
  [[nodiscard]] std::uint64_t edges_examined() const noexcept { return edges_examined_; }
  /// The bytes that this rank sent.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  static constexpr float infinity = std::numeric_limits<float>::infinity();

  /// A vertex of this rank in the ball. It is stale if the vertex has come closer since.
  struct Settled {
    float distance;
    float candidate;  ///< distance along the edge `next`; infinite if there is none
    std::uint32_t vertex;
    EdgeOffset next;  ///< the first edge that was not seen
  };
  /// Tells all ranks that a vertex came closer.
  struct Found {
    Neighbour global_id;
    Neighbour parent;
    float distance;
  };
  /// The progress of a rank, or of all ranks.
  struct Progress {
    float nearest = infinity;  ///< the least candidate of all edges that were not seen
    float end = infinity;      ///< of the ring
    std::uint64_t settled = 0;
    std::uint64_t found = 0;
  };
  /// A rank's message to all others after each round. Few ranks find more than it has room for.
  struct Message {
    Progress progress;
    std::array<Found, 16> found;  ///< the first improvements
  };

  [[nodiscard]] bool is_stale(const Settled& one) const { return tree_.distance(one.vertex) < one.distance; }

  void settle(std::uint32_t vertex, float distance) {
    const EdgeOffset first = rows_.offsets[vertex];
    settled_.push_back({distance, candidate(first, rows_.offsets[vertex + 1], distance), vertex, first});
  }
  [[nodiscard]] float candidate(EdgeOffset edge, EdgeOffset end, float distance) const {
    const float sum = edge < end ? distance + rows_.weights[edge] : infinity;
    return sum < limit_ ? sum : infinity;
  }

  /// Relaxes edges with candidates below `end`, of all settled vertices and of those that this settles. Returns the end
  /// of the ring, less than `end` if a vertex has many edges below that.
  float relax_below(float end) {
    for (std::size_t i = 0; i < settled_.size(); ++i) {
      if (settled_[i].candidate >= end) continue;
      if (is_stale(settled_[i])) {
        settled_[i].candidate = infinity;
        continue;
      }
      Settled one = settled_[i];
      end = std::min(end, end_of_few_edges(one));
      relax(one, end, true);
      settled_[i] = one;
    }
    return end;
  }
  /// Returns a distance below which a vertex has few edges that were not seen, or more only if these are equally light.
  [[nodiscard]] float end_of_few_edges(const Settled& one) const {
    constexpr EdgeOffset few = 64;
    const EdgeOffset edge = one.next + few;
    if (edge >= rows_.offsets[one.vertex + 1]) return infinity;
    return std::nextafter(one.distance + rows_.weights[edge], infinity);
  }

  /// Relaxes the edges of a vertex that were not seen and whose candidates are below `end`.
  void relax(Settled& one, float end, bool settles) {
    const EdgeOffset first = one.next;
    const EdgeOffset row_end = rows_.offsets[one.vertex + 1];
    const auto label = static_cast<Neighbour>(partition_.label(LocalVertex{one.vertex}).value);
    for (; one.candidate < end; one.candidate = candidate(++one.next, row_end, one.distance)) {
      const Neighbour target = rows_.neighbours[one.next];
      if (one.candidate >= tree_.distance_at(target)) continue;
      const Found found{target, label, one.candidate};
      if (!hubs_.contains(target - first_global_id_)) take(found, settles);  // replicas take it together, in exchange()
      found_.push_back(found);
    }
    edges_examined_ += one.next - first;
  }

  void take(const Found& found, bool settles) {
    const auto local = static_cast<std::size_t>(found.global_id - first_global_id_);
    if (local >= tree_.size()) {
      replicas_.note(found.global_id, found.distance);
      return;
    }
    tree_.set(local, found.distance, found.parent);
    if (hubs_.contains(local)) hubs_.know(local);
    if (settles) settle(static_cast<std::uint32_t>(local), found.distance);
  }

  /// Sends all ranks the improvements found here, in a ring up to `end`, and takes theirs. Collective.
  Progress exchange(float end) {
    Message mine{.progress = {.end = end, .settled = settled_.size(), .found = found_.size()}, .found = {}};
    for (const Settled& one : settled_) mine.progress.nearest = std::min(mine.progress.nearest, one.candidate);
    const std::size_t sent = std::min(found_.size(), mine.found.size());
    std::copy_n(found_.begin(), sent, mine.found.begin());
    const std::vector<Message> messages = context_.ranks.all_gather(mine);
    Progress all;
    std::vector<std::size_t> rest;
    for (const auto& [progress, found] : messages) {
      all.nearest = std::min(all.nearest, progress.nearest);
      all.end = std::min(all.end, progress.end);
      all.settled += progress.settled;
      all.found += progress.found;
      rest.push_back(progress.found - std::min(found.size(), progress.found));
    }
    if (messages.size() > 1) {
      bytes_ += (sizeof(Message) + (found_.size() - sent) * sizeof(Found)) * (messages.size() - 1);
      for (const auto& [progress, found] : messages) {
        all.nearest = std::min(all.nearest, take_all(std::span(found).first(std::min(found.size(), progress.found))));
      }
      all.nearest = std::min(all.nearest, exchange_rest(std::span<const Found>(found_).subspan(sent), rest));
    }
    found_.clear();
    return all;
  }
  /// Exchanges the improvements that messages had no room for; `counts` has their number on each rank. Returns their
  /// least distance.
  float exchange_rest(std::span<const Found> mine, std::span<const std::size_t> counts) {
    received_.resize(sum_of(counts));
    if (received_.empty()) return infinity;
    context_.ranks.all_gather(mine, std::span(received_), counts);
    return take_all(received_);
  }
  /// Takes received improvements. Returns their least distance.
  float take_all(std::span<const Found> received) {
    float nearest = infinity;
    for (Found found : received) {
      nearest = std::min(nearest, found.distance);
      found.global_id = static_cast<Neighbour>(hubs_.own_id(found.global_id));
      if (found.distance < tree_.distance_at(found.global_id)) take(found, true);
    }
    return nearest;
  }

  TentativeTree<Neighbour>& tree_;
  ReplicatedDistances& replicas_;
  HubBounds<Neighbour>& hubs_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  float limit_;
  double delta_;
  Context context_;
  Neighbour first_global_id_;  ///< of this rank's vertices
  std::vector<Settled> settled_;
  std::vector<Found> found_;
  std::vector<Found> received_;
  float radius_ = 0;
  std::uint64_t edges_examined_ = 0;
  std::uint64_t bytes_ = 0;
};

/// Settles the vertices nearest to the source, up to the first hubs and a little farther. Then it sweeps: every vertex
/// looks at the few edges that are light enough to matter. With hubs near, a vertex of degree d is about 1/d farther
/// away than they are, and of its d edges hardly more than one is lighter. The most connected vertices are swept first,
/// several times, because most paths lead through them. When a sweep improves few vertices, buckets push these
/// improvements on. Ranks exchange their improvements between sweeps.
template <class Exchange>
class SweepSearch {
 public:
  using Neighbour = std::uint32_t;

  /// Whether a graph has hubs, so that sweeps pay, and has the memory layout that they need. On several ranks, where
  /// buckets cost more, the degree of the most connected vertex decides. Collective, on one rank O(vertices).
  static bool suits(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const Context& context) {
    const Partition& partition = graph.partition();
    if (graph.layout().order != VertexOrder::degree || partition.code().bound() > std::uint64_t{1} << 31) return false;
    if (context.ranks.size() == 1) return has_hub_core(adjacencies.push_rows(), context.threads);
    constexpr std::uint64_t hub_times_average = 32;
    const std::uint64_t edges = context.ranks.all_reduce(adjacencies.edges(), Reduction::sum);
    return edges > 0 &&
           most_connected(graph, adjacencies, context) > hub_times_average * edges / graph.connected_vertices();
  }

  /// The distances that a rank knows: those of all ranks.
  using Distances = ReplicatedDistances;

  /// All arguments except options, context and strategy must outlive the search. Collective.
  SweepSearch(TentativeTree<Neighbour>& tree, ReplicatedDistances& replicas, HubBounds<Neighbour>& hubs,
              const Adjacencies<Neighbour>& adjacencies, const Graph& graph, const SsspOptions& options,
              const Context& context, const ExchangeStrategy& strategy)
      : tree_(tree),
        hubs_(hubs),
        rows_(adjacencies.pull_rows()),
        partition_(graph.partition()),
        context_(context),
        vertices_(graph.connected_vertices()),
        ball_divisor_(options.ball_divisor),
        hubs_first_(options.hubs_first),
        limit_(std::nextafter(options.max_distance, std::numeric_limits<float>::infinity())),
        leaves_(first_with_at_most(1, {partition_.hubs().end(), tree.size()},
                                   [&](LocalVertex vertex) { return adjacencies.total_degree(vertex); })),
        pieces_(context.ranks.size() == 1 || replicas.seen_by_all() ? 1 : max_pieces),
        delta_(choose_delta(adjacencies.push_rows(), context)),
        ball_(tree, replicas, hubs, adjacencies.push_rows(), partition_, limit_, ring_width(graph, adjacencies),
              context),
        pull_(tree, adjacencies, graph.contents().labels, context.threads),
        replicas_(replicas),
        buckets_(tree, replicas, hubs, adjacencies.push_rows(),
                 {adjacencies.push_rows().weights.data(), options.max_distance}, partition_, options, context,
                 strategy) {
    replicas_.search_through(leaves_);
  }

  /// Searches until no distance can be improved. `start` holds the source, with distance 0, on its rank.
  LeafPass run(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    replicas_.start(start);
    SweepBounds bounds = grow_ball(start, levels);
    if (std::isinf(bounds.settled)) return {};  // all vertices that can be reached are in the ball
    int swept = Section::nothing;
    if (hubs_first_) {
      for (const int shift : {6, 4, 2}) {
        sweep({.shift = shift, .beyond = swept}, bounds, levels);
        sweep({.shift = shift}, bounds, levels);
        swept = shift;
      }
    }
    sweep({.beyond = swept}, bounds, levels);
    bounds.base = bounds.settled;  // all vertices have looked at the nearer ones by now
    std::uint64_t improved = vertices_;
    for (int i = 1; i < max_sweeps && improved > vertices_ / few; ++i) improved = sweep({}, bounds, levels);
    buckets_.run(improved_, improved <= vertices_ / few ? std::numeric_limits<double>::infinity() : delta_, levels);
    return visit_leaves();
  }
  /// The record of what this rank sent in all runs, without collectives.
  [[nodiscard]] CommunicationRecord communication() const { return buckets_.communication(); }

 private:
  using Section = ReplicatedDistances::Section;

  static constexpr int max_sweeps = 8;
  /// Sweeps end once at most one in so many vertices improves; buckets push these improvements on.
  static constexpr std::uint64_t few = 512;
  /// The pieces of a sweep, if ranks exchange improvements after each.
  static constexpr std::size_t max_pieces = 4;

  static std::uint64_t most_connected(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                      const Context& context) {
    const Hubs& hubs = graph.partition().hubs();
    if (hubs.count() > 0) return hubs[LocalVertex{0}].degree;
    const bool any = adjacencies.out.offsets.size() > 1;
    const std::uint64_t here = any ? adjacencies.total_degree(LocalVertex{0}) : 0;
    return context.ranks.all_reduce(here, Reduction::maximum);
  }
  /// The width of the first ring. A ring has few edges of the most connected vertex, so that few are seen in vain.
  [[nodiscard]] double ring_width(const Graph& graph, const Adjacencies<Neighbour>& adjacencies) const {
    constexpr double edges_of_a_hub = 64;
    const std::uint64_t edges = context_.ranks.all_reduce(adjacencies.edges(), Reduction::sum);
    const double average = static_cast<double>(edges) / static_cast<double>(vertices_);
    return delta_ / 2 * average * edges_of_a_hub / static_cast<double>(most_connected(graph, adjacencies, context_));
  }

  /// Settles the ball around the source. Its hubs do not push; other vertices pull from them. The base of the returned
  /// bounds is the distance of the first such hub.
  SweepBounds grow_ball(std::span<const std::uint32_t> start, std::vector<LevelStatistics>& levels) {
    constexpr std::uint64_t min_vertices = 64;
    const Stopwatch stopwatch;
    ball_.grow(start, ball_divisor_ == 0 ? 1 : std::max(min_vertices, vertices_ / ball_divisor_));
    const float base = ball_.push_out();
    const auto [edges, settled, bytes] =
        context_.ranks.sums({ball_.edges_examined(), ball_.settled_count(), ball_.bytes()});
    levels.push_back({.direction = Direction::push,
                      .frontier = 1,
                      .edges_examined = edges,
                      .claimed = settled,
                      .traffic = {.bytes = bytes},
                      .seconds = {.compute = stopwatch.seconds()}});
    return {.base = base, .settled = ball_.radius(), .limit = limit_};
  }

  /// Sweeps a section of each rank's vertices, in pieces. Ranks exchange their improvements after each piece. Returns
  /// how many vertices improved on all ranks.
  std::uint64_t sweep(Section section, const SweepBounds& bounds, std::vector<LevelStatistics>& levels) {
    Stopwatch stopwatch;
    LevelStatistics level{.direction = Direction::pull};
    improved_.clear();
    sweep_hubs(section.shift, bounds, level);
    stopwatch.lap();
    section.pieces = pieces_;
    for (section.piece = 0; section.piece < pieces_; ++section.piece) {
      level.edges_examined += pull_.sweep(replicas_.own(section), bounds);
      level.seconds.compute += stopwatch.lap();
      const std::size_t before = improved_.size();
      pull_.append_improved(improved_);
      const ReplicatedDistances::Shared shared =
          replicas_.share(std::span<const std::uint32_t>(improved_).subspan(before), section);
      level.frontier += shared.swept;
      level.claimed += shared.changed;
      level.traffic.bytes += shared.bytes;
      level.seconds.communicate += stopwatch.lap();
    }
    const std::array<std::uint64_t, 2> sums = context_.ranks.sums({level.edges_examined, level.traffic.bytes});
    level.edges_examined = sums[0];
    level.traffic.bytes = sums[1];
    levels.push_back(level);
    return level.claimed;
  }

  /// Sweeps the hubs of a section: each rank looks along its share of their edges.
  void sweep_hubs(int shift, const SweepBounds& bounds, LevelStatistics& level) {
    if (hubs_.count() == 0) return;
    Stopwatch stopwatch;
    const std::size_t count = std::min(hubs_.count(), leaves_ >> shift);
    level.edges_examined += hubs_.pull(rows_, count, bounds);
    level.frontier += context_.ranks.all_reduce(std::uint64_t{count}, Reduction::maximum);
    level.seconds.compute += stopwatch.lap();
    hubs_.reduce([&](std::uint32_t hub) { improved_.push_back(hub); });
    level.claimed += improved_.size();
    level.traffic.bytes += hubs_.take_bytes();
    level.seconds.communicate += stopwatch.lap();
  }

  /// Lets vertices with one edge, on which no other distance depends, pull from their neighbours. Improvements of
  /// neighbours on other ranks since the last exchange have been pushed to them.
  LeafPass visit_leaves() {
    const Stopwatch stopwatch;
    pull_.sweep({leaves_, tree_.size()}, {.base = 0, .settled = 0, .limit = limit_});
    pull_.look_up_parents(partition_, context_);
    return {.claimed = context_.ranks.all_reduce(std::uint64_t{pull_.improved_count()}, Reduction::sum),
            .seconds = {.compute = stopwatch.seconds()}};
  }

  TentativeTree<Neighbour>& tree_;
  HubBounds<Neighbour>& hubs_;
  const Adjacency<Neighbour>& rows_;
  const Partition& partition_;
  Context context_;
  std::uint64_t vertices_;      ///< on all ranks
  std::uint64_t ball_divisor_;  ///< one in so many vertices; 0: only the source
  bool hubs_first_;
  float limit_;
  std::size_t leaves_;
  std::size_t pieces_;
  double delta_;
  DistanceBall<Neighbour> ball_;
  PrunedPull pull_;
  ReplicatedDistances& replicas_;
  BucketSearch<Neighbour, Exchange, Distances> buckets_;
  std::vector<std::uint32_t> improved_;  ///< this rank's vertices that improved in the last sweep, some perhaps twice
};

}  // namespace breadth
