// Compressed packets of relaxations decode to the nearest offer for each vertex, take the documented bytes, and refuse
// data that no encoder wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "core/errors.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"
#include "traverse/exchange/packet_codec.hpp"

namespace breadth {
namespace {

using test::world;

template <class Word>
struct Relaxation {
  Word vertex;
  std::uint32_t distance;
  Word parent;

  friend bool operator==(const Relaxation&, const Relaxation&) = default;
};

template <class Word>
using Relaxations = std::vector<Relaxation<Word>>;

/// Words as an exchange passes them to a codec: each parent once for all relaxations in a row that have it.
template <class Word>
std::vector<Word> words_of(const Relaxations<Word>& all) {
  QueryRuns<Word> runs;
  for (const Relaxation<Word>& one : all) {
    const Word pair[] = {one.distance, one.vertex};
    runs.add(one.parent, pair);
  }
  runs.end_run();
  return runs.words;
}

template <class Word>
Relaxations<Word> relaxations_of(QueryMessage<Word> message) {
  Relaxations<Word> all;
  message.for_each_run([&](Word parent, std::span<const Word> pairs) {
    ASSERT_EQ(pairs.size() % 2, 0U);
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      all.push_back({pairs[i + 1], static_cast<std::uint32_t>(pairs[i]), parent});
    }
  });
  return all;
}

template <class Word>
std::vector<Word> encoded(std::vector<Word> words) {
  std::vector<Word> scratch;
  make_packet_codec<Word>(PacketFormat::compressed, QueryKind::relaxations)->encode(words, scratch);
  return words;
}

/// Random relaxations of few or many vertices, with distances of every kind and parents of any length.
template <class Word>
Relaxations<Word> random_relaxations(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::uint64_t vertices = std::uint64_t{1} << (random() % 32);
  const auto parent_shift = static_cast<int>(random() % (8 * sizeof(Word)));
  const std::uint64_t kind = random() % 4;
  Relaxations<Word> all(1 + random() % 300);
  for (Relaxation<Word>& one : all) {
    float distance = std::uniform_real_distribution<float>(0, 1)(random);
    if (kind == 1) distance = static_cast<float>(random() % 1000);
    if (kind == 2) distance = random() % 2 == 0 ? 0 : std::numeric_limits<float>::infinity();
    if (kind == 3) distance = 1e6F;
    one = {static_cast<Word>(std::min<std::uint64_t>(random() % vertices, (std::uint64_t{1} << 31) - 1)),
           std::bit_cast<std::uint32_t>(distance), static_cast<Word>(random()) >> parent_shift};
  }
  return all;
}

template <class Word>
void expect_the_nearest_of_each_vertex() {
  const auto codec = make_packet_codec<Word>(PacketFormat::compressed, QueryKind::relaxations);
  const std::uint64_t rounds = test::rounds<std::uint64_t>(300, 2000);
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const Relaxations<Word> all = random_relaxations<Word>(seed);
    std::map<Word, std::uint32_t> nearest;
    for (const Relaxation<Word>& one : all) {
      const auto [place, inserted] = nearest.try_emplace(one.vertex, one.distance);
      if (!inserted) place->second = std::min(place->second, one.distance);
    }
    std::vector<Word> packet = encoded(words_of(all));
    ASSERT_LE(packet.size(), codec->max_words(2 * all.size()));
    const Relaxations<Word> found = relaxations_of(codec->decode(packet));
    ASSERT_EQ(found.size(), nearest.size()) << seed;
    for (std::size_t i = 0; const auto& [vertex, distance] : nearest) {
      ASSERT_EQ(found[i].vertex, vertex) << seed;
      ASSERT_EQ(found[i].distance, distance) << seed;
      ASSERT_NE(std::find(all.begin(), all.end(), found[i]), all.end()) << "nobody offered this, seed " << seed;
      ++i;
    }
  }
}

TEST(RelaxationPackets, GiveBackTheNearestOfEachVertex) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  expect_the_nearest_of_each_vertex<std::uint32_t>();
  expect_the_nearest_of_each_vertex<std::uint64_t>();
}

