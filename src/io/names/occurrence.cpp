#include "io/names/occurrence.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "comm/agreement.hpp"
#include "core/parallel/parallel.hpp"

namespace breadth {

namespace {
/// The nearest labels on both sides of one, and the extremes.
struct Nearest {
  bool found = false;
  std::int64_t smallest = INT64_MAX;
  std::int64_t largest = -1;
  std::int64_t below = -1;
  std::int64_t above = INT64_MAX;

  void see(std::int64_t value, std::int64_t label) {
    found = found || value == label;
    smallest = std::min(smallest, value);
    largest = std::max(largest, value);
    if (value < label) below = std::max(below, value);
    if (value > label) above = std::min(above, value);
  }
  void merge(const Nearest& other) {
    found = found || other.found;
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
    below = std::max(below, other.below);
    above = std::min(above, other.above);
  }
};

Label label_or_none(std::int64_t value) { return value == INT64_MAX ? no_label : Label{value}; }

/// Marks the labels of one round that this rank holds.
void mark(std::vector<Label>& labels, const BlockDistribution& distribution, const Communicator& ranks,
          Bitmap& occurring) {
  const auto vertices = static_cast<std::int64_t>(distribution.vertex_count());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  labels.erase(std::lower_bound(labels.begin(), labels.end(), Label{vertices}), labels.end());
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks.size()), 0);
  for (const Label label : labels) ++counts[static_cast<std::size_t>(distribution.owner(label))];
  std::vector<std::size_t> received_counts;
  for (const Label label : ranks.all_to_all(std::span<const Label>(labels), counts, received_counts)) {
    occurring.insert(distribution.offset(label, ranks.rank()));
  }
}
}  // namespace

Occurrence find_occurrence(const EdgeList& edges, Label label, const Context& context) {
  const Communicator& ranks = context.ranks;
  Nearest nearest = run_together(ranks, [&] {
    std::vector<Nearest> of_thread(static_cast<std::size_t>(context.threads.size()));
    parallel_edge_blocks(context.threads, edges, 0, edges.size(), false, [&](auto block, auto, int thread) {
      Nearest seen;
      for (const Edge& edge : block) {
        seen.see(edge.source.value, label.value);
        seen.see(edge.target.value, label.value);
      }
      of_thread[static_cast<std::size_t>(thread)].merge(seen);
    });
    Nearest all;
    for (const Nearest& one : of_thread) all.merge(one);
    return all;
  });
  nearest.found = ranks.all_reduce(std::int64_t{nearest.found ? 1 : 0}, Reduction::maximum) != 0;
  return {.found = nearest.found,
          .smallest = label_or_none(ranks.all_reduce(nearest.smallest, Reduction::minimum)),
          .largest = Label{ranks.all_reduce(nearest.largest, Reduction::maximum)},
          .below = Label{ranks.all_reduce(nearest.below, Reduction::maximum)},
          .above = label_or_none(ranks.all_reduce(nearest.above, Reduction::minimum))};
}

Bitmap occurring_labels(const EdgeList& edges, const BlockDistribution& distribution, const Context& context) {
  constexpr std::uint64_t round_edges = std::uint64_t{1} << 20;
  const Communicator& ranks = context.ranks;
  Bitmap occurring = run_together(ranks, [&] { return Bitmap(distribution.count(ranks.rank())); });
  const std::uint64_t rounds = ranks.all_reduce((edges.size() + round_edges - 1) / round_edges, Reduction::maximum);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = std::min(edges.size(), round * round_edges);
    const std::uint64_t last = std::min(edges.size(), first + round_edges);
    std::vector<Label> labels = run_together(ranks, [&] {
      std::vector<Label> ends(2 * (last - first), no_label);
      parallel_blocks(context.threads, last - first, edge_block_size, [&](IndexRange range, int) {
        std::vector<Edge> block(range.size(), Edge{no_label, no_label});
        edges.read(first + range.begin, block, {});
        for (std::size_t i = 0; i < block.size(); ++i) {
          ends[2 * (range.begin + i)] = block[i].source;
          ends[2 * (range.begin + i) + 1] = block[i].target;
        }
      });
      edges.check_unchanged();
      return ends;
    });
    if (ranks.size() > 1) {
      mark(labels, distribution, ranks, occurring);
    } else {
      for (const Label label : labels) {
        if (label.index() < occurring.size()) occurring.insert(label.index());
      }
    }
  }
  return occurring;
}

}  // namespace breadth
