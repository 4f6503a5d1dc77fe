// One subgraph after the other: along the edges from hubs or light vertices to hubs or light vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "comm/context.hpp"
#include "core/bitmap.hpp"
#include "core/parallel.hpp"
#include "graph/graph.hpp"
#include "traverse/push_targets.hpp"
#include "traverse/query_exchange.hpp"
#include "traverse/search_state.hpp"

namespace breadth {

/// What an edge leads to.
enum class Ends { hubs, lights };

/// Pushes and pulls of one rank along one of the subgraphs that hubs make (Pan et al. 2018, section IV). A row has its
/// hubs before its light vertices, so that a subgraph is a part of each row. Only a push from light vertices to light
/// ones leads to other ranks.
template <class Neighbour>
class SubgraphVisits {
 public:
  using Exchange = QueryExchange<Neighbour>;

  /// All of them outlive the visits.
  SubgraphVisits(SearchState<Neighbour>& state, const Adjacencies<Neighbour>& adjacencies, const Graph& graph,
                 Exchange& exchange, ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        partition_(graph.partition()),
        code_(partition_.code()),
        hubs_end_(partition_.hubs().end()),
        exchange_(exchange),
        targets_(partition_, graph.layout().neighbours, code_.stride(), exchange),
        threads_(threads),
        frontier_(partition_.local_count()) {}

  /// The edges from these vertices to hubs or to light vertices.
  [[nodiscard]] std::uint64_t edges(std::span<const std::uint32_t> vertices, Ends ends) const {
    constexpr std::size_t grain = 1024;
    return parallel_sum(threads_, vertices.size(), grain,
                        [&](std::size_t i) { return push_part(vertices[i], ends).size(); });
  }

  /// Visits the hubs or light vertices that these vertices lead to; those of other ranks once the exchange is finished.
  /// Threads share the vertices: their rows are short.
  void push_from_lights(std::span<const std::uint32_t> lights, Ends ends) {
    constexpr std::size_t grain = 256;
    scanning_blocks(threads_, lights.size(), grain, exchange_, [&](IndexRange range, int thread) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        prefetch_row(lights, i);
        push_row(lights[i], push_part(lights[i], ends), thread);
      }
    });
  }

