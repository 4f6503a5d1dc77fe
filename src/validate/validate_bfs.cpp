#include "validate/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "validate/report.hpp"
#include "validate/tree_records.hpp"
#include "validate/tree_validation.hpp"

namespace breadth {

/// Counts the edges inside the trees of at most `searches` searches, as a visitor of EdgePass. Levels are 0 in the tree
/// and none outside it.
template <std::size_t searches>
class EdgeCount {
 public:
  using Tuple = Edge;
  using Levels = LevelLanes<std::uint8_t, searches>;

  EdgeCount(std::span<const SearchResult> results, const Context& context)
      : searches_(results.size()),
        levels_(results.front().parents.size(), context.pool),
        counts_(static_cast<std::size_t>(context.threads.size())) {
    parallel_blocks(context.threads, levels_.size(), labels_per_block, [&](IndexRange range, int) {
      for (std::size_t s = 0; s < results.size(); ++s) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
          levels_[i].levels[Levels::first_lane + s] = results[s].parents[i] == no_label ? Levels::none : 0;
        }
      }
    });
  }
  /// The counts for each search, the same on every rank. Collective.
  [[nodiscard]] std::vector<std::uint64_t> totals(const Communicator& ranks) const {
    std::vector<std::uint64_t> totals(searches_);
    for (std::size_t s = 0; s < searches_; ++s) {
      for (const Count& count : counts_) totals[s] += count.edges.total(Levels::first_lane + s);
    }
    ranks.all_reduce(std::span(totals), Reduction::sum);
    return totals;
  }

  // The callbacks for EdgePass (EdgeVisitor).
  [[nodiscard]] Levels levels(std::size_t own) const { return levels_[own]; }
  void prefetch(std::size_t own) const { __builtin_prefetch(levels_.data() + own); }
  void meet(std::size_t, const Edge&, bool) {}
  void check(const Edge&, const Levels& source, const Levels& target, int thread) {
    counts_[static_cast<std::size_t>(thread)].edges.add(
        [&](std::size_t lane) { return (source.levels[lane] | target.levels[lane]) == 0 ? 1 : 0; });
  }
  void miss(const Edge&, int) {}

 private:
  static constexpr std::size_t labels_per_block = std::size_t{1} << 12;

  struct alignas(64) Count {
    LaneCounts<Levels::count> edges;
  };
  std::size_t searches_;
  Buffer<Levels> levels_;
  std::vector<Count> counts_;
};

/// The Rules of TreeValidation for breadth-first searches, which claim levels beside the tree. `Level` holds every
/// level, `Entry` every parent.
template <class Entry, class Level, std::size_t searches_per_pass>
struct BfsRules {
  using Result = SearchResult;
  using Tuple = Edge;
  using Record = TreeRecord<Entry, Level, searches_per_pass>;
  using Levels = typename Record::Lanes;
  static constexpr std::size_t searches = searches_per_pass;
  static constexpr std::uint32_t none = no_level;

  static void record(Record& record, std::size_t s, const SearchResult& result, std::size_t i, std::uint32_t level) {
    record.set(s, result.parents[i], level);
  }
  /// Checks of edges need no data from other ranks.
  static void prepare(const ValidationInput&, std::span<const SearchResult>, std::span<Record>) {}
  static Levels levels(const Record& record) { return record.levels(); }
  static void meet(Record& record, Label other, const Edge&) { record.meet(other); }

