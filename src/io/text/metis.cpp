// METIS files: line n lists the neighbours of vertex n, so that each edge appears twice, once at each of its ends.
// Format by the manual of METIS 5.1, section 4.1.1; DIMACS10, KaHIP and NetworKit also write such files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "comm/agreement.hpp"
#include "comm/exchange/values_for_ranks.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/ids.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "io/files/hash.hpp"
#include "io/text/text_file.hpp"
#include "io/text/text_head.hpp"

namespace breadth {

// Reading.

namespace {
/// Whether edges have weights, according to the format: three digits for sizes of vertices, weights of vertices and
/// weights of edges.
bool read_weights_digit(std::string_view word, const LineReader& lines) {
  if (word == "1" || word == "01" || word == "001") return true;
  if (word == "0" || word == "00" || word == "000") return false;
  fail(
      "{}:{}: the format {} cannot be read; Breadth reads 0 and 1 (weights of edges), not weights or sizes of vertices",
      lines.path(), lines.number(), quoted(word));
}

/// The header: vertices, edges and optionally the format.
TextHead read_metis_head(LineReader& lines, const FileKind&, LabelWords) {
  std::string line;
  if (!lines.next_content(line)) fail("'{}' is truncated: it ends before its header", lines.path());
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 2 && words.size() != 3) {
    fail(
        "{}:{}: {} columns, but the header of a METIS file gives the numbers of vertices and edges, and perhaps a "
        "format",
        lines.path(), lines.number(), words.size());
  }
  TextHead head{.names = NameKind::range, .directedness = Directedness::undirected};
  head.vertices = lines.size(words[0]);
  head.entries = lines.size(words[1]);
  head.weighted = words.size() == 3 && read_weights_digit(words[2], lines);
  if (head.vertices > static_cast<std::uint64_t>(label_bound)) {
    fail("{}:{}: {} vertices are too many; labels are below 2^48", lines.path(), lines.number(), head.vertices);
  }
  if (head.entries == 0) fail("'{}' has no edges", lines.path());
  head.data_offset = lines.next_offset();
  constexpr std::uint64_t max_bytes = 32;  // for a neighbour, its weight and a generous layout
  head.longest_line = std::max(head.longest_line, max_bytes * std::min(head.vertices, head.entries));
  return head;
}

bool is_metis_comment(std::string_view line) { return line.starts_with('%'); }

std::uint64_t words_of(std::string_view line) {
  std::uint64_t words = 0;
  while (!take_word(line).empty()) ++words;
  return words;
}

/// The hash of an edge; equal at both of its ends.
std::uint64_t hash_of_edge(std::int64_t low, std::int64_t high, float weight) {
  const std::array<std::int64_t, 3> edge{low, high, std::bit_cast<std::int32_t>(weight)};
  return hash_of(std::as_bytes(std::span(edge)));
}

/// Appends the edges from a row's vertex to vertices that are not smaller. Returns a description of an error, if any.
std::optional<std::string> parse_row(std::string_view line, std::int64_t vertex, const LineRules& rules,
                                     ParsedLines& lines) {
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
    if (vertex > rules.last_label)
      return fmt::format("there are more rows than the {} vertices that the header says", rules.last_label);
    std::int64_t neighbour = 0;
    float weight = 0;
    if (std::optional<std::string> why = read_label(word, rules, neighbour)) return why;
    if (rules.weighted) {
      word = take_word(line);
      if (word.empty()) return fmt::format("the edge to {} has no weight", neighbour);
      if (std::optional<std::string> why = read_weight(word, rules, weight)) return why;
    }
    if (vertex > neighbour) {
      lines.balance -= hash_of_edge(neighbour, vertex, weight);
      continue;
    }
    if (vertex < neighbour) lines.balance += hash_of_edge(vertex, neighbour, weight);
    lines.integers.insert(lines.integers.end(), {vertex, neighbour});
    if (rules.weighted) lines.weights.push_back(weight);
  }
  return std::nullopt;
}

