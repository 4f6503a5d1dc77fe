#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/phase.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/stopwatch.hpp"
#include "graph/graph.hpp"
#include "graph/graph_contents.hpp"
#include "traverse/bfs/bfs_engine.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/rank_exchange.hpp"
#include "traverse/bfs/search_labels.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/bfs/targets.hpp"
#include "traverse/level_statistics.hpp"
#include "traverse/papers/paper_searches.hpp"
#include "traverse/papers/subgraph_visits.hpp"
#include "traverse/replication/hub_replicas.hpp"

namespace breadth {

namespace {
/// Parents of light vertices that each query carries, so that nothing is left for the end.
template <class Neighbour>
class ParentsWithQueries {
 public:
  /// Maps a parent's label to what a query carries.
  using Carried = std::identity;

  ParentsWithQueries(const Graph&, const Adjacencies<Neighbour>&, const Context&) {}
  void start() {}
  void begin_level(std::span<const std::uint32_t>) {}
  /// Visits the targets of a run of queries.
  void visit(std::span<const Neighbour> targets, Neighbour parent, SearchState<Neighbour>& state) {
    visit_among_threads(state, targets, parent, state.tally_of_queries());
  }
  void end_level(SearchState<Neighbour>&) {}
  std::optional<SettledLights> settle(SearchState<Neighbour>&) { return std::nullopt; }
};

/// Parents of light vertices that are found at the end. Queries carry only targets, in one run a message. After the
/// last level, a vertex that a query visited takes as its parent any neighbour that is one level nearer to the source
/// (Pan et al. 2018, section VI-A). Such a neighbour on its own rank needs no message. If there is none, the parent is
/// among the neighbours on other ranks, because one of these sent the query; a single one is the parent. Of several,
/// the vertex asks the owners of all but the last about their levels, in one exchange for all vertices. If none of
/// these is one level nearer, the last is the parent. A question takes a word, its answer a bit.
///
/// A rank keeps the level of each of its vertices, a word, and 8 to 16 bytes for each vertex that queries visited.
/// Settling the parents takes O(edges of these vertices), on one thread.
template <class Neighbour>
class ParentsAtEnd {
 public:
  struct Carried {
    Neighbour operator()(Neighbour) const { return 0; }  // one value for all, so that there is one run
  };

