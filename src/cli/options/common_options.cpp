#include "cli/options/common_options.hpp"

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "cli/options/effect.hpp"
#include "cli/options/rank_options.hpp"
#include "graph500/report/report.hpp"

namespace breadth::cli {

namespace {
const std::vector<Idle> of_threshold = {unless_bfs, on_grid, if_subgraphs_are_apart, if_direction_is_fixed};
const std::vector<Idle> of_pushes = {unless_bfs, on_grid, if_subgraphs_are_apart, without_pushes};
const std::vector<Idle> of_replica = {unless_bfs, on_grid, if_subgraphs_are_apart, unless_replicated, without_pulls};
constexpr Idle unless_in_rows{[](const Choices& run) -> const void* {
                                const AdjacencyForm form = run.layout.adjacency;
                                const bool in_rows = form == AdjacencyForm::rows || form == AdjacencyForm::compressed;
                                return in_rows ? nullptr : &run.layout.adjacency;
                              },
                              "with lists to scan", "only CSR rows and compressed rows have a head"};
}  // namespace

void add_config_option(OptionSet& options, CommonSettings& settings) {
  options.add_text(
      "config", settings.config, "a TOML file",
      {.group = OptionGroup::everyday, .meaning = "TOML file with options; options of the command line override it"});
}

void add_threads_option(OptionSet& options, CommonSettings& settings) {
  options.add_number("threads", settings.threads, {1, 4096},
                     {.group = OptionGroup::everyday,
                      .meaning = "threads of each rank",
                      .default_text = "the rank's share of the processors"});
}

void add_scale_option(OptionSet& options, int& scale, const std::string& by_default) {
  options.add_number("scale", scale, {1, Kronecker::max_scale},
                     {.group = OptionGroup::everyday,
                      .meaning = "log2 of the number of vertices",
                      .source = graph500_specification,
                      .required = by_default.empty(),
                      .default_text = by_default});
}

void add_edgefactor_option(OptionSet& options, std::uint64_t& edgefactor) {
  options.add_number("edgefactor", edgefactor, {1, largest_edgefactor},
                     {.group = OptionGroup::everyday,
                      .meaning = "tuples of the edge list per vertex",
                      .source = graph500_specification});
}

void add_seed_option(OptionSet& options, std::array<std::uint64_t, 2>& seed) {
  options.add_pair("seed", seed, {.group = OptionGroup::everyday, .meaning = "seeds of the graph and the search keys"});
}

void add_directed_option(OptionSet& options, bool& directed) {
  options.add_flag("directed", directed,
                   {.group = OptionGroup::everyday, .meaning = "edges lead only from the first column to the second"});
}

void add_print_json_option(OptionSet& options, bool& json) {
  options.add_flag("json", json, {.group = OptionGroup::everyday, .meaning = "print JSON"});
}

void add_common_options(OptionSet& options, CommonSettings& settings) {
  add_threads_option(options, settings);
  options.add_choice("bind", settings.bind,
                     {.group = OptionGroup::machine,
                      .meaning = "what threads are bound to, unless a launcher or scheduler has bound their rank",
                      .source = "Cui et al. 2012, section II"});
  options.add_choice(
      "simd", settings.simd,
      choices_of({InstructionSet::automatic, InstructionSet::scalar, InstructionSet::sse4, InstructionSet::avx2,
                  InstructionSet::avx512, InstructionSet::neon, InstructionSet::sve, InstructionSet::sve2}),
      {.group = OptionGroup::machine,
       .meaning = "instruction set of the inner loops; scalar: no vector instructions",
       .source = "Gan & Zhang 2021, section 4.2"});
  options.add_switch("huge-pages", settings.huge_pages,
                     {.group = OptionGroup::machine, .meaning = "whether to ask the system for huge pages"});
  constexpr double longest_watch = 1e6;
  options.add_number(
      "watchdog", settings.watchdog, {0, longest_watch},
      {.group = OptionGroup::machine,
       .meaning =
           "seconds that a rank may stay in one phase, else the run ends and prints each rank's phase; 0: no end"});
  add_config_option(options, settings);
}

namespace {
constexpr const char* partition_range = "1d, auto-2d, or rows and columns of ranks such as 2x3";

void store_partition(const std::string& text, std::optional<GridShape>& grid) {
  const std::size_t cross = text.find('x');
  if (text == "1d") {
    grid.reset();
  } else if (text == "auto-2d") {
    grid = GridShape{};
  } else if (cross == std::string::npos) {
    fail<UsageError>("must be {}", partition_range);
  } else {
    constexpr std::uint64_t most = 1 << 24;
    grid = GridShape{static_cast<int>(parse_number<std::uint64_t>(text.substr(0, cross), 1, most, partition_range)),
                     static_cast<int>(parse_number<std::uint64_t>(text.substr(cross + 1), 1, most, partition_range))};
  }
}
}  // namespace

void add_layout_options(OptionSet& options, GraphLayout& layout) {
  options.add(
      "partition", &layout.grid, partition_range,
      {.words = {"1d", "auto-2d", "1x1", "1x2", "2x1", "3x1", "1x3", "2x2"}}, "1d",
      {.group = OptionGroup::paper,
       .meaning = "distribution of the edges: 1D, with their vertex, or 2D, on a grid of ranks by both ends",
       .source = "Checconi & Petrini 2014, sections II-B and IV-D; Pan et al. 2018, section II-B"},
      [&layout](const std::string& text) { store_partition(text, layout.grid); },
      [&layout] { return name_of(layout.grid); });
  options.add_choice(
      "adjacency", layout.adjacency,
      {.group = OptionGroup::layout,
       .meaning = "form of the adjacency: CSR rows, compressed rows, or lists to scan, with or without an index",
       .source = "Checconi & Petrini 2014, section II-D and fig. 14; Lemire et al. 2018",
       .idle = {unless_rows_are_chosen, if_rows_are_on_grid}});
  options.add_choice("order", layout.order,
                     {.group = OptionGroup::layout,
                      .meaning = "order of a rank's vertices: by falling degree, or by label",
                      .source = "Gan & Zhang 2021, section 4.1"});
  options.add_choice("neighbours", layout.neighbours, choices_of({NeighbourOrder::vertices, NeighbourOrder::labels}),
                     {.group = OptionGroup::layout,
                      .meaning = "order of each vertex's neighbours: that of the vertices (--order), or rising labels",
                      .source = "Gan & Zhang 2021, section 4.1",
                      .idle = {unless_rows_are_chosen, if_rows_are_on_grid}});
  options.add_number(
      "columns", layout.columns, {0, max_columns},
      {.group = OptionGroup::layout,
       .meaning = "length of the head: a copy of each vertex's first neighbours, stored apart from the rows (ELLPACK)",
       .on_processors = true,
       .idle = {unless_rows_are_chosen, if_rows_are_on_grid, unless_in_rows}});
}

void add_hubs_option(OptionSet& options, HubChoice& hubs) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::string range = fmt::format("none, auto, pan, or a whole number from 0 to {}", most);
  options.add(
      "hubs", &hubs, range,
      {.words = {"none", "auto", "pan"},
       .numbers = OptionTexts::Numbers{.minimum = "0", .maximum = std::to_string(most), .whole = true}},
      name_of(hubs),
      {.group = OptionGroup::ranks,
       .meaning = "degree above which a vertex is a hub, with a replica on every rank; auto and pan choose the degree",
       .source = "Checconi & Petrini 2014, section III-C; Pan et al. 2018, sections III and VI-B; Gan & Zhang "
                 "2021, section 4.1",
       .between_ranks = true,
       .tuned = {{"none", "auto", "64", "256", "1024"}, false, true}},
      [&hubs, range](const std::string& text) {
        if (text == "none") {
          hubs = {};
        } else if (text == "auto") {
          hubs = {.rule = HubRule::automatic};
        } else if (text == "pan") {
          hubs = {.rule = HubRule::pan};
        } else {
          hubs = {.rule = HubRule::degree, .degree = parse_number<std::uint64_t>(text, 0, most, range)};
        }
      },
      [&hubs] { return name_of(hubs); });
}

