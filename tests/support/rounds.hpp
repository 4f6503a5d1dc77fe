// How many rounds a randomised test runs, and how large its graphs are.
#pragma once

#include <cstdlib>
#include <string_view>

namespace breadth::test {

/// `everyday` rounds, or all `whole` rounds where TEST_DEEP=1 asks for the deep tests.
template <class Number>
Number rounds(Number everyday, Number whole) {
  const char* deep = std::getenv("TEST_DEEP");
  return deep != nullptr && std::string_view(deep) == "1" ? whole : everyday;
}

/// `usual` size, or the smaller `instrumented` size in a build for a sanitizer, where every step takes three to fifteen
/// times as long and errors show at any size.
template <class Number>
constexpr Number sized([[maybe_unused]] Number usual, [[maybe_unused]] Number instrumented) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return instrumented;
#else
  return usual;
#endif
}

}  // namespace breadth::test
