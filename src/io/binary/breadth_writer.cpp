#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "io/binary/breadth_file.hpp"
#include "io/binary/packed_file.hpp"
#include "io/files/hash.hpp"

namespace breadth {

using breadth_format::Header;
using breadth_format::Layout;
using breadth_format::StoredDirectedness;

namespace {
Header header_of(const GraphFile& graph, const Communicator& ranks) {
  Header header{};
  header.magic_bytes = breadth_format::magic;
  header.version_number = breadth_format::version;
  if (graph.directedness) {
    header.directedness =
        *graph.directedness == Directedness::directed ? StoredDirectedness::directed : StoredDirectedness::undirected;
  }
  header.weighted = graph.weighted ? 1 : 0;
  header.every_label_is_vertex = graph.every_label_is_vertex ? 1 : 0;
  header.edge_count = graph.edge_count;
  header.name_count = graph.names.count();
  header.first_name = graph.names.first();
  header.names = graph.names.kind();
  const std::uint64_t own_bytes = graph.names.own().bytes().size();
  header.name_bytes = ranks.all_reduce(own_bytes, Reduction::sum);
  return header;
}

/// A part of the file: values of a fixed size, distributed over the ranks in rank order.
struct Section {
  std::vector<std::uint64_t> bounds;  ///< offsets in the file: the begin of each rank's bytes, and the end of the last
  std::size_t value_bytes;
  /// Copies this rank's values `first`, `first` + 1, … in the form that they have in the file. Called on any thread.
  std::function<void(std::uint64_t first, std::span<std::byte> values)> copy;
};

/// The bounds of a section that starts at `at`. Collective.
std::vector<std::uint64_t> bounds_of(std::uint64_t at, std::uint64_t own_bytes, const Communicator& ranks) {
  std::vector<std::uint64_t> bounds{at};
  for (const std::uint64_t bytes : ranks.all_gather(own_bytes)) bounds.push_back(bounds.back() + bytes);
  return bounds;
}

template <class Value>
void put(const std::vector<Value>& values, std::span<std::byte> to) {
  std::memcpy(to.data(), values.data(), to.size());
}

Section edge_section(const EdgeList& edges, std::uint64_t at, const Communicator& ranks) {
  return {bounds_of(at, edges.size() * sizeof(PackedEdge), ranks), sizeof(PackedEdge),
          [&edges](std::uint64_t first, std::span<std::byte> to) {
            std::vector<PackedEdge> packed(to.size() / sizeof(PackedEdge));
            pack_edges(edges, first, packed);
            put(packed, to);
          }};
}

Section weight_section(const EdgeList& edges, std::uint64_t at, const Communicator& ranks) {
  return {bounds_of(at, edges.size() * sizeof(float), ranks), sizeof(float),
          [&edges](std::uint64_t first, std::span<std::byte> to) {
            put(EdgeBlock(edges, first, to.size() / sizeof(float), true).weights, to);
          }};
}

/// The sections of a dictionary: the ends of names, and their bytes.
std::vector<Section> name_sections(const NameList& own, const Layout& layout, const Communicator& ranks) {
  Section bytes{bounds_of(layout.name_bytes, own.bytes().size(), ranks), 1,
                [&own](std::uint64_t first, std::span<std::byte> to) {
                  std::memcpy(to.data(), own.bytes().data() + first, to.size());
                }};
  const std::uint64_t before = bytes.bounds[static_cast<std::size_t>(ranks.rank())] - layout.name_bytes;
  Section ends{bounds_of(layout.name_ends, own.size() * sizeof(std::uint64_t), ranks), sizeof(std::uint64_t),
               [&own, before](std::uint64_t first, std::span<std::byte> to) {
                 const auto some = own.ends().subspan(first, to.size() / sizeof(std::uint64_t));
                 std::vector<std::uint64_t> in_file(some.begin(), some.end());
                 for (std::uint64_t& end : in_file) end += before;
                 put(in_file, to);
               }};
  std::vector<Section> sections;
  sections.push_back(std::move(ends));
  sections.push_back(std::move(bytes));
  return sections;
}

/// The checksum of a chunk. A plain value, to be sent.
struct ChunkChecksum {
  std::uint64_t chunk;
  std::uint64_t checksum;
};

/// Writes everything that has checksums. Each chunk is written by one rank: the one that has its first byte. Other
/// ranks that have parts of a chunk, which is rare, send them to that rank. The checksum is computed from the bytes in
/// memory; nothing is read back, because data that other machines wrote may become visible only after they synchronise
/// it.
class ChunkWriter {
 public:
  ChunkWriter(const SharedOutputFile& file, const Layout& layout, std::vector<Section> sections, const Context& context)
      : file_(file),
        layout_(layout),
        sections_(std::move(sections)),
        context_(context),
        rank_(static_cast<std::size_t>(context.ranks.rank())) {}

