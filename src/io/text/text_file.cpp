#include "io/text/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <limits>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/memory/memory.hpp"
#include "core/text.hpp"
#include "io/files/input_file.hpp"
#include "io/names/vertex_names.hpp"
#include "io/text/edge_assembler.hpp"

namespace breadth {

// Reading.

namespace {
/// A line that breaks the rules, with its number for the user.
struct FoundLine {
  std::uint64_t offset;  ///< in the whole text
  std::uint64_t number;  ///< from 1 on
  std::string what;
};

/// Throws one AgreedError on every rank if any rank found a bad line: for the first such line. Collective.
void agree_on_bad_line(const std::string& path, const std::optional<FoundLine>& found, const Communicator& ranks) {
  constexpr auto none = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t mine = found ? found->offset : none;
  const std::uint64_t first = ranks.all_reduce(mine, Reduction::minimum);
  if (first == none) return;
  const int finder = ranks.first_with(mine == first);
  std::string message;
  if (ranks.rank() == finder) message = fmt::format("{}:{}: {}", path, found->number, found->what);
  throw AgreedError(ranks.broadcast(message, finder));
}

std::uint64_t line_ends(std::string_view text) { return static_cast<std::uint64_t>(std::ranges::count(text, '\n')); }

/// An upper bound of the number of edges in a text, close to it.
std::uint64_t max_edges(std::string_view text, const TextFormat& format) {
  if (format.edges_of == one_edge) return line_ends(text) + 1;
  std::uint64_t edges = 0;
  for_each_line(text, [&](std::string_view line, std::size_t) { edges += format.edges_of(line); });
  return edges;
}

/// Compares the memory that the edges of a text need with the free memory.
class Room {
 public:
  /// Collective.
  Room(const std::string& path, const TextFormat& format, const TextHead& head, std::uint64_t text_at_a_time,
       const Communicator& ranks)
      : path_(path),
        format_(format),
        text_at_a_time_(text_at_a_time),
        edge_bytes_(sizeof(PackedEdge) + (head.weighted ? sizeof(float) : 0)),
        ranks_(static_cast<std::uint64_t>(ranks.size())),
        ranks_here_(static_cast<std::uint64_t>(ranks.node().size())) {}

  /// Throws OutOfMemory unless this machine has room for its ranks' share of `edges` edges.
  void require_for_file(std::uint64_t edges) const {
    const double needed = static_cast<double>(edges) * static_cast<double>(edge_bytes_) / static_cast<double>(ranks_) *
                          static_cast<double>(ranks_here_);
    const std::uint64_t free = available_memory_bytes();
    if (needed <= static_cast<double>(free)) return;
    constexpr double most = 0x1p63;  // a header may claim any number
    fail<OutOfMemory>("too little memory for '{}': its edges, at least {}, need {} on this machine, {} are free", path_,
                      edges, bytes_text(static_cast<std::uint64_t>(std::min(needed, most))), bytes_text(free));
  }
  /// Adds a piece of text to the assembler; throws OutOfMemory if there is no room for it.
  std::optional<BadLine> add(std::string_view text, EdgeAssembler& assembler) const {
    const std::uint64_t needed = bytes_for(text);
    const std::uint64_t free = available_memory_bytes();
    if (needed > free) {
      refuse(text, assembler,
             fmt::format("need {} on this machine, {} are free", bytes_text(needed), bytes_text(free)));
    }
    try {
      return assembler.add(text);
    } catch (const OutOfMemory& error) {
      refuse(text, assembler, fmt::format("do not fit: {}", error.what()));
    } catch (const std::bad_alloc&) {
      refuse(text, assembler, "do not fit: no room for names");
    }
  }