std::optional<BadLine> parse_rows(std::string_view text, std::uint64_t first_row, const LineRules& rules, NameKind,
                                  ParsedLines& lines) {
  auto vertex = static_cast<std::int64_t>(first_row);
  std::optional<BadLine> bad;
  for_each_line(text, [&](std::string_view line, std::size_t offset) {
    if (bad || is_metis_comment(line)) return;
    ++vertex;
    const std::optional<std::string> why = parse_row(line, vertex, rules, lines);
    if (why) bad = BadLine{offset, why_not_text(line).value_or(*why)};
  });
  return bad;
}

constexpr TextFormat metis_text{.read_head = read_metis_head,
                                .parse = parse_rows,
                                .edges_of = words_of,
                                .is_comment = is_metis_comment,
                                .counts_rows = true};
}  // namespace

// Writing.

namespace {
constexpr WeightRule whole_weights{
    [](float weight) { return weight >= 1 && weight < 0x1p31F && std::trunc(weight) == weight; },
    "METIS files have whole weights from 1 to 2^31 - 1"};

/// An edge at one of its ends.
struct EdgeEnd {
  Label at = no_label;
  Label to = no_label;
  float weight = 0;
};

/// The number of ends of all ranks' edges at this rank's vertices, without self-loops. Collective.
std::uint64_t count_ends(const EdgeList& list, const BlockDistribution& vertices, const Context& context) {
  std::vector<std::vector<std::size_t>> of_threads(
      static_cast<std::size_t>(context.threads.size()),
      std::vector<std::size_t>(static_cast<std::size_t>(vertices.ranks())));
  run_together(context.ranks, [&] {
    parallel_edge_blocks(context.threads, list, 0, list.size(), false,
                         [&](std::span<const Edge> edges, std::span<const float>, int thread) {
                           require_labels_below(list, edges, vertices.vertex_count());
                           auto& counts = of_threads[static_cast<std::size_t>(thread)];
                           for (const auto& [source, target] : edges) {
                             if (source == target) continue;
                             ++counts[static_cast<std::size_t>(vertices.owner(source))];
                             ++counts[static_cast<std::size_t>(vertices.owner(target))];
                           }
                         });
  });
  std::vector<std::size_t> counts(static_cast<std::size_t>(vertices.ranks()));
  for (const auto& of_thread : of_threads) {
    std::ranges::transform(counts, of_thread, counts.begin(), std::plus());
  }
  return sum_of(context.ranks.exchange_counts(counts));
}

/// Throws OutOfMemory unless this machine has room for its ranks' ends while they are sorted: merging needs memory for
/// half of them once more. Collective.
void require_room_for_ends(const std::string& path, std::uint64_t ends, const Communicator& ranks) {
  const std::uint64_t needed = ranks.node().all_reduce(ends, Reduction::sum) * (sizeof(EdgeEnd) + sizeof(EdgeEnd) / 2);
  run_together(ranks, [&] {
    const std::uint64_t free = available_memory_bytes();
    if (needed <= free) return;
    fail<OutOfMemory>(
        "too little memory for '{}': sorting the edges at both of their ends needs {} on this machine, {} are free; "
        "use more machines or another format",
        path, bytes_text(needed), bytes_text(free));
  });
}

/// The ends of all ranks' edges at this rank's vertices, in no order, without self-loops. Collective.
std::vector<EdgeEnd> gather_ends(const std::string& path, const GraphFile& graph, const BlockDistribution& vertices,
                                 const Context& context) {
  const Communicator& ranks = context.ranks;
  const std::uint64_t count = count_ends(*graph.edges, vertices, context);
  require_room_for_ends(path, count, ranks);
  std::vector<EdgeEnd> here;
  run_together(ranks, [&] { here.reserve(count); });  // growing would need up to three times the memory
  ValuesForRanks<EdgeEnd> ends(context);
  const auto add_ends = [&](std::span<const Edge> edges, std::span<const float> weights, int thread) {
    require_labels_below(*graph.edges, edges, vertices.vertex_count());
    for (std::size_t i = 0; i < edges.size(); ++i) {
      const auto [source, target] = edges[i];
      if (source == target) continue;
      const float weight = graph.weighted ? weights[i] : 0;
      ends.add(thread, vertices.owner(source), {source, target, weight});
      ends.add(thread, vertices.owner(target), {target, source, weight});
    }
  };
  for_each_round(graph.edges->size(), messages_per_round(context), ranks, [&](std::uint64_t first, std::uint64_t last) {
    run_together(ranks,
                 [&] { parallel_edge_blocks(context.threads, *graph.edges, first, last, graph.weighted, add_ends); });
    const std::span<const EdgeEnd> received = ends.exchange();
    run_together(ranks, [&] { here.insert(here.end(), received.begin(), received.end()); });
  });
  return here;
}

/// Collects the ends of all ranks' edges at this rank's vertices, sorted by vertex and neighbour, without self-loops;
/// of several edges between two vertices only the lightest. 36 bytes per end; throws OutOfMemory if there is no room.
/// Collective.
std::vector<EdgeEnd> sorted_ends(const std::string& path, const GraphFile& graph, const BlockDistribution& vertices,
                                 const Context& context) {
  std::vector<EdgeEnd> here = gather_ends(path, graph, vertices, context);
  const auto key = [](const EdgeEnd& end) { return std::tie(end.at, end.to, end.weight); };
  run_together(context.ranks, [&] {
    parallel_sort(context.threads, std::span(here),
                  [&](const EdgeEnd& a, const EdgeEnd& b) { return key(a) < key(b); });
  });
  const auto same = [](const EdgeEnd& a, const EdgeEnd& b) { return a.at == b.at && a.to == b.to; };
  here.erase(std::unique(here.begin(), here.end(), same), here.end());
  return here;
}

void append_row(std::span<const EdgeEnd> ends, bool weighted, std::string& text) {
  for (const EdgeEnd& end : ends) {
    if (&end != ends.data()) text += ' ';
    append(text, "{}", end.to.value + 1);
    if (weighted) append(text, " {}", static_cast<std::int64_t>(end.weight));
  }
  text += '\n';
}

/// Writes a METIS file. Self-loops are left out and parallel edges are merged, because the format has neither.
void write_metis(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  const BlockDistribution vertices(vertices_to_write(graph, context), context.ranks.size());
  const std::vector<EdgeEnd> ends = sorted_ends(file.path(), graph, vertices, context);
  const std::uint64_t edges = context.ranks.all_reduce(std::uint64_t{ends.size()}, Reduction::sum) / 2;
  if (edges == 0) {
    fail<AgreedError>("'{}' cannot hold '{}': all of its edges are self-loops", file.path(), graph.path);
  }
  const std::int64_t first = vertices.first(context.ranks.rank()).value;
  const auto from = [&](std::uint64_t row) {
    const Label vertex{first + static_cast<std::int64_t>(row)};
    return std::ranges::lower_bound(ends, vertex, {}, &EdgeEnd::at);
  };
  const std::string head = fmt::format("{} {}{}\n", vertices.vertex_count(), edges, graph.weighted ? " 1" : "");
  const std::size_t rows = vertices.count(context.ranks.rank());
  const std::uint64_t ends_per_row = std::max<std::uint64_t>(1, ends.size() / std::max<std::size_t>(1, rows));
  const auto rows_for = [&](std::uint64_t short_rows) { return std::max<std::uint64_t>(1, short_rows / ends_per_row); };
  const auto text_of = [&](std::uint64_t begin, std::uint64_t end) {
    const auto append_line = [&](std::size_t i, std::string& text) {
      append_row({from(begin + i), from(begin + i + 1)}, graph.weighted, text);
    };
    return make_lines(context.threads, end - begin, append_line, rows_for(items_of_a_thread));
  };
  write_lines(file, head, rows, text_of, rows_for(items_of_a_round));
}
}  // namespace

const GraphFormat& graph_formats::metis() {
  static const GraphFormat format{.name = "metis",
                                  .endings = {".graph", ".metis"},
                                  .text = &metis_text,
                                  .directions = Directions::undirected,
                                  .first_number = 1,
                                  .weights = &whole_weights,
                                  .missing_weights = "the format in its header is not 1",
                                  .read = read_text,
                                  .write = write_metis};
  return format;
}

}  // namespace breadth
