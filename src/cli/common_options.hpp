// Options that several commands share.
#pragma once

#include <optional>
#include <string>

#include "cli/option_set.hpp"
#include "comm/communicator.hpp"
#include "core/graph_layout.hpp"
#include "core/replication.hpp"
#include "placement/binding_plan.hpp"
#include "simd/instruction_set.hpp"
#include "traverse/bfs.hpp"
#include "traverse/sssp.hpp"

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
/// --threads, --bind, --simd, --huge-pages, --watchdog and --config.
void add_common_options(OptionSet& options, CommonSettings& settings);

/// The largest scale and edge factor that options accept: those of the largest class, and 16 bytes a tuple stay below
/// 2^64.
inline constexpr int largest_scale = 42;
inline constexpr std::uint64_t largest_edgefactor = 4096;

/// How the graph lies on the ranks and in memory: --partition, --adjacency, --order, --neighbours, --columns.
void add_layout_options(OptionSet& options, GraphLayout& layout);
/// Which vertices every rank has: --hubs.
void add_hubs_option(OptionSet& options, HubChoice& hubs);
/// Throws UsageError for options that the chosen partition or adjacency never looks at, and for hubs that do not go
/// with the others.
void check_layout_options(const OptionSet& options, const GraphLayout& layout);
/// What of the frontier is known in short: --summary.
void add_summary_option(OptionSet& options, std::size_t& summary);
/// How a pull learns who is in the frontier: --pull.
void add_pull_option(OptionSet& options, BfsOptions& bfs);
/// Throws UsageError for options of a replicated frontier where there is none.
void check_pull_option(const OptionSet& options, const BfsOptions& bfs);
/// How the frontier of a pull comes to every rank: --replicate.
void add_replicate_option(OptionSet& options, BfsOptions& bfs);
/// Which way a level goes: --direction.
void add_direction_option(OptionSet& options, DirectionPolicy& direction);
/// How a search goes about its work: --direction, --alpha, --beta, --pull, --summary, --replicate, --ranks-per-node,
/// --leaves, --push-ranges, --mixed-levels, --small-level and the message options.
void add_engine_options(OptionSet& options, BfsOptions& bfs);
/// How a search for shortest paths goes about its work, but for --coalescing: --delta, --sweeps, --ball, --hubs-first.
void add_sssp_options(OptionSet& options, SsspOptions& sssp);
/// --packets of a search for shortest paths alone.
void add_sssp_packets_option(OptionSet& options, PacketFormat& packets);
/// What --packets of breadth-first search means for shortest paths. Throws UsageError for pairs that were given where
/// there is no breadth-first search (`alone`).
PacketFormat sssp_packets(const OptionSet& options, PacketFormat given, bool alone);
/// --replicate of a search for shortest paths alone; `auto` is nothing.
void add_sssp_replicate_option(OptionSet& options, std::optional<Replication>& how);
/// What --replicate of breadth-first search means for shortest paths: `auto` unless it was given. Throws UsageError for
/// a way that they do not have.
std::optional<Replication> sssp_replication(const OptionSet& options, Replication given);
/// How many --weighted-columns a graph for shortest paths has.
void add_weighted_columns_option(OptionSet& options, std::size_t& columns);
/// Throws UsageError for options of sweeps where there are none.
void check_sssp_options(const OptionSet& options, const SsspOptions& sssp);
/// Throws UsageError for options that the chosen direction or layout never looks at.
void check_engine_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout);

}  // namespace breadth::cli
