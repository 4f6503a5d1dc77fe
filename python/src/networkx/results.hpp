// From arrays to the lists and dicts that networkx returns. All of it holds Python's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "module.hpp"

namespace breadth::python {

/// Some of the nodes, as a list.
nb::list names_of(const nb::list& nodes, std::span<const std::int32_t> indices);

/// The level of each node, of those that are level by level in `order` (OrderedTree).
nb::dict level_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> begins);

/// A number for each node in this order; the first `sources` of them have the integer 0.
template <class Value>
nb::dict number_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const Value> numbers,
                     std::size_t sources);

/// The path to each node in this order, from the one that has no parent (-1); where `backwards`, to that one. O(length
/// of all paths).
nb::dict path_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int32_t> parents,
                   bool backwards);

/// A list of nodes for each node in this order: those of order[i] are lists[starts[i]] …
nb::dict list_dict(const nb::list& nodes, std::span<const std::int32_t> order, std::span<const std::int64_t> starts,
                   std::span<const std::int32_t> lists);

}  // namespace breadth::python
