#include "graph_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>

#include "core/errors.hpp"
#include "io/binary/packed_file.hpp"
#include "io/files/line_parser.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth::fuzz {

namespace {
bool is_length(float weight) { return weight >= 0 && std::isfinite(weight); }

/// Checks the stored names of a dictionary: each is valid for its kind and greater than the one before it.
void check_stored_names(const GraphFile& graph) {
  const NameList& names = graph.names.own();
  require(names.size() == graph.names.count(), "{} names for {} labels", names.size(), graph.names.count());
  for (std::size_t i = 0; i < names.size(); ++i) {
    require(i == 0 || names[i - 1] < names[i], "name {} is not above the one before it", i);
    if (graph.names.kind() == NameKind::integers) {
      require(names[i].size() == sizeof(std::int64_t), "integer name {} has {} bytes", i, names[i].size());
      continue;
    }
    require(!names[i].empty() && find_no_name(names[i]) == std::string_view::npos, "name {} is no text of a line", i);
  }
}

void check_names(const GraphFile& graph) {
  const auto count = static_cast<std::int64_t>(graph.names.count());
  require(count >= 1 && count <= label_bound, "{} labels", count);
  if (graph.names.kind() == NameKind::range) {
    const std::int64_t highest_first = std::numeric_limits<std::int64_t>::max() - (count - 1);
    require(graph.names.first() <= highest_first, "{} names from {} on", count, graph.names.first());
  } else {
    check_stored_names(graph);
  }
}

/// Checks that the names of the first and the last edge lead back to their labels, and that an unknown vertex is
/// refused with a message.
void check_lookup(const GraphFile& graph, const Contents& contents, const Context& context) {
  for (const std::size_t at : {std::size_t{0}, contents.edges.size() - 1}) {
    const auto found = graph.names.find(contents.names[2 * at], context.ranks);
    require(found == contents.edges[at].source, "name '{}' does not lead to its label", contents.names[2 * at]);
    const Label target = require_vertex(graph, contents.names[2 * at + 1], context);
    require(target == contents.edges[at].target, "vertex '{}' has another label", contents.names[2 * at + 1]);
  }
  constexpr std::string_view nobody = "no such vertex";
  try {
    require_vertex(graph, nobody, context);
  } catch (const Error& error) {
    require(std::string_view(error.what()).find(graph.path) != std::string_view::npos, "'{}' does not name {}",
            error.what(), graph.path);
    return;
  }
  require(false, "there is a vertex '{}'", nobody);
}

/// Writes the graph to a file and returns the graph that is read from it.
GraphFile copied(const GraphFile& graph, const std::string& path, const ReadOptions& options, const Context& context) {
  GraphOutput(path, context.ranks).write(graph, context);
  ReadResult copy = read_or_refuse(path, options, context);
  require(copy.graph.has_value(), "what Breadth wrote it does not read: {}", copy.refusal);
  require(copy.graph->weighted == graph.weighted, "{} has weights, or has none", path);
  return std::move(*copy.graph);
}

void check_breadth_copy(const GraphFile& graph, const Contents& contents, const Site& site) {
  const GraphFile copy = copied(graph, site.path("copy.breadth"), {}, site.context);
  require(contents_of(copy, site.context) == contents, "a .breadth copy has other edges");
  require(copy.directedness == graph.directedness && copy.names.kind() == graph.names.kind() &&
              copy.names.count() == graph.names.count() && copy.names.first() == graph.names.first() &&
              copy.every_label_is_vertex == graph.every_label_is_vertex,
          "a .breadth copy is another kind of graph");
}

/// Whether the graph can be written as a table. A file that begins with certain characters would mean something else.
bool fits_in_table(const Contents& contents) {
  return !contents.names.front().starts_with("\x28\xB5\x2F\xFD") && contents.finite;
}

/// Whether the graph can be written as text between white space, where also a line must begin with other characters.
bool fits_in_text(const Contents& contents) {
  for (std::size_t i = 0; i < contents.names.size(); ++i) {
    const std::string& name = contents.names[i];
    if (find_no_word(name) != std::string_view::npos) return false;
    if (i % 2 == 0 && (name.starts_with('#') || name.starts_with('%'))) return false;
  }
  return fits_in_table(contents) && !contents.names.front().starts_with("\xEF\xBB\xBF");
}

void check_text_copy(const GraphFile& graph, const Contents& contents, const std::string& name, const Site& site) {
  const bool words = graph.names.kind() == NameKind::strings;
  const GraphFile copy =
      copied(graph, site.path(name), {.labels = words ? LabelWords::strings : LabelWords::integers}, site.context);
  const Contents again = contents_of(copy, site.context);
  require(again.names == contents.names && again.weights == contents.weights, "{} has other edges", name);
}

/// Checks a copy as a table, unless its first edge would be taken for the names of columns.
void check_table_copy(const GraphFile& graph, const Contents& contents, const std::string& name, const Site& site) {
  try {
    check_text_copy(graph, contents, name, site);
  } catch (const Error& error) {
    const std::string_view refusal = error.what();
    require(refusal.find("would be read as the names of columns") != std::string_view::npos, "{}", refusal);
  }
}

void check_matrix_copy(const GraphFile& graph, const Contents& contents, const Site& site) {
  Contents again = contents_of(copied(graph, site.path("copy.mtx"), {}, site.context), site.context);
  std::vector<Edge> edges = contents.edges;
  if (graph.directedness != Directedness::directed) {
    for (std::vector<Edge>* list : {&edges, &again.edges}) {
      for (Edge& edge : *list) edge = {std::max(edge.source, edge.target), std::min(edge.source, edge.target)};
    }
  }
  require(again.edges == edges && again.weights == contents.weights, "a Matrix Market copy has other edges");
}

/// The lightest edge between any two vertices, as METIS files have it. The bits of non-negative weights are ordered as
/// the weights are.
std::map<Edge, std::uint32_t> simple(const Contents& contents) {
  std::map<Edge, std::uint32_t> edges;
  for (std::size_t i = 0; i < contents.edges.size(); ++i) {
    const auto [source, target] = contents.edges[i];
    const std::uint32_t weight = contents.weights.empty() ? 0 : contents.weights[i];
    if (source == target) continue;
    const auto [at, added] = edges.try_emplace({std::min(source, target), std::max(source, target)}, weight);
    if (!added) at->second = std::min(at->second, weight);
  }
  return edges;
}

void check_metis_copy(const GraphFile& graph, const Contents& contents, const Site& site) {
  constexpr std::uint64_t max_lines = 5000;
  const bool short_file = std::all_of(contents.edges.begin(), contents.edges.end(), [](const Edge& edge) {
    return std::max(edge.source, edge.target).index() < max_lines;
  });
  if (!short_file || (graph.every_label_is_vertex && graph.names.count() > max_lines)) return;
  const std::string path = site.path("copy.graph");
  try {
    require_fits(graph_formats::metis(), path, graph, site.context);
  } catch (const Error&) {
    return;
  }
  const std::map<Edge, std::uint32_t> expected = simple(contents);
  if (expected.empty()) return;
  const Contents again = contents_of(copied(graph, path, {}, site.context), site.context);
  require(again.edges.size() == expected.size() && simple(again) == expected, "a METIS copy has other edges");
}

void check_packed_copy(const GraphFile& graph, const Contents& contents, const Site& site) {
  const std::string path = site.path("copy.g500");
  const Contents again = contents_of(copied(graph, path, {}, site.context), site.context);
  std::filesystem::remove(weights_path(path));
  require(again.edges == contents.edges && again.weights == contents.weights, "a packed copy has other edges");
}

/// Checks a copy in Breadth's own format, and one in another format that can hold the graph. The number of edges
/// selects the other format.
void check_copies(const GraphFile& graph, const Contents& contents, const Site& site) {
  check_breadth_copy(graph, contents, site);
  const bool numbered = graph.names.kind() == NameKind::range;
  switch (contents.edges.size() % 4) {
    case 0:
      if (fits_in_text(contents)) check_text_copy(graph, contents, "copy.txt", site);
      if (fits_in_table(contents)) check_table_copy(graph, contents, "copy.csv", site);
      if (fits_in_table(contents)) check_table_copy(graph, contents, "copy.tsv", site);
      break;
    case 1:
      if (numbered && contents.finite) check_matrix_copy(graph, contents, site);
      break;
    case 2: check_metis_copy(graph, contents, site); break;
    default:
      if (numbered) check_packed_copy(graph, contents, site);
      break;
  }
}
}  // namespace

