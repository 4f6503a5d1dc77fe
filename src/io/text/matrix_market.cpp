// Matrix Market files in coordinate format.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

// Reading.

namespace {
/// The banner: %%MatrixMarket matrix coordinate FIELD SYMMETRY.
void read_banner(const std::string& line, const std::string& path, TextHead& head) {
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 5 || lower_case(words[0]) != "%%matrixmarket") {
    fail("{}:1: a Matrix Market file starts with '%%MatrixMarket matrix coordinate FIELD SYMMETRY'", path);
  }
  if (lower_case(words[1]) != "matrix") fail("{}:1: {} is not 'matrix'", path, quoted(words[1]));
  if (lower_case(words[2]) != "coordinate") {
    fail("{}:1: the format {} cannot be read; Breadth reads 'coordinate'", path, quoted(words[2]));
  }
  const std::string field = lower_case(words[3]);
  if (field != "pattern" && field != "integer" && field != "real") {
    fail("{}:1: the field {} cannot be read; Breadth reads 'pattern', 'integer' and 'real'", path, quoted(words[3]));
  }
  head.weighted = field != "pattern";
  const std::string symmetry = lower_case(words[4]);
  if (symmetry != "general" && symmetry != "symmetric") {
    fail("{}:1: the symmetry {} cannot be read; Breadth reads 'general' and 'symmetric'", path, quoted(words[4]));
  }
  head.directedness = directed_if(symmetry == "general");
}

/// The size line: rows, columns, entries.
void read_size(const std::string& line, const LineReader& lines, TextHead& head) {
  const std::string& path = lines.path();
  const std::uint64_t number = lines.number();
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 3) {
    fail("{}:{}: {} columns, but this line must give the numbers of rows, columns and entries", path, number,
         words.size());
  }
  std::vector<std::uint64_t> sizes;
  sizes.reserve(words.size());
  for (const std::string_view word : words) sizes.push_back(lines.size(word));
  if (sizes[0] != sizes[1]) {
    fail("{}:{}: a matrix of {} rows and {} columns is not a graph; it must be square", path, number, sizes[0],
         sizes[1]);
  }
  if (sizes[0] > static_cast<std::uint64_t>(label_bound)) {
    fail("{}:{}: {} rows are too many; labels are below 2^48", path, number, sizes[0]);
  }
  if (sizes[2] == 0) fail("'{}' has no edges", path);
  head.vertices = sizes[0];
  head.entries = sizes[2];
}

TextHead read_matrix_market_head(LineReader& lines, const FileKind&, LabelWords) {
  TextHead head;
  head.names = NameKind::range;
  std::string line;
  lines.next(line);
  read_banner(line, lines.path(), head);
  if (!lines.next_content(line)) fail("'{}' is truncated: it ends before the line of sizes", lines.path());
  read_size(line, lines, head);
  head.data_offset = lines.next_offset();
  return head;
}

constexpr TextFormat matrix_market_text{.read_head = read_matrix_market_head};
}  // namespace

// Writing.

namespace {
/// Whether a graph is written with entries for one direction only: the lower triangle.
bool symmetric(const GraphFile& graph) { return graph.directedness != Directedness::directed; }

std::string matrix_market_head(const GraphFile& graph, std::uint64_t vertices) {
  return fmt::format("%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n", graph.weighted ? "real" : "pattern",
                     symmetric(graph) ? "symmetric" : "general", vertices, vertices, graph.edge_count);
}

void write_matrix_market(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  write_numbered_edges(file, matrix_market_head(graph, vertices_to_write(graph, context)), graph,
                       {.first_name = 1, .lower_triangle = symmetric(graph)}, context);
}
}  // namespace

const GraphFormat& graph_formats::matrix_market() {
  static const GraphFormat format{.name = "matrix market",
                                  .endings = {".mtx"},
                                  .text = &matrix_market_text,
                                  .directions = Directions::said,
                                  .first_number = 1,
                                  .missing_weights = "its header says pattern, not integer or real",
                                  .read = read_text,
                                  .write = write_matrix_market};
  return format;
}

}  // namespace breadth
