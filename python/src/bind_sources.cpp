// The sources of Python's graphs: arrays, files and generators.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "cli/commands/graph_files.hpp"
#include "core/errors.hpp"
#include "edge_columns.hpp"
#include "engine_graph.hpp"
#include "generate/generators.hpp"
#include "io/names/name_list.hpp"
#include "label_numbers.hpp"
#include "memory_plan.hpp"
#include "module.hpp"
#include "progress.hpp"
#include "weights.hpp"

namespace breadth::python {

namespace {
/// A graph and its labels: consecutive integers from `first` on, an array of integers, or names.
struct Named {
  std::unique_ptr<EngineGraph> graph;
  std::int64_t first = 0;
  Buffer<std::int64_t> integers = {};
  std::optional<std::vector<std::string>> names = {};
};

nb::tuple to_python(Named named) {
  nb::object labels = nb::none();
  if (named.names) labels = nb::cast(*named.names);
  if (!named.integers.empty()) labels = to_numpy(std::move(named.integers));
  return nb::make_tuple(nb::cast(std::move(named.graph)), named.first, labels);
}

/// Calls body(elements) with the elements of an array of integers, or throws UsageError.
template <class Body>
void with_integers(const AnyArray& array, Body&& body) {
  const nb::dlpack::dtype type = array.dtype();
  if (type == nb::dtype<std::int64_t>()) return body(elements<std::int64_t>(array));
  if (type == nb::dtype<std::int32_t>()) return body(elements<std::int32_t>(array));
  if (type == nb::dtype<std::int16_t>()) return body(elements<std::int16_t>(array));
  if (type == nb::dtype<std::int8_t>()) return body(elements<std::int8_t>(array));
  if (type == nb::dtype<std::uint64_t>()) return body(elements<std::uint64_t>(array));
  if (type == nb::dtype<std::uint32_t>()) return body(elements<std::uint32_t>(array));
  if (type == nb::dtype<std::uint16_t>()) return body(elements<std::uint16_t>(array));
  if (type == nb::dtype<std::uint8_t>()) return body(elements<std::uint8_t>(array));
  fail<UsageError>("an array of integers is needed");
}

IntegerColumn integer_column(const AnyArray& array) {
  IntegerColumn column;
  with_integers(array, [&]<class Element>(std::span<const Element> values) { column = IntegerColumn(values); });
  return column;
}

/// How often a list of edges is read, about, while a graph is built from it; once less if its labels are counted.
constexpr std::uint64_t passes_to_build = 3;

struct ColumnSettings {
  std::optional<std::uint64_t> vertex_count;
  const OptionTexts& layout;
};

/// The weights of an array in the form in which the graph keeps them.
struct PlannedWeights {
  FloatColumn narrow = {};
  WideColumn wide = {};
};
PlannedWeights planned(const AnyArray& array, WeightKind kind) {
  PlannedWeights weights;
  with_weights(array, [&](auto values) {
    if (kind == WeightKind::real) {
      weights.wide = Column<double>(values);
    } else if (kind == WeightKind::integer) {
      weights.wide = Column<std::int64_t>(values);
    } else {
      weights.narrow = FloatColumn(values);
    }
  });
  return weights;
}

Named from_columns(const AnyArray& sources, const AnyArray& targets, const std::optional<AnyArray>& weights,
                   const ColumnSettings& columns, GraphSettings settings, Progress& progress) {
  const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(settings.threads, sources.size()));
  const Workers::Turn turn(*workers, &progress);
  ThreadTeam& team = workers->context().threads;
  const IntegerColumn from = integer_column(sources);
  const IntegerColumn to = integer_column(targets);
  if (columns.vertex_count) {
    require_numbers_below(from, *columns.vertex_count, "sources", team);
    require_numbers_below(to, *columns.vertex_count, "targets", team);
  }
  const FloatColumn none;
  const EdgeColumns columns_of_ends(from, to, none);
  const CountedEdges ends(columns_of_ends, progress);
  constexpr std::uint64_t passes_to_number = 1;  // two or three if they are far apart
  progress.begin("building", ends.size(), passes_to_build - 1 + (columns.vertex_count ? 0 : passes_to_number));
  LabelNumbers numbers =
      columns.vertex_count ? LabelNumbers(*columns.vertex_count) : LabelNumbers(ends, columns_of_ends, team);
  settings.vertex_count = numbers.count();
  settings.layout = graph_layout(columns.layout);
  if (!columns.vertex_count) {  // otherwise the caller has checked the memory before
    const bool directed = settings.directedness == Directedness::directed;
    const GraphSize size = size_of(numbers.count(), ends.size(), weights.has_value(), directed, settings.layout);
    require_memory(predict(size, team.size()), 0);
  }
  PlannedWeights kept;
  if (weights) {
    settings.weights = with_weights(*weights, [&](auto values) {
      const WeightFindings found = look_at_weights(values, team);
      const WeightPlan plan = plan_weights(found, settings.vertex_count);
      require_room(values, found, plan);
      return plan;
    });
    kept = planned(*weights, settings.weights->kind);
  }
  const EdgeColumns with_weights_of_32_bits(from, to, kept.narrow);
  const CountedEdges edges(with_weights_of_32_bits, progress);
  Named named{.first = numbers.first()};
  named.graph = std::make_unique<EngineGraph>(NumberedEdges(edges, numbers), kept.wide, settings, *workers);
  named.integers = std::move(numbers.integers());
  return named;
}

nb::tuple bound_from_columns(const AnyArray& sources, const AnyArray& targets, const std::optional<AnyArray>& weights,
                             std::optional<std::uint64_t> vertex_count, bool directed, const OptionTexts& layout,
                             int threads, nb::object progress) {
  Progress shown(std::move(progress));
  const GraphSettings settings{.directedness = directed_if(directed), .threads = threads};
  Named named = without_lock([&] {
    return from_columns(sources, targets, weights, {vertex_count, layout}, settings, shown);
  });
  shown.show();
  return to_python(std::move(named));
}

/// Takes the names of vertices from a file's dictionary.
void take_names(const VertexNames& names, Named& named) {
  if (names.kind() == NameKind::integers) {
    named.integers = Buffer<std::int64_t>(names.own().size());
    for (std::size_t i = 0; i < names.own().size(); ++i) named.integers[i] = decode_integer(names.own()[i]);
  } else {
    named.names.emplace();
    for (std::size_t i = 0; i < names.own().size(); ++i)
      named.names->push_back(displayed(names.kind(), names.own()[i]));
  }
}

/// The total for the progress of reading a file: the bytes of uncompressed text, 0 (unknown) for any other file.
std::uint64_t bytes_to_read(const std::string& path) {
  const FileKind kind = cli::input_kind(path);
  if (!kind.is_text() || kind.compression != Compression::none) return 0;
  std::error_code none;  // ignored: opening the file gives a better message
  const std::uintmax_t size = std::filesystem::file_size(path, none);
  return none ? 0 : size;
}

/// Reads a file. Its weights, if it has any, are lengths of edges.
GraphFile read_lengths(const std::string& path, const GraphLayout& layout, const Context& context, Progress& progress) {
  const ReadOptions options{.weights = WeightUse::lengths_if_any, .parsed_bytes = &progress.done()};
  progress.begin("reading", bytes_to_read(path));
  return cli::read_fitting_graph(path, layout, 0, options, context);
}

Named read_file(const std::string& path, bool directed, const OptionTexts& layout, int threads, Progress& progress) {
  const std::shared_ptr<Workers> workers = Workers::of(threads);
  const Workers::Turn turn(*workers, &progress);
  const Context context = workers->context();
  GraphSettings settings{.layout = graph_layout(layout), .threads = threads};
  const GraphFile file = read_lengths(path, settings.layout, context, progress);
  const CountedEdges edges(*file.edges, progress);
  settings.directedness = cli::directedness_of(file, directed);
  progress.begin("building", edges.size(), passes_to_build);
  Named named;
  if (file.names.kind() != NameKind::range) {
    settings.vertex_count = file.names.count();
    named.graph = std::make_unique<EngineGraph>(edges, WideColumn(), settings, *workers);
    take_names(file.names, named);
  } else if (file.every_label_is_vertex) {
    settings.vertex_count = file.names.count();
    named.first = file.names.first();
    named.graph = std::make_unique<EngineGraph>(edges, WideColumn(), settings, *workers);
  } else {
    LabelNumbers numbers(edges, *file.edges, context.threads);
    settings.vertex_count = numbers.count();
    named.graph = std::make_unique<EngineGraph>(NumberedEdges(edges, numbers), WideColumn(), settings, *workers);
    named.first = file.names.first() + numbers.first();
    named.integers = std::move(numbers.integers());
    for (std::int64_t& integer : named.integers) integer += file.names.first();
  }
  return named;
}

/// A graph of edges that are generated anew whenever they are read. All labels are vertices.
std::unique_ptr<EngineGraph> generated(const EdgeList& list, std::uint64_t vertex_count, const OptionTexts& layout,
                                       int threads, nb::object progress) {
  Progress shown(std::move(progress));
  auto graph = without_lock([&] {
    const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(threads, list.size()));
    const Workers::Turn turn(*workers, &shown);
    const CountedEdges edges(list, shown);
    const GraphSettings settings{.vertex_count = vertex_count, .layout = graph_layout(layout), .threads = threads};
    shown.begin("building", edges.size(), passes_to_build);
    return std::make_unique<EngineGraph>(edges, WideColumn(), settings, *workers);
  });
  shown.show();
  return graph;
}

