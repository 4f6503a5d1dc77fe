// breadth convert
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>

#include "cli/command.hpp"
#include "cli/commands/graph_files.hpp"
#include "cli/options/common_options.hpp"
#include "cli/running.hpp"
#include "core/text.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth::cli {

namespace {
struct ConvertSettings {
  CommonSettings common;
  std::string input;
  std::string output;
  bool directed = false;
};

bool forgets_directions(const GraphFile& graph, const GraphFormat& written) {
  return graph.directedness == Directedness::directed && written.directions == Directions::unsaid;
}

/// The difference between a vertex's number in a file of the format and its number in the graph; 0 if the format stores
/// names.
std::int64_t shift_of_numbers(const GraphFile& graph, const GraphFormat& written) {
  if (!written.first_number || graph.names.kind() != NameKind::range) return 0;
  return *written.first_number - graph.names.first();
}

void warn_of_losses(const ConvertSettings& settings, const GraphFile& graph, const GraphFormat& written) {
  if (forgets_directions(graph, written)) {
    say(fmt::format("warning: the edges of '{}' are directed, but '{}' cannot record that: read it with --directed\n",
                    settings.input, settings.output));
  }
  if (const std::int64_t shift = shift_of_numbers(graph, written); shift != 0) {
    say(fmt::format(
        "warning: vertex numbers in '{}' are those of '{}' {} {}, because {} files number vertices from {}\n",
        settings.output, settings.input, shift > 0 ? "plus" : "minus", std::abs(shift), written.name,
        *written.first_number));
  }
}

void declare(Command& command, ConvertSettings& settings) {
  OptionSet& options = command.options;
  options.add_argument("in", settings.input,
                       {.group = OptionGroup::everyday, .meaning = "graph file to read", .required = true});
  options.add_argument(
      "out", settings.output,
      {.group = OptionGroup::everyday, .meaning = "graph file to write", .required = true, .writes = true});
  add_directed_option(options, settings.directed);
  add_common_options(options, settings.common);
}

void check(const OptionSet&, const ConvertSettings& settings) {
  (void)input_kind(settings.input);
  (void)graph_kind(settings.output);
}

int run(const ConvertSettings& settings, const Communicator& ranks) {
  RankThreads threads(settings.common, ranks);
  const Context context{ranks, threads.team()};
  GraphOutput output(settings.output, ranks);
  GraphFile graph = read_graph(settings.input, {}, context);
  if (settings.directed) graph.directedness = directedness_of(graph, true);
  if (ranks.rank() == 0) warn_of_losses(settings, graph, *graph_kind(settings.output).format);
  output.write(graph, context);
  return 0;
}
}  // namespace

Command convert_command() {
  return command_with<ConvertSettings>(
      {.name = "convert",
       .summary = "convert a graph file to another format, chosen by the ending of its name",
       .example = "graph.txt graph.mtx"});
}

}  // namespace breadth::cli
