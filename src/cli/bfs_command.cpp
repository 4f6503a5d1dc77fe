// breadth bfs
#include <algorithm>

#include "cli/command.hpp"
#include "cli/common_options.hpp"
#include "cli/graph_options.hpp"
#include "cli/output.hpp"
#include "cli/presets.hpp"
#include "cli/profile.hpp"
#include "cli/threads.hpp"
#include "core/stopwatch.hpp"
#include "io/occurrence.hpp"
#include "io/table_output.hpp"
#include "traverse/bfs.hpp"
#include "validate/tree_levels.hpp"

namespace breadth::cli {

namespace {
struct BfsSettings {
  CommonSettings common;
  GraphLayout layout = {};
  BfsOptions bfs;
  Profile profile;
  std::string preset;
  std::string graph;
  std::string source;
  std::string target;
  std::string output;
  bool directed = false;
};

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

void declare(OptionSet& options, BfsSettings& settings) {
  options.add_argument("graph", settings.graph, {.meaning = "the graph", .required = true});
  options.add_text("source", settings.source, "a vertex as the file names it",
                   {.meaning = "where the search starts", .required = true});
  options.add_text("target", settings.target, "a vertex as the file names it",
                   {.meaning = "print a shortest path to this vertex"});
  options.add_number("max-depth", settings.bfs.max_depth, 0, INT64_MAX,
                     {.meaning = "the deepest level to visit", .default_text = "none"});
  options.add_flag("directed", settings.directed, {.meaning = "edges lead from the first column to the second only"});
  options.add_text("output", settings.output, "a file that ends in .npy or .txt",
                   {.meaning = "write the parent and the level of every vertex"});
  add_layout_options(options, settings.layout);
  add_engine_options(options, settings.bfs);
  add_common_options(options, settings.common);
}

void check(const OptionSet& options, const BfsSettings& settings) {
  (void)graph_kind(settings.graph);
  if (!settings.output.empty() && !is_npy(settings.output) && !settings.output.ends_with(".txt")) {
    fail<UsageError>("--output {}: its name must end in .npy or .txt", settings.output);
  }
  check_layout_options(options, settings.layout);
  check_engine_options(options, settings.bfs, settings.layout);
  options.exclude("leaves", "max-depth", "a search that ends at a depth visits vertices with one edge in its levels");
}

/// The files of --output, each found writable as early as its name is known.
class ResultFiles {
 public:
  ResultFiles(const std::string& path, const Communicator& ranks) : ranks_(ranks) {
    if (!path.empty()) table_.emplace(path, ranks);
  }
  /// The labels' file beside an .npy: its name depends on what the names are.
  void add_labels(NameKind names) {
    if (table_ && is_npy(table_->path())) labels_.emplace(labels_path(table_->path(), names), ranks_);
  }

  void write(const Table& content, const Context& context) {
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

 private:
  const Communicator& ranks_;
  std::optional<SharedOutputFile> table_;
  std::optional<SharedOutputFile> labels_;
};

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

/// The lines about the way to the target.
std::string path_text(const GraphFile& file, Label target, const LabelArray& parents,
                      const BlockDistribution& distribution, const Communicator& ranks) {
  std::vector<Label> path{target};
  while (true) {
    const Label parent = parent_of(path.back(), parents, distribution, ranks);
    if (parent == no_label) return "distance: -1\n";
    if (parent == path.back()) break;
    path.push_back(parent);
  }
  std::reverse(path.begin(), path.end());
  return fmt::format("distance: {}\npath:{}\n", path.size() - 1, names_text(file, path, ranks));
}

int run(const BfsSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  warn_of_misfit(settings.profile, ranks, threads.placement());
  const Context context{ranks, threads.team()};
  ResultFiles files(settings.output, ranks);
  Stopwatch stopwatch;
  const GraphFile file = read_fitting_graph(settings.graph, settings.layout, settings.bfs.summary, context);
  const double reading_seconds = stopwatch.lap();
  files.add_labels(file.names.kind());
  const Label source = require_vertex(file, settings.source, context);
  const Label target = settings.target.empty() ? no_label : require_vertex(file, settings.target, context);

  stopwatch = Stopwatch();
  const Graph graph = build_file_graph(file, directedness_of(file, settings.directed), settings.layout, context);
  const double construction_seconds = stopwatch.lap();
  BreadthFirstSearch search(graph, settings.bfs, context);
  const BfsResult result = search.run(source);

  const BlockDistribution& distribution = graph.distribution();
  const TreeLevels steps = tree_levels(result.parents, source, distribution, context);
  std::vector<std::int32_t> levels(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    levels[i] = steps[i] == no_level ? -1 : static_cast<std::int32_t>(steps[i]);
  }
  const std::int64_t deepest = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
  const Bitmap vertices = vertices_of(file, distribution, context);
  std::uint64_t here = 0;
  for (const std::uint64_t word : vertices.words()) here += static_cast<std::uint64_t>(std::popcount(word));

  std::string text = fmt::format("source: {}\nreached: {}\nvertices: {}\nlevels: {}\nseconds: {:.6g}\n",
                                 settings.source, result.reached, ranks.all_reduce(here, Reduction::sum),
                                 ranks.all_reduce(deepest, Reduction::maximum) + 1, result.seconds);
  text += fmt::format("construction_seconds: {:.6g}\nreading_seconds: {:.6g}\n", construction_seconds, reading_seconds);
  if (const auto profile = used_profile(settings.profile)) text += fmt::format("profile: {}\n", describe(*profile));
  if (target != no_label) text += path_text(file, target, result.parents, distribution, ranks);
  files.write({file.names,
               distribution,
               {{"parent", &result.parents}, {"level", std::span<const std::int32_t>(levels)}},
               &vertices},
              context);
  print_result(text, ranks);
  return 0;
}
}  // namespace

Command bfs_command() {
  const auto settings = std::make_shared<BfsSettings>();
  Command command{.name = "bfs", .summary = "breadth-first search on a graph of your own"};
  declare(command.options, *settings);
  add_profile(command, settings->profile);
  add_preset(command, settings->preset);
  command.check = [settings](const OptionSet& options) { check(options, *settings); };
  command.run = [settings](const Communicator& ranks) { return run(*settings, ranks); };
  return command;
}

}  // namespace breadth::cli
