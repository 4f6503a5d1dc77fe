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

/// What every command that computes is given.
struct CommonSettings {
  int threads = 0;  ///< 0: this rank's share of the processors
  BindingPolicy bind = BindingPolicy::automatic;
  InstructionSet simd = InstructionSet::automatic;
  bool huge_pages = true;
  double watchdog = 0;  ///< seconds; 0: nobody watches
  std::string config;
};

void add_config_option(OptionSet& options, CommonSettings& settings);
void add_threads_option(OptionSet& options, CommonSettings& settings);
/// An option for each of the settings.
void add_common_options(OptionSet& options, CommonSettings& settings);

/// The largest scale and edge factor that options accept: those of the largest class, and 16 bytes a tuple stay below
/// 2^64.
inline constexpr std::uint64_t largest_edgefactor = 4096;

/// --scale of a generated graph. It is required where nothing is said of what comes without it.
void add_scale_option(OptionSet& options, int& scale, const std::string& by_default = "");
/// --edgefactor of a generated graph.
void add_edgefactor_option(OptionSet& options, std::uint64_t& edgefactor);
/// --seed of a benchmark's graph and search keys.
void add_seed_option(OptionSet& options, std::array<std::uint64_t, 2>& seed);

/// --directed of a graph file.
void add_directed_option(OptionSet& options, bool& directed);
/// --json of commands that print nothing else.
void add_print_json_option(OptionSet& options, bool& json);

/// How the graph lies on the ranks and in memory.
void add_layout_options(OptionSet& options, GraphLayout& layout);
/// Which vertices every rank has: --hubs.
void add_hubs_option(OptionSet& options, HubChoice& hubs);
/// Throws UsageError for choices that contradict each other.
void check_layout_options(const OptionSet& options, const GraphLayout& layout);
/// Single options of a search.
void add_summary_option(OptionSet& options, std::size_t& summary);
void add_pull_option(OptionSet& options, BfsOptions& bfs);
void add_replicate_option(OptionSet& options, BfsOptions& bfs);
void add_shared_bits_option(OptionSet& options, BfsOptions& bfs);
void add_direction_option(OptionSet& options, DirectionPolicy& direction);
/// How a breadth-first search goes about its work: every option of it but the depth and the device.
void add_engine_options(OptionSet& options, BfsOptions& bfs);
/// Throws UsageError for choices that contradict each other or the layout.
void check_engine_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout);

}  // namespace breadth::cli