 private:
  /// The memory for a piece of text on each rank of the machine: parsed data of the threads, its edges, and once more
  /// the text, because the next piece is read meanwhile.
  [[nodiscard]] std::uint64_t bytes_for(std::string_view text) const {
    constexpr std::uint64_t parsed_bytes = 5;  // per byte of text, at most: a copy, and two integers for a line of 4
                                               // bytes
    const std::uint64_t parsed = parsed_bytes * std::min<std::uint64_t>(text.size(), text_at_a_time_);
    return (max_edges(text, format_) * edge_bytes_ + parsed + text.size()) * ranks_here_;
  }
  [[noreturn]] void refuse(std::string_view text, const EdgeAssembler& assembler, const std::string& why) const {
    fail<OutOfMemory>("too little memory for '{}': after {} edges on this rank the next {} of text {}", path_,
                      assembler.size(), bytes_text(text.size()), why);
  }

  const std::string& path_;
  const TextFormat& format_;
  std::uint64_t text_at_a_time_;  ///< that all threads of a rank parse at a time
  std::uint64_t edge_bytes_;
  std::uint64_t ranks_;
  std::uint64_t ranks_here_;
};

/// Calls look(window) for each piece of this rank's share of the bytes, until it returns a bad line. Collective.
template <class Look>
std::optional<FoundLine> look_at_share(const std::string& path, const TextHead& head, const ReadOptions& options,
                                       const Communicator& ranks, Look&& look) {
  return run_together(ranks, [&]() -> std::optional<FoundLine> {
    const MappedFile file(path);
    const std::string_view text = file.text();
    const std::string_view share =
        line_share(text.substr(std::min<std::size_t>(head.data_offset, text.size())),
                   static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
    const std::size_t windows = share.size() / options.window_bytes + 1;
    for (std::size_t i = 0; i < windows; ++i) {
      const std::string_view window = line_share(share, i, windows);
      const auto first = static_cast<std::size_t>(window.data() - text.data());
      const std::optional<BadLine> bad = look(window);
      bad ? file.check_unchanged() : file.check_pages();
      if (bad) {
        const std::uint64_t offset = first + bad->offset;
        return FoundLine{offset, line_ends(text.substr(0, offset)) + 1, bad->what};
      }
      file.release(first, first + window.size());
    }
    file.check_unchanged();
    return std::nullopt;
  });
}

/// Reads a plain file: every rank reads its share of the bytes. If the format counts rows, a first pass finds the first
/// row of each share.
void read_plain(const std::string& path, const FileKind& kind, const TextHead& head, const ReadOptions& options,
                const Room& room, EdgeAssembler& assembler, const Communicator& ranks) {
  if (kind.format->text->counts_rows) {
    look_at_share(path, head, options, ranks, [&](std::string_view window) -> std::optional<BadLine> {
      assembler.skip(window);
      return std::nullopt;
    });
    assembler.go_to_row(ranks.sum_before(assembler.row()));
  }
  const auto add = [&](std::string_view window) { return room.add(window, assembler); };
  agree_on_bad_line(path, look_at_share(path, head, options, ranks, add), ranks);
}

/// The place of a rank's share of a round in the text. A plain value, to be sent.
struct Share {
  std::uint64_t offset = 0;
  std::uint64_t first_line = 0;
  std::uint64_t first_row = 0;
  std::uint64_t bytes = 0;
};

/// A piece of a decompressed text. The ranks' shares of it are consecutive.
struct Round {
  std::string text;
  std::vector<Share> shares;
};

/// Decompresses a file and divides its text into rounds.
class RoundReader {
 public:
  RoundReader(const std::string& path, const FileKind& kind, const TextHead& head, std::size_t round_bytes, int ranks)
      : path_(path),
        format_(*kind.format->text),
        source_(open_source(path, kind.compression)),
        longest_line_(head.longest_line),
        round_bytes_(round_bytes),
        ranks_(static_cast<std::size_t>(ranks)),
        offset_(head.data_offset) {
    std::string skipped(offset_, '\0');
    if (source_->read(skipped) != offset_) fail("'{}' changed while it was read", path);
    line_ = line_ends(skipped) + 1;
  }

  /// Returns the next round; its text is empty at the end of the file.
  Round next() {
    Round round;
    round.text = std::exchange(rest_, {});
    bool ended = false;
    std::size_t whole = 0;  // bytes of complete lines
    while (!ended && whole == 0) {
      ended = fill(round.text);
      whole = ended ? round.text.size() : round.text.rfind('\n') + 1;
      if (round.text.size() - whole > longest_line_) {
        const std::uint64_t line = line_ + line_ends(std::string_view(round.text).substr(0, whole));
        fail("{}:{}: this line has no end within {} bytes", path_, line, longest_line_);
      }
    }
    rest_ = round.text.substr(whole);
    round.text.resize(whole);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const std::string_view share = line_share(round.text, rank, ranks_);
      round.shares.push_back({offset_, line_, row_, share.size()});
      offset_ += share.size();
      line_ += line_ends(share);
      row_ += rows_in(share, format_);
    }
    return round;
  }

 private:
  /// Appends up to round_bytes_ bytes; returns whether the file ended earlier.
  bool fill(std::string& text) {
    const std::size_t piece = std::min(round_bytes_, std::size_t{1} << 20);  // a small file touches little memory
    text.reserve(text.size() + round_bytes_);
    for (std::size_t got = 0; got < round_bytes_; got += piece) {
      const std::size_t kept = text.size();
      text.resize(kept + piece);
      text.resize(kept + source_->read(std::span(text).subspan(kept)));
      if (text.size() < kept + piece) return true;
    }
    return false;
  }

  std::string path_;
  const TextFormat& format_;
  std::unique_ptr<ByteSource> source_;
  std::uint64_t longest_line_;
  std::size_t round_bytes_;
  std::size_t ranks_;
  std::string rest_;  ///< the beginning of a line whose end has not been read
  std::uint64_t offset_;
  std::uint64_t line_ = 1;
  std::uint64_t row_ = 0;
};

/// Sends each rank its share of a round from rank 0. Collective.
std::string distribute(const Round& round, const Communicator& ranks) {
  const bool first = ranks.rank() == 0;
  std::vector<std::size_t> send(round.shares.size(), 0);
  std::vector<std::size_t> receive(round.shares.size(), 0);
  for (std::size_t r = 0; first && r < send.size(); ++r) send[r] = round.shares[r].bytes;
  receive[0] = round.shares[static_cast<std::size_t>(ranks.rank())].bytes;
  std::string text(receive[0], '\0');
  ranks.all_to_all(std::span<const char>(round.text), send, std::span<char>(text), receive);
  return text;
}

/// Reads a compressed file: rank 0 decompresses and all ranks parse; the next round is decompressed while one is
/// parsed.
void read_compressed(const std::string& path, const FileKind& kind, const TextHead& head, const ReadOptions& options,
                     const Room& room, EdgeAssembler& assembler, const Communicator& ranks) {
  const std::size_t round_bytes = std::max<std::size_t>(options.window_bytes / 2, 1);  // two exist at a time
  const bool first = ranks.rank() == 0;
  std::unique_ptr<RoundReader> reader = run_together(ranks, [&] {
    return first ? std::make_unique<RoundReader>(path, kind, head, round_bytes, ranks.size()) : nullptr;
  });
  std::future<Round> ahead;
  const auto policy = MessagePassing::supports_threads() ? std::launch::async : std::launch::deferred;
  const auto start_next = [&] {
    if (first) ahead = std::async(policy, [&reader] { return reader->next(); });
  };
  run_together(ranks, start_next);
  while (true) {
    Round round = run_together(ranks, [&] { return first ? ahead.get() : Round{}; });
    round.shares.resize(static_cast<std::size_t>(ranks.size()));
    ranks.broadcast(std::span(round.shares), 0);
    if (std::ranges::all_of(round.shares, [](const Share& share) { return share.bytes == 0; })) {
      return;
    }
    run_together(ranks, start_next);
    const std::string text = ranks.size() == 1 ? std::move(round.text) : distribute(round, ranks);
    const Share& share = round.shares[static_cast<std::size_t>(ranks.rank())];
    assembler.go_to_row(share.first_row);
    const auto found = run_together(ranks, [&]() -> std::optional<FoundLine> {
      const auto bad = room.add(text, assembler);
      if (!bad) return std::nullopt;
      const std::uint64_t lines_before = line_ends(std::string_view(text).substr(0, bad->offset));
      return FoundLine{share.offset + bad->offset, share.first_line + lines_before, bad->what};
    });
    agree_on_bad_line(path, found, ranks);
  }
}

/// The number of lines of a file.
std::uint64_t lines_of(const std::string& path, const FileKind& kind) {
  const std::unique_ptr<ByteSource> source = open_source(path, kind.compression);
  std::string piece(std::size_t{1} << 16, '\n');
  std::uint64_t lines = 0;
  char last = '\n';
  while (const std::size_t got = source->read(piece)) {
    lines += line_ends(std::string_view(piece).substr(0, got));
    last = piece[got - 1];
  }
  return lines + (last == '\n' ? 0U : 1U);
}

/// Throws AgreedError unless a file has the rows and edges that its head says, with both ends of each edge if it lists
/// both. Collective.
void require_whole(const std::string& path, const FileKind& kind, const TextHead& head, std::uint64_t edges,
                   const EdgeAssembler& assembler, const Communicator& ranks) {
  const bool by_rows = kind.format->text->counts_rows;
  const std::uint64_t rows = ranks.all_reduce(assembler.row(), Reduction::maximum);
  if (by_rows && rows < head.vertices) {
    const std::uint64_t lines = run_together(ranks, [&] { return lines_of(path, kind); });
    fail<AgreedError>("{}:{}: the file ends here, after {} of the {} vertices that its header says", path, lines, rows,
                      head.vertices);
  }
  if (head.says_entries() && edges != head.entries) {
    fail<AgreedError>("'{}' has {} entries, but its header says {}{}", path, edges, head.entries,
                      edges < head.entries && !by_rows ? "; it is truncated" : "");
  }
  if (ranks.all_reduce(assembler.balance(), Reduction::sum) != 0) {
    fail<AgreedError>("'{}' lists an edge at only one of its two ends, or with different weights there", path);
  }
}
}  // namespace

GraphFile read_text(const std::string& path, const FileKind& kind, const ReadOptions& options, const Context& context) {
  const Communicator& ranks = context.ranks;
  TextSize size = run_together(
      ranks, [&] { return ranks.rank() == 0 ? estimate_text_size(path, kind, options.labels) : TextSize{}; });
  ranks.broadcast(std::span(&size, 1), 0);
  TextHead& head = size.head;
  if (options.weights != WeightUse::optional) head.min_weight = 0;
  const TextFormat& format = *kind.format->text;
  const Room room(path, format, head, options.block_bytes * static_cast<std::uint64_t>(context.threads.size()), ranks);
  run_together(ranks, [&] { room.require_for_file(size.fewest_edges); });

  EdgeAssembler assembler(format, head, options.block_bytes, options.parsed_bytes, context.threads);
  if (kind.compression == Compression::none) {
    read_plain(path, kind, head, options, room, assembler, ranks);
  } else {
    read_compressed(path, kind, head, options, room, assembler, ranks);
  }

  GraphFile graph{.path = path, .kind = kind, .weighted = head.weighted, .directedness = head.directedness};
  graph.edge_count = ranks.all_reduce(assembler.size(), Reduction::sum);
  require_whole(path, kind, head, graph.edge_count, assembler, ranks);
  NamedEdgeList named = assembler.finish(graph.edge_count, ranks);
  graph.edges = std::move(named.edges);
  graph.names = std::move(named.names);
  graph.every_label_is_vertex = head.names == NameKind::range || graph.names.kind() != NameKind::range;
  return graph;
}

// Writing.

namespace {
EdgeBlock read_block(const GraphFile& graph, std::uint64_t first, std::uint64_t last) {
  EdgeBlock block(*graph.edges, first, last - first, graph.weighted);
  require_labels_below(*graph.edges, block.edges, graph.names.count());
  graph.edges->check_unchanged();
  return block;
}

void append_weight(const EdgeBlock& block, std::size_t i, char separator, std::string& text) {
  if (!block.weights.empty()) append(text, "{}{}", separator, block.weights[i]);
  text += '\n';
}

/// Lines of edges whose names are their labels plus a constant.
std::string integer_lines(const EdgeBlock& block, const NumberedEdges& numbers, ThreadTeam& threads) {
  return make_lines(threads, block.edges.size(), [&](std::size_t i, std::string& text) {
    Edge edge = block.edges[i];
    if (numbers.lower_triangle && edge.source < edge.target) std::swap(edge.source, edge.target);
    append(text, "{}{}{}", edge.source.value + numbers.first_name, numbers.separator,
           edge.target.value + numbers.first_name);
    append_weight(block, i, numbers.separator, text);
  });
}

/// Throws Error for a name that would not be read again from a file in which white space separates columns. The names
/// are those of sources and targets in turn.
void require_words(const std::string& path, const NameList& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i % 2 == 0 && is_comment(names[i])) {
      fail("{} would begin a comment in '{}'; a .breadth file keeps it", quoted(names[i]), path);
    }
    if (find_no_word(names[i]) != std::string_view::npos) {
      fail("{} has white space or a comma, which would separate columns in '{}'; a .csv or .breadth file keeps it",
           quoted(names[i]), path);
    }
  }
}

