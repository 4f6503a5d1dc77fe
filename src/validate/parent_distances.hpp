// The distances of parents, wherever they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/block_distribution.hpp"
#include "core/data/label_array.hpp"
#include "core/parallel/parallel.hpp"
#include "validate/label_questions.hpp"

namespace breadth {

/// Calls set(i, distance) for each label of this rank's block with the distance of its parent, and with what is not a
/// number where it has none that is a label of the graph. From all threads. Collective: a look-up for each label, in
/// bounded exchanges.
template <class Set>
void find_parent_distances(const LabelArray& parents, std::span<const float> distances,
                           const BlockDistribution& distribution, const Context& context, Set&& set) {
  constexpr std::size_t labels_per_block = std::size_t{1} << 13;
  const std::size_t first_own = distribution.first(context.ranks.rank()).index();
  LabelQuestions<std::uint64_t, float> questions(distribution, context);
  const auto look_up = [&](std::size_t i, int thread) {
    const Label parent = parents[i];
    const std::size_t place = parent.index() - first_own;
    if (place < distances.size()) {
      set(i, distances[place]);
    } else if (parent.index() < distribution.vertex_count()) {
      questions.add(thread, parent, i);
    } else {
      set(i, std::numeric_limits<float>::quiet_NaN());
    }
  };
  const std::uint64_t per_round = messages_per_round(context);
  for (std::uint64_t first = 0; first < distribution.block(); first += per_round) {
    const std::size_t begin = std::min<std::size_t>(first, parents.size());
    const std::size_t end = std::min<std::size_t>(first + per_round, parents.size());
    parallel_blocks(context.threads, end - begin, labels_per_block, [&](IndexRange block, int thread) {
      for (std::size_t i = block.begin; i < block.end; ++i) look_up(begin + i, thread);
    });
    if (context.ranks.size() == 1) continue;
    questions.ask([&](std::uint64_t i) { return parents[i].index(); }, [&](std::size_t own) { return distances[own]; },
                  [&](std::uint64_t i, float distance) { set(i, distance); });
  }
}

}  // namespace breadth
