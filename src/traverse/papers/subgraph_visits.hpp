// Degree-separated subgraphs: the choice of a direction in each, and visits along edges from hubs or light vertices to
// hubs or light vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/search.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs/pull.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/exchange/query_exchange.hpp"

namespace breadth {

// The direction in each subgraph of a rank.

/// The work of a level in one subgraph of one rank.
struct SubgraphWork {
  std::uint64_t frontier = 0;           ///< sources in the frontier
  std::uint64_t unvisited_sources = 0;  ///< sources that are not visited
  std::uint64_t unvisited_targets = 0;  ///< targets that are not visited: a pull looks at each
  std::uint64_t push_edges = 0;         ///< edges of the frontier (FV in the paper)

  /// Whether no vertex can be found.
  [[nodiscard]] bool idle() const { return frontier == 0 || unvisited_targets == 0; }
  /// The expected number of edges that a pull looks at (BV): each target looks until it meets the frontier, to which a
  /// source belongs with probability frontier / (frontier + unvisited_sources). The level must not be idle.
  [[nodiscard]] double pull_edges() const {
    const auto newly = static_cast<double>(frontier);
    return static_cast<double>(unvisited_targets) * (newly + static_cast<double>(unvisited_sources)) / newly;
  }
};

/// Chooses the direction of a subgraph, level by level (Pan et al. 2018, section IV-B). Each rank chooses for itself,
/// because it has both ends of every edge of the subgraph.
class SubgraphDirection {
 public:
  SubgraphDirection(const DirectionRule& rule, const DirectionFactors& factors) : rule_(rule), factors_(factors) {}

  void start() { direction_ = Direction::push; }
  /// Whether the direction depends on SubgraphWork::push_edges, so that these must be counted.
  [[nodiscard]] bool depends_on_work() const { return rule_.may_choose(); }

  Direction choose(const SubgraphWork& work) {
    if (!rule_.may_pull()) return Direction::push;
    if (!rule_.may_push()) return Direction::pull;
    const auto push_edges = static_cast<double>(work.push_edges);
    if (direction_ == Direction::push) {
      if (push_edges > factors_.pull * work.pull_edges()) direction_ = Direction::pull;
    } else if (push_edges < factors_.push * work.pull_edges()) {
      direction_ = Direction::push;
    }
    return direction_;
  }

 private:
  DirectionRule rule_;
  DirectionFactors factors_;
  Direction direction_ = Direction::push;
};

// Visits.

/// The kind of vertices at one end of edges.
enum class Ends { hubs, lights };

/// The part of a row with hubs, which come first, or with light vertices.
struct PartOfRow {
  std::span<const std::uint32_t> hubs;  ///< for each vertex the number of hubs in its row
  Ends ends;
  std::size_t skipped = 0;  ///< the number of first hubs that are skipped, because they are in the head

  [[nodiscard]] IndexRange operator()(std::size_t vertex, std::size_t degree) const {
    const std::size_t first_light = hubs[vertex];
    if (ends == Ends::lights) return {first_light, degree};
    return {std::min(skipped, first_light), first_light};
  }
};

/// The labels of a rank's own vertices, by global id.
class OwnLabels {
 public:
  explicit OwnLabels(const Partition& partition) : partition_(partition) {}

  [[nodiscard]] static bool contains(std::uint64_t) { return true; }
  [[nodiscard]] Label label(std::uint64_t global_id) const {
    return partition_.label(partition_.code().local(global_id));
  }
  void prefetch(std::uint64_t global_id) const {
    const LocalVertex vertex = partition_.code().local(global_id);
    if (!partition_.hubs().contains(vertex)) __builtin_prefetch(&partition_.offset_of_local()[vertex.index()]);
  }

 private:
  const Partition& partition_;
};

/// Pushes and pulls of one rank in the degree-separated subgraphs (Pan et al. 2018, section IV). A row has its hubs
/// before its light vertices, so that a subgraph is a part of each row. The hubs of each row are counted once, 4 bytes
/// a vertex, 8 if directed. Only a push from light vertices to light vertices leads to other ranks.
template <class Neighbour>
class SubgraphVisits {
 public:
  using Exchange = QueryExchange<Neighbour>;

