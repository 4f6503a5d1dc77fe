// Levels on rows that an index leads to, and small push levels, one after the other, that threads go through together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "core/ids.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/direction.hpp"
#include "core/stopwatch.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/local_order.hpp"
#include "graph/row_finder.hpp"
#include "traverse/bfs.hpp"
#include "traverse/bfs/message_pull.hpp"
#include "traverse/bfs/pull.hpp"
#include "traverse/bfs/push.hpp"
#include "traverse/bfs/push_targets.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

// Small levels, one after the other without an exchange between.

/// Push levels from frontiers of up to a thousand vertices a thread with short rows, of which roads and the long tails
/// of webs have thousands, on one rank, where there are no hubs. Each thread pushes from what it found itself in the
/// level before: rows, bits and parents nearby are in its own caches. A level costs one barrier, where it would
/// otherwise cost waking the team, dealing the queue out and collecting what was found; larger levels cost more by what
/// threads find unevenly. Threads go on together while the frontier stays such a one and they have about equal parts of
/// it.
template <class Rows>
class FusedLevels {
  using Neighbour = typename Rows::Neighbour;

 public:
  using Push = PushLevel<Rows, NoExchange<Neighbour>>;

  /// All of them outlive this. Vertices are in the order of degrees. The caller does not come with `edges_for_one`
  /// edges or fewer, but threads go on with less; frontiers that might be pulled from by `alpha` are left to the
  /// caller.
  FusedLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, std::uint64_t edges_for_one,
              double alpha, ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        edges_for_one_(edges_for_one),
        alpha_(alpha),
        threads_(threads),
        most_found_(Push::grain / 2 * static_cast<std::size_t>(threads.size())),
        shares_(static_cast<std::size_t>(threads.size())) {}

  /// Carries out at most so many levels from what the state's tallies have found, as many as are for it, and adds them
  /// to `levels`; returns whether there were any. Afterwards the tallies have found what the last one did.
  /// `unvisited_edges` are about those of vertices that are not visited, and of the frontier.
  bool run(Push& push, std::uint64_t& unvisited_edges, std::int64_t most_levels, std::vector<LevelStatistics>& levels) {
    for (Share& share : shares_) share.failure = nullptr;
    if (!is_fit(look_at_all(), unvisited_edges) || !is_fit(deal_out(), unvisited_edges)) return false;
    const std::size_t before = levels.size();
    threads_.run([&](int thread) { push_levels(push, thread, unvisited_edges, most_levels, levels); });
    for (const LevelStatistics& level : std::span(levels).subspan(before)) {
      unvisited_edges -= std::min(level.edges_examined, unvisited_edges);
    }
    return true;
  }

 private:
  /// What threads found in a level.
  struct Result {
    std::size_t found = 0;
    std::size_t most_found = 0;  ///< by one of them, in a sum
    std::uint64_t edges_examined = 0;
    std::uint64_t edges_to_follow = 0;  ///< at least about as many edges as the found vertices have
    bool is_small = true;               ///< few vertices, with short rows
    bool failed = false;
  };
  struct alignas(64) Share {
    std::vector<std::uint32_t> frontier;
    /// Of a level and the one before, in turns: a thread may be one level ahead of another that still reads.
    std::array<Result, 2> results;
    std::exception_ptr failure;
  };

