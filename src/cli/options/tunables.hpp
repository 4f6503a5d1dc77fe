// The options of a search that are tuned.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth::cli {

/// All options that `breadth tune`, and a profile, may set. Each is an option of the engine (add_engine_options), whose
/// row lists the values to try. --hubs is an option of kernel 1.
std::vector<Tunable> engine_tunables();

/// The tunable options that have an effect on `ranks` ranks.
std::vector<Tunable> engine_tunables(int ranks);

/// The values of the options in `bfs`; no vertex is a hub.
Setting default_setting(std::span<const Tunable> tunables, const BfsOptions& bfs = {});

/// `bfs` with the values of a setting. Throws UsageError for values out of range.
BfsOptions bfs_options(std::span<const Tunable> tunables, const Setting& setting, const BfsOptions& bfs = {});

/// The value of --hubs in a setting; that for no hubs if --hubs is not tunable.
std::string hubs_of(std::span<const Tunable> tunables, const Setting& setting);
/// Parses a value of --hubs. Throws UsageError if it is out of range.
HubChoice hub_choice(const std::string& value);

}  // namespace breadth::cli
