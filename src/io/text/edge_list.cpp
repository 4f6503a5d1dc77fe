// Text edge lists: one edge per line, two labels and optionally a weight.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/communicator.hpp"
#include "core/errors.hpp"
#include "io/files/line_parser.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

namespace {
/// Whether these two words are customary names of the columns of edges, in upper or lower case.
bool are_customary(std::string_view first, std::string_view second) {
  constexpr std::array<std::array<std::string_view, 2>, 4> names = {
      {{"source", "target"}, {"src", "dst"}, {"from", "to"}, {"start", "end"}}};
  const auto same = [](std::string_view name, std::string_view word) {
    return std::ranges::equal(name, word, {}, {}, [](unsigned char letter) { return std::tolower(letter); });
  };
  return std::ranges::any_of(names, [&](const auto& pair) { return same(pair[0], first) && same(pair[1], second); });
}

/// Whether the first line of a table names its columns: it has customary names, or it contains no number and the line
/// below has a number for each label, or for the weight.
bool names_columns(const std::vector<std::string>& first, const std::vector<std::string>& below) {
  if (std::ranges::any_of(first, is_number)) return false;
  if (first.size() >= 2 && are_customary(first[0], first[1])) return true;
  const bool labels = below.size() >= 2 && is_number(below[0]) && is_number(below[1]);
  return labels || (below.size() == 3 && is_number(below[2]));
}

/// Throws Error if the names of columns say that the ends of an edge are not in the first two columns, in this order.
void require_ends_first(const std::vector<std::string>& names, const LineReader& lines, std::uint64_t number) {
  for (std::size_t first = 0; first < names.size(); ++first) {
    for (std::size_t second = 0; second < names.size(); ++second) {
      if ((first == 0 && second == 1) || !are_customary(names[first], names[second])) continue;
      fail("{}:{}: {} and {} are columns {} and {}; an edge has its ends in the first two columns, in this order",
           lines.path(), number, quoted(names[first]), quoted(names[second]), first + 1, second + 1);
    }
  }
}

/// Throws Error if edges with three columns have names of two columns only. Other libraries then take the first column,
/// which has no name, for numbers of rows.
void require_name_of_third(const std::vector<std::string>& names, const std::vector<std::string>& edge,
                           const LineReader& lines, std::uint64_t number) {
  if (names.size() != 2 || edge.size() != 3) return;
  fail("{}:{}: {} and {} name 2 columns, but line {} has 3; name the weights, or leave out the numbers of rows",
       lines.path(), number, quoted(names[0]), quoted(names[1]), lines.number());
}

bool is_table(const FileKind& kind) { return separator_of(kind.ending) != white_space; }

/// What separates the columns of a file with this first line that is no comment.
char separator_in(std::string_view line, const FileKind& kind) {
  const char separator = separator_of(kind.ending);
  return line.find(separator) == std::string_view::npos ? white_space : separator;
}

/// The names of columns in the first line of a table. A column may have none: that of the numbers of rows.
std::vector<std::string> names_in(const LineColumns& columns) {
  std::vector<std::string> names = columns.values;
  std::erase(names, "");
  return names;
}

bool are_integers(const std::vector<std::string>& labels) {
  return looks_like_integer(labels[0]) && looks_like_integer(labels[1]);
}

/// Finds the first edge, which in a table may follow a line that names the columns.
TextHead read_first_edge(LineReader& lines, const FileKind& kind, LabelWords labels) {
  std::string line;
  if (!lines.next_content(line)) fail("'{}' has no edges", lines.path());
  std::uint64_t offset = lines.line_offset();
  std::uint64_t number = lines.number();
  std::string below;
  const bool more = is_table(kind) && lines.next_content(below);
  if (!more) below.clear();
  const char separator = separator_in(line, kind);
  const LineColumns first = split_columns(line, separator);
  if (first.wrong_quotes) fail("{}:{}: {}", lines.path(), number, *first.wrong_quotes);
  const std::vector<std::string> names = names_in(first);
  const std::vector<std::string> second = split_columns(below, separator).values;
  if (is_table(kind) && names_columns(names, second)) {
    if (!more) fail("'{}' has no edges", lines.path());
    // A name of several words counts as several columns where white space separates them.
    if (names.size() == second.size()) require_ends_first(names, lines, number);
    require_name_of_third(names, second, lines, number);
    line = below;
    offset = lines.line_offset();
    number = lines.number();
  }
  if (const auto reason = why_not_columns(line, separator)) fail("{}:{}: {}", lines.path(), number, *reason);
  const std::vector<std::string> words = split_columns(line, separator).values;
  if (words.size() != 2 && words.size() != 3) {
    fail("{}:{}: {} column{}, but an edge has two labels and perhaps a weight{}", lines.path(), number, words.size(),
         words.size() == 1 ? "" : "s", separators_hint(line, separator));
  }
  const bool integers = labels == LabelWords::integers || (labels == LabelWords::automatic && are_integers(words));
  TextHead head;
  head.separator = separator;
  head.names = integers ? NameKind::integers : NameKind::strings;
  head.weighted = words.size() == 3;
  head.data_offset = offset;
  return head;
}

/// Throws AgreedError if the first lines would not be read as edges between strings. Collective.
void require_strings_again(const std::string& path, const GraphFile& graph, const Context& context) {
  const std::uint64_t some = std::min<std::uint64_t>(2, graph.edges->size());
  const std::string of_rank = named_text(path, graph, 0, some, context);
  const std::vector<char> all = context.ranks.all_gather_varying(std::span<const char>(of_rank));
  const std::string_view text(all.data(), all.size());
  if (text.empty()) return;
  const auto end = text.find('\n');
  const FileKind kind = file_kind(path);
  const char separator = separator_of(kind.ending);
  const std::vector<std::string> first = split_columns(text.substr(0, end), separator).values;
  const std::vector<std::string> below =
      split_columns(text.substr(end + 1, text.find('\n', end + 1) - end - 1), separator).values;
  if (is_table(kind) && names_columns(first, below)) {
    fail<AgreedError>("in '{}', {} and {} would be read as the names of columns; a .txt file keeps them as vertices",
                      path, quoted(first[0]), quoted(first[1]));
  }
  if (text.starts_with(byte_order_mark)) {
    fail<AgreedError>("'{}' would lose the byte order mark that {} begins with; a .breadth file keeps it", path,
                      quoted(first[0]));
  }
  if (are_integers(first)) {
    fail<AgreedError>("in '{}', strings such as {} would be read as integers; a .breadth file keeps strings", path,
                      quoted(first[0]));
  }
}

void write_edges(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  if (graph.names.kind() == NameKind::strings) require_strings_again(file.path(), graph, context);
  write_named_edges(file, graph, context);
}

constexpr TextFormat edge_list_text{.read_head = read_first_edge};
}  // namespace

const GraphFormat& graph_formats::edge_list() {
  static const GraphFormat format{.name = "text",
                                  .endings = {".txt", ".el", ".wel", ".edges", ".edgelist", ".csv", ".tsv"},
                                  .text = &edge_list_text,
                                  .missing_weights = "each line needs a third column",
                                  .read = read_text,
                                  .write = write_edges};
  return format;
}

}  // namespace breadth
