// Which options of a search are tuned.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/policy/graph_layout.hpp"
#include "traverse/bfs.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth::cli {

/// All that `breadth tune` may set, and a profile with it. Each is an option of the engine (add_engine_options), whose
/// row says which values are tried. --hubs is kernel 1's.
std::vector<Tunable> engine_tunables();

/// Those that change anything on so many ranks.
std::vector<Tunable> engine_tunables(int ranks);

/// What the options are in `bfs`; no vertex is a hub.
Setting default_setting(std::span<const Tunable> tunables, const BfsOptions& bfs = {});

/// `bfs` with the values of a setting. Throws UsageError for values out of range.
BfsOptions bfs_options(std::span<const Tunable> tunables, const Setting& setting, const BfsOptions& bfs = {});

/// The value of --hubs in a setting; that of no hubs where it is none of the tunables.
std::string hubs_of(std::span<const Tunable> tunables, const Setting& setting);
/// What such a value means. Throws UsageError for one out of range.
HubChoice hub_choice(const std::string& value);

}  // namespace breadth::cli
