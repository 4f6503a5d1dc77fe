// The benchmark's own graphs as edge lists to test with.
#pragma once

#include <fmt/format.h>

#include "generate/generators.hpp"
#include "support/edge_lists.hpp"

namespace breadth::test {

inline NamedEdges kronecker_edges(const Kronecker& kronecker) {
  NamedEdges list{.name = fmt::format("Kronecker scale {} edgefactor {}", kronecker.parameters().scale,
                                      kronecker.parameters().edgefactor)};
  list.edges.assign(kronecker.edge_count(), Edge{no_label, no_label});
  kronecker.generate(0, list.edges, {});
  return list;
}

}  // namespace breadth::test
