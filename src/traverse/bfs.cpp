// Level-synchronous, direction-optimising breadth-first search.
#include "traverse/bfs.hpp"

#include <algorithm>
#include <span>
#include <type_traits>

#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "traverse/direction.hpp"
#include "traverse/parent_labels.hpp"
#include "traverse/pull.hpp"
#include "traverse/push.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

class BreadthFirstSearch::Engine {
 public:
  virtual ~Engine() = default;
  virtual BfsResult run(Label source) = 0;
};

namespace {

/// The form in which the frontier is at hand.
enum class FrontierForm { queue, bitmap };

template <class Neighbour, class Exchange>
class TypedEngine final : public BreadthFirstSearch::Engine {
 public:
  TypedEngine(const Graph& graph, const BfsOptions& options, const Context& context)
      : graph_(graph),
        rows_(std::get<Adjacencies<Neighbour>>(graph.adjacencies())),
        partition_(graph.partition()),
        options_(options),
        context_(context),
        leaves_(first_leaf()),
        searched_(context.ranks.all_reduce(std::uint64_t{own_searched()}, Reduction::sum)),
        state_(partition_, leaves_, context_),
        pull_(state_, rows_, graph.labels(), context_.threads),
        exchange_(context_, options.coalescing, [this](std::span<const Query<Neighbour>> queries) { answer(queries); }),
        parents_(graph.distribution().count(context.ranks.rank()), graph.vertex_count()) {
    parents_.fill(no_label, context.threads);
  }

  BfsResult run(Label source) override {
    context_.ranks.barrier();
    const Stopwatch stopwatch;
    std::vector<LevelStatistics> levels;
    DirectionChooser chooser(options_);
    std::uint64_t reached = 1;

    const bool from_leaf = start(source);
    for (std::int64_t depth = 0; progress_.frontier > 0 && depth < options_.max_depth; ++depth) {
      const Direction direction = from_leaf && depth == 0 ? Direction::push : chooser.choose(progress_);
      levels.push_back(direction == Direction::push ? push(from_leaf && depth == 0) : pull());
      reached += levels.back().claimed;
    }
    const LeafPass leaves = visit_leaves();
    reached += leaves.claimed;
    write_parent_labels(state_, graph_, parents_, context_);
    if (isolated(source)) parents_.set(offset(source), source);

    const double seconds = context_.ranks.all_reduce(stopwatch.seconds(), Reduction::maximum);
    return {parents_, std::move(levels), leaves, seconds, reached};
  }

 private:
  [[nodiscard]] bool owned(Label label) const { return graph_.distribution().owner(label) == partition_.rank(); }
  [[nodiscard]] std::size_t offset(Label own) const { return graph_.distribution().offset(own, partition_.rank()); }
  [[nodiscard]] bool isolated(Label label) const { return owned(label) && partition_.local(label) == no_local_vertex; }

