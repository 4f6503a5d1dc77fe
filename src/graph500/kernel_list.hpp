// The list of kernels that a benchmark run can have, and a selection from it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "core/policy/graph_layout.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace breadth {

/// The kinds of searches after kernel 1.
enum class KernelKind { bfs, sssp };

/// A row of the list: the properties of a kernel that options and reports need. How the kernel runs is in its
/// KernelType (kernels.hpp).
struct KernelAbout {
  KernelKind kind;
  const char* word;       ///< the name on the command line, and the prefix of its lines in the output
  const char* title;      ///< "BFS"; short, because one line of help lists all
  const char* number;     ///< in the specification: "kernel 2"; nullptr if it has none, so that a run of it does not
                          ///< conform
  const char* step;       ///< progress text while it runs
  bool weighted = false;  ///< whether its graph has weights
  bool searches = true;   ///< whether it searches from keys, so that options of searches have an effect
  int max_ranks = std::numeric_limits<int>::max();
  /// The layout of its graph, derived from the layout that was chosen for breadth-first searches; without a grid if the
  /// kernel needs all edges of a vertex on its rank.
  GraphLayout (*layout)(const GraphLayout& chosen);

  /// "kernel 2", or the title if it has no number.
  [[nodiscard]] constexpr const char* name() const { return number != nullptr ? number : title; }
};

/// All kernels, in the order in which they run.
inline constexpr std::array kernel_list = {
    KernelAbout{.kind = KernelKind::bfs,
                .word = "bfs",
                .title = "BFS",
                .number = "kernel 2",
                .step = "kernel 2: searching",
                .layout = [](const GraphLayout& chosen) { return chosen; }},
    KernelAbout{.kind = KernelKind::sssp,
                .word = "sssp",
                .title = "SSSP",
                .number = "kernel 3",
                .step = "kernel 3: searching for shortest paths",
                .weighted = true,
                .layout = [](const GraphLayout& chosen) {  // rows with the lightest edge first
                  return GraphLayout{.order = chosen.order,
                                     .neighbours = NeighbourOrder::weights,
                                     .columns = chosen.weighted_columns,
                                     .hubs = chosen.hubs};
                }}};

constexpr auto words_of(KernelKind) {
  std::array<Word<KernelKind>, kernel_list.size()> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = {kernel_list[i].kind, kernel_list[i].word};
  return words;
}
constexpr const KernelAbout& about(KernelKind kind) {
  // Not std::ranges::find: if that is inlined, GCC 12 warns about the entry after the last.
  return *std::find_if(kernel_list.begin(), kernel_list.end(), [kind](const auto& row) { return row.kind == kind; });
}

/// A set of kernels: at least one.
class Kernels {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): one kernel is a list of one
  constexpr Kernels(KernelKind kind) : bits_(bit(kind)) {}
  constexpr Kernels(std::initializer_list<KernelKind> kinds) {
    for (const KernelKind kind : kinds) add(kind);
  }
  constexpr void add(KernelKind kind) { bits_ |= bit(kind); }
  [[nodiscard]] constexpr bool has(KernelKind kind) const { return (bits_ & bit(kind)) != 0; }
  [[nodiscard]] constexpr bool several() const { return std::popcount(bits_) > 1; }
  /// The kernels in the order in which they run.
  [[nodiscard]] std::vector<KernelKind> kinds() const {
    std::vector<KernelKind> kinds;
    for (const KernelAbout& kernel : kernel_list) {
      if (has(kernel.kind)) kinds.push_back(kernel.kind);
    }
    return kinds;
  }
  friend constexpr bool operator==(const Kernels&, const Kernels&) = default;

 private:
  static constexpr std::uint32_t bit(KernelKind kind) { return std::uint32_t{1} << static_cast<unsigned>(kind); }
  std::uint32_t bits_ = 0;
};
/// The words of the kernels: "bfs,sssp".
inline std::string name_of(const Kernels& kernels) {
  return joined(texts_of(kernels.kinds(), [](KernelKind kind) { return name_of(kind); }), ",");
}
/// Whether the graph of any kernel has weights.
inline bool have_weights(const Kernels& kernels) {
  return std::ranges::any_of(kernels.kinds(), [](KernelKind kind) { return about(kind).weighted; });
}
/// Whether any kernel searches from keys.
inline bool have_searches(const Kernels& kernels) {
  return std::ranges::any_of(kernels.kinds(), [](KernelKind kind) { return about(kind).searches; });
}
/// Whether any kernel has rows as chosen for breadth-first searches.
inline bool have_chosen_rows(const Kernels& kernels) {
  constexpr NeighbourOrder chosen = NeighbourOrder::labels;
  return std::ranges::any_of(
      kernels.kinds(), [](KernelKind kind) { return about(kind).layout({.neighbours = chosen}).neighbours == chosen; });
}

}  // namespace breadth