  /// Graph, adjacencies and context must outlive this.
  ParentsAtEnd(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        rows_(adjacencies.pull_rows()),
        context_(context),
        levels_(partition_.local_count()) {}

  /// Begins a search.
  void start() {
    parallel_fill(context_.threads, levels_.span(), no_level);
    found_.clear();
    level_ = 0;
  }
  /// Begins a level. `frontier` includes hubs.
  void begin_level(std::span<const std::uint32_t> frontier) {
    constexpr std::size_t grain = 4096;
    parallel_for(context_.threads, frontier.size(), grain, [&](std::size_t i) { levels_[frontier[i]] = level_; });
  }
  /// Visits the targets of a run of queries. A target may be in the run twice.
  void visit(std::span<const Neighbour> targets, Neighbour, SearchState<Neighbour>& state) {
    Tally<Neighbour>& tally = state.tally_of_queries();
    for (const Neighbour target : targets) (void)claim_vertex(state, static_cast<std::uint32_t>(target), tally);
  }
  /// Ends a level. All queries from the frontier must have been handled.
  void end_level(SearchState<Neighbour>& state) {
    for (const std::uint32_t vertex : state.tally_of_queries().found) found_.push_back({vertex, level_});
    ++level_;
  }

  /// Gives every vertex that queries visited its parent. Returns their number and what this rank sent. Collective.
  std::optional<SettledLights> settle(SearchState<Neighbour>& state) {
    const Phase phase(context_.ranks, "parents of light vertices");
    SettledLights settled{.vertices = found_.size()};
    std::erase_if(found_, [&](const Found& one) { return settle_here(one, state); });
    const std::vector<Questions> questions = ask_others();
    const Answers answers = exchange(questions, settled);
    take(answers, state);
    settled.traffic.bytes += bytes_per_lookup * state.tally(0).unknown_parents.size();
    look_up_parents(state, graph_, context_);
    return settled;
  }

 private:
  /// A vertex that a query visited, and the level of its parents.
  struct Found {
    std::uint32_t vertex;
    Neighbour parents_level;
  };
  /// Questions for one rank, "is your vertex of this level?", by rising level. A level is sent before its first
  /// question, marked by the highest bit, which local ids leave free.
  struct Questions {
    std::vector<Neighbour> words;
    std::size_t count = 0;
    Neighbour level = no_level;  ///< of the last question
  };
  /// The answers of all ranks in turn: a bit for each question, each rank's in whole bytes.
  struct Answers {
    std::vector<std::uint8_t> bytes;
    std::vector<std::size_t> next;  ///< for each rank the bit of its first answer that was not taken

    bool take(int rank) {
      const std::size_t bit = next[static_cast<std::size_t>(rank)]++;
      return (bytes[bit / 8] >> bit % 8 & 1) != 0;
    }
  };

  static constexpr Neighbour level_mark = Neighbour{1} << (8 * sizeof(Neighbour) - 1);
  static constexpr Neighbour no_level = level_mark;       // above all levels
  static constexpr std::size_t bytes_per_lookup = 4 + 4;  // LabelLookup::look_up() sends a local id, and an offset back
  static std::size_t answer_bytes(std::size_t questions) { return (questions + 7) / 8; }

  /// Takes as parent a neighbour on this rank of the right level. Returns whether there is one.
  bool settle_here(const Found& one, SearchState<Neighbour>& state) const {
    for (const Neighbour global_id : rows_.row(LocalVertex{one.vertex})) {
      if (!is_here(global_id)) continue;
      const LocalVertex neighbour = partition_.code().local(global_id);
      if (levels_[neighbour.index()] != one.parents_level) continue;
      state.parents()[one.vertex] = static_cast<Neighbour>(partition_.label(neighbour).value);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool is_here(Neighbour global_id) const {
    return partition_.code().rank(global_id) == partition_.rank();
  }
  /// The neighbours that other ranks own, valid until the next call. There is at least one if a query visited the
  /// vertex and no neighbour here can be its parent.
  std::span<const Neighbour> others(std::uint32_t vertex) {
    const auto row = rows_.row(LocalVertex{vertex});
    others_.clear();
    std::copy_if(row.begin(), row.end(), std::back_inserter(others_), [this](auto one) { return !is_here(one); });
    return others_;
  }

  std::vector<Questions> ask_others() {
    std::vector<Questions> questions(static_cast<std::size_t>(context_.ranks.size()));
    for (const Found& one : found_) {
      const std::span<const Neighbour> all = others(one.vertex);
      for (const Neighbour global_id : all.first(all.size() - 1)) {
        Questions& of_rank = questions[static_cast<std::size_t>(partition_.code().rank(global_id))];
        if (of_rank.level != one.parents_level) of_rank.words.push_back(one.parents_level | level_mark);
        of_rank.level = one.parents_level;
        of_rank.words.push_back(static_cast<Neighbour>(partition_.code().local(global_id).value));
        ++of_rank.count;
      }
    }
    return questions;
  }

  /// Answers the questions of all ranks and returns the answers to this rank's.
  Answers exchange(const std::vector<Questions>& questions, SettledLights& settled) const {
    std::vector<Neighbour> asked;
    std::vector<std::size_t> asked_counts;
    std::vector<std::size_t> answer_counts;
    Answers answers;
    std::size_t first_answer = 0;
    for (const Questions& of_rank : questions) {
      asked.insert(asked.end(), of_rank.words.begin(), of_rank.words.end());
      asked_counts.push_back(of_rank.words.size());
      answer_counts.push_back(answer_bytes(of_rank.count));
      answers.next.push_back(8 * first_answer);
      first_answer += answer_counts.back();
      settled.traffic.queries += of_rank.count;
    }
    Received<Neighbour> asked_here = context_.ranks.all_to_all(std::span<const Neighbour>(asked), asked_counts);
    std::vector<std::uint8_t> answers_here;
    std::vector<std::size_t> counts_here;
    asked_here.for_each_rank([&](std::size_t, std::span<const Neighbour> words) {
      const std::size_t before = answers_here.size();
      answer(words, answers_here);
      counts_here.push_back(answers_here.size() - before);
    });
    answers.bytes.resize(first_answer);
    context_.ranks.all_to_all(std::span<const std::uint8_t>(answers_here), counts_here, std::span(answers.bytes),
                              answer_counts);
    settled.traffic.bytes += asked.size() * sizeof(Neighbour) + answers_here.size();
    return answers;
  }

  /// Appends the answers to one rank's questions.
  void answer(std::span<const Neighbour> words, std::vector<std::uint8_t>& answers) const {
    const std::size_t first = answers.size();
    Neighbour level = no_level;
    std::size_t count = 0;
    for (const Neighbour word : words) {
      if ((word & level_mark) != 0) {
        level = word ^ level_mark;
        continue;
      }
      if (count % 8 == 0) answers.push_back(0);
      if (levels_[word] == level) answers[first + count / 8] |= static_cast<std::uint8_t>(1U << count % 8);
      ++count;
    }
  }

  /// Gives vertices the parents that the answers say; if none was found, or there was no question, the only possible
  /// parent.
  void take(Answers answers, SearchState<Neighbour>& state) {
    for (const Found& one : found_) {
      const std::span<const Neighbour> all = others(one.vertex);
      Neighbour parent = all.back();
      for (const Neighbour global_id : all.first(all.size() - 1)) {
        if (answers.take(partition_.code().rank(global_id))) parent = global_id;
      }
      state.set_parent(one.vertex, parent, graph_.contents().labels, state.tally(0));
    }
  }

  const Graph& graph_;
  const Partition& partition_;
  const Adjacency<Neighbour>& rows_;  ///< rows for pulls, against the edges
  Context context_;
  Buffer<Neighbour> levels_;  ///< levels of vertices that have been in the frontier
  std::vector<Found> found_;  ///< by level
  std::vector<Neighbour> others_;
  Neighbour level_ = 0;  ///< of the frontier
};

/// The search in degree-separated subgraphs. `Parents` sets the parents of light vertices that queries visit.
template <class Neighbour, class Parents>
class SeparatedSearch final : public BreadthFirstSearch::Engine {
 public:
  SeparatedSearch(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const BfsOptions& options,
                  const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        max_depth_(options.max_depth),
        context_(context),
        state_(partition_, partition_.local_count(), {.replication = options.replication, .replicated = false},
               context_),
        replicas_(partition_, options.hub_masks, state_.replicated().nodes()),
        exchange_(context_, exchange_strategy(options.messages, Combining::one, graph, context_),
                  [this](QueryMessage<Neighbour> queries) { visit_queried(queries); }),
        visits_(state_, adjacencies, graph, exchange_, context_.threads),
        parents_(graph, adjacencies, context_),
        hub_to_hub_(options.direction, options.subgraphs.hub_to_hub),
        hub_to_light_(options.direction, options.subgraphs.hub_to_light),
        light_to_hub_(options.direction, options.subgraphs.light_to_hub) {
    state_.make_room(partition_.local_count());
  }

  BfsResult run(const BfsQuery& query, LabelArray& parents) override {
    const Label source = only_source(query);
    BfsResult result = search_levels(
        max_depth_, parents, context_.ranks, [&] { start(source); },
        [this](std::vector<LevelStatistics>& levels, std::int64_t) {
          levels.push_back(visit_level(frontier_after(levels)));
        },
        [&] {
          const std::optional<SettledLights> lights = parents_.settle(state_);
          const Traffic hubs = replicas_.settle_parents(state_);
          write_parent_labels(state_, graph_, std::span(&source, 1), parents, context_);
          return SearchEnd{.settled = hubs, .settled_lights = lights};
        });
    std::optional<SettledLights>& lights = result.settled_lights;
    if (lights) count_between_nodes(lights->traffic, state_.replicated().nodes());
    return result;
  }

  [[nodiscard]] CommunicationRecord communication() const override { return record_of(exchange_, all_reduce_seconds_); }

 private:
  void start(Label source) {
    state_.clear();
    const LocalVertex vertex = own_vertex(graph_, source);
    if (vertex != no_local_vertex) state_.visit_source(vertex.value, static_cast<Neighbour>(source.value));
    replicas_.start(vertex, state_);
    visits_.start();
    parents_.start();
    unvisited_hubs_ = partition_.hubs().count();
    unvisited_lights_ = partition_.local_count() - partition_.hubs().end();
    for (SubgraphDirection* direction : {&hub_to_hub_, &hub_to_light_, &light_to_hub_}) direction->start();
  }

  LevelStatistics visit_level(std::uint64_t frontier) {
    const Phase phase(context_.ranks, "level of subgraphs");
    LevelStatistics level{.frontier = frontier};
    SubgraphPulls pulls;
    Stopwatch stopwatch;
    take_frontier();
    level.seconds.convert = stopwatch.lap();
    const LevelTraffic sent(exchange_);
    visit_hubs(pulls);
    replicas_.start_sharing(state_);
    visit_lights(pulls);
    exchange_.finish();
    parents_.end_level(state_);
    sent.report(level, stopwatch);
    finish(level, pulls, stopwatch);
    return level;
  }

  /// Makes the vertices visited in the last level the frontier: hubs_ and lights_.
  void take_frontier() {
    visits_.take_frontier();
    parents_.begin_level(state_.queue());
    hubs_.clear();
    lights_.clear();
    for (const std::uint32_t vertex : state_.queue()) {
      (partition_.hubs().contains(LocalVertex{vertex}) ? hubs_ : lights_).push_back(vertex);
    }
    unvisited_hubs_ -= hubs_.size();
    unvisited_lights_ -= lights_.size();
  }

  /// Visits hubs, from hubs and from light vertices.
  void visit_hubs(SubgraphPulls& pulls) {
    pulls.hub_to_hub =
        visit_from_hubs(hub_to_hub_, unvisited_hubs_, Ends::hubs, [this] { visits_.pull_into_hubs(Ends::hubs); });
    SubgraphWork work{
        .frontier = lights_.size(), .unvisited_sources = unvisited_lights_, .unvisited_targets = unvisited_hubs_};
    if (work.idle()) return;
    if (light_to_hub_.depends_on_work()) work.push_edges = visits_.edges(lights_, Ends::hubs);
    if (light_to_hub_.choose(work) == Direction::push) {
      visits_.push_from_lights(lights_, Ends::hubs, std::identity());
    } else {
      visits_.pull_into_hubs(Ends::lights);
      pulls.light_to_hub = 1;
    }
  }

  /// Visits light vertices, from hubs and from light vertices.
  void visit_lights(SubgraphPulls& pulls) {
    pulls.hub_to_light =
        visit_from_hubs(hub_to_light_, unvisited_lights_, Ends::lights, [this] { visits_.pull_into_lights(); });
    visits_.push_from_lights(lights_, Ends::lights, typename Parents::Carried());
  }

  /// Visits hubs or light vertices from the hubs of the frontier, in the direction that the subgraph chooses. Returns 1
  /// if that is a pull, else 0.
  template <class Pull>
  std::uint64_t visit_from_hubs(SubgraphDirection& direction, std::uint64_t unvisited, Ends ends, Pull&& pull) {
    SubgraphWork work{.frontier = hubs_.size(), .unvisited_sources = unvisited_hubs_, .unvisited_targets = unvisited};
    if (work.idle()) return 0;
    work.push_edges = visits_.lay_out_edges(hubs_, ends);
    if (direction.choose(work) == Direction::push) {
      visits_.push_from_hubs(hubs_, ends);
      return 0;
    }
    pull();
    return 1;
  }

  /// Sums the level over threads and ranks.
  void finish(LevelStatistics& level, const SubgraphPulls& pulls, Stopwatch& stopwatch) {
    state_.end_level(level);
    count_between_nodes(level.traffic, state_.replicated().nodes());
    level.seconds.compute += stopwatch.lap();
    const HubLevel hubs = replicas_.finish_sharing(state_, Direction::push);
    level.seconds.communicate += stopwatch.lap();
    level.traffic += hubs.traffic;
    level.claimed = replicas_.count_once(level.claimed, hubs);
    std::uint64_t pulling[] = {pulls.hub_to_hub, pulls.hub_to_light, pulls.light_to_hub};
    all_reduce_seconds_ += sum_level(level, pulling, stopwatch, context_.ranks);
    level.pulling_ranks =
        SubgraphPulls{.hub_to_hub = pulling[0], .hub_to_light = pulling[1], .light_to_hub = pulling[2]};
    level.direction = pulling[0] + pulling[1] + pulling[2] > 0 ? Direction::pull : Direction::push;
  }

  /// Handles queries of another rank, from its light vertices to light vertices here.
  void visit_queried(QueryMessage<Neighbour> queries) {
    queries.for_each_run(
        [this](Neighbour parent, std::span<const Neighbour> targets) { parents_.visit(targets, parent, state_); });
  }

  const Graph& graph_;
  const Partition& partition_;
  std::int64_t max_depth_;
  Context context_;
  SearchState<Neighbour> state_;
  HubReplicas<Neighbour> replicas_;
  QueryExchange<Neighbour> exchange_;
  SubgraphVisits<Neighbour> visits_;
  Parents parents_;
  SubgraphDirection hub_to_hub_;
  SubgraphDirection hub_to_light_;
  SubgraphDirection light_to_hub_;
  std::vector<std::uint32_t> hubs_;     ///< in the frontier, the same on every rank
  std::vector<std::uint32_t> lights_;   ///< in the frontier, this rank's
  std::uint64_t unvisited_hubs_ = 0;    ///< the same on every rank
  std::uint64_t unvisited_lights_ = 0;  ///< this rank's
  double all_reduce_seconds_ = 0;
};
}  // namespace

template <class Neighbour>
BfsEnginePointer make_separated_search(const Graph& graph, const Adjacencies<Neighbour>& adjacencies,
                                       const BfsOptions& options, const Context& context) {
  using WithQueries = SeparatedSearch<Neighbour, ParentsWithQueries<Neighbour>>;
  using AtEnd = SeparatedSearch<Neighbour, ParentsAtEnd<Neighbour>>;
  switch (options.subgraphs.light_parents) {
    case LightParents::with_queries: return std::make_unique<WithQueries>(graph, adjacencies, options, context);
    case LightParents::at_end: return std::make_unique<AtEnd>(graph, adjacencies, options, context);
  }
  fail("unknown time for the parents of light vertices");
}

template BfsEnginePointer make_separated_search(const Graph&, const Adjacencies<std::uint32_t>&, const BfsOptions&,
                                                const Context&);
template BfsEnginePointer make_separated_search(const Graph&, const Adjacencies<std::uint64_t>&, const BfsOptions&,
                                                const Context&);

}  // namespace breadth
