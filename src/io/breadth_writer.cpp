#include <fcntl.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "comm/agreement.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "io/breadth_file.hpp"
#include "io/breadth_layout.hpp"
#include "io/hash.hpp"
#include "io/mapped_file.hpp"
#include "io/packed_file.hpp"

namespace breadth {

using breadth_format::Header;
using breadth_format::Layout;
using breadth_format::StoredDirectedness;
using breadth_format::StoredNames;

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
  switch (graph.names.kind()) {
    case NameKind::range: header.names = StoredNames::range; break;
    case NameKind::integers: header.names = StoredNames::integers; break;
    case NameKind::strings: header.names = StoredNames::strings; break;
  }
  const std::uint64_t own_bytes = graph.names.own().bytes().size();
  header.name_bytes = ranks.all_reduce(own_bytes, Reduction::sum);
  return header;
}

void write_names(const SharedOutputFile& file, const Layout& layout, const VertexNames& names,
                 const Communicator& ranks) {
  const NameList& own = names.own();
  const std::vector<std::uint64_t> sizes = ranks.all_gather(std::uint64_t{own.bytes().size()});
  const std::uint64_t before = std::accumulate(sizes.begin(), sizes.begin() + ranks.rank(), std::uint64_t{0});
  const auto first = static_cast<std::uint64_t>(names.distribution().first(ranks.rank()).value);
  run_together(ranks, [&] {
    std::vector<std::uint64_t> ends(own.ends().begin(), own.ends().end());
    for (std::uint64_t& end : ends) end += before;
    file.write_at(layout.name_ends + first * sizeof(std::uint64_t), std::as_bytes(std::span(ends)));
    file.write_at(layout.name_bytes + before, std::as_bytes(own.bytes()));
  });
}

/// Reads back this rank's share of the chunks, which others may have written, and writes their checksums. The file has
/// its full length.
void write_checksums(const SharedOutputFile& file, const Layout& layout, const Context& context) {
  const Communicator& ranks = context.ranks;
  const IndexRange share =
      even_share(layout.chunks, static_cast<std::size_t>(ranks.rank()), static_cast<std::size_t>(ranks.size()));
  run_together(ranks, [&] {
    const MappedFile written(file.temporary_path());
    std::vector<std::uint64_t> checksums(share.size());
    parallel_for(context.threads, share.size(), 1, [&](std::size_t i) {
      const std::span<const std::byte> bytes = chunk_of(written.bytes(), layout, share.begin + i);
      checksums[i] = hash_of(bytes);
      const auto begin = static_cast<std::size_t>(bytes.data() - written.bytes().data());
      written.release(begin, begin + bytes.size());
    });
    written.check_pages();
    file.write_at(layout.table + share.begin * sizeof(std::uint64_t), std::as_bytes(std::span(checksums)));
  });
}
}  // namespace

void write_breadth(const SharedOutputFile& file, const GraphFile& graph, const Context& context) {
  const Communicator& ranks = context.ranks;
  Header header = header_of(graph, ranks);
  const Layout layout = layout_of(header);
  run_together(ranks, [&] {
    // The table's last entry first, so that the file is as long as it will be and its gaps are zero.
    const std::uint64_t nothing = 0;
    if (ranks.rank() == 0) file.write_at(layout.file_bytes - sizeof(nothing), std::as_bytes(std::span(&nothing, 1)));
  });
  write_packed_edges(file, layout.edges, *graph.edges, context);
  if (graph.weighted) write_packed_weights(file, layout.weights, *graph.edges, context);
  if (graph.names.kind() != NameKind::range) write_names(file, layout, graph.names, ranks);
  write_checksums(file, layout, context);
  run_together(ranks, [&] {
    if (ranks.rank() != 0) return;
    const MappedFile written(file.temporary_path());
    header.table_checksum = hash_of(written.bytes().subspan(layout.table));
    written.check_pages();
    header.header_checksum = checksum(header);
    file.write_at(0, std::as_bytes(std::span(&header, 1)));
  });
}

}  // namespace breadth
