#include "io/graph_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/phase.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "io/files/input_file.hpp"
#include "io/files/line_parser.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

// Rules for weights.

namespace {
/// An edge whose weight is rejected, with its index in the whole file.
struct UnfitEdge {
  std::uint64_t index = std::numeric_limits<std::uint64_t>::max();  ///< the maximum if there is no such edge
  std::int64_t source = 0;
  std::int64_t target = 0;
  float weight = 0;
};

/// The first such edge on this rank, whose edges begin at index `before` in the file.
UnfitEdge first_on_rank(const EdgeList& edges, std::uint64_t before, const WeightRule& rule, ThreadTeam& threads) {
  std::atomic<std::uint64_t> first{edges.size()};
  parallel_blocks(threads, edges.size(), edge_block_size, [&](IndexRange range, int) {
    if (range.begin >= first.load(std::memory_order_relaxed)) return;
    const std::vector<float> weights = EdgeBlock(edges, range.begin, range.size(), true).weights;
    const auto bad = std::ranges::find_if_not(weights, rule.takes);
    if (bad == weights.end()) return;
    lower(first, range.begin + static_cast<std::uint64_t>(bad - weights.begin()));
  });
  edges.check_unchanged();
  if (first == edges.size()) return {};
  const EdgeBlock found(edges, first, 1, true);
  const auto [source, target] = found.edges.front();
  return {before + first, source.value, target.value, found.weights.front()};
}

/// The ends of an edge by the file's names: "from 3 to 7". Collective.
std::string ends_text(const VertexNames& names, const UnfitEdge& edge, const Communicator& ranks) {
  const std::array ends{Label{edge.source}, Label{edge.target}};
  const std::vector<std::string> found = names.displayed_names(ends, ranks);
  return fmt::format("from {} to {}", found[0], found[1]);
}
}  // namespace

void require_weights(const GraphFile& graph, const WeightRule& rule, const Context& context) {
  const std::uint64_t before = context.ranks.sum_before(graph.edges->size());
  const UnfitEdge mine =
      run_together(context.ranks, [&] { return first_on_rank(*graph.edges, before, rule, context.threads); });
  const std::vector<UnfitEdge> all = context.ranks.all_gather(mine);
  const UnfitEdge& first = *std::ranges::min_element(all, {}, &UnfitEdge::index);
  if (first.index == UnfitEdge{}.index) return;
  fail<AgreedError>("'{}': edge {}, {}, has weight {}; {}", graph.path, first.index + 1,
                    ends_text(graph.names, first, context.ranks), first.weight, rule.who_needs_what);
}

namespace {
constexpr WeightRule lengths{[](float weight) { return weight >= 0 && std::isfinite(weight); },
                             "shortest paths need finite weights of at least 0"};

void require_lengths(const GraphFile& graph, const Context& context) {
  if (!graph.weighted) {
    const std::string change = fmt::format(fmt::runtime(graph.kind.format->missing_weights), graph.path);
    fail<AgreedError>("'{}' has no weights, which shortest paths need: {}", graph.path, change);
  }
  // Weights of text files were checked when each line was parsed.
  if (!graph.kind.is_text()) require_weights(graph, lengths, context);
}

[[noreturn]] void fail_for_word(const GraphFile& graph, std::string_view text) {
  fail<AgreedError>("vertex {} is not in '{}', whose vertices are integers", quoted(text), graph.path);
}

/// Reports a label that no edge has.
[[noreturn]] void fail_for_label(const GraphFile& graph, std::int64_t name, const Occurrence& labels) {
  const std::int64_t first = graph.names.first();
  std::string message = fmt::format("vertex {} is not in '{}'; its vertices run from {} to {}", name, graph.path,
                                    labels.smallest.value + first, labels.largest.value + first);
  if (labels.below != no_label && labels.above != no_label) {
    message += fmt::format(", and the nearest are {} and {}", labels.below.value + first, labels.above.value + first);
  }
  throw AgreedError(message);
}

/// Reports a name that is not in the dictionary, or that is beyond the rows of a matrix.
[[noreturn]] void fail_for_name(const GraphFile& graph, std::string_view text, const Context& context) {
  if (graph.names.kind() == NameKind::range) {
    fail<AgreedError>("vertex {} is not in '{}'; its vertices run from {} to {}", text, graph.path, graph.names.first(),
                      graph.names.first() + static_cast<std::int64_t>(graph.names.count()) - 1);
  }
  const NearNames near = find_near_names(graph.names, text, context.ranks);
  std::string message = fmt::format("vertex {} is not in '{}'; its vertices run from {} to {}", quoted(text),
                                    graph.path, quoted(near.first), quoted(near.last));
  if (!near.nearest.empty()) message += fmt::format(". Did you mean {}?", quoted(near.nearest));
  throw AgreedError(message);
}
}  // namespace

GraphFile read_graph(const std::string& path, const ReadOptions& options, const Context& context) {
  const Phase phase(context.ranks, "reading the graph");
  const FileKind kind = run_together(context.ranks, [&] { return file_kind(path); });
  if (kind.compression == Compression::none) require_same_file(path, context.ranks);  // else rank 0 alone reads it
  GraphFile graph = kind.format->read(path, kind, options, context);
  const bool needed = options.weights == WeightUse::lengths;
  if (needed || (options.weights == WeightUse::lengths_if_any && graph.weighted)) require_lengths(graph, context);
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

// Writing.

namespace {
FileKind writable_kind(const std::string& path) {
  const FileKind kind = file_kind(path);
  if (kind.compression != Compression::none) fail("cannot write '{}': Breadth does not write compressed files", path);
  return kind;
}
}  // namespace

void require_fits(const GraphFormat& format, const std::string& path, const GraphFile& graph, const Context& context) {
  if (format.first_number && graph.names.kind() != NameKind::range) {
    fail<AgreedError>(
        "'{}' cannot hold the names of '{}': {} files have only numbers from {} on; a .breadth file keeps names", path,
        graph.path, format.name, *format.first_number);
  }
  if (format.directions == Directions::undirected && graph.directedness == Directedness::directed) {
    fail<AgreedError>("'{}' cannot hold directed edges: {} files are undirected; a .breadth file keeps them", path,
                      format.name);
  }
  if (format.weights != nullptr && graph.weighted) require_weights(graph, *format.weights, context);
}

GraphOutput::GraphOutput(const std::string& path, const Communicator& ranks)
    : kind_(run_together(ranks, [&] { return writable_kind(path); })),
      file_(std::make_unique<SharedOutputFile>(path, ranks)) {}

GraphOutput::~GraphOutput() = default;

void GraphOutput::write(const GraphFile& graph, const Context& context) {
  require_fits(*kind_.format, file_->path(), graph, context);
  kind_.format->write(*file_, graph, context);
  file_->sync();
  context.threads.checkpoint();  // the last checkpoint: after it the file is replaced
  file_->commit();
}

}  // namespace breadth
