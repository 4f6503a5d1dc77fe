// The common parts of commands on a user's own graph: reading and building it, searches from a vertex, and results.
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
#include "validate/tree_levels.hpp"

namespace breadth::cli {

/// The settings of a command on a graph file.
struct UserGraphSettings {
  CommonSettings common;
  GraphLayout layout = {};
  std::string graph;
  std::string output;
  std::string json;
  bool directed = false;
};

/// The settings of a search from a vertex.
struct GraphSearchSettings : UserGraphSettings {
  std::string source;
  std::string target;
  std::vector<std::string> idle_on_one_rank;  ///< options that were given
};

/// Adds the graph file.
void add_graph_option(OptionSet& options, UserGraphSettings& settings);
/// Adds --json and --output, which writes `columns` of every vertex.
void add_output_options(OptionSet& options, UserGraphSettings& settings, const std::string& columns);
/// Throws UsageError for file names with unknown endings.
void check_user_graph(const UserGraphSettings& settings);

/// Adds the options of all searches: the graph file, --source, --target, --directed, --json and --output.
void add_graph_search_options(OptionSet& options, GraphSearchSettings& settings, const std::string& columns);
/// Does the checks of check_user_graph(). Records which options have no effect on one rank.
void check_graph_search(const OptionSet& options, GraphSearchSettings& settings);

/// Does the check of check_device (cli/options/device_option.hpp), also for graphs that only processors search.
void check_search_device(const OptionSet& options, DeviceSettings& device, const GraphSearchSettings& settings);

/// The files of --output. Each is checked for writability as soon as its name is known.
class ResultFiles {
 public:
  ResultFiles(const std::string& path, const Communicator& ranks);
  /// Adds the file of labels beside an .npy file; its name depends on the kind of names.
  void add_labels(NameKind names);
  /// Writes the files. If they replace an .npy file whose labels file had the other name, the old labels file is
  /// removed.
  void write(const Table& content, const Context& context);

 private:
  const Communicator& ranks_;
  std::optional<SharedOutputFile> table_;
  std::optional<SharedOutputFile> labels_;
  std::string old_labels_;  ///< the labels file of the .npy that will be replaced; on the first rank; may be empty
};

/// The result of a search.
struct SearchFindings {
  SearchRecord record;  ///< its key and verification are not used
  std::uint64_t reached = 0;
  const LabelArray& parents;
  bool limited = false;                     ///< whether a limit may have ended it early
  std::vector<Label> path = {};             ///< to the target, including both ends; empty if there is none
  nlohmann::ordered_json measures = {};     ///< specific to this kind of search: its levels, the target's distance
  nlohmann::ordered_json options = {};      ///< the options of the search
  std::optional<UsedProfile> profile = {};  ///< if some options come from a profile
  std::optional<DeviceChoice> device_choice = {};
};

/// A graph file that is read and built. The constructor and all member functions except simple accessors are
/// collective.
class UserGraph {
 public:
  /// Checks that --output can be written, and reads the file. `summary` is the frontier summary of searches
  /// (BfsOptions::summary). Settings and context must outlive the object. Throws AgreedError.
  UserGraph(const UserGraphSettings& settings, std::size_t summary, WeightUse weights, const Context& context);
  [[nodiscard]] const GraphFile& file() const { return file_; }
  /// Builds the graph. Called once, before the functions below. Throws AgreedError.
  void build();

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  /// The labels of this rank's block that are vertices of the file.
  [[nodiscard]] const Bitmap& vertices() const { return vertices_; }
  /// The number of vertices of the file, on all ranks.
  [[nodiscard]] std::uint64_t vertex_count() const;

  /// The lines of the seconds for building and reading.
  [[nodiscard]] std::string seconds_text() const;
  /// What JSON says about the graph, and what it says about the run.
  [[nodiscard]] nlohmann::ordered_json graph_json() const;
  [[nodiscard]] nlohmann::ordered_json run_json(const Machine& machine) const;
  /// Writes --output with these columns.
  void write_table(const std::vector<TableColumn>& columns);

 protected:
  const Context& context_;

 private:
  const UserGraphSettings& settings_;
  ResultFiles files_;
  double reading_seconds_ = 0;
  double construction_seconds_ = 0;
  GraphFile file_;
  std::optional<Graph> graph_;
  Bitmap vertices_;
};

/// A graph that was read and built, and the vertices to search from and for.
class GraphSearch : public UserGraph {
 public:
  /// As UserGraph(), then finds the vertices and builds the graph: everything that can fail. Throws AgreedError.
  GraphSearch(const GraphSearchSettings& settings, std::size_t summary, WeightUse weights, const Context& context);

  [[nodiscard]] Label source() const { return source_; }
  /// no_label if none was given.
  [[nodiscard]] Label target() const { return target_; }

  /// Makes a Search with these options on the settled device. If auto chose a device that has too little memory, it is
  /// made for processors. Prints what auto chose.
  template <class Search, class Options>
  std::unique_ptr<Search> prepare(SettledDevice& settled, Options& options) const {
    std::unique_ptr<Search> search;
    make_search(settled, [&](Device device) {
      options.device.kind = device;
      search = std::make_unique<Search>(graph(), options, context_);
    });
    print_choice(settled.choice, context_.ranks);
    return search;
  }

  /// The findings that all kinds of searches have. Members are assigned one by one: if memory runs out within an
  /// initialiser of nested structures, GCC 12 destroys members of the inner structure twice.
  template <class Result>
  [[nodiscard]] SearchFindings findings(const Result& result, const LabelArray& parents,
                                        const SettledDevice& settled) const {
    SearchFindings found{.record = {}, .parents = parents};
    found.record = record_of(result);
    found.reached = result.reached;
    if (target_ != no_label) found.path = tree_path(parents, target_, graph().distribution(), context_.ranks);
    found.device_choice = settled.choice;
    return found;
  }

  /// "path: a b c", with the file's names.
  [[nodiscard]] std::string path_text(const std::vector<Label>& path) const;
  /// The lines about any search, with the line `measure` of this kind of search, and the seconds for reading and
  /// building.
  [[nodiscard]] std::string text(const SearchFindings& found, const std::string& measure) const;

  /// Writes --output, the lines `text` and --json, as far as they are requested. JSON uses the names of the benchmark's
  /// report (docs/reports.md). For JSON, traversed edges are counted in a pass over the edge list and give TEPS, unless
  /// the search was limited, because then it did not examine all of them. Throws AgreedError if the edge list cannot be
  /// read.
  void write(ResultOutput& output, const std::string& text, const SearchFindings& found, const Placement& placement,
             const std::vector<TableColumn>& columns);

 private:
  [[nodiscard]] nlohmann::ordered_json json(const SearchFindings& found, const Machine& machine) const;
  /// An array of the file's names of these labels; numbers if the names are integers.
  [[nodiscard]] nlohmann::ordered_json names_json(std::span<const Label> labels) const;

  std::string source_name_;
  Label source_ = no_label;
  Label target_ = no_label;
};

}  // namespace breadth::cli
