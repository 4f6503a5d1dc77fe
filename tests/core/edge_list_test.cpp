#include "core/data/edge_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "core/errors.hpp"

namespace breadth {
namespace {

std::vector<Edge> random_edges(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&] { return Label{static_cast<std::int64_t>(random() >> 16)}; };
    const Label source = draw();
    edges.push_back({source, draw()});
  }
  return edges;
}

std::vector<float> weights_of(const std::vector<Edge>& edges) {
  std::vector<float> weights;
  for (std::size_t i = 0; i < edges.size(); ++i) weights.push_back(static_cast<float>(i % 1000) / 1000.0F);
  return weights;
}

TEST(PackedEdge, Keeps48BitsOfEachLabel) {
  constexpr std::int64_t last = label_bound - 1;
  for (const std::int64_t a : {std::int64_t{0}, std::int64_t{1}, std::int64_t{0xFFFFFFFF}, std::int64_t{1} << 32,
                               std::int64_t{0x8000'8000'8000}, last}) {
    for (const std::int64_t b : {std::int64_t{0}, std::int64_t{0xFFFFFFFF}, std::int64_t{0x1234'5678'9ABC}, last}) {
      EXPECT_EQ(PackedEdge::pack({Label{a}, Label{b}}).unpack(), (Edge{Label{a}, Label{b}}));
      EXPECT_EQ(PackedEdge::pack({Label{b}, Label{a}}).unpack(), (Edge{Label{b}, Label{a}}));
    }
  }
}

TEST(PackedEdge, LiesInMemoryAsTheFileHasIt) {
  const PackedEdge packed = PackedEdge::pack({Label{0x1234'5678'9ABC}, Label{0xFEDC'BA98'7654}});
  EXPECT_EQ(packed.source_low, 0x5678'9ABCU);
  EXPECT_EQ(packed.target_low, 0xBA98'7654U);
  EXPECT_EQ(packed.high, 0xFEDC'1234U);
  if constexpr (std::endian::native == std::endian::little) {
    const unsigned char expected[12] = {0xBC, 0x9A, 0x78, 0x56, 0x54, 0x76, 0x98, 0xBA, 0x34, 0x12, 0xDC, 0xFE};
    EXPECT_EQ(std::memcmp(&packed, expected, sizeof(expected)), 0);
  }
}

/// What it says of an edge that it is made of.
std::string refusal_of(std::int64_t source, std::int64_t target) {
  const std::vector<Edge> edges{{Label{0}, Label{1}}, {Label{source}, Label{target}}};
  try {
    const MemoryEdgeList list(edges);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Packed, such labels would be those of other vertices.
TEST(MemoryEdgeList, RefusesLabelsThatItCannotHold) {
  EXPECT_EQ(refusal_of(label_bound - 1, 0), "");
  EXPECT_EQ(refusal_of(-1, 3), "the edge list has label -1: labels are from 0 to 2^48 - 1");
  EXPECT_EQ(refusal_of(3, label_bound), "the edge list has label 281474976710656: labels are from 0 to 2^48 - 1");
  EXPECT_NE(refusal_of(std::numeric_limits<std::int64_t>::min(), 0), "");
}

TEST(MemoryEdgeList, RefusesAnotherNumberOfWeights) {
  EXPECT_THROW(MemoryEdgeList(random_edges(3), std::vector<float>(2)), Error);
  EXPECT_THROW(MemoryEdgeList(random_edges(3), std::vector<float>(4)), Error);
}

TEST(MemoryEdgeList, ReadsAnyPart) {
  const std::vector<Edge> edges = random_edges(1000);
  const std::vector<float> weights = weights_of(edges);
  const MemoryEdgeList list(edges, weights);
  EXPECT_EQ(list.size(), 1000U);
  EXPECT_TRUE(list.weighted());
  for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 1000}, {17, 100}, {999, 1}, {1000, 0}}) {
    std::vector<Edge> read_edges(count, Edge{no_label, no_label});
    std::vector<float> read_weights(count);
    list.read(first, read_edges, read_weights);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(read_edges[i], edges[first + i]);
      EXPECT_EQ(read_weights[i], weights[first + i]);
    }
    std::vector<Edge> again(count, Edge{no_label, no_label});
    list.read(first, again, {});
    EXPECT_EQ(again, read_edges);
  }
}

TEST(MemoryEdgeList, TakesPackedEdges) {
  Buffer<PackedEdge> packed(2);
  packed[0] = PackedEdge::pack({Label{1}, Label{2}});
  packed[1] = PackedEdge::pack({Label{3}, Label{label_bound - 1}});
  const MemoryEdgeList list(std::move(packed));
  EXPECT_EQ(list.size(), 2U);
  EXPECT_FALSE(list.weighted());
  Edge edge{};
  list.read(1, std::span(&edge, 1), {});
  EXPECT_EQ(edge, (Edge{Label{3}, Label{label_bound - 1}}));
  EXPECT_EQ(MemoryEdgeList().size(), 0U);
}

TEST(ParallelEdgeBlocks, CoverTheRangeOnce) {
  for (const int thread_count : {1, 2, 3, 8}) {
    ThreadTeam threads(thread_count);
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, edge_block_size, edge_block_size + 1,
                                    5 * edge_block_size, std::size_t{30011}}) {
      const std::vector<Edge> edges = random_edges(count);
      const MemoryEdgeList list(edges, weights_of(edges));
      const std::uint64_t first = count / 5;
      const std::uint64_t last = count - count / 7;
      for (const bool with_weights : {false, true}) {
        std::vector<std::vector<Edge>> seen(static_cast<std::size_t>(thread_count));
        std::vector<double> weight_sums(static_cast<std::size_t>(thread_count));
        parallel_edge_blocks(threads, list, first, last, with_weights,
                             [&](std::span<const Edge> block, std::span<const float> weights, int thread) {
                               const auto self = static_cast<std::size_t>(thread);
                               EXPECT_LE(block.size(), edge_block_size);
                               EXPECT_EQ(weights.size(), with_weights ? block.size() : 0);
                               seen[self].insert(seen[self].end(), block.begin(), block.end());
                               for (const float weight : weights) weight_sums[self] += static_cast<double>(weight);
                             });
        std::vector<Edge> all;
        for (const auto& part : seen) all.insert(all.end(), part.begin(), part.end());
        std::vector<Edge> expected(edges.begin() + static_cast<std::ptrdiff_t>(first),
                                   edges.begin() + static_cast<std::ptrdiff_t>(last));
        std::sort(all.begin(), all.end());
        std::sort(expected.begin(), expected.end());
        ASSERT_EQ(all, expected);
        double expected_sum = 0;
        for (std::size_t i = first; with_weights && i < last; ++i) {
          expected_sum += static_cast<double>(static_cast<float>(i % 1000) / 1000.0F);
        }
        double sum = 0;
        for (const double part : weight_sums) sum += part;
        EXPECT_NEAR(sum, expected_sum, 1e-6);
      }
    }
  }
}

