#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/agreement.hpp"
#include "core/data/label_array.hpp"
#include "core/errors.hpp"
#include "core/parallel/parallel.hpp"
#include "io/binary/breadth_file.hpp"
#include "io/binary/packed_file.hpp"
#include "io/files/hash.hpp"
#include "io/files/line_parser.hpp"

namespace breadth {

using breadth_format::Header;
using breadth_format::Layout;
using breadth_format::StoredDirectedness;

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
  const bool known = header.directedness <= StoredDirectedness::directed && header.names <= NameKind::strings &&
                     header.name_count <= static_cast<std::uint64_t>(label_bound);
  if (!known) fail("'{}' is damaged: its header has impossible values", path);
  const auto names = static_cast<std::int64_t>(header.name_count);
  if (header.names == NameKind::range && header.first_name > std::numeric_limits<std::int64_t>::max() - names) {
    fail("'{}' is damaged: it has {} vertices numbered from {}, which do not fit in 64 bits", path, names,
         header.first_name);
  }
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
  const IndexRange share = own_share(layout.chunks, context.ranks);
  std::atomic<std::uint64_t> first_bad{layout.chunks};
  parallel_for(context.threads, share.size(), 1, [&](std::size_t i) {
    const std::uint64_t chunk = share.begin + i;
    const std::span<const std::byte> bytes = chunk_of(file.bytes(), layout, chunk);
    std::uint64_t expected = 0;
    std::memcpy(&expected, table.data() + chunk * sizeof(expected), sizeof(expected));
    if (hash_of(bytes) != expected) lower(first_bad, chunk);
    const auto begin = static_cast<std::size_t>(bytes.data() - file.bytes().data());
    file.release(begin, begin + bytes.size());
  });
  file.check_unchanged();
  if (first_bad == layout.chunks) return;
  const std::uint64_t begin = layout.edges + first_bad * breadth_format::chunk_bytes;
  fail("'{}' is damaged: bytes {} to {} have a wrong checksum", path, begin,
       begin + chunk_of(file.bytes(), layout, first_bad).size() - 1);
}

/// Throws Error unless every label has a name.
void check_labels(const EdgeList& edges, const std::string& path, std::uint64_t name_count, ThreadTeam& threads) {
  const auto bound = static_cast<std::int64_t>(name_count);
  std::atomic<bool> beyond{false};
  parallel_edge_blocks(threads, edges, 0, edges.size(), false, [&](auto block, auto, int) {
    const auto named = [&](const Edge& edge) { return edge.source.value < bound && edge.target.value < bound; };
    if (!std::ranges::all_of(block, named)) beyond = true;
  });
  if (beyond) fail("'{}' is damaged: it has edges of vertices beyond its {} names", path, name_count);
}

/// The dictionary of a file, whose contents are not trusted.
class StoredDictionary {
 public:
  StoredDictionary(const MappedFile& file, const std::string& path, const Header& header)
      : file_(file), path_(path), header_(header), layout_(layout_of(header)) {}

  /// Reads the names [first, last). Throws Error unless each is valid for its kind and greater than the one before.
  [[nodiscard]] NameList read(std::uint64_t first, std::uint64_t last) const {
    const std::uint64_t begin = first == 0 ? 0 : end_of(first - 1);
    if (begin > header_.name_bytes) refuse("its names have impossible lengths");
    std::vector<std::uint64_t> ends(last - first);
    std::uint64_t before = begin;
    for (std::uint64_t name = first; name < last; ++name) {
      const std::uint64_t end = end_of(name);
      const bool fits = header_.names == NameKind::strings || end - before == sizeof(std::int64_t);
      if (end < before || end > header_.name_bytes || !fits) refuse("its names have impossible lengths");
      ends[name - first] = end - begin;
      before = end;
    }
    const std::string_view bytes = file_.text().substr(layout_.name_bytes + begin, before - begin);
    NameList names(std::vector<char>(bytes.begin(), bytes.end()), std::move(ends));
    require_text(names);
    require_order(names, first);
    return names;
  }