void check_layout_options(const OptionSet& options, const GraphLayout& layout) {
  if (layout.grid && layout.adjacency != AdjacencyForm::rows) {
    options.refuse_for(layout.adjacency, layout.grid, if_rows_are_on_grid.reason);
  }
  if (layout.grid && layout.hubs.rule != HubRule::none) {
    options.refuse_for(layout.hubs, layout.grid, "a 2D partition spreads the edges of every vertex");
  }
  if (layout.adjacency == AdjacencyForm::compressed && layout.neighbours == NeighbourOrder::labels) {
    options.refuse_for(layout.adjacency, layout.neighbours, "compressed rows need neighbours sorted by global id");
  }
  if (layout.hubs.rule != HubRule::none && layout.neighbours == NeighbourOrder::labels) {
    options.refuse_for(layout.hubs, layout.neighbours, "rows with hubs are sorted, hubs first");
  }
}

void add_summary_option(OptionSet& options, std::size_t& summary) {
  std::vector<std::pair<std::string, std::size_t>> granularities = {{"none", 0}};
  for (std::size_t global_ids = BfsOptions::summaries.minimum; global_ids <= BfsOptions::summaries.maximum;
       global_ids *= 2) {
    granularities.emplace_back(std::to_string(global_ids), global_ids);
  }
  options.add_choice(BfsOptions::summaries.option, summary, granularities,
                     {.group = OptionGroup::paper,
                      .meaning = "number of vertices for each bit of the frontier's summary in a pull",
                      .source = "Cui et al. 2012, section III-C",
                      .on_processors = true,
                      .idle = of_replica,
                      .tuned = {{"none", "64", "256", "1024", "4096"}}});
}