TEST(ParallelEdgeBlocks, PassOnThatAListCannotBeRead) {
  class Unreadable : public EdgeList {
    [[nodiscard]] std::uint64_t size() const override { return 100000; }
    [[nodiscard]] bool weighted() const override { return false; }
    void read(std::uint64_t first, std::span<Edge>, std::span<float>) const override {
      if (first > 50000) fail("the disk is gone");
    }
  };
  ThreadTeam threads(3);
  EXPECT_THROW(parallel_edge_blocks(threads, Unreadable(), 0, 100000, false, [](const auto&...) {}), Error);
}

/// A list that counts how often it was asked whether it changed.
class WatchedList final : public EdgeList {
 public:
  explicit WatchedList(bool may_change) : may_change_(may_change) {}
  [[nodiscard]] std::uint64_t size() const override { return 10000; }
  [[nodiscard]] bool weighted() const override { return false; }
  void read(std::uint64_t, std::span<Edge> edges, std::span<float>) const override {
    std::fill(edges.begin(), edges.end(), Edge{Label{3}, Label{4}});
  }
  [[nodiscard]] bool may_change() const override { return may_change_; }
  void check_unchanged() const override {
    if (++asked_ > 2) fail("it has changed");
  }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  bool may_change_;
  mutable int asked_ = 0;
};

TEST(ParallelEdgeBlocks, EndWithAskingWhetherTheListChanged) {
  ThreadTeam threads(3);
  const WatchedList list(true);
  parallel_edge_blocks(threads, list, 0, list.size(), false, [](const auto&...) {});
  EXPECT_EQ(list.asked(), 1);
  edge_blocks_by_thread(threads, list, false, [](const auto&...) {});
  EXPECT_EQ(list.asked(), 2);
  EXPECT_THROW(parallel_edge_blocks(threads, list, 0, list.size(), false, [](const auto&...) {}), Error);
  EXPECT_THROW(edge_blocks_by_thread(threads, list, false, [](const auto&...) {}), Error);
}

TEST(RequireLabelsBelow, RefusesWhatAnEarlierPassDidNotSee) {
  const WatchedList list(true);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (const std::int64_t bound : {std::int64_t{1}, std::int64_t{2}, std::int64_t{1000}, label_bound}) {
    const auto require = [&](const EdgeList& of, std::int64_t source, std::int64_t target) {
      std::vector<Edge> block(5, Edge{Label{0}, Label{0}});
      block[3] = {Label{source}, Label{target}};
      require_labels_below(of, block, static_cast<std::uint64_t>(bound));
    };
    EXPECT_NO_THROW(require(list, bound - 1, bound - 1));
    for (const std::int64_t bad : {bound, bound + 1, label_bound, most, std::int64_t{-1}, least}) {
      EXPECT_THROW(require(list, bad, 0), Error) << bad;
      EXPECT_THROW(require(list, 0, bad), Error) << bad;
      EXPECT_THROW(require(list, bad, bad), Error) << bad;
      EXPECT_NO_THROW(require(WatchedList(false), bad, bad)) << "a list that cannot change is not checked";
    }
  }
  EXPECT_NO_THROW(require_labels_below(list, {}, 1));
}

}  // namespace
}  // namespace breadth