 private:
  [[nodiscard]] std::uint64_t end_of(std::uint64_t name) const {
    std::uint64_t end = 0;
    std::memcpy(&end, file_.bytes().data() + layout_.name_ends + name * sizeof(end), sizeof(end));
    return end;
  }
  /// The name before index `first`, from another rank's block; empty if its position is invalid, which that rank
  /// reports.
  [[nodiscard]] std::string name_before(std::uint64_t first) const {
    const std::uint64_t begin = first == 1 ? 0 : end_of(first - 2);
    const std::uint64_t end = end_of(first - 1);
    if (begin > end || end > header_.name_bytes) return "";
    return std::string(file_.text().substr(layout_.name_bytes + begin, end - begin));
  }

  /// Throws Error for names that no line of text can contain, in quotes or not.
  void require_text(const NameList& names) const {
    if (header_.names != NameKind::strings) return;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].empty()) refuse("it has a vertex without a name");
      const std::size_t at = find_no_name(names[i]);
      if (at == std::string_view::npos) continue;
      refuse(fmt::format("its name {} has the byte 0x{:02x}, which no name may have", quoted(names[i]),
                         static_cast<unsigned char>(names[i][at])));
    }
  }
  void require_order(const NameList& names, std::uint64_t first) const {
    if (names.empty()) return;
    if (first > 0) require_rise(name_before(first), names[0]);
    for (std::size_t i = 1; i < names.size(); ++i) require_rise(names[i - 1], names[i]);
  }
  void require_rise(std::string_view name, std::string_view next) const {
    if (name < next) return;
    const std::string shown = quoted(displayed(header_.names, next));
    if (name == next) refuse(fmt::format("two of its vertices are called {}", shown));
    refuse(
        fmt::format("its names are not sorted: {} is followed by {}", quoted(displayed(header_.names, name)), shown));
  }

  [[noreturn]] void refuse(const std::string& why) const {
    file_.check_unchanged();
    fail("'{}' is damaged: {}", path_, why);
  }

  const MappedFile& file_;
  const std::string& path_;
  const Header& header_;
  Layout layout_;
};

std::optional<Directedness> from_stored(StoredDirectedness stored) {
  if (stored == StoredDirectedness::unknown) return std::nullopt;
  return directed_if(stored == StoredDirectedness::directed);
}

/// Opens a .breadth file. The edges stay in the file, and each rank has a consecutive part of them. Each rank reads its
/// block of the names. Ranks and threads verify the checksums together, each chunk once. Throws AgreedError if it is
/// not such a file, has another version, or is truncated or damaged. Collective.
GraphFile read_breadth(const std::string& path, const FileKind& kind, const ReadOptions&, const Context& context) {
  const Communicator& ranks = context.ranks;
  GraphFile graph{.path = path, .kind = kind};
  // Every rank reads the same header, so either all fail or none before each verifies its own part.
  run_together(ranks, [&] {
    const auto file = std::make_shared<const MappedFile>(path);
    const Header header = read_header(*file, path);
    verify(*file, path, header, context);
    const Layout layout = layout_of(header);
    const IndexRange share = own_share(header.edge_count, ranks);
    auto edges = std::make_unique<MappedEdgeList>(file, layout.edges + share.begin * sizeof(PackedEdge), share.size());
    if (header.weighted != 0) edges->add_weights(file, layout.weights + share.begin * sizeof(float));
    check_labels(*edges, path, header.name_count, context.threads);
    graph.edges = std::move(edges);
    graph.edge_count = header.edge_count;
    graph.weighted = header.weighted != 0;
    graph.directedness = from_stored(header.directedness);
    graph.every_label_is_vertex = header.every_label_is_vertex != 0;
    if (header.names == NameKind::range) {
      graph.names = VertexNames::range(header.first_name, header.name_count);
    } else {
      const BlockDistribution distribution(header.name_count, ranks.size());
      const auto first = static_cast<std::uint64_t>(distribution.first(ranks.rank()).value);
      NameList own = StoredDictionary(*file, path, header).read(first, first + distribution.count(ranks.rank()));
      graph.names = VertexNames::dictionary(header.names, distribution, std::move(own));
    }
    file->check_unchanged();
  });
  return graph;
}
}  // namespace

const GraphFormat& graph_formats::binary() {
  static const GraphFormat format{.name = "breadth",
                                  .endings = {".breadth"},
                                  .directions = Directions::said,
                                  .missing_weights = "it was made from a graph without weights",
                                  .read = read_breadth,
                                  .write = write_breadth};
  return format;
}

}  // namespace breadth
