#include "traverse/papers/paper_searches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "comm/exchange/values_for_ranks.hpp"
#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph_contents.hpp"
#include "simd/frontier.hpp"
#include "simd/kernels.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/rank_exchange.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/targets.hpp"

namespace breadth {

namespace {

template <class Neighbour>
class GridSearch final : public BreadthFirstSearch::Engine {
 public:
  GridSearch(const Graph& graph, const GridAdjacencies<Neighbour>& adjacencies, const BfsOptions& options,
             const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        adjacencies_(adjacencies),
        max_depth_(options.max_depth),
        context_(context),
        grid_(adjacencies.shape()),
        column_(context.ranks.split(context.ranks.rank() % grid_.columns, context.ranks.rank() / grid_.columns)),
        row_(context.ranks.split(context.ranks.rank() / grid_.columns, context.ranks.rank() % grid_.columns)),
        parts_(Parts::side_by_side(column_.all_gather(words_for_bits(partition_.local_count())))),
        state_(partition_, partition_.local_count(), {.replication = options.replication, .replicated = false},
               context_),
        earlier_(partition_.local_count()),
        found_(partition_.local_count()),
        frontier_(parts_.count()),
        sent_before_(static_cast<std::size_t>(grid_.columns) * partition_.code().stride()),
        of_row_{row_, context.threads},
        candidates_(of_row_),
        sent_(static_cast<std::size_t>(context.ranks.size())) {}

  BfsResult run(const BfsQuery& query, LabelArray& parents) override {
    const Label source = only_source(query);
    return search_levels(
        max_depth_, parents, context_.ranks, [&] { start(source); },
        [this](std::vector<LevelStatistics>& levels, std::int64_t) { levels.push_back(push(frontier_after(levels))); },
        [&] {
          look_up_parents(state_, graph_, context_);
          write_parent_labels(state_, graph_, std::span(&source, 1), parents, context_);
          return SearchEnd{};
        });
  }

  /// The record of expanding and folding. Folded candidates count as queries.
  [[nodiscard]] CommunicationRecord communication() const override {
    CommunicationRecord record;
    if (context_.ranks.size() > 1) record.sent = sent_;
    record.queries = queries_;
    record.seconds.send = seconds_;
    record.all_reduce_seconds = all_reduce_seconds_;
    return record;
  }

 private:
  /// A vertex of the receiver and the global id of a possible parent.
  struct Candidate {
    Neighbour vertex;
    Neighbour parent;
  };

  void start(Label source) {
    state_.clear();
    earlier_.clear();
    parallel_fill(context_.threads, sent_before_.words(), std::uint64_t{0});
    const LocalVertex vertex = own_vertex(graph_, source);
    if (vertex != no_local_vertex) state_.visit_source(vertex.value, static_cast<Neighbour>(source.value));
  }

  LevelStatistics push(std::uint64_t frontier) {
    LevelStatistics level{.direction = Direction::push, .frontier = frontier};
    Stopwatch stopwatch;
    const std::uint64_t own = take_found();
    level.seconds.convert = stopwatch.lap();
    expand(own, level);
    level.seconds.communicate = stopwatch.lap();
    scan();
    level.seconds.compute = stopwatch.lap();
    const std::vector<Candidate> candidates = fold(level);
    level.seconds.communicate += stopwatch.lap();
    seconds_ += level.seconds.communicate;
    claim(candidates);
    finish(level, stopwatch);
    return level;
  }

  /// Sets found_ to the vertices visited in the last level. Returns their number.
  std::uint64_t take_found() {
    constexpr std::size_t words_per_block = 1024;
    state_.forget_found();
    return parallel_sum(context_.threads, found_.words().size(), words_per_block, [this](std::size_t word) {
      const std::uint64_t visited = state_.visited().words()[word];
      found_.words()[word] = visited & ~earlier_.words()[word];
      earlier_.words()[word] = visited;
      return static_cast<std::uint64_t>(std::popcount(found_.words()[word]));
    });
  }

  /// Brings the frontier of every rank in this column to all of them, as bits or as lists.
  void expand(std::uint64_t own, LevelStatistics& level) {
    const std::vector<std::size_t> counts = column_.all_gather(static_cast<std::size_t>(own));
    const std::size_t listed = sum_of(counts);
    const bool as_list = listed * sizeof(std::uint32_t) < frontier_.size() * sizeof(std::uint64_t);
    if (as_list) {
      expand_lists(counts, listed);
    } else {
      column_.all_gather(std::span<const std::uint64_t>(std::as_const(found_).words()), frontier_.span(), parts_.counts,
                         parts_.places);
    }
    const std::size_t bytes = as_list ? own * sizeof(std::uint32_t) : found_.words().size() * sizeof(std::uint64_t);
    for (int row = 0; row < grid_.rows; ++row) {
      if (row != column_.rank() && bytes > 0) count_message(row * grid_.columns + row_.rank(), bytes, level);
    }
  }
  void expand_lists(const std::vector<std::size_t>& counts, std::size_t listed) {
    std::vector<std::uint32_t> own;
    for (std::size_t word = 0; word < found_.words().size(); ++word) {
      for_each_set_bit(found_.words()[word], word * bits_per_word,
                       [&](std::size_t vertex) { own.push_back(static_cast<std::uint32_t>(vertex)); });
    }
    std::vector<std::uint32_t> all(listed);
    column_.all_gather(std::span<const std::uint32_t>(own), std::span(all), counts);
    parallel_fill(context_.threads, frontier_.span(), std::uint64_t{0});
    auto next = all.begin();
    for (std::size_t row = 0; row < counts.size(); ++row) {
      std::uint64_t* const words = frontier_.data() + parts_.places[row];
      for (std::size_t i = 0; i < counts[row]; ++i, ++next) words[*next / bits_per_word] |= bit_in_word(*next);
    }
  }

  /// Scans this rank's rows of the column's frontier.
  void scan() {
    constexpr std::size_t words_per_block = 16;
    for (std::size_t row = 0; row < parts_.counts.size(); ++row) {
      const auto& sources = adjacencies_.sources()[row];
      const int rank = static_cast<int>(row) * grid_.columns + row_.rank();
      parallel_blocks(context_.threads, parts_.counts[row], words_per_block, [&](IndexRange words, int thread) {
        for (std::size_t word = words.begin; word < words.end; ++word) {
          const std::uint64_t bits = frontier_[parts_.places[row] + word] & sources.present.words()[word];
          for_each_set_bit(bits, word * bits_per_word, [&](std::size_t vertex) {
            const LocalVertex local{static_cast<std::uint32_t>(vertex)};
            scan_row(sources.row(vertex), static_cast<Neighbour>(partition_.code().encode(rank, local)), thread);
          });
        }
      });
    }
  }
  void scan_row(std::span<const Neighbour> targets, Neighbour parent, int thread) {
    constexpr std::size_t few = 16;  // too few for vectors
    state_.tally(thread).edges_examined += targets.size();
    if (context_.threads.size() > 1 || targets.size() < few) {
      for (const Neighbour target : targets) send(target, parent, thread);
      return;
    }
    constexpr std::size_t at_a_time = 1024;
    std::array<Neighbour, at_a_time + max_lanes> unsent;
    while (!targets.empty()) {
      const auto some = targets.first(std::min(at_a_time, targets.size()));
      const std::size_t count = copy_unvisited(some, std::as_const(sent_before_).words().data(), unsent.data());
      for (const Neighbour target : std::span(unsent).first(count)) send(target, parent, thread);
      targets = targets.subspan(some.size());
    }
  }
  /// Queues a target and its parent for the target's owner, unless this rank has sent the target before.
  void send(Neighbour target, Neighbour parent, int thread) {
    if (!sent_before_.insert_atomic(target)) return;
    const GlobalIdCode& code = partition_.code();
    candidates_.add(thread, code.rank(target), {code.local(target).value, parent});
  }

  /// Sends candidates to their owners, which are all in this row. Returns the candidates for this rank.
  std::vector<Candidate> fold(LevelStatistics& level) {
    const std::span<const Candidate> send = candidates_.collect();
    for (int owner = 0; owner < grid_.columns; ++owner) {
      const std::size_t count = candidates_.counts()[static_cast<std::size_t>(owner)];
      if (owner == row_.rank() || count == 0) continue;
      level.traffic.queries += count;
      count_message(column_.rank() * grid_.columns + owner, count * sizeof(Candidate), level);
    }
    queries_ += level.traffic.queries;
    return row_.all_to_all(send, candidates_.counts()).values;
  }

  void claim(std::span<const Candidate> candidates) {
    constexpr std::size_t grain = 4096;
    parallel_blocks(context_.threads, candidates.size(), grain, [&](IndexRange range, int thread) {
      Tally<Neighbour>& tally = state_.tally(thread);
      for (const Candidate& one : candidates.subspan(range.begin, range.size())) {
        const auto vertex = static_cast<std::uint32_t>(one.vertex);
        if (claim_vertex(state_, vertex, tally)) state_.set_parent(vertex, one.parent, graph_.contents().labels, tally);
      }
    });
  }

  /// Counts a message to another rank.
  void count_message(int destination, std::size_t bytes, LevelStatistics& level) {
    sent_[static_cast<std::size_t>(destination)] += {.messages = 1, .bytes = bytes};
    ++level.traffic.messages;
    level.traffic.bytes += bytes;
  }

  /// Sums the level over threads and ranks.
  void finish(LevelStatistics& level, Stopwatch& stopwatch) {
    state_.end_level(level);
    count_between_nodes(level.traffic, state_.replicated().nodes());
    all_reduce_seconds_ += sum_level(level, {}, stopwatch, context_.ranks);
  }

  const Graph& graph_;
  const Partition& partition_;
  const GridAdjacencies<Neighbour>& adjacencies_;
  std::int64_t max_depth_;
  Context context_;
  GridShape grid_;
  Communicator column_;  ///< the ranks of this column, in the order of rows
  Communicator row_;     ///< the ranks of this row, in the order of columns
  Parts parts_;          ///< the words of the bitmaps of the column's ranks, one after the other
  SearchState<Neighbour> state_;
  Bitmap earlier_;                  ///< vertices visited up to the last level
  Bitmap found_;                    ///< vertices visited in the last level
  Buffer<std::uint64_t> frontier_;  ///< of all ranks in this column
  Bitmap sent_before_;              ///< vertices of this row of the grid that this rank has sent to their owners
  Context of_row_;
  ValuesForRanks<Candidate> candidates_;
  std::vector<SentTraffic> sent_;
  std::uint64_t queries_ = 0;
  double seconds_ = 0;
  double all_reduce_seconds_ = 0;
};
}  // namespace

template <class Neighbour>
BfsEnginePointer make_grid_search(const Graph& graph, const GridAdjacencies<Neighbour>& adjacencies,
                                  const BfsOptions& options, const Context& context) {
  if (!options.direction.may_push()) fail("a grid of ranks cannot pull: choose --direction push or auto");
  return std::make_unique<GridSearch<Neighbour>>(graph, adjacencies, options, context);
}

template BfsEnginePointer make_grid_search(const Graph&, const GridAdjacencies<std::uint32_t>&, const BfsOptions&,
                                           const Context&);
template BfsEnginePointer make_grid_search(const Graph&, const GridAdjacencies<std::uint64_t>&, const BfsOptions&,
                                           const Context&);

}  // namespace breadth
