#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "io/breadth_file.hpp"
#include "io/breadth_layout.hpp"
#include "io/hash.hpp"
#include "io/mapped_edge_list.hpp"

namespace breadth {

using breadth_format::Header;
using breadth_format::Layout;
using breadth_format::StoredDirectedness;
using breadth_format::StoredNames;

namespace {
Header read_header(const MappedFile& file, const std::string& path) {
  if (file.size() == 0) fail("'{}' is empty", path);
  Header header{};
  const std::size_t there = std::min(file.size(), sizeof(Header));
  std::memcpy(&header, file.bytes().data(), there);
  if (!std::equal(breadth_format::magic.begin(), breadth_format::magic.end(), header.magic_bytes.begin())) {
    fail("'{}' is not a graph file of Breadth: it starts with other bytes", path);
  }
  if (there < sizeof(Header)) fail("'{}' is truncated: it ends within its header", path);
  if (header.version_number != breadth_format::version) {
    fail("'{}' has version {} of the format; this program reads version {}", path, header.version_number,
         breadth_format::version);
  }
  if (header.header_checksum != checksum(header)) fail("'{}' is damaged: its header has a wrong checksum", path);
  const bool known = header.directedness <= StoredDirectedness::directed && header.names <= StoredNames::strings &&
                     header.name_count <= static_cast<std::uint64_t>(label_bound);
  if (!known) fail("'{}' is damaged: its header makes no sense", path);
  if (header.edge_count == 0) fail("'{}' has no edges", path);
  const bool plausible = breadth_format::plausible(header, file.size());
  if (!plausible || file.size() != layout_of(header).file_bytes) {
    fail("'{}' is {}: it has {} bytes, which is not what its header says", path,
         !plausible || file.size() < layout_of(header).file_bytes ? "truncated" : "damaged", file.size());
  }
  return header;
}

void verify(const MappedFile& file, const std::string& path, const Header& header, const Context& context) {
  const Layout layout = layout_of(header);
  const std::span<const std::byte> table = file.bytes().subspan(layout.table);
  if (context.ranks.rank() == 0 && hash_of(table) != header.table_checksum) {
    fail("'{}' is damaged: its table of checksums has a wrong checksum", path);
  }
  const IndexRange share = even_share(layout.chunks, static_cast<std::size_t>(context.ranks.rank()),
                                      static_cast<std::size_t>(context.ranks.size()));
  std::atomic<std::uint64_t> first_bad{layout.chunks};
  parallel_for(context.threads, share.size(), 1, [&](std::size_t i) {
    const std::uint64_t chunk = share.begin + i;
    const std::span<const std::byte> bytes = chunk_of(file.bytes(), layout, chunk);
    std::uint64_t expected = 0;
    std::memcpy(&expected, table.data() + chunk * sizeof(expected), sizeof(expected));
    if (hash_of(bytes) != expected) {
      std::uint64_t lowest = first_bad.load();
      while (chunk < lowest && !first_bad.compare_exchange_weak(lowest, chunk)) {
      }
    }
    const auto begin = static_cast<std::size_t>(bytes.data() - file.bytes().data());
    file.release(begin, begin + bytes.size());
  });
  file.check_unchanged();
  if (first_bad == layout.chunks) return;
  const std::uint64_t begin = layout.edges + first_bad * breadth_format::chunk_bytes;
  fail("'{}' is damaged: bytes {} to {} have a wrong checksum", path, begin,
       begin + chunk_of(file.bytes(), layout, first_bad).size() - 1);
}

/// Every label must have a name.
void check_labels(const EdgeList& edges, const std::string& path, std::uint64_t name_count, ThreadTeam& threads) {
  const auto bound = static_cast<std::int64_t>(name_count);
  std::atomic<bool> beyond{false};
  parallel_edge_blocks(threads, edges, 0, edges.size(), false, [&](auto block, auto, int) {
    const auto named = [&](const Edge& edge) { return edge.source.value < bound && edge.target.value < bound; };
    if (!std::all_of(block.begin(), block.end(), named)) beyond = true;
  });
  if (beyond) fail("'{}' is damaged: it has edges of vertices beyond its {} names", path, name_count);
}

/// This rank's block of the dictionary.
NameList read_names(const MappedFile& file, const std::string& path, const Header& header,
                    const BlockDistribution& distribution, int rank) {
  const Layout layout = layout_of(header);
  const auto end_of = [&](std::uint64_t name) {
    std::uint64_t end = 0;
    std::memcpy(&end, file.bytes().data() + layout.name_ends + name * sizeof(end), sizeof(end));
    return end;
  };
  const auto first = static_cast<std::uint64_t>(distribution.first(rank).value);
  const std::uint64_t begin = first == 0 ? 0 : end_of(first - 1);
  std::vector<std::uint64_t> ends(distribution.count(rank));
  std::uint64_t last = begin;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::uint64_t end = end_of(first + i);
    const bool fits = header.names == StoredNames::strings || end - last == sizeof(std::int64_t);
    if (end < last || end > header.name_bytes || !fits) {
      file.check_unchanged();
      fail("'{}' is damaged: its names make no sense", path);
    }
    last = end;
    ends[i] = end - begin;
  }
  const std::string_view bytes = file.text().substr(layout.name_bytes + begin, last - begin);
  return {std::vector<char>(bytes.begin(), bytes.end()), std::move(ends)};
}

std::optional<Directedness> from_stored(StoredDirectedness stored) {
  switch (stored) {
    case StoredDirectedness::undirected: return Directedness::undirected;
    case StoredDirectedness::directed: return Directedness::directed;
    case StoredDirectedness::unknown: break;
  }
  return std::nullopt;
}
}  // namespace

GraphFile read_breadth(const std::string& path, const ReadOptions& options, const Context& context) {
  const Communicator& ranks = context.ranks;
  GraphFile graph{.path = path, .kind = {GraphFormat::breadth}};
  // Every rank sees the same header, so all fail or none does before each has something of its own to verify.
  run_together(ranks, [&] {
    const auto file = std::make_shared<const MappedFile>(path);
    const Header header = read_header(*file, path);
    if (options.verify_checksums) verify(*file, path, header, context);
    const Layout layout = layout_of(header);
    const IndexRange share =
        even_share(header.edge_count, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
    auto edges = std::make_unique<MappedEdgeList>(file, layout.edges + share.begin * sizeof(PackedEdge), share.size());
    if (header.weighted != 0) edges->add_weights(file, layout.weights + share.begin * sizeof(float));
    if (options.verify_checksums) check_labels(*edges, path, header.name_count, context.threads);
    graph.edges = std::move(edges);
    graph.edge_count = header.edge_count;
    graph.weighted = header.weighted != 0;
    graph.directedness = from_stored(header.directedness);
    graph.every_label_is_vertex = header.every_label_is_vertex != 0;
    if (header.names == StoredNames::range) {
      graph.names = VertexNames::range(header.first_name, header.name_count);
    } else {
      const BlockDistribution distribution(header.name_count, ranks.size());
      NameList own = read_names(*file, path, header, distribution, ranks.rank());
      const NameKind kind = header.names == StoredNames::integers ? NameKind::integers : NameKind::strings;
      graph.names = VertexNames::dictionary(kind, distribution, std::move(own));
    }
    file->check_unchanged();
  });
  return graph;
}

}  // namespace breadth
