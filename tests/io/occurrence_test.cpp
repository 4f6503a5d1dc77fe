#include "io/names/vertex_names.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/data/bitmap.hpp"
#include "core/data/label_array.hpp"
#include "file_support.hpp"
#include "support/edge_lists.hpp"

namespace breadth {
namespace {

using test::on_threads;

TEST(Occurrence, FindsALabelOrItsNeighbours) {
  const test::NamedEdges list{"some", {{Label{5}, Label{9}}, {Label{100}, Label{5}}, {Label{20}, Label{20}}}, {}};
  const MemoryEdgeList part = test::part_of(list, false, 3);
  on_threads([&](const Context& context) {
    Occurrence found = find_occurrence(part, Label{20}, context);
    EXPECT_TRUE(found.found);
    EXPECT_EQ(found.smallest, Label{5});
    EXPECT_EQ(found.largest, Label{100});
    found = find_occurrence(part, Label{21}, context);
    EXPECT_FALSE(found.found);
    EXPECT_EQ(found.below, Label{20});
    EXPECT_EQ(found.above, Label{100});
    EXPECT_EQ(find_occurrence(part, Label{2}, context).below, no_label);
    EXPECT_EQ(find_occurrence(part, Label{2}, context).above, Label{5});
    EXPECT_EQ(find_occurrence(part, Label{200}, context).below, Label{100});
    EXPECT_EQ(find_occurrence(part, Label{200}, context).above, no_label);
  });
}

TEST(Occurrence, MarksEveryLabelWhereItLies) {
  for (const test::NamedEdges& list :
       {test::random_edges(900, 300, 1), test::random_edges(70, 2000, 2), test::path(300), test::star(2)}) {
    std::set<Label> expected;
    for (const Edge& edge : list.edges) expected.insert({edge.source, edge.target});
    const MemoryEdgeList part = test::part_of(list, false, 5);
    const auto& ranks = test::world();
    on_threads([&](const Context& context) {
      for (const std::uint64_t vertices : {std::uint64_t{900}, std::uint64_t{50}}) {
        const BlockDistribution distribution(vertices, ranks.size());
        const Bitmap found = occurring_labels(part, distribution, context);
        ASSERT_EQ(found.size(), distribution.count(ranks.rank()));
        for (std::size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found.contains(i), expected.contains(distribution.label(ranks.rank(), i))) << list.name << " " << i;
        }
      }
    });
  }
}

}  // namespace
}  // namespace breadth