  static void check_label(const SearchResult& result, std::size_t i, Label label, std::uint32_t found,
                          BrokenRules& broken) {
    if (result.claimed_levels.empty()) return;
    const std::int64_t level = found == no_level ? -1 : std::int64_t{found};
    if (result.claimed_levels[i] == level) return;
    broken.add(Rule::level, [&] {
      return fmt::format("vertex {} has level {}; its parents give {}", label.value, result.claimed_levels[i], level);
    });
  }
  /// Also false for an edge of a directed graph along which the level falls by more than one; check_edge() accepts it.
  static bool fits(const Edge&, const Levels& source, const Levels& target, Directedness) {
    return are_near(source, target);
  }
  static void check_edge(const Edge& edge, Level source, Level target, Directedness directedness, BrokenRules& broken) {
    const std::uint64_t step_down = target > source ? target - source : 0;
    const std::uint64_t step_up = source > target ? source - target : 0;
    if (step_down <= 1 && (directedness == Directedness::directed || step_up <= 1)) return;
    broken.add(Rule::edge_span, [&] { return edge_span_text(edge, source, target); });
  }
  static std::string why_it_leaves(const Edge&, Level) { return {}; }
  static void check_weight(const Edge&, BrokenRules&) {}
  static void check_parent_edge(const Record&, std::size_t, const SearchResult&, std::size_t, Label, BrokenRules&) {}
};

namespace {

/// The widths for the requested number of searches: as many wide levels as take no more memory than the narrow ones.
constexpr PassWidth pass_width(std::size_t per_pass) {
  if (per_pass >= max_searches_per_pass) return {max_searches_per_pass, 4};
  return per_pass >= 4 ? PassWidth{4, 1} : PassWidth{1, 1};
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
  const bool wide = std::ranges::any_of(levels, &TreeLevels::wide);
  const auto in = [&]<class Rules>() { return TreeValidation<Rules>(input, results, std::move(levels)).run(); };
  if (wide && levels.size() == 1) return in.template operator()<BfsRules<Entry, std::uint32_t, 1>>();
  if (wide) return in.template operator()<BfsRules<Entry, std::uint32_t, 4>>();
  if (levels.size() == 1) return in.template operator()<BfsRules<Entry, std::uint8_t, 1>>();
  if (levels.size() <= 4) return in.template operator()<BfsRules<Entry, std::uint8_t, 4>>();
  return in.template operator()<BfsRules<Entry, std::uint8_t, max_searches_per_pass>>();
}

template <std::size_t searches>
std::vector<std::uint64_t> count_pass(const EdgeList& edges, std::span<const SearchResult> results,
                                      const BlockDistribution& distribution, const Context& context) {
  EdgeCount<searches> count(results, context);
  EdgePass(edges, distribution, context, count).run();
  return count.totals(context.ranks);
}

template <class Entry>
std::size_t bytes_per_label(std::size_t per_pass) {
  const std::size_t narrow = pass_width(per_pass).narrow;
  std::size_t record = sizeof(TreeRecord<Entry, std::uint8_t, 1>);
  if (narrow == 4) record = sizeof(TreeRecord<Entry, std::uint8_t, 4>);
  if (narrow == max_searches_per_pass) record = sizeof(TreeRecord<Entry, std::uint8_t, max_searches_per_pass>);
  return pass_bytes_per_label<Entry>(narrow, record);
}

}  // namespace

std::size_t validation_bytes_per_label(std::size_t per_pass, std::size_t label_bytes) {
  return label_bytes == sizeof(std::uint32_t) ? bytes_per_label<std::uint32_t>(per_pass)
                                              : bytes_per_label<std::uint64_t>(per_pass);
}

std::vector<ValidationReport> validate_bfs(const EdgeList& edges, Directedness directedness,
                                           std::span<const SearchResult> results, const BlockDistribution& distribution,
                                           const Context& context, std::size_t per_pass) {
  require_blocks(results, distribution, context.ranks);
  const ValidationInput input{edges, directedness, distribution, context};
  return validate_in_passes(results, pass_width(per_pass), input,
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
                                                 std::size_t per_pass) {
  require_blocks(results, distribution, context.ranks);
  const std::size_t width = pass_width(per_pass).narrow;
  std::vector<std::uint64_t> counts;
  while (counts.size() < results.size()) {
    const std::span left = results.subspan(counts.size());
    const std::span pass = left.first(std::min(width, left.size()));
    const std::vector<std::uint64_t> of_pass =
        pass.size() == 1 ? count_pass<1>(edges, pass, distribution, context)
                         : count_pass<max_searches_per_pass>(edges, pass, distribution, context);
    counts.insert(counts.end(), of_pass.begin(), of_pass.end());
  }
  return counts;
}

}  // namespace breadth
