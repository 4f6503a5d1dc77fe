// Levels on rows that an index leads to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "comm/context.hpp"
#include "graph/adjacency.hpp"
#include "graph/graph.hpp"
#include "graph/local_order.hpp"
#include "traverse/bfs.hpp"
#include "traverse/direction.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/message_pull.hpp"
#include "traverse/pull.hpp"
#include "traverse/push.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

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
              context.threads) {}

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
    PushLevel(state_, adjacencies_.push_rows(), partition_, push_strategy_, end, exchange)
        .run(frontier_edges_, threads_);
  }

  /// Visits those of `vertices` that have a neighbour in the frontier bits.
  void pull(IndexRange vertices) {
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
  const Partition& partition_;
  bool by_degree_;
  PushStrategy push_strategy_;
  double alpha_;
  ThreadTeam& threads_;
  Pull<Rows> pull_;
  std::uint64_t frontier_edges_ = 0;
  std::uint64_t unvisited_edges_ = 0;
  FrontierForm form_ = FrontierForm::queue;
};

}  // namespace breadth
