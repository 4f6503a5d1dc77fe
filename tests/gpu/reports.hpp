// Helpers of the tests of validation on a device.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace breadth::test {

/// The parent of an unreached vertex on a device.
constexpr std::uint32_t none = ~std::uint32_t{0};

/// Sorts the examples of broken rules, because threads find them in any order.
inline std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace breadth::test
