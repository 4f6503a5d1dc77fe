// The reasons why an option can have no effect, each defined once and listed in the rows of the options that it
// concerns.
#pragma once

#include <optional>

#include "cli/options/option_set.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph500/report/report.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

namespace breadth::cli {

namespace detail {
inline const BfsOptions default_bfs{};
inline const SsspOptions default_sssp{};
inline const GraphLayout default_layout{};
inline constexpr Kernels default_kernels = KernelKind::bfs;
inline constexpr std::optional<Device> default_device = Device::cpu;
}  // namespace detail

/// The choices of a command after its options have their values. Parts without options have their defaults.
struct Choices {
  const BfsOptions& bfs = detail::default_bfs;
  const SsspOptions& sssp = detail::default_sssp;
  const GraphLayout& layout = detail::default_layout;
  const Kernels& kernels = detail::default_kernels;
  const std::optional<Device>& device = detail::default_device;  ///< nothing: not chosen yet
  bool counts_hops = false;                                      ///< counts hops between groups of ranks, whatever the
                                                                 ///< route

  [[nodiscard]] bool on_grid() const { return layout.grid.has_value(); }
  [[nodiscard]] bool apart() const { return bfs.subgraphs.policy == SubgraphPolicy::apart; }
  /// The policy of directions if it does not allow what an option is about, otherwise nullptr.
  [[nodiscard]] const void* direction_unless(bool allowed) const { return allowed ? nullptr : &bfs.direction.policy; }
  /// The field, if it decides the direction of whole levels of breadth-first search: for all edges that a rank has.
  /// Otherwise nullptr.
  [[nodiscard]] const void* for_all_edges(const void* field) const { return on_grid() || apart() ? nullptr : field; }
  /// The route of the kernel whose options the command has; if it has both kernels, their routes are equal.
  [[nodiscard]] const RouteOptions& route() const {
    return &bfs == &detail::default_bfs ? sssp.messages.route : bfs.messages.route;
  }
};

/// Throws UsageError for the first option that was given and has no effect, with the choice that makes it ineffective.
void check_effect(const OptionSet& options, const Choices& choices);
/// The first reason, by another option's value, why this option has no effect; nullptr if there is none.
const Idle* idle_by(const Option& option, const OptionSet& options, const Choices& choices);

// Each reason returns the field that makes an option ineffective, or nullptr.

inline constexpr Idle unless_bfs{
    [](const Choices& run) -> const void* { return run.kernels.has(KernelKind::bfs) ? nullptr : &run.kernels; },
    "without BFS", "only BFS uses it"};
inline constexpr Idle unless_sssp{
    [](const Choices& run) -> const void* { return run.kernels.has(KernelKind::sssp) ? nullptr : &run.kernels; },
    "without SSSP", "only SSSP uses it"};
inline constexpr Idle unless_rows_are_chosen{
    [](const Choices& run) -> const void* { return have_chosen_rows(run.kernels) ? nullptr : &run.kernels; },
    "without BFS", "only kernels whose rows can be chosen use it"};

/// The reason for an option that SSSP also has: it applies only without SSSP.
template <const Idle& of_bfs>
inline constexpr Idle bfs_alone{[](const Choices& run) -> const void* {
                                  return run.kernels.has(KernelKind::sssp) ? nullptr : of_bfs.because_of(run);
                                },
                                of_bfs.when, of_bfs.reason};

inline constexpr Idle on_grid{
    [](const Choices& run) -> const void* { return run.on_grid() && !run.apart() ? &run.layout.grid : nullptr; },
    "in a 2D search", "every level of a 2D search expands, pushes and folds"};
inline constexpr Idle if_rows_are_on_grid{
    [](const Choices& run) -> const void* { return run.on_grid() ? &run.layout.grid : nullptr; }, "in a 2D partition",
    "a 2D partition has plain CSR rows"};

inline constexpr Idle if_subgraphs_are_apart{
    [](const Choices& run) -> const void* { return run.apart() ? &run.bfs.subgraphs.policy : nullptr; },
    "with degree-separated subgraphs", "degree-separated subgraphs do not use it"};
inline constexpr Idle unless_subgraphs_are_apart{
    [](const Choices& run) -> const void* { return run.apart() ? nullptr : &run.bfs.subgraphs.policy; },
    "without degree-separated subgraphs", "only degree-separated subgraphs use it"};
inline constexpr Idle if_subgraphs_have_one_direction{
    [](const Choices& run) -> const void* { return run.direction_unless(run.bfs.direction.may_choose()); },
    "where the direction is fixed", "only subgraphs that choose their direction use it"};

inline constexpr Idle if_direction_is_fixed{
    [](const Choices& run) { return run.for_all_edges(run.direction_unless(run.bfs.direction.may_choose())); },
    "where the direction is fixed", "the threshold chooses between push and pull"};
inline constexpr Idle without_pulls{
    [](const Choices& run) {
      return run.bfs.leaves_last ? nullptr : run.for_all_edges(run.direction_unless(run.bfs.direction.may_pull()));
    },
    "where no level pulls", "with --direction push and --leaves levels no level pulls"};
inline constexpr Idle without_pushes{
    [](const Choices& run) { return run.for_all_edges(run.direction_unless(run.bfs.direction.may_push())); },
    "where no level pushes", "only push levels use it"};
inline constexpr Idle without_queries{
    [](const Choices& run) { return run.bfs.pull == PullPolicy::messages ? nullptr : without_pushes.because_of(run); },
    "where all levels pull from a replicated frontier", "only push levels use it, and pulls with --pull messages"};
inline constexpr Idle unless_replicated{[](const Choices& run) {
                                          return run.bfs.pull == PullPolicy::messages ? run.for_all_edges(&run.bfs.pull)
                                                                                      : nullptr;
                                        },
                                        "where pulls send messages", "the frontier is not replicated"};

inline constexpr Idle in_bulk{
    [](const Choices& run) -> const void* {
      if (run.bfs.messages.exchange == ExchangePolicy::bulk) return &run.bfs.messages.exchange;
      return run.sssp.messages.exchange == ExchangePolicy::bulk ? &run.sssp.messages.exchange : nullptr;
    },
    "in a bulk exchange",
    "a bulk exchange sends all queries of a level in one message, and ends for all ranks together"};

inline constexpr Idle without_sweeps{[](const Choices& run) -> const void* {
                                       if (!run.sssp.sweeps) return &run.sssp.sweeps;
                                       return run.sssp.delta != 0 ? &run.sssp.delta : nullptr;
                                     },
                                     "without sweeps", "there are no sweeps"};

inline constexpr Idle on_processors{
    [](const Choices& run) -> const void* { return run.device == Device::cpu ? &run.device : nullptr; }, "on the CPU",
    "only searches on a device use it"};

}  // namespace breadth::cli