ReadResult read_or_refuse(const std::string& path, const ReadOptions& options, const Context& context) {
  try {
    return {read_graph(path, options, context), ""};
  } catch (const Error& error) {
    const std::string message = error.what();
    require(message.find(path) != std::string::npos, "'{}' does not name {}", message, path);
    return {std::nullopt, message};
  }
}

Contents contents_of(const GraphFile& graph, const Context& context) {
  Contents contents;
  contents.edges.resize(graph.edges->size(), Edge{no_label, no_label});
  std::vector<float> weights(graph.weighted ? contents.edges.size() : 0);
  graph.edges->read(0, contents.edges, weights);
  std::vector<Label> labels;
  for (const Edge& edge : contents.edges) labels.insert(labels.end(), {edge.source, edge.target});
  for (const Label label : labels) {
    require(label.value >= 0 && static_cast<std::uint64_t>(label.value) < graph.names.count(),
            "label {} of {} with names", label.value, graph.names.count());
  }
  const bool stored = graph.names.kind() != NameKind::range;
  const NameList names = stored ? graph.names.names_of(labels, context.ranks) : NameList();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    contents.names.push_back(stored ? displayed(graph.names.kind(), names[i])
                                    : std::to_string(graph.names.first() + labels[i].value));
  }
  for (const float weight : weights) contents.weights.push_back(std::bit_cast<std::uint32_t>(weight));
  contents.lengths = graph.weighted && std::all_of(weights.begin(), weights.end(), is_length);
  contents.finite = std::all_of(weights.begin(), weights.end(), [](float weight) { return std::isfinite(weight); });
  return contents;
}

void check_graph(const GraphFile& graph, const Site& site) {
  require(graph.edge_count >= 1 && graph.edges->size() == graph.edge_count, "{} edges of {}", graph.edges->size(),
          graph.edge_count);
  require(graph.edges->weighted() == graph.weighted, "the list of edges has weights, or has none");
  check_names(graph);
  const Contents contents = contents_of(graph, site.context);
  check_lookup(graph, contents, site.context);
  check_copies(graph, contents, site);
  const ReadResult lengths = read_or_refuse(graph.path, {.weights = WeightUse::lengths}, site.context);
  require(lengths.graph.has_value() == contents.lengths, "weights that are lengths: {}; refused: '{}'",
          contents.lengths, lengths.refusal);
}

}  // namespace breadth::fuzz
