// Breadth's own binary graph files.
//
// A file consists of these parts, in little-endian order, each starting at a multiple of 64 bytes: a header of 128
// bytes; the edges, 12 bytes each as in a packed file; the weights, float32, if there are any; for a dictionary of
// names, in ascending order, the end of each name (uint64), then the bytes of all names; and a table with the XXH3
// checksum of each chunk of 1 MiB between header and table. The header contains the checksum of the table, and ends
// with its own. docs/formats.md lists the header's fields.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm/communicator.hpp"
#include "core/data/edge_list.hpp"
#include "io/files/hash.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/graph_format.hpp"

namespace breadth {

// Writing. graph_formats::binary() reads.

/// Writes a whole graph to a file; the caller commits the file. Collective; throws AgreedError.
void write_breadth(SharedOutputFile& file, const GraphFile& graph, const Context& context);

// The layout of a file.

namespace breadth_format {

static_assert(std::endian::native == std::endian::little, "graph files are little-endian and mapped as they are");

/// A sequence with which no text and no other format begins. Its line ends reveal a transfer that converted text.
inline constexpr std::array<char, 8> magic{'\x89', 'B', 'R', 'D', '\r', '\n', '\x1A', '\n'};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint64_t part_alignment = 64;
inline constexpr std::uint64_t chunk_bytes = std::uint64_t{1} << 20;

enum class StoredDirectedness : std::uint8_t { unknown, undirected, directed };

/// The first bytes of a file.
struct Header {
  std::array<char, 8> magic_bytes;
  std::uint32_t version_number;
  StoredDirectedness directedness;
  std::uint8_t weighted;
  NameKind names;
  std::uint8_t every_label_is_vertex;
  std::uint64_t edge_count;
  std::uint64_t name_count;  ///< all labels are smaller
  std::int64_t first_name;   ///< for a range
  std::uint64_t name_bytes;  ///< for a dictionary
  std::array<std::uint64_t, 8> reserved;
  std::uint64_t table_checksum;
  std::uint64_t header_checksum;  ///< of all bytes before it
};
static_assert(sizeof(Header) == 128);

/// The offsets of the parts of a file, in bytes.
struct Layout {
  std::uint64_t edges;
  std::uint64_t weights;
  std::uint64_t name_ends;
  std::uint64_t name_bytes;
  std::uint64_t table;
  std::uint64_t chunks;
  std::uint64_t file_bytes;
};

/// The layout for a header. Its counts must not be so large that sums overflow (see plausible).
inline Layout layout_of(const Header& header) {
  const auto aligned = [](std::uint64_t at) { return (at + part_alignment - 1) / part_alignment * part_alignment; };
  const bool dictionary = header.names != NameKind::range;
  Layout layout{};
  layout.edges = sizeof(Header);
  layout.weights = aligned(layout.edges + header.edge_count * sizeof(PackedEdge));
  layout.name_ends = aligned(layout.weights + (header.weighted != 0 ? header.edge_count * sizeof(float) : 0));
  layout.name_bytes = aligned(layout.name_ends + (dictionary ? header.name_count * sizeof(std::uint64_t) : 0));
  layout.table = aligned(layout.name_bytes + (dictionary ? header.name_bytes : 0));
  layout.chunks = (layout.table - layout.edges + chunk_bytes - 1) / chunk_bytes;
  layout.file_bytes = layout.table + layout.chunks * sizeof(std::uint64_t);
  return layout;
}

/// Whether a file of this size can have these counts.
inline bool plausible(const Header& header, std::uint64_t file_bytes) {
  const bool dictionary = header.names != NameKind::range;
  return header.edge_count <= file_bytes / sizeof(PackedEdge) &&
         (!dictionary || (header.name_count <= file_bytes / sizeof(std::uint64_t) && header.name_bytes <= file_bytes));
}

/// The checksum to store in a header.
inline std::uint64_t checksum(const Header& header) {
  return hash_of(std::as_bytes(std::span(&header, 1)).first(offsetof(Header, header_checksum)));
}
/// The bytes of a chunk of a file.
inline std::span<const std::byte> chunk_of(std::span<const std::byte> file, const Layout& layout, std::uint64_t chunk) {
  const std::uint64_t begin = layout.edges + chunk * chunk_bytes;
  return file.subspan(begin, std::min(chunk_bytes, layout.table - begin));
}

}  // namespace breadth_format

}  // namespace breadth