void add_pull_option(OptionSet& options, BfsOptions& bfs) {
  options.add_choice(
      "pull", bfs.pull,
      {.group = OptionGroup::paper,
       .meaning = "how a pull knows the frontier of other ranks: by a replica of it, or by messages to the owners",
       .source = "Cui et al. 2012, section II; Checconi & Petrini 2014, section III-A",
       .between_ranks = true,
       .on_processors = true,
       .idle = {unless_bfs, on_grid, if_subgraphs_are_apart, without_pulls}});
}

void add_replicate_option(OptionSet& options, BfsOptions& bfs) {
  options.add_choice(
      "replicate", bfs.replication.how,
      {.group = OptionGroup::ranks,
       .meaning = "how a pull's frontier reaches every rank: allgather, node leaders, or memory that a node shares",
       .source = "Cui et al. 2012, section III-A and B, figs. 5 and 7",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, bfs_alone<if_subgraphs_are_apart>, bfs_alone<unless_replicated>,
                bfs_alone<without_pulls>},
       .tuned = {{"allgather", "shared", "subgroups"}}});
}

void add_shared_bits_option(OptionSet& options, BfsOptions& bfs) {
  options.add_choice(
      "shared-bits", bfs.replication.bits,
      {.group = OptionGroup::ranks,
       .meaning = "which frontier bits a rank sends after the first pull: all, or only those not set before",
       .between_ranks = true,
       .on_processors = true,
       .idle = {unless_bfs,
                on_grid,
                if_subgraphs_are_apart,
                unless_replicated,
                {[](const Choices& run) -> const void* { return run.bfs.summary != 0 ? &run.bfs.summary : nullptr; },
                 "with a summary", "with a summary, ranks send the groups of bits that changed"},
                without_pulls}});
}

void add_direction_option(OptionSet& options, DirectionPolicy& direction) {
  options.add_choice(
      "direction", direction,
      {.group = OptionGroup::search,
       .meaning = "direction of a level: push (top-down), pull (bottom-up), or auto, the one that looks cheaper",
       .source = "Beamer et al. 2012; Cui et al. 2012, section II",
       .idle = {unless_bfs}});
}

namespace {
/// Adds the thresholds at which a search changes its direction.
void add_threshold_options(OptionSet& options, DirectionRule& rule) {
  options.add_number(
      rule.alpha, DirectionRule::alphas,
      {.group = OptionGroup::search,
       .meaning = "pull threshold: the frontier's edges exceed the unvisited vertices' edges divided by this",
       .source = "Beamer et al. 2012",
       .idle = of_threshold,
       .tuned = {{"2.5", "5", "10", "20", "40", "80", "160"}, true}});
  options.add_number(rule.beta, DirectionRule::betas,
                     {.group = OptionGroup::search,
                      .meaning = "push threshold: the frontier is smaller than all vertices divided by this",
                      .source = "Beamer et al. 2012",
                      .idle = of_threshold,
                      .tuned = {{"4", "16", "64", "256", "1024", "4096"}, true}});
}

/// Adds the options for pushes.
void add_push_options(OptionSet& options, BfsOptions& bfs) {
  options.add_switch(
      "push-ranges", bfs.push_ranges,
      {.group = OptionGroup::search,
       .meaning = "targets of a thread's pushes on one rank: its own range of vertices, or all, claimed atomically",
       .on_processors = true,
       .idle = of_pushes});
  options.add_switch(
      "mixed-levels", bfs.mixed_levels,
      {.group = OptionGroup::search,
       .meaning = "levels that pull for long rows and push for short ones (--direction auto, --push-ranges on)",
       .on_processors = true,
       .idle = {unless_bfs,
                on_grid,
                if_subgraphs_are_apart,
                {[](const Choices& run) -> const void* {
                   if (!run.bfs.mixed_levels) return nullptr;
                   if (const void* fixed = run.direction_unless(run.bfs.direction.may_choose())) return fixed;
                   return run.bfs.push_ranges ? nullptr : &run.bfs.push_ranges;
                 },
                 "where the direction is fixed or threads have no ranges",
                 "it needs --direction auto and --push-ranges on"}}});
  options.add_switch(
      "fuse-levels", bfs.fuse_levels,
      {.group = OptionGroup::search,
       .meaning = "level fusion: on one rank, threads do several small push levels without waiting between them",
       .on_processors = true,
       .idle = {unless_bfs,
                on_grid,
                if_subgraphs_are_apart,
                without_pushes,
                {[](const Choices& run) -> const void* {
                   return run.bfs.fuse_levels && run.layout.order == VertexOrder::label ? &run.layout.order : nullptr;
                 },
                 "in the order by label", "level fusion needs the order by degree, to know that rows are short"},
                {[](const Choices& run) -> const void* {
                   return run.bfs.fuse_levels ? unless_in_rows.because_of(run) : nullptr;
                 },
                 "with lists to scan", "all threads scan the lists in each level"}}});
}

/// Adds the options for push levels with few edges.
void add_narrow_level_options(OptionSet& options, BfsOptions& bfs) {
  options.add_switch(
      "adaptive-levels", bfs.adaptive_levels,
      {.group = OptionGroup::search,
       .meaning = "narrow push levels: on one thread if all threads prove slower, as when other programs run",
       .on_processors = true,
       .idle = of_pushes});
  options.add_number(bfs.small_level, BfsOptions::small_levels,
                     {.group = OptionGroup::search,
                      .meaning = "edges per thread up to which a push level runs on one thread",
                      .on_processors = true,
                      .idle = of_pushes,
                      .tuned = {{"0", "128", "1024", "8192"}}});
}
}  // namespace