  /// The same from hubs, whose edges threads share, since one of them may have most.
  void push_from_hubs(std::span<const std::uint32_t> hubs, Ends ends) {
    constexpr std::size_t grain = 2048;
    const std::size_t edges = lay_out_edges(hubs, ends);
    scanning_blocks(threads_, edges, grain, exchange_, [&](IndexRange range, int thread) {
      const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), range.begin);
      for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
           i < hubs.size() && first_edge_[i] < range.end; ++i) {
        const IndexRange part = push_part(hubs[i], ends);
        const std::size_t begin = part.begin + std::max(range.begin, first_edge_[i]) - first_edge_[i];
        const std::size_t end = std::min(part.begin + range.end - first_edge_[i], part.end);
        if (begin < end) push_row(hubs[i], {begin, end}, thread);
      }
    });
  }

  /// A search begins.
  void start() { std::fill(frontier_.words().begin(), frontier_.words().end(), 0); }
  /// These vertices, all that were visited in the last level, join the frontier of pulls. Those of earlier levels may
  /// stay: a vertex that is not visited has none of them as neighbour.
  void add_to_frontier(std::span<const std::uint32_t> vertices) {
    const auto visited = std::as_const(state_).visited().words();
    if (vertices.size() < visited.size()) {
      for (const std::uint32_t vertex : vertices) frontier_.insert(vertex);
    } else {
      std::copy(visited.begin(), visited.end(), frontier_.words().begin());
    }
  }

  /// Visits those hubs that have a hub, or a light vertex, of the frontier as neighbour here.
  void pull_into_hubs(Ends from) {
    constexpr std::size_t words_per_block = 1;  // rows are long
    pull({0, partition_.hubs().count()}, words_per_block, [&](std::uint32_t hub) {
      const auto row = adjacencies_.pull_rows().row(LocalVertex{hub});
      const std::size_t hubs = adjacencies_.pull_hubs(LocalVertex{hub});
      return find(from == Ends::hubs ? row.first(hubs) : row.subspan(hubs));
    });
  }

  /// Visits those light vertices that have a hub of the frontier as neighbour.
  void pull_into_lights() {
    constexpr std::size_t words_per_block = 64;
    pull({hubs_end_, partition_.local_count()}, words_per_block,
         [&](std::uint32_t vertex) { return find_hub(vertex); });
  }

 private:
  /// A neighbour in the frontier, as many as were looked at up to it, and whether there is one.
  struct Found {
    std::uint32_t parent = 0;
    std::size_t examined = 0;
    bool any = false;
  };

  [[nodiscard]] std::uint32_t local(Neighbour position) const { return code_.local(position).value; }

  /// Where a vertex's edges to hubs, or to light vertices, are in its row for pushes.
  [[nodiscard]] IndexRange push_part(std::uint32_t number, Ends ends) const {
    const LocalVertex vertex{number};
    const auto row = adjacencies_.push_rows().row(vertex);
    const std::size_t hubs = partition_.hubs().contains(vertex) ? adjacencies_.push_hubs(vertex) : hubs_in(row);
    return ends == Ends::hubs ? IndexRange{0, hubs} : IndexRange{hubs, row.size()};
  }
  /// How many of a row's neighbours, the first, are hubs.
  [[nodiscard]] std::size_t hubs_in(std::span<const Neighbour> row) const {
    const auto end = std::partition_point(row.begin(), row.end(), [this](Neighbour p) { return local(p) < hubs_end_; });
    return static_cast<std::size_t>(end - row.begin());
  }

  [[gnu::always_inline]] void prefetch_row(std::span<const std::uint32_t> vertices, std::size_t i) const {
    constexpr std::size_t ahead = 16;
    if (i + ahead < vertices.size()) adjacencies_.push_rows().prefetch_row(LocalVertex{vertices[i + ahead]});
    if (i + 2 * ahead < vertices.size()) adjacencies_.push_rows().prefetch_index(LocalVertex{vertices[i + 2 * ahead]});
  }

  void push_row(std::uint32_t number, IndexRange part, int thread) {
    const LocalVertex vertex{number};
    Tally<Neighbour>& tally = state_.tally(thread);
    const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
    const auto row = adjacencies_.push_rows().row(vertex).subspan(part.begin, part.size());
    targets_.for_each_own(row, label, thread, [&](std::span<const Neighbour> own) { state_.visit(own, label, tally); });
    tally.edges_examined += part.size();
  }

  /// Puts these parts of the hubs' rows one after the other and returns how many edges they are.
  std::size_t lay_out_edges(std::span<const std::uint32_t> hubs, Ends ends) {
    first_edge_.clear();
    std::size_t edges = 0;
    for (const std::uint32_t hub : hubs) {
      first_edge_.push_back(edges);
      edges += push_part(hub, ends).size();
    }
    return edges;
  }

  /// Looks for a parent of each unvisited one of these vertices; a word of them is one thread's, while no messages are
  /// handled, so that nothing is atomic. `vertices` begin with a word.
  template <class Find>
  void pull(IndexRange vertices, std::size_t words_per_block, Find&& find) {
    const std::size_t first_word = vertices.begin / bits_per_word;
    parallel_blocks(threads_, words_for_bits(vertices.end) - first_word, words_per_block, [&](IndexRange range, int t) {
      Tally<Neighbour>& tally = state_.tally(t);
      for (std::size_t word = first_word + range.begin; word < first_word + range.end; ++word) {
        for_each_set_bit(unvisited(word, vertices.end), word * bits_per_word, [&](std::size_t vertex) {
          const Found found = find(static_cast<std::uint32_t>(vertex));
          tally.edges_examined += found.examined;
          if (found.any) visit(static_cast<std::uint32_t>(vertex), found.parent, tally);
        });
      }
    });
  }
  [[nodiscard]] std::uint64_t unvisited(std::size_t word, std::size_t end) const {
    return ~std::as_const(state_).visited().words()[word] & bits_below(end, word);
  }

  void visit(std::uint32_t vertex, std::uint32_t parent, Tally<Neighbour>& tally) {
    state_.visited().insert(vertex);
    state_.parents()[vertex] = static_cast<Neighbour>(partition_.label(LocalVertex{parent}).value);
    tally.found.push_back(vertex);
    ++tally.claimed;
  }

  /// The first of these neighbours, all of them here, that is in the frontier.
  [[nodiscard]] Found find(std::span<const Neighbour> neighbours) const {
    const auto parent = std::find_if(neighbours.begin(), neighbours.end(),
                                     [this](Neighbour position) { return frontier_.contains(local(position)); });
    const auto before = static_cast<std::size_t>(parent - neighbours.begin());
    if (parent == neighbours.end()) return {.examined = before};
    return {.parent = local(*parent), .examined = before + 1, .any = true};
  }

  /// The first hub in the frontier among a vertex's neighbours, of which hubs come first: in columns, as far as there
  /// are any, then in the row.
  [[nodiscard]] Found find_hub(std::uint32_t vertex) const {
    Found found;
    for (const auto& column : adjacencies_.leading) {
      if (looks_no_further(column.positions[vertex], found)) return found;
    }
    const auto row = adjacencies_.pull_rows().row(LocalVertex{vertex});
    for (std::size_t place = adjacencies_.leading.size(); place < row.size(); ++place) {
      if (looks_no_further(row[place], found)) return found;
    }
    return found;
  }
  [[nodiscard]] bool looks_no_further(Neighbour position, Found& found) const {
    const std::uint32_t hub = local(position);
    if (hub >= hubs_end_) return true;
    ++found.examined;
    if (!frontier_.contains(hub)) return false;
    found.parent = hub;
    found.any = true;
    return true;
  }

  SearchState<Neighbour>& state_;
  const Adjacencies<Neighbour>& adjacencies_;
  const Partition& partition_;
  PositionCode code_;
  std::size_t hubs_end_;
  Exchange& exchange_;
  PushTargets<Neighbour, Exchange> targets_;
  ThreadTeam& threads_;
  Bitmap frontier_;                      ///< of pulls, and what was visited before
  std::vector<std::size_t> first_edge_;  ///< of each hub that pushes, among the edges of all
};

}  // namespace breadth
