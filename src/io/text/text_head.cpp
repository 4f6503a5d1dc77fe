#include "io/text/text_file.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "io/files/input_file.hpp"

namespace breadth {

// The beginning.

namespace {
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view gzip_magic = "\x1F\x8B";
constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

/// The lines of a file, from its beginning.
class LineReader {
 public:
  LineReader(const std::string& path, Compression compression) : path_(path), source_(open_source(path, compression)) {
    fill();
    if (buffer_.empty()) fail("'{}' is empty", path);
    if (compression == Compression::none && buffer_.starts_with(gzip_magic)) {
      fail("'{}' is gzip data; its name must end in .gz", path);
    }
    if (compression == Compression::none && buffer_.starts_with(zstd_magic)) {
      fail("'{}' is zstd data; its name must end in .zst", path);
    }
    if (buffer_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
  }

  /// The next line without its end; false after the last.
  bool next(std::string& line) {
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

  /// Where the line that was read last starts, and where the next one does.
  [[nodiscard]] std::uint64_t line_offset() const { return line_offset_; }
  [[nodiscard]] std::uint64_t next_offset() const { return dropped_ + at_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 private:
  /// Reads on; false at the end of the file.
  bool fill() {
    constexpr std::size_t piece = std::size_t{64} << 10;
    buffer_.erase(0, at_);
    dropped_ += at_;
    at_ = 0;
    const std::size_t kept = buffer_.size();
    buffer_.resize(kept + piece);
    buffer_.resize(kept + source_->read(std::span(buffer_).subspan(kept)));
    return buffer_.size() > kept;
  }

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t dropped_ = 0;  ///< bytes of the file before the buffer
  std::uint64_t line_offset_ = 0;
  std::uint64_t number_ = 0;
};

/// The next line that says something; false after the last.
bool next_content(LineReader& lines, std::string& line) {
  bool more = lines.next(line);
  while (more && is_comment(line)) more = lines.next(line);
  return more;
}

/// Whether the first line of a table names its columns: it has no number, and the line below has a number for each
/// label, or for the weight.
bool names_columns(const std::vector<std::string_view>& first, const std::vector<std::string_view>& below) {
  if (std::any_of(first.begin(), first.end(), is_number)) return false;
  const bool labels = below.size() >= 2 && is_number(below[0]) && is_number(below[1]);
  return labels || (below.size() == 3 && is_number(below[2]));
}

TextHead read_first_edge(LineReader& lines, const std::string& path, bool table, LabelWords labels) {
  std::string line;
  if (!next_content(lines, line)) fail("'{}' has no edges", path);
  std::uint64_t offset = lines.line_offset();
  std::uint64_t number = lines.number();
  std::string below;
  if (table && next_content(lines, below) && names_columns(split_line(line), split_line(below))) {
    line = below;
    offset = lines.line_offset();
    number = lines.number();
  }
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 2 && words.size() != 3) {
    fail("{}:{}: {} column{}, but an edge has two labels and perhaps a weight{}", path, number, words.size(),
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

std::string lower_case(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

/// The banner: %%MatrixMarket matrix coordinate FIELD SYMMETRY.
void read_banner(const std::string& line, const std::string& path, TextHead& head) {
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 5 || lower_case(words[0]) != "%%matrixmarket") {
    fail("{}:1: a Matrix Market file starts with '%%MatrixMarket matrix coordinate FIELD SYMMETRY'", path);
  }
  if (lower_case(words[1]) != "matrix") fail("{}:1: {} is not 'matrix'", path, quoted(words[1]));
  if (lower_case(words[2]) != "coordinate") {
    fail("{}:1: the format {} is no graph; Breadth reads 'coordinate'", path, quoted(words[2]));
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
  head.directedness = symmetry == "general" ? Directedness::directed : Directedness::undirected;
}

/// The size line: rows, columns, entries.
void read_size(const std::string& line, const std::string& path, std::uint64_t number, TextHead& head) {
  const std::vector<std::string_view> words = split_line(line);
  if (words.size() != 3) {
    fail("{}:{}: {} columns, but this line must tell rows, columns and entries", path, number, words.size());
  }
  std::vector<std::uint64_t> sizes;
  for (const std::string_view word : words) {
    const std::optional<std::int64_t> size = parse_integer(word);
    if (!size || *size < 0) fail("{}:{}: {} is not a size", path, number, quoted(word));
    sizes.push_back(static_cast<std::uint64_t>(*size));
  }
  if (sizes[0] != sizes[1]) {
    fail("{}:{}: a matrix of {} rows and {} columns is no graph; it must be square", path, number, sizes[0], sizes[1]);
  }
  if (sizes[0] > static_cast<std::uint64_t>(label_bound)) {
    fail("{}:{}: {} rows are too many; labels are below 2^48", path, number, sizes[0]);
  }
  if (sizes[2] == 0) fail("'{}' has no edges", path);
  head.vertices = sizes[0];
  head.entries = sizes[2];
}

TextHead read_matrix_market_head(LineReader& lines, const std::string& path) {
  TextHead head;
  head.names = NameKind::range;
  std::string line;
  lines.next(line);
  read_banner(line, path, head);
  if (!next_content(lines, line)) fail("'{}' is truncated: it ends before the line of sizes", path);
  read_size(line, path, lines.number(), head);
  head.data_offset = lines.next_offset();
  return head;
}
}  // namespace

LineRules TextHead::rules() const {
  LineRules rules{.weighted = weighted, .least_weight = least_weight};
  if (names == NameKind::range) {
    rules.first_label = 1;
    rules.last_label = static_cast<std::int64_t>(vertices);
    rules.columns_from = "the header";
  }
  return rules;
}

TextHead read_text_head(const std::string& path, FileKind kind, LabelWords labels) {
  LineReader lines(path, kind.compression);
  return kind.format == GraphFormat::matrix_market ? read_matrix_market_head(lines, path)
                                                   : read_first_edge(lines, path, kind.table, labels);
}

// How many edges a text has, before it is read.

namespace {
/// What was seen of a text.
struct Sample {
  std::uint64_t edges = 0;
  std::uint64_t bytes = 0;

  /// Counts the lines of a stretch that is cut at any places: those that start and end in it. One without a line end
  /// counts as bytes alone.
  void add(std::string_view text, bool starts_a_line) {
    const std::size_t first_end = text.find('\n');
    const std::size_t begin = starts_a_line || first_end == std::string_view::npos ? 0 : first_end + 1;
    std::size_t at = begin;
    for (std::size_t end = text.find('\n', at); end != std::string_view::npos; end = text.find('\n', at)) {
      if (!is_comment(text.substr(at, end - at))) ++edges;
      at = end + 1;
    }
    bytes += (at == begin ? text.size() : at) - begin;
  }
  /// How many edges there are in `text_bytes` of such text.
  [[nodiscard]] std::uint64_t edges_in(double text_bytes) const {
    return bytes == 0
               ? edges
               : static_cast<std::uint64_t>(static_cast<double>(edges) / static_cast<double>(bytes) * text_bytes);
  }
};

std::uint64_t estimate_plain(const std::string& path, std::uint64_t data_offset) {
  constexpr std::uint64_t parts = 16;
  constexpr std::size_t part_bytes = std::size_t{64} << 10;
  const FileDescriptor file = open_to_read(path);
  const std::uint64_t size = file.size() - std::min(file.size(), data_offset);
  Sample sample;
  std::string text;
  for (std::uint64_t part = 0; part < parts; ++part) {
    text.resize(part_bytes);
    text.resize(file.read_at(data_offset + size / parts * part, text));
    if (!text.empty()) sample.add(text, part == 0);
  }
  return sample.edges_in(static_cast<double>(size));
}

std::uint64_t estimate_compressed(const std::string& path, Compression compression, std::uint64_t data_offset) {
  constexpr std::size_t sample_bytes = std::size_t{4} << 20;
  const auto file_bytes = static_cast<double>(open_to_read(path).size());
  const std::unique_ptr<ByteSource> source = open_source(path, compression);
  std::string text(data_offset + sample_bytes, '\0');
  text.resize(source->read(text));
  const auto text_bytes = static_cast<double>(text.size()) / static_cast<double>(source->consumed()) * file_bytes;
  Sample sample;
  sample.add(std::string_view(text).substr(std::min<std::size_t>(data_offset, text.size())), true);
  return sample.edges_in(text_bytes - static_cast<double>(data_offset));
}
}  // namespace

TextSize estimate_text_size(const std::string& path, FileKind kind, LabelWords labels) {
  TextSize size{.head = read_text_head(path, kind, labels)};
  if (kind.format == GraphFormat::matrix_market) {
    size.edges = size.head.entries;
    size.fewest_edges = size.edges;
  } else if (kind.compression == Compression::none) {
    size.edges = estimate_plain(path, size.head.data_offset);
    size.fewest_edges = size.edges / 10 * 9;
  } else {
    size.edges = estimate_compressed(path, kind.compression, size.head.data_offset);
    size.fewest_edges = size.edges / 2;
  }
  return size;
}

}  // namespace breadth
