#include "cli/common_options.hpp"

#include "graph500/report.hpp"

namespace breadth::cli {

void add_config_option(OptionSet& options, CommonSettings& settings) {
  options.add_text("config", settings.config, "a TOML file", {.meaning = "file with options, weaker than flags"});
}

void add_threads_option(OptionSet& options, CommonSettings& settings) {
  options.add_number("threads", settings.threads, 1, 4096,
                     {.meaning = "threads of each rank", .default_text = "the rank's share of the processors"});
}

void add_common_options(OptionSet& options, CommonSettings& settings) {
  add_threads_option(options, settings);
  options.add_choice("bind", settings.bind,
                     {{"auto", BindingPolicy::automatic},
                      {"none", BindingPolicy::none},
                      {"core", BindingPolicy::core},
                      {"numa", BindingPolicy::numa}},
                     {.meaning = "what threads are bound to where no launcher or scheduler bound their rank",
                      .source = "Cui et al. 2012, section II"});
  add_config_option(options, settings);
}

void add_adjacency_option(OptionSet& options, AdjacencyForm& adjacency) {
  options.add_choice("adjacency", adjacency,
                     {{"rows", AdjacencyForm::rows},
                      {"compressed", AdjacencyForm::compressed},
                      {"full-scan", AdjacencyForm::full_scan},
                      {"skip-list", AdjacencyForm::skip_list},
                      {"coarse-index", AdjacencyForm::coarse_index}},
                     {.meaning = "neighbours in rows that an index leads to, in such rows compressed, as pairs of "
                                 "vertices, in a list of rows "
                                 "behind headers, or in such a list with a pointer for each 64 vertices",
                      .source = "Checconi & Petrini 2014, section II-D and fig. 14"});
}

void add_engine_options(OptionSet& options, BfsOptions& bfs) {
  options.add_choice(
      "direction", bfs.direction,
      {{"auto", DirectionPolicy::automatic}, {"push", DirectionPolicy::push}, {"pull", DirectionPolicy::pull}},
      {.meaning = "from the frontier along its edges, back to it, or whichever looks cheaper",
       .source = "Beamer et al. 2012; Cui et al. 2012, section II"});
  constexpr double largest_factor = 1e9;
  options.add_number("alpha", bfs.alpha, 1, largest_factor,
                     {.meaning = "pull once the frontier's edges exceed the unvisited vertices' edges divided by this",
                      .source = "Beamer et al. 2012"});
  options.add_number("beta", bfs.beta, 1, largest_factor,
                     {.meaning = "push again once the frontier is smaller than all vertices divided by this",
                      .source = "Beamer et al. 2012"});
  options.add_choice("leaves", bfs.leaves_last, {{"last", true}, {"levels", false}},
                     {.meaning = "vertices with one edge: in one pass after the last level, or level by level"});
  options.add_number("coalescing", bfs.coalescing, 1, std::size_t{1} << 24,
                     {.meaning = "queries that a message to another rank holds at most",
                      .source = "Fuentes et al. 2014, section IV-E"});
}

void check_engine_options(const OptionSet& options, const BfsOptions& bfs) {
  if (bfs.direction == DirectionPolicy::automatic) return;
  const std::string direction = std::string("direction ") + name_of(bfs.direction);
  for (const char* factor : {"alpha", "beta"}) {
    if (options.given(factor)) {
      fail<UsageError>("--{} and --{} exclude each other: the factor chooses between push and pull", factor, direction);
    }
  }
  if (options.given("coalescing") && bfs.direction == DirectionPolicy::pull) {
    fail<UsageError>("--coalescing and --{} exclude each other: only pushing sends queries", direction);
  }
}

}  // namespace breadth::cli
