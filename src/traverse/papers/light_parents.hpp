// How light vertices that others' queries visit come by their parents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "comm/phase.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph.hpp"
#include "traverse/bfs/parent_labels.hpp"
#include "traverse/bfs/search_state.hpp"
#include "traverse/level_statistics.hpp"

namespace breadth {

/// Each query tells its vertex the parent, and nothing is left for the end.
template <class Neighbour>
class ParentsWithQueries {
 public:
  /// What a query tells of a parent with a label.
  using Told = std::identity;

  ParentsWithQueries(const Graph&, const Adjacencies<Neighbour>&, const Context&) {}
  void start() {}
  void begin_level(std::span<const std::uint32_t>) {}
  /// A run of queries visits these.
  void visit(std::span<const Neighbour> targets, Neighbour parent, SearchState<Neighbour>& state) {
    state.visit(targets, parent, state.tally_of_answers());
  }
  void end_level(SearchState<Neighbour>&) {}
  std::optional<SettledLights> settle(SearchState<Neighbour>&) { return std::nullopt; }
};

/// Queries are targets alone, a run of them to a message. After the last level a vertex that one visited takes for its
/// parent any of its neighbours that are a level nearer to the source. One that is on its own rank costs nothing. Nor
/// does the only neighbour on other ranks: whoever sent the query has to be among these. Of several it asks the owners,
/// in one exchange for all vertices, for all but the last, which it is if no other is (Pan et al. 2018, section VI-A).
/// A question takes a word, its answer a bit.
///
/// A rank keeps a word for each of its vertices, the level, and 8 to 16 bytes for each vertex that queries visited;
/// settling their parents takes O(edges) of these, on one thread, as queries do.
template <class Neighbour>
class ParentsInTheEnd {
 public:
  struct Told {
    Neighbour operator()(Neighbour) const { return 0; }  // the same for all, so that there is one run
  };

  /// All of them outlive this.
  ParentsInTheEnd(const Graph& graph, const Adjacencies<Neighbour>& adjacencies, const Context& context)
      : graph_(graph),
        partition_(graph.partition()),
        rows_(adjacencies.pull_rows()),
        context_(context),
        levels_(partition_.local_count()) {}

  /// A search begins.
  void start() {
    parallel_fill(context_.threads, levels_.span(), no_level);
    found_.clear();
    level_ = 0;
  }
  /// These vertices, hubs among them, are the frontier.
  void begin_level(std::span<const std::uint32_t> frontier) {
    constexpr std::size_t grain = 4096;
    parallel_for(context_.threads, frontier.size(), grain, [&](std::size_t i) { levels_[frontier[i]] = level_; });
  }
  /// A run of queries visits these, of which one may be there twice.
  void visit(std::span<const Neighbour> targets, Neighbour, SearchState<Neighbour>& state) {
    for (const Neighbour target : targets) state.claim(static_cast<std::uint32_t>(target), state.tally_of_answers());
  }
  /// All queries from the frontier have been handled.
  void end_level(SearchState<Neighbour>& state) {
    for (const std::uint32_t vertex : state.tally_of_answers().found) found_.push_back({vertex, level_});
    ++level_;
  }

  /// Every vertex that queries visited gets its parent. Returns what this rank did, and sent, for it. Collective.
  std::optional<SettledLights> settle(SearchState<Neighbour>& state) {
    const Phase phase(context_.ranks, "parents of light vertices");
    SettledLights settled{.vertices = found_.size()};
    std::erase_if(found_, [&](const Found& one) { return settle_here(one, state); });
    const std::vector<Questions> questions = ask_others();
    const Answers answers = exchange(questions, settled);
    take(answers, state);
    settled.bytes += bytes_a_name * state.tally(0).unnamed.size();
    name_parents(state, graph_, context_);
    return settled;
  }