/// Lines of edges with names from a dictionary: source and target of each edge in turn.
std::string named_lines(const EdgeBlock& block, NameKind kind, const NameList& names, char separator,
                        ThreadTeam& threads) {
  return make_lines(threads, block.edges.size(), [&](std::size_t i, std::string& text) {
    append_value(displayed(kind, names[2 * i]), separator, text);
    text += separator;
    append_value(displayed(kind, names[2 * i + 1]), separator, text);
    append_weight(block, i, separator, text);
  });
}
}  // namespace

char separator_of(std::string_view ending) {
  if (ending == ".csv") return ',';
  return ending == ".tsv" ? '\t' : white_space;
}

std::uint64_t vertices_to_write(const GraphFile& graph, const Context& context) {
  if (graph.every_label_is_vertex) return graph.names.count();
  return static_cast<std::uint64_t>(find_occurrence(*graph.edges, no_label, context).largest.value) + 1;
}

std::string named_text(const std::string& path, const GraphFile& graph, std::uint64_t first, std::uint64_t last,
                       const Context& context) {
  const EdgeBlock block = run_together(context.ranks, [&] { return read_block(graph, first, last); });
  std::vector<Label> labels;
  for (const Edge& edge : block.edges) labels.insert(labels.end(), {edge.source, edge.target});
  const NameList names = graph.names.names_of(labels, context.ranks);
  return run_together(context.ranks, [&] {
    const char separator = separator_of(file_kind(path).ending);
    if (graph.names.kind() == NameKind::strings && separator == white_space) require_words(path, names);
    return named_lines(block, graph.names.kind(), names, separator, context.threads);
  });
}

void write_named_edges(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  if (graph.names.kind() == NameKind::range) {
    return write_numbered_edges(
        file, "", graph, {.first_name = graph.names.first(), .separator = separator_of(file_kind(file.path()).ending)},
        context);
  }
  write_lines(file, "", graph.edges->size(), [&](std::uint64_t first, std::uint64_t last) {
    return named_text(file.path(), graph, first, last, context);
  });
}

void write_numbered_edges(SharedOutputFile& file, const std::string& head, const GraphFile& graph,
                          const NumberedEdges& numbers, const Context& context) {
  write_lines(file, head, graph.edges->size(), [&](std::uint64_t first, std::uint64_t last) {
    const EdgeBlock block = run_together(context.ranks, [&] { return read_block(graph, first, last); });
    return integer_lines(block, numbers, context.threads);
  });
}

}  // namespace breadth
