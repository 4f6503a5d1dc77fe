// Every packet format decodes to the encoded runs, takes the documented bytes, and refuses data that no encoder wrote.
#include "traverse/exchange/packet_codec.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "support/ranks.hpp"
#include "support/rounds.hpp"

namespace breadth {
namespace {

using test::world;

constexpr PacketFormat formats[] = {PacketFormat::runs, PacketFormat::pairs, PacketFormat::compressed};

template <class Word>
using Queries = std::vector<std::pair<Word, Word>>;

/// Runs as words, and as a list of queries.
template <class Word>
struct Runs {
  std::vector<Word> words;
  Queries<Word> queries;

  void add(Word parent, const std::vector<Word>& targets) {
    words.push_back(parent);
    for (const Word target : targets) {
      words.push_back(target);
      queries.emplace_back(parent, target);
    }
    words.back() |= QueryMessage<Word>::last_of_run;
  }
};

/// Random numbers of any length from one bit on, below the limit.
template <class Word>
Word random_below(Word limit, std::mt19937_64& random) {
  const Word bits = static_cast<Word>(random() >> (random() % 64));
  return limit == 0 ? bits : bits % limit;
}

/// Increasing rows, as in searches, or random numbers.
template <class Word>
Runs<Word> random_runs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Runs<Word> runs;
  const bool rising = random() % 2 == 0;
  const Word last_of_run = QueryMessage<Word>::last_of_run;
  const std::size_t count = 1 + random() % 40;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Word> targets(1 + random() % (random() % 4 == 0 ? 200 : 4));
    for (Word& target : targets) target = random_below<Word>(last_of_run, random);
    if (rising) std::sort(targets.begin(), targets.end());
    runs.add(random_below<Word>(0, random), targets);
  }
  return runs;
}

template <class Word>
Queries<Word> queries_of(QueryMessage<Word> message) {
  Queries<Word> queries;
  message.for_each_run([&queries](Word parent, std::span<const Word> targets) {
    for (const Word target : targets) queries.emplace_back(parent, target);
  });
  return queries;
}

template <class Word>
std::vector<Word> encoded(const PacketCodec<Word>& codec, std::vector<Word> words) {
  std::vector<Word> scratch;
  codec.encode(words, scratch);
  return words;
}

template <class Word>
void expect_round_trips() {
  for (const PacketFormat format : formats) {
    const auto codec = make_packet_codec<Word>(format);
    std::vector<Word> scratch;
    const std::uint64_t rounds = test::rounds<std::uint64_t>(300, 2000);
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
      const Runs<Word> runs = random_runs<Word>(seed);
      std::vector<Word> packet = runs.words;
      codec->encode(packet, scratch);
      ASSERT_LE(packet.size(), codec->max_words(runs.queries.size()));
      ASSERT_EQ(queries_of(codec->decode(packet)), runs.queries)
          << "format " << static_cast<int>(format) << ", " << seed;
    }
  }
}

TEST(PacketCodec, GivesBackRandomRuns) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  expect_round_trips<std::uint32_t>();
  expect_round_trips<std::uint64_t>();
}

template <class Word>
void expect_extremes() {
  const Word most = QueryMessage<Word>::last_of_run - 1;
  Runs<Word> runs;
  runs.add(0, {0, most, 0});
  runs.add(static_cast<Word>(~Word{0}), {most, most - 1});
  runs.add(static_cast<Word>(~Word{0}), {63, 126, 190, 190 + 16383, 190 + 2 * 16384});
  runs.add(1, {0});
  for (const PacketFormat format : formats) {
    const auto codec = make_packet_codec<Word>(format);
    std::vector<Word> packet = encoded(*codec, runs.words);
    EXPECT_EQ(queries_of(codec->decode(packet)), runs.queries);
  }
}

TEST(PacketCodec, GivesBackTheLargestNumbers) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  expect_extremes<std::uint32_t>();
  expect_extremes<std::uint64_t>();
}

TEST(PacketCodec, PairsTakeSixteenBytesWhateverTheWidth) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  Runs<std::uint32_t> narrow;
  narrow.add(7, {1, 2, 3});
  const auto packet = encoded(*make_packet_codec<std::uint32_t>(PacketFormat::pairs), narrow.words);
  EXPECT_EQ(packet, (std::vector<std::uint32_t>{1, 0, 7, 0, 2, 0, 7, 0, 3, 0, 7, 0}));
  Runs<std::uint64_t> wide;
  wide.add(7, {1, 2, 3});
  EXPECT_EQ(encoded(*make_packet_codec<std::uint64_t>(PacketFormat::pairs), wide.words),
            (std::vector<std::uint64_t>{1, 7, 2, 7, 3, 7}));
}

