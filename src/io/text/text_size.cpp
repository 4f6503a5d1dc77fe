#include "io/text/text_size.hpp"

#include <algorithm>
#include <string_view>

#include "io/files/byte_source.hpp"
#include "io/files/file_descriptor.hpp"

namespace breadth {

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
