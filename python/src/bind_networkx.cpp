// The C++ part of the networkx backend: its dicts as arrays, searches in its order, and its results.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "module.hpp"
#include "networkx/adjacency.hpp"
#include "networkx/dict_weights.hpp"
#include "networkx/many_searches.hpp"
#include "networkx/ordered_bellman_ford.hpp"
#include "networkx/ordered_bfs.hpp"
#include "networkx/ordered_dijkstra.hpp"
#include "networkx/results.hpp"
#include "networkx/rows.hpp"

// Types for the stub file.
#define INDICES "numpy.typing.NDArray[numpy.int32]"
#define PLACES "numpy.typing.NDArray[numpy.int64]"
#define NUMBERS "numpy.typing.NDArray[typing.Any]"

namespace breadth::python {

namespace {
using Indices = Input<std::int32_t>;
using Places = Input<std::int64_t>;
using Numbers = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Calls body(values) with an array of int64 or float64.
template <class Body>
auto with_numbers(const Numbers& array, Body&& body) {
  if (array.dtype() == nb::dtype<std::int64_t>()) {
    return body(std::span(static_cast<const std::int64_t*>(array.data()), array.size()));
  }
  return body(std::span(static_cast<const double*>(array.data()), array.size()));
}

/// A cutoff in the type of the distances, which are at least 0; none if no distance is beyond it.
template <class Value>
std::optional<Value> cutoff_of(const nb::object& cutoff) {
  if (cutoff.is_none()) return std::nullopt;
  if constexpr (std::is_integral_v<Value>) {
    if (PyLong_Check(cutoff.ptr())) {
      int overflow = 0;
      const std::int64_t integer = PyLong_AsLongLongAndOverflow(cutoff.ptr(), &overflow);
      if (overflow > 0) return std::nullopt;
      return overflow < 0 ? -1 : integer;
    }
  }
  const auto real = nb::cast<double>(cutoff);
  if (std::isnan(real)) return std::nullopt;
  if constexpr (std::is_floating_point_v<Value>) return real;
  if (real >= 0x1p63) return std::nullopt;
  return static_cast<Value>(std::max(-1.0, std::floor(real)));
}

// Dicts as arrays.

nb::object bound_integer_nodes(const nb::list& nodes) {
  std::optional<IntegerNodes> found = integer_nodes(nodes);
  if (!found) return nb::none();
  return nb::make_tuple(found->first, to_numpy(std::move(found->indices)));
}

std::optional<Rows> bound_read_rows(const nb::list& rows, std::int64_t first, const std::optional<Indices>& indices,
                                    nb::object by_node) {
  NodeIndices nodes{.first = first, .by_node = std::move(by_node)};
  if (indices) nodes.indices = elements(*indices);
  return read_rows(rows, nodes);
}

/// The weights, or the reason why they are unsuitable.
nb::object bound_read_weights(const nb::list& rows, nb::object attribute, bool parallel) {
  try {
    return read_weights(rows, WeightReader(std::move(attribute), parallel));
  } catch (const Unsuitable& unsuitable) {
    return nb::cast(unsuitable.reason);
  }
}

nb::list bound_names_of(const nb::list& nodes, const Indices& indices) { return names_of(nodes, elements(indices)); }

nb::dict bound_number_dict(const nb::list& nodes, const Indices& order, const Numbers& numbers, std::size_t sources) {
  return with_numbers(numbers, [&](auto values) { return number_dict(nodes, elements(order), values, sources); });
}

// Breadth-first searches.

nb::object ordered_levels(const Rows& rows, std::int32_t source, std::int64_t max_depth, std::int64_t budget) {
  std::optional<OrderedTree> tree = without_lock([&] {
    std::optional<OrderedTree> found = ordered_bfs(rows, std::span(&source, 1), max_depth, budget);
    if (found) order_levels(*found, rows.node_count());
    return found;
  });
  if (!tree) return nb::none();
  return nb::make_tuple(to_numpy(std::move(tree->nodes)), to_numpy(std::move(tree->begins)));
}

nb::tuple bound_by_level(const Places& of_nodes) {
  OrderedTree tree = without_lock([&] { return by_level(elements(of_nodes)); });
  return nb::make_tuple(to_numpy(std::move(tree.nodes)), to_numpy(std::move(tree.begins)));
}

nb::tuple ordered_tree(const Rows& rows, const Indices& sources, std::int64_t max_depth) {
  OrderedTree tree = without_lock([&] { return *ordered_bfs(rows, elements(sources), max_depth); });
  return nb::make_tuple(to_numpy(std::move(tree.nodes)), to_numpy(std::move(tree.parents)),
                        to_numpy(std::move(tree.begins)));
}

nb::tuple bfs_predecessors(const Rows& rows, std::int32_t source, std::int64_t max_depth) {
  OrderedTree tree;
  Predecessors before = without_lock([&] {
    tree = *ordered_bfs(rows, std::span(&source, 1), max_depth);
    return predecessors(rows, tree);
  });
  return nb::make_tuple(to_numpy(std::move(tree.nodes)), to_numpy(std::move(tree.begins)),
                        to_numpy(std::move(before.starts)), to_numpy(std::move(before.nodes)));
}

nb::object bound_two_colors(const Rows& rows, const Rows* columns) {
  std::optional<Colors> found = without_lock([&] { return two_colors(rows, columns); });
  if (!found) return nb::none();
  return nb::make_tuple(to_numpy(std::move(found->nodes)), to_numpy(std::move(found->colors)));
}

// Shortest paths.

/// Calls search(), and raises ValueError if sums of weights are unsuitable.
template <class Search>
auto with_value_error(Search&& search) {
  try {
    return search();
  } catch (const Unsuitable& unsuitable) {
    throw nb::value_error(unsuitable.reason.c_str());
  }
}

nb::tuple dijkstra(const Rows& rows, const Numbers& weights, const Indices& sources, const nb::object& cutoff) {
  return with_numbers(weights, [&]<class Value>(std::span<const Value> values) {
    const std::optional<Value> limit = cutoff_of<Value>(cutoff);
    OrderedPaths<Value> found = with_value_error([&] {
      return without_lock([&] {
        OrderedDijkstra<Value, WeightArray<Value>> search(rows, {rows, values});
        return search.run(elements(sources), -1, limit, look_for_signals);
      });
    });
    return nb::make_tuple(to_numpy(std::move(found.nodes)), to_numpy(std::move(found.distances)),
                          to_numpy(std::move(found.parents)));
  });
}

nb::tuple dijkstra_predecessors(const Rows& rows, const Numbers& weights, std::int32_t source,
                                const nb::object& cutoff) {
  return with_numbers(weights, [&]<class Value>(std::span<const Value> values) {
    const std::optional<Value> limit = cutoff_of<Value>(cutoff);
    OrderedDijkstra<Value, WeightArray<Value>> search(rows, {rows, values});
    OrderedPaths<Value> found;
    Predecessors before = with_value_error([&] {
      return without_lock([&] {
        found = search.run(std::span(&source, 1), -1, limit, look_for_signals);
        return search.predecessors(found, limit);
      });
    });
    return nb::make_tuple(to_numpy(std::move(found.nodes)), to_numpy(std::move(found.distances)),
                          to_numpy(std::vector(search.seen())), to_numpy(std::move(before.starts)),
                          to_numpy(std::move(before.nodes)));
  });
}

nb::tuple bellman_ford(const Rows& rows, const Numbers& weights, std::int32_t source) {
  return with_numbers(weights, [&]<class Value>(std::span<const Value> values) {
    RelaxedPaths<Value> found = with_value_error([&] {
      return without_lock([&] { return ordered_bellman_ford<Value>(rows, {rows, values}, source, look_for_signals); });
    });
    return nb::make_tuple(to_numpy(std::move(found.nodes)), to_numpy(std::move(found.distances)),
                          to_numpy(std::move(found.before.starts)), to_numpy(std::move(found.before.nodes)));
  });
}

/// Calls search(Value{}) with the type of the first weight that a search from these nodes reads. Returns its result, or
/// the reason why weights that it met are unsuitable.
template <class Search>
nb::object with_kind_at(std::span<const std::int32_t> sources, const DictRows& dicts, const WeightReader& reader,
                        Search&& search) {
  try {
    std::optional<bool> real;
    for (std::size_t i = 0; i < sources.size() && !real; ++i) real = begins_with_float(dicts, reader, sources[i]);
    return real.value_or(false) ? search(double{}) : search(std::int64_t{});
  } catch (const Unsuitable& unsuitable) {
    return nb::cast(unsuitable.reason);
  }
}

/// Distance and path to the target, None if there is no path, or the reason why weights on the way are unsuitable.
nb::object path_by_dicts(const Rows& rows, nb::dict adjacency, nb::list nodes, nb::object attribute, bool parallel,
                         const Indices& sources, std::int32_t target, const nb::object& cutoff) {
  const DictRows dicts{std::move(adjacency), std::move(nodes), rows};
  const WeightReader reader(std::move(attribute), parallel);
  return with_kind_at(elements(sources), dicts, reader, [&]<class Value>(Value) -> nb::object {
    OrderedDijkstra<Value, DictWeights<Value>> search(rows, DictWeights<Value>(dicts, reader));
    const OrderedPaths<Value> found = search.run(elements(sources), target, cutoff_of<Value>(cutoff), [] {});
    if (found.path.empty()) return nb::none();
    return nb::make_tuple(found.distances.back(), names_of(dicts.nodes, found.path));
  });
}

nb::object both_ends_by_dicts(const Rows& rows, const Rows& columns, nb::dict adjacency, nb::dict turned,
                              const nb::list& nodes, nb::object attribute, bool parallel, std::int32_t source,
                              std::int32_t target) {
  const DictRows dicts{std::move(adjacency), nodes, rows};
  const DictRows backward{std::move(turned), nodes, columns};
  const WeightReader reader(std::move(attribute), parallel);
  return with_kind_at(std::span(&source, 1), dicts, reader, [&]<class Value>(Value) -> nb::object {
    const auto found = bidirectional_dijkstra<Value>(rows, columns, DictWeights<Value>(dicts, reader),
                                                     DictWeights<Value>(backward, reader), source, target);
    if (!found) return nb::none();
    return nb::make_tuple(found->distance, names_of(nodes, found->nodes));
  });
}

// Many searches.

nb::tuple bound_distance_counts(const Rows& rows, const Indices& sources) {
  DistanceCounts found = without_lock([&] {
    const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(0, rows.heads().size()));
    const Workers::Turn turn(*workers);
    return distance_counts(rows, elements(sources), workers->context().threads);
  });
  return nb::make_tuple(to_numpy(std::move(found.starts)), to_numpy(std::move(found.counts)));
}

nb::object bound_distances_from_each(const Rows& rows, const Indices& sources) {
  return to_numpy(without_lock([&] {
    const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(0, rows.heads().size()));
    const Workers::Turn turn(*workers);
    return distances_from_each(rows, elements(sources), workers->context().threads);
  }));
}