  Result look_at_all() {
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
      shares_[thread].results[0] = result_of(static_cast<int>(thread));
    }
    return sum_of(0);
  }
  /// Gives threads equal parts of what they have found; how that looks in parts may be another bound of its edges.
  Result deal_out() {
    state_.take_queue();
    const std::vector<std::uint32_t>& queue = state_.queue();
    for (std::size_t thread = 0; thread < shares_.size(); ++thread) {
      const IndexRange part = even_share(queue.size(), thread, shares_.size());
      state_.tally(static_cast<int>(thread)).found.assign(queue.data() + part.begin, queue.data() + part.end);
    }
    return look_at_all();
  }

  /// One thread's part of all levels.
  void push_levels(Push& push, int thread, std::uint64_t unvisited_edges, std::int64_t most_levels,
                   std::vector<LevelStatistics>& levels) {
    Share& mine = shares_[static_cast<std::size_t>(thread)];
    Stopwatch stopwatch;
    std::size_t turn = 0;
    Result frontier = sum_of(turn);
    for (std::int64_t done = 0; done < most_levels && is_even(frontier) && is_fit(frontier, unvisited_edges); ++done) {
      turn = 1 - turn;
      try {
        push_from_own(push, mine, thread);
      } catch (...) {
        mine.failure = std::current_exception();  // the others wait
      }
      mine.results[turn] = result_of(thread);
      threads_.barrier();
      const Result next = sum_of(turn);
      if (thread == 0) add_level(frontier, next, stopwatch.lap(), levels, mine);
      unvisited_edges -= std::min(next.edges_examined, unvisited_edges);
      frontier = next;
    }
    if (mine.failure) std::rethrow_exception(mine.failure);
  }

  void push_from_own(Push& push, Share& mine, int thread) {
    auto& found = state_.tally(thread).found;
    mine.frontier.swap(found);
    found.clear();
    push.push_vertices(mine.frontier, thread);
  }

  static void add_level(const Result& frontier, const Result& next, double seconds,
                        std::vector<LevelStatistics>& levels, Share& mine) {
    try {
      levels.push_back({.fused = true,
                        .direction = Direction::push,
                        .frontier = frontier.found,
                        .edges_examined = next.edges_examined,
                        .claimed = next.found,
                        .seconds = {.compute = seconds}});
    } catch (...) {
      mine.failure = std::current_exception();
    }
  }

  /// What a thread has found since it was last asked.
  Result result_of(int thread) {
    auto& tally = state_.tally(thread);
    Result result{.found = tally.found.size(),
                  .edges_examined = std::exchange(tally.edges_examined, 0),
                  .failed = shares_[static_cast<std::size_t>(thread)].failure != nullptr};
    tally.claimed = 0;
    if (result.found > most_found_) {
      result.is_small = false;
    } else if (result.found > 0) {
      const std::size_t degree = adjacencies_.total_degree(LocalVertex{least_of(tally.found)});
      result.edges_to_follow = most_edges(result.found, degree);
      result.is_small = degree <= Push::edges_of_short_row;
    }
    return result;
  }

  [[nodiscard]] Result sum_of(std::size_t turn) const {
    Result sum;
    for (const Share& share : shares_) {
      const Result& one = share.results[turn];
      sum.found += one.found;
      sum.most_found = std::max(sum.most_found, one.found);
      sum.edges_examined += one.edges_examined;
      sum.edges_to_follow += one.edges_to_follow;
      sum.is_small = sum.is_small && one.is_small;
      sum.failed = sum.failed || one.failed;
    }
    return sum;
  }

  /// Whether threads have about equal parts of the frontier.
  [[nodiscard]] bool is_even(const Result& frontier) const {
    constexpr std::size_t of_no_account = 32;  // vertices
    const std::size_t fair = frontier.found / shares_.size();
    return frontier.most_found <= fair + of_no_account;
  }
  /// Whether threads that are awake push from this frontier; the same on each of them.
  [[nodiscard]] bool is_fit(const Result& frontier, std::uint64_t unvisited_edges) const {
    constexpr std::uint64_t awake = 4;  // threads that are need so many times less to do to be worth it
    return !frontier.failed && frontier.is_small && frontier.found <= most_found_ &&
           frontier.edges_to_follow > edges_for_one_ / awake &&
           frontier.edges_to_follow <= too_few_to_pull(unvisited_edges, alpha_);
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  std::uint64_t edges_for_one_;
  double alpha_;
  ThreadTeam& threads_;
  std::size_t most_found_;  ///< vertices of a small level
  std::vector<Share> shares_;
};

// Levels over rows.

/// How a search carries out its levels where every row can be looked up, in an Adjacency or compressed: pushes start
/// from a queue, pulls from the columns of leading neighbours.
template <class Rows, class OneExchange>
class RowLevels {
 public:
  using Neighbour = typename Rows::Neighbour;
  using Exchange = OneExchange;

