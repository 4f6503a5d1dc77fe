// Packed bits compared with bits that are moved one by one, on every instruction set.
#include "simd/kernels.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/data/bitmap.hpp"
#include "support/instruction_sets.hpp"

namespace breadth {
namespace {

using Words = std::vector<std::uint64_t>;

class BitPackingTest : public test::InstructionSetTest {
 protected:
  std::mt19937_64 random_{11};

  /// Random words, some with all bits set and some with none.
  Words random_words(std::size_t count) {
    Words words(count);
    for (std::uint64_t& word : words) {
      const std::uint64_t kind = random_() % 8;
      word = kind == 0 ? 0 : kind == 1 ? ~std::uint64_t{0} : kind == 2 ? random_() & random_() & random_() : random_();
    }
    return words;
  }
};

bool bit_of(const Words& words, std::size_t i) { return ((words[i / bits_per_word] >> (i % bits_per_word)) & 1U) != 0; }

Words packed_one_by_one(const Words& bits, const Words& known) {
  Words packed(bits.size() + 1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < bits.size() * bits_per_word; ++i) {
    if (bit_of(known, i)) continue;
    if (bit_of(bits, i)) packed[count / bits_per_word] |= bit_in_word(count % bits_per_word);
    ++count;
  }
  packed.resize(words_for_bits(count));
  return packed;
}

TEST_P(BitPackingTest, PacksBitsThatAreNotKnownAndPutsThemBack) {
  for (const std::size_t size : {0U, 1U, 2U, 3U, 64U, 1000U}) {
    for (int i = 0; i < 20; ++i) {
      const Words known = random_words(size);
      Words bits = random_words(size);
      for (std::size_t word = 0; word < size; ++word) bits[word] |= known[word];
      const Words expected = packed_one_by_one(bits, known);
      ASSERT_EQ(words_for_bits(count_unset(known)), expected.size());
      constexpr std::uint64_t untouched = 0x1234567;
      Words packed(expected.size() + 1, untouched);
      pack_unset(bits, known, packed.data());
      ASSERT_EQ(packed.back(), untouched);
      packed.pop_back();
      ASSERT_EQ(packed, expected);
      Words unpacked = known;
      unpack_unset(packed.data(), unpacked);
      ASSERT_EQ(unpacked, bits);
    }
  }
}

TEST_P(BitPackingTest, CopiesWhereNothingIsKnown) {
  const Words bits = random_words(77);
  Words packed(77);
  pack_unset(bits, Words(77), packed.data());
  EXPECT_EQ(packed, bits);
  const Words all(77, ~std::uint64_t{0});
  EXPECT_EQ(count_unset(all), 0U);
  pack_unset(all, all, nullptr);
  Words unpacked = all;
  unpack_unset(nullptr, unpacked);
  EXPECT_EQ(unpacked, all);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, BitPackingTest, test::instruction_sets(), test::instruction_set_name);

}  // namespace
}  // namespace breadth
