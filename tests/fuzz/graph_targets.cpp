// Fuzz targets: graph files of every format that Breadth reads.
#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "breadth_draft.hpp"
#include "graph_rules.hpp"
#include "io/binary/packed_file.hpp"
#include "support/compression.hpp"
#include "target.hpp"

namespace breadth::fuzz {

namespace {
/// Small blocks and windows, so that small files have many of them.
constexpr ReadOptions in_pieces{.block_bytes = 7, .window_bytes = 50};

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

/// Checks that reading in pieces gives the same result as reading at once. Messages about amounts of memory may differ.
void check_same(const ReadResult& expected, const ReadResult& other, const char* how, const Context& context) {
  require(expected.graph.has_value() == other.graph.has_value(), "{}: '{}', not '{}'", how, other.refusal,
          expected.refusal);
  if (!expected.graph) return;
  require(contents_of(*expected.graph, context) == contents_of(*other.graph, context), "{}: other edges", how);
  require(expected.graph->names.count() == other.graph->names.count(), "{}: other names", how);
}

/// Reads the text from a compressed file of two members (gzip) or frames (zstd).
ReadResult read_compressed(const std::string& text, std::string_view ending, const Site& site) {
  const bool gzipped = text.size() % 2 == 0;
  const std::array halves{text.substr(0, text.size() / 2), text.substr(text.size() / 2)};
  std::string compressed;
  for (const std::string& half : halves) compressed += gzipped ? test::gzip(half) : test::zstd(half);
  const std::string name = fmt::format("graph{}{}", ending, gzipped ? ".gz" : ".zst");
  return read_or_refuse(site.write(name, bytes_of(compressed)), in_pieces, site.context);
}

/// Text must read the same at once, in pieces and compressed. Text that can be read must also be readable with labels
/// as words.
Outcome feed_text(Bytes input, const Site& site, std::string_view ending) {
  const std::string text(input.begin(), input.end());
  const std::string path = site.write(fmt::format("graph{}", ending), input);
  const ReadResult whole = read_or_refuse(path, {}, site.context);
  const ReadResult pieces = read_or_refuse(path, in_pieces, site.context);
  check_same(whole, pieces, "in pieces", site.context);
  const bool same_message = whole.refusal == pieces.refusal || whole.refusal.starts_with("too little memory");
  require(same_message, "in pieces: '{}', not '{}'", pieces.refusal, whole.refusal);
  // Text that begins with the magic bytes of zstd is refused because of them, so it is not compressed here.
  const bool looks_compressed = text.starts_with("\x28\xB5\x2F\xFD");
  if (!looks_compressed) check_same(whole, read_compressed(text, ending, site), "compressed", site.context);
  if (!whole.graph) return Outcome::refused;
  const ReadResult words = read_or_refuse(path, {.labels = LabelWords::strings}, site.context);
  require(words.graph.has_value(), "not read as words: {}", words.refusal);
  check_graph(*whole.graph, site);
  return Outcome::accepted;
}

Outcome feed_plain_text(Bytes input, const Site& site) { return feed_text(input, site, ".txt"); }
Outcome feed_table(Bytes input, const Site& site) { return feed_text(input, site, ".csv"); }
Outcome feed_matrix_market(Bytes input, const Site& site) { return feed_text(input, site, ".mtx"); }
Outcome feed_metis(Bytes input, const Site& site) { return feed_text(input, site, ".graph"); }

/// Feeds the bytes as compressed data.
Outcome feed_compressed(Bytes input, const Site& site, const char* name) {
  const std::string path = site.write(name, input);
  const ReadResult whole = read_or_refuse(path, {}, site.context);
  check_same(whole, read_or_refuse(path, in_pieces, site.context), "in pieces", site.context);
  if (!whole.graph) return Outcome::refused;
  check_graph(*whole.graph, site);
  return Outcome::accepted;
}

Outcome feed_gzip(Bytes input, const Site& site) { return feed_compressed(input, site, "graph.txt.gz"); }
Outcome feed_zstd(Bytes input, const Site& site) { return feed_compressed(input, site, "graph.txt.zst"); }

/// The first byte is the number of bytes at the end that are the file of weights; 255 means that there is no such file.
Outcome feed_packed(Bytes input, const Site& site) {
  constexpr std::uint8_t no_weights = 255;
  if (input.empty()) return Outcome::refused;
  const bool weighted = input[0] != no_weights;
  const Bytes rest = input.subspan(1);
  const std::size_t weight_bytes = weighted ? std::min<std::size_t>(input[0], rest.size()) : 0;
  const Bytes edges = rest.first(rest.size() - weight_bytes);
  const Bytes weights = rest.last(weight_bytes);
  const std::string path = site.write("graph.g500", edges);
  const std::string beside = weights_path(path);
  std::filesystem::remove(beside);
  if (weighted) (void)site.write("graph.g500.weights", weights);

  const ReadResult result = read_or_refuse(path, {}, site.context);
  const std::size_t count = edges.size() / sizeof(PackedEdge);
  const bool sound =
      count != 0 && edges.size() % sizeof(PackedEdge) == 0 && (!weighted || weights.size() == count * sizeof(float));
  require(result.graph.has_value() == sound, "{} bytes of edges, {} of weights: '{}'", edges.size(), weights.size(),
          result.refusal);
  if (!sound) return Outcome::refused;
  const Contents contents = contents_of(*result.graph, site.context);
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes tuple = edges.subspan(i * sizeof(PackedEdge), sizeof(PackedEdge));
    const auto part = [&tuple](std::size_t at) { return std::int64_t{tuple[at]} | std::int64_t{tuple[at + 1]} << 8; };
    const Edge edge{Label{part(0) | part(2) << 16 | part(8) << 32}, Label{part(4) | part(6) << 16 | part(10) << 32}};
    require(contents.edges[i] == edge, "edge {} is another one", i);
  }
  require(!weighted || std::memcmp(contents.weights.data(), weights.data(), weights.size()) == 0, "other weights");
  check_graph(*result.graph, site);
  return Outcome::accepted;
}

Outcome feed_breadth(Bytes input, const Site& site) {
  const ReadResult result = read_or_refuse(site.write("graph.breadth", input), {}, site.context);
  if (!result.graph) return Outcome::refused;
  check_graph(*result.graph, site);
  return Outcome::accepted;
}

/// Changes any bytes, or single parts. Mostly repairs the checksums, the labels and the order of names, so that most
/// files are read beyond the first check.
std::size_t mutate_breadth(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain) {
  std::minstd_rand random(seed);
  const auto one_in = [&random](unsigned of) { return random() % of == 0; };
  size = plain(memory, size);
  if (one_in(16)) return size;
  BreadthDraft draft = take_apart(memory.first(size));
  if (!one_in(16)) draft.header.version_number = breadth_format::version;
  if (one_in(16)) draft.header.names = static_cast<NameKind>(random() % 4);
  if (one_in(16)) draft.header.weighted = random() % 2;
  if (one_in(16)) draft.header.first_name = static_cast<std::int64_t>(std::uint64_t{random()} << (random() % 64));
  if (one_in(8)) draft.name_ends.push_back(draft.name_bytes.size());
  if (one_in(8) && !draft.edges.empty()) draft.edges.push_back(draft.edges[random() % draft.edges.size()]);
  if (!one_in(8)) repair_names(draft);
  if (!one_in(8)) repair_labels(draft);
  const std::vector<std::uint8_t> sealed = put_together(draft);
  if (sealed.size() > memory.size()) return size;
  std::copy(sealed.begin(), sealed.end(), memory.begin());
  return sealed.size();
}
}  // namespace

std::size_t mutate_plainly(std::span<std::uint8_t> memory, std::size_t size, unsigned, PlainMutation plain) {
  return plain(memory, size);
}

std::string Site::write(std::string_view name, Bytes content) const {
  std::string file = path(name);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(content.data()), static_cast<std::streamsize>(content.size()));
  return file;
}

std::span<const Target> graph_targets() {
  static constexpr std::array all{
      Target{.name = "text", .feed = feed_plain_text},
      Target{.name = "table", .feed = feed_table},
      Target{.name = "matrix_market", .feed = feed_matrix_market},
      Target{.name = "metis", .feed = feed_metis},
      Target{.name = "gzip", .feed = feed_gzip},
      Target{.name = "zstd", .feed = feed_zstd},
      Target{.name = "packed", .feed = feed_packed},
      Target{.name = "breadth", .feed = feed_breadth, .mutate = mutate_breadth},
  };
  return all;
}

}  // namespace breadth::fuzz
