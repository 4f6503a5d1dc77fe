// What the searches on a user's own graph have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "comm/context.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/output/table_output.hpp"

namespace breadth::cli {

/// What they are asked.
struct GraphSearchSettings {
  CommonSettings common;
  GraphLayout layout = {};
  std::string graph;
  std::string source;
  std::string target;
  std::string output;
  std::string json;
  bool directed = false;
};

/// The graph, --source, --target, --directed, --json and --output, which writes `columns` of every vertex.
void add_graph_search_options(OptionSet& options, GraphSearchSettings& settings, const std::string& columns);
/// Throws UsageError for names of files that say nothing.
void check_graph_search(const GraphSearchSettings& settings);

/// The files of --output, each found writable as early as its name is known.
class ResultFiles {
 public:
  ResultFiles(const std::string& path, const Communicator& ranks);
  /// The labels' file beside an .npy: its name depends on what the names are.
  void add_labels(NameKind names);
  /// Where an .npy is replaced whose labels were of the other kind, their file goes.
  void write(const Table& content, const Context& context);

 private:
  const Communicator& ranks_;
  std::optional<SharedOutputFile> table_;
  std::optional<SharedOutputFile> labels_;
  std::string old_labels_;  ///< of the .npy that will be replaced; on the first rank, empty where there are none
};

/// A graph that was read and built, and the vertices to search from and for. Collective throughout.
class GraphSearch {
 public:
  /// Everything that can fail does so here. Searches keep such a summary of the frontier (BfsOptions::summary).
  /// Settings and context outlive it. Throws AgreedError.
  GraphSearch(const GraphSearchSettings& settings, std::size_t summary, WeightUse weights, const Context& context);

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  [[nodiscard]] const GraphFile& file() const { return file_; }
  [[nodiscard]] Label source() const { return source_; }
  /// no_label where none was given.
  [[nodiscard]] Label target() const { return target_; }

  /// How many vertices the file has, on all ranks.
  [[nodiscard]] std::uint64_t vertex_count() const;
  [[nodiscard]] double reading_seconds() const { return reading_seconds_; }
  [[nodiscard]] double construction_seconds() const { return construction_seconds_; }
  /// The lines about how long it took to get here.
  [[nodiscard]] std::string times_text() const;
  /// The way to the target, both ends in it; empty where there is none, or no target.
  [[nodiscard]] std::vector<Label> path(const LabelArray& parents) const;
  /// What the file calls these labels, the same on every rank.
  [[nodiscard]] std::vector<std::string> names(std::span<const Label> labels) const;
  /// "path: a b c", by these names.
  [[nodiscard]] std::string path_text(const std::vector<Label>& path) const;
  /// An array of them: numbers where the file's names are.
  [[nodiscard]] nlohmann::ordered_json names_json(std::span<const Label> labels) const;
  /// The file, and how large the graph is.
  [[nodiscard]] nlohmann::ordered_json graph_json() const;
  /// Writes --output, if asked for.
  void write(const std::vector<TableColumn>& columns);

 private:
  const Context& context_;
  ResultFiles files_;
  double reading_seconds_ = 0;
  double construction_seconds_ = 0;
  GraphFile file_;
  Label source_ = no_label;
  Label target_ = no_label;
  std::optional<Graph> graph_;
  Bitmap vertices_;  ///< labels of this rank's block that are vertices of the file
};

}  // namespace breadth::cli
