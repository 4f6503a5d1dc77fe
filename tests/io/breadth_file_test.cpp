#include "io/binary/breadth_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "file_support.hpp"
#include "io/files/hash.hpp"
#include "io/files/output_file.hpp"
#include "io/graph_file.hpp"
#include "io/names/name_list.hpp"

namespace breadth {
namespace {

using test::content_of;
using test::error_of;
using test::TemporaryDirectory;
using testing::HasSubstr;

class BreadthFile : public testing::Test {
 protected:
  /// Writes a text file, converts it to a .breadth file, and returns the bytes of that.
  std::string converted(const std::string& text) {
    const GraphFile graph = read_graph(directory_.write("graph.txt", text), {}, context_);
    GraphOutput(directory_.file("graph.breadth"), test::world()).write(graph, context_);
    return content_of(directory_.file("graph.breadth"));
  }
  std::string refusal(const std::string& bytes) {
    const std::string path = directory_.write("damaged.breadth", bytes);
    const std::string message = error_of([&] { read_graph(path, {}, context_); });
    EXPECT_THAT(message, testing::AnyOf(testing::IsEmpty(), HasSubstr(path)));
    EXPECT_EQ(test::world().broadcast(message, 0), message);
    test::world().barrier();
    return message;
  }
  /// The bytes with a changed header and its correct checksum.
  template <class Change>
  static std::string with_header(std::string bytes, Change&& change) {
    breadth_format::Header header{};
    std::memcpy(&header, bytes.data(), sizeof(header));
    change(header);
    header.header_checksum = checksum(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
  }

  /// The bytes with other names of the same total length, and correct checksums. The file must be one chunk.
  static std::string with_names(std::string bytes, const std::vector<std::string>& names) {
    breadth_format::Header header{};
    std::memcpy(&header, bytes.data(), sizeof(header));
    const breadth_format::Layout layout = layout_of(header);
    std::string joined;
    std::vector<std::uint64_t> ends;
    for (const std::string& name : names) ends.push_back((joined += name).size());
    EXPECT_EQ(names.size(), header.name_count);
    EXPECT_EQ(joined.size(), header.name_bytes);
    EXPECT_EQ(layout.chunks, 1U);
    std::memcpy(bytes.data() + layout.name_ends, ends.data(), ends.size() * sizeof(std::uint64_t));
    bytes.replace(layout.name_bytes, joined.size(), joined);
    const auto all = std::as_bytes(std::span(bytes));
    const std::uint64_t sum = hash_of(all.subspan(layout.edges, layout.table - layout.edges));
    std::memcpy(bytes.data() + layout.table, &sum, sizeof(sum));
    return with_header(bytes, [&](auto& own) { own.table_checksum = hash_of(all.subspan(layout.table)); });
  }
  static std::string encoded(std::int64_t name) { return std::string(as_name(encode_integer(name))); }

  const std::size_t stride_ = static_cast<std::size_t>(2 * test::world().size() - 1);  ///< 1 (every byte) on one rank
  TemporaryDirectory directory_;
  ThreadTeam threads_{2};
  Context context_{test::world(), threads_};
};

TEST_F(BreadthFile, HasTheDocumentedLayout) {
  const std::string bytes = converted("0 1 0.5\n1 2 1.5\n");
  ASSERT_EQ(bytes.size(), 128U + 64U + 64U + 8U);  // header, edges, weights, one chunk's checksum
  EXPECT_EQ(bytes.substr(0, 8),
            "\x89"
            "BRD\r\n\x1A\n");
  EXPECT_EQ(bytes.substr(8, 4), std::string("\x01\0\0\0", 4));
  EXPECT_EQ(bytes.substr(128, 12), std::string("\0\0\0\0\x01\0\0\0\0\0\0\0", 12));
  float weight = 0;
  std::memcpy(&weight, bytes.data() + 192 + 4, 4);
  EXPECT_EQ(weight, 1.5F);
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + 256, 8);
  EXPECT_EQ(sum, hash_of(std::as_bytes(std::span(bytes).subspan(128, 128))));
}

TEST_F(BreadthFile, IsTheSameOnAnyRanks) {
  // XXH3 of a file of names that a run on one rank wrote.
  const std::string bytes = converted("carol alice\nbob alice\nalice dave\n");
  EXPECT_EQ(bytes.size(), 128U + 64U + 64U + 64U + 8U);
  EXPECT_EQ(bytes.substr(128 + 128, 17), "alicebobcaroldave");
}

TEST_F(BreadthFile, NoticesEveryChangedByte) {
  const std::string text = "carol alice 1\nbob alice 2\nalice dave 3\n";
  const std::string bytes = converted(text);
  ASSERT_EQ(refusal(bytes), "");
  for (std::size_t i = 0; i < bytes.size(); i += stride_) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(refusal(damaged), "") << "byte " << i;
  }
}

TEST_F(BreadthFile, NoticesEveryMissingByte) {
  const std::string bytes = converted("carol alice 1\nbob alice 2\nalice dave 3\n");
  for (std::size_t left = 0; left < bytes.size(); left += stride_) {
    EXPECT_THAT(refusal(bytes.substr(0, left)),
                testing::AnyOf(HasSubstr("truncated"), HasSubstr("is empty"), HasSubstr("it starts with other bytes")))
        << left;
  }
  EXPECT_THAT(refusal(bytes + "x"), HasSubstr("damaged"));
}

TEST_F(BreadthFile, SaysWhatIsWrong) {
  const std::string bytes = converted("carol alice\nbob alice\nalice dave\n");
  EXPECT_THAT(refusal("1 2\n"), HasSubstr("not a graph file of Breadth"));
  EXPECT_THAT(refusal(with_header(bytes, [](auto& header) { header.version_number = 2; })),
              HasSubstr("has version 2 of the format; this program reads version 1"));
  std::string damaged = bytes;
  damaged[40] = static_cast<char>(damaged[40] ^ 1);
  EXPECT_THAT(refusal(damaged), HasSubstr("its header has a wrong checksum"));
  damaged = bytes;
  damaged[130] = static_cast<char>(damaged[130] ^ 1);
  EXPECT_THAT(refusal(damaged), HasSubstr("bytes 128 to 319 have a wrong checksum"));
  damaged = bytes;
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  EXPECT_THAT(refusal(damaged), HasSubstr("table of checksums"));
  EXPECT_THAT(refusal(with_header(bytes, [](auto& header) { header.edge_count = 0; })), HasSubstr("has no edges"));
}

TEST_F(BreadthFile, SurvivesHeadersThatLie) {
  const std::string bytes = converted("carol alice\nbob alice\nalice dave\n");
  const auto lie = [&](auto&& change) { return refusal(with_header(bytes, change)); };
  EXPECT_THAT(lie([](auto& header) { header.edge_count = ~std::uint64_t{0}; }), HasSubstr("truncated"));
  EXPECT_THAT(lie([](auto& header) { header.edge_count = 20; }), HasSubstr("truncated"));
  EXPECT_THAT(lie([](auto& header) { header.name_count = std::uint64_t{1} << 47; }), HasSubstr("truncated"));
  EXPECT_THAT(lie([](auto& header) { header.name_count = ~std::uint64_t{0}; }), HasSubstr("has impossible values"));
  EXPECT_THAT(lie([](auto& header) { header.name_count = 3; }), HasSubstr("beyond its 3 names"));
  EXPECT_THAT(lie([](auto& header) { header.name_bytes = 4; }), HasSubstr("names have impossible lengths"));
  EXPECT_THAT(lie([](auto& header) { header.name_bytes = ~std::uint64_t{0}; }), HasSubstr("truncated"));
  EXPECT_THAT(lie([](auto& header) { header.names = NameKind::integers; }), HasSubstr("names have impossible lengths"));
  EXPECT_THAT(lie([](auto& header) { header.names = static_cast<NameKind>(9); }), HasSubstr("has impossible values"));
}

TEST_F(BreadthFile, RefusesNumbersBeyond64Bits) {
  const std::string bytes = converted("0 1\n1 2\n");
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const auto from = [&](std::int64_t first) {
    return refusal(with_header(bytes, [&](auto& header) { header.first_name = first; }));
  };
  EXPECT_THAT(from(largest - 1), HasSubstr(fmt::format("3 vertices numbered from {}", largest - 1)));
  EXPECT_THAT(from(largest), HasSubstr("do not fit in 64 bits"));
  EXPECT_EQ(from(largest - 3), "");
  EXPECT_EQ(from(std::numeric_limits<std::int64_t>::min()), "");
}

TEST_F(BreadthFile, RefusesNamesThatDoNotRise) {
  const std::string bytes = converted("anna bert\ncarl dora\n");
  const auto of = [&](const std::vector<std::string>& names) { return refusal(with_names(bytes, names)); };
  EXPECT_EQ(of({"anna", "bert", "carl", "dora"}), "");
  EXPECT_EQ(of({"a", "annabert", "carl", "dor"}), "");
  EXPECT_THAT(of({"bert", "anna", "carl", "dora"}), HasSubstr("names are not sorted: 'bert' is followed by 'anna'"));
  EXPECT_THAT(of({"anna", "bert", "dora", "carl"}), HasSubstr("names are not sorted: 'dora' is followed by 'carl'"));
  EXPECT_THAT(of({"anna", "carl", "carl", "dora"}), HasSubstr("two of its vertices are called 'carl'"));
  EXPECT_THAT(of({"", "annabert", "carl", "dora"}), HasSubstr("a vertex without a name"));
  const std::string integers = converted("-7 5000000000\n9000000000 5000000000\n");
  const auto of_integers = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return refusal(with_names(integers, {encoded(a), encoded(b), encoded(c)}));
  };
  EXPECT_EQ(of_integers(-8, -7, 5), "");
  EXPECT_THAT(of_integers(-7, -8, 5), HasSubstr("names are not sorted: '-7' is followed by '-8'"));
  EXPECT_THAT(of_integers(-7, 5, 5), HasSubstr("two of its vertices are called '5'"));
}

