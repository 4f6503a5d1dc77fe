// What the searches on a user's own graph have in common, and the JSON of one.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/device_choice.hpp"
#include "cli/options/common_options.hpp"
#include "cli/options/device_option.hpp"
#include "cli/running.hpp"
#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "graph/graph.hpp"
#include "graph500/report/report.hpp"
#include "graph500/searches.hpp"
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
  std::vector<std::string> idle_on_one_rank;  ///< options that got a value
};

/// The graph, --source, --target, --directed, --json and --output, which writes `columns` of every vertex.
void add_graph_search_options(OptionSet& options, GraphSearchSettings& settings, const std::string& columns);
/// Throws UsageError for names of files that say nothing. Notes which options are idle on one rank.
void check_graph_search(const OptionSet& options, GraphSearchSettings& settings);

/// As check_device (cli/options/device_option.hpp), also for a graph that only processors search.
void check_search_device(const OptionSet& options, DeviceSettings& device, const GraphSearchSettings& settings);

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
  found.record = record_of(result);
  found.reached = result.reached;
  found.path = path;
  return found;
}

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

  /// A Search with these options on the device that was settled; where auto took that and it has no room, on
  /// processors. Says what auto took.
  template <class Search, class Options>
  std::unique_ptr<Search> prepare(SettledDevice& settled, Options& options) const {
    std::unique_ptr<Search> search;
    make_search(settled, [&](Device device) {
      options.device.kind = device;
      search = std::make_unique<Search>(*graph_, options, context_);
    });
    print_choice(settled.choice, context_.ranks);
    return search;
  }

  /// The way to the target, both ends in it; empty where there is none, or no target.
  [[nodiscard]] std::vector<Label> path(const LabelArray& parents) const;
  /// "path: a b c", as the file names them.
  [[nodiscard]] std::string path_text(const std::vector<Label>& path) const;
  /// The lines about any search, `measure` of this kind among them, and how long it took to get here.
  [[nodiscard]] std::string text(const SearchFindings& found, const std::string& measure) const;

  /// Writes --output, the lines `text` and --json, as far as these are asked for. JSON has all of it under the names of
  /// the benchmark's report (docs/reports.md). Edges are counted for it in a pass over the edge list and make TEPS,
  /// unless the search was limited: then it did not look at all of those. Throws AgreedError when the edge list cannot
  /// be read.
  void write(ResultOutput& output, const std::string& text, const SearchFindings& found, const Placement& placement,
             const std::vector<TableColumn>& columns);

 private:
  /// How many vertices the file has, on all ranks.
  [[nodiscard]] std::uint64_t vertex_count() const;
  [[nodiscard]] nlohmann::ordered_json json(const SearchFindings& found, const Machine& machine) const;
  /// An array of what the file calls these labels: numbers where its names are.
  [[nodiscard]] nlohmann::ordered_json names_json(std::span<const Label> labels) const;

  const GraphSearchSettings& settings_;
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
