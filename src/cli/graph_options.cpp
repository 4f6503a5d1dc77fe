#include "cli/graph_options.hpp"

#include <algorithm>

#include "cli/memory_check.hpp"
#include "core/errors.hpp"

namespace breadth::cli {

FileKind graph_kind(const std::string& path) {
  try {
    return file_kind(path);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

GraphFile read_fitting_graph(const std::string& path, const Context& context) {
  GraphFile file = read_graph(path, {}, context);
  // Text is in memory by now, other files stay where they are: either way its list takes nothing more. Where every
  // possible label has a name, as in a packed file, names are no measure of how many there are.
  const bool names_say = file.names.count() < static_cast<std::uint64_t>(label_bound);
  const std::uint64_t labels = names_say ? file.names.count() : discover_vertex_count(*file.edges, context);
  const GraphSize size{.labels = labels,
                       .tuples = file.edge_count,
                       .connected_vertices = std::min(labels, 2 * file.edge_count),
                       .edges = file.edge_count,
                       .weighted = file.weighted,
                       .directed = file.directedness == Directedness::directed};
  require_memory(predict_memory(size, context.ranks.size(), context.threads.size(), false), context.ranks);
  return file;
}

Directedness directedness_of(const GraphFile& file, bool directed) {
  return directed ? Directedness::directed : file.directedness.value_or(Directedness::undirected);
}

Graph build_file_graph(const GraphFile& file, Directedness directedness, const Context& context) {
  return build_graph(
      *file.edges,
      {.directedness = directedness, .least_vertex_count = file.every_label_is_vertex ? file.names.count() : 0},
      context);
}

}  // namespace breadth::cli
