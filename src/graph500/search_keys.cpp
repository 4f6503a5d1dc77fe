#include "graph500/search_keys.hpp"

#include <span>

#include "generate/generators.hpp"
#include "generate/recurrence.hpp"
#include "graph/graph_contents.hpp"

namespace breadth {

namespace {
/// Asks the owners of candidates: answers[i] != 0 if candidate i has an edge to another vertex, on every rank.
/// Collective.
std::vector<std::uint8_t> ask_owners(const SearchKeySource& source, std::span<const Label> candidates,
                                     const Communicator& ranks) {
  const BlockDistribution& distribution = source.distribution;
  std::vector<std::uint8_t> answers(candidates.size(), 0);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Label label = candidates[i];
    if (static_cast<std::uint64_t>(label.value) >= distribution.vertex_count()) continue;
    if (distribution.owner(label) == ranks.rank() && source.connected(label)) answers[i] = 1;
  }
  ranks.all_reduce(std::span(answers), Reduction::maximum);
  return answers;
}

/// The `count` smallest connected labels that are not taken, on every rank.
std::vector<Label> smallest_untaken(const SearchKeySource& source, const std::unordered_set<Label>& taken,
                                    std::uint64_t count, const Communicator& ranks) {
  std::vector<Label> mine;
  const std::size_t own_labels = source.distribution.count(ranks.rank());
  for (std::size_t i = 0; i < own_labels && mine.size() < count; ++i) {
    const Label label = source.distribution.label(ranks.rank(), i);
    if (source.connected(label) && !taken.contains(label)) mine.push_back(label);
  }
  std::vector<Label> all = ranks.all_gather_varying(std::span<const Label>(mine));
  std::ranges::sort(all);
  all.resize(std::min<std::size_t>(all.size(), count));
  return all;
}
}  // namespace

std::vector<Label> choose_search_keys(const SearchKeySource& source, std::uint64_t count, const Communicator& ranks) {
  const std::uint64_t wanted = std::min(count, source.connected_vertices);
  std::vector<Label> keys;
  std::unordered_set<Label> taken;
  std::uint64_t batch_size = 256;  // most graphs need only the first batch; sparse ones need larger batches
  constexpr std::uint64_t most_in_batch = std::uint64_t{1} << 16;
  for (std::uint64_t drawn = 0; keys.size() < wanted && drawn < max_search_key_draws; drawn += batch_size) {
    if (drawn > 0) batch_size = std::min(2 * batch_size, most_in_batch);
    std::vector<Label> candidates(batch_size);
    std::ranges::generate(candidates, source.draw);
    const std::vector<std::uint8_t> fit = ask_owners(source, candidates, ranks);
    for (std::size_t i = 0; i < candidates.size() && keys.size() < wanted; ++i) {
      if (fit[i] != 0 && taken.insert(candidates[i]).second) keys.push_back(candidates[i]);
    }
  }
  if (keys.size() < wanted) {
    const std::vector<Label> rest = smallest_untaken(source, taken, wanted - keys.size(), ranks);
    keys.insert(keys.end(), rest.begin(), rest.end());
  }
  return keys;
}

std::function<Label()> candidates_of(const SearchKeySeed& seed) {
  return [stream = SearchKeyStream(std::uint64_t{1} << seed.scale, seed.seed)]() mutable { return stream.next(); };
}

std::vector<Label> draw_search_keys(const Graph& graph, const SearchKeySeed& seed, std::uint64_t count,
                                    const std::unordered_set<Label>& excluded, const Communicator& ranks) {
  const Partition& partition = graph.partition();
  return choose_search_keys(
      {.draw = candidates_of(seed),
       .connected = [&](Label own) { return partition.local(own) != no_local_vertex && !excluded.contains(own); },
       .distribution = graph.distribution(),
       .connected_vertices = graph.connected_vertices() - excluded.size()},
      count, ranks);
}

}  // namespace breadth
