// The kernels of every instruction set of this processor, compared with plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/errors.hpp"
#include "core/memory/buffer.hpp"
#include "simd/find_in_frontier.hpp"
#include "simd/frontier.hpp"
#include "simd/instruction_set.hpp"
#include "simd/kernels.hpp"
#include "support/instruction_sets.hpp"

namespace breadth {
namespace {

class SimdTest : public test::InstructionSetTest {
 protected:
  static constexpr std::size_t global_ids_bound = 20000;
  static constexpr std::uint64_t local_mask = 4095;  // for global ids that are looked up by local id

  std::mt19937_64 random_{7};

  Bitmap random_bitmap(std::size_t bits, unsigned one_in) {
    Bitmap bitmap(bits);
    for (std::size_t i = 0; i < bits; ++i) {
      if (random_() % one_in == 0) bitmap.insert(i);
    }
    return bitmap;
  }

  template <class Neighbour>
  void check_column() {
    for (const std::size_t vertices : {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1000}}) {
      for (const unsigned one_in : {1U, 2U, 9U, 40U}) {
        const Bitmap bits = random_bitmap(global_ids_bound, 3);
        const FrontierBits frontier{bits.words().data(), one_in == 2 ? local_mask : ~std::uint64_t{0}};
        const Bitmap wanted = random_bitmap(vertices, one_in);
        Buffer<Neighbour> global_ids(vertices);
        Buffer<Neighbour> labels(vertices);
        Buffer<Neighbour> parents(vertices);
        for (std::size_t i = 0; i < vertices; ++i) {
          global_ids[i] = static_cast<Neighbour>(random_() % global_ids_bound);
          labels[i] = static_cast<Neighbour>(random_());
          parents[i] = static_cast<Neighbour>(i + 1);
        }
        Bitmap found(vertices);
        test_column<Neighbour>(global_ids.data(), labels.data(), frontier, wanted.words(), found.words(),
                               parents.data());
        for (std::size_t i = 0; i < vertices; ++i) {
          const bool hit = wanted.contains(i) && bits.contains(global_ids[i] & frontier.mask);
          ASSERT_EQ(found.contains(i), hit) << i;
          ASSERT_EQ(parents[i], hit ? labels[i] : static_cast<Neighbour>(i + 1)) << i;
        }
      }
    }
  }

  /// The summary of a bitmap: one bit for each group of 2^group_log2 bits.
  static Bitmap summary_of(const Bitmap& bitmap, int group_log2) {
    Bitmap summary((bitmap.size() >> group_log2) + 1);
    for (std::size_t i = 0; i < bitmap.size(); ++i) {
      if (bitmap.contains(i)) summary.insert(i >> group_log2);
    }
    return summary;
  }

  template <class Neighbour>
  void check_rows() {
    for (const unsigned one_in : {1U, 4U, 100U, 3000U, 100000U}) {
      const Bitmap bits = random_bitmap(global_ids_bound, one_in);
      check_rows<Neighbour>(bits, FrontierBits{bits.words().data()});
      check_rows<Neighbour>(bits, FrontierBits{bits.words().data(), local_mask}, local_mask);
      for (int group_log2 = 6; group_log2 <= 12; ++group_log2) {
        const Bitmap summary = summary_of(bits, group_log2);
        check_rows<Neighbour>(bits, SummarizedBits{bits.words().data(), summary.words().data(), group_log2});
      }
    }
  }