/// Contains each field of docs/communication.md.
TEST(RelaxationPackets, AreThoseOfTheDocumentation) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  const Relaxations<std::uint32_t> all = {
      {300, 0x40000000 + 0x00120000, 1000 + 0x12345},  // the third by vertex
      {5, 0x40000000, 1000},
      {7, 0x40000000 + 0x00010000, 1000},
      {7, 0x40000000 + 0x00020000, 1001},  // farther away than the one before
  };
  const std::vector<std::uint32_t> packet = encoded(words_of(all));
  std::vector<std::uint8_t> bytes(packet.size() * 4);
  std::memcpy(bytes.data(), packet.data(), bytes.size());
  std::vector<std::uint8_t> expected;
  const auto add = [&expected](std::initializer_list<std::uint8_t> some) { expected.insert(expected.end(), some); };
  add({3, 0, 0, 16 << 3});                           // three relaxations, 16 low bits are 0
  add({0, 0, 0, 0x40});                              // the least distance
  add({0xE8, 0x03, 0, 0});                           // base 1000
  add({0, 5, 0});                                    // step 5, the parent before, distance 0
  add({0, 2, 1});                                    // step 2, the parent before, distance 1
  add({3 << 2 | 1, 37, 1, 0x45, 0x23, 0x01, 0x12});  // step 293 in two bytes, parent in three, distance 0x12
  add({0, 0, 0});                                    // up to a whole word
  EXPECT_EQ(bytes, expected);
}

template <class Word>
void expect_refused(std::vector<Word> packet) {
  const auto codec = make_packet_codec<Word>(PacketFormat::compressed, QueryKind::relaxations);
  EXPECT_THROW((void)codec->decode(packet), Error);
}

TEST(RelaxationPackets, RefuseWhatNoEncoderWrote) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  EXPECT_THROW((void)make_packet_codec<std::uint32_t>(PacketFormat::pairs, QueryKind::relaxations), Error);
  expect_refused<std::uint32_t>({1, 0});
  expect_refused<std::uint32_t>({1, 0, 0});
  expect_refused<std::uint32_t>({2, 0, 0, 0x00000100});                  // one relaxation, not two
  expect_refused<std::uint32_t>({1, 0, 0, 0x00000100, 0});               // a word too many
  expect_refused<std::uint32_t>({1, 0x7FFFFFFF, 0, 0x00010100});         // distance bits 2^31
  expect_refused<std::uint32_t>({1, 0, 0xFFFFFFFF, 0x00010104, 0});      // parent 2^32
  expect_refused<std::uint32_t>({1, 0, 0, 0x00000003, 0x00000080});      // vertex 2^31
  expect_refused<std::uint64_t>({std::uint64_t{1} << 32 | 1, 0, 0, 0});  // shift 32
}

/// Checks that packets with flipped or missing bits are refused, or decoded to relaxations with valid numbers.
template <class Word>
void expect_survives_damage() {
  std::mt19937_64 random(3);
  const auto codec = make_packet_codec<Word>(PacketFormat::compressed, QueryKind::relaxations);
  const std::uint64_t rounds = test::rounds<std::uint64_t>(300, 3000);
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    std::vector<Word> packet = encoded(words_of(random_relaxations<Word>(seed)));
    for (std::uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
      packet[random() % packet.size()] ^= Word{1} << (random() % (8 * sizeof(Word)));
    }
    if (random() % 2 == 0) packet.resize(random() % packet.size());
    try {
      for (const Relaxation<Word>& one : relaxations_of(codec->decode(packet))) {
        ASSERT_LT(one.vertex, Word{1} << 31);
        ASSERT_LT(one.distance, std::uint32_t{1} << 31);
      }
    } catch (const Error&) {
    }
  }
}

TEST(RelaxationPackets, SurviveDamage) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  expect_survives_damage<std::uint32_t>();
  expect_survives_damage<std::uint64_t>();
}

/// A bucket of integer distances whose vertices are spread over the rank. Each takes 12 bytes in runs.
TEST(RelaxationPackets, AreSmallerThanRuns) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  std::mt19937_64 random(1);
  Relaxations<std::uint32_t> all(256);
  for (Relaxation<std::uint32_t>& one : all) {
    one = {static_cast<std::uint32_t>(random() % (1 << 19)),
           std::bit_cast<std::uint32_t>(static_cast<float>(70000 + random() % 64)),
           static_cast<std::uint32_t>(random() % (1 << 20))};
  }
  const std::vector<std::uint32_t> runs = words_of(all);
  EXPECT_EQ(4 * runs.size(), 256U * 12);
  EXPECT_LE(4 * encoded(runs).size(), 256U * 15 / 2);
}

}  // namespace
}  // namespace breadth