/// Contains each kind of record of docs/communication.md once.
TEST(PacketCodec, CompressedRecordsAreThoseOfTheDocumentation) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  Runs<std::uint32_t> runs;
  runs.add(1000, {5, 70, 1070});           // byte: step 5; two bytes: step 65; two bytes: step 1000
  runs.add(1002, {1080});                  // four bytes: step 10, parent 2 above the base
  runs.add(1000 + 0x12345, {3, 0x30000});  // in full: target 3, parent 0x12345; then the same parent, target 0x30000
  const auto codec = make_packet_codec<std::uint32_t>(PacketFormat::compressed);
  std::vector<std::uint32_t> packet = encoded(*codec, runs.words);
  std::vector<std::uint8_t> bytes(packet.size() * 4);
  std::memcpy(bytes.data(), packet.data(), bytes.size());
  const std::vector<std::uint8_t> expected = {
      6,
      0,
      0,
      0,  // queries
      0xE8,
      0x03,
      0,
      0,       // base 1000
      5 << 2,  // step 5
      (65 & 63) << 2 | 1,
      65 >> 6,  // step 65
      (1000 & 63) << 2 | 1,
      1000 >> 6,  // step 1000
      10 << 2 | 2,
      2,
      0,
      0,  // step 10, parent base + 2
      3 << 5 | 0 << 2 | 3,
      3,
      0x45,
      0x23,
      0x01,  // 1 byte of target, 3 of parent
      0 << 5 | 2 << 2 | 3,
      0,
      0,
      3,  // 3 bytes of target, the parent before
      0,
      0  // up to a whole word
  };
  EXPECT_EQ(bytes, expected);
}

template <class Word>
void expect_refused(PacketFormat format, std::vector<Word> packet) {
  const auto codec = make_packet_codec<Word>(format);
  EXPECT_THROW((void)queries_of(codec->decode(packet)), Error);
}

TEST(PacketCodec, RefusesWhatNoEncoderWrote) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  constexpr std::uint32_t mark = QueryMessage<std::uint32_t>::last_of_run;
  expect_refused<std::uint32_t>(PacketFormat::runs, {1});
  expect_refused<std::uint32_t>(PacketFormat::runs, {1, 2});
  expect_refused<std::uint32_t>(PacketFormat::runs, {1, 2 | mark, 5 | mark});
  expect_refused<std::uint32_t>(PacketFormat::pairs, {1, 0, 2});
  expect_refused<std::uint32_t>(PacketFormat::pairs, {mark, 0, 2, 0});
  expect_refused<std::uint32_t>(PacketFormat::pairs, {1, 1, 2, 0});
  expect_refused<std::uint32_t>(PacketFormat::pairs, {1, 0, 2, 1});
  expect_refused<std::uint64_t>(PacketFormat::pairs, {std::uint64_t{1} << 63, 0});
  expect_refused<std::uint32_t>(PacketFormat::compressed, {1});
  expect_refused<std::uint32_t>(PacketFormat::compressed, {1, 0});
  expect_refused<std::uint32_t>(PacketFormat::compressed, {5, 0, 0x08080808});        // four records, not five
  expect_refused<std::uint32_t>(PacketFormat::compressed, {1, 0, 0, 0});              // a word too many
  expect_refused<std::uint32_t>(PacketFormat::compressed, {1, 0xFFFFFFFF, 0x102});    // parent 2^32
  expect_refused<std::uint32_t>(PacketFormat::compressed, {1, 0, 0xFFFFFF0F, 0xFF});  // target 2^32 - 1
}

/// Checks that packets with flipped or missing bits are refused, or decoded to some queries with valid numbers.
template <class Word>
void expect_survives_damage() {
  std::mt19937_64 random(3);
  for (const PacketFormat format : formats) {
    const auto codec = make_packet_codec<Word>(format);
    const std::uint64_t rounds = test::rounds<std::uint64_t>(300, 3000);
    for (std::uint64_t seed = 0; seed < rounds; ++seed) {
      std::vector<Word> packet = encoded(*codec, random_runs<Word>(seed).words);
      for (std::uint64_t flips = 1 + random() % 4; flips > 0; --flips) {
        packet[random() % packet.size()] ^= Word{1} << (random() % (8 * sizeof(Word)));
      }
      if (random() % 2 == 0) packet.resize(random() % packet.size());
      try {
        for (const auto& [parent, target] : queries_of(codec->decode(packet))) {
          ASSERT_LT(target, QueryMessage<Word>::last_of_run);
        }
      } catch (const Error&) {
      }
    }
  }
}

TEST(PacketCodec, SurvivesDamage) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  expect_survives_damage<std::uint32_t>();
  expect_survives_damage<std::uint64_t>();
}

/// Rows of a hub have small differences. Fuentes' pairs take 16 bytes a query, runs take 4, and compressed packets
/// about one.
TEST(PacketCodec, CompressesRowsThatRise) {
  if (world().size() > 1) GTEST_SKIP() << "one rank only";
  std::mt19937_64 random(1);
  Runs<std::uint32_t> runs;
  std::vector<std::uint32_t> targets;
  std::uint32_t target = 0;
  for (int i = 0; i < 4096; ++i) targets.push_back(target += 1 + static_cast<std::uint32_t>(random() % 60));
  runs.add(12345, targets);
  const auto bytes = [&runs](PacketFormat format) {
    return 4 * encoded(*make_packet_codec<std::uint32_t>(format), runs.words).size();
  };
  EXPECT_EQ(bytes(PacketFormat::pairs), 16U * 4096);
  EXPECT_EQ(bytes(PacketFormat::runs), 4U * 4097);
  EXPECT_LE(bytes(PacketFormat::compressed), 4096U + 12);
}

}  // namespace
}  // namespace breadth