  template <class Neighbour>
  void check_rows(const Bitmap& bits, const Frontier& frontier, std::uint64_t mask = ~std::uint64_t{0}) {
    constexpr std::size_t max_rows = 300;
    RowSearch<Neighbour> search(max_rows);
    for (const std::size_t row_count : std::vector<std::size_t>{0, 1, 15, 17, 63, 64, 65, max_rows}) {
      std::vector<Neighbour> neighbours(7);  // before the first row
      std::vector<std::size_t> starts;
      for (std::size_t row = 0; row < row_count; ++row) {
        starts.push_back(neighbours.size());
        const std::size_t degree = 1 + random_() % (row % 10 == 0 ? 200 : 9);
        for (std::size_t i = 0; i < degree; ++i) {
          neighbours.push_back(static_cast<Neighbour>(random_() % global_ids_bound));
        }
      }
      starts.push_back(neighbours.size());
      RowSearch<Neighbour> first_search(max_rows);  // has not searched any rows before
      search.start(neighbours.data());
      first_search.start(neighbours.data());
      std::map<Neighbour, Neighbour> expected;
      std::uint64_t looked_at = 0;
      for (std::size_t row = 0; row < row_count; ++row) {
        const auto vertex = static_cast<std::uint32_t>(1000 + row);
        const Neighbour* const begin = neighbours.data() + starts[row];
        const Neighbour* const end = neighbours.data() + starts[row + 1];
        ASSERT_TRUE(search.add(vertex, begin, end) && first_search.add(vertex, begin, end));
        for (std::size_t i = starts[row]; i < starts[row + 1]; ++i) {
          ++looked_at;
          if (!bits.contains(neighbours[i] & mask)) continue;
          expected[vertex] = neighbours[i];
          break;
        }
      }
      for (RowSearch<Neighbour>* const one : {&search, &first_search}) {
        EXPECT_EQ(one->run(frontier), looked_at);
        ASSERT_EQ(one->found_vertices().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
          ASSERT_EQ(expected.at(one->found_vertices()[i]), one->found_neighbours()[i]);
        }
      }
    }
  }

  template <class Neighbour>
  void check_claim() {
    constexpr std::size_t vertices = 3000;
    for (const std::size_t count : std::vector<std::size_t>{0, 1, 16, 63, 64, 65, 700}) {
      Bitmap visited = random_bitmap(vertices, 3);
      const std::vector<std::uint64_t> before(visited.words().begin(), visited.words().end());
      std::vector<Neighbour> neighbours(vertices);
      for (std::size_t i = 0; i < vertices; ++i) neighbours[i] = static_cast<Neighbour>(i);
      std::shuffle(neighbours.begin(), neighbours.end(), random_);
      neighbours.resize(count);
      std::vector<Neighbour> parents(vertices, 5);
      std::vector<Neighbour> claimed(count + max_lanes + 1, 77);
      std::vector<Neighbour> unvisited(count + max_lanes + 1, 77);
      unvisited.resize(copy_unvisited<Neighbour>(neighbours, before.data(), unvisited.data()));
      const std::size_t found =
          claim_unvisited<Neighbour>(neighbours, 9, visited.words().data(), parents.data(), claimed.data());
      EXPECT_EQ(claimed.back(), 77U) << "written beyond the end";
      claimed.resize(found);
      std::vector<Neighbour> expected;
      for (const Neighbour neighbour : neighbours) {
        if (!test_bit(before, neighbour)) expected.push_back(neighbour);
      }
      ASSERT_EQ(claimed, expected);
      ASSERT_EQ(unvisited, expected);
      for (std::size_t i = 0; i < vertices; ++i) {
        const bool is_new = std::find(expected.begin(), expected.end(), i) != expected.end();
        ASSERT_EQ(visited.contains(i), is_new || test_bit(before, i));
        ASSERT_EQ(parents[i], is_new ? 9U : 5U);
      }
    }
  }