/// A rank's block has at least 64 names, so this compares the last name of one rank with the first of the next.
TEST_F(BreadthFile, RefusesNamesThatDoNotRiseBetweenRanks) {
  std::string text;
  std::vector<std::string> names;
  for (int i = 0; i < 500; ++i) {
    names.push_back(fmt::format("v{:03}", i));
    text += fmt::format("v{:03} v{:03}\n", i, (i + 1) % 500);
  }
  const std::string bytes = converted(text);
  ASSERT_EQ(refusal(with_names(bytes, names)), "");
  for (std::size_t i = 63; i + 1 < names.size(); i += 64) {
    std::vector<std::string> swapped = names;
    std::swap(swapped[i], swapped[i + 1]);
    EXPECT_THAT(refusal(with_names(bytes, swapped)), HasSubstr("names are not sorted")) << i;
    swapped[i + 1] = swapped[i];
    EXPECT_THAT(refusal(with_names(bytes, swapped)), HasSubstr(fmt::format("are called '{}'", swapped[i]))) << i;
  }
}

TEST_F(BreadthFile, RefusesNamesThatNoTextCouldHave) {
  const std::string bytes = converted("anna bert\ncarl dora\n");
  for (const char byte : {'\n', '\x1B', '\0', '\x7F'}) {
    for (const std::string& name : {std::string{'b', byte, 'r', 't'}, std::string{'b', 'e', 'r', byte}}) {
      const std::string message = refusal(with_names(bytes, {"anna", name, "carl", "dora"}));
      EXPECT_THAT(message, HasSubstr(fmt::format("has the byte 0x{:02x}, which no name may have", byte)));
      EXPECT_THAT(message, testing::Not(testing::ContainsRegex("[\x01-\x08\x0A-\x1F\x7F]")))
          << "a message is one line of text";
    }
  }
  EXPECT_EQ(refusal(with_names(bytes, {" an\t", "b,\"r", "b\xC3\xA9t", "d\r x"})), "") << "a table has these in quotes";
  EXPECT_EQ(refusal(with_names(bytes, {"#1\\!", "b\"'t", "carl", "dora"})), "");
}