std::unique_ptr<EngineGraph> synthetic(const SyntheticGraph& graph, std::uint64_t seed, bool weighted,
                                       const OptionTexts& layout, int threads, nb::object progress) {
  const SyntheticEdgeList edges(graph, 0, graph.edge_count, weighted ? even_weights(seed) : SyntheticWeights{});
  return generated(edges, graph.vertex_count, layout, threads, std::move(progress));
}
}  // namespace

void bind_sources(nb::module_& module) {
  module.def(
      "from_columns", bound_from_columns, nb::arg("sources"), nb::arg("targets"), nb::arg("weights").none(),
      nb::arg("vertex_count").none(), nb::arg("directed"), nb::arg("layout"), nb::arg("threads"),
      nb::arg("progress").none(),
      nb::sig("def from_columns(sources: numpy.typing.NDArray[typing.Any], targets: "
              "numpy.typing.NDArray[typing.Any], weights: numpy.typing.NDArray[typing.Any] | None, vertex_count: "
              "int | None, directed: bool, layout: list[tuple[str, str]], threads: int, progress: "
              "collections.abc.Callable[[str, int, int], object] | None) -> tuple[EngineGraph, int, typing.Any]"));
  module.def(
      "read",
      [](const std::filesystem::path& path, bool directed, const OptionTexts& layout, int threads,
         nb::object progress) {
        Progress shown(std::move(progress));
        Named named = without_lock([&] { return read_file(path.string(), directed, layout, threads, shown); });
        shown.show();
        return to_python(std::move(named));
      },
      nb::arg("path"), nb::arg("directed"), nb::arg("layout"), nb::arg("threads"), nb::arg("progress").none(),
      nb::sig("def read(path: str, directed: bool, layout: list[tuple[str, str]], threads: int, progress: "
              "collections.abc.Callable[[str, int, int], object] | None) -> tuple[EngineGraph, int, typing.Any]"));
  module.def(
      "kronecker",
      [](int scale, std::uint64_t edgefactor, std::pair<std::uint64_t, std::uint64_t> seed, bool weighted,
         const OptionTexts& layout, int threads, nb::object progress) {
        const Kronecker kronecker({scale, edgefactor, {seed.first, seed.second}});
        const KroneckerEdgeList edges(kronecker, 0, kronecker.edge_count(), weighted);
        return generated(edges, std::uint64_t{1} << scale, layout, threads, std::move(progress));
      },
      nb::arg("scale"), nb::arg("edgefactor"), nb::arg("seed"), nb::arg("weighted"), nb::arg("layout"),
      nb::arg("threads"), nb::arg("progress").none());
  module.def(
      "grid",
      [](std::uint64_t rows, std::uint64_t columns, std::uint64_t seed, bool weighted, const OptionTexts& layout,
         int threads, nb::object progress) {
        return synthetic(grid_graph(rows, columns), seed, weighted, layout, threads, std::move(progress));
      },
      nb::arg("rows"), nb::arg("columns"), nb::arg("seed"), nb::arg("weighted"), nb::arg("layout"), nb::arg("threads"),
      nb::arg("progress").none());
  module.def(
      "uniform_random",
      [](std::uint64_t vertices, std::uint64_t edges, std::uint64_t seed, bool weighted, const OptionTexts& layout,
         int threads, nb::object progress) {
        return synthetic(uniform_random_graph(vertices, edges, seed), seed, weighted, layout, threads,
                         std::move(progress));
      },
      nb::arg("vertices"), nb::arg("edges"), nb::arg("seed"), nb::arg("weighted"), nb::arg("layout"),
      nb::arg("threads"), nb::arg("progress").none());
  module.def(
      "small_world",
      [](std::uint64_t vertices, std::uint64_t reach, std::uint64_t one_in, std::uint64_t seed, bool weighted,
         const OptionTexts& layout, int threads, nb::object progress) {
        return synthetic(small_world_graph(vertices, reach, one_in, seed), seed, weighted, layout, threads,
                         std::move(progress));
      },
      nb::arg("vertices"), nb::arg("reach"), nb::arg("one_in"), nb::arg("seed"), nb::arg("weighted"), nb::arg("layout"),
      nb::arg("threads"), nb::arg("progress").none());
}

}  // namespace breadth::python
