// Fuzz targets: each takes any bytes as one kind of input and checks the outcome.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "comm/communicator.hpp"

namespace breadth::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// How a target judged an input.
enum class Outcome { refused, accepted };

/// A finding: an input was accepted or refused although it must not be. It is not an Error, so that no target mistakes
/// it for a refusal.
class BrokenRule : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenRule with a formatted message unless the rule holds.
template <class... Arguments>
void require(bool holds, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!holds) throw BrokenRule(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Where targets work: their threads and their folder. Both outlive the Site.
struct Site {
  const Context& context;
  std::string folder;

  [[nodiscard]] std::string path(std::string_view name) const { return fmt::format("{}/{}", folder, name); }
  /// Writes a file of that name and returns its path.
  [[nodiscard]] std::string write(std::string_view name, Bytes content) const;
};

/// Changes the first `size` bytes of `memory` without knowing their meaning. Returns the new size, at most that of
/// `memory`.
using PlainMutation = std::size_t (*)(std::span<std::uint8_t> memory, std::size_t size);
/// A mutation that knows the meaning of the bytes. Its choices depend on the seed; `plain` is the fuzzer's own
/// mutation.
using Mutation = std::size_t (*)(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain);

/// Applies the fuzzer's own mutation only.
std::size_t mutate_plainly(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain);

struct Target {
  std::string_view name;  ///< also the name of its folder in corpus/
  /// Throws BrokenRule, or any other exception that an input must not cause.
  Outcome (*feed)(Bytes input, const Site& site);
  Mutation mutate = mutate_plainly;
};

/// Graph files (graph_targets.cpp) and options (option_targets.cpp).
std::span<const Target> graph_targets();
std::span<const Target> option_targets();

}  // namespace breadth::fuzz
