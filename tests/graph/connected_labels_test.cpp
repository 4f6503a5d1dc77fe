#include "graph/partition.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace breadth {
namespace {

TEST(ConnectedLabelsTest, EveryLabelHasTheLocalIdOfTheTable) {
  std::mt19937 random(3);
  ThreadTeam threads(3);
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 1000U, 200000U}) {
    for (const unsigned one_in : {1U, 2U, 100U}) {
      std::vector<std::uint32_t> table(size, no_local_vertex.value);
      std::vector<std::uint32_t> connected;
      for (auto& local : table) {
        if (random() % one_in != 0) continue;
        local = static_cast<std::uint32_t>(random() % 1000);
        connected.push_back(local);
      }
      const ConnectedLabels labels(table, threads);
      ASSERT_EQ(labels.size(), size);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(labels.local(i).value, table[i]) << i;
      const auto locals = labels.locals(0, labels.words().size());
      EXPECT_TRUE(std::equal(locals.begin(), locals.end(), connected.begin(), connected.end()));
    }
  }
}

TEST(ConnectedLabelsTest, LocalsOfWordsAreThoseOfTheirLabels) {
  ThreadTeam threads(1);
  std::vector<std::uint32_t> table(300, no_local_vertex.value);
  for (std::size_t i = 0; i < table.size(); i += 7) table[i] = static_cast<std::uint32_t>(i);
  const ConnectedLabels labels(table, threads);
  for (std::size_t begin = 0; begin <= labels.words().size(); ++begin) {
    for (std::size_t end = begin; end <= labels.words().size(); ++end) {
      std::vector<std::uint32_t> expected;
      for (std::size_t i = begin * 64; i < std::min(table.size(), end * 64); ++i) {
        if (table[i] != no_local_vertex.value) expected.push_back(table[i]);
      }
      const auto locals = labels.locals(begin, end);
      EXPECT_TRUE(std::equal(locals.begin(), locals.end(), expected.begin(), expected.end())) << begin << " " << end;
    }
  }
}

}  // namespace
}  // namespace breadth
