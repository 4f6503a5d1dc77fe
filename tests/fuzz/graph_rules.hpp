// Rules for every graph that was read from a file, and for every refusal to read one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/graph_file.hpp"
#include "target.hpp"

namespace breadth::fuzz {

/// The result of reading a file: a graph, or the message of an Error.
struct ReadResult {
  std::optional<GraphFile> graph;
  std::string refusal;
};

/// Reads a graph file. Throws BrokenRule for a refusal whose message does not name the file.
ReadResult read_or_refuse(const std::string& path, const ReadOptions& options, const Context& context);

/// The edges of a graph, for comparisons: names and the bits of weights.
struct Contents {
  std::vector<Edge> edges;
  std::vector<std::string> names;  ///< of source and target of each edge in turn, as a user writes them
  std::vector<std::uint32_t> weights;
  bool lengths = false;  ///< the graph has weights, and all are finite and at least 0
  bool finite = true;    ///< all weights, if any, are finite

  friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents_of(const GraphFile& graph, const Context& context);

/// Throws BrokenRule unless a graph that was read from the file is sound: its labels have names that rise strictly and
/// lead back to them, a copy in each format that can hold the graph has the same edges, and reading the file for
/// lengths succeeds exactly if all weights are lengths.
void check_graph(const GraphFile& graph, const Site& site);

}  // namespace breadth::fuzz