  /// The first local id, the same on all ranks, from which on every vertex has one edge. Nothing leads on from a leaf,
  /// so a search can leave them to one last pass; unless it ends at some depth, which that pass would not know.
  [[nodiscard]] std::size_t first_leaf() const {
    if (!options_.leaves_last || options_.max_depth != INT64_MAX) return no_local_vertex.value;
    std::size_t first = 0;
    for (std::size_t end = partition_.local_count(); first < end;) {
      const std::size_t middle = first + (end - first) / 2;
      if (total_degree(LocalVertex{static_cast<std::uint32_t>(middle)}) > 1) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return context_.ranks.all_reduce(std::uint64_t{first}, Reduction::maximum);
  }
  [[nodiscard]] std::size_t total_degree(LocalVertex vertex) const {
    return rows_.out.degree(vertex) + (rows_.directed ? rows_.in.degree(vertex) : 0);
  }

  /// The first so many vertices of this rank are found level by level.
  [[nodiscard]] std::size_t own_searched() const { return std::min(leaves_, partition_.local_count()); }

  /// Returns whether the source is a leaf.
  bool start(Label source) {
    bool is_leaf = false;
    state_.clear();
    form_ = FrontierForm::queue;
    unvisited_edges_ = rows_.push_rows().neighbours.size();
    if (owned(source) && !isolated(source)) {
      const std::uint32_t vertex = partition_.local(source).value;
      is_leaf = vertex >= leaves_;
      state_.visited().insert(vertex);
      state_.parents()[vertex] = static_cast<Neighbour>(source.value);
      state_.queue().push_back(vertex);
    }
    progress_ = {.frontier = 1, .vertices = graph_.connected_vertices(), .unvisited = searched_};
    count_queue_edges();
    std::uint64_t sums[] = {queue_edges_, unvisited_edges_, is_leaf ? 1U : 0U};
    context_.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    progress_.frontier_edges = sums[0];
    progress_.unvisited_edges = sums[1] - std::min(sums[0], sums[1]);
    return sums[2] > 0;
  }

  /// From a source that is a leaf, to its neighbour, even if that is one too.
  LevelStatistics push(bool to_leaves) {
    LevelStatistics level{.direction = Direction::push, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    if (form_ == FrontierForm::bitmap) {
      state_.found_to_queue();
      unvisited_edges_ = state_.unvisited_edges(rows_.push_rows());
      count_queue_edges();
      unvisited_edges_ += queue_edges_;
      form_ = FrontierForm::queue;
    }
    level.seconds.convert = stopwatch.lap();
    const std::uint64_t messages_before = exchange_.messages();
    const std::uint64_t bytes_before = exchange_.bytes();
    PushLevel(state_, rows_.push_rows(), partition_, to_leaves ? no_local_vertex.value : leaves_, exchange_)
        .run(queue_edges_, context_.threads);
    level.messages = exchange_.messages() - messages_before;
    level.bytes = exchange_.bytes() - bytes_before;
    level.seconds.compute = stopwatch.lap();
    finish(level);
    level.seconds.wait = stopwatch.lap();
    return level;
  }

  LevelStatistics pull() {
    LevelStatistics level{.direction = Direction::pull, .frontier = progress_.frontier};
    Stopwatch stopwatch;
    form_ = FrontierForm::bitmap;
    level.bytes = state_.share_visited();
    level.seconds.communicate = stopwatch.lap();
    pull_.visit_level(own_searched());
    level.seconds.compute = stopwatch.lap();
    finish(level);
    level.seconds.wait = stopwatch.lap();
    return level;
  }

  /// Every vertex with one edge gets its neighbour as parent if that was visited.
  LeafPass visit_leaves() {
    if (leaves_ == no_local_vertex.value) return {};
    const Stopwatch stopwatch;
    state_.share_visited();
    pull_.visit_leaves(own_searched(), partition_.local_count());
    const std::uint64_t claimed = context_.ranks.all_reduce(state_.end_level().claimed, Reduction::sum);
    return {claimed, stopwatch.seconds()};
  }

  void count_queue_edges() {
    queue_edges_ = state_.queue_edges(rows_.push_rows(), DirectionChooser(options_).too_few_edges(unvisited_edges_));
  }

  /// Sums the level over threads and ranks; what it claimed is the next frontier. The edges that decide the direction
  /// are counted after push levels only: after a pull level the frontier's size decides.
  void finish(LevelStatistics& level) {
    const Tally<Neighbour> tally = state_.end_level();
    if (level.direction == Direction::push) unvisited_edges_ -= std::min(tally.edges_examined, unvisited_edges_);
    count_queue_edges();
    std::uint64_t sums[] = {tally.claimed,        queue_edges_,   unvisited_edges_,
                            tally.edges_examined, level.messages, level.bytes};
    context_.ranks.all_reduce(std::span<std::uint64_t>(sums), Reduction::sum);
    progress_.frontier = level.claimed = sums[0];
    progress_.unvisited -= std::min(level.claimed, progress_.unvisited);
    progress_.frontier_edges = sums[1];
    progress_.unvisited_edges = sums[2] - std::min(sums[1], sums[2]);
    level.edges_examined = sums[3];
    level.messages = sums[4];
    level.bytes = sums[5];
  }

  /// Queries of another rank: its frontier vertices are neighbours of vertices here.
  void answer(std::span<const Query<Neighbour>> queries) {
    for (const auto& query : queries) {
      if (state_.claim(query.target, state_.tally_of_answers())) state_.parents()[query.target] = query.parent;
    }
  }

  const Graph& graph_;
  const Adjacencies<Neighbour>& rows_;
  const Partition& partition_;
  BfsOptions options_;
  Context context_;
  std::size_t leaves_;
  std::uint64_t searched_;  ///< vertices that levels may find, on all ranks
  SearchState<Neighbour> state_;
  Pull<Neighbour> pull_;
  Exchange exchange_;
  LabelArray parents_;
  SearchProgress progress_;
  std::uint64_t queue_edges_ = 0;      ///< of this rank's queue, about
  std::uint64_t unvisited_edges_ = 0;  ///< of this rank, those of the queue included
  FrontierForm form_ = FrontierForm::queue;
};

template <class Number>
void check_range(const char* option, Number value, Number least, Number most) {
  if (value >= least && value <= most) return;
  fail("{} is {}; it must be from {} to {}", option, value, least, most);
}

}  // namespace

void check(const BfsOptions& options) {
  constexpr double most = 1e18;
  check_range("alpha", options.alpha, 1.0, most);
  check_range("beta", options.beta, 1.0, most);
  check_range<std::size_t>("coalescing", options.coalescing, 1, std::size_t{1} << 24);
  check_range<std::int64_t>("max-depth", options.max_depth, 0, INT64_MAX);
}

BreadthFirstSearch::BreadthFirstSearch(const Graph& graph, const BfsOptions& options, const Context& context)
    : vertex_count_(graph.vertex_count()) {
  check(options);
  std::visit(
      [&]<class Neighbour>(const Adjacencies<Neighbour>&) {
        if (context.ranks.size() == 1) {
          engine_ = std::make_unique<TypedEngine<Neighbour, NoExchange<Neighbour>>>(graph, options, context);
        } else {
          engine_ = std::make_unique<TypedEngine<Neighbour, QueryExchange<Neighbour>>>(graph, options, context);
        }
      },
      graph.adjacencies());
}

BreadthFirstSearch::~BreadthFirstSearch() = default;

BfsResult BreadthFirstSearch::run(Label source) {
  if (source.value < 0 || static_cast<std::uint64_t>(source.value) >= vertex_count_) {
    fail("vertex {} is not in the graph; its labels run from 0 to {}", source.value, vertex_count_ - 1);
  }
  return engine_->run(source);
}

}  // namespace breadth
