// How many rounds a randomised test runs.
#pragma once

#include <cstdlib>
#include <string_view>

namespace breadth::test {

/// `everyday` rounds, or the `whole` of them where BREADTH_DEEP_TESTS=1 asks for the deep tests.
template <class Number>
Number rounds(Number everyday, Number whole) {
  const char* deep = std::getenv("BREADTH_DEEP_TESTS");
  return deep != nullptr && std::string_view(deep) == "1" ? whole : everyday;
}

}  // namespace breadth::test
