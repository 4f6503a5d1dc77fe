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
  // Text is in memory by now, files of Breadth stay where they are: either way its list takes nothing more. The names
  // of a packed file are no measure of its labels.
  const std::uint64_t most_vertices = 2 * file.edge_count;
  const std::uint64_t labels =
      file.names.count() < static_cast<std::uint64_t>(label_bound) ? file.names.count() : most_vertices;
  const GraphSize size{.labels = labels,
                       .tuples = file.edge_count,
                       .connected_vertices = std::min(labels, most_vertices),
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
