#include "validate/validate_bfs.hpp"

#include <algorithm>
#include <utility>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "validate/bfs_rules.hpp"
#include "validate/edge_count.hpp"
#include "validate/passes.hpp"

namespace breadth {

namespace {

/// Where `a_pass` is asked for: so many wide levels that they take no more memory than narrow ones.
constexpr PassWidth pass_width(std::size_t a_pass) {
  if (a_pass >= most_searches_a_pass) return {most_searches_a_pass, 4};
  return a_pass >= 4 ? PassWidth{4, 1} : PassWidth{1, 1};
}

/// Throws AgreedError unless every rank has a value for each label of its block.
void require_blocks(std::span<const SearchResult> results, const BlockDistribution& distribution,
                    const Communicator& ranks) {
  run_together(ranks, [&] {
    const std::size_t labels = distribution.count(ranks.rank());
    for (const auto& [root, parents, claimed_levels] : results) {
      if (parents.size() != labels) fail("a result with {} parents for a block of {} labels", parents.size(), labels);
      if (!claimed_levels.empty() && claimed_levels.size() != labels) {
        fail("a result with {} levels for a block of {} labels", claimed_levels.size(), labels);
      }
    }
  });
}

template <class Entry>
std::vector<ValidationReport> validate_pass(const ValidationInput& input, std::span<const SearchResult> results,
                                            std::vector<TreeLevels> levels) {
  const bool wide = std::any_of(levels.begin(), levels.end(), [](const TreeLevels& tree) { return tree.wide(); });
  const auto in = [&]<class Rules>() { return TreeValidation<Rules>(input, results, std::move(levels)).run(); };
  if (wide && levels.size() == 1) return in.template operator()<BfsRules<Entry, std::uint32_t, 1>>();
  if (wide) return in.template operator()<BfsRules<Entry, std::uint32_t, 4>>();
  if (levels.size() == 1) return in.template operator()<BfsRules<Entry, std::uint8_t, 1>>();
  if (levels.size() <= 4) return in.template operator()<BfsRules<Entry, std::uint8_t, 4>>();
  return in.template operator()<BfsRules<Entry, std::uint8_t, most_searches_a_pass>>();
}

template <std::size_t searches>
std::vector<std::uint64_t> count_pass(const EdgeList& edges, std::span<const SearchResult> results,
                                      const BlockDistribution& distribution, const Context& context) {
  EdgeCount<searches> count(results, context);
  EdgePass(edges, distribution, context, count).run();
  return count.totals(context.ranks);
}

template <class Entry>
std::size_t bytes_per_label(std::size_t a_pass) {
  const std::size_t narrow = pass_width(a_pass).narrow;
  std::size_t record = sizeof(TreeRecord<Entry, std::uint8_t, 1>);
  if (narrow == 4) record = sizeof(TreeRecord<Entry, std::uint8_t, 4>);
  if (narrow == most_searches_a_pass) record = sizeof(TreeRecord<Entry, std::uint8_t, most_searches_a_pass>);
  return pass_bytes_per_label<Entry>(narrow, record);
}

}  // namespace

std::size_t validation_bytes_per_label(std::size_t a_pass, std::size_t label_bytes) {
  return label_bytes == sizeof(std::uint32_t) ? bytes_per_label<std::uint32_t>(a_pass)
                                              : bytes_per_label<std::uint64_t>(a_pass);
}

std::vector<ValidationReport> validate_bfs(const EdgeList& edges, Directedness directedness,
                                           std::span<const SearchResult> results, const BlockDistribution& distribution,
                                           const Context& context, std::size_t a_pass) {
  require_blocks(results, distribution, context.ranks);
  const ValidationInput input{edges, directedness, distribution, context};
  return validate_in_passes(results, pass_width(a_pass), input,
                            [&](std::span<const SearchResult> pass, std::vector<TreeLevels> levels, bool wide) {
                              return wide ? validate_pass<std::uint64_t>(input, pass, std::move(levels))
                                          : validate_pass<std::uint32_t>(input, pass, std::move(levels));
                            });
}

ValidationReport validate_bfs(const EdgeList& edges, Directedness directedness, const SearchResult& result,
                              const BlockDistribution& distribution, const Context& context) {
  return validate_bfs(edges, directedness, std::span(&result, 1), distribution, context).front();
}

std::vector<std::uint64_t> count_traversed_edges(const EdgeList& edges, std::span<const SearchResult> results,
                                                 const BlockDistribution& distribution, const Context& context,
                                                 std::size_t a_pass) {
  require_blocks(results, distribution, context.ranks);
  const std::size_t width = pass_width(a_pass).narrow;
  std::vector<std::uint64_t> counts;
  while (counts.size() < results.size()) {
    const std::span left = results.subspan(counts.size());
    const std::span pass = left.first(std::min(width, left.size()));
    const std::vector<std::uint64_t> of_pass =
        pass.size() == 1 ? count_pass<1>(edges, pass, distribution, context)
                         : count_pass<most_searches_a_pass>(edges, pass, distribution, context);
    counts.insert(counts.end(), of_pass.begin(), of_pass.end());
  }
  return counts;
}

}  // namespace breadth
