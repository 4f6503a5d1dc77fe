#include "io/text/text_head.hpp"

#include <algorithm>
#include <span>

#include "core/errors.hpp"

namespace breadth {

// The beginning.

namespace {
constexpr std::string_view gzip_magic = "\x1F\x8B";
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";
}  // namespace

LineReader::LineReader(const std::string& path, const FileKind& kind)
    : path_(path), format_(*kind.format->text), source_(open_source(path, kind.compression)) {
  fill();
  if (buffer_.empty()) fail("'{}' is empty", path);
  if (kind.compression == Compression::none && buffer_.starts_with(gzip_magic)) {
    fail("'{}' is gzip data; its name must end in .gz", path);
  }
  if (kind.compression == Compression::none && buffer_.starts_with(zstd_magic)) {
    fail("'{}' is zstd data; its name must end in .zst", path);
  }
  if (buffer_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool LineReader::next(std::string& line) {
  constexpr std::size_t longest = std::size_t{1} << 20;
  std::size_t end = buffer_.find('\n', at_);
  while (end == std::string::npos && buffer_.size() - at_ < longest && fill()) end = buffer_.find('\n', at_);
  if (end == std::string::npos && at_ == buffer_.size()) return false;
  ++number_;
  line = buffer_.substr(at_, end == std::string::npos ? end : end - at_);
  if (const auto reason = why_not_text(line)) fail("{}:{}: {}", path_, number_, *reason);
  if (line.size() >= longest) fail("{}:{}: this line has no end within {} bytes", path_, number_, longest);
  line_offset_ = dropped_ + at_;
  at_ = end == std::string::npos ? buffer_.size() : end + 1;
  return true;
}

bool LineReader::next_content(std::string& line) {
  bool more = next(line);
  while (more && format_.is_comment(line)) more = next(line);
  return more;
}

std::uint64_t LineReader::size(std::string_view word) const {
  const std::optional<std::int64_t> size = parse_integer(word);
  if (!size || *size < 0) fail("{}:{}: {} is not a size", path_, number_, quoted(word));
  return static_cast<std::uint64_t>(*size);
}

bool LineReader::fill() {
  constexpr std::size_t piece = std::size_t{64} << 10;
  buffer_.erase(0, at_);
  dropped_ += at_;
  at_ = 0;
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + piece);
  buffer_.resize(kept + source_->read(std::span(buffer_).subspan(kept)));
  return buffer_.size() > kept;
}

LineRules TextHead::rules() const {
  LineRules rules{.separator = separator, .weighted = weighted, .min_weight = min_weight};
  if (names == NameKind::range) {
    rules.first_label = 1;
    rules.last_label = static_cast<std::int64_t>(vertices);
    rules.columns_from = "the header";
  }
  return rules;
}

std::optional<BadLine> parse_edge_lines(std::string_view text, std::uint64_t, const LineRules& rules, NameKind names,
                                        ParsedLines& lines) {
  return names == NameKind::strings ? parse_word_lines(text, rules, lines) : parse_integer_lines(text, rules, lines);
}

std::uint64_t rows_in(std::string_view text, const TextFormat& format) {
  std::uint64_t rows = 0;
  if (!format.counts_rows) return rows;
  for_each_line(text, [&](std::string_view line, std::size_t) { rows += format.is_comment(line) ? 0U : 1U; });
  return rows;
}

// The number of edges of a text before it is read.

namespace {
/// The edges and bytes of sampled text.
struct Sample {
  const TextFormat& format;
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;

  /// Counts the edges of a piece that is cut at any positions: those of lines that start and end in it. A piece without
  /// a line end adds only bytes.
  void add(std::string_view text, bool starts_a_line) {
    const std::size_t first_end = text.find('\n');
    if (!starts_a_line && first_end != std::string_view::npos) text.remove_prefix(first_end + 1);
    const std::string_view lines = text.substr(0, text.rfind('\n') + 1);
    for_each_line(lines, [&](std::string_view line, std::size_t) {
      if (!format.is_comment(line)) edges += format.edges_of(line);
    });
    bytes += lines.empty() ? text.size() : lines.size();
  }
  /// The estimated number of edges in `text_bytes` of such text.
  [[nodiscard]] std::uint64_t edges_in(double text_bytes) const {
    return bytes == 0
               ? edges
               : static_cast<std::uint64_t>(static_cast<double>(edges) / static_cast<double>(bytes) * text_bytes);
  }
};

std::uint64_t estimate_plain(const std::string& path, const TextFormat& format, std::uint64_t data_offset) {
  constexpr std::uint64_t parts = 16;
  constexpr std::size_t part_bytes = std::size_t{64} << 10;
  const FileDescriptor file = open_to_read(path);
  const std::uint64_t size = file.size() - std::min(file.size(), data_offset);
  Sample sample{format};
  std::string text;
  for (std::uint64_t part = 0; part < parts; ++part) {
    text.resize(part_bytes);
    text.resize(file.read_at(data_offset + size / parts * part, text));
    if (!text.empty()) sample.add(text, part == 0);
  }
  return sample.edges_in(static_cast<double>(size));
}

std::uint64_t estimate_compressed(const std::string& path, const FileKind& kind, std::uint64_t data_offset) {
  constexpr std::size_t sample_bytes = std::size_t{4} << 20;
  const auto file_bytes = static_cast<double>(open_to_read(path).size());
  const std::unique_ptr<ByteSource> source = open_source(path, kind.compression);
  std::string text(data_offset + sample_bytes, '\0');
  text.resize(source->read(text));
  const auto text_bytes = static_cast<double>(text.size()) / static_cast<double>(source->consumed()) * file_bytes;
  Sample sample{*kind.format->text};
  sample.add(std::string_view(text).substr(std::min<std::size_t>(data_offset, text.size())), true);
  return sample.edges_in(text_bytes - static_cast<double>(data_offset));
}
}  // namespace

TextSize estimate_text_size(const std::string& path, const FileKind& kind, LabelWords labels) {
  LineReader lines(path, kind);
  TextSize size{.head = kind.format->text->read_head(lines, kind, labels)};
  if (size.head.says_entries()) {
    size.edges = size.head.entries;
    size.fewest_edges = size.edges;
  } else if (kind.compression == Compression::none) {
    size.edges = estimate_plain(path, *kind.format->text, size.head.data_offset);
    size.fewest_edges = size.edges / 10 * 9;
  } else {
    size.edges = estimate_compressed(path, kind, size.head.data_offset);
    size.fewest_edges = size.edges / 2;
  }
  return size;
}

}  // namespace breadth