  /// Tests global ids with 20 bits of local id below the number of one of `ranks` ranks.
  template <class Neighbour>
  void check_split(Neighbour ranks) {
    constexpr unsigned local_bits = 20;
    constexpr Neighbour local_mask = (Neighbour{1} << local_bits) - 1;
    for (std::size_t count = 0; count < 1000; count += 1 + count / 4) {
      const auto own_rank = static_cast<Neighbour>(random_() % ranks);
      std::vector<Neighbour> global_ids(count);
      std::vector<Neighbour> expected_own;
      std::vector<Neighbour> expected_others;
      for (Neighbour& global_id : global_ids) {
        const auto rank = static_cast<Neighbour>(random_() % ranks);
        const auto local = static_cast<Neighbour>(random_() & local_mask);
        global_id = static_cast<Neighbour>((rank << local_bits) | local);
        if (rank == own_rank) {
          expected_own.push_back(local);
        } else {
          expected_others.push_back(global_id);
        }
      }
      std::vector<Neighbour> own(count + max_lanes + 1, 77);
      std::vector<Neighbour> others(count + max_lanes + 1, 77);
      const OwnIds<Neighbour> which{.above = static_cast<Neighbour>(own_rank << local_bits), .local_mask = local_mask};
      const std::size_t owned = split_row<Neighbour>(global_ids, which, own.data(), others.data());
      EXPECT_EQ(own.back(), 77U) << "written beyond the end";
      EXPECT_EQ(others.back(), 77U) << "written beyond the end";
      own.resize(owned);
      others.resize(count - owned);
      ASSERT_EQ(own, expected_own);
      ASSERT_EQ(others, expected_others);
    }
  }
};

TEST_P(SimdTest, ColumnsAreTestedForTheWantedOnly) {
  check_column<std::uint32_t>();
  check_column<std::uint64_t>();
}

TEST_P(SimdTest, RowsAreSearchedToTheFirstHit) {
  check_rows<std::uint32_t>();
  check_rows<std::uint64_t>();
}

TEST_P(SimdTest, WhatIsNotVisitedIsClaimedOnce) {
  check_claim<std::uint32_t>();
  check_claim<std::uint64_t>();
}

TEST_P(SimdTest, RowsArePartedByOwner) {
  for (const unsigned ranks : {1U, 2U, 3U, 4096U}) {
    check_split<std::uint32_t>(ranks);
    check_split<std::uint64_t>(ranks);
  }
}

TEST_P(SimdTest, GatheredEntriesStandWhereBitsAreSet) {
  std::vector<std::uint32_t> table(1000);
  for (auto& entry : table) entry = static_cast<std::uint32_t>(random_());
  for (std::size_t size = 0; size < 3000; size += 1 + size / 3) {
    for (const unsigned one_in : {1U, 2U, 30U, 100000U}) {
      const Bitmap where = random_bitmap(size, one_in);
      std::vector<std::uint32_t> indices;
      const std::uint32_t none = one_in == 2 ? 0x7F800000U : 0xFFFFFFFFU;
      std::vector<std::uint32_t> expected(size, none);
      for (std::size_t i = 0; i < size; ++i) {
        if (!where.contains(i)) continue;
        indices.push_back(static_cast<std::uint32_t>(random_() % table.size()));
        expected[i] = table[indices.back()];
      }
      for (const Store store : {Store::cached, Store::past_cache}) {
        Buffer<std::uint32_t> values(size + 64);
        std::fill(values.begin(), values.end(), 77U);
        gather_where_set(where.words(), indices, table.data(), none, values.span().first(size), store);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), values.begin())) << size << ", one in " << one_in;
        EXPECT_EQ(std::count(values.begin() + size, values.end(), 77U), 64) << "written beyond the end";
      }
    }
  }
}

