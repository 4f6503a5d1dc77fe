// The contents of one rank's part of a graph, for searches, which read its rows. Other code uses Graph only.
#pragma once

#include <cstdint>
#include <variant>

#include "core/errors.hpp"
#include "graph/adjacency.hpp"
#include "graph/forms/compressed_adjacency.hpp"
#include "graph/forms/paper_adjacencies.hpp"
#include "graph/graph.hpp"
#include "graph/partition.hpp"

namespace breadth {

/// An adjacency of any form and width.
using AnyAdjacencies = std::variant<
    Adjacencies<std::uint32_t>, Adjacencies<std::uint64_t>, IndexedAdjacencies<CompressedAdjacency<std::uint32_t>>,
    IndexedAdjacencies<CompressedAdjacency<std::uint64_t>>, ScannedAdjacencies<EdgePairs<std::uint32_t>>,
    ScannedAdjacencies<EdgePairs<std::uint64_t>>, ScannedAdjacencies<SkipList<std::uint32_t>>,
    ScannedAdjacencies<SkipList<std::uint64_t>>, ScannedAdjacencies<IndexedSkipList<std::uint32_t>>,
    ScannedAdjacencies<IndexedSkipList<std::uint64_t>>, GridAdjacencies<std::uint32_t>, GridAdjacencies<std::uint64_t>>;

struct GraphContents {
  Partition partition;
  LabelLookup labels;
  AnyAdjacencies adjacencies;
};

/// Calls body(adjacencies) with the IndexedAdjacencies of the graph. Throws Error if the graph is not in rows.
template <class Body>
void visit_rows(const Graph& graph, Body&& body) {
  std::visit(
      [&]<class Any>(const Any& adjacencies) {
        if constexpr (requires { adjacencies.push_rows(); }) {
          body(adjacencies);
        } else {
          fail("this needs rows, in which the neighbours of any vertex can be looked up: adjacency rows or compressed");
        }
      },
      graph.contents().adjacencies);
}

/// Calls body(rows) with the plain rows along the edges of the graph. Throws an Exception with the message `otherwise`
/// if the graph has another adjacency.
template <class Exception = Error, class Body>
void visit_plain_rows(const Graph& graph, const char* otherwise, Body&& body) {
  std::visit(
      [&]<class Any>(const Any& adjacencies) {
        if constexpr (requires { adjacencies.push_rows().offsets; }) {
          body(adjacencies.push_rows());
        } else {
          fail<Exception>("{}", otherwise);
        }
      },
      graph.contents().adjacencies);
}

}  // namespace breadth