  /// Writes the chunks and returns the checksums of those that this rank wrote. Collective.
  std::vector<ChunkChecksum> write() {
    run_together(context_.ranks, [&] { write_own(); });
    exchange_pieces();
    run_together(context_.ranks, [&] {
      for (const auto& [chunk, bytes] : shared_) written_.push_back({chunk, write_chunk(chunk, bytes)});
    });
    return std::move(written_);
  }

 private:
  using Bytes = std::vector<std::byte>;
  struct Shared {
    std::uint64_t chunk;
    Bytes bytes;
  };
  /// A range of bytes that is sent to the rank that writes its chunk. A plain value, to be sent.
  struct Piece {
    std::uint64_t at;
    std::uint64_t size;
  };

  [[nodiscard]] IndexRange range_of(std::uint64_t chunk) const {
    const std::uint64_t begin = layout_.edges + chunk * breadth_format::chunk_bytes;
    return {begin, std::min(begin + breadth_format::chunk_bytes, layout_.table)};
  }
  [[nodiscard]] std::uint64_t chunk_at(std::uint64_t byte) const {
    return (byte - layout_.edges) / breadth_format::chunk_bytes;
  }
  /// The intersection of two ranges; may be empty.
  static IndexRange common(const IndexRange& a, const IndexRange& b) {
    const std::size_t begin = std::max(a.begin, b.begin);
    return {begin, std::max(begin, std::min(a.end, b.end))};
  }
  [[nodiscard]] IndexRange own_range(const Section& section) const {
    return {section.bounds[rank_], section.bounds[rank_ + 1]};
  }

  /// The chunks in which this rank has bytes, in ascending order.
  [[nodiscard]] std::vector<std::uint64_t> own_chunks() const {
    std::vector<std::uint64_t> chunks;
    for (const Section& section : sections_) {
      const IndexRange own = own_range(section);
      if (own.size() == 0) continue;
      for (std::uint64_t chunk = chunk_at(own.begin); chunk <= chunk_at(own.end - 1); ++chunk) chunks.push_back(chunk);
    }
    std::ranges::sort(chunks);
    chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
    return chunks;
  }
  [[nodiscard]] bool all_own(std::uint64_t chunk) const {
    return std::ranges::all_of(sections_, [&](const Section& section) {
      const IndexRange all = common(range_of(chunk), {section.bounds.front(), section.bounds.back()});
      return all.size() == common(all, own_range(section)).size();
    });
  }
  /// The rank that has the chunk's first byte. That byte belongs to a section, because gaps do not begin at multiples
  /// of part_alignment.
  [[nodiscard]] std::size_t writer_of(std::uint64_t chunk) const {
    const std::uint64_t first = range_of(chunk).begin;
    for (const Section& section : sections_) {
      if (first < section.bounds.front() || first >= section.bounds.back()) continue;
      const auto next = std::ranges::upper_bound(section.bounds, first);
      return static_cast<std::size_t>(next - section.bounds.begin()) - 1;
    }
    fail("chunk {} of '{}' has no bytes", chunk, file_.path());
  }

  /// Calls body(range, bytes) for each part of a chunk that this rank has, by section.
  template <class Body>
  void for_each_own(std::uint64_t chunk, Body&& body) const {
    for (const Section& section : sections_) {
      const std::uint64_t start = section.bounds[rank_];
      const IndexRange part = common(range_of(chunk), own_range(section));
      if (part.size() == 0) continue;
      const std::uint64_t first = (part.begin - start) / section.value_bytes;
      const std::uint64_t last = (part.end - start + section.value_bytes - 1) / section.value_bytes;
      Bytes values((last - first) * section.value_bytes);
      section.copy(first, values);
      body(part,
           std::span<const std::byte>(values).subspan(part.begin - start - first * section.value_bytes, part.size()));
    }
  }
  /// The bytes of a chunk that this rank has, with zeros for those of other ranks and for gaps.
  [[nodiscard]] Bytes own_bytes(std::uint64_t chunk) const {
    const IndexRange range = range_of(chunk);
    Bytes bytes(range.size());
    for_each_own(chunk, [&](const IndexRange& part, std::span<const std::byte> some) {
      std::ranges::copy(some, bytes.begin() + static_cast<std::ptrdiff_t>(part.begin - range.begin));
    });
    return bytes;
  }

  [[nodiscard]] std::uint64_t write_chunk(std::uint64_t chunk, std::span<const std::byte> bytes) const {
    file_.write_at(range_of(chunk).begin, bytes);
    return hash_of(bytes);
  }

