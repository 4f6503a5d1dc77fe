// Conversion of networkx's dicts of dicts to arrays. All functions are called with Python's lock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "module.hpp"
#include "networkx/rows.hpp"

namespace breadth::python {

/// Nodes that are integers close together. The node i is nodes[indices[i - first]]; the index is -1 if there is none.
struct IntegerNodes {
  std::int64_t first = 0;
  Buffer<std::int32_t> indices;
};

/// Finds the indices of nodes; nothing if a node is not an int, or if nodes are far apart. O(nodes).
std::optional<IntegerNodes> integer_nodes(const nb::list& nodes);

/// The indices of nodes in their list.
struct NodeIndices {
  std::int64_t first = 0;
  std::span<const std::int32_t> indices;
  nb::object by_node;  ///< a dict, or None if all nodes are in `indices`
};

/// Reads rows, a dict of neighbours for each node; nothing if one is not a plain dict, or if by_node is needed and
/// None. Throws Python's RuntimeError for a neighbour that is not a node. O(nodes + edges).
std::optional<Rows> read_rows(const nb::list& rows, const NodeIndices& nodes);

/// Raises RuntimeError, because the graph has changed.
[[noreturn]] void raise_changed(const char* when);

/// Thrown for weights whose sums would differ from networkx's in a search here.
struct Unsuitable {
  std::string reason;
};

/// A Python int of at most 64 bits, or a float.
using Number = std::variant<std::int64_t, double>;

/// Reads the weights of edges: the values of an attribute, or 1 for edges without it.
class WeightReader {
 public:
  /// `parallel`: whether each neighbour has a dict of edges, of which the lightest counts.
  WeightReader(nb::object attribute, bool parallel) : attribute_(std::move(attribute)), parallel_(parallel) {}

  /// The weight of an edge. Throws Unsuitable unless it is exactly an int of 64 bits or a float.
  [[nodiscard]] Number weight_of(PyObject* edge) const;

 private:
  [[nodiscard]] Number of_attributes(PyObject* attributes) const;

  nb::object attribute_;
  bool parallel_;
};

/// Reads the weights of all entries of rows as an array of int64 or float64. Throws Unsuitable for weights of several
/// types. O(edges).
nb::object read_weights(const nb::list& rows, const WeightReader& reader);

/// The reason why numbers of several types are unsuitable.
std::string mixed_kinds(const std::string& one, const std::string& other);

}  // namespace breadth::python
