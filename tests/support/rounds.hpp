// How many rounds a randomised test runs.
#pragma once

#include <cstdlib>
#include <string_view>

namespace breadth::test {

/// `everyday` rounds, or the `whole` of them where TEST_DEEP=1 asks for the deep tests.
template <class Number>
Number rounds(Number everyday, Number whole) {
  const char* deep = std::getenv("TEST_DEEP");
  return deep != nullptr && std::string_view(deep) == "1" ? whole : everyday;
}

}  // namespace breadth::test
