// What holds for every graph that was read from a file, and for every refusal to read one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/graph_file.hpp"
#include "target.hpp"

namespace breadth::fuzz {

/// What reading a file gave: a graph, or the message of an Error.
struct ReadResult {
  std::optional<GraphFile> graph;
  std::string refusal;
};

/// Reads a graph file. Throws BrokenRule for a refusal whose message does not name the file.
ReadResult read_or_refuse(const std::string& path, const ReadOptions& options, const Context& context);

/// The edges of a graph, to compare: names and the bits of weights.
struct Contents {
  std::vector<Edge> edges;
  std::vector<std::string> names;  ///< of source and target of each edge in turn, as a user writes them
  std::vector<std::uint32_t> weights;
  bool lengths = false;  ///< there are weights, and all are finite and at least 0
  bool finite = true;    ///< the weights that there are

  friend bool operator==(const Contents&, const Contents&) = default;
};
Contents contents_of(const GraphFile& graph, const Context& context);

/// Throws BrokenRule unless a graph that was read from the file is sound: its labels have names that rise strictly and
/// lead back to them, the same edges come back from a copy in each format that can hold them, and it is read for its
/// lengths where all weights are lengths and nowhere else.
void check_graph(const GraphFile& graph, const Site& site);

}  // namespace breadth::fuzz
