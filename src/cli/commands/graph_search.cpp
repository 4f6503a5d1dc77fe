#include "cli/commands/graph_search.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <filesystem>
#include <system_error>

#include "cli/commands/graph_files.hpp"
#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "graph500/report/output.hpp"
#include "io/files/line_columns.hpp"
#include "io/names/vertex_names.hpp"
#include "validate/validate.hpp"

namespace breadth::cli {

namespace {
using Json = nlohmann::ordered_json;

/// The labels of this rank's block that are vertices of the file: all, or those that occur in a tuple. Collective.
Bitmap vertices_of(const GraphFile& file, const BlockDistribution& distribution, const Context& context) {
  if (!file.every_label_is_vertex) return occurring_labels(*file.edges, distribution, context);
  Bitmap all(distribution.count(context.ranks.rank()));
  for (std::size_t i = 0; i < all.size(); ++i) all.insert(i);
  return all;
}
}  // namespace

void add_graph_option(OptionSet& options, UserGraphSettings& settings) {
  options.add_argument("graph", settings.graph,
                       {.group = OptionGroup::everyday, .meaning = "graph file to read", .required = true});
}

void add_output_options(OptionSet& options, UserGraphSettings& settings, const std::string& columns) {
  options.add_text(
      "output", settings.output, "a file that ends in .npy or .txt",
      {.group = OptionGroup::everyday, .meaning = "file for " + columns + " of every vertex", .writes = true});
  add_json_option(options, settings.json);
}

void check_user_graph(const UserGraphSettings& settings) {
  (void)input_kind(settings.graph);
  if (!settings.output.empty() && !is_npy(settings.output) && !settings.output.ends_with(".txt")) {
    fail<UsageError>("--output {}: its name must end in .npy or .txt", settings.output);
  }
}

void add_graph_search_options(OptionSet& options, GraphSearchSettings& settings, const std::string& columns) {
  add_graph_option(options, settings);
  options.add_text(
      "source", settings.source, "a vertex as the file names it",
      {.group = OptionGroup::everyday, .meaning = "vertex to search from", .required = true, .takes = Takes::vertex});
  options.add_text(
      "target", settings.target, "a vertex as the file names it",
      {.group = OptionGroup::everyday, .meaning = "vertex to print a shortest path to", .takes = Takes::vertex});
  add_directed_option(options, settings.directed);
  add_output_options(options, settings, columns);
}

void check_graph_search(const OptionSet& options, GraphSearchSettings& settings) {
  settings.idle_on_one_rank = options.without_effect_on_one_rank();
  check_user_graph(settings);
}

void check_search_device(const OptionSet& options, DeviceSettings& device, const GraphSearchSettings& settings) {
  check_device(options, device, settings.layout);
  if (!settings.directed) return;
  keep_to_processors(options, device, *options.option_of(&settings.directed), "a GPU searches only undirected graphs");
}

ResultFiles::ResultFiles(const std::string& path, const Communicator& ranks) : ranks_(ranks) {
  if (!path.empty()) table_.emplace(path, ranks);
}

void ResultFiles::add_labels(NameKind names) {
  if (!table_ || !is_npy(table_->path())) return;
  labels_.emplace(labels_path(table_->path(), names), ranks_);
  const NameKind others = names == NameKind::strings ? NameKind::integers : NameKind::strings;
  std::error_code unknown;
  if (ranks_.rank() == 0 && std::filesystem::exists(table_->path(), unknown)) {
    old_labels_ = labels_path(table_->path(), others);
  }
}

void ResultFiles::write(const Table& content, const Context& context) {
  if (!table_) return;
  if (labels_) {
    write_table_npy(*table_, content, context);
    write_labels(*labels_, content, context);
    table_->sync();
    labels_->commit();
  } else {
    write_table_text(*table_, content, context);
  }
  table_->commit();
  run_together(ranks_, [&] {
    std::error_code error;
    if (!old_labels_.empty()) std::filesystem::remove(old_labels_, error);
    if (error) fail("cannot remove '{}', whose result was replaced: {}", old_labels_, error.message());
  });
}

UserGraph::UserGraph(const UserGraphSettings& settings, std::size_t summary, WeightUse weights, const Context& context)
    : context_(context), settings_(settings), files_(settings.output, context.ranks) {
  const Stopwatch stopwatch;
  file_ = read_fitting_graph(settings.graph, settings.layout, summary, {.weights = weights}, context);
  reading_seconds_ = stopwatch.seconds();
  files_.add_labels(file_.names.kind());
}

void UserGraph::build() {
  const Stopwatch stopwatch;
  graph_.emplace(build_file_graph(file_, directedness_of(file_, settings_.directed), settings_.layout, context_));
  construction_seconds_ = stopwatch.seconds();
  vertices_ = vertices_of(file_, graph_->distribution(), context_);
}

std::uint64_t UserGraph::vertex_count() const {
  std::uint64_t here = 0;
  for (const std::uint64_t word : vertices_.words()) here += static_cast<std::uint64_t>(std::popcount(word));
  return context_.ranks.all_reduce(here, Reduction::sum);
}

std::string UserGraph::seconds_text() const {
  return fmt::format("construction_seconds: {:.6g}\nreading_seconds: {:.6g}\n", construction_seconds_,
                     reading_seconds_);
}

Json UserGraph::graph_json() const {
  return {{"file", file_.path},         {"directed", graph_->directedness() == Directedness::directed},
          {"weighted", file_.weighted}, {"vertices", vertex_count()},
          {"tuples", file_.edge_count}, {"edges", graph_->edge_count()}};
}

Json UserGraph::run_json(const Machine& machine) const {
  Json json;
  json["machine"] = machine_json(machine);
  json["version"] = BREADTH_VERSION;
  json["reading"] = {{"seconds", reading_seconds_}};
  json["construction"] = {{"seconds", construction_seconds_},
                          {"graph_bytes", context_.ranks.all_reduce(graph_->bytes(), Reduction::sum)}};
  return json;
}

void UserGraph::write_table(const std::vector<TableColumn>& columns) {
  files_.write({file_.names, graph_->distribution(), columns, &vertices_}, context_);
}

GraphSearch::GraphSearch(const GraphSearchSettings& settings, std::size_t summary, WeightUse weights,
                         const Context& context)
    : UserGraph(settings, summary, weights, context), source_name_(settings.source) {
  source_ = require_vertex(file(), settings.source, context);
  if (!settings.target.empty()) target_ = require_vertex(file(), settings.target, context);
  build();
}

std::string GraphSearch::text(const SearchFindings& found, const std::string& measure) const {
  return fmt::format("source: {}\nreached: {}\nvertices: {}\n{}\nseconds: {:.6g}\n{}", source_name_, found.reached,
                     vertex_count(), measure, found.record.seconds, seconds_text());
}

std::string GraphSearch::path_text(const std::vector<Label>& path) const {
  const std::vector<std::string> names = file().names.displayed_names(path, context_.ranks);
  return fmt::format("path: {}\n", joined(texts_of(names, spaced_value), " "));
}

Json GraphSearch::names_json(std::span<const Label> labels) const {
  Json json = Json::array();
  const bool words = file().names.kind() == NameKind::strings;
  for (const std::string& name : file().names.displayed_names(labels, context_.ranks)) {
    json.push_back(words ? Json(name) : Json::parse(name));
  }
  return json;
}

void GraphSearch::write(ResultOutput& output, const std::string& text, const SearchFindings& found,
                        const Placement& placement, const std::vector<TableColumn>& columns) {
  const Json whole = output.wants_json() ? json(found, describe_machine(placement)) : Json();
  write_table(columns);
  output.write(text, [&] { return json_text(whole); });
}

Json GraphSearch::json(const SearchFindings& found, const Machine& machine) const {
  const Communicator& ranks = context_.ranks;
  Json json;
  json["graph"] = graph_json();
  json["source"] = names_json(std::array{source_}).front();
  json["reached"] = found.reached;
  json["seconds"] = found.record.seconds;
  json["nedge"] = Json();
  json["TEPS"] = Json();
  if (!found.limited) {
    const std::array<SearchResult, 1> result = {{{.root = source_, .parents = found.parents}}};
    const std::uint64_t edges = count_traversed_edges(*file().edges, result, graph().distribution(), context_).front();
    json["nedge"] = edges;
    json["TEPS"] = static_cast<double>(edges) / found.record.seconds;
  }
  json.update(found.measures);
  if (target_ != no_label) {
    json["target"] = names_json(std::array{target_}).front();
    json["path"] = names_json(found.path);
  }
  json["ranks"] = ranks.size();
  json["threads"] = context_.threads.size();
  json["options"] = found.options;
  if (found.device_choice) json["device_choice"] = device_choice_json(*found.device_choice);
  if (found.profile) json["profile"] = profile_json(*found.profile);
  json.update(run_json(machine));
  json.update(work_json(found.record));
  return json;
}

}  // namespace breadth::cli
