// The generator's kernel for every instruction set of this processor, compared with the plain form.
#include <gtest/gtest.h>

#include <vector>

#include "generate/generators.hpp"
#include "support/instruction_sets.hpp"

namespace breadth {
namespace {

class KroneckerLanesTest : public test::InstructionSetTest {};

/// About one draw in 590,000 is rejected and drawn again: about ten tuples in this range.
TEST_P(KroneckerLanesTest, AgreesWithThePlainForm) {
  const Kronecker kronecker({.scale = 30, .seed = {0x123456789ABCDEFU, 0xFEDCBA987654321U}});
  constexpr std::uint64_t first = 987654321;
  std::vector<Edge> edges(200003, Edge{no_label, no_label});
  std::vector<float> weights(edges.size());
  kronecker.generate(first, edges, weights);
  for (std::size_t i = 0; i < edges.size(); ++i) {
    float weight = -1;
    ASSERT_EQ(kronecker.plain_edge(first + i, weight), edges[i]) << i;
    ASSERT_EQ(weight, weights[i]) << i;
  }
}

TEST_P(KroneckerLanesTest, MakesRangesShorterThanAVector) {
  const Kronecker kronecker({.scale = 9});
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<Edge> edges(count + 1, Edge{no_label, no_label});
    kronecker.generate(1000, std::span(edges).first(count), {});
    for (std::size_t i = 0; i < count; ++i) {
      float weight = -1;
      ASSERT_EQ(kronecker.plain_edge(1000 + i, weight), edges[i]) << i << " of " << count;
    }
    EXPECT_EQ(edges.back(), (Edge{no_label, no_label})) << "written beyond the end";
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, KroneckerLanesTest, test::instruction_sets(), test::instruction_set_name);

}  // namespace
}  // namespace breadth