nb::tuple bound_betweenness(const Rows& rows, const Rows& columns, const Indices& sources, bool endpoints,
                            const std::optional<Indices>& edge_of_entry, std::size_t edge_count) {
  BetweennessInput input{.rows = rows, .columns = columns, .sources = elements(sources), .endpoints = endpoints};
  if (edge_of_entry) {
    input.edge_of_entry = elements(*edge_of_entry);
    input.edge_count = edge_count;
  }
  Betweenness found = without_lock([&] {
    const std::shared_ptr<Workers> workers = Workers::of(Workers::threads_for(0, rows.heads().size()));
    const Workers::Turn turn(*workers);
    return betweenness(input, workers->context().threads);
  });
  return nb::make_tuple(to_numpy(std::move(found.nodes)), to_numpy(std::move(found.edges)));
}

void bind_rows(nb::module_& module) {
  nb::class_<Rows>(module, "Rows", "Neighbours of each node in the order of networkx.")
      .def_prop_ro(
          "starts",
          [](nb::pointer_and_handle<Rows> self) {
            const auto starts = self.p->starts();
            return nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>>(starts.data(), {starts.size()}, self.h);
          },
          nb::sig("def starts(self) -> " PLACES))
      .def_prop_ro(
          "heads",
          [](nb::pointer_and_handle<Rows> self) {
            const auto heads = self.p->heads();
            return nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<1>>(heads.data(), {heads.size()}, self.h);
          },
          nb::sig("def heads(self) -> " INDICES))
      .def("levels", ordered_levels, nb::arg("source"), nb::arg("max_depth"), nb::arg("budget"),
           nb::sig("def levels(self, source: int, max_depth: int, budget: int) -> tuple[" INDICES ", " PLACES
                   "] | None"))
      .def(
          "bfs", ordered_tree, nb::arg("sources"), nb::arg("max_depth"),
          nb::sig("def bfs(self, sources: " INDICES ", max_depth: int) -> tuple[" INDICES ", " INDICES ", " PLACES "]"))
      .def("bfs_predecessors", bfs_predecessors, nb::arg("source"), nb::arg("max_depth"),
           nb::sig("def bfs_predecessors(self, source: int, max_depth: int) -> tuple[" INDICES ", " PLACES ", " PLACES
                   ", " INDICES "]"))
      .def("meeting_path", meeting_path, nb::arg("columns"), nb::arg("source"), nb::arg("target"))
      .def("two_colors", bound_two_colors, nb::arg("columns").none(),
           nb::sig("def two_colors(self, columns: Rows | None) -> tuple[" INDICES
                   ", numpy.typing.NDArray[numpy.uint8]] | None"))
      .def("dijkstra", dijkstra, nb::arg("weights"), nb::arg("sources"), nb::arg("cutoff").none(),
           nb::sig("def dijkstra(self, weights: " NUMBERS ", sources: " INDICES
                   ", cutoff: float | None) -> tuple[" INDICES ", " NUMBERS ", " INDICES "]"))
      .def("dijkstra_predecessors", dijkstra_predecessors, nb::arg("weights"), nb::arg("source"),
           nb::arg("cutoff").none(),
           nb::sig("def dijkstra_predecessors(self, weights: " NUMBERS
                   ", source: int, cutoff: float | None) -> tuple[" INDICES ", " NUMBERS ", " INDICES ", " PLACES
                   ", " INDICES "]"))
      .def("bellman_ford", bellman_ford, nb::arg("weights"), nb::arg("source"),
           nb::sig("def bellman_ford(self, weights: " NUMBERS ", source: int) -> tuple[" INDICES ", " NUMBERS
                   ", " PLACES ", " INDICES "]"))
      .def("path_by_dicts", path_by_dicts, nb::arg("adjacency"), nb::arg("nodes"), nb::arg("attribute").none(),
           nb::arg("parallel"), nb::arg("sources"), nb::arg("target"), nb::arg("cutoff").none(),
           nb::sig("def path_by_dicts(self, adjacency: dict[typing.Any, typing.Any], nodes: list[typing.Any], "
                   "attribute: typing.Any, parallel: bool, sources: " INDICES ", target: int, cutoff: float | None) -> "
                   "tuple[typing.Any, list[typing.Any]] | str | None"))
      .def("both_ends_by_dicts", both_ends_by_dicts, nb::arg("columns"), nb::arg("adjacency"), nb::arg("turned"),
           nb::arg("nodes"), nb::arg("attribute").none(), nb::arg("parallel"), nb::arg("source"), nb::arg("target"),
           nb::sig("def both_ends_by_dicts(self, columns: Rows, adjacency: dict[typing.Any, typing.Any], turned: "
                   "dict[typing.Any, typing.Any], nodes: list[typing.Any], attribute: typing.Any, parallel: bool, "
                   "source: int, target: int) -> tuple[typing.Any, list[typing.Any]] | str | None"))
      .def("distance_counts", bound_distance_counts, nb::arg("sources"),
           nb::sig("def distance_counts(self, sources: " INDICES ") -> tuple[" PLACES ", " PLACES "]"))
      .def("distances_from_each", bound_distances_from_each, nb::arg("sources"),
           nb::sig("def distances_from_each(self, sources: " INDICES ") -> " INDICES))
      .def("betweenness", bound_betweenness, nb::arg("columns"), nb::arg("sources"), nb::arg("endpoints"),
           nb::arg("edge_of_entry").none(), nb::arg("edge_count"),
           nb::sig("def betweenness(self, columns: Rows, sources: " INDICES ", endpoints: bool, edge_of_entry: " INDICES
                   " | None, edge_count: int) -> tuple[numpy.typing.NDArray[numpy.float64], "
                   "numpy.typing.NDArray[numpy.float64]]"));
}
}  // namespace

