// One level from the frontier along its edges.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/ranged_push.hpp"
#include "traverse/bfs/search_plan.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// In place of QueryTargets (traverse/bfs/query_targets.hpp) on one rank, where every neighbour is here.
template <class Neighbour>
struct NoExchange {
  void progress() {}
  template <class Body>
  void for_each_own(std::span<const Neighbour> row, Neighbour, int, Body&& body) {
    body(row);
  }
};

/// Calls body(range, thread) for blocks of at most `grain` indices that together are [0, count). With one block or less
/// no thread is woken.
template <class Neighbour>
void scanning_blocks(ThreadTeam& threads, std::size_t count, std::size_t grain, NoExchange<Neighbour>&,
                     FunctionRef<void(IndexRange range, int thread)> body) {
  if (count <= grain) {
    if (count > 0) body({0, count}, 0);
    return;
  }
  SharedBlocks blocks(count, grain, threads.size());
  threads.run([&](int thread) { blocks.take(thread, [&](IndexRange range) { body(range, thread); }); });
}

/// Which neighbours a push visits.
template <class Neighbour, class Exchange>
class PushTargets {
 public:
  /// Neighbours with local ids from `end` on are left alone. `order` is the rows'.
  PushTargets(const Partition& partition, NeighbourOrder order, std::size_t end, Exchange& exchange)
      : code_(partition.code()), rows_rise_(order == NeighbourOrder::vertices), end_(end), exchange_(exchange) {}

  /// Calls body(local ids), once or several times, with the neighbours in a row that this rank owns; the others' owners
  /// get queries.
  template <class Body>
  [[gnu::always_inline]] void for_each_own(std::span<const Neighbour> row, Neighbour label, int thread,
                                           Body&& body) const {
    if (rows_rise_) {
      exchange_.for_each_own(row.first(wanted_of_rising(row)), label, thread, body);
      return;
    }
    constexpr std::size_t at_a_time = 1024;
    std::array<Neighbour, at_a_time> wanted;
    while (!row.empty()) {
      const auto some = row.first(std::min(at_a_time, row.size()));
      const auto end =
          std::copy_if(some.begin(), some.end(), wanted.begin(), [this](Neighbour p) { return is_wanted(p); });
      exchange_.for_each_own(std::span<const Neighbour>(wanted.begin(), end), label, thread, body);
      row = row.subspan(some.size());
    }
  }

 private:
  [[nodiscard]] bool is_wanted(Neighbour global_id) const { return code_.local(global_id).index() < end_; }
  /// How many of a rising row's neighbours are not left alone: they come first.
  [[gnu::always_inline, nodiscard]] std::size_t wanted_of_rising(std::span<const Neighbour> row) const {
    if (row.empty() || is_wanted(row.back())) return row.size();
    const auto end = std::partition_point(row.begin(), row.end(), [this](Neighbour p) { return is_wanted(p); });
    return static_cast<std::size_t>(end - row.begin());
  }

  GlobalIdCode code_;
  bool rows_rise_;  ///< local ids do, from each row's front to its end
  std::size_t end_;
  Exchange& exchange_;
};

/// Whether one thread visits vertices, or several that share words of visited bits.
enum class Visitors : std::uint8_t { one, several };

/// What one thread visits in a push. Parents and the list of found vertices are written after many visits, because an
/// atomic visit would wait until the parent before it has reached memory.
template <class Neighbour, Visitors who>
class PushVisits {
 public:
  PushVisits(SearchState<Neighbour>& state, Tally<Neighbour>& tally) : state_(state), tally_(tally) {}

  /// Visits those of the vertices that are not visited yet, from a parent with this label. No vertex is there twice.
  [[gnu::always_inline]] void add(std::span<const Neighbour> vertices, Neighbour label) {
    switch (vertices.size()) {  // a short row has a branch for each neighbour, which processors predict one by one
      case 0: return;
      case 1: return add_few<1>(vertices.data(), label);
      case 2: return add_few<2>(vertices.data(), label);
      case 3: return add_few<3>(vertices.data(), label);
      case 4: return add_few<4>(vertices.data(), label);
      default: return add_many(vertices, label);
    }
  }
  /// What was added has its parent, and is in the thread's list.
  void write() {
    for (std::size_t i = 0; i < count_; ++i) state_.parents()[vertices_[i]] = labels_[i];
    tally_.found.insert(tally_.found.end(), vertices_.begin(), vertices_.begin() + static_cast<std::ptrdiff_t>(count_));
    tally_.claimed += count_;
    count_ = 0;
  }

 private:
  static constexpr std::size_t room = 1024;

