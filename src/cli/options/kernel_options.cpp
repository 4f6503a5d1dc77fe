#include "cli/options/kernel_options.hpp"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string>
#include <vector>

#include "cli/options/effect.hpp"
#include "core/errors.hpp"
#include "core/policy/graph_layout.hpp"
#include "core/text.hpp"

namespace breadth::cli {

// The choice of kernels.

namespace {
/// Parses a list of kernel names, in any order and with repetitions.
Kernels parse_kernels(const std::string& text, const std::string& range) {
  Kernels kernels(std::initializer_list<KernelKind>{});
  std::istringstream names(text + ",");  // the comma makes getline() return an empty last name
  for (std::string name; std::getline(names, name, ',');) {
    const auto* const found = std::ranges::find(kernel_list, name, &KernelAbout::word);
    if (found == kernel_list.end()) fail<UsageError>("must be {}", range);
    kernels.add(found->kind);
  }
  return kernels;
}
}  // namespace

void add_kernels_option(OptionSet& options, Kernels& kernels) {
  std::vector<std::string> words = texts_of(kernel_list, &KernelAbout::word);
  const std::vector<std::string> titles = texts_of(kernel_list, [](const KernelAbout& kernel) {
    return kernel.number == nullptr ? kernel.title : fmt::format("{} ({})", kernel.title, kernel.number);
  });
  const std::string range = joined(words, ", ") + ", or several with commas between";
  words.push_back(joined(words, ","));
  options.add(
      "kernels", &kernels, range, {.words = words}, name_of(kernels),
      {.group = OptionGroup::everyday,
       .meaning = "searches to run, any of " + joined(titles, ", "),
       .source = graph500_specification,
       .takes = Takes::word},
      [&kernels, range](const std::string& text) { kernels = parse_kernels(text, range); },
      [&kernels] { return name_of(kernels); });
}

void add_edge_list_option(OptionSet& options, EdgeListPlace& place) {
  options.add_choice(
      "edge-list", place,
      {.group = OptionGroup::layout,
       .meaning = "where the edge list is kept: in memory, in a file, or nowhere, regenerated for each use",
       .source = graph500_specification});
}

void add_run_options(OptionSet& options, BenchmarkOptions& benchmark) {
  add_kernels_option(options, benchmark.kernels);
  options.add_number(
      "keys", benchmark.keys, {1, 4096},
      {.group = OptionGroup::everyday, .meaning = "number of search keys", .source = graph500_specification});
  options.add_text("input", benchmark.input, "a graph file",
                   {.group = OptionGroup::everyday,
                    .meaning = "graph file to read the edge list from, instead of generating it",
                    .excludes = {{&benchmark.edge_folder, "the edge list stays in the file"},
                                 {&benchmark.seed, "the edges come from the file"},
                                 {&benchmark.edgefactor, "the edges come from the file"}}});
  add_edge_list_option(options, benchmark.edge_list);
  options.add_text("edge-folder", benchmark.edge_folder, "a folder",
                   {.group = OptionGroup::layout,
                    .meaning = "folder for the run's own edge list file, which has no name and disappears with the run",
                    .default_text = "TMPDIR, or else /tmp",
                    .takes = Takes::folder});
  options.add_choice("validate", benchmark.validation,
                     {.group = OptionGroup::everyday,
                      .meaning = "which searches are validated, and when",
                      .source = graph500_specification});
}

void check_partition(const OptionSet& options, const Kernels& kernels, const GraphLayout& layout) {
  for (const KernelKind kind : kernels.kinds()) {
    if (!layout.grid || about(kind).layout(layout).grid) continue;
    options.refuse_for(layout.grid, kernels,
                       fmt::format("{} needs all edges of a vertex on its rank", about(kind).title));
  }
}

void check_ranks(const Kernels& kernels, int ranks) {
  for (const KernelKind kind : kernels.kinds()) {
    if (ranks <= about(kind).max_ranks) continue;
    fail<UsageError>("--kernels {} and {} ranks exclude each other: at most {} can run {}", name_of(kernels), ranks,
                     about(kind).max_ranks, name_of(kind));
  }
}

// Searches for shortest paths.

void add_sssp_options(OptionSet& options, SsspOptions& sssp) {
  options.add_number(sssp.delta, SsspOptions::deltas,
                     {.group = OptionGroup::search,
                      .meaning = "SSSP bucket width (delta-stepping); auto, or 0: by the graph and its weights",
                      .source = "Meyer & Sanders 2003",
                      .idle = {unless_sssp}},
                     {0, "auto"});
  options.add_switch(
      "sweeps", sssp.sweeps,
      {.group = OptionGroup::search,
       .meaning = "SSSP sweeps over all vertices if a few hubs have many of the edges; off: buckets only",
       .idle = {unless_sssp}});
  options.add_number(
      sssp.ball_divisor, SsspOptions::ball_divisors,
      {.group = OptionGroup::search,
       .meaning = "SSSP: one in this many vertices, the nearest, is settled before the sweeps; 0: only the source",
       .on_processors = true,
       .idle = {unless_sssp, without_sweeps}});
  options.add_switch("hubs-first", sssp.hubs_first,
                     {.group = OptionGroup::search,
                      .meaning = "SSSP sweeps over the most connected vertices before those over all",
                      .on_processors = true,
                      .idle = {unless_sssp, without_sweeps}});
  options.add_switch(
      "fuse", sssp.fuse,
      {.group = OptionGroup::search,
       .meaning = "SSSP bucket fusion: threads and nodes go on inside a small bucket before they exchange",
       .source = "Zhang et al. 2020",
       .on_processors = true,
       .idle = {unless_sssp}});
  options.add_number(sssp.bucket_batch, SsspOptions::bucket_batches,
                     {.group = OptionGroup::search,
                      .meaning = "SSSP buckets that are settled between two barriers of the threads, on one rank",
                      .was = "stretch",
                      .on_processors = true,
                      .idle = {unless_sssp}});
  options.add_number(
      sssp.small_batch, SsspOptions::small_batches,
      {.group = OptionGroup::search,
       .meaning = "SSSP: number of waiting vertices below which one thread settles a batch of buckets, on one rank",
       .was = "small-stretch",
       .on_processors = true,
       .idle = {unless_sssp}});
  options.add_switch(
      "known-distances", sssp.known_distances,
      {.group = OptionGroup::ranks,
       .meaning = "SSSP: distances of other ranks' vertices, kept where it pays, to avoid useless relaxations",
       .on_processors = true,
       .idle = {unless_sssp}});
}

namespace {
/// Converts --packets of breadth-first search, the field `given`, for shortest paths. Throws UsageError if pairs were
/// given in a run without breadth-first search (`alone`).
PacketFormat sssp_packets(const OptionSet& options, const PacketFormat& given, bool alone) {
  if (given != PacketFormat::pairs) return given;
  if (alone && options.given_for(given)) {
    fail<UsageError>("{} and shortest paths exclude each other: a pair of 16 bytes has no room for a distance",
                     options.named_for(given));
  }
  return PacketFormat::runs;
}
}  // namespace

void share_options(const OptionSet& options, const Kernels& kernels, const BfsOptions& bfs, SsspOptions& sssp) {
  sssp.messages = bfs.messages;
  sssp.messages.coalescing = std::min(bfs.messages.coalescing, SsspOptions::coalescings.maximum);
  sssp.messages.packets = PacketFormat::runs;
  if (!kernels.has(KernelKind::sssp)) return;
  sssp.messages.packets = sssp_packets(options, bfs.messages.packets, !kernels.has(KernelKind::bfs));
  sssp.replicate = sssp_replication(options, bfs.replication.how);
}

std::optional<Replication> sssp_replication(const OptionSet& options, const Replication& given) {
  if (!options.given_for(given)) return std::nullopt;
  if (given == Replication::shared_in) {
    fail<UsageError>(
        "{} and shortest paths exclude each other: the shared array always contains each rank's own distances",
        options.named_for(given));
  }
  return given;
}

void add_weighted_columns_option(OptionSet& options, std::size_t& columns) {
  options.add_number(
      "weighted-columns", columns, {0, max_columns},
      {.group = OptionGroup::layout,
       .meaning = "length of the SSSP head: a copy of each vertex's lightest edges, apart from the rows (ELLPACK)",
       .on_processors = true,
       .idle = {unless_sssp}});
}

}  // namespace breadth::cli
