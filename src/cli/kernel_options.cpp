#include "cli/kernel_options.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "cli/common_options.hpp"
#include "cli/sssp_options.hpp"

namespace breadth::cli {

namespace {
/// What messages of every kernel go by, though it is declared with breadth-first search.
bool is_of_every_kernel(const std::string& name) {
  static const std::array names = {"coalescing", "exchange", "ending",     "packets",   "route",         "unique",
                                   "monitor",    "groups",   "group-size", "replicate", "ranks-per-node"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The kernels that a list of names has, in any order and however often.
Kernels parse_kernels(const std::string& text, const std::string& range) {
  bool bfs = false;
  bool sssp = false;
  std::istringstream names(text + ",");  // getline() would not see that nothing follows the last comma
  for (std::string name; std::getline(names, name, ',');) {
    if (name != name_of(Kernels::bfs) && name != name_of(Kernels::sssp)) fail<UsageError>("must be {}", range);
    (name == name_of(Kernels::bfs) ? bfs : sssp) = true;
  }
  if (bfs && sssp) return Kernels::bfs_and_sssp;
  return bfs ? Kernels::bfs : Kernels::sssp;
}

/// Throws UsageError for an option of `unused` that was given.
void refuse(const OptionSet& options, const OptionSet& unused, Kernels kernels, const char* whose) {
  for (const Option& option : unused.options()) {
    if (is_of_every_kernel(option.name) || !options.given(option.name)) continue;
    fail<UsageError>("{} and --kernels {} exclude each other: only {} uses it", options.named(option.name),
                     name_of(kernels), whose);
  }
}
}  // namespace

void add_kernels_option(OptionSet& options, Kernels& kernels) {
  const std::string range = "bfs, sssp, or both with a comma between";
  options.add({.name = "kernels",
               .group = OptionGroup::everyday,
               .meaning = "searches to run: BFS (kernel 2), SSSP (kernel 3), or both",
               .default_text = name_of(kernels),
               .range = range,
               .texts = {.words = {"bfs", "sssp", "bfs,sssp"}},
               .source = "Graph500 specification 2.0",
               .store = [&kernels, range](const std::string& text) { kernels = parse_kernels(text, range); }});
}

void check_partition(const OptionSet& options, Kernels kernels, const GraphLayout& layout) {
  if (!layout.grid || !includes_sssp(kernels)) return;
  fail<UsageError>("{} and --kernels {} exclude each other: SSSP needs all edges of a vertex on its rank",
                   options.named("partition"), name_of(kernels));
}

void check_kernels(const OptionSet& options, Kernels kernels) {
  OptionSet unused;
  if (!includes_sssp(kernels)) {
    SsspOptions sssp;
    GraphLayout layout;
    add_sssp_options(unused, sssp);
    add_weighted_columns_option(unused, layout.weighted_columns);
    refuse(options, unused, kernels, "SSSP");
  }
  if (!includes_bfs(kernels)) {
    BfsOptions bfs;
    add_engine_options(unused, bfs);
    refuse(options, unused, kernels, "BFS");
    for (const char* name : {"adjacency", "neighbours", "columns"}) {
      if (!options.given(name)) continue;
      fail<UsageError>("{} and --kernels {} exclude each other: SSSP searches rows sorted by weight",
                       options.named(name), name_of(kernels));
    }
  }
}

}  // namespace breadth::cli
