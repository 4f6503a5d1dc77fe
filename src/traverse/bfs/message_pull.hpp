// A pull level by messages: unvisited vertices ask the owners of their neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/query_targets.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/exchange/exchange_strategy.hpp"
#include "traverse/exchange/query_exchange.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Pull levels in which no rank knows the frontier of another (Checconi & Petrini 2014, section III-A, BackwardStep and
/// Receive of algorithm 3). An unvisited vertex first looks for a parent among its neighbours on this rank. Then it
/// asks the owners of the others whether they are in the frontier. The owner of a frontier vertex answers as a push
/// does: with a query whose target is the vertex that asked. A question has the form of a query whose parent is the
/// global id of the vertex that asks. Both are sent like the queries of pushes.
///
/// Ranks ask in rounds, and all answers arrive before the next round, so that memory stays bounded. In a round the
/// vertices of one window ask: on all ranks together as many as 1,024 full messages hold queries. In rows a vertex asks
/// one neighbour first, then two, four and so on, until one answers: at most m / ranks questions a rank, and
/// log2(degree) rounds a window.
template <class Neighbour>
class MessagePull {
 public:
  /// `answers` delivers what it receives to the state. All arguments outlive this. Collective.
  MessagePull(SearchState<Neighbour>& state, const Partition& partition, const ExchangeStrategy& strategy,
              QueryExchange<Neighbour>& answers, const Context& context)
      : state_(state),
        partition_(partition),
        context_(context),
        first_here_(static_cast<Neighbour>(partition.code().encode(partition.rank(), LocalVertex{0}))),
        most_asking_(1024 * strategy.coalescing / static_cast<std::size_t>(context.ranks.size())),
        answers_(answers),
        questions_(context, strategy, [this](QueryMessage<Neighbour> questions) { look_up(questions); }),
        targets_(partition, questions_),
        frontier_(partition.local_count()),
        asking_(partition.local_count()) {}

  /// Visits those of `vertices` that have a visited neighbour. Collective.
  template <class Rows>
  void visit_rows(const Rows& rows, IndexRange vertices) {
    start_level();
    const IndexRange words{vertices.begin / bits_per_word, words_for_bits(vertices.end)};
    for (std::size_t word = words.begin; word < words.end; ++word) {
      asking_.words()[word] = state_.unvisited(word) & bits_in(vertices, word);
    }
    const std::size_t window_words = words_for_bits(std::max<std::size_t>(1, most_asking_));
    IndexRange window{words.begin, words.begin};
    IndexRange places{0, 0};
    while (context_.ranks.any(still_asking(window) || window.end < words.end)) {
      if (still_asking(window)) {
        places = {places.end, 2 * places.end + 1};
      } else {
        window = {window.end, std::min(window.end + window_words, words.end)};
        places = {0, 1};
      }
      constexpr std::size_t words_per_block = 4;
      scanning_blocks(context_.threads, window.size(), words_per_block, questions_, [&](IndexRange range, int thread) {
        for (std::size_t i = range.begin; i < range.end; ++i) ask_for_word(rows, window.begin + i, places, thread);
      });
      answer();
    }
  }

  /// Does so in a scanned list (graph/forms/paper_adjacencies.hpp) for the vertices whose bits unvisited(word) returns.
  /// Rows come in pieces. A vertex asks for all neighbours in a piece at once.
  template <class List, class Unvisited>
  void visit_list(const List& list, IndexRange vertices, Unvisited&& unvisited) {
    constexpr std::size_t section_entries = std::size_t{1} << 14;
    start_level();
    IndexRange left = list.sections(vertices);
    while (context_.ranks.any(left.begin < left.end)) {
      const std::size_t count = std::min(left.size(), std::max<std::size_t>(1, most_asking_ / section_entries));
      scanning_blocks(context_.threads, count, 1, questions_, [&](IndexRange range, int thread) {
        list.scan(left.begin + range.begin, unvisited, [&](LocalVertex vertex, std::span<const Neighbour> row) {
          if (!visit_from_here(vertex, row, thread)) ask(vertex, row, thread);
        });
      });
      answer();
      left.begin += count;
    }
  }

  /// Adds the questions and answers that this rank has sent since the level began.
  void report(LevelStatistics& level) const {
    level.traffic += since(before_, traffic());
    level.seconds.communicate += seconds() - seconds_before_;
  }

  /// Adds the questions of all searches so far to `record`, which has the pushes and answers.
  void add_to(CommunicationRecord& record) const {
    for (std::size_t rank = 0; rank < record.sent.size(); ++rank) record.sent[rank] += questions_.sent()[rank];
    const ExchangeSeconds seconds = questions_.seconds();
    record.queries += questions_.traffic().queries;
    record.partial_packets += questions_.partial_packets();
    record.seconds.receive += seconds.receive;
    record.seconds.send += seconds.send;
    record.seconds.finish += seconds.finish;
  }

 private:
  /// A vertex of another rank that asked, and a neighbour of it on this rank that is in the frontier.
  struct Answer {
    Neighbour asker;  ///< a global id
    std::uint32_t parent;
  };