/// Vertices [first, end) of `all` pull from vertices outside of this range, so the order in which they do does not
/// matter.
TEST_P(SimdTest, VerticesComeCloserByTheirLightestEdges) {
  constexpr std::size_t all = 1000;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr std::size_t first = 300;
  for (const std::size_t end : {std::size_t{300}, std::size_t{301}, std::size_t{316}, std::size_t{470}}) {
    for (std::size_t column_count = 0; column_count <= 4; ++column_count) {
      const auto draw = [&] { return static_cast<float>(random_() % 64) / 64; };
      std::vector<float> distances(all);
      for (float& distance : distances) distance = random_() % 4 == 0 ? infinity : 1 + draw();
      std::vector<std::uint32_t> parents(all, 7);
      std::vector<std::vector<std::uint32_t>> global_ids(column_count, std::vector<std::uint32_t>(all));
      std::vector<std::vector<float>> weights(column_count, std::vector<float>(all, infinity));
      std::vector<WeightedColumn> columns;
      for (std::size_t i = first; i < end; ++i) {
        const std::size_t degree = random_() % 6;
        float weight = 0;
        for (std::size_t place = 0; place < column_count; ++place) {
          if (place < degree) weights[place][i] = weight += draw() / 4;
          global_ids[place][i] = static_cast<std::uint32_t>(place < degree ? random_() % first : i);
        }
      }
      for (std::size_t place = 0; place < column_count; ++place) {
        columns.push_back({global_ids[place].data(), global_ids[place].data(), weights[place].data()});
      }
      const SweepBounds bounds{.base = 1, .settled = 1.125F, .limit = column_count % 2 == 0 ? 1.75F : infinity};

      std::vector<float> expected_distances = distances;
      std::vector<std::uint32_t> expected_parents = parents;
      std::vector<std::uint32_t> expected_improved;
      std::vector<std::uint32_t> expected_unfinished;
      std::uint64_t expected_edges = 0;
      for (std::size_t i = first; i < end; ++i) {
        const float before = std::min(distances[i], bounds.limit);
        float best = before;
        bool open = before > bounds.settled;
        for (std::size_t place = 0; place < column_count; ++place) {
          open = open && bounds.base + weights[place][i] < best;
          if (!open) break;
          ++expected_edges;
          const float candidate = distances[global_ids[place][i]] + weights[place][i];
          if (candidate >= best) continue;
          best = expected_distances[i] = candidate;
          expected_parents[i] = global_ids[place][i];
        }
        if (best < before) expected_improved.push_back(static_cast<std::uint32_t>(i));
        if (open) expected_unfinished.push_back(static_cast<std::uint32_t>(i));
      }

      std::vector<std::uint32_t> improved(end - first + max_lanes);
      std::vector<std::uint32_t> unfinished(end - first + max_lanes);
      PulledVertices pulled{.improved = improved.data(), .unfinished = unfinished.data()};
      pull_from_columns(columns, bounds, first, end, distances.data(), distances.data(), parents.data(), pulled);
      improved.resize(pulled.improved_count);
      unfinished.resize(pulled.unfinished_count);
      EXPECT_EQ(distances, expected_distances);
      EXPECT_EQ(parents, expected_parents);
      EXPECT_EQ(improved, expected_improved);
      EXPECT_EQ(unfinished, expected_unfinished);
      EXPECT_EQ(pulled.edges_examined, expected_edges);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, SimdTest, test::instruction_sets(), test::instruction_set_name);

TEST(InstructionSet, IsTheOneThatIsWantedOrAnError) {
  const std::vector<InstructionSet> usable = usable_instruction_sets();
  ASSERT_FALSE(usable.empty());
  EXPECT_EQ(usable.back(), InstructionSet::scalar);
  for (const InstructionSet set :
       {InstructionSet::scalar, InstructionSet::sse4, InstructionSet::avx2, InstructionSet::avx512,
        InstructionSet::neon, InstructionSet::sve, InstructionSet::sve2}) {
    if (std::find(usable.begin(), usable.end(), set) == usable.end()) {
      EXPECT_THROW(use_instruction_set(set), Error) << name_of(set);
    } else {
      use_instruction_set(set);
      EXPECT_EQ(instruction_set(), set);
      EXPECT_EQ(usable_instruction_sets().front(), set);
      EXPECT_EQ(instruction_set(), set) << "a query must not change the choice";
    }
  }
  use_instruction_set(InstructionSet::automatic);
  EXPECT_EQ(instruction_set(), usable.front());
}

}  // namespace
}  // namespace breadth
