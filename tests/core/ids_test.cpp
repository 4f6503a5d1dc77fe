#include "core/ids.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace breadth {
namespace {

// An id takes as much memory and as many registers as its number.
static_assert(sizeof(Label) == sizeof(std::int64_t) && alignof(Label) == alignof(std::int64_t));
static_assert(sizeof(LocalVertex) == sizeof(std::uint32_t) && alignof(LocalVertex) == alignof(std::uint32_t));
static_assert(std::is_trivial_v<Label> && std::is_trivial_v<LocalVertex>);
static_assert(std::is_standard_layout_v<Label> && std::is_standard_layout_v<LocalVertex>);
static_assert(sizeof(Edge) == 16 && std::is_trivially_copyable_v<Edge>);
static_assert(sizeof(EdgeOffset) == 8, "a rank may hold more than 2^32 edges");

// Kinds of ids do not convert to each other or to plain numbers.
static_assert(!std::is_convertible_v<Label, LocalVertex> && !std::is_convertible_v<LocalVertex, Label>);
static_assert(!std::is_constructible_v<Label, LocalVertex> && !std::is_constructible_v<LocalVertex, Label>);
static_assert(!std::is_assignable_v<Label&, LocalVertex> && !std::is_assignable_v<LocalVertex&, Label>);
static_assert(!std::is_convertible_v<std::int64_t, Label> && !std::is_convertible_v<Label, std::int64_t>);
static_assert(!std::is_convertible_v<std::uint32_t, LocalVertex> && !std::is_convertible_v<LocalVertex, std::size_t>);
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
static_assert(Comparable<Label, Label> && Comparable<LocalVertex, LocalVertex>);
static_assert(!Comparable<Label, LocalVertex> && !Comparable<Label, int> && !Comparable<LocalVertex, int>);
static_assert(!Addable<Label, Label> && !Addable<Label, int> && !Addable<LocalVertex, LocalVertex>);

TEST(Id, IsOrderedByItsNumber) {
  EXPECT_LT(Label{3}, Label{4});
  EXPECT_EQ(Label{3}, Label{3});
  EXPECT_LT(no_label, Label{0});
  EXPECT_LT(LocalVertex{0}, no_local_vertex);
  EXPECT_EQ(Label{1234567890123}.index(), 1234567890123U);
  EXPECT_EQ(no_local_vertex.index(), 4294967295U);
}

TEST(Id, IsHashedByItsNumber) {
  const std::unordered_set<Label> labels{Label{1}, Label{2}, Label{1}};
  EXPECT_EQ(labels.size(), 2U);
  EXPECT_TRUE(labels.contains(Label{2}));
  EXPECT_FALSE(labels.contains(Label{3}));
}

TEST(Edge, IsOrderedBySourceThenTarget) {
  EXPECT_LT((Edge{Label{1}, Label{9}}), (Edge{Label{2}, Label{0}}));
  EXPECT_LT((Edge{Label{1}, Label{8}}), (Edge{Label{1}, Label{9}}));
  EXPECT_NE((Edge{Label{1}, Label{2}}), (Edge{Label{2}, Label{1}}));
}

}  // namespace
}  // namespace breadth
