// Graphs on the ranks of an MPI communicator, for Python.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "generate/generators.hpp"
#include "io/names/name_list.hpp"
#include "io/names/vertex_names.hpp"
#include "module.hpp"
#include "rank_graph.hpp"
#include "weights.hpp"

#define VERTICES "numpy.typing.NDArray[numpy.int64] | list[str | None]"

namespace breadth::python {

namespace {
/// The Fortran handle of the communicator, and the number of threads of each rank.
using Ranks = std::pair<int, int>;

std::unique_ptr<Workers> workers_of(const Ranks& ranks) {
  return std::make_unique<Workers>(ranks.second, message_passing().ranks_of(ranks.first));
}

/// Names of the vertices of a rank's edges: distinct and in ascending order.
using Names = std::variant<std::span<const std::int64_t>, std::vector<std::string>>;

/// This rank's columns of edges: indices into `names`, or without names labels below `vertex_count`.
struct RankColumns {
  std::span<const std::int64_t> sources;
  std::span<const std::int64_t> targets;
  std::optional<AnyArray> weights = {};  ///< on all ranks, also on those without edges, or on none
  std::optional<Names> names;
  std::uint64_t vertex_count = 0;
};

NumberedNames numbered(const Names& names, const Context& context) {
  const auto* integers = std::get_if<std::span<const std::int64_t>>(&names);
  NameList list;
  if (integers != nullptr) {
    for (const std::int64_t integer : *integers) list.append(as_name(encode_integer(integer)));
  } else {
    for (const std::string& word : std::get<std::vector<std::string>>(names)) list.append(word);
  }
  return number_names(integers != nullptr ? NameKind::integers : NameKind::strings, std::move(list), context);
}

/// Replaces the dictionary of names by a range if they are consecutive integers, because every parent of a search is
/// looked up. Collective.
void replace_by_range(VertexNames& names, std::span<const std::int64_t> of_rank, const Context& context) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t smallest = of_rank.empty() ? none : of_rank.front();
  const std::int64_t largest = of_rank.empty() ? -none - 1 : of_rank.back();
  const std::int64_t first = context.ranks.all_reduce(smallest, Reduction::minimum);
  const std::int64_t last = context.ranks.all_reduce(largest, Reduction::maximum);
  const std::uint64_t distance = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
  if (names.count() > 0 && distance == names.count() - 1) names = VertexNames::range(first, names.count());
}

/// The plan for the weights of all ranks. Collective.
WeightPlan plan_together(const AnyArray& weights, std::uint64_t vertices, const Context& context) {
  return with_weights(weights, [&](auto values) {
    const WeightFindings here = run_together(context.ranks, [&] { return look_at_weights(values, context.threads); });
    using Type = WeightFindings::Type;
    const auto any_of_type = [&](Type type) { return context.ranks.any(!values.empty() && here.type == type); };
    const bool singles = any_of_type(Type::single);
    const bool doubles = any_of_type(Type::floating);
    const bool integers = any_of_type(Type::integral);
    if (integers && (singles || doubles)) {
      throw AgreedError("weights are integers on some ranks and floating-point numbers on others");
    }
    WeightFindings all;
    if (doubles || integers) all.type = doubles ? Type::floating : Type::integral;
    if (context.ranks.any(here.rounded != SIZE_MAX)) all.rounded = 0;
    all.unit = static_cast<int>(context.ranks.all_reduce(std::int64_t{here.unit}, Reduction::minimum));
    all.heaviest = context.ranks.all_reduce(here.heaviest, Reduction::maximum);
    return run_together(context.ranks, [&] {
      const WeightPlan plan = plan_weights(all, vertices);
      require_room(values, here, plan);
      return plan;
    });
  });
}

template <class Weight>
Buffer<Weight> copy_of(const AnyArray& weights, std::size_t count) {
  Buffer<Weight> copy(count);
  with_weights(weights, [&](auto values) {
    for (std::size_t i = 0; i < values.size(); ++i) copy[i] = static_cast<Weight>(values[i]);
    for (std::size_t i = values.size(); i < count; ++i) copy[i] = 0;
  });
  return copy;
}

/// Converts columns to edges between labels. An empty part gets a self-loop, which is not an edge of the graph.
RankEdges edges_of(const RankColumns& columns, bool directed, const Context& context) {
  RankEdges edges{
      .file = {.path = "the edges", .weighted = columns.weights.has_value(), .every_label_is_vertex = true}};
  GraphFile& file = edges.file;
  file.directedness = directed_if(directed);
  std::vector<Label> labels;
  if (columns.names) {
    NumberedNames names = numbered(*columns.names, context);
    file.names = std::move(names.names);
    labels = std::move(names.labels);
    if (const auto* integers = std::get_if<std::span<const std::int64_t>>(&*columns.names)) {
      replace_by_range(file.names, *integers, context);
    }
  } else {
    file.names = VertexNames::range(0, columns.vertex_count);
  }
  run_together(context.ranks, [&] {
    if (file.names.count() == 0) fail<UsageError>("the graph has no vertices on any rank");
  });
  if (columns.weights) edges.plan = plan_together(*columns.weights, file.names.count(), context);
  file.edges = run_together(context.ranks, [&]() -> std::unique_ptr<EdgeList> {
    const auto label = [&](std::int64_t number) {
      const std::uint64_t bound = columns.names ? labels.size() : columns.vertex_count;
      if (static_cast<std::uint64_t>(number) >= bound)
        fail<UsageError>("{} is not a vertex: there are {}", number, bound);
      return columns.names ? labels[static_cast<std::size_t>(number)] : Label{number};
    };
    Buffer<PackedEdge> list(std::max<std::size_t>(1, columns.sources.size()));
    list[0] = PackedEdge::pack({Label{0}, Label{0}});
    for (std::size_t i = 0; i < columns.sources.size(); ++i) {
      list[i] = PackedEdge::pack({label(columns.sources[i]), label(columns.targets[i])});
    }
    Buffer<float> weights;
    if (columns.weights) {
      if (edges.plan.kind == WeightKind::real) {
        edges.wide = copy_of<double>(*columns.weights, list.size());
      } else if (edges.plan.kind == WeightKind::integer) {
        edges.wide = copy_of<std::int64_t>(*columns.weights, list.size());
      } else {
        weights = copy_of<float>(*columns.weights, list.size());
      }
    }
    return std::make_unique<MemoryEdgeList>(std::move(list), std::move(weights));
  });
  file.edge_count = context.ranks.all_reduce(file.edges->size(), Reduction::sum);
  return edges;
}

std::unique_ptr<RankGraph> from_columns(const Ranks& ranks, const Input<std::int64_t>& sources,
                                        const Input<std::int64_t>& targets, const std::optional<AnyArray>& weights,
                                        const std::optional<Input<std::int64_t>>& integers,
                                        std::optional<std::vector<std::string>> words, std::uint64_t vertex_count,
                                        bool directed, const OptionTexts& layout) {
  RankColumns columns{.sources = elements(sources), .targets = elements(targets)};
  columns.weights = weights;
  if (integers) columns.names = elements(*integers);
  if (words) columns.names = std::move(*words);
  columns.vertex_count = vertex_count;
  return without_lock([&] {
    std::unique_ptr<Workers> workers = workers_of(ranks);
    RankEdges edges = edges_of(columns, directed, workers->context());
    return std::make_unique<RankGraph>(std::move(workers), std::move(edges), layout);
  });
}

std::unique_ptr<RankGraph> kronecker(const Ranks& ranks, int scale, std::uint64_t edgefactor,
                                     std::pair<std::uint64_t, std::uint64_t> seed, bool weighted,
                                     const OptionTexts& layout) {
  return without_lock([&] {
    std::unique_ptr<Workers> workers = workers_of(ranks);
    const Communicator& its_ranks = workers->context().ranks;
    const Kronecker generator({scale, edgefactor, {seed.first, seed.second}});
    const auto part = [&](int rank) {
      return generator.edge_count() / static_cast<std::uint64_t>(its_ranks.size()) * static_cast<std::uint64_t>(rank);
    };
    const bool last = its_ranks.rank() + 1 == its_ranks.size();
    GraphFile file{.path = "the graph", .weighted = weighted, .every_label_is_vertex = true};
    file.edges = std::make_unique<KroneckerEdgeList>(
        generator, part(its_ranks.rank()), last ? generator.edge_count() : part(its_ranks.rank() + 1), weighted);
    file.edge_count = generator.edge_count();
    file.names = VertexNames::range(0, std::uint64_t{1} << scale);
    return std::make_unique<RankGraph>(std::move(workers), RankEdges{std::move(file)}, layout);
  });
}

nb::object to_python(VertexList vertices) {
  if (auto* integers = std::get_if<Buffer<std::int64_t>>(&vertices)) return to_numpy(std::move(*integers));
  return nb::cast(std::get<std::vector<std::optional<std::string>>>(vertices));
}

/// The parents that this rank holds, from which paths are made.
struct RankTree {
  LabelArray parents;
};

nb::tuple to_python(RankAnswer answer) {
  return nb::make_tuple(any_to_numpy(std::move(answer.values)), to_python(std::move(answer.parents)),
                        nb::cast(RankTree{std::move(answer.tree)}),
                        SearchLog{answer.reached, answer.seconds, std::move(answer.statistics), answer.leaves});
}
}  // namespace

