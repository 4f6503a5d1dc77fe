// What fuzzers feed: each target takes any bytes as one kind of input and checks what becomes of them.
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

/// What became of an input.
enum class Outcome { refused, accepted };

/// A finding: an input was accepted or refused in a way that it must not be. It is no Error, so that no target takes it
/// for a refusal.
class BrokenRule : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws BrokenRule with a formatted message unless the rule holds.
template <class... Arguments>
void require(bool holds, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  if (!holds) throw BrokenRule(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Where targets work: their threads, and a folder of their own. Both outlive it.
struct Site {
  const Context& context;
  std::string folder;

  [[nodiscard]] std::string path(std::string_view name) const { return fmt::format("{}/{}", folder, name); }
  /// Writes a file of that name and gives its path.
  [[nodiscard]] std::string write(std::string_view name, Bytes content) const;
};

/// Changes the first `size` bytes of `memory` as a fuzzer does that knows nothing of them; returns the new size, which
/// is at most that of `memory`.
using PlainMutation = std::size_t (*)(std::span<std::uint8_t> memory, std::size_t size);
/// The same, by one who knows what the bytes mean, with a seed for its choices.
using Mutation = std::size_t (*)(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain);

/// Changes bytes as the fuzzer does by itself.
std::size_t mutate_plainly(std::span<std::uint8_t> memory, std::size_t size, unsigned seed, PlainMutation plain);

struct Target {
  std::string_view name;  ///< and that of its folder in corpus/
  /// Throws BrokenRule, or whatever else an input must not lead to.
  Outcome (*feed)(Bytes input, const Site& site);
  Mutation mutate = mutate_plainly;
};

/// Graph files (graph_targets.cpp) and options (option_targets.cpp).
std::span<const Target> graph_targets();
std::span<const Target> option_targets();

}  // namespace breadth::fuzz
