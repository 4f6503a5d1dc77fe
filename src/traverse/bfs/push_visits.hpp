// The part of one thread in a push: which neighbours it visits, and how.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/data/bitmap.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/graph_layout.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// Takes the place of QueryTargets (traverse/bfs/query_targets.hpp) on one rank, where all neighbours are local.
template <class Neighbour>
struct NoExchange {
  void progress() {}
  template <class Body>
  void for_each_own(std::span<const Neighbour> row, Neighbour, int, Body&& body) {
    body(row);
  }
};

/// Calls body(range, thread) for blocks of at most `grain` indices that cover [0, count). Wakes no thread for one
/// block.
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

/// Selects the neighbours that a push visits.
template <class Neighbour, class Exchange>
class PushTargets {
 public:
  /// Ignores neighbours with local ids from `end` on. `order` is the order of neighbours in each row.
  PushTargets(const Partition& partition, NeighbourOrder order, std::size_t end, Exchange& exchange)
      : code_(partition.code()), rows_rise_(order == NeighbourOrder::vertices), end_(end), exchange_(exchange) {}

  /// Calls body(local ids), once or several times, with the selected neighbours in `row` that this rank owns. Sends
  /// queries to the owners of the others.
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
  /// How many neighbours of a row with rising local ids are selected. They come first.
  [[gnu::always_inline, nodiscard]] std::size_t wanted_of_rising(std::span<const Neighbour> row) const {
    if (row.empty() || is_wanted(row.back())) return row.size();
    const auto end = std::partition_point(row.begin(), row.end(), [this](Neighbour p) { return is_wanted(p); });
    return static_cast<std::size_t>(end - row.begin());
  }

  GlobalIdCode code_;
  bool rows_rise_;  ///< local ids rise within each row
  std::size_t end_;
  Exchange& exchange_;
};

/// Who visits vertices: one thread; several that share the visited bits; or several, each in its copy (VisitedCopies).
enum class Visitors : std::uint8_t { one, several, apart };

/// Visits vertices on one thread of a push. Buffers their parents and writes them after many visits, because an atomic
/// visit would wait until the parent written before it has reached memory.
template <class Neighbour, Visitors who>
class PushVisits {
 public:
  /// `visited` is the thread's own copy if visitors are apart.
  PushVisits(SearchState<Neighbour>& state, Bitmap& visited, Tally<Neighbour>& tally)
      : state_(state), visited_(visited), tally_(tally) {}

  /// Visits the unvisited ones of some vertices, all different, from a parent with this label.
  [[gnu::always_inline]] void add(std::span<const Neighbour> vertices, Neighbour label) {
    if (count_ > room - most_of_few) write();
    switch (vertices.size()) {  // short rows: one branch a neighbour, each predicted on its own
      case 0: return;
      case 1: return add_some(vertices.template first<1>(), label);
      case 2: return add_some(vertices.template first<2>(), label);
      case 3: return add_some(vertices.template first<3>(), label);
      case 4: return add_some(vertices.template first<most_of_few>(), label);
      default: return add_many(vertices, label);
    }
  }
  /// Writes the buffered parents. Lists the vertices as found, except in copies, which list them when they are merged.
  void write() {
    for (std::size_t i = 0; i < count_; ++i) {
      std::atomic_ref(state_.parents()[vertices_[i]]).store(labels_[i], std::memory_order_relaxed);
    }
    if constexpr (who != Visitors::apart) {
      const auto end = vertices_.begin() + static_cast<std::ptrdiff_t>(count_);
      tally_.found.insert(tally_.found.end(), vertices_.begin(), end);
      tally_.claimed += count_;
    }
    count_ = 0;
  }

 private:
  static constexpr std::size_t room = 1024;
  static constexpr std::size_t most_of_few = 4;

  [[gnu::always_inline]] bool visit(std::uint32_t vertex) {
    if constexpr (who == Visitors::several) return visited_.insert_atomic(vertex);
    if (visited_.contains(vertex)) return false;
    visited_.insert(vertex);
    return true;
  }

  /// The buffers have room for all of the vertices.
  template <std::size_t extent>
  [[gnu::always_inline]] void add_some(std::span<const Neighbour, extent> vertices, Neighbour label) {
    Neighbour* const parents = state_.parents().data();
    std::size_t next = count_;
#pragma GCC unroll 4
    for (const Neighbour neighbour : vertices) {
      const auto vertex = static_cast<std::uint32_t>(neighbour);
      if (!visit(vertex)) continue;
      __builtin_prefetch(parents + vertex, 1);
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
    while (!vertices.empty()) {
      if (count_ == room) write();
      const auto some = vertices.first(std::min(vertices.size(), room - count_));
      add_some(some, label);
      vertices = vertices.subspan(some.size());
    }
  }

  SearchState<Neighbour>& state_;
  Bitmap& visited_;
  Tally<Neighbour>& tally_;
  std::size_t count_ = 0;
  std::array<std::uint32_t, room> vertices_;
  std::array<Neighbour, room> labels_;
};

}  // namespace breadth
