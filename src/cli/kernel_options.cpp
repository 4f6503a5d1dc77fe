#include "cli/kernel_options.hpp"

#include <algorithm>
#include <array>

#include "cli/common_options.hpp"

namespace breadth::cli {

namespace {
/// What messages of every kernel go by, though it is declared with breadth-first search.
bool is_of_every_kernel(const std::string& name) {
  static const std::array names = {"coalescing", "exchange", "ending",     "packets",   "route",         "unique",
                                   "monitor",    "groups",   "group-size", "replicate", "ranks-per-node"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Throws UsageError for an option of `unused` that was given.
void refuse(const OptionSet& options, const OptionSet& unused, Kernels kernels, const char* whose) {
  for (const Option& option : unused.options()) {
    if (is_of_every_kernel(option.name) || !options.given(option.name)) continue;
    fail<UsageError>("{} and --kernels {} exclude each other: it is for {}", options.named(option.name),
                     name_of(kernels), whose);
  }
}
}  // namespace

void add_kernels_option(OptionSet& options, Kernels& kernels) {
  std::vector<std::pair<std::string, Kernels>> choices;
  for (const Kernels choice : {Kernels::bfs, Kernels::sssp, Kernels::bfs_and_sssp}) {
    choices.emplace_back(name_of(choice), choice);
  }
  options.add_choice("kernels", kernels, choices,
                     {.meaning = "which searches to run: breadth-first (kernel 2), for shortest paths (kernel 3), or "
                                 "both, one after the other",
                      .source = "Graph500 specification 2.0"});
}

void check_partition(const OptionSet& options, Kernels kernels, const GraphLayout& layout) {
  if (!layout.grid || !includes_sssp(kernels)) return;
  fail<UsageError>(
      "{} and --kernels {} exclude each other: shortest paths are found where each vertex's edges are on "
      "its rank",
      options.named("partition"), name_of(kernels));
}

void check_kernels(const OptionSet& options, Kernels kernels) {
  OptionSet unused;
  if (!includes_sssp(kernels)) {
    SsspOptions sssp;
    GraphLayout layout;
    add_sssp_options(unused, sssp);
    add_weighted_columns_option(unused, layout.weighted_columns);
    refuse(options, unused, kernels, "shortest paths");
  }
  if (!includes_bfs(kernels)) {
    BfsOptions bfs;
    add_engine_options(unused, bfs);
    refuse(options, unused, kernels, "breadth-first search");
    for (const char* name : {"adjacency", "neighbours", "columns"}) {
      if (!options.given(name)) continue;
      fail<UsageError>("{} and --kernels {} exclude each other: shortest paths are searched for in rows by weight",
                       options.named(name), name_of(kernels));
    }
  }
}

}  // namespace breadth::cli