void add_engine_options(OptionSet& options, BfsOptions& bfs) {
  add_direction_option(options, bfs.direction.policy);
  add_threshold_options(options, bfs.direction);
  add_pull_option(options, bfs);
  add_summary_option(options, bfs.summary);
  add_replicate_option(options, bfs);
  add_shared_bits_option(options, bfs);
  options.add_choice(
      "hub-masks", bfs.hub_masks,
      {.group = OptionGroup::paper,
       .meaning = "all-reduce of the visited hubs: flat or two-phase (node, then between nodes), blocking or not",
       .source = "Pan et al. 2018, section V-A; Checconi & Petrini 2014, table II",
       .between_ranks = true,
       .idle = {unless_bfs,
                {[](const Choices& run) -> const void* {
                   return run.layout.hubs.rule == HubRule::none ? &run.layout.hubs : nullptr;
                 },
                 "without hubs", "there are no hubs"}}});
  add_subgraph_options(options, bfs.subgraphs);
  options.add_number(
      bfs.replication.ranks_per_node, BfsOptions::ranks_per_node,
      {.group = OptionGroup::ranks,
       .meaning = "ranks per node, to divide a machine into several nodes for tests; 0: do not divide it",
       .between_ranks = true,
       .on_processors = true});
  options.add_choice(
      "leaves", bfs.leaves_last, {{"last", true}, {"levels", false}},
      {.group = OptionGroup::search,
       .meaning = "vertices of degree 1: in one pass after the last level (--order degree), or level by level",
       .idle = {unless_bfs,
                on_grid,
                {[](const Choices& run) -> const void* {
                   if (!run.bfs.leaves_last) return nullptr;
                   if (run.apart()) return &run.bfs.subgraphs.policy;
                   return run.layout.order == VertexOrder::label ? &run.layout.order : nullptr;
                 },
                 "in the order by label, or with degree-separated subgraphs",
                 "only the order by degree puts vertices of degree 1 together, and all edges in one graph"},
                {[](const Choices& run) -> const void* {
                   return run.bfs.leaves_last && run.bfs.max_depth != BfsOptions::depths.maximum ? &run.bfs.max_depth
                                                                                                 : nullptr;
                 },
                 "in a search that ends at a depth",
                 "a search that ends at a depth visits vertices of degree 1 in its levels"}},
       .tuned = {{"last", "levels"}}});
  add_push_options(options, bfs);
  add_narrow_level_options(options, bfs);
  add_message_options(options, bfs);
}

void check_engine_options(const OptionSet& options, const BfsOptions& bfs, const GraphLayout& layout) {
  if (waits_with_messages_under_way(bfs)) {
    fail<UsageError>(
        "{} and {} exclude each other except with --subgraphs apart: ranks of a node would wait for each other while "
        "messages to them are under way",
        options.named_for(bfs.hub_masks), options.named_for(bfs.messages.exchange));
  }
  check_subgraphs_option(options, bfs.subgraphs, layout);
  if (!layout.grid || bfs.direction.may_push() || bfs.subgraphs.policy == SubgraphPolicy::apart) return;
  options.refuse_for(bfs.direction.policy, layout.grid, "every level of a 2D search pushes");
}

}  // namespace breadth::cli
