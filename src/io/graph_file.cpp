#include "io/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "io/binary/breadth_file.hpp"
#include "io/binary/lengths.hpp"
#include "io/binary/packed_file.hpp"
#include "io/names/name_exchange.hpp"
#include "io/names/near_name.hpp"
#include "io/names/occurrence.hpp"
#include "io/text/text_file.hpp"

namespace breadth {

namespace {
[[noreturn]] void fail_for_word(const GraphFile& graph, std::string_view text) {
  throw AgreedError(
      fmt::format("vertex {} is not in '{}', whose vertices are called by integers", quoted(text), graph.path));
}

/// A label that is not among those of the edges.
[[noreturn]] void fail_for_label(const GraphFile& graph, std::int64_t name, const Occurrence& labels) {
  const std::int64_t first = graph.names.first();
  std::string message = fmt::format("vertex {} is not in '{}'; its vertices run from {} to {}", name, graph.path,
                                    labels.smallest.value + first, labels.largest.value + first);
  if (labels.below != no_label && labels.above != no_label) {
    message += fmt::format(", and the nearest are {} and {}", labels.below.value + first, labels.above.value + first);
  }
  throw AgreedError(message);
}

/// A name that a dictionary does not have, or one beyond the rows of a matrix.
[[noreturn]] void fail_for_name(const GraphFile& graph, std::string_view text, const Context& context) {
  if (graph.names.kind() == NameKind::range) {
    throw AgreedError(fmt::format("vertex {} is not in '{}'; its vertices run from {} to {}", text, graph.path,
                                  graph.names.first(),
                                  graph.names.first() + static_cast<std::int64_t>(graph.names.count()) - 1));
  }
  const NearNames near = find_near_names(graph.names, text, context.ranks);
  std::string message = fmt::format("vertex {} is not in '{}'; its vertices run from {} to {}", quoted(text),
                                    graph.path, quoted(near.first), quoted(near.last));
  if (!near.nearest.empty()) message += fmt::format(". Did you mean {}?", quoted(near.nearest));
  throw AgreedError(message);
}
}  // namespace

namespace {
GraphFile read_any(const std::string& path, const ReadOptions& options, const Context& context) {
  const FileKind kind = run_together(context.ranks, [&] { return file_kind(path); });
  switch (kind.format) {
    case GraphFormat::text:
    case GraphFormat::matrix_market: return read_text(path, kind, options, context);
    case GraphFormat::packed: return read_packed(path, context);
    case GraphFormat::breadth: return read_breadth(path, options, context);
  }
  fail("unknown format");
}
}  // namespace

GraphFile read_graph(const std::string& path, const ReadOptions& options, const Context& context) {
  const Phase phase(context.ranks, "reading the graph");
  GraphFile graph = read_any(path, options, context);
  if (options.weights == WeightUse::lengths) require_lengths(graph, context);
  return graph;
}

Label require_vertex(const GraphFile& graph, std::string_view text, const Context& context) {
  const bool integers = graph.names.kind() != NameKind::strings;
  const std::optional<std::int64_t> integer = parse_integer(text);
  if (integers && !integer) fail_for_word(graph, text);
  const std::optional<Label> label = graph.names.find(text, context.ranks);
  if (graph.every_label_is_vertex || graph.names.kind() != NameKind::range) {
    if (!label) fail_for_name(graph, text, context);
    return *label;
  }
  const std::int64_t beyond = *integer < graph.names.first() ? -1 : label_bound;
  const Occurrence found = find_occurrence(*graph.edges, label.value_or(Label{beyond}), context);
  if (!label || !found.found) fail_for_label(graph, *integer, found);
  return *label;
}

}  // namespace breadth
