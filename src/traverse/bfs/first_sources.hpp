// The first of the nearest sources of each vertex, computed beside the levels of a search from several sources.
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
#include "graph/adjacency.hpp"
#include "graph/partition.hpp"
#include "traverse/bfs/search_state.hpp"

namespace breadth {

/// How many different labels there are.
inline std::uint64_t count_different(std::span<const Label> labels) {
  std::vector<Label> different(labels.begin(), labels.end());
  std::sort(different.begin(), different.end());
  return static_cast<std::uint64_t>(std::unique(different.begin(), different.end()) - different.begin());
}

/// Holds a key for each visited vertex: its level and the index of the first of its nearest sources. The key of a
/// vertex is the least of its neighbours' keys plus one level. After a push this goes along the frontier's edges once
/// more; after a pull along those of the found vertices, up to the first neighbour with the smallest source in the
/// frontier. At the end it changes parents so that they have the same source as their children. One rank only. Takes 8
/// bytes and a bit for each vertex.
template <class Rows>
class FirstSources {
  using Neighbour = typename Rows::Neighbour;

 public:
  /// All arguments outlive this.
  FirstSources(SearchState<Neighbour>& state, const IndexedAdjacencies<Rows>& adjacencies, const Partition& partition,
               ThreadTeam& threads)
      : state_(state),
        adjacencies_(adjacencies),
        partition_(partition),
        threads_(threads),
        keys_(partition.local_count()),
        settled_(partition.local_count()) {}

  /// Begins a search from these sources, fewer than 2^32 - 1.
  void start(std::span<const Label> sources) {
    parallel_fill(threads_, keys_.span(), nobody);
    parallel_fill(threads_, settled_.words(), std::uint64_t{0});
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const LocalVertex vertex = partition_.local(sources[i]);
      if (vertex == no_local_vertex || settled_.contains(vertex.index())) continue;
      keys_[vertex.index()] = i;
      settled_.insert(vertex.index());
    }
    sources_ = sources.size();
    least_ = 0;
  }

  /// Follows a push from the state's queue.
  void follow_push() { take_least(push_from(state_.queue())); }
  /// Follows a push from these vertices, while other threads follow pushes from other vertices of the level.
  void follow_push(std::span<const std::uint32_t> frontier) { (void)push_keys<true>(frontier); }

  /// Follows a pull from the bits that the state shared before.
  void follow_pull() {
    const std::span<const std::uint64_t> before = state_.replicated().own();
    push_first(before);
    const auto found = [&](std::size_t word) { return std::as_const(state_).visited().words()[word] & ~before[word]; };
    follow({0, before.size()}, found, [&](std::uint32_t neighbour) {
      return neighbour / bits_per_word < before.size() && test_bit(before, neighbour);
    });
  }
  /// Follows the pass over these leaves. The only neighbour of a visited leaf was visited before it.
  void follow_leaves(IndexRange leaves) {
    const auto found = [&](std::size_t word) {
      const std::uint64_t visited = std::as_const(state_).visited().words()[word];
      return visited & bits_below(leaves.end, word) & ~bits_below(leaves.begin, word) & ~settled_.words()[word];
    };
    follow({leaves.begin / bits_per_word, words_for_bits(leaves.end)}, found, [](std::uint32_t) { return true; });
  }

  /// Ends a search: gives the vertices that pushes found a parent with their source.
  void settle_parents() {
    const auto visited = std::as_const(state_).visited().words();
    parallel_for(threads_, visited.size(), words_at_a_time, [&](std::size_t word) {
      for_each_set_bit(visited[word] & ~settled_.words()[word], word * bits_per_word,
                       [&](std::size_t vertex) { settle_parent(static_cast<std::uint32_t>(vertex)); });
    });
  }

