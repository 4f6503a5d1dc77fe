#include "io/graph_output.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/text.hpp"
#include "io/binary/breadth_file.hpp"
#include "io/binary/packed_file.hpp"
#include "io/files/output_file.hpp"
#include "io/names/occurrence.hpp"

namespace breadth {

namespace {
FileKind writable_kind(const std::string& path) {
  const FileKind kind = file_kind(path);
  if (kind.compression != Compression::none) fail("cannot write '{}': Breadth does not write compressed files", path);
  return kind;
}

/// Whether a Matrix Market file of a graph has an entry for one direction only: the lower triangle.
bool symmetric(const GraphFile& graph) { return graph.directedness != Directedness::directed; }

std::string matrix_market_head(const GraphFile& graph, std::uint64_t vertices) {
  return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n", graph.weighted ? "real" : "pattern",
                     symmetric(graph) ? "symmetric" : "general", vertices, vertices, graph.edge_count);
}

struct EdgeBlock {
  std::vector<Edge> edges;
  std::vector<float> weights;
};

EdgeBlock read_block(const GraphFile& graph, std::uint64_t first, std::uint64_t last) {
  EdgeBlock block{std::vector<Edge>(last - first, Edge{no_label, no_label}),
                  std::vector<float>(graph.weighted ? last - first : 0)};
  graph.edges->read(first, block.edges, block.weights);
  require_labels_below(*graph.edges, block.edges, graph.names.count());
  graph.edges->check_unchanged();
  return block;
}

void append_weight(const EdgeBlock& block, std::size_t i, std::string& text) {
  if (!block.weights.empty()) append(text, " {}", block.weights[i]);
  text += '\n';
}

/// Lines with names that are a fixed distance from labels.
std::string integer_lines(const EdgeBlock& block, std::int64_t first_name, bool lower_triangle, ThreadTeam& threads) {
  return make_lines(threads, block.edges.size(), [&](std::size_t i, std::string& text) {
    Edge edge = block.edges[i];
    if (lower_triangle && edge.source < edge.target) std::swap(edge.source, edge.target);
    append(text, "{} {}", edge.source.value + first_name, edge.target.value + first_name);
    append_weight(block, i, text);
  });
}

/// Lines with names from a dictionary, source and target of each edge in turn.
std::string named_lines(const EdgeBlock& block, NameKind kind, const NameList& names, ThreadTeam& threads) {
  return make_lines(threads, block.edges.size(), [&](std::size_t i, std::string& text) {
    text += displayed(kind, names[2 * i]);
    text += ' ';
    text += displayed(kind, names[2 * i + 1]);
    append_weight(block, i, text);
  });
}

void write_text(const SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  const bool stored = graph.names.kind() != NameKind::range;
  write_lines(file, "", graph.edges->size(), [&](std::uint64_t first, std::uint64_t last) {
    const EdgeBlock block = run_together(context.ranks, [&] { return read_block(graph, first, last); });
    if (!stored) return integer_lines(block, graph.names.first(), false, context.threads);
    std::vector<Label> labels;
    for (const Edge& edge : block.edges) labels.insert(labels.end(), {edge.source, edge.target});
    return named_lines(block, graph.names.kind(), graph.names.names_of(labels, context.ranks), context.threads);
  });
}

void write_matrix_market(const SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  if (graph.names.kind() != NameKind::range) {
    throw AgreedError(fmt::format("'{}' cannot hold the names of '{}': Matrix Market files know numbers from 1 on only",
                                  file.path(), graph.path));
  }
  const std::uint64_t vertices =
      graph.every_label_is_vertex
          ? graph.names.count()
          : static_cast<std::uint64_t>(find_occurrence(*graph.edges, no_label, context).largest.value) + 1;
  write_lines(file, matrix_market_head(graph, vertices), graph.edges->size(),
              [&](std::uint64_t first, std::uint64_t last) {
                const EdgeBlock block = run_together(context.ranks, [&] { return read_block(graph, first, last); });
                return integer_lines(block, 1, symmetric(graph), context.threads);
              });
}

void write_packed(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  if (graph.names.kind() != NameKind::range) {
    throw AgreedError(
        fmt::format("'{}' cannot hold the names of '{}': packed files know numbers from 0 on only; a "
                    ".breadth file keeps them",
                    file.path(), graph.path));
  }
  std::optional<SharedOutputFile> weights;
  if (graph.weighted) {
    weights.emplace(weights_path(file.path()), context.ranks);
    write_packed_weights(*weights, 0, *graph.edges, context);
  }
  write_packed_edges(file, 0, *graph.edges, context);
  file.sync();
  if (weights) {
    weights->commit();
    return;
  }
  run_together(context.ranks, [&] {  // an older file's weights would be taken for this one's
    if (context.ranks.rank() == 0) std::filesystem::remove(weights_path(file.path()));
  });
}
}  // namespace

GraphOutput::GraphOutput(const std::string& path, const Communicator& ranks)
    : kind_(run_together(ranks, [&] { return writable_kind(path); })), file_(path, ranks) {}

void GraphOutput::write(const GraphFile& graph, const Context& context) {
  switch (kind_.format) {
    case GraphFormat::text: write_text(file_, graph, context); break;
    case GraphFormat::matrix_market: write_matrix_market(file_, graph, context); break;
    case GraphFormat::packed: write_packed(file_, graph, context); break;
    case GraphFormat::breadth: write_breadth(file_, graph, context); break;
  }
  file_.commit();
}

}  // namespace breadth
