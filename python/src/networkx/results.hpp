// Conversion of arrays to the lists and dicts that networkx returns. All functions are called with Python's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "module.hpp"

namespace breadth::python {

/// A list of the nodes with these indices.
nb::list names_of(const nb::list& nodes, std::span<const std::int32_t> indices);

/// A dict with the level of each node in `order`, which has them level by level (OrderedTree).
nb::dict level_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> begins);

/// A dict with a number for each node, in this order. The first `sources` nodes have the integer 0.
template <class Value>
nb::dict number_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const Value> numbers,
                     std::size_t sources);

/// A dict with the path to each node, in this order, from the node without a parent (-1) or, if `backwards`, to that
/// node. O(length of all paths).
nb::dict path_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int32_t> parents,
                   bool backwards);

/// A dict with a list of nodes for each node, in this order. The list of order[i] begins at lists[starts[i]].
nb::dict list_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> starts,
                   std::span<const std::int32_t> lists);

}  // namespace breadth::python
