// Text edge lists: an edge a line, two labels and perhaps a weight.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

namespace {
/// Whether the first line of a table names its columns: it has no number, and the line below has a number for each
/// label, or for the weight.
bool names_columns(const std::vector<std::string_view>& first, const std::vector<std::string_view>& below) {
  if (std::ranges::any_of(first, is_number)) return false;
  const bool labels = below.size() >= 2 && is_number(below[0]) && is_number(below[1]);
  return labels || (below.size() == 3 && is_number(below[2]));
}

/// Finds the first edge, which in a table may be below a line that names the columns.
TextHead read_first_edge(LineReader& lines, const FileKind& kind, LabelWords labels) {
  std::string line;
  if (!lines.next_content(line)) fail("'{}' has no edges", lines.path());
  std::uint64_t offset = lines.line_offset();
  std::uint64_t number = lines.number();
  const bool table = kind.ending == ".csv" || kind.ending == ".tsv";
  std::string below;
  if (table && lines.next_content(below) && names_columns(split_line(line), split_line(below))) {
    line = below;
    offset = lines.line_offset();
    number = lines.number();
  }
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 2 && words.size() != 3) {
    fail("{}:{}: {} column{}, but an edge has two labels and perhaps a weight{}", lines.path(), number, words.size(),
         words.size() == 1 ? "" : "s", separators_hint(line));
  }
  const bool integers = looks_like_integer(words[0]) && looks_like_integer(words[1]);
  TextHead head;
  head.names = labels == LabelWords::integers || (labels == LabelWords::automatic && integers) ? NameKind::integers
                                                                                               : NameKind::strings;
  head.weighted = words.size() == 3;
  head.data_offset = offset;
  return head;
}

constexpr TextFormat edge_list_text{.read_head = read_first_edge};
}  // namespace

const GraphFormat& graph_formats::edge_list() {
  static const GraphFormat format{
      .name = "text",
      .endings = {".txt", ".el", ".wel", ".edges", ".edgelist", ".csv", ".tsv"},
      .text = &edge_list_text,
      .missing_weights = [](const std::string&) -> std::string { return "each line needs a third column"; },
      .read = read_text,
      .write = write_named_edges};
  return format;
}

}  // namespace breadth
