#include "core/data/label_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace breadth {
namespace {

TEST(LabelArray, TakesFourBytesWhileLabelsFit) {
  EXPECT_FALSE(LabelArray(10, 0).wide());
  EXPECT_FALSE(LabelArray(10, 0xFFFFFFFEU).wide());
  EXPECT_TRUE(LabelArray(10, 0xFFFFFFFFU).wide());
  EXPECT_TRUE(LabelArray(10, std::uint64_t{1} << 48).wide());
}

TEST(LabelArray, KeepsLabelsAndTheirAbsence) {
  for (const std::uint64_t vertices : {std::uint64_t{1000}, std::uint64_t{0xFFFFFFFE}, std::uint64_t{0xFFFFFFFF},
                                       std::uint64_t{0x100000000}, static_cast<std::uint64_t>(label_bound)}) {
    const auto last = static_cast<std::int64_t>(vertices) - 1;
    const std::vector<Label> labels{Label{0}, no_label, Label{last}, Label{last - 1}, Label{last / 2}, no_label};
    LabelArray array(labels.size(), vertices);
    ASSERT_EQ(array.size(), labels.size());
    EXPECT_EQ(array[3], Label{0}) << "a new array is zeroed";
    for (std::size_t i = 0; i < labels.size(); ++i) array.set(i, labels[i]);
    for (std::size_t i = 0; i < labels.size(); ++i) EXPECT_EQ(array[i], labels[i]) << "of " << vertices;
    array.set(1, Label{7});
    EXPECT_EQ(array[1], Label{7});
  }
}

TEST(LabelArray, ShowsItsEntries) {
  LabelArray narrow(3, 100);
  std::ranges::fill(narrow.entries<std::uint32_t>(), ~std::uint32_t{0});
  EXPECT_EQ(narrow[2], no_label);
  narrow.set(0, Label{99});
  EXPECT_EQ(narrow.entries<std::uint32_t>()[0], 99U);
  EXPECT_TRUE(narrow.entries<std::uint64_t>().empty());

  LabelArray wide(3, std::uint64_t{1} << 40);
  std::ranges::fill(wide.entries<std::uint64_t>(), ~std::uint64_t{0});
  EXPECT_EQ(wide[2], no_label);
  wide.set(0, Label{(std::int64_t{1} << 40) - 1});
  EXPECT_EQ(wide.entries<std::uint64_t>()[0], (std::uint64_t{1} << 40) - 1);
  EXPECT_TRUE(wide.entries<std::uint32_t>().empty());
}

TEST(LabelArray, MayBeEmpty) {
  EXPECT_EQ(LabelArray().size(), 0U);
  EXPECT_EQ(LabelArray(0, std::uint64_t{1} << 40).size(), 0U);
}

}  // namespace
}  // namespace breadth
