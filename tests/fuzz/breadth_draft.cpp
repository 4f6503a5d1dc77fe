#include "breadth_draft.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace breadth::fuzz {

using breadth_format::Header;
using breadth_format::Layout;

namespace {
/// Returns up to `count` values from byte `at` of the file on.
template <class Value>
std::vector<Value> values_at(std::span<const std::uint8_t> bytes, std::uint64_t at, std::uint64_t count) {
  const std::span<const std::uint8_t> rest = bytes.subspan(std::min<std::size_t>(at, bytes.size()));
  std::vector<Value> values(std::min<std::uint64_t>(count, rest.size() / sizeof(Value)));
  if (!values.empty()) std::memcpy(values.data(), rest.data(), values.size() * sizeof(Value));
  return values;
}

template <class Value>
void put_at(std::vector<std::uint8_t>& bytes, std::uint64_t at, const std::vector<Value>& values) {
  if (!values.empty()) std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(Value));
}

/// Limits the header's counts to what a file of that many bytes can hold.
void limit_counts(Header& header, std::uint64_t bytes) {
  header.edge_count = std::min(header.edge_count, bytes / sizeof(PackedEdge));
  header.name_bytes = std::min(header.name_bytes, bytes);
  if (header.names != NameKind::range) {
    header.name_count = std::min(header.name_count, bytes / sizeof(std::uint64_t));
  }
}
}  // namespace

BreadthDraft take_apart(std::span<const std::uint8_t> bytes) {
  BreadthDraft draft{};
  std::memcpy(&draft.header, bytes.data(), std::min(bytes.size(), sizeof(Header)));
  limit_counts(draft.header, bytes.size());
  const Header& header = draft.header;
  const Layout layout = layout_of(header);
  draft.edges = values_at<PackedEdge>(bytes, layout.edges, header.edge_count);
  if (header.weighted != 0) draft.weights = values_at<float>(bytes, layout.weights, header.edge_count);
  if (header.names == NameKind::range) return draft;
  draft.name_ends = values_at<std::uint64_t>(bytes, layout.name_ends, header.name_count);
  draft.name_bytes = values_at<std::uint8_t>(bytes, layout.name_bytes, header.name_bytes);
  return draft;
}

std::vector<std::uint8_t> put_together(const BreadthDraft& draft) {
  Header header = draft.header;
  header.magic_bytes = breadth_format::magic;
  header.edge_count = draft.edges.size();
  const bool dictionary = header.names != NameKind::range;
  if (dictionary) header.name_count = draft.name_ends.size();
  if (dictionary) header.name_bytes = draft.name_bytes.size();
  const Layout layout = layout_of(header);
  std::vector<std::uint8_t> bytes(layout.file_bytes);
  put_at(bytes, layout.edges, draft.edges);
  std::vector<float> weights = draft.weights;
  weights.resize(header.weighted != 0 ? draft.edges.size() : 0);
  put_at(bytes, layout.weights, weights);
  if (dictionary) put_at(bytes, layout.name_ends, draft.name_ends);
  if (dictionary) put_at(bytes, layout.name_bytes, draft.name_bytes);
  const std::span<const std::byte> file = std::as_bytes(std::span(bytes));
  std::vector<std::uint64_t> table;
  for (std::uint64_t chunk = 0; chunk < layout.chunks; ++chunk) table.push_back(hash_of(chunk_of(file, layout, chunk)));
  put_at(bytes, layout.table, table);
  header.table_checksum = hash_of(file.subspan(layout.table));
  header.header_checksum = checksum(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

void repair_labels(BreadthDraft& draft) {
  const bool range = draft.header.names == NameKind::range;
  const std::uint64_t count = range ? draft.header.name_count : draft.name_ends.size();
  const auto bound = static_cast<std::int64_t>(std::clamp<std::uint64_t>(count, 1, label_bound));
  for (PackedEdge& packed : draft.edges) {
    const Edge edge = packed.unpack();
    packed = PackedEdge::pack({Label{edge.source.value % bound}, Label{edge.target.value % bound}});
  }
}

void repair_names(BreadthDraft& draft) {
  const std::string_view text(reinterpret_cast<const char*>(draft.name_bytes.data()), draft.name_bytes.size());
  const bool integers = draft.header.names == NameKind::integers;
  std::vector<std::string_view> names;
  std::size_t begin = 0;
  for (const std::uint64_t given : draft.name_ends) {
    const std::size_t wanted = integers ? begin + sizeof(std::int64_t) : std::max<std::uint64_t>(given, begin);
    const std::size_t end = std::min<std::size_t>(wanted, text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end;
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (integers) std::erase_if(names, [](std::string_view name) { return name.size() != sizeof(std::int64_t); });
  std::vector<std::uint8_t> bytes;
  draft.name_ends.clear();
  for (const std::string_view name : names) {
    bytes.insert(bytes.end(), name.begin(), name.end());
    draft.name_ends.push_back(bytes.size());
  }
  draft.name_bytes = std::move(bytes);
}

}  // namespace breadth::fuzz