  /// All arguments must outlive the visits. O(vertices log degree).
  SubgraphVisits(SearchState<Neighbour>& state, const Adjacencies<Neighbour>& adjacencies, const Graph& graph,
                 Exchange& exchange, ThreadTeam& threads)
      : state_(state),
        rows_(adjacencies.push_rows()),
        partition_(graph.partition()),
        hubs_end_(partition_.hubs().end()),
        exchange_(exchange),
        targets_(partition_, exchange),
        threads_(threads),
        labels_(partition_),
        visited_before_(partition_.local_count()),
        hubs_before_(partition_.code().stride()),
        push_hubs_(count_hubs(adjacencies.push_rows())),
        pull_hubs_(adjacencies.directed ? count_hubs(adjacencies.pull_rows()) : Buffer<std::uint32_t>()),
        pull_hub_to_hub_(pull_from(hubs_before_, adjacencies, {}, Ends::hubs)),
        pull_light_to_hub_(pull_from(visited_before_, adjacencies, {}, Ends::lights)),
        pull_hub_to_light_(pull_from(hubs_before_, adjacencies, adjacencies.head, Ends::hubs)) {}

  /// Begins a search.
  void start() {
    visited_before_.clear();
    hubs_before_.clear();
  }

  /// Queues the vertices visited since the last call and adds them to the bits that pulls use as the frontier. Vertices
  /// of earlier levels stay in these bits, because no unvisited vertex has one as a neighbour.
  void take_frontier() {
    constexpr std::size_t words_per_block = 1024;
    const auto visited = std::as_const(state_).visited().words();
    state_.forget_found();
    state_.list_found(visited_before_.words());
    parallel_for(threads_, visited.size(), words_per_block,
                 [&](std::size_t word) { visited_before_.words()[word] = visited[word]; });
    std::copy_n(visited.begin(), hubs_end_ / bits_per_word, hubs_before_.words().begin());
    state_.take_queue();
  }

  /// The number of edges from `vertices` to hubs or to light vertices.
  [[nodiscard]] std::uint64_t edges(std::span<const std::uint32_t> vertices, Ends ends) const {
    constexpr std::size_t grain = 1024;
    return parallel_sum(threads_, vertices.size(), grain,
                        [&](std::size_t i) { return push_part(vertices[i], ends).size(); });
  }

