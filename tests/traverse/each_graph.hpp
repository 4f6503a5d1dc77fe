// Builds a list of edges as every kind of graph that searches on one rank accept.
#pragma once

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "graph/graph.hpp"
#include "support/edge_lists.hpp"
#include "support/oracle.hpp"

namespace breadth::test {

/// Calls body(oracle, graph) for the list's graph, undirected and directed, in plain and in compressed rows.
template <class Body>
void for_each_graph_of(const NamedEdges& list, const Context& context, Body&& body) {
  SCOPED_TRACE(list.name);
  for (const Directedness directedness : {Directedness::undirected, Directedness::directed}) {
    const Oracle oracle(list, directedness);
    for (const AdjacencyForm adjacency : {AdjacencyForm::rows, AdjacencyForm::compressed}) {
      const Graph graph =
          build_graph(part_of(list), {.directedness = directedness, .layout = {.adjacency = adjacency}}, context);
      body(oracle, graph);
    }
  }
}

}  // namespace breadth::test
