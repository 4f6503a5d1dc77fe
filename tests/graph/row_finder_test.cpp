// Rows that are found from the vertex alone, compared with the rows of the index.
#include "graph/adjacency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace breadth {
namespace {

template <class Neighbour>
Adjacency<Neighbour> rows_of(const std::vector<std::size_t>& degrees) {
  Adjacency<Neighbour> rows;
  rows.offsets = Buffer<EdgeOffset>(degrees.size() + 1);
  for (std::size_t i = 0; i < degrees.size(); ++i) rows.offsets[i + 1] = rows.offsets[i] + degrees[i];
  rows.neighbours = Buffer<Neighbour>(rows.offsets[degrees.size()]);
  return rows;
}

template <class Neighbour>
void expect_found(const std::vector<std::size_t>& degrees) {
  const Adjacency<Neighbour> rows = rows_of<Neighbour>(degrees);
  const RowFinder<Adjacency<Neighbour>> finder(rows);
  for (std::uint32_t vertex = 0; vertex < degrees.size(); ++vertex) {
    const auto row = finder.find(LocalVertex{vertex});
    EXPECT_EQ(row.data(), rows.row(LocalVertex{vertex}).data()) << vertex;
    EXPECT_EQ(row.size(), degrees[vertex]) << vertex;
  }
}

void expect_found(const std::vector<std::size_t>& degrees) {
  expect_found<std::uint32_t>(degrees);
  expect_found<std::uint64_t>(degrees);
}

TEST(RowFinder, FindsRowsOfEveryLength) {
  std::mt19937 random(7);
  for (const std::size_t most : std::vector<std::size_t>{1, 2, 5, 8, 9, 30}) {
    std::vector<std::size_t> degrees(500);
    for (std::size_t& degree : degrees) degree = 1 + random() % most;
    std::sort(degrees.begin(), degrees.end(), std::greater<>());
    expect_found(degrees);
  }
}

TEST(RowFinder, FindsRowsWhereAllHaveOneLength) {
  for (const std::size_t degree : std::vector<std::size_t>{1, 4, 8, 9})
    expect_found(std::vector<std::size_t>(70, degree));
}

// Degrees need not decrease: the vertex order may have counted duplicates, and for a directed graph it counts edges in
// both directions.
TEST(RowFinder, FindsRowsThatStandOutOfOrder) {
  expect_found({9, 5, 3, 4, 3, 2, 2, 1, 2, 1, 1});
  expect_found({4, 4, 0, 4, 4});
  expect_found({3, 3, 1, 0});
  expect_found({1, 1, 2, 2, 7, 7});
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::size_t> degrees(60);
    for (std::size_t& degree : degrees) degree = random() % 10;
    expect_found(degrees);
  }
}

TEST(RowFinder, HasNothingToFindInAnEmptyGraph) {
  expect_found({});
  const Adjacency<std::uint32_t> none;
  EXPECT_NO_FATAL_FAILURE(RowFinder<Adjacency<std::uint32_t>>{none});
}

}  // namespace
}  // namespace breadth
