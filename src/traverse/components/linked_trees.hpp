// Links the vertices that the rows of one rank connect, and numbers components.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "comm/communicator.hpp"
#include "core/data/bitmap.hpp"
#include "core/memory/buffer.hpp"
#include "core/parallel/parallel.hpp"
#include "graph/partition.hpp"

namespace breadth {

// Trees.

inline constexpr std::size_t link_grain = 1024;

/// Trees of connected vertices, by local id: each vertex points to one with no larger id, a root to itself.
class Trees {
 public:
  Trees(std::size_t vertices, ThreadTeam& threads) : above_(vertices), threads_(threads) {}

  /// Sets the first parent of a vertex: `other` if its id is smaller, else the vertex itself, which is then a root.
  /// Only one thread may begin a vertex, so that no atomic read-modify-write is needed.
  void begin(std::uint32_t vertex, std::uint32_t other) { set(vertex, std::min(vertex, other)); }

  /// Joins the trees of two vertices: the larger root then points to the smaller. Both vertices are flattened first, so
  /// that paths to roots stay short if most vertices are linked. Other threads may link at the same time.
  void link(std::uint32_t vertex, std::uint32_t other) {
    std::uint32_t a = flatten(vertex);
    std::uint32_t b = flatten(other);
    while (a != b) {
      const std::uint32_t high = std::max(a, b);
      const std::uint32_t low = std::min(a, b);
      std::uint32_t above = high;
      if (std::atomic_ref(above_[high]).compare_exchange_strong(above, low)) return;
      a = flatten(high);  // another thread was first
      b = flatten(low);
    }
  }

  /// Makes a vertex point to its root directly and returns the root. Other threads may link or flatten meanwhile.
  std::uint32_t flatten(std::uint32_t vertex) {
    std::uint32_t above = get(vertex);
    for (std::uint32_t next = get(above); next != above; next = get(above)) set(vertex, above = next);
    return above;
  }

  /// Returns the most frequent root in a sample of vertices. No thread may link meanwhile.
  [[nodiscard]] std::uint32_t largest() {
    constexpr std::size_t sample = 1024;
    std::unordered_map<std::uint32_t, std::size_t> counts;
    std::uint32_t best = 0;
    const std::size_t step = std::max<std::size_t>(1, above_.size() / sample);
    for (std::size_t vertex = 0; vertex < above_.size(); vertex += step) {
      const std::uint32_t root = flatten(static_cast<std::uint32_t>(vertex));
      if (++counts[root] > counts[best]) best = root;
    }
    return best;
  }

  /// The root of a vertex. The vertex must point to its root directly.
  [[nodiscard]] std::uint32_t root(std::uint32_t vertex) const { return above_[vertex]; }
  [[nodiscard]] std::size_t size() const { return above_.size(); }

  /// Calls body(vertex) for every vertex, on all threads.
  template <class Body>
  void for_each(Body&& body) {
    parallel_for(threads_, above_.size(), link_grain,
                 [&](std::size_t vertex) { body(static_cast<std::uint32_t>(vertex)); });
  }

 private:
  [[nodiscard]] std::uint32_t get(std::uint32_t vertex) {
    return std::atomic_ref(above_[vertex]).load(std::memory_order_relaxed);
  }
  void set(std::uint32_t vertex, std::uint32_t above) {
    std::atomic_ref(above_[vertex]).store(above, std::memory_order_relaxed);
  }

  Buffer<std::uint32_t> above_;
  ThreadTeam& threads_;
};

// Which neighbours a rank can link.

/// On one rank: all neighbours.
struct AllVertices {
  static constexpr bool contains(std::uint64_t) { return true; }
  static constexpr std::uint32_t local(std::uint64_t global_id) { return static_cast<std::uint32_t>(global_id); }
};
/// On several ranks: the neighbours that the rank owns, and hubs, because each rank has replicas of them.
class OwnVertices {
 public:
  explicit OwnVertices(const Partition& partition)
      : code_(partition.code()), rank_(partition.rank()), hubs_(partition.hubs().count()) {}

  [[nodiscard]] bool contains(std::uint64_t global_id) const {
    return code_.rank(global_id) == rank_ || code_.local(global_id).index() < hubs_;
  }
  [[nodiscard]] std::uint32_t local(std::uint64_t global_id) const { return code_.local(global_id).value; }
  [[nodiscard]] int owner(std::uint64_t global_id) const { return code_.rank(global_id); }