  /// All of them outlive the levels.
  RowLevels(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Graph& graph,
            const BfsOptions& options, const Context& context)
      : state_(state),
        adjacencies_(adjacencies),
        finder_(adjacencies.push_rows()),
        partition_(graph.partition()),
        by_degree_(graph.layout().order == VertexOrder::degree),
        push_strategy_{.edges_for_one = options.small_level * static_cast<std::uint64_t>(context.threads.size()),
                       .in_ranges = options.push_ranges && graph.layout().neighbours == NeighbourOrder::vertices,
                       .by_degree = by_degree_,
                       .rows = graph.layout().neighbours},
        alpha_(options.alpha),
        threads_(context.threads),
        pull_(state, adjacencies.pull_rows(), adjacencies.leading, rows_end(),
              {state.frontier(), {state.frontier_bits().data()}}, RestOfRow{adjacencies.leading.size()}, graph.labels(),
              context.threads),
        short_rows_(short_rows(options)) {
    if (can_fuse && options.fuse_levels && by_degree_ && threads_.size() > 1) {
      fused_.emplace(state, adjacencies, push_strategy_.edges_for_one, alpha_, threads_);
    }
  }

  /// A search begins: its source is visited and queued.
  void start() {
    form_ = FrontierForm::queue;
    unvisited_edges_ = adjacencies_.edges();
    count_frontier_edges();
  }

  /// Brings the frontier into the form that push needs.
  void prepare_push() {
    if (form_ == FrontierForm::bitmap) {
      state_.list_found();
      unvisited_edges_ = state_.unvisited_edges(adjacencies_.push_rows());
      count_frontier_edges();
      unvisited_edges_ += frontier_edges_;
      form_ = FrontierForm::queue;
    }
    state_.take_queue();
  }
  /// Visits the frontier's neighbours with local ids below `end`, those on other ranks once the exchange is finished.
  void push(std::size_t end, Exchange& exchange) {
    PushLevel(state_, finder_, partition_, push_strategy_, end, exchange).run(frontier_edges_, threads_);
  }

  /// The same, level after level, for as long as threads may go on together: at most so many, which are added to
  /// `levels`. Returns whether there was any: none is after a pull.
  bool push_fused(std::size_t end, Exchange& exchange, std::int64_t most_levels, std::vector<LevelStatistics>& levels) {
    if constexpr (can_fuse) {
      if (!fused_ || form_ != FrontierForm::queue || frontier_edges_ <= push_strategy_.edges_for_one) return false;
      PushLevel push(state_, finder_, partition_, push_strategy_, end, exchange);
      if (!fused_->run(push, unvisited_edges_, most_levels, levels)) return false;
      count_frontier_edges();
      return true;
    } else {
      return false;
    }
  }

  /// Visits those of `vertices` that have a neighbour in the frontier bits. A pull may leave short rows to a push.
  void pull(IndexRange vertices) {
    if constexpr (can_mix) {
      const IndexRange targets{std::max(short_rows_.begin, vertices.begin), std::min(short_rows_.end, vertices.end)};
      if (pays_to_mix(targets)) {
        pull_and_push(vertices, targets);
        return;
      }
    }
    form_ = FrontierForm::bitmap;
    state_.forget_found();
    pull_.visit_level(vertices);
  }
  /// The same without such bits, by asking. The levels of a search pull in one of these ways alone. Collective.
  void pull(IndexRange vertices, MessagePull<Neighbour>& messages) {
    unvisited_edges_ -= std::min(frontier_edges_, unvisited_edges_);
    state_.forget_found();
    messages.visit_rows(adjacencies_.pull_rows(), vertices);
  }
  /// Visits those of vertices [begin, end) whose only neighbour is in the frontier bits.
  void visit_leaves(std::size_t begin, std::size_t end) { pull_.visit_leaves(begin, end); }

