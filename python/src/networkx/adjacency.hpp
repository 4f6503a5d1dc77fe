// From networkx's dicts of dicts to arrays. All of it holds Python's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "module.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// Nodes that are integers and lie close together: node i is nodes[indices[i - first]], -1 where there is none.
struct IntegerNodes {
  std::int64_t first = 0;
  Buffer<std::int32_t> indices;
};

/// Nothing where a node is no int, or where they are far apart. O(nodes).
std::optional<IntegerNodes> integer_nodes(const nb::list& nodes);

/// Where nodes are in the list of them.
struct NodeIndices {
  std::int64_t first = 0;
  std::span<const std::int32_t> indices;
  nb::object by_node;  ///< a dict, or None where all nodes are in `indices`
};

/// Reads rows, a dict of neighbours for each node; nothing where one is no plain dict, or where by_node is needed and
/// None. Throws Python's RuntimeError where a neighbour is no node. O(nodes + edges).
std::optional<Rows> read_rows(const nb::list& rows, const NodeIndices& nodes);

/// Raises RuntimeError: the graph is not what it was.
[[noreturn]] void raise_changed(const char* when);

/// Weights that no search here would add up as networkx does.
struct Unsuitable {
  std::string reason;
};

/// A number as Python's int of at most 64 bits or float.
using Number = std::variant<std::int64_t, double>;

/// Reads the weights of edges, which are those of one attribute or 1.
class WeightReader {
 public:
  /// `parallel`: neighbours have a dict of edges each, of which the lightest counts.
  WeightReader(nb::object attribute, bool parallel) : attribute_(std::move(attribute)), parallel_(parallel) {}

  /// Throws Unsuitable unless it is an exact int of 64 bits or float.
  [[nodiscard]] Number weight_of(PyObject* edge) const;

 private:
  [[nodiscard]] Number of_attributes(PyObject* attributes) const;

  nb::object attribute_;
  bool parallel_;
};

/// Reads the weights of all entries of rows as an array of int64 or float64. Throws Unsuitable where they are of
/// several kinds. O(edges).
nb::object read_weights(const nb::list& rows, const WeightReader& reader);

/// Why numbers of several kinds are unsuitable.
std::string mixed_kinds(const std::string& one, const std::string& other);

}  // namespace breadth::python