/// Compares every byte of a file of several chunks, with parts and ranks' shares that end anywhere in chunks.
TEST_F(BreadthFile, HasTheSameBytesOnAnyRanks) {
  constexpr std::uint64_t names = 60000;
  constexpr std::uint64_t edges = 150000;
  std::string text;
  std::string packed;
  std::string weights;
  const auto append = [](std::string& to, const auto& value) {
    to.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  for (std::uint64_t i = 0; i < edges; ++i) {
    const Edge edge{Label{static_cast<std::int64_t>(i % names)}, Label{static_cast<std::int64_t>(i * 7919 % names)}};
    const float weight = static_cast<float>(i % 1000) / 8;
    text += fmt::format("v{:05} v{:05} {}\n", edge.source.value, edge.target.value, weight);
    append(packed, PackedEdge::pack(edge));
    append(weights, weight);
  }
  std::string ends;
  std::string bytes;
  for (std::uint64_t i = 0; i < names; ++i) {
    bytes += fmt::format("v{:05}", i);
    append(ends, std::uint64_t{bytes.size()});
  }
  std::string expected(128, '\0');
  for (const std::string* part : {&packed, &weights, &ends, &bytes}) {
    expected += *part;
    expected.resize((expected.size() + 63) / 64 * 64);
  }
  const std::size_t table = expected.size();
  for (std::size_t at = 128; at < table; at += 1 << 20) {
    append(expected,
           hash_of(std::as_bytes(std::span(expected).subspan(at, std::min(table - at, std::size_t{1} << 20)))));
  }
  const std::string found = converted(text);
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_GT(expected.size() - table, 3 * sizeof(std::uint64_t)) << "several chunks";
  EXPECT_TRUE(std::equal(found.begin() + 128, found.end(), expected.begin() + 128));
  EXPECT_EQ(refusal(found), "");
}

/// A list that overwrites a part of its own output file whenever weights are read, which is after the edges.
class ListThatSpoils final : public EdgeList {
 public:
  ListThatSpoils(const MemoryEdgeList& list, std::string path) : list_(list), path_(std::move(path)) {}
  [[nodiscard]] std::uint64_t size() const override { return list_.size(); }
  [[nodiscard]] bool weighted() const override { return true; }
  void read(std::uint64_t first, std::span<Edge> edges, std::span<float> weights) const override {
    list_.read(first, edges, weights);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(0, std::ios::end);
    if (weights.empty() || file.tellg() < first_edge_end) return;
    file.seekp(first_edge_end - std::streamoff{12});
    file.write("another view", 12);
  }
  void restore() const {
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    const PackedEdge packed = [&] {
      Edge edge{no_label, no_label};
      list_.read(0, {&edge, 1}, {});
      return PackedEdge::pack(edge);
    }();
    file.seekp(first_edge_end - std::streamoff{12});
    file.write(reinterpret_cast<const char*>(&packed), sizeof(packed));
  }

 private:
  static constexpr std::streamoff first_edge_end = 128 + 12;
  const MemoryEdgeList& list_;
  std::string path_;
};

/// A machine may see old content of a file that other machines write. So checksums must be computed from the data that
/// was written, not from what the file shows.
TEST_F(BreadthFile, HasChecksumsOfWhatWasWritten) {
  const bool first = test::world().rank() == 0;
  const std::vector<Edge> edges(first ? std::size_t{3} : 0, Edge{Label{0}, Label{1}});
  const std::vector<float> weights(edges.size(), 0.5F);
  const MemoryEdgeList list(edges, weights);
  const std::string path = directory_.file("spoilt.breadth");
  SharedOutputFile file(path, test::world());
  auto spoils = std::make_unique<ListThatSpoils>(list, file.temporary_path());
  const ListThatSpoils& spoiler = *spoils;
  GraphFile graph{.path = path, .kind = file_kind(path), .edges = std::move(spoils), .edge_count = 3};
  graph.weighted = true;
  graph.names = VertexNames::range(0, 2);
  write_breadth(file, graph, context_);
  if (first) spoiler.restore();
  file.commit();
  EXPECT_EQ(error_of([&] { read_graph(path, {}, context_); }), "");
}

TEST_F(BreadthFile, ChecksLargeFilesInChunks) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += fmt::format("{} {}\n", i, i * 7 % 200000);
  const std::string bytes = converted(text);  // 2.4 MB: three chunks
  ASSERT_EQ(refusal(bytes), "");
  std::string damaged = bytes;
  const std::size_t at = 128 + (std::size_t{1} << 20) + 77;
  damaged[at] = static_cast<char>(damaged[at] ^ 1);
  EXPECT_THAT(refusal(damaged),
              HasSubstr(fmt::format("bytes {} to {} have a wrong checksum", 128 + (1 << 20), 128 + (2 << 20) - 1)));
}

}  // namespace
}  // namespace breadth
