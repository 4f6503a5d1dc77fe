// What one thread does in a push: which neighbours it visits, and how.
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

/// Who visits vertices: one thread, several that share words of visited bits, or several that each have a copy of them
/// (VisitedCopies).
enum class Visitors : std::uint8_t { one, several, apart };

/// What one thread visits in a push. Parents and the list of found vertices are written after many visits, because an
/// atomic visit would wait until the parent before it has reached memory.
template <class Neighbour, Visitors who>
class PushVisits {
 public:
  /// `visited` is the thread's own copy where visitors are apart.
  PushVisits(SearchState<Neighbour>& state, Bitmap& visited, Tally<Neighbour>& tally)
      : state_(state), visited_(visited), tally_(tally) {}

  /// Visits those of the vertices that are not visited yet, from a parent with this label. No vertex is there twice.
  [[gnu::always_inline]] void add(std::span<const Neighbour> vertices, Neighbour label) {
    if (count_ > room - most_of_few) write();
    switch (vertices.size()) {  // a short row has a branch for each neighbour, which processors predict one by one
      case 0: return;
      case 1: return add_some(vertices.template first<1>(), label);
      case 2: return add_some(vertices.template first<2>(), label);
      case 3: return add_some(vertices.template first<3>(), label);
      case 4: return add_some(vertices.template first<most_of_few>(), label);
      default: return add_many(vertices, label);
    }
  }
  /// Adds what `targets` chooses of a row or a part of it, where this thread is so called.
  template <class Targets>
  [[gnu::always_inline]] void add_along(std::span<const Neighbour> row, Neighbour label, int thread,
                                        const Targets& targets) {
    targets.for_each_own(
        row, label, thread, [&](std::span<const Neighbour> own) __attribute__((always_inline)) { add(own, label); });
  }
  /// What was added has its parent, and is in the thread's list unless copies are merged later.
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

  /// There is room for all of them.
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
