// breadth generate
#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "cli/command.hpp"
#include "cli/commands/graph_files.hpp"
#include "cli/options/common_options.hpp"
#include "cli/running.hpp"
#include "comm/agreement.hpp"
#include "core/memory/memory.hpp"
#include "generate/generators.hpp"
#include "graph500/benchmark_input.hpp"
#include "io/graph_file.hpp"

namespace breadth::cli {

namespace {
/// The models of graphs, all with 2^scale vertices.
enum class Model { kronecker, uniform, grid, small_world, tails };
constexpr auto words_of(Model) { return word_list<Model>({"kronecker", "uniform", "grid", "small-world", "tails"}); }

struct GenerateSettings {
  CommonSettings common;
  Model model = Model::kronecker;
  int scale = 0;
  std::uint64_t edgefactor = 16;
  std::array<std::uint64_t, 2> seed = {2, 3};
  bool weights = false;
  std::uint32_t whole_weights = 0;  // the largest weight; 0 for no such weights
  bool mixed = false;
  std::string output;
};

constexpr std::uint64_t rewired_one_in = 20;                   // one edge of this many is rewired in a small world
constexpr std::uint64_t tail_length = std::uint64_t{1} << 11;  // vertices

void declare(Command& command, GenerateSettings& settings) {
  OptionSet& options = command.options;
  options.add_choice("model", settings.model,
                     {.group = OptionGroup::everyday,
                      .meaning = "kind of graph: kronecker, uniform, grid, small-world or tails",
                      .source = graph500_specification,
                      .required = true,
                      .kind = OptionKind::argument});
  add_scale_option(options, settings.scale);
  add_edgefactor_option(options, settings.edgefactor);
  options.add_pair("seed", settings.seed, {.group = OptionGroup::everyday, .meaning = "seeds of the graph"});
  options.add_flag("weights", settings.weights,
                   {.group = OptionGroup::everyday, .meaning = "weights from 0 to 1, one for each tuple"});
  options.add_number("whole-weights", settings.whole_weights, {0, max_whole_weight},
                     {.group = OptionGroup::everyday,
                      .meaning = "largest whole-number weight; the smallest is 1; 0: no whole numbers"});
  options.add_flag("mixed", settings.mixed,
                   {.group = OptionGroup::everyday, .meaning = "labels in random order; kronecker always has them so"});
  options.add_text(
      "output", settings.output, "a graph file",
      {.group = OptionGroup::everyday, .meaning = "graph file to write", .required = true, .writes = true});
  add_common_options(options, settings.common);
}

void check(const OptionSet& options, const GenerateSettings& settings) {
  (void)graph_kind(settings.output);
  if (settings.whole_weights > 0 && settings.weights) {
    fail<UsageError>("--weights and --whole-weights exclude each other");
  }
  if (settings.whole_weights > 0 && settings.model == Model::kronecker) {
    fail<UsageError>("--whole-weights and the model kronecker exclude each other: its weights are from 0 to 1");
  }
  if (settings.mixed && settings.model == Model::kronecker) {
    fail<UsageError>("--mixed and the model kronecker exclude each other: its labels are mixed by its own rule");
  }
  if (options.given_for(settings.edgefactor) && settings.model == Model::grid) {
    fail<UsageError>("--edgefactor and the model grid exclude each other: a grid has two edges for each vertex");
  }
}

SyntheticGraph synthetic(const GenerateSettings& settings) {
  const std::uint64_t vertices = std::uint64_t{1} << settings.scale;
  const std::uint64_t seed = settings.seed[0];
  if (settings.model == Model::uniform) return uniform_random_graph(vertices, vertices * settings.edgefactor, seed);
  if (settings.model == Model::small_world) {
    return small_world_graph(vertices, settings.edgefactor, rewired_one_in, seed);
  }
  if (settings.model == Model::grid) {
    const std::uint64_t rows = std::uint64_t{1} << (settings.scale / 2);
    return grid_graph(rows, vertices / rows);
  }
  const std::uint64_t core = vertices / 2;
  const std::uint64_t length = std::min(tail_length, core);
  return tailed_graph(core, core * settings.edgefactor, core / length, length, seed);
}

/// The generator of the requested weights; empty if none are requested.
SyntheticWeights synthetic_weights(const GenerateSettings& settings) {
  if (settings.whole_weights > 0) return whole_weights(settings.whole_weights, settings.seed[1]);
  return settings.weights ? even_weights(settings.seed[1]) : SyntheticWeights();
}

/// The tuples that this rank writes, and the number of tuples of the whole graph.
struct Share {
  std::unique_ptr<EdgeList> edges;
  std::uint64_t of = 0;
};

Share share_of(const GenerateSettings& settings, const Communicator& ranks) {
  if (settings.model == Model::kronecker) {
    const Kronecker graph({settings.scale, settings.edgefactor, settings.seed});
    const IndexRange mine = own_share(graph.edge_count(), ranks);
    return {std::make_unique<KroneckerEdgeList>(graph, mine.begin, mine.end, settings.weights), graph.edge_count()};
  }
  SyntheticGraph graph = synthetic(settings);
  if (settings.mixed) graph = with_mixed_labels(std::move(graph), settings.seed[1]);
  const IndexRange mine = own_share(graph.edge_count, ranks);
  return {std::make_unique<SyntheticEdgeList>(graph, mine.begin, mine.end, synthetic_weights(settings)),
          graph.edge_count};
}

/// Throws AgreedError if the disk has too little room for the minimum size of this many tuples. Collective.
void require_disk_space(const GenerateSettings& settings, std::uint64_t tuples, const Communicator& ranks) {
  constexpr std::uint64_t min_line_bytes = 4;  // two digits, a space and a line end
  const bool text = graph_kind(settings.output).is_text();
  const std::uint64_t needed = tuples * (text ? min_line_bytes : sizeof(PackedEdge));
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    std::error_code unknown;
    const std::filesystem::path folder = std::filesystem::absolute(settings.output).parent_path();
    const std::filesystem::space_info disk = std::filesystem::space(folder, unknown);
    if (unknown || needed <= disk.available) return;
    fail("too little room for '{}': it takes at least {}, {} are free on its disk", settings.output, bytes_text(needed),
         bytes_text(disk.available));
  });
}

int run(const GenerateSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  const Context context{ranks, threads.team()};
  Share mine = share_of(settings, ranks);
  require_disk_space(settings, mine.of, ranks);
  GraphOutput output(settings.output, ranks);
  // The edge list is generated while it is written and never held in memory.
  output.write({.path = settings.output,
                .kind = graph_kind(settings.output),
                .edges = std::move(mine.edges),
                .edge_count = mine.of,
                .weighted = settings.weights || settings.whole_weights > 0,
                .directedness = Directedness::undirected,
                .names = VertexNames::range(0, std::uint64_t{1} << settings.scale)},
               context);
  return 0;
}
}  // namespace

Command generate_command() {
  return command_with<GenerateSettings>({.name = "generate",
                                         .summary = "write the benchmark's graph, or one of another kind, to a file",
                                         .example = "kronecker --scale 20 --output graph.g500"});
}

}  // namespace breadth::cli
