// How ranks combine bitmaps of which each has set some bits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "comm/nodes.hpp"
#include "core/words.hpp"

namespace breadth {

/// By one all-reduce of all ranks, as the MPI library does it; or first inside each node, then between their leaders,
/// who then tell their nodes; or by one that goes on while a rank finishes its level; or so that the one between
/// leaders does (Pan et al. 2018, section V-A; Checconi & Petrini 2014, table II).
enum class HubMasks { blocking, two_phase, nonblocking, two_phase_nonblocking };
constexpr auto words_of(HubMasks) {
  return word_list<HubMasks>({{HubMasks::blocking, "blocking"},
                              {HubMasks::two_phase, "two-phase"},
                              {HubMasks::nonblocking, "nonblocking"},
                              {HubMasks::two_phase_nonblocking, "two-phase-nonblocking"}});
}

/// What a rank sends at least in one reduction.
struct MaskTraffic {
  std::uint64_t bytes = 0;
  /// Those of them that leave a node; nothing where the library decides.
  std::optional<std::uint64_t> between_nodes = 0;
};

/// Combines bitmaps of equal size on all ranks: one class for each HubMasks (mask_reduction.cpp).
class MaskReduction {
 public:
  virtual ~MaskReduction() = default;
  /// This rank's masks are done. They stay where they are, and others leave them alone, until finish(). Collective;
  /// with two_phase_nonblocking ranks wait here for those of their node, so that no messages may be under way that only
  /// leave while their receivers look for them.
  virtual void start(std::span<std::uint64_t> masks) = 0;
  /// Each word has become the union of all ranks'. Collective.
  [[nodiscard]] virtual MaskTraffic finish() = 0;
};

/// The nodes outlive it. Collective.
std::unique_ptr<MaskReduction> make_mask_reduction(HubMasks how, const Nodes& nodes);

}  // namespace breadth
