// Which options of a search are tuned.
#pragma once

#include <span>
#include <vector>

#include "traverse/bfs.hpp"
#include "tune/coordinate_search.hpp"

namespace breadth::cli {

/// All that `breadth tune` may set, and a profile with it. Each is an option of the engine (add_engine_options), which
/// knows what its values mean: one more takes a line here.
std::vector<Tunable> engine_tunables();

/// Those that change anything on so many ranks.
std::vector<Tunable> engine_tunables(int ranks);

/// What the options are in `bfs`.
Setting default_setting(std::span<const Tunable> tunables, const BfsOptions& bfs = {});

/// `bfs` with the values of a setting. Throws UsageError for values out of range.
BfsOptions bfs_options(std::span<const Tunable> tunables, const Setting& setting, const BfsOptions& bfs = {});

}  // namespace breadth::cli
