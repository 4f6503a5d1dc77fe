#include "cli/options/message_options.hpp"

#include "cli/options/effect.hpp"
#include "cli/options/route_options.hpp"

namespace breadth::cli {

void add_exchange_options(OptionSet& options, ExchangePolicy& exchange, std::optional<Termination>& ending) {
  options.add_choice(
      "exchange", exchange,
      {.group = OptionGroup::ranks,
       .meaning = "exchange of queries: asynchronous, as messages fill, or in bulk once the level is scanned",
       .source = "Fuentes et al. 2014, section III; Checconi & Petrini 2014, section IV-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>},
       .tuned = {{"asynchronous", "bulk"}}});
  options.add_choice(
      "ending", ending,
      {.group = OptionGroup::ranks,
       .meaning = "how the end of a level is detected: end marks from every rank, a consensus, or message counts",
       .source = "Fuentes et al. 2014, section III; Hoefler et al. 2010; Checconi & Petrini 2014, table "
                 "II",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, in_bulk, bfs_alone<without_queries>}});
}

void add_coalescing_option(OptionSet& options, std::size_t& coalescing, std::size_t most) {
  options.add_number("coalescing", coalescing, 1, most,
                     {.group = OptionGroup::ranks,
                      .meaning = "largest number of queries in a message to another rank",
                      .source = "Fuentes et al. 2014, section IV-E",
                      .between_ranks = true,
                      .on_processors = true,
                      .idle = {bfs_alone<on_grid>, in_bulk, bfs_alone<without_queries>},
                      .tuned = {{"64", "256", "1024", "4096", "16384"}}});
}

void add_message_options(OptionSet& options, BfsOptions& bfs) {
  add_exchange_options(options, bfs.exchange, bfs.ending);
  options.add_choice(
      "packets", bfs.packets,
      {.group = OptionGroup::ranks,
       .meaning = "format of queries: runs that share a parent, pairs of 16 bytes, or compressed differences",
       .source = "Fuentes et al. 2014, section III-B; Checconi & Petrini 2014, section III-B",
       .between_ranks = true,
       .on_processors = true,
       .idle = {bfs_alone<on_grid>, bfs_alone<without_queries>},
       .tuned = {{"runs", "compressed"}}});
  add_coalescing_option(options, bfs.coalescing, std::size_t{1} << 24);
  add_route_options(options, bfs.route);
}

}  // namespace breadth::cli