 private:
  /// A vertex that a query visited, and the level of its parents.
  struct Found {
    std::uint32_t vertex;
    Neighbour parents_level;
  };
  /// For one rank: "is your vertex of this level?". Levels rise, and one is told before the first of its questions,
  /// marked by the highest bit, which local ids leave free.
  struct Questions {
    std::vector<Neighbour> words;
    std::size_t count = 0;
    Neighbour level = no_level;  ///< of the last one
  };
  /// Of all ranks in turn: a bit for each question, in whole bytes.
  struct Answers {
    std::vector<std::uint8_t> bytes;
    std::vector<std::size_t> next;  ///< the bit, of each rank's first one that was not taken

    bool take(int rank) {
      const std::size_t bit = next[static_cast<std::size_t>(rank)]++;
      return (bytes[bit / 8] >> bit % 8 & 1) != 0;
    }
  };

  static constexpr Neighbour level_mark = Neighbour{1} << (8 * sizeof(Neighbour) - 1);
  static constexpr Neighbour no_level = level_mark;   // more than any
  static constexpr std::size_t bytes_a_name = 4 + 4;  // LabelLookup::name(): a local id there, an offset back
  static std::size_t answer_bytes(std::size_t questions) { return (questions + 7) / 8; }

  /// Takes a neighbour on this rank that is of the level. Returns whether there is one.
  bool settle_here(const Found& one, SearchState<Neighbour>& state) const {
    for (const Neighbour position : rows_.row(LocalVertex{one.vertex})) {
      if (!is_here(position)) continue;
      const LocalVertex neighbour = partition_.code().local(position);
      if (levels_[neighbour.index()] != one.parents_level) continue;
      state.parents()[one.vertex] = static_cast<Neighbour>(partition_.label(neighbour).value);
      return true;
    }
    return false;
  }

  [[nodiscard]] bool is_here(Neighbour position) const { return partition_.code().rank(position) == partition_.rank(); }
  /// The neighbours that others own, until the next call: one at least where a query visited the vertex, and no
  /// neighbour here can be its parent.
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
      for (const Neighbour position : all.first(all.size() - 1)) {
        Questions& of_rank = questions[static_cast<std::size_t>(partition_.code().rank(position))];
        if (of_rank.level != one.parents_level) of_rank.words.push_back(one.parents_level | level_mark);
        of_rank.level = one.parents_level;
        of_rank.words.push_back(static_cast<Neighbour>(partition_.code().local(position).value));
        ++of_rank.count;
      }
    }
    return questions;
  }

  /// Answers the questions of all ranks, and brings the answers to this one's.
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
      settled.questions += of_rank.count;
    }
    std::vector<std::size_t> counts_here;
    const std::vector<Neighbour> asked_here =
        context_.ranks.all_to_all(std::span<const Neighbour>(asked), asked_counts, counts_here);
    std::vector<std::uint8_t> answers_here;
    for (std::size_t rank = 0, first = 0; rank < counts_here.size(); ++rank) {
      const std::size_t before = answers_here.size();
      answer(std::span(asked_here).subspan(first, counts_here[rank]), answers_here);
      first += std::exchange(counts_here[rank], answers_here.size() - before);
    }
    answers.bytes.resize(first_answer);
    context_.ranks.all_to_all(std::span<const std::uint8_t>(answers_here), counts_here, std::span(answers.bytes),
                              answer_counts);
    settled.bytes += asked.size() * sizeof(Neighbour) + answers_here.size();
    return answers;
  }

  /// Adds the answers to one rank's questions.
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

  /// Gives the vertices that asked the parents that were found, and those that did not the only ones possible.
  void take(Answers answers, SearchState<Neighbour>& state) {
    for (const Found& one : found_) {
      const std::span<const Neighbour> all = others(one.vertex);
      Neighbour parent = all.back();
      for (const Neighbour position : all.first(all.size() - 1)) {
        if (answers.take(partition_.code().rank(position))) parent = position;
      }
      state.set_parent(one.vertex, parent, graph_.labels(), state.tally(0));
    }
  }

  const Graph& graph_;
  const Partition& partition_;
  const Adjacency<Neighbour>& rows_;  ///< against the edges
  Context context_;
  Buffer<Neighbour> levels_;  ///< of the vertices that have been in the frontier
  std::vector<Found> found_;  ///< by level
  std::vector<Neighbour> others_;
  Neighbour level_ = 0;  ///< of the frontier
};

}  // namespace breadth