 private:
  static constexpr std::size_t words_at_a_time = 64;
  static constexpr std::size_t neighbours_at_a_time = 512;  ///< of a compressed row
  static constexpr std::uint64_t nobody = UINT64_MAX;
  static constexpr std::uint64_t one_level = std::uint64_t{1} << 32;  ///< in a key, above the source's index

  static constexpr std::uint64_t source_of(std::uint64_t key) { return key % one_level; }
  static constexpr std::uint64_t least_of_two(std::uint64_t a, std::uint64_t b) { return std::min(a, b); }

  /// Notes the smallest source of the frontier, unless the frontier is empty.
  void take_least(std::uint64_t source) {
    if (source != nobody) least_ = source;
  }

  /// Writes the keys of the queue's neighbours. Returns the smallest source of the queue.
  std::uint64_t push_from(std::span<const std::uint32_t> queue) {
    constexpr std::uint64_t edges_at_a_time = 2048;
    const Rows& rows = adjacencies_.push_rows();
    std::uint64_t edges = 0;
    for (const std::uint32_t vertex : queue) edges += rows.degree(LocalVertex{vertex});
    if (edges <= 2 * edges_at_a_time || threads_.size() == 1) return push_keys<false>(queue);
    const auto grain = static_cast<std::size_t>(queue.size() * edges_at_a_time / edges);
    return parallel_reduce(
        threads_, queue.size(), std::max<std::size_t>(1, grain), nobody,
        [&](IndexRange range) { return push_keys<true>(queue.subspan(range.begin, range.size())); }, least_of_two);
  }
  template <bool is_shared>
  std::uint64_t push_keys(std::span<const std::uint32_t> frontier) {
    const Rows& rows = adjacencies_.push_rows();
    std::uint64_t least = nobody;
    for (const std::uint32_t number : frontier) {
      const LocalVertex vertex{number};
      const std::uint64_t key = keys_[number];  // final, so that no thread writes it
      least = std::min(least, source_of(key));
      rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](std::span<const Neighbour> neighbours) {
        for (const Neighbour neighbour : neighbours) {
          std::uint64_t& reached = keys_[neighbour];  // less, and stays, if it is from an earlier level
          if constexpr (is_shared) {
            lower(std::atomic_ref(reached), key + one_level);
          } else if (key + one_level < reached) {
            reached = key + one_level;
          }
        }
      });
    }
    return least;
  }

  /// Before a pull from these vertices, if they are few: pushes keys from the vertices of the first sources, as many
  /// sources as have a small part of all edges. The keys of the vertices so reached are final. The scan of any other
  /// row can stop at the first source that was not pushed: the most connected vertices, which stand first in rows,
  /// often have that source or one soon after it, but hardly ever the very first.
  void push_first(std::span<const std::uint64_t> before) {
    constexpr std::size_t few = 16;      // a part of the vertices
    constexpr std::uint64_t small = 32;  // a part of the edges
    low_.clear();
    for (std::size_t word = 0; word < before.size() && low_.size() <= keys_.size() / few; ++word) {
      for_each_set_bit(before[word], word * bits_per_word,
                       [this](std::size_t vertex) { low_.push_back(static_cast<std::uint32_t>(vertex)); });
    }
    if (low_.size() > keys_.size() / few) return;
    const Rows& rows = adjacencies_.push_rows();
    edges_of_source_.assign(sources_, 0);
    for (const std::uint32_t vertex : low_)
      edges_of_source_[source_of(keys_[vertex])] += rows.degree(LocalVertex{vertex});
    std::uint64_t source = 0;
    for (std::uint64_t edges = 0; source + 1 < sources_; ++source) {
      edges += edges_of_source_[source];
      if (edges > rows.entries() / small) break;
    }
    std::erase_if(low_, [&](std::uint32_t vertex) { return source_of(keys_[vertex]) >= source; });
    push_from(low_);
    least_ = std::max(least_, source);
  }

  /// Computes the keys and parents of the vertices found(word) in each of these words, from the neighbours for which
  /// was_before(neighbour) holds.
  template <class Found, class WasBefore>
  void follow(IndexRange words, const Found& found, const WasBefore& was_before) {
    const auto follow_some = [&](IndexRange range) {
      std::uint64_t least = nobody;
      for (std::size_t word = words.begin + range.begin; word < words.begin + range.end; ++word) {
        const std::uint64_t vertices = found(word);
        settled_.words()[word] |= vertices;
        for_each_set_bit(vertices, word * bits_per_word, [&](std::size_t vertex) {
          least = std::min(least, pull(static_cast<std::uint32_t>(vertex), was_before));
        });
      }
      return least;
    };
    take_least(parallel_reduce(threads_, words.size(), words_at_a_time, nobody, follow_some, least_of_two));
  }
  /// Computes the key and the parent of one vertex. Returns its source.
  template <class WasBefore>
  std::uint64_t pull(std::uint32_t vertex, const WasBefore& was_before) {
    if (keys_[vertex] != nobody) {  // from push_first()
      take_parent(vertex, was_before);
      return source_of(keys_[vertex]);
    }
    std::uint64_t least = nobody;
    std::uint32_t parent = vertex;
    find_neighbour(vertex, [&](std::uint32_t neighbour) {
      if (!was_before(neighbour) || keys_[neighbour] >= least) return false;
      least = keys_[neighbour];
      parent = neighbour;
      return source_of(least) <= least_;
    });
    keys_[vertex] = least + one_level;
    set_parent(vertex, parent);
    return source_of(least);
  }

  void settle_parent(std::uint32_t vertex) {
    const Label label{static_cast<std::int64_t>(state_.parents()[vertex])};
    if (source_of(keys_[partition_.local(label).index()]) == source_of(keys_[vertex])) return;
    take_parent(vertex, [](std::uint32_t) { return true; });
  }
  /// Sets the parent to the first neighbour with the vertex's source for which was_before(neighbour) holds.
  template <class WasBefore>
  void take_parent(std::uint32_t vertex, const WasBefore& was_before) {
    find_neighbour(vertex, [&](std::uint32_t neighbour) {
      const bool suits = was_before(neighbour) && keys_[neighbour] + one_level == keys_[vertex];
      if (suits) set_parent(vertex, neighbour);
      return suits;
    });
  }
  void set_parent(std::uint32_t vertex, std::uint32_t parent) {
    state_.parents()[vertex] = static_cast<Neighbour>(partition_.label(LocalVertex{parent}).value);
  }

  /// Calls is_it(neighbour) for the neighbours that lead to a vertex until it returns true.
  template <class IsIt>
  void find_neighbour(std::uint32_t vertex, IsIt&& is_it) const {
    const Rows& rows = adjacencies_.pull_rows();
    const std::size_t degree = rows.degree(LocalVertex{vertex});
    bool found = false;
    for (std::size_t place = 0; place < degree && !found; place += neighbours_at_a_time) {
      const IndexRange places{place, std::min(degree, place + neighbours_at_a_time)};
      rows.for_each_span(LocalVertex{vertex}, places, [&](std::span<const Neighbour> some) {
        found = std::any_of(some.begin(), some.end(),
                            [&](Neighbour neighbour) { return is_it(static_cast<std::uint32_t>(neighbour)); });
      });
    }
  }

  SearchState<Neighbour>& state_;
  const IndexedAdjacencies<Rows>& adjacencies_;
  const Partition& partition_;
  ThreadTeam& threads_;
  Buffer<std::uint64_t> keys_;
  Bitmap settled_;                              ///< sources and vertices found by pulls: their parents are final
  std::vector<std::uint32_t> low_;              ///< the vertices that push_first() pushes from
  std::vector<std::uint64_t> edges_of_source_;  ///< edges of each source's vertices in the frontier
  std::uint64_t sources_ = 0;
  std::uint64_t least_ = 0;  ///< a lower bound for the sources of the frontier
};

}  // namespace breadth
