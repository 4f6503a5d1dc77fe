#include "cli/sssp_options.hpp"

#include <cstdint>

#include "core/errors.hpp"
#include "core/graph_layout.hpp"

namespace breadth::cli {

void add_sssp_options(OptionSet& options, SsspOptions& sssp) {
  constexpr double widest = 1e30;
  options.add_number("delta", sssp.delta, 0, widest,
                     {.meaning = "shortest paths: how much farther away what is searched at a time may be; 0 leaves it "
                                 "to the graph and its weights",
                      .source = "Meyer & Sanders 2003"});
  options.add_choice("sweeps", sssp.sweeps, {{"on", true}, {"off", false}},
                     {.meaning = "shortest paths where a few hubs have many of the edges: sweeps over all vertices, or "
                                 "only buckets of distances"});
  options.add_number("ball", sssp.ball, std::uint64_t{0}, most_sssp_ball,
                     {.meaning = "shortest paths: one of so many vertices, those nearest to the source, is settled "
                                 "before the sweeps; 0 for the source alone"});
  options.add_choice("hubs-first", sssp.hubs_first, {{"on", true}, {"off", false}},
                     {.meaning = "shortest paths: sweeps over the most connected vertices come before those over all"});
  options.add_choice(
      "fuse", sssp.fuse, {{"on", true}, {"off", false}},
      {.meaning = "shortest paths: threads of one rank, and ranks of several nodes, go on with what they "
                  "find inside a bucket before they hear of others, as long as that is little",
       .source = "Zhang et al. 2020"});
  options.add_number("stretch", sssp.stretch, 1, most_sssp_stretch,
                     {.meaning = "shortest paths on one rank: so many buckets are settled between two meetings of the "
                                 "threads"});
  options.add_number("small-stretch", sssp.small_stretch, 0, most_small_stretch,
                     {.meaning = "shortest paths on one rank: one thread settles as many buckets where fewer vertices "
                                 "wait in them"});
  options.add_choice("known-distances", sssp.known_distances, {{"on", true}, {"off", false}},
                     {.meaning = "shortest paths in buckets on several ranks: what other ranks' vertices have is known "
                                 "where that pays, and what is vain is not sent"});
}

void add_sssp_packets_option(OptionSet& options, PacketFormat& packets) {
  options.add_choice("packets", packets, {{"runs", PacketFormat::runs}, {"compressed", PacketFormat::compressed}},
                     {.meaning = "relaxations travel as runs that share a parent, or as differences",
                      .source = "Checconi & Petrini 2014, section III-B"});
}

PacketFormat sssp_packets(const OptionSet& options, PacketFormat given, bool alone) {
  if (given != PacketFormat::pairs) return given;
  if (alone && options.given("packets")) {
    fail<UsageError>("{} and shortest paths exclude each other: a pair has no place for a distance",
                     options.named("packets"));
  }
  return PacketFormat::runs;
}

void add_sssp_replicate_option(OptionSet& options, std::optional<Replication>& how) {
  options.add_choice(
      "replicate", how,
      {{"auto", std::nullopt},
       {"allgather", Replication::allgather},
       {"leader", Replication::leader},
       {"shared", Replication::shared},
       {"subgroups", Replication::subgroups}},
      {.meaning = "how sweeps and buckets learn of other ranks' distances: by the MPI library's allgather, by leaders "
                  "of nodes, in memory that a node's ranks share and leaders, or every rank for its "
                  "part, bring to other nodes; auto is the last where there is such memory, else the "
                  "first",
       .source = "Cui et al. 2012, section III-A and B, figs. 5 and 7"});
}

std::optional<Replication> sssp_replication(const OptionSet& options, Replication given) {
  if (!options.given("replicate")) return std::nullopt;
  if (given == Replication::shared_in) {
    fail<UsageError>("{} and shortest paths exclude each other: a rank's own distances are in the array that it reads",
                     options.named("replicate"));
  }
  return given;
}

void add_weighted_columns_option(OptionSet& options, std::size_t& columns) {
  options.add_number("weighted-columns", columns, 0, most_columns,
                     {.meaning = "shortest paths: so many lightest edges of each vertex stand in columns beside the "
                                 "rows as well"});
}

void check_sssp_options(const OptionSet& options, const SsspOptions& sssp) {
  if (sssp.sweeps && sssp.delta == 0) return;
  for (const char* of_sweeps : {"ball", "hubs-first"}) {
    if (!options.given(of_sweeps)) continue;
    fail<UsageError>("{} and {} exclude each other: nothing sweeps", options.named(of_sweeps),
                     options.named(sssp.sweeps ? "delta" : "sweeps"));
  }
}

}  // namespace breadth::cli