  /// Visits the neighbours of light vertices that are hubs, or light vertices. Those of other ranks are visited when
  /// the exchange is finished, with carried(label) as the parent. Threads share the vertices, because their rows are
  /// short.
  template <class Carried>
  void push_from_lights(std::span<const std::uint32_t> lights, Ends ends, Carried carried) {
    constexpr std::size_t grain = 256;
    scanning_blocks(threads_, lights.size(), grain, exchange_, [&](IndexRange range, int thread) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        prefetch_row(lights, i);
        push_row(lights[i], push_part(lights[i], ends), thread, carried);
      }
    });
  }

  /// Lays out the edges from `hubs` to hubs, or to light vertices, one after the other, for push_from_hubs(). Returns
  /// their number.
  std::uint64_t lay_out_edges(std::span<const std::uint32_t> hubs, Ends ends) {
    first_edge_.clear();
    std::size_t edges = 0;
    for (const std::uint32_t hub : hubs) {
      first_edge_.push_back(edges);
      edges += push_part(hub, ends).size();
    }
    first_edge_.push_back(edges);
    return edges;
  }

  /// Visits the neighbours of `hubs` that are hubs, or light vertices. lay_out_edges() must have been called with these
  /// arguments. Threads share the edges, because one hub may have most of them.
  void push_from_hubs(std::span<const std::uint32_t> hubs, Ends ends) {
    constexpr std::size_t grain = 2048;
    scanning_blocks(threads_, first_edge_.back(), grain, exchange_, [&](IndexRange range, int thread) {
      const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), range.begin);
      for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
           i < hubs.size() && first_edge_[i] < range.end; ++i) {
        const IndexRange part = push_part(hubs[i], ends);
        const std::size_t begin = part.begin + std::max(range.begin, first_edge_[i]) - first_edge_[i];
        const std::size_t end = std::min(part.begin + range.end - first_edge_[i], part.end);
        if (begin < end) push_row(hubs[i], {begin, end}, thread, std::identity());
      }
    });
  }

  /// Visits the hubs that have a hub, or a light vertex, of the frontier as neighbour on this rank.
  void pull_into_hubs(Ends from) {
    (from == Ends::hubs ? pull_hub_to_hub_ : pull_light_to_hub_).visit_level({0, partition_.hubs().count()});
  }

  /// Visits the light vertices that have a hub of the frontier as neighbour.
  void pull_into_lights() { pull_hub_to_light_.visit_level({hubs_end_, partition_.local_count()}); }

 private:
  using SubgraphPull = Pull<Adjacency<Neighbour>, PartOfRow, OwnLabels>;
  using Columns = std::span<const HeadColumn<Neighbour>>;

  /// Counts the hubs in each row. They are its first neighbours.
  [[nodiscard]] Buffer<std::uint32_t> count_hubs(const Adjacency<Neighbour>& rows) const {
    constexpr std::size_t grain = 4096;
    const GlobalIdCode& code = partition_.code();
    Buffer<std::uint32_t> counts(partition_.local_count());
    parallel_for(threads_, counts.size(), grain, [&](std::size_t vertex) {
      const auto row = rows.row(LocalVertex{static_cast<std::uint32_t>(vertex)});
      const auto end = std::partition_point(
          row.begin(), row.end(), [&](Neighbour global_id) { return code.local(global_id).index() < hubs_end_; });
      counts[vertex] = static_cast<std::uint32_t>(end - row.begin());
    });
    return counts;
  }

  /// Makes a pull against the edges of one subgraph. Neighbours are looked up in `frontier` by local id.
  [[nodiscard]] SubgraphPull pull_from(const Bitmap& frontier, const Adjacencies<Neighbour>& adjacencies,
                                       Columns columns, Ends sources) {
    const FrontierBits bits{frontier.words().data(), partition_.code().stride() - 1};
    const Buffer<std::uint32_t>& hubs = adjacencies.directed ? pull_hubs_ : push_hubs_;
    return SubgraphPull(state_, adjacencies.pull_rows(), columns, partition_.local_count(), {bits, bits},
                        PartOfRow{.hubs = hubs.span(), .ends = sources, .skipped = columns.size()}, labels_, threads_);
  }

  /// The part of a vertex's row for pushes that leads to hubs, or to light vertices.
  [[nodiscard]] IndexRange push_part(std::uint32_t vertex, Ends ends) const {
    return PartOfRow{.hubs = push_hubs_.span(), .ends = ends}(vertex, rows_.degree(LocalVertex{vertex}));
  }

  [[gnu::always_inline]] void prefetch_row(std::span<const std::uint32_t> vertices, std::size_t i) const {
    constexpr std::size_t ahead = 16;
    if (i + ahead < vertices.size()) rows_.prefetch_row(LocalVertex{vertices[i + ahead]});
    if (i + 2 * ahead < vertices.size()) rows_.prefetch_index(LocalVertex{vertices[i + 2 * ahead]});
  }

  template <class Carried>
  void push_row(std::uint32_t number, IndexRange part, int thread, Carried carried) {
    const LocalVertex vertex{number};
    Tally<Neighbour>& tally = state_.tally(thread);
    const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
    const auto row = rows_.row(vertex).subspan(part.begin, part.size());
    targets_.for_each_own(row, carried(label), thread,
                          [&](std::span<const Neighbour> own) { visit_among_threads(state_, own, label, tally); });
    tally.edges_examined += part.size();
  }

  SearchState<Neighbour>& state_;
  const Adjacency<Neighbour>& rows_;  ///< for pushes
  const Partition& partition_;
  std::size_t hubs_end_;
  Exchange& exchange_;
  QueryTargets<Neighbour> targets_;
  ThreadTeam& threads_;
  OwnLabels labels_;
  Bitmap visited_before_;            ///< vertices visited before this level, by local id
  Bitmap hubs_before_;               ///< only the hubs of these; has room for any local id of another rank
  Buffer<std::uint32_t> push_hubs_;  ///< number of hubs in each row for pushes
  Buffer<std::uint32_t> pull_hubs_;  ///< number of hubs in each row for pulls, if the graph is directed
  SubgraphPull pull_hub_to_hub_;
  SubgraphPull pull_light_to_hub_;
  SubgraphPull pull_hub_to_light_;
  std::vector<std::size_t> first_edge_;  ///< for each hub its first edge in the layout; at the end the number of edges
};

}  // namespace breadth
