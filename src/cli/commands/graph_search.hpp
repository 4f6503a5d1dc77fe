// What the searches on a user's own graph have in common, and the JSON of one.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/options/common_options.hpp"
#include "comm/context.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "graph500/report/report.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/output/table_output.hpp"

namespace breadth::cli {

// Searches.

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

// JSON.

/// What a search found, and how.
struct SearchFindings {
  SearchRecord record;  ///< its key and verification are not looked at
  std::uint64_t reached = 0;
  const LabelArray& parents;
  bool limited = false;                     ///< whether it was not to go as far as edges lead
  std::vector<Label> path = {};             ///< to the target; empty where there is none
  nlohmann::ordered_json measures = {};     ///< of this kind of search: its levels, how far the target is
  nlohmann::ordered_json options = {};      ///< that it was given
  std::optional<UsedProfile> profile = {};  ///< where some of them come from
  std::optional<DeviceChoice> device_choice = {};
};

/// What searches of all kinds found. One member after the other: where memory is missing in the middle of an
/// initializer of nested structures, GCC 12 destroys what is in the inner one twice.
template <class Result>
SearchFindings findings_of(const Result& result, const LabelArray& parents, const std::vector<Label>& path) {
  SearchFindings found{.record = {}, .parents = parents};
  found.record.seconds = result.seconds;
  found.record.levels = result.levels;
  found.record.leaves = result.leaves;
  found.record.settled = result.settled;
  found.record.device_seconds = result.device_seconds;
  found.reached = result.reached;
  found.path = path;
  return found;
}

/// All of it under the names of the benchmark's report (docs/reports.md). Edges are counted in a pass over the edge
/// list and make TEPS, unless the search was limited: then it did not look at all of those. Collective; throws
/// AgreedError when the edge list cannot be read.
nlohmann::ordered_json search_json(const GraphSearch& search, const SearchFindings& found, const Machine& machine,
                                   const Context& context);

}  // namespace breadth::cli