void bind_ranks(nb::module_& module) {
  module.def("message_passing_library", &MessagePassing::library);
  module.def("leave_message_passing", &MessagePassing::leave);
  nb::class_<RankTree>(module, "RankTree", "Parents that a rank holds.");
  nb::class_<RankGraph>(module, "RankGraph", "A graph on the ranks of an MPI communicator")
      .def_prop_ro("vertex_count", &RankGraph::vertex_count)
      .def_prop_ro("edge_count", &RankGraph::edge_count)
      .def_prop_ro("directed", &RankGraph::directed)
      .def_prop_ro("weighted", &RankGraph::weighted)
      .def_prop_ro("distance_type", [](const RankGraph& graph) { return distance_type(graph.weight_kind()); })
      .def_prop_ro("named_by_words", &RankGraph::named_by_words)
      .def("bytes", [](const RankGraph& graph) { return without_lock([&] { return graph.bytes(); }); })
      .def(
          "vertices", [](const RankGraph& graph) { return to_python(without_lock([&] { return graph.vertices(); })); },
          nb::sig("def vertices(self) -> " VERTICES))
      .def(
          "find",
          [](const RankGraph& graph, const std::string& name) -> std::optional<std::int64_t> {
            const std::optional<Label> label = without_lock([&] { return graph.find(name); });
            return label ? std::optional(label->value) : std::nullopt;
          },
          nb::arg("name"))
      .def(
          "bfs",
          [](RankGraph& graph, std::int64_t source, const std::vector<std::int64_t>& targets, std::int64_t max_depth,
             const OptionTexts& options) {
            return to_python(
                without_lock([&] { return graph.bfs(Label{source}, labels_of(targets), max_depth, options); }));
          },
          nb::arg("source"), nb::arg("targets"), nb::arg("max_depth"), nb::arg("options"),
          nb::sig("def bfs(self, source: int, targets: list[int], max_depth: int, options: list[tuple[str, str]]) -> "
                  "tuple[numpy.typing.NDArray[numpy.int64], " VERTICES ", RankTree, SearchLog]"))
      .def(
          "nearest_sources",
          [](RankGraph& graph, const std::vector<std::int64_t>& sources, std::int64_t max_depth,
             const OptionTexts& options) {
            RankAnswer answer =
                without_lock([&] { return graph.nearest_sources(labels_of(sources), max_depth, options); });
            nb::object nearest = to_python(std::move(answer.sources));
            return nb::make_tuple(std::move(nearest), to_python(std::move(answer)));
          },
          nb::arg("sources"), nb::arg("max_depth"), nb::arg("options"),
          nb::sig("def nearest_sources(self, sources: list[int], max_depth: int, options: list[tuple[str, str]]) -> "
                  "tuple[" VERTICES ", tuple[numpy.typing.NDArray[numpy.int64], " VERTICES ", RankTree, SearchLog]]"))
      .def(
          "near_to",
          [](RankGraph& graph, const std::vector<std::int64_t>& sources, std::int64_t max_depth,
             const OptionTexts& options) {
            return to_python(without_lock([&] { return graph.near_to(labels_of(sources), max_depth, options); }));
          },
          nb::arg("sources"), nb::arg("max_depth"), nb::arg("options"),
          nb::sig("def near_to(self, sources: list[int], max_depth: int, options: list[tuple[str, str]]) -> " VERTICES))
      .def(
          "sssp",
          [](RankGraph& graph, std::int64_t source, const std::vector<std::int64_t>& targets, double real_cutoff,
             std::int64_t integer_cutoff, const OptionTexts& options) {
            const Cutoff cutoff{.real = real_cutoff, .integer = integer_cutoff};
            return to_python(
                without_lock([&] { return graph.sssp(Label{source}, labels_of(targets), cutoff, options); }));
          },
          nb::arg("source"), nb::arg("targets"), nb::arg("real_cutoff"), nb::arg("integer_cutoff"), nb::arg("options"),
          nb::sig("def sssp(self, source: int, targets: list[int], real_cutoff: float, integer_cutoff: int, options: "
                  "list[tuple[str, str]]) -> tuple[numpy.typing.NDArray[typing.Any], " VERTICES
                  ", RankTree, SearchLog]"))
      .def(
          "components",
          [](const RankGraph& graph) {
            auto [of_vertex, count] = without_lock([&] { return graph.components(); });
            return nb::make_tuple(to_numpy(std::move(of_vertex)), count);
          },
          nb::sig("def components(self) -> tuple[numpy.typing.NDArray[numpy.int64], int]"))
      .def(
          "path",
          [](const RankGraph& graph, const RankTree& tree, std::int64_t target) {
            return to_python(without_lock([&] { return graph.path(tree.parents, Label{target}); }));
          },
          nb::arg("tree"), nb::arg("target"), nb::sig("def path(self, tree: RankTree, target: int) -> " VERTICES));
  module.def(
      "ranks_from_columns", from_columns, nb::arg("ranks"), nb::arg("sources"), nb::arg("targets"),
      nb::arg("weights").none(), nb::arg("integers").none(), nb::arg("words").none(), nb::arg("vertex_count"),
      nb::arg("directed"), nb::arg("layout"),
      nb::sig("def ranks_from_columns(ranks: tuple[int, int], sources: numpy.typing.NDArray[numpy.int64], targets: "
              "numpy.typing.NDArray[numpy.int64], weights: numpy.typing.NDArray[typing.Any] | None, integers: "
              "numpy.typing.NDArray[numpy.int64] | None, words: list[str] | None, vertex_count: int, directed: "
              "bool, layout: list[tuple[str, str]]) -> RankGraph"));
  module.def(
      "ranks_read",
      [](const Ranks& ranks, const std::filesystem::path& path, bool directed, const OptionTexts& layout) {
        return without_lock(
            [&] { return std::make_unique<RankGraph>(workers_of(ranks), path.string(), directed, layout); });
      },
      nb::arg("ranks"), nb::arg("path"), nb::arg("directed"), nb::arg("layout"),
      nb::sig("def ranks_read(ranks: tuple[int, int], path: str, directed: bool, layout: list[tuple[str, str]]) -> "
              "RankGraph"));
  module.def("ranks_kronecker", kronecker, nb::arg("ranks"), nb::arg("scale"), nb::arg("edgefactor"), nb::arg("seed"),
             nb::arg("weighted"), nb::arg("layout"));
}

}  // namespace breadth::python
