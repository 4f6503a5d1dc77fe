// breadth generate
#include "cli/command.hpp"
#include "cli/common_options.hpp"
#include "cli/graph_options.hpp"
#include "cli/threads.hpp"
#include "generate/kronecker.hpp"
#include "io/graph_output.hpp"

namespace breadth::cli {

namespace {
struct GenerateSettings {
  CommonSettings common;
  std::string model;
  int scale = 0;
  std::uint64_t edgefactor = 16;
  std::array<std::uint64_t, 2> seed = {2, 3};
  bool weights = false;
  std::string output;
};

void declare(OptionSet& options, GenerateSettings& settings) {
  const std::string specification = "Graph500 specification 2.0";
  options.add({.name = "model",
               .kind = OptionKind::argument,
               .meaning = "the kind of graph",
               .range = "kronecker",
               .source = specification,
               .required = true,
               .store = [&settings](const std::string& text) {
                 if (text != "kronecker") fail<UsageError>("must be kronecker");
                 settings.model = text;
               }});
  options.add_number("scale", settings.scale, 1, largest_scale,
                     {.meaning = "logarithm of the number of vertices", .source = specification, .required = true});
  options.add_number("edgefactor", settings.edgefactor, 1, largest_edgefactor,
                     {.meaning = "tuples of the edge list for each vertex", .source = specification});
  options.add_pair("seed", settings.seed, {.meaning = "seeds of the graph"});
  options.add_flag("weights", settings.weights, {.meaning = "with a weight for each tuple"});
  options.add_text("output", settings.output, "a graph file", {.meaning = "the file to write", .required = true});
  add_common_options(options, settings.common);
}

int run(const GenerateSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  const Context context{ranks, threads.team()};
  GraphOutput output(settings.output, ranks);
  const Kronecker kronecker({.scale = settings.scale,
                             .edgefactor = static_cast<std::int64_t>(settings.edgefactor),
                             .seed1 = settings.seed[0],
                             .seed2 = settings.seed[1]});
  const IndexRange mine = even_share(kronecker.edge_count(), static_cast<std::size_t>(ranks.rank()),
                                     static_cast<std::size_t>(ranks.size()));
  // Made as it is written: the list is never in memory.
  output.write({.path = settings.output,
                .kind = graph_kind(settings.output),
                .edges = std::make_unique<KroneckerEdgeList>(kronecker, mine.begin, mine.end, settings.weights),
                .edge_count = kronecker.edge_count(),
                .weighted = settings.weights,
                .directedness = Directedness::undirected,
                .names = VertexNames::range(0, kronecker.vertex_count())},
               context);
  return 0;
}
}  // namespace

Command generate_command() {
  const auto settings = std::make_shared<GenerateSettings>();
  Command command{.name = "generate", .summary = "write the benchmark's graph to a file"};
  declare(command.options, *settings);
  command.check = [settings](const OptionSet&) { (void)graph_kind(settings->output); };
  command.run = [settings](const Communicator& ranks) { return run(*settings, ranks); };
  return command;
}

}  // namespace breadth::cli
