// Options that several commands share.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cli/options/option_set.hpp"
#include "comm/communicator.hpp"
#include "core/policy/graph_layout.hpp"
#include "placement/binding_plan.hpp"
#include "simd/instruction_set.hpp"
#include "traverse/bfs.hpp"

namespace breadth::cli {

/// The settings of every command that computes.
struct CommonSettings {
  int threads = 0;  ///< 0: this rank's share of the processors
  BindingPolicy bind = BindingPolicy::automatic;
  InstructionSet simd = InstructionSet::automatic;
  bool huge_pages = true;
  double watchdog = 0;  ///< seconds; 0: no watchdog
  std::string config;
};

void add_config_option(OptionSet& options, CommonSettings& settings);
void add_threads_option(OptionSet& options, CommonSettings& settings);
/// Adds an option for each of the settings.
void add_common_options(OptionSet& options, CommonSettings& settings);

/// The largest edge factor that options accept: even at the largest scale, 16 bytes per tuple stay below 2^64.
inline constexpr std::uint64_t largest_edgefactor = 4096;

/// Adds --scale of a generated graph. It is required if `by_default`, the text about its default, is empty.
void add_scale_option(OptionSet& options, int& scale, const std::string& by_default = "");
/// Adds --edgefactor of a generated graph.
void add_edgefactor_option(OptionSet& options, std::uint64_t& edgefactor);
/// Adds --seed of a benchmark's graph and search keys.
void add_seed_option(OptionSet& options, std::array<std::uint64_t, 2>& seed);

/// Adds --directed of a graph file.
void add_directed_option(OptionSet& options, bool& directed);
/// Adds --json of commands that print nothing else.
void add_print_json_option(OptionSet& options, bool& json);

/// Adds the options for the layout of the graph on the ranks and in memory.
void add_layout_options(OptionSet& options, GraphLayout& layout);
/// Adds --hubs: the vertices of which every rank has a replica.
void add_hubs_option(OptionSet& options, HubChoice& hubs);
/// Throws UsageError for layout options that contradict each other.
void check_layout_options(const OptionSet& options, const GraphLayout& layout);
/// Add single options of a search.
void add_summary_option(OptionSet& options, std::size_t& summary);
void add_pull_option(OptionSet& options, BfsOptions& bfs);
void add_replicate_option(OptionSet& options, BfsOptions& bfs);
void add_shared_bits_option(OptionSet& options, BfsOptions& bfs);
void add_direction_option(OptionSet& options, DirectionPolicy& direction);
/// Adds every option of a breadth-first search except depth and device.
void add_engine_options(OptionSet& options, BfsOptions& bfs);
/// Throws UsageError for search options that contradict each other or the layout.
void check_engine_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout);

}  // namespace breadth::cli