  [[gnu::always_inline]] bool visit(std::uint32_t vertex) {
    if constexpr (who == Visitors::several) return state_.visited().insert_atomic(vertex);
    if (state_.visited().contains(vertex)) return false;
    state_.visited().insert(vertex);
    return true;
  }

  template <std::size_t count>
  [[gnu::always_inline]] void add_few(const Neighbour* vertices, Neighbour label) {
    if (count_ > room - count) write();
    std::size_t next = count_;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < count; ++i) {
      const auto vertex = static_cast<std::uint32_t>(vertices[i]);
      if (!visit(vertex)) continue;
      __builtin_prefetch(state_.parents().data() + vertex, 1);
      vertices_[next] = vertex;
      labels_[next++] = label;
    }
    count_ = next;
  }

  void add_many(std::span<const Neighbour> vertices, Neighbour label) {
    if (who == Visitors::one && vertices.size() >= SearchState<Neighbour>::fewest_for_vectors) {
      state_.visit_alone(vertices, label, tally_);
      return;
    }
    for (const Neighbour vertex : vertices) add_few<1>(&vertex, label);
  }

  SearchState<Neighbour>& state_;
  Tally<Neighbour>& tally_;
  std::size_t count_ = 0;
  std::array<std::uint32_t, room> vertices_;
  std::array<Neighbour, room> labels_;
};

/// One push level of one rank: every neighbour of a vertex in the queue that is here and not visited gets it as its
/// parent, and the owner of every other neighbour a query (Fuentes et al. 2014, fig. 1). Threads share the queue's
/// edges, not its vertices, since one of them may have most; unless all rows are short.
template <class Rows, class Exchange>
class PushLevel {
  using Neighbour = typename Rows::Neighbour;
  using Row = typename RowFinder<Rows>::Row;

 public:
  static constexpr std::size_t grain = 2048;             ///< vertices or edges that a thread takes at a time
  static constexpr std::size_t edges_of_short_row = 64;  ///< at the most

  /// Neighbours with local ids from `end` on are left alone.
  PushLevel(SearchState<Neighbour>& state, const RowFinder<Rows>& finder, const Partition& partition,
            const PushStrategy& strategy, std::size_t end, Exchange& exchange)
      : state_(state),
        rows_(finder.rows()),
        finder_(finder),
        partition_(partition),
        strategy_(strategy),
        end_(end),
        exchange_(exchange),
        targets_(partition, strategy.rows, end, exchange) {}

  /// Carries it out, but for the end of the exchange. `queue_edges` is about how many edges this rank's queue has.
  void run(std::uint64_t queue_edges, ThreadTeam& threads) {
    if (queue_edges <= strategy_.edges_for_one || threads.size() == 1) {
      run_alone();
      return;
    }
    if (rows_are_short()) {
      const std::size_t count = state_.queue().size();
      const std::size_t share = count / (2 * static_cast<std::size_t>(threads.size()));
      scanning_blocks(threads, count, std::clamp<std::size_t>(share, 32, grain), exchange_,
                      [this](IndexRange range, int thread) {
                        push_vertices(std::span(state_.queue()).subspan(range.begin, range.size()), thread);
                      });
      return;
    }
    const std::size_t edges = lay_out_edges();
    if constexpr (is_alone && std::is_same_v<Rows, Adjacency<Neighbour>>) {
      if (strategy_.in_ranges && RangedPush<Neighbour>::pays(first_edge_.size(), edges, threads)) {
        RangedPush(state_, rows_, partition_, {0, end_}).run(threads);
        return;
      }
    }
    scanning_blocks(threads, edges, grain, exchange_,
                    [this](IndexRange range, int thread) { push_edges(range, thread); });
  }

  /// The same by the calling thread alone.
  void run_alone() { push_from<Visitors::one>(state_.queue(), 0); }

  /// One thread's part: pushes from the vertices of a queue.
  void push_vertices(std::span<const std::uint32_t> queue, int thread) { push_from<Visitors::several>(queue, thread); }

 private:
  static constexpr std::size_t ahead = 32;  ///< vertices whose rows are asked for before they are needed
  /// Whether all neighbours are this rank's.
  static constexpr bool is_alone = std::is_same_v<Exchange, NoExchange<Neighbour>>;

  template <Visitors who>
  void push_from(std::span<const std::uint32_t> queue, int thread) {
    auto& tally = state_.tally(thread);
    PushVisits<Neighbour, who> visits(state_, tally);
    std::uint64_t edges = 0;
    for_each_row(
        queue, [&](const Row& row, Neighbour label) __attribute__((always_inline)) {
          finder_.for_each_span(
              row, [&](std::span<const Neighbour> some)
                       __attribute__((always_inline)) { push_along(some, label, thread, visits); });
          if (!is_alone && who == Visitors::one && (edges + row.size()) / grain > edges / grain) exchange_.progress();
          edges += row.size();
        });
    visits.write();
    tally.edges_examined += edges;
  }

