#include "cli/commands/search_report.hpp"

#include <array>

#include "graph500/report/json_parts.hpp"
#include "validate/validate_bfs.hpp"

namespace breadth::cli {

namespace {
using Json = nlohmann::ordered_json;

/// Input tuples with both ends in the tree, and how many of them a second.
void add_traversed_edges(const GraphSearch& search, const SearchFindings& found, const Context& context, Json& json) {
  json["nedge"] = Json();
  json["TEPS"] = Json();
  if (found.limited) return;
  const std::array<SearchResult, 1> result = {{{.root = search.source(), .parents = found.parents}}};
  const std::uint64_t edges =
      count_traversed_edges(*search.file().edges, result, search.graph().distribution(), context).front();
  json["nedge"] = edges;
  json["TEPS"] = static_cast<double>(edges) / found.record.seconds;
}
}  // namespace

Json search_json(const GraphSearch& search, const SearchFindings& found, const Machine& machine,
                 const Context& context) {
  Json json = {{"graph", search.graph_json()}};
  json["source"] = search.names_json(std::array{search.source()}).front();
  json["reached"] = found.reached;
  json["seconds"] = found.record.seconds;
  add_traversed_edges(search, found, context, json);
  json.update(found.measures);
  if (search.target() != no_label) {
    json["target"] = search.names_json(std::array{search.target()}).front();
    json["path"] = search.names_json(found.path);
  }
  json["ranks"] = context.ranks.size();
  json["threads"] = context.threads.size();
  json["options"] = found.options;
  if (found.device_choice) json["device_choice"] = device_choice_json(*found.device_choice);
  if (found.profile) json["profile"] = profile_json(*found.profile);
  json["machine"] = machine_json(machine);
  json["version"] = BREADTH_VERSION;
  json["reading"] = {{"seconds", search.reading_seconds()}};
  json["construction"] = {{"seconds", search.construction_seconds()},
                          {"graph_bytes", context.ranks.all_reduce(search.graph().bytes(), Reduction::sum)}};
  json.update(work_json(found.record));
  return json;
}

}  // namespace breadth::cli
