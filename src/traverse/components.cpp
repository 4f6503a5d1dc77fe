#include "traverse/components.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "comm/agreement.hpp"
#include "comm/phase.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/graph_contents.hpp"
#include "graph/partition.hpp"
#include "traverse/components/linked_trees.hpp"
#include "traverse/components/rank_components.hpp"

namespace breadth {

namespace {
/// Numbers the components of one rank. Meanwhile the entry of a label is the root of its tree, or, if the label is a
/// component by itself, less than no_vertex, so that each label is looked up only once.
std::uint64_t number_on_one_rank(Trees& trees, const Partition& partition, std::span<std::int64_t> of_label,
                                 const Context& context, const Bitmap* vertices) {
  constexpr std::int64_t alone = no_vertex - 1;
  const auto labels = static_cast<std::int64_t>(of_label.size());
  // Holds for each root its first label minus the number of labels, later its number. An entry is 0 until a label is
  // known, so that pages without a root are never touched.
  Buffer<std::int64_t> of_root(trees.size());
  Bitmap firsts(of_label.size());
  for_each_label(partition, of_label.size(), context.threads, [&](std::size_t label, LocalVertex vertex) {
    if (vertex != no_local_vertex) {
      const std::uint32_t root = trees.root(vertex.value);
      of_label[label] = root;
      lower(std::atomic_ref(of_root[root]), static_cast<std::int64_t>(label) - labels);
    } else if (is_vertex(vertices, label)) {
      of_label[label] = alone;
      firsts.insert(label);
    } else {
      of_label[label] = no_vertex;
    }
  });
  trees.for_each([&](std::uint32_t vertex) {
    if (trees.root(vertex) == vertex && of_root[vertex] < 0) {
      firsts.insert_atomic(static_cast<std::size_t>(of_root[vertex] + labels));
    }
  });
  const std::uint64_t count = number_firsts(firsts, context, [&](std::size_t label, std::int64_t number) {
    std::int64_t& found = of_label[label];
    if (found == alone) {
      found = alone - number;
    } else {
      of_root[static_cast<std::size_t>(found)] = number;
    }
  });
  parallel_for(context.threads, of_label.size(), number_grain, [&](std::size_t label) {
    std::int64_t& found = of_label[label];
    if (found != no_vertex) found = found < 0 ? alone - found : of_root[static_cast<std::size_t>(found)];
  });
  return count;
}
}  // namespace

std::uint64_t find_components(const Graph& graph, std::span<std::int64_t> of_label, const Context& context,
                              const Bitmap* vertices) {
  const Phase phase(context.ranks, "components");
  const Partition& partition = graph.partition();
  std::uint64_t count = 0;
  visit_rows(graph, [&]<class Adjacencies>(const Adjacencies& adjacencies) {
    std::optional<Trees> trees;
    run_together(context.ranks, [&] { trees.emplace(partition.local_count(), context.threads); });
    if (context.ranks.size() == 1) {
      link_all(*trees, adjacencies, AllVertices());
      count = number_on_one_rank(*trees, partition, of_label, context, vertices);
    } else {
      link_all(*trees, adjacencies, OwnVertices(partition));
      count = RankComponents<Adjacencies>(graph, adjacencies, *trees, context).number(of_label, vertices);
    }
  });
  return count;
}

}  // namespace breadth