  /// What a level claimed has become the frontier. The edges that decide the direction are counted after push levels
  /// only: after a pull level the frontier's size decides.
  void end_level(Direction direction, std::uint64_t edges_examined) {
    if (direction == Direction::push) unvisited_edges_ -= std::min(edges_examined, unvisited_edges_);
    count_frontier_edges();
  }

  /// Edges of this rank's frontier, about.
  [[nodiscard]] std::uint64_t frontier_edges() const { return frontier_edges_; }
  /// Edges of this rank's vertices that are not visited, and of the frontier, about.
  [[nodiscard]] std::uint64_t unvisited_edges() const { return unvisited_edges_; }

 private:
  /// The form in which the frontier is at hand.
  enum class FrontierForm { queue, bitmap };

  /// Whether a level can both pull and push: on one rank, in rows of which a push finds a part.
  static constexpr bool can_mix =
      std::is_same_v<Exchange, NoExchange<Neighbour>> && std::is_same_v<Rows, Adjacency<Neighbour>>;

  /// Whether threads can go from level to level without other ranks.
  static constexpr bool can_fuse = std::is_same_v<Exchange, NoExchange<Neighbour>>;

  /// The vertices of few neighbours that are not all in columns, which a push may visit in a pull; none if it may not.
  [[nodiscard]] IndexRange short_rows(const BfsOptions& options) const {
    constexpr std::size_t few = 64;
    const bool mixed = options.mixed_levels && options.direction == DirectionPolicy::automatic;
    const std::size_t end = rows_end();
    if (!can_mix || !mixed || !push_strategy_.in_ranges || !by_degree_) return {end, end};
    const std::size_t begin =
        first_with_at_most(few, {0, end}, [this](LocalVertex vertex) { return adjacencies_.total_degree(vertex); });
    return {begin, end};
  }

  /// Where the frontier is small, most rows that columns leave to a pull have no neighbour in it, and are looked
  /// through to their ends. If it also consists of few vertices with many neighbours, one can as well look for the
  /// targets in their rows: those with short rows stand together at the end of each, and are a small part.
  [[nodiscard]] bool pays_to_mix(IndexRange targets) const {
    constexpr std::uint64_t small = 8;
    if (form_ != FrontierForm::queue || targets.begin >= targets.end) return false;
    if (frontier_edges_ > unvisited_edges_ / small) return false;
    const Rows& rows = adjacencies_.pull_rows();  // as many edges lead to a vertex as stand there
    const double share = static_cast<double>(rows.entries(targets)) / static_cast<double>(rows.entries());
    const auto edges = static_cast<std::size_t>(share * static_cast<double>(frontier_edges_));
    return RangedPush<Neighbour>::pays(state_.found_count(), edges, threads_);
  }

  /// A pull that looks through columns, and through rows before the targets; then a push from the frontier to these.
  void pull_and_push(IndexRange vertices, IndexRange targets) {
    state_.take_queue();
    form_ = FrontierForm::bitmap;
    pull_.visit_level(vertices, targets.begin);
    RangedPush(state_, adjacencies_.push_rows(), partition_, targets).run(threads_);
    state_.forget_found();
  }

  /// From there on all neighbours of a vertex are in columns.
  [[nodiscard]] std::size_t rows_end() const {
    const std::size_t count = partition_.local_count();
    if (!by_degree_) return count;
    return first_with_at_most(adjacencies_.leading.size(), {partition_.hubs().end(), count},
                              [this](LocalVertex vertex) { return adjacencies_.total_degree(vertex); });
  }

  void count_frontier_edges() {
    const std::uint64_t few = by_degree_ ? too_few_to_pull(unvisited_edges_, alpha_) : 0;
    frontier_edges_ = state_.found_edges(adjacencies_.push_rows(), few);
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  RowFinder<Rows> finder_;
  const Partition& partition_;
  bool by_degree_;
  PushStrategy push_strategy_;
  double alpha_;
  ThreadTeam& threads_;
  Pull<Rows> pull_;
  IndexRange short_rows_;
  std::optional<FusedLevels<Rows>> fused_;
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;
  FrontierForm form_ = FrontierForm::queue;
};

}  // namespace breadth
