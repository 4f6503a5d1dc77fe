// Messages and queries to the owners of labels, collected by threads and exchanged in bulk.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.hpp"
#include "comm/exchange/values_for_ranks.hpp"
#include "core/data/label_array.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

/// Bytes of a round's messages on all ranks together, if `tuples` tuples are distributed evenly. A tuple is sent to the
/// owner of its source, unless the rank that reads it owns one of its ends, and then to the owner of its target with
/// the levels of its source. Messages are in memory four times: as collected, in an array that doubles, to be sent, and
/// as received.
inline std::uint64_t message_bytes_for(std::uint64_t tuples, std::uint64_t tuple_bytes, std::uint64_t levels_bytes,
                                       int ranks, int threads) {
  if (ranks == 1) return 0;
  constexpr double copies = 4;
  const double p = ranks;
  const double under_way =
      std::min(static_cast<double>(messages_per_round(ranks, threads)), static_cast<double>(tuples) / p);
  const double of_neither_end = (p - 1) * (p - 1) / (p * p);
  const double of_one_end = (p - 1) / p;
  const double bytes =
      of_neither_end * static_cast<double>(tuple_bytes) + of_one_end * static_cast<double>(tuple_bytes + levels_bytes);
  return static_cast<std::uint64_t>(p * under_way * copies * bytes);
}

/// Queries to the owners of labels on other ranks. Each is for one place in this rank's block. Entry holds a label,
/// Answer is a plain value.
template <class Entry, class Answer>
class LabelQuestions {
 public:
  LabelQuestions(const BlockDistribution& distribution, const Context& context)
      : distribution_(distribution),
        context_(context),
        first_(distribution.first(context.ranks.rank()).index()),
        askers_(context),
        questions_(context.pool),
        asked_(context.pool),
        answers_(context.pool),
        answered_(context.pool) {}

  /// Adds a query to the owner of `label`, for `place`. Called from look_up() in ask_all().
  void add(int thread, Label label, std::uint64_t place) { askers_.add(thread, distribution_.owner(label), place); }

  /// Calls look_up(place, thread) for each place of this rank's block, which calls add() at most once, and exchanges
  /// the queries: `label(place)` returns the queried label again, `answer(offset)` runs on the owner and returns the
  /// answer for the label at this offset in its block, and `tell(place, answer)` receives it. All four are called by
  /// all threads. Collective, in rounds of at most messages_per_round places.
  template <class LookUp, class LabelOf, class AnswerOf, class Tell>
  void ask_all(LookUp&& look_up, LabelOf&& label, AnswerOf&& answer, Tell&& tell) {
    const std::size_t places = distribution_.count(context_.ranks.rank());
    const std::uint64_t per_round = messages_per_round(context_);
    for (std::uint64_t first = 0; first < distribution_.block(); first += per_round) {
      const std::size_t begin = std::min<std::size_t>(first, places);
      const std::size_t end = std::min<std::size_t>(first + per_round, places);
      parallel_blocks(context_.threads, end - begin, grain, [&](IndexRange block, int thread) {
        for (std::size_t i = begin + block.begin; i < begin + block.end; ++i) look_up(i, thread);
      });
      if (context_.ranks.size() > 1) ask(label, answer, tell);
    }
  }

 private:
  static constexpr std::size_t grain = std::size_t{1} << 13;

  template <class LabelOf, class AnswerOf, class Tell>
  void ask(LabelOf&& label, AnswerOf&& answer, Tell&& tell) {
    const std::span<const std::uint64_t> askers = askers_.collect();
    const std::span<Entry> questions = questions_.take(askers.size());
    over(askers.size(), [&](std::size_t i) { questions[i] = label(askers[i]); });
    const std::vector<std::size_t> asked_counts = context_.ranks.exchange_counts(askers_.counts());
    const std::size_t total = sum_of(asked_counts);
    const std::span<Entry> asked = asked_.take(total);
    context_.ranks.all_to_all(std::span<const Entry>(questions), askers_.counts(), asked,
                              std::span<const std::size_t>(asked_counts));
    const std::span<Answer> answers = answers_.take(total);
    over(total, [&](std::size_t i) { answers[i] = answer(asked[i] - first_); });
    const std::span<Answer> answered = answered_.take(askers.size());
    context_.ranks.all_to_all(std::span<const Answer>(answers), std::span<const std::size_t>(asked_counts), answered,
                              askers_.counts());
    over(askers.size(), [&](std::size_t i) { tell(askers[i], answered[i]); });
  }

  template <class Body>
  void over(std::size_t count, Body&& body) {
    parallel_for(context_.threads, count, grain, body);
  }

  const BlockDistribution& distribution_;
  const Context& context_;
  std::size_t first_;
  ValuesForRanks<std::uint64_t> askers_;
  RoundBuffer<Entry> questions_;
  RoundBuffer<Entry> asked_;
  RoundBuffer<Answer> answers_;
  RoundBuffer<Answer> answered_;
};

}  // namespace breadth
