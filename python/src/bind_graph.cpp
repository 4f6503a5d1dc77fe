// Graphs and searches for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <variant>

#include "core/words.hpp"
#include "engine_graph.hpp"
#include "module.hpp"

// Types for the stub file.
#define INTEGERS "numpy.typing.NDArray[numpy.int64]"
#define NUMBERS "numpy.typing.NDArray[typing.Any]"

namespace breadth::python {

namespace {
double seconds_of(const LevelSeconds& seconds) {
  return seconds.compute + seconds.communicate + seconds.wait + seconds.convert;
}

nb::object leaves(const SearchLog& log) {
  if (log.leaves.claimed == 0) return nb::none();
  nb::dict record;
  record["claimed"] = log.leaves.claimed;
  record["seconds"] = seconds_of(log.leaves.seconds);
  return record;
}

nb::list records(const SearchLog& log) {
  nb::list list;
  for (const LevelStatistics& level : log.levels) {
    nb::dict record;
    record["direction"] = name_of(level.direction);
    record["frontier"] = level.frontier;
    record["edges_examined"] = level.edges_examined;
    record["claimed"] = level.claimed;
    record["seconds"] = seconds_of(level.seconds);
    list.append(record);
  }
  return list;
}

nb::tuple bfs(EngineGraph& graph, std::int64_t source, const std::vector<std::int64_t>& targets, std::int64_t max_depth,
              bool with_parents, const OptionTexts& options, int threads) {
  BfsAnswer answer = without_lock(
      [&] { return graph.bfs(Label{source}, labels_of(targets), max_depth, with_parents, options, threads); });
  nb::object parents = nb::none();
  if (with_parents) parents = to_numpy(std::move(answer.parents));
  return nb::make_tuple(to_numpy(std::move(answer.levels)), parents,
                        SearchLog{answer.reached, answer.seconds, std::move(answer.statistics), answer.leaves});
}

nb::tuple sssp(EngineGraph& graph, std::int64_t source, const std::vector<std::int64_t>& targets, double real_cutoff,
               std::int64_t integer_cutoff, const OptionTexts& options, int threads) {
  const Cutoff cutoff{.real = real_cutoff, .integer = integer_cutoff};
  SsspAnswer answer =
      without_lock([&] { return graph.sssp(Label{source}, labels_of(targets), cutoff, options, threads); });
  return nb::make_tuple(any_to_numpy(std::move(answer.distances)), any_to_numpy(std::move(answer.parents)),
                        SearchLog{answer.reached, answer.seconds, std::move(answer.statistics)});
}

nb::tuple nearest_sources(EngineGraph& graph, const std::vector<std::int64_t>& sources, std::int64_t max_depth,
                          int threads) {
  NearestAnswer found = without_lock([&] { return graph.nearest_sources(labels_of(sources), max_depth, threads); });
  return nb::make_tuple(to_numpy(std::move(found.levels)), to_numpy(std::move(found.parents)),
                        to_numpy(std::move(found.sources)), found.reached);
}

nb::object nearest_levels(EngineGraph& graph, const std::vector<std::int64_t>& sources, std::int64_t max_depth,
                          int threads) {
  return to_numpy(without_lock([&] { return graph.nearest_levels(labels_of(sources), max_depth, threads); }));
}

std::vector<std::int64_t> short_path(EngineGraph& graph, std::int64_t source, std::int64_t target, int threads) {
  const std::vector<Label> path = without_lock([&] { return graph.short_path(Label{source}, Label{target}, threads); });
  std::vector<std::int64_t> values;
  for (const Label label : path) values.push_back(label.value);
  return values;
}

nb::tuple components(EngineGraph& graph, int threads) {
  ComponentsAnswer found = without_lock([&] { return graph.components(threads); });
  return nb::make_tuple(to_numpy(std::move(found.of_label)), found.count);
}

nb::object degrees(EngineGraph& graph) {
  return to_numpy(without_lock([&] { return graph.degrees(); }));
}

nb::object neighbours(const EngineGraph& graph, std::int64_t label) {
  return to_numpy(without_lock([&] { return graph.neighbours(Label{label}); }));
}

nb::tuple edges(EngineGraph& graph, bool both_ways) {
  EngineGraph::Edges all = without_lock([&] { return graph.edges(both_ways); });
  nb::object weights = nb::none();
  if (graph.weighted()) weights = any_to_numpy(std::move(all.weights));
  return nb::make_tuple(to_numpy(std::move(all.sources)), to_numpy(std::move(all.targets)), weights);
}
}  // namespace

void bind_graph(nb::module_& module) {
  nb::class_<SearchLog>(module, "SearchLog", "What a search did.")
      .def_ro("reached", &SearchLog::reached)
      .def_ro("seconds", &SearchLog::seconds)
      .def("records", records, nb::sig("def records(self) -> list[dict[str, typing.Any]]"))
      .def("leaves", leaves, nb::sig("def leaves(self) -> dict[str, typing.Any] | None"));
  nb::class_<EngineGraph>(module, "EngineGraph", "A graph whose vertices are 0, 1, …")
      .def_prop_ro("vertex_count", &EngineGraph::vertex_count)
      .def_prop_ro("edge_count", &EngineGraph::edge_count)
      .def_prop_ro("directed", &EngineGraph::directed)
      .def_prop_ro("weighted", &EngineGraph::weighted)
      .def_prop_ro("distance_type", [](const EngineGraph& graph) { return distance_type(graph.weight_kind()); })
      .def_prop_ro("nbytes", &EngineGraph::bytes)
      .def("bfs", bfs, nb::arg("source"), nb::arg("targets"), nb::arg("max_depth"), nb::arg("parents"),
           nb::arg("options"), nb::arg("threads"),
           nb::sig("def bfs(self, source: int, targets: list[int], max_depth: int, parents: bool, options: "
                   "list[tuple[str, str]], threads: int) -> tuple[" INTEGERS ", " INTEGERS " | None, SearchLog]"))
      .def("sssp", sssp, nb::arg("source"), nb::arg("targets"), nb::arg("real_cutoff"), nb::arg("integer_cutoff"),
           nb::arg("options"), nb::arg("threads"),
           nb::sig("def sssp(self, source: int, targets: list[int], real_cutoff: float, integer_cutoff: int, options: "
                   "list[tuple[str, str]], threads: int) -> tuple[" NUMBERS ", " INTEGERS ", SearchLog]"))
      .def("nearest_sources", nearest_sources, nb::arg("sources"), nb::arg("max_depth"), nb::arg("threads"),
           nb::sig("def nearest_sources(self, sources: list[int], max_depth: int, threads: int) -> tuple[" INTEGERS
                   ", " INTEGERS ", " INTEGERS ", int]"))
      .def("nearest_levels", nearest_levels, nb::arg("sources"), nb::arg("max_depth"), nb::arg("threads"),
           nb::sig("def nearest_levels(self, sources: list[int], max_depth: int, threads: int) -> " INTEGERS))
      .def("short_path", short_path, nb::arg("source"), nb::arg("target"), nb::arg("threads"))
      .def("components", components, nb::arg("threads"),
           nb::sig("def components(self, threads: int) -> tuple[" INTEGERS ", int]"))
      .def("degrees", degrees, nb::sig("def degrees(self) -> " INTEGERS))
      .def("neighbours", neighbours, nb::arg("label"), nb::sig("def neighbours(self, label: int) -> " INTEGERS))
      .def("edges", edges, nb::arg("both_ways"),
           nb::sig("def edges(self, both_ways: bool) -> tuple[" INTEGERS ", " INTEGERS ", " NUMBERS " | None]"));
}

}  // namespace breadth::python