 private:
  GlobalIdCode code_;
  int rank_;
  std::size_t hubs_;
};

/// Calls body(global id) for every neighbour of a vertex, in both directions of a directed graph.
template <class Adjacencies, class Body>
void for_each_neighbour(const Adjacencies& adjacencies, LocalVertex vertex, Body&& body) {
  const auto walk = [&](const auto& rows) {
    rows.for_each_span(vertex, {0, rows.degree(vertex)}, [&](const auto& neighbours) {
      for (const auto neighbour : neighbours) body(std::uint64_t{neighbour});
    });
  };
  walk(adjacencies.out);
  if (adjacencies.directed) walk(adjacencies.in);
}

/// Calls body(global id) for the neighbour at `place` in a vertex's row, if the row is that long. Reads the neighbour
/// from the head if that has a column for the place.
template <class Adjacencies, class Body>
void with_neighbour(const Adjacencies& adjacencies, LocalVertex vertex, std::size_t place, Body&& body) {
  const auto& rows = adjacencies.pull_rows();
  if (place < adjacencies.head.size()) {
    body(std::uint64_t{adjacencies.head[place].global_ids[vertex.index()]});
  } else if (place < rows.degree(vertex)) {
    rows.for_each_span(vertex, {place, place + 1},
                       [&](const auto& neighbours) { body(std::uint64_t{*neighbours.begin()}); });
  }
}

/// Returns the local id of the neighbour at `place` in a vertex's row; the vertex itself if there is no such neighbour
/// or `own` does not contain it.
template <class Adjacencies, class Own>
std::uint32_t own_neighbour(const Adjacencies& adjacencies, const Own& own, std::uint32_t vertex, std::size_t place) {
  std::uint32_t found = vertex;
  with_neighbour(adjacencies, LocalVertex{vertex}, place, [&](std::uint64_t neighbour) {
    if (own.contains(neighbour)) found = own.local(neighbour);
  });
  return found;
}

/// Links all vertices that a rank's rows connect. Afterwards every vertex points to its root directly.
template <class Adjacencies, class Own>
void link_all(Trees& trees, const Adjacencies& adjacencies, const Own& own) {
  trees.for_each([&](std::uint32_t vertex) { trees.begin(vertex, own_neighbour(adjacencies, own, vertex, 0)); });
  trees.for_each([&](std::uint32_t vertex) { trees.link(vertex, own_neighbour(adjacencies, own, vertex, 1)); });
  const std::uint32_t largest = trees.largest();
  std::atomic<bool> several = false;
  trees.for_each([&](std::uint32_t vertex) {
    if (trees.flatten(vertex) == largest) return;  // an edge to another tree is linked from its other end
    several.store(true, std::memory_order_relaxed);
    for_each_neighbour(adjacencies, LocalVertex{vertex}, [&](std::uint64_t neighbour) {
      if (own.contains(neighbour)) trees.link(vertex, own.local(neighbour));
    });
  });
  if (several) trees.for_each([&](std::uint32_t vertex) { trees.flatten(vertex); });
}

// Numbers, by the smallest label of each component.

inline constexpr std::size_t number_grain = std::size_t{1} << 14;

/// Calls body(offset, local id) for every label that a rank holds. A label without edges has no_local_vertex.
template <class Body>
void for_each_label(const Partition& partition, std::size_t labels, ThreadTeam& threads, Body&& body) {
  const ConnectedLabels& connected = partition.connected();
  parallel_blocks(threads, connected.words().size(), number_grain / bits_per_word,
                  [&](IndexRange words, int) { connected.for_each(words, labels, body); });
}

/// Numbers the first labels of components, in the order of labels over all ranks. `firsts` has a bit for each label of
/// this rank; set(label, number) is called for each bit that is set. Returns the number of components on all ranks.
/// Collective.
template <class Set>
std::uint64_t number_firsts(const Bitmap& firsts, const Context& context, Set&& set) {
  constexpr std::size_t words_per_block = number_grain / bits_per_word;
  const std::span<const std::uint64_t> words = firsts.words();
  std::vector<std::int64_t> before((words.size() + words_per_block - 1) / words_per_block +
                                   1);  // bits before each block
  parallel_blocks(context.threads, words.size(), words_per_block, [&](IndexRange block, int) {
    for (const std::uint64_t word : words.subspan(block.begin, block.size())) {
      before[block.begin / words_per_block] += std::popcount(word);
    }
  });
  const std::int64_t here = exclusive_prefix_sum(context.threads, std::span(before));
  const auto before_rank = static_cast<std::int64_t>(context.ranks.sum_before(static_cast<std::uint64_t>(here)));
  parallel_blocks(context.threads, words.size(), words_per_block, [&](IndexRange block, int) {
    std::int64_t next = before_rank + before[block.begin / words_per_block];
    for (std::size_t word = block.begin; word < block.end; ++word) {
      for_each_set_bit(words[word], word * bits_per_word, [&](std::size_t label) { set(label, next++); });
    }
  });
  return static_cast<std::uint64_t>(context.ranks.all_reduce(here, Reduction::sum));
}

inline constexpr std::int64_t no_vertex = -1;

inline bool is_vertex(const Bitmap* vertices, std::size_t label) {
  return vertices == nullptr || vertices->contains(label);
}

}  // namespace breadth