  /// Calls body(row, label) for each vertex of a queue in turn. What that will read is asked for ahead: what finds the
  /// row, then row and label.
  template <class Body>
  [[gnu::always_inline]] void for_each_row(std::span<const std::uint32_t> queue, Body&& body) const {
    std::array<Row, ahead> found;
    const auto find = [&](std::size_t i) __attribute__((always_inline)) {
      const LocalVertex vertex{queue[i]};
      const Row row = finder_.find(vertex);
      found[i % ahead] = row;
      finder_.prefetch(row);
      __builtin_prefetch(partition_.offset_of_local().data() + vertex.index());
      if (i + ahead < queue.size()) finder_.prefetch_index(LocalVertex{queue[i + ahead]});
    };
    for (std::size_t i = 0; i < std::min(ahead, queue.size()); ++i) find(i);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Row row = found[i % ahead];
      if (i + ahead < queue.size()) find(i + ahead);
      body(row, static_cast<Neighbour>(partition_.label(LocalVertex{queue[i]}).value));
    }
  }

  /// Whether blocks of as many vertices are about as much work each.
  [[nodiscard]] bool rows_are_short() const {
    const auto& queue = state_.queue();
    if (!strategy_.by_degree || queue.empty()) return false;
    const LocalVertex first{least_of(queue)};
    return !partition_.hubs().contains(first) && rows_.degree(first) <= edges_of_short_row;
  }

  /// Puts the queue's edges one after the other and returns how many they are.
  std::size_t lay_out_edges() {
    const auto& queue = state_.queue();
    first_edge_.resize(queue.size());
    std::size_t edges = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (i + ahead < queue.size()) rows_.prefetch_index(LocalVertex{queue[i + ahead]});
      first_edge_[i] = edges;
      edges += rows_.degree(LocalVertex{queue[i]});
    }
    return edges;
  }

  /// Pushes along these of the queue's edges.
  void push_edges(IndexRange edges, int thread) {
    auto& tally = state_.tally(thread);
    PushVisits<Neighbour, Visitors::several> visits(state_, tally);
    const auto after = std::upper_bound(first_edge_.begin(), first_edge_.end(), edges.begin);
    for (auto i = static_cast<std::size_t>(after - first_edge_.begin()) - 1;
         i < first_edge_.size() && first_edge_[i] < edges.end; ++i) {
      prefetch_row(i);
      const LocalVertex vertex{state_.queue()[i]};
      const std::size_t begin = std::max(edges.begin, first_edge_[i]) - first_edge_[i];
      const std::size_t end = std::min(edges.end - first_edge_[i], rows_.degree(vertex));
      if (begin == end) continue;
      const auto label = static_cast<Neighbour>(partition_.label(vertex).value);
      rows_.for_each_span(vertex, {begin, end},
                          [&](std::span<const Neighbour> some) { push_along(some, label, thread, visits); });
    }
    visits.write();
    tally.edges_examined += edges.size();
  }

  /// What the queue's vertices after i need for that.
  [[gnu::always_inline]] void prefetch_row(std::size_t i) const {
    const auto& queue = state_.queue();
    if (i + ahead >= queue.size()) return;
    const LocalVertex vertex{queue[i + ahead]};
    rows_.prefetch_row(vertex);
    __builtin_prefetch(partition_.offset_of_local().data() + vertex.index());
    if (i + 2 * ahead < queue.size()) rows_.prefetch_index(LocalVertex{queue[i + 2 * ahead]});
  }

  /// Pushes along a row or a part of it.
  template <Visitors who>
  [[gnu::always_inline]] void push_along(std::span<const Neighbour> neighbours, Neighbour label, int thread,
                                         PushVisits<Neighbour, who>& visits) {
    targets_.for_each_own(
        neighbours, label,
        thread, [&](std::span<const Neighbour> own) __attribute__((always_inline)) { visits.add(own, label); });
  }

  SearchState<Neighbour>& state_;
  const Rows& rows_;
  const RowFinder<Rows>& finder_;
  const Partition& partition_;
  PushStrategy strategy_;
  std::size_t end_;
  Exchange& exchange_;
  PushTargets<Neighbour, Exchange> targets_;
  std::vector<std::size_t> first_edge_;  ///< of each vertex in the queue, among the queue's edges
};

}  // namespace breadth
