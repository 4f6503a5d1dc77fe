// What tests of validation on a device share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace breadth::test {

/// The parent, on a device, of a vertex that was not reached.
constexpr std::uint32_t none = ~std::uint32_t{0};

/// Examples of broken rules in one order: threads find them in any.
inline std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace breadth::test
