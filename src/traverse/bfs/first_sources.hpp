// Which of several sources comes first among the nearest of a vertex, found beside the levels of a search from all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/data/bitmap.hpp"
#include "core/ids.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "core/policy/direction.hpp"
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// Gives what a level found other parents: each the one whose own source is the first, and of several such the first
/// in the order of vertices. A parent of the level before is any neighbour that was visited before this level. After a
/// push the frontier's edges are gone along once more, after a pull those of what it found, up to the first parent that
/// has the first source of all. On one rank. Takes 8 bytes a vertex, and a bit.
template <class Rows>
class FirstSources {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All of them outlive this.
  FirstSources(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Partition& partition,
               ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        partition_(partition),
        threads_(threads),
        claims_(partition.local_count()),
        settled_(partition.local_count()) {}

  /// A search begins from these, fewer than 2^32 - 1.
  void start(std::span<const Label> sources) {
    parallel_fill(threads_, claims_.span(), nobody);
    parallel_fill(threads_, settled_.words(), std::uint64_t{0});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const LocalVertex vertex = partition_.local(sources[i]);
      if (vertex == no_local_vertex || settled_.contains(vertex.index())) continue;
      claims_[vertex.index()] = claim_of(i, vertex.value);
      settled_.insert(vertex.index());
    }
    least_ = 0;
  }

  /// After a push from the state's queue: what it found is listed.
  void settle_pushed() {
    found_.clear();
    for (int thread = 0; thread < state_.threads(); ++thread) {
      const auto& found = state_.tally(thread).found;
      found_.insert(found_.end(), found.begin(), found.end());
    }
    claim_along_edges();
    take_least(parallel_reduce(
        threads_, found_.size(), vertices_at_a_time, nobody,
        [&](IndexRange range) {
          std::uint64_t least = nobody;
          for (std::size_t i = range.begin; i < range.end; ++i) {
            settled_.insert_atomic(found_[i]);
            least = std::min(least, settle(found_[i]));
          }
          return least;
        },
        [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }));
  }

  /// After a pull, or the pass over the leaves: what it found is visited.
  void settle_pulled() {
    const auto visited = std::as_const(state_).visited().words();
    take_least(parallel_reduce(
        threads_, visited.size(), words_at_a_time, nobody,
        [&](IndexRange words) {
          std::uint64_t least = nobody;
          for (std::size_t word = words.begin; word < words.end; ++word) {
            for_each_set_bit(visited[word] & ~settled_.words()[word], word * bits_per_word, [&](std::size_t vertex) {
              claims_[vertex] = least_claim_on(static_cast<std::uint32_t>(vertex));
              least = std::min(least, settle(static_cast<std::uint32_t>(vertex)));
            });
          }
          return least;
        },
        [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); }));
    parallel_for(threads_, visited.size(), copied_at_a_time,
                 [&](std::size_t word) { settled_.words()[word] = visited[word]; });
  }

 private:
  static constexpr std::size_t vertices_at_a_time = 256;
  static constexpr std::size_t words_at_a_time = 64;
  static constexpr std::size_t copied_at_a_time = std::size_t{1} << 14;
  static constexpr std::uint64_t nobody = UINT64_MAX;

  /// A source's index and a parent's local id in one number: the least is the first source, and its first parent.
  static constexpr std::uint64_t claim_of(std::uint64_t source, std::uint32_t parent) { return source << 32 | parent; }
  static constexpr std::uint64_t source_of(std::uint64_t claim) { return claim >> 32; }
  static constexpr std::uint32_t parent_of(std::uint64_t claim) { return static_cast<std::uint32_t>(claim); }

  /// After a level; it may have found nothing.
  void take_least(std::uint64_t source) {
    if (source != nobody) least_ = source;
  }

  /// To leaves too, which a search may visit later: their only neighbour is their parent then.
  void claim_along_edges() {
    const std::vector<std::uint32_t>& queue = state_.queue();
    const std::size_t share = queue.size() / (8 * static_cast<std::size_t>(threads_.size()));
    parallel_blocks(threads_, queue.size(), std::clamp<std::size_t>(share, 32, vertices_at_a_time),
                    [&](IndexRange range, int) {
                      for (std::size_t i = range.begin; i < range.end; ++i) claim_neighbours(LocalVertex{queue[i]});
                    });
  }
  void claim_neighbours(LocalVertex vertex) {
    const Rows& rows = adjacencies_.push_rows();
    const std::uint64_t claim = claim_of(source_of(claims_[vertex.index()]), vertex.value);  // settled: nobody writes
    rows.for_each_stretch(vertex, {0, rows.degree(vertex)}, [&](std::span<const Neighbour> neighbours) {
      for (const Neighbour neighbour : neighbours) {
        if (!settled_.contains(neighbour)) lower(claims_[neighbour], claim);
      }
    });
  }
  static void lower(std::uint64_t& claim, std::uint64_t to) {
    std::atomic_ref least(claim);
    std::uint64_t before = least.load(std::memory_order_relaxed);
    while (to < before && !least.compare_exchange_weak(before, to, std::memory_order_relaxed)) {
    }
  }

  /// Of those that a vertex's settled neighbours have for it.
  [[nodiscard]] std::uint64_t least_claim_on(std::uint32_t vertex) const {
    constexpr std::size_t at_a_time = 512;  // a piece of a compressed row
    const Rows& rows = adjacencies_.pull_rows();
    const std::size_t degree = rows.degree(LocalVertex{vertex});
    std::uint64_t least = nobody;
    for (std::size_t place = 0; place < degree && source_of(least) > least_; place += at_a_time) {
      rows.for_each_stretch(LocalVertex{vertex}, {place, std::min(degree, place + at_a_time)},
                            [&](std::span<const Neighbour> some) { least = std::min(least, least_claim_in(some)); });
    }
    return least;
  }
  [[nodiscard]] std::uint64_t least_claim_in(std::span<const Neighbour> neighbours) const {
    std::uint64_t least = nobody;
    for (const Neighbour neighbour : neighbours) {
      if (!settled_.contains(neighbour)) continue;
      const auto parent = static_cast<std::uint32_t>(neighbour);
      least = std::min(least, claim_of(source_of(claims_[parent]), parent));
      if (source_of(least) <= least_) break;
    }
    return least;
  }

  /// Gives a vertex the parent that it has a claim of. Returns its source.
  std::uint64_t settle(std::uint32_t vertex) {
    const std::uint64_t claim = claims_[vertex];
    state_.parents()[vertex] = static_cast<Neighbour>(partition_.label(LocalVertex{parent_of(claim)}).value);
    return source_of(claim);
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  const Partition& partition_;
  ThreadTeam& threads_;
  Buffer<std::uint64_t> claims_;      ///< of a settled vertex the least that there is
  Bitmap settled_;                    ///< what was visited before this level
  std::vector<std::uint32_t> found_;  ///< in a push level
  std::uint64_t least_ = 0;           ///< no vertex of the frontier has a source before this
};

}  // namespace breadth
