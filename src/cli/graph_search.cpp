#include "cli/graph_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cli/graph_options.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "io/occurrence.hpp"

namespace breadth::cli {

namespace {
bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

/// Which labels of this rank's block are vertices of the file: all, or those that some tuple has.
Bitmap vertices_of(const GraphFile& file, const BlockDistribution& distribution, const Context& context) {
  if (!file.every_label_is_vertex) return occurring_labels(*file.edges, distribution, context);
  Bitmap all(distribution.count(context.ranks.rank()));
  for (std::size_t i = 0; i < all.size(); ++i) all.insert(i);
  return all;
}

/// What the file calls the labels, with spaces before each. The same labels on every rank; collective.
std::string names_text(const GraphFile& file, std::span<const Label> labels, const Communicator& ranks) {
  std::string text;
  if (file.names.kind() == NameKind::range) {
    for (const Label label : labels) text += fmt::format(" {}", file.names.first() + label.value);
    return text;
  }
  const NameList names = file.names.names_of(labels, ranks);
  for (std::size_t i = 0; i < names.size(); ++i) text += fmt::format(" {}", displayed(file.names.kind(), names[i]));
  return text;
}

/// The parent of any label, on every rank. Collective.
Label parent_of(Label label, const LabelArray& parents, const BlockDistribution& distribution,
                const Communicator& ranks) {
  const int owner = distribution.owner(label);
  std::int64_t parent = 0;
  if (owner == ranks.rank()) parent = parents[distribution.offset(label, owner)].value;
  ranks.broadcast(std::span(&parent, 1), owner);
  return Label{parent};
}
}  // namespace

void add_graph_search_options(OptionSet& options, GraphSearchSettings& settings, const std::string& columns) {
  options.add_argument("graph", settings.graph, {.meaning = "the graph", .required = true});
  options.add_text("source", settings.source, "a vertex as the file names it",
                   {.meaning = "where the search starts", .required = true});
  options.add_text("target", settings.target, "a vertex as the file names it",
                   {.meaning = "print a shortest path to this vertex"});
  options.add_flag("directed", settings.directed, {.meaning = "edges lead from the first column to the second only"});
  options.add_text("output", settings.output, "a file that ends in .npy or .txt",
                   {.meaning = "write " + columns + " of every vertex"});
}

void check_graph_search(const GraphSearchSettings& settings) {
  (void)input_kind(settings.graph);
  keep_input(settings.graph, settings.output);
  if (!settings.output.empty() && !is_npy(settings.output) && !settings.output.ends_with(".txt")) {
    fail<UsageError>("--output {}: its name must end in .npy or .txt", settings.output);
  }
}

ResultFiles::ResultFiles(const std::string& path, const Communicator& ranks) : ranks_(ranks) {
  if (!path.empty()) table_.emplace(path, ranks);
}

void ResultFiles::add_labels(NameKind names) {
  if (table_ && is_npy(table_->path())) labels_.emplace(labels_path(table_->path(), names), ranks_);
}

void ResultFiles::write(const Table& content, const Context& context) {
  if (!table_) return;
  if (labels_) {
    write_table_npy(*table_, content, context);
    write_labels(*labels_, content, context);
    labels_->commit();
  } else {
    write_table_text(*table_, content, context);
  }
  table_->commit();
}

GraphSearch::GraphSearch(const GraphSearchSettings& settings, std::size_t summary, WeightUse weights,
                         const Context& context)
    : context_(context), files_(settings.output, context.ranks) {
  Stopwatch stopwatch;
  file_ = read_fitting_graph(settings.graph, settings.layout, summary, weights, context);
  reading_seconds_ = stopwatch.lap();
  files_.add_labels(file_.names.kind());
  source_ = require_vertex(file_, settings.source, context);
  if (!settings.target.empty()) target_ = require_vertex(file_, settings.target, context);
  stopwatch = Stopwatch();
  graph_.emplace(build_file_graph(file_, directedness_of(file_, settings.directed), settings.layout, context));
  construction_seconds_ = stopwatch.lap();
  vertices_ = vertices_of(file_, graph_->distribution(), context);
}

std::uint64_t GraphSearch::vertex_count() const {
  std::uint64_t here = 0;
  for (const std::uint64_t word : vertices_.words()) here += static_cast<std::uint64_t>(std::popcount(word));
  return context_.ranks.all_reduce(here, Reduction::sum);
}

std::string GraphSearch::times_text() const {
  return fmt::format("construction_seconds: {:.6g}\nreading_seconds: {:.6g}\n", construction_seconds_,
                     reading_seconds_);
}

std::vector<Label> GraphSearch::path(const LabelArray& parents) const {
  std::vector<Label> path{target_};
  while (true) {
    const Label parent = parent_of(path.back(), parents, graph_->distribution(), context_.ranks);
    if (parent == no_label) return {};
    if (parent == path.back()) break;
    path.push_back(parent);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::string GraphSearch::path_text(const std::vector<Label>& path) const {
  return fmt::format("path:{}\n", names_text(file_, path, context_.ranks));
}

void GraphSearch::write(const std::vector<TableColumn>& columns) {
  files_.write({file_.names, graph_->distribution(), columns, &vertices_}, context_);
}

}  // namespace breadth::cli
