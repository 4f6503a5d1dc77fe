#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "file_support.hpp"
#include "io/names/name_list.hpp"
#include "io/names/vertex_names.hpp"

namespace breadth {
namespace {

TEST(EncodedIntegers, KeepTheirOrder) {
  const std::vector<std::int64_t> values{INT64_MIN, INT64_MIN + 1, -1000, -1, 0, 1, 255, 256, 1LL << 40, INT64_MAX};
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(decode_integer(as_name(encode_integer(values[i]))), values[i]);
    for (std::size_t j = 0; j < values.size(); ++j) {
      const auto a = encode_integer(values[i]);
      const auto b = encode_integer(values[j]);
      EXPECT_EQ(as_name(a) < as_name(b), i < j);
    }
  }
}

TEST(SortNames, GivesEachNameItsPlace) {
  ThreadTeam threads(3);
  std::mt19937_64 random(1);
  for (std::size_t lists = 0; lists < 6; ++lists) {
    std::vector<NameList> all(lists);
    std::set<std::string> distinct;
    for (NameList& list : all) {
      std::set<std::string> of_list;
      for (std::uint64_t i = random() % 200; i > 0; --i) {
        of_list.insert(fmt::format("{}{}", random() % 2 == 0 ? "" : "a long beginning ", random() % 300));
      }
      std::vector<std::string> shuffled(of_list.begin(), of_list.end());
      std::shuffle(shuffled.begin(), shuffled.end(), random);
      for (const std::string& name : shuffled) list.append(name);
      distinct.insert(of_list.begin(), of_list.end());
    }
    const SortedNames sorted = sort_names(all, threads);
    ASSERT_EQ(sorted.distinct.size(), distinct.size());
    std::size_t i = 0;
    for (const std::string& name : distinct) EXPECT_EQ(sorted.distinct[i++], name);
    for (std::size_t list = 0; list < lists; ++list) {
      for (std::size_t name = 0; name < all[list].size(); ++name) {
        EXPECT_EQ(sorted.distinct[sorted.places[list][name]], all[list][name]);
      }
    }
  }
}

/// Each rank has some of the names, with overlaps. If `only` is not -1, that rank has all of them.
void check_numbering(const std::set<std::string>& names, int only) {
  const Communicator& ranks = test::world();
  const auto rank = static_cast<std::size_t>(ranks.rank());
  NameList mine;
  std::size_t i = 0;
  for (const std::string& name : names) {
    const std::size_t owner = (i * 7919) % static_cast<std::size_t>(ranks.size());
    const bool has = only >= 0 ? ranks.rank() == only : owner == rank || i % 3 == 0;
    if (has) mine.append(name);
    ++i;
  }
  ThreadTeam threads(2);
  const NumberedNames numbered = number_names(NameKind::strings, mine, {ranks, threads});
  EXPECT_EQ(numbered.names.count(), names.size());
  std::map<std::string, std::int64_t, std::less<>> expected;
  for (const std::string& name : names) expected.emplace(name, static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(numbered.labels.size(), mine.size());
  for (std::size_t k = 0; k < mine.size(); ++k) EXPECT_EQ(numbered.labels[k].value, expected.find(mine[k])->second);

  // Asks for some names in any order and with repetitions, or for none.
  std::vector<Label> asked;
  std::mt19937_64 random(rank);
  for (std::uint64_t k = 0; !names.empty() && k < 50 * rank; ++k) {
    asked.push_back(k % 11 == 0 ? no_label : Label{static_cast<std::int64_t>(random() % names.size())});
  }
  const NameList answers = numbered.names.names_of(asked, ranks);
  ASSERT_EQ(answers.size(), asked.size());
  for (std::size_t k = 0; k < asked.size(); ++k) {
    EXPECT_EQ(answers[k], asked[k] == no_label
                              ? std::string()
                              : *std::next(names.begin(), static_cast<std::ptrdiff_t>(asked[k].index())));
  }
  EXPECT_FALSE(numbered.names.find("not there", ranks));
  for (const char* name : {"n0", "n5", "n77"}) {
    const auto found = expected.find(name);
    EXPECT_EQ(numbered.names.find(name, ranks),
              found == expected.end() ? std::nullopt : std::optional(Label{found->second}));
  }
}

TEST(NumberNames, NumbersTheUnionInRisingOrder) {
  for (const std::size_t count : {1U, 2U, 10U, 63U, 64U, 65U, 1000U, 5000U}) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.insert(fmt::format("n{}", i));
    SCOPED_TRACE(count);
    check_numbering(names, -1);
    check_numbering(names, 0);
    check_numbering(names, test::world().size() - 1);
  }
}

NearNames near(NameKind kind, const std::vector<std::string>& words, std::string_view text) {
  std::set<std::string> stored;
  for (const std::string& word : words) {
    stored.insert(kind == NameKind::strings ? word : std::string(as_name(encode_integer(std::stoll(word)))));
  }
  NameList mine;
  if (test::world().rank() == test::world().size() - 1) {
    for (const std::string& name : stored) mine.append(name);
  }
  ThreadTeam threads(1);
  return find_near_names(number_names(kind, mine, {test::world(), threads}).names, text, test::world());
}

TEST(NearNames, FindsWhatWasProbablyMeant) {
  const std::vector<std::string> words{"alice", "bob", "carol", "dorothy"};
  const auto expect = [](const NearNames& found, const char* first, const char* last, const char* nearest) {
    EXPECT_EQ(found.first, first);
    EXPECT_EQ(found.last, last);
    EXPECT_EQ(found.nearest, nearest);
  };
  expect(near(NameKind::strings, words, "Alice"), "alice", "dorothy", "alice");
  expect(near(NameKind::strings, words, "dorthy"), "alice", "dorothy", "dorothy");
  expect(near(NameKind::strings, words, "xyzxyz"), "alice", "dorothy", "");
  expect(near(NameKind::strings, words, "dorohty"), "alice", "dorothy", "dorothy");
  expect(near(NameKind::strings, {"edge", "graph"}, "garhp"), "edge", "graph", "graph");
  std::vector<std::string> integers;
  for (std::int64_t i = -500; i < 500; ++i) integers.push_back(std::to_string(i * 1000000007));
  expect(near(NameKind::integers, integers, "5000000000"), integers.front().c_str(), integers.back().c_str(),
         "5000000035");
  expect(near(NameKind::integers, integers, "-9223372036854775808"), integers.front().c_str(), integers.back().c_str(),
         integers.front().c_str());
}

}  // namespace
}  // namespace breadth
