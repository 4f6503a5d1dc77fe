// Data larger than an int can count is sent in pieces. In these tests a piece is a few bytes, not a gibibyte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "collective_checks.hpp"
#include "comm/mpi/mpi_state.hpp"
#include "support/ranks.hpp"

namespace breadth {
namespace {

Communicator world_in_pieces(std::size_t piece_bytes) {
  return Communicator(
      std::make_shared<detail::CommunicatorState>(detail::duplicate(test::world().state().handle), piece_bytes));
}

TEST(Pieces, AreConsecutiveAndCoverEverything) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{10}, std::size_t{11}, (std::size_t{1} << 32) + 5}) {
    const std::size_t piece = count < 100 ? 10 : detail::default_piece_bytes;
    std::size_t end = 0;
    detail::for_each_piece(count, piece, [&](std::size_t offset, int size) {
      EXPECT_EQ(offset, end);
      EXPECT_GT(size, 0);
      EXPECT_LE(static_cast<std::size_t>(size), piece);
      end += static_cast<std::size_t>(size);
    });
    EXPECT_EQ(end, count);
  }
}

TEST(Pieces, CarryEveryCollective) {
  for (const std::size_t piece_bytes : {std::size_t{8}, std::size_t{64}, std::size_t{1000}}) {
    test::check_all_collectives(world_in_pieces(piece_bytes));
  }
}

TEST(Pieces, AreAsSmallOnTheNode) {
  const Communicator node = world_in_pieces(64).node();
  EXPECT_EQ(node.state().piece_bytes, 64U);
  test::check_all_collectives(node);
}

TEST(Mpi, TellsItsErrorsInItsOwnWords) {
  std::vector<double> values(1);
  try {
    test::world().all_reduce(std::span(values), Reduction::bitwise_or);
    if (test::world().size() > 1) ADD_FAILURE() << "floating-point numbers have no bitwise or";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("MPI_Allreduce failed: "));
    EXPECT_THAT(error.what(), testing::AnyOf(testing::HasSubstr("MPI_ERR_OP"), testing::HasSubstr("MPI_Op")));
    EXPECT_THAT(error.what(), testing::Not(testing::HasSubstr("\n"))) << "a message is one line";
  }
}

}  // namespace
}  // namespace breadth
