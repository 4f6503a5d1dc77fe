// Asking the owners of labels what they know of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/context.hpp"
#include "core/block_distribution.hpp"
#include "core/parallel/parallel.hpp"
#include "validate/routed.hpp"

namespace breadth {

/// Questions about labels of other ranks, each from a place of this rank: any number that says what the answer is for.
/// Entry holds a label, Answer is a plain value. A caller asks at most messages_per_round questions a round.
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

  void add(int thread, Label label, std::uint64_t place) { askers_.add(thread, distribution_.owner(label), place); }

  /// Asks what was added: `label(place)` is the label once more, `answer(offset)` what its owner says of it, by its
  /// offset in the owner's block, and `tell(place, answer)` takes that. All three are called by all threads.
  /// Collective.
  template <class LabelOf, class AnswerOf, class Tell>
  void ask(LabelOf&& label, AnswerOf&& answer, Tell&& tell) {
    const std::span<const std::uint64_t> askers = askers_.collect();
    const std::span<Entry> questions = questions_.take(askers.size());
    over(askers.size(), [&](std::size_t i) { questions[i] = label(askers[i]); });
    const std::vector<std::size_t> asked_counts = context_.ranks.exchange_counts(askers_.counts());
    std::size_t total = 0;
    for (const std::size_t count : asked_counts) total += count;
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

 private:
  template <class Body>
  void over(std::size_t count, Body&& body) {
    constexpr std::size_t grain = std::size_t{1} << 13;
    parallel_for(context_.threads, count, grain, body);
  }

  const BlockDistribution& distribution_;
  const Context& context_;
  std::size_t first_;
  Routed<std::uint64_t> askers_;
  RoundBuffer<Entry> questions_;
  RoundBuffer<Entry> asked_;
  RoundBuffer<Answer> answers_;
  RoundBuffer<Answer> answered_;
};

}  // namespace breadth