  /// Writes the chunks that lie wholly on this rank.
  void write_own() {
    std::vector<std::uint64_t> alone;
    for (const std::uint64_t chunk : own_chunks()) {
      if (all_own(chunk)) {
        alone.push_back(chunk);
      } else if (writer_of(chunk) == rank_) {
        shared_.push_back({chunk, own_bytes(chunk)});
      } else {
        to_send_.push_back(chunk);
      }
    }
    written_.resize(alone.size());
    parallel_for(context_.threads, alone.size(), 1, [&](std::size_t i) {
      written_[i] = {alone[i], write_chunk(alone[i], own_bytes(alone[i]))};
    });
  }

  /// Sends this rank's parts of chunks that others write, and receives others' parts of this rank's chunks. Collective.
  void exchange_pieces() {
    if (context_.ranks.size() == 1) return;
    const auto ranks = static_cast<std::size_t>(context_.ranks.size());
    std::vector<std::vector<Piece>> pieces(ranks);
    std::vector<Bytes> bytes(ranks);
    run_together(context_.ranks, [&] {
      for (const std::uint64_t chunk : to_send_) {
        const std::size_t writer = writer_of(chunk);
        for_each_own(chunk, [&](const IndexRange& part, std::span<const std::byte> some) {
          pieces[writer].push_back({part.begin, part.size()});
          bytes[writer].insert(bytes[writer].end(), some.begin(), some.end());
        });
      }
    });
    const std::vector<Piece> received = send(pieces);
    const Bytes content = send(bytes);
    std::size_t next = 0;
    for (const Piece& piece : received) {
      const auto place =
          std::ranges::find_if(shared_, [&](const Shared& shared) { return shared.chunk == chunk_at(piece.at); });
      if (place == shared_.end()) fail("bytes of '{}' went to a rank that does not write them", file_.path());
      std::memcpy(place->bytes.data() + (piece.at - range_of(place->chunk).begin), content.data() + next, piece.size);
      next += piece.size;
    }
  }
  /// Sends each rank its values; returns the received ones in rank order. Collective.
  template <class Value>
  [[nodiscard]] std::vector<Value> send(const std::vector<std::vector<Value>>& to_ranks) const {
    std::vector<Value> all;
    std::vector<std::size_t> counts;
    for (const std::vector<Value>& values : to_ranks) {
      all.insert(all.end(), values.begin(), values.end());
      counts.push_back(values.size());
    }
    return context_.ranks.all_to_all(std::span<const Value>(all), counts).values;
  }

  const SharedOutputFile& file_;
  const Layout& layout_;
  std::vector<Section> sections_;
  const Context& context_;
  std::size_t rank_;
  std::vector<Shared> shared_;          // chunks that this rank writes and others have parts of
  std::vector<std::uint64_t> to_send_;  // chunks that other ranks write
  std::vector<ChunkChecksum> written_;
};

/// Gathers all ranks' checksums, ordered by chunk, on rank 0: 8 bytes for each 2^20 bytes of the file. Collective.
std::vector<std::uint64_t> gather_table(const std::vector<ChunkChecksum>& mine, std::uint64_t chunks,
                                        const Communicator& ranks) {
  const std::vector<std::size_t> counts = ranks.all_gather(mine.size());
  std::vector<std::size_t> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), std::size_t{0});
  const bool first = ranks.rank() == 0;
  std::vector<ChunkChecksum> all(first ? chunks : 0);
  ranks.gather(std::span<const ChunkChecksum>(mine), std::span<ChunkChecksum>(all), counts, displacements, 0);
  std::vector<std::uint64_t> table(all.size());
  for (const auto& [chunk, checksum] : all) table[chunk] = checksum;
  return table;
}
}  // namespace

void write_breadth(SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  const Communicator& ranks = context.ranks;
  Header header = header_of(graph, ranks);
  const Layout layout = layout_of(header);
  std::vector<Section> sections;
  sections.push_back(edge_section(*graph.edges, layout.edges, ranks));
  if (graph.weighted) sections.push_back(weight_section(*graph.edges, layout.weights, ranks));
  if (graph.names.kind() != NameKind::range) {
    for (Section& section : name_sections(graph.names.own(), layout, ranks)) sections.push_back(std::move(section));
  }
  const std::vector<ChunkChecksum> written = ChunkWriter(file, layout, std::move(sections), context).write();
  const std::vector<std::uint64_t> table = gather_table(written, layout.chunks, ranks);
  run_together(ranks, [&] {
    graph.edges->check_unchanged();
    if (ranks.rank() != 0) return;
    header.table_checksum = hash_of(std::as_bytes(std::span(table)));
    header.header_checksum = checksum(header);
    file.write_at(layout.table, std::as_bytes(std::span(table)));
    file.write_at(0, std::as_bytes(std::span(&header, 1)));
  });
}

}  // namespace breadth