  /// The traffic so far of all levels. Answers include the queries of pushes.
  [[nodiscard]] Traffic traffic() const {
    const Traffic questions = questions_.traffic();
    const Traffic answers = answers_.traffic();
    return {.messages = questions.messages + answers.messages,
            .bytes = questions.bytes + answers.bytes,
            .queries = questions.queries,
            .answers = answers.queries,
            .question_bytes = questions.bytes};
  }
  [[nodiscard]] double seconds() const {
    const auto all = [](const ExchangeSeconds& spent) { return spent.receive + spent.send + spent.finish; };
    return all(questions_.seconds()) + all(answers_.seconds());
  }

  /// Takes all visited vertices as the frontier. Unvisited vertices have no neighbour from earlier levels among them.
  void start_level() {
    before_ = traffic();
    seconds_before_ = seconds();
    const auto visited = state_.visited().words();
    std::copy(visited.begin(), visited.end(), frontier_.words().begin());
  }

  [[nodiscard]] static std::uint64_t bits_in(IndexRange vertices, std::size_t word) {
    return bits_below(vertices.end, word) & ~bits_below(vertices.begin, word);
  }
  /// Whether a vertex of the window is unvisited and has neighbours that it has not asked for.
  [[nodiscard]] bool still_asking(IndexRange window) {
    std::uint64_t any = 0;
    for (std::size_t word = window.begin; word < window.end; ++word) {
      any |= asking_.words()[word] &= ~state_.visited().words()[word];
    }
    return any != 0;
  }

  /// One round of 64 vertices. In the first round they look for a parent on this rank. In each round they ask for the
  /// neighbours at `places` of their rows.
  template <class Rows>
  void ask_for_word(const Rows& rows, std::size_t word, IndexRange places, int thread) {
    for_each_set_bit(asking_.words()[word], word * bits_per_word, [&](std::size_t number) {
      const LocalVertex vertex{static_cast<std::uint32_t>(number)};
      const std::size_t degree = rows.degree(vertex);
      const IndexRange part{std::min(places.begin, degree), std::min(places.end, degree)};
      bool settled = places.end >= degree;
      if (places.begin == 0 && find_here(rows, vertex, degree, thread)) {
        settled = true;
      } else {
        rows.for_each_span(vertex, part, [&](std::span<const Neighbour> row) { ask(vertex, row, thread); });
      }
      if (settled) asking_.words()[word] &= ~bit_in_word(number);
    });
  }

  template <class Rows>
  bool find_here(const Rows& rows, LocalVertex vertex, std::size_t degree, int thread) {
    bool found = false;
    rows.for_each_span(vertex, {0, degree},
                       [&](std::span<const Neighbour> row) { found = found || visit_from_here(vertex, row, thread); });
    return found;
  }

  /// Visits the vertex if one of these neighbours is on this rank and in the frontier. Returns whether one is.
  bool visit_from_here(LocalVertex vertex, std::span<const Neighbour> row, int thread) {
    Tally<Neighbour>& tally = state_.tally(thread);
    const auto parent = std::find_if(row.begin(), row.end(), [this](Neighbour global_id) {
      const Neighbour local = global_id ^ first_here_;  // too large for vertices of other ranks
      return local < frontier_.size() && frontier_.contains(local);
    });
    tally.edges_examined += static_cast<std::uint64_t>(parent - row.begin()) + (parent == row.end() ? 0 : 1);
    if (parent == row.end()) return false;
    if (claim_vertex(state_, vertex.value, tally)) state_.parents()[vertex.index()] = label(*parent ^ first_here_);
    return true;
  }

  void ask(LocalVertex vertex, std::span<const Neighbour> row, int thread) {
    const auto asker = static_cast<Neighbour>(partition_.global_id(vertex));
    targets_.for_each_own(row, asker, thread, [](std::span<const Neighbour>) {});  // own neighbours are done
  }

  /// Looks up the questions of another rank. One answer to each vertex is enough.
  void look_up(QueryMessage<Neighbour> questions) {
    questions.for_each_run([this](Neighbour asker, std::span<const Neighbour> asked_for) {
      const auto parent = std::find_if(asked_for.begin(), asked_for.end(),
                                       [this](Neighbour vertex) { return frontier_.contains(vertex); });
      if (parent != asked_for.end()) found_.push_back({asker, static_cast<std::uint32_t>(*parent)});
    });
  }

  /// Ends a round: answers the questions of other ranks and receives their answers. Collective.
  void answer() {
    questions_.finish();
    const GlobalIdCode& code = partition_.code();
    for (const Answer& one : found_) {
      const Neighbour asker[] = {code.local(one.asker).value};
      answers_.add(0, code.rank(one.asker), label(one.parent), asker);
    }
    found_.clear();
    answers_.finish();
  }

  [[nodiscard]] Neighbour label(Neighbour local) const {
    return static_cast<Neighbour>(partition_.label(LocalVertex{static_cast<std::uint32_t>(local)}).value);
  }

  SearchState<Neighbour>& state_;
  const Partition& partition_;
  const Context& context_;
  Neighbour first_here_;     ///< the first global id of this rank
  std::size_t most_asking_;  ///< vertices of this rank in a round
  QueryExchange<Neighbour>& answers_;
  QueryExchange<Neighbour> questions_;
  QueryTargets<Neighbour> targets_;
  Bitmap frontier_;            ///< of this rank
  Bitmap asking_;              ///< vertices without a parent that have not asked for all of their neighbours
  std::vector<Answer> found_;  ///< in this round
  Traffic before_;             ///< before this level
  double seconds_before_ = 0;
};

}  // namespace breadth
