#include "validate/validate_sssp.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "validate/passes.hpp"
#include "validate/sssp_rules.hpp"

namespace breadth {

namespace {

constexpr std::size_t pass_width(std::size_t a_pass) {
  return a_pass >= sssp_searches_a_pass.front() ? sssp_searches_a_pass.front() : 1;
}

/// Throws AgreedError unless every tuple has a weight, and every label of a block a parent and a distance.
void require_values(const EdgeList& edges, std::span<const ShortestPathResult> results,
                    const BlockDistribution& distribution, const Communicator& ranks) {
  run_together(ranks, [&] {
    if (edges.size() > 0 && !edges.weighted()) fail("shortest paths cannot be validated: the edges have no weights");
    const std::size_t labels = distribution.count(ranks.rank());
    for (const auto& [root, parents, distances] : results) {
      if (parents.size() == labels && distances.size() == labels) continue;
      fail("a result with {} parents and {} distances for a block of {} labels", parents.size(), distances.size(),
           labels);
    }
  });
}

template <class Entry>
std::vector<ValidationReport> validate_pass(const ValidationInput& input, std::span<const ShortestPathResult> results,
                                            std::vector<TreeLevels> levels) {
  if (results.size() == 1) {
    return TreeValidation<SsspRules<Entry, 1>>(input, results, std::move(levels)).run();
  }
  return TreeValidation<SsspRules<Entry, sssp_searches_a_pass.front()>>(input, results, std::move(levels)).run();
}

template <class Entry>
std::size_t bytes_per_label(std::size_t a_pass) {
  const bool several = pass_width(a_pass) > 1;
  const std::size_t record =
      several ? sizeof(DistanceRecord<Entry, sssp_searches_a_pass.front()>) : sizeof(DistanceRecord<Entry, 1>);
  return pass_bytes_per_label<Entry>(pass_width(a_pass), record);
}

}  // namespace

std::size_t sssp_validation_bytes_per_label(std::size_t a_pass, std::size_t label_bytes) {
  return label_bytes == sizeof(std::uint32_t) ? bytes_per_label<std::uint32_t>(a_pass)
                                              : bytes_per_label<std::uint64_t>(a_pass);
}

std::vector<ValidationReport> validate_sssp(const EdgeList& edges, Directedness directedness,
                                            std::span<const ShortestPathResult> results,
                                            const BlockDistribution& distribution, const Context& context,
                                            std::size_t a_pass) {
  require_values(edges, results, distribution, context.ranks);
  const ValidationInput input{edges, directedness, distribution, context};
  const std::size_t width = pass_width(a_pass);
  return validate_in_passes(results, {.narrow = width, .wide = width}, input,
                            [&](std::span<const ShortestPathResult> pass, std::vector<TreeLevels> levels, bool wide) {
                              return wide ? validate_pass<std::uint64_t>(input, pass, std::move(levels))
                                          : validate_pass<std::uint32_t>(input, pass, std::move(levels));
                            });
}

ValidationReport validate_sssp(const EdgeList& edges, Directedness directedness, const ShortestPathResult& result,
                               const BlockDistribution& distribution, const Context& context) {
  return validate_sssp(edges, directedness, std::span(&result, 1), distribution, context).front();
}

}  // namespace breadth