void bind_networkx(nb::module_& module) {
  bind_rows(module);
  module.def("integer_nodes", bound_integer_nodes, nb::arg("nodes"),
             nb::sig("def integer_nodes(nodes: list[typing.Any]) -> tuple[int, " INDICES "] | None"));
  module.def("read_rows", bound_read_rows, nb::arg("rows"), nb::arg("first"), nb::arg("indices").none(),
             nb::arg("by_node").none(),
             nb::sig("def read_rows(rows: list[typing.Any], first: int, indices: " INDICES
                     " | None, by_node: dict[typing.Any, int] | None) -> Rows | None"));
  module.def(
      "read_weights", bound_read_weights, nb::arg("rows"), nb::arg("attribute").none(), nb::arg("parallel"),
      nb::sig("def read_weights(rows: list[typing.Any], attribute: typing.Any, parallel: bool) -> " NUMBERS " | str"));
  module.def("names_of", bound_names_of, nb::arg("nodes"), nb::arg("indices"),
             nb::sig("def names_of(nodes: list[typing.Any], indices: " INDICES ") -> list[typing.Any]"));
  module.def("by_level", bound_by_level, nb::arg("levels"),
             nb::sig("def by_level(levels: " PLACES ") -> tuple[" INDICES ", " PLACES "]"));
  module.def(
      "level_dict",
      [](const nb::list& nodes, const Indices& order, const Places& begins) {
        return level_dict(nodes, elements(order), elements(begins));
      },
      nb::arg("nodes"), nb::arg("order"), nb::arg("begins"),
      nb::sig("def level_dict(nodes: list[typing.Any], order: " INDICES ", begins: " PLACES
              ") -> dict[typing.Any, int]"));
  module.def("number_dict", bound_number_dict, nb::arg("nodes"), nb::arg("order"), nb::arg("numbers"),
             nb::arg("sources"),
             nb::sig("def number_dict(nodes: list[typing.Any], order: " INDICES ", numbers: " NUMBERS
                     ", sources: int) -> dict[typing.Any, typing.Any]"));
  module.def(
      "path_dict",
      [](const nb::list& nodes, const Indices& order, const Indices& parents, bool backwards) {
        return path_dict(nodes, elements(order), elements(parents), backwards);
      },
      nb::arg("nodes"), nb::arg("order"), nb::arg("parents"), nb::arg("backwards"),
      nb::sig("def path_dict(nodes: list[typing.Any], order: " INDICES ", parents: " INDICES
              ", backwards: bool) -> dict[typing.Any, list[typing.Any]]"));
  module.def(
      "list_dict",
      [](const nb::list& nodes, const Indices& order, const Places& starts, const Indices& lists) {
        return list_dict(nodes, elements(order), elements(starts), elements(lists));
      },
      nb::arg("nodes"), nb::arg("order"), nb::arg("starts"), nb::arg("lists"),
      nb::sig("def list_dict(nodes: list[typing.Any], order: " INDICES ", starts: " PLACES ", lists: " INDICES
              ") -> dict[typing.Any, list[typing.Any]]"));
}

}  // namespace breadth::python
